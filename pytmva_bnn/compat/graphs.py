"""TGraph with and without errors, and TMultiGraph: the macro's own points, and those of ROC curves."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

from collections.abc import Iterable
from functools import partialmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.compat.entries import view_of
from pytmva_bnn.compat.errors import MacroError, NotInCompatError, RefusedError, public_names
from pytmva_bnn.compat.fits import FitResult, fitted
from pytmva_bnn.compat.lists import ObjectList
from pytmva_bnn.compat.messages import LOGGER, show
from pytmva_bnn.compat.named import Named, getter
from pytmva_bnn.compat.no_ops import NO_OP_PREFIXES, NoOp, no_op
from pytmva_bnn.compat.null_pointer import NullPointer
from pytmva_bnn.compat.painting import Drawable, paint_points
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
        return self._title

    def SetTitle(self, title: str) -> None:
        self._title = str(title)


class Painted(Drawable, Named):
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
    """Points: ``TGraph(n, x, y)``, ``TGraph(x, y)``, ``TGraph(n)`` or ``TGraph()``, or those of a histogram's bins.

    ``curve`` is the ROC curve that they are of, if they are of one.

    >>> graph = TGraph([0.0, 0.5, 1.0], [1.0, 0.75, 0.0])
    >>> graph.GetN(), graph.GetPointX(1), graph.GetPointY(1), graph.Eval(0.25), graph.Integral()
    (3, 0.5, 0.75, 0.875, 0.125)
    """

    n_errors: ClassVar[int] = 0
    """Columns of errors: 2 for those of x and y, 4 for low and high ones of both."""

    def __init__(self, *points: Any, name: str = "Graph", title: str = "Graph", curve: RocCurve | None = None) -> None:
        super().__init__(name, title)
        if len(points) == 1 and hasattr(points[0], "to_numpy"):
            values, edges = points[0].to_numpy()
            points = (edges[:-1] + np.diff(edges) / 2, values)
        n = int(points[0]) if points and not hasattr(points[0], "__len__") else None
        arrays = [
            np.zeros(()) if one is None or isinstance(one, NullPointer) else np.array(one, dtype=np.float64)
            for one in (points if n is None else points[1:])
        ]
        # a null pointer stands for errors of 0
        given = [np.zeros(n or 0) if one.ndim == 0 and one == 0 else one[:n] for one in arrays]
        size = len(given[0]) if given else n or 0
        if len(given) == 1 or len({len(one) for one in given}) > 1:
            lengths = ", ".join(str(len(one)) for one in given)
            raise MacroError(f"{type(self).__name__} takes lists of x and y of the same length; got {lengths}")
        self._columns = np.zeros((2 + self.n_errors, size))
        for k, column in enumerate(given[: 2 + self.n_errors]):
            self._columns[k] = column
        self._axes = (GraphAxis(""), GraphAxis(""))
        self.curve = curve

    @property
    def _x(self) -> FloatArray:
        return np.asarray(self._columns[0])

    @property
    def _y(self) -> FloatArray:
        return np.asarray(self._columns[1])

    def GetN(self) -> int:
        return self._columns.shape[1]

    GetX, GetY = getter("_x"), getter("_y")

    def GetMean(self, axis: int = 1) -> float:
        """Return the mean of x (1) or y (2)."""
        return float(np.mean(self._columns[axis - 1])) if self.GetN() else 0.0

    def GetRMS(self, axis: int = 1) -> float:
        """Return the spread of x (1) or y (2)."""
        return float(np.std(self._columns[axis - 1])) if self.GetN() else 0.0

    def GetCorrelationFactor(self) -> float:
        spread = self.GetRMS(1) * self.GetRMS(2)
        return float(np.mean((self._x - self.GetMean(1)) * (self._y - self.GetMean(2)))) / spread if spread else 0.0

    def SetPoint(self, i: int, x: float, y: float) -> None:
        """Set a point; points up to it that are not there yet are 0."""
        self.Set(max(i + 1, self.GetN()))
        self._columns[:2, i] = x, y

    def AddPoint(self, x: float, y: float) -> None:
        self.SetPoint(self.GetN(), x, y)

    def Set(self, n: int) -> None:
        """Drop points at the end, or append some at 0."""
        kept = self._columns[:, :n]
        self._columns = np.pad(kept, ((0, 0), (0, n - kept.shape[1])))

    def RemovePoint(self, i: int = -1) -> int:
        self._columns = np.delete(self._columns, i, axis=1)
        return i

    def Sort(self, *_: Any) -> None:
        self._columns = self._columns[:, np.argsort(self._x, kind="stable")]

    def SetPointError(self, i: int, *errors: float) -> None:
        """Set the errors of a point: of x and y, or low and high ones of x, then of y."""
        if len(errors) != self.n_errors:
            raise MacroError(f"{type(self).__name__}.SetPointError takes {self.n_errors} errors; got {len(errors)}")
        self.Set(max(i + 1, self.GetN()))
        self._columns[2:, i] = errors

    def _error(self, column: int, i: int) -> float:
        return float(self._columns[2 + column, i])

    def Fit(self, function: Any, option: str = "", goption: str = "", *limits: float) -> FitResult:
        """Fit a function; points without errors count the same."""
        del goption
        columns = self._columns[2 + self.n_errors // 2 :]
        errors = columns.mean(axis=0) if self.n_errors else np.zeros(self.GetN())
        weights = "" if np.any(errors > 0) else "W"
        self.function = fitted(function, self._x, self._y, errors, f"{option}{weights}", tuple(limits))
        return self.function

    def GetFunction(self, name: str) -> Any:
        found = getattr(self, "function", None)
        return found.function if found is not None else NullPointer(f"{self._name} has no function {name!r}: call Fit")

    def __paint__(self, ax: Any, option: str, label: str) -> None:
        """Paint the points on matplotlib's axes."""
        paint_points(ax, self._x, self._y, option, label)
        if self.n_errors:
            half = self.n_errors // 2
            x, y = self._columns[2 : 2 + half], self._columns[2 + half :]
            ax.errorbar(self._x, self._y, xerr=x, yerr=y, fmt="none", color=ax.lines[-1].get_color())
        ax.set(xlabel=self._axes[0].GetTitle(), ylabel=self._axes[1].GetTitle())

    def GetPointX(self, i: int) -> float:
        return float(self._x[i]) if 0 <= i < self.GetN() else -1.0

    def GetPointY(self, i: int) -> float:
        return float(self._y[i]) if 0 <= i < self.GetN() else -1.0

    def GetPoint(self, i: int, x: Any, y: Any) -> int:
        """Put a point into memory such as ``ctypes.c_double(0)``; -1 is returned if there is no such point."""
        try:
            memory = view_of(x, "x"), view_of(y, "y")
        except MacroError:
            raise MacroError(
                "TGraph.GetPoint writes into its arguments; give ctypes.c_double(0) or array.array('d', [0]), or use "
                "GetPointX(i) and GetPointY(i)"
            ) from None
        if not 0 <= i < self.GetN():
            return -1
        memory[0][0], memory[1][0] = self._x[i], self._y[i]
        return i

    def Eval(self, x: float) -> float:
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
        return self._axes[0]

    def GetYaxis(self) -> GraphAxis:
        return self._axes[1]

    def __copy__(self) -> TGraph:
        return self.Clone()

    def Clone(self, name: str = "") -> TGraph:
        copy = type(self)(*self._columns, name=name or self._name, title=self._title, curve=self.curve)
        for mine, its in zip(self._axes, copy._axes, strict=True):
            its.SetTitle(mine.GetTitle())
        return copy

    def Print(self, option: str = "") -> None:
        del option
        for i, (x, y) in enumerate(zip(self._x.tolist(), self._y.tolist(), strict=True)):
            show(f"x[{i}]={x:g}, y[{i}]={y:g}")

    def Write(self, name: str = "", *_: Any) -> int:
        """Write the points, without errors, to the current file."""
        if self.n_errors:  # uproot reads such graphs, but does not write them
            LOGGER.warning("%s: a %s is written as a TGraph, without its errors", self._name, type(self).__name__)
        SESSION.directory.write_object(self, name or self._name)
        return self.GetN()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._name}: {self.GetN()} points>"


