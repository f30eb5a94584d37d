"""Graphs: the points of ROC curves as ROOT's TGraph and TMultiGraph give them; nothing is painted."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pytmva_bnn.compat.entries import view_of
from pytmva_bnn.compat.errors import MacroError, NotInCompatError, RefusedError, public_names
from pytmva_bnn.compat.lists import ObjectList
from pytmva_bnn.compat.messages import LOGGER, show
from pytmva_bnn.compat.named import Named
from pytmva_bnn.compat.no_ops import NO_OP_PREFIXES, NoOp, no_op
from pytmva_bnn.compat.session import SESSION
from pytmva_bnn.evaluation import RocCurve

ROC_TITLE = "Signal efficiency vs. Background rejection"
X_TITLE = "Signal efficiency (Sensitivity)"
Y_TITLE = "Background rejection (Specificity)"


class GraphAxis(NoOp):
    """An axis of a graph: its title."""

    def __init__(self, title: str) -> None:
        super().__init__("TAxis")
        self._title = title

    def GetTitle(self) -> str:
        """Return the title."""
        return self._title

    def SetTitle(self, title: str) -> None:
        """Set the title."""
        self._title = str(title)


class Painted(Named):
    """A name and a title, with calls that paint doing nothing and others being told."""

    def __init__(self, name: str, title: str) -> None:
        self._name = name
        self._title = title

    def SaveAs(self, *names: Any) -> None:
        """Warn that nothing is painted."""
        LOGGER.warning("%s: nothing is painted here, so %s is not written", self._name, ", ".join(map(str, names)))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name.startswith(NO_OP_PREFIXES):
            return no_op(type(self).__name__, name)
        raise NotInCompatError.of(type(self).__name__, name, public_names(self), "GetX() and GetY() give the points")


class TGraph(Painted):
    """Points; ``curve`` is the ROC curve that they are of, if they are of one.

    >>> graph = TGraph([0.0, 0.5, 1.0], [1.0, 0.75, 0.0])
    >>> graph.GetN(), graph.GetPointX(1), graph.GetPointY(1), graph.Eval(0.25), graph.Integral()
    (3, 0.5, 0.75, 0.875, 0.125)
    """

    def __init__(
        self, x: ArrayLike, y: ArrayLike, *, name: str = "Graph", title: str = "Graph", curve: RocCurve | None = None
    ) -> None:
        super().__init__(name, title)
        self._x = np.array(x, dtype=np.float64)
        self._y = np.array(y, dtype=np.float64)
        self._axes = (GraphAxis(""), GraphAxis(""))
        self.curve = curve

    def GetN(self) -> int:
        """Return the number of points."""
        return len(self._x)

    def GetX(self) -> NDArray[np.float64]:
        """Return the horizontal positions."""
        return self._x

    def GetY(self) -> NDArray[np.float64]:
        """Return the vertical positions."""
        return self._y

    def GetPointX(self, i: int) -> float:
        """Return the horizontal position of a point, -1 if there is no such point."""
        return float(self._x[i]) if 0 <= i < self.GetN() else -1.0

    def GetPointY(self, i: int) -> float:
        """Return the vertical position of a point, -1 if there is no such point."""
        return float(self._y[i]) if 0 <= i < self.GetN() else -1.0

    def GetPoint(self, i: int, x: Any, y: Any) -> int:
        """Put a point into memory such as ``ctypes.c_double(0)``; -1 is returned if there is no such point."""
        try:
            memory = view_of(x, "x"), view_of(y, "y")
        except MacroError:
            raise MacroError(
                "TGraph.GetPoint fills memory: give ctypes.c_double(0) or array.array('d', [0]), or use GetPointX(i) "
                "and GetPointY(i)"
            ) from None
        if not 0 <= i < self.GetN():
            return -1
        memory[0][0], memory[1][0] = self._x[i], self._y[i]
        return i

    def Eval(self, x: float) -> float:
        """Return the height at ``x`` on the lines between the points."""
        return float(self.heights(np.array([x]))[0])

    def heights(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the heights at many ``x``, ``(n,)``; of several points at one ``x`` the first one counts."""
        places, first = np.unique(self._x, return_index=True)
        return np.interp(x, places, self._y[first])

    def Integral(self, first: int = 0, last: int = -1) -> float:
        """Return the area that the points enclose, from the last straight back to the first.

        So it is the area under a ROC curve less 0.5; ``Factory.GetROCIntegral`` gives the area itself.
        """
        stop = self.GetN() if last < 0 else min(last + 1, self.GetN())
        x, y = self._x[first:stop], self._y[first:stop]
        return float(0.5 * abs(np.sum((y + np.roll(y, -1)) * (np.roll(x, -1) - x))))

    def GetXaxis(self) -> GraphAxis:
        """Return the horizontal axis, which has a title."""
        return self._axes[0]

    def GetYaxis(self) -> GraphAxis:
        """Return the vertical axis, which has a title."""
        return self._axes[1]

    def Clone(self, name: str = "") -> TGraph:
        """Return a copy."""
        copy = TGraph(self._x, self._y, name=name or self._name, title=self._title, curve=self.curve)
        for mine, its in zip(self._axes, copy._axes, strict=True):
            its.SetTitle(mine.GetTitle())
        return copy

    def Print(self, option: str = "") -> None:
        """Show the points."""
        del option
        for i, (x, y) in enumerate(zip(self._x.tolist(), self._y.tolist(), strict=True)):
            show(f"x[{i}]={x:g}, y[{i}]={y:g}")

    def Write(self, name: str = "", *_: Any) -> int:
        """Write the graph to the current file."""
        SESSION.directory.write_object(self, name or self._name)
        return self.GetN()

    def __repr__(self) -> str:
        return f"<TGraph {self._name}: {self.GetN()} points>"


class TMultiGraph(Painted):
    """Several graphs; ``curve`` has their ROC curves by title."""

    def __init__(self, graphs: Iterable[TGraph], *, name: str = "", title: str = "") -> None:
        super().__init__(name, title)
        self._graphs = ObjectList(graphs)

    @property
    def curve(self) -> dict[str, RocCurve | None]:
        """The curves by the titles of their graphs."""
        return {graph.GetTitle(): graph.curve for graph in self._graphs}

    def GetListOfGraphs(self) -> ObjectList[TGraph]:
        """Return the graphs."""
        return self._graphs

    def Write(self, name: str = "", *_: Any) -> int:
        """Raise: only single graphs can be written."""
        raise RefusedError(
            f"TMultiGraph.Write({name!r}): it cannot be written here; write each of GetListOfGraphs() with its Write"
        )

    def __iter__(self) -> Any:
        return iter(self._graphs)

    def __repr__(self) -> str:
        return f"<TMultiGraph: {len(self._graphs)} graphs>"


def roc_graph(curve: RocCurve, title: str, *, axis_titles: bool = True) -> TGraph:
    """Return the points of a ROC curve: signal efficiency and background rejection."""
    graph = TGraph(curve.sensitivity, curve.specificity, title=title, curve=curve)
    if axis_titles:
        graph.GetXaxis().SetTitle(X_TITLE)
        graph.GetYaxis().SetTitle(Y_TITLE)
    return graph


def average_graph(graphs: Iterable[TGraph], n_points: int) -> TGraph:
    """Return the mean height of graphs at equally distant points from 0 to 1."""
    x = np.linspace(0.0, 1.0, n_points)
    return TGraph(x, np.mean([graph.heights(x) for graph in graphs], axis=0))