class TGraphErrors(TGraph):
    """Points with errors: ``TGraphErrors(n, x, y, errors of x, errors of y)``."""

    n_errors = 2
    GetEX, GetEY = (lambda self: self._columns[2]), (lambda self: self._columns[3])
    GetErrorX, GetErrorY = partialmethod(TGraph._error, 0), partialmethod(TGraph._error, 1)


class TGraphAsymmErrors(TGraph):
    """Points with low and high errors: ``(n, x, y, low of x, high of x, low of y, high of y)``."""

    n_errors = 4
    GetErrorXlow, GetErrorXhigh = partialmethod(TGraph._error, 0), partialmethod(TGraph._error, 1)
    GetErrorYlow, GetErrorYhigh = partialmethod(TGraph._error, 2), partialmethod(TGraph._error, 3)


GRAPHS: dict[str, type[TGraph]] = {one.__name__: one for one in (TGraph, TGraphErrors, TGraphAsymmErrors)}


def graph_of(stored: Any) -> TGraph:
    """Return the graph that uproot has read."""
    members = {"TGraphErrors": ("fEX", "fEY"), "TGraphAsymmErrors": ("fEXlow", "fEXhigh", "fEYlow", "fEYhigh")}
    errors = [np.asarray(stored.member(name)) for name in members.get(stored.classname, ())]
    points = stored.member("fX"), stored.member("fY"), *errors
    return GRAPHS[stored.classname](*points, name=str(stored.member("fName")), title=str(stored.member("fTitle")))


class TMultiGraph(Painted):
    """Several graphs: ``TMultiGraph(name, title)`` and ``Add``; ``curve`` has their ROC curves by title."""

    def __init__(self, *given: Any, name: str = "", title: str = "") -> None:
        texts = (*(one for one in given if isinstance(one, str)), name, title)
        super().__init__(texts[0], texts[1] if len(texts) > 2 else title)
        self._graphs: ObjectList[TGraph] = ObjectList(given[0] if given and not isinstance(given[0], str) else ())
        self._axes = (GraphAxis(""), GraphAxis(""))

    def GetXaxis(self) -> GraphAxis:
        return self._axes[0]

    def GetYaxis(self) -> GraphAxis:
        return self._axes[1]

    def Add(self, graph: TGraph, option: str = "") -> None:
        del option
        self._graphs.append(graph)

    def __paint__(self, ax: Any, option: str, label: str) -> None:
        """Paint the graphs on matplotlib's axes."""
        for graph in self._graphs:
            graph.__paint__(ax, option, graph.GetTitle())
        ax.set_title(label)

    @property
    def curve(self) -> dict[str, RocCurve | None]:
        """The curves by the titles of their graphs."""
        return {graph.GetTitle(): graph.curve for graph in self._graphs}

    def GetListOfGraphs(self) -> ObjectList[TGraph]:
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
