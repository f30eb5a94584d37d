"""Canvases: what is drawn is remembered, and painted simply, with matplotlib, when a canvas is saved as a picture."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from pytmva_bnn.compat.messages import LOGGER
from pytmva_bnn.compat.no_ops import NoOp
from pytmva_bnn.compat.session import SESSION
from pytmva_bnn.files import folder_for

INCHES = 100.0
"""Pixels of a canvas to an inch of a picture."""


class Pad(NoOp):
    """TCanvas or TPad: ``Divide``, ``cd``, ``SetLogy``, ``SaveAs``; all else does nothing."""

    place: tuple[float, float, float, float] | None = None
    """Left, bottom, width and height of the axes as fractions, if it is not one of equal parts."""

    def GetPrimitive(self, name: str) -> Any:
        """Return what was drawn here, or else the object of the current directory, by its name."""
        for drawn, _ in self._drawn:
            if _paints(drawn) and drawn.GetName() == name:
                return drawn
        return SESSION.directory.Get(str(name))

    def __init__(self, name: str = "c1", title: str = "", *sizes: float, **_: Any) -> None:
        super().__init__(str(name))
        self._title = str(title)
        self._size = tuple(float(one) for one in sizes[-2:]) if len(sizes) in (2, 4) else (700.0, 500.0)
        self._pads: list[Pad] = []
        self._shape = (1, 1)
        self._drawn: list[tuple[Any, str]] = []
        self._log = {"x": False, "y": False}
        SESSION.pad = self

    def GetName(self) -> str:
        return self._name

    def GetWw(self) -> int:
        return int(self._size[0])

    def GetWh(self) -> int:
        return int(self._size[1])

    def Divide(self, n_x: int = 1, n_y: int = 1, *_: Any) -> None:
        self._shape = (int(n_y), int(n_x))
        self._pads = [Pad(f"{self._name}_{k + 1}") for k in range(int(n_x) * int(n_y))]
        SESSION.pad = self

    def cd(self, number: int = 0) -> Pad:
        """Make it, or one of its pads, the current one."""
        SESSION.pad = pad = self.GetPad(number)
        return pad

    def GetPad(self, number: int) -> Pad:
        """Return one of its pads, or itself."""
        return self._pads[number - 1] if 0 < number <= len(self._pads) else self

    def Clear(self, *_: Any) -> None:
        self._drawn.clear()

    def SetLogx(self, on: bool = True) -> None:
        self._log["x"] = bool(on)

    def SetLogy(self, on: bool = True) -> None:
        self._log["y"] = bool(on)

    def BuildLegend(self, *_: Any) -> NoOp:
        legend = NoOp("TLegend")
        self._drawn.append((legend, ""))
        return legend

    def add(self, thing: Any, option: str) -> None:
        """Take what is drawn; without ``same`` it replaces what was there."""
        if "SAME" not in option.upper() and _is_frame(thing, option):
            self._drawn.clear()
        self._drawn.append((thing, option))

    def SaveAs(self, *names: Any) -> None:
        """Write the picture; if nothing that can be painted is drawn, or there is no matplotlib, warn."""
        name = str(names[0]) if names else f"{self._name}.pdf"
        pads = [pad for pad in (self, *self._pads) if any(_paints(thing) for thing, _ in pad._drawn)]
        if pads and name.rpartition(".")[2].strip("()[]").lower() in {"png", "pdf", "svg", "eps", "jpg", "ps"}:
            try:
                from matplotlib.figure import Figure  # optional and heavy
            except ImportError:
                LOGGER.warning("%s: %s is not written: install matplotlib to paint canvases", self._name, name)
                return
            rows, columns = self._shape
            figure = Figure(figsize=(self._size[0] / INCHES, self._size[1] / INCHES), layout="constrained")
            for pad in pads:
                number = self._pads.index(pad) + 1 if pad in self._pads else 1
                pad._paint(figure.add_axes(pad.place) if pad.place else figure.add_subplot(rows, columns, number))
            path = Path(name.rstrip("()[]")).absolute()
            with folder_for(path):
                figure.savefig(path)
            return
        LOGGER.warning("%s: nothing is painted here, so %s is not written", self._name, name)

    Print = SaveAs

    def Write(self, *_: Any) -> int:
        """Warn: a canvas is no object of a file here."""
        LOGGER.warning("%s: a canvas cannot be written to a ROOT file here; save it as a picture", self._name)
        return 0

    def _paint(self, ax: Any) -> None:
        """Paint everything on matplotlib's axes."""
        labels: dict[int, str] = {}
        for thing, _ in self._drawn:
            labels |= getattr(thing, "_entries", {})
        for thing, option in self._drawn:
            if _paints(thing):
                thing.__paint__(ax, option, labels.get(id(thing), thing.GetTitle() or thing.GetName()))
        if any(isinstance(thing, NoOp) and "TLegend" in thing._name for thing, _ in self._drawn):
            ax.legend()
        for axis, on in self._log.items():
            if on:
                getattr(ax, f"set_{axis}scale")("log")


class PlacedPad(Pad):
    """``TPad(name, title, x1, y1, x2, y2)``: a part of the canvas, given by fractions, once it is drawn there."""

    def __init__(self, name: str, title: str, *corners: float, **_: Any) -> None:
        canvas = SESSION.pad
        super().__init__(name, title)
        SESSION.pad = canvas
        x1, y1, x2, y2 = (*corners[:4], *(0.0, 0.0, 1.0, 1.0)[len(corners) :])
        width, height = x2 - x1, y2 - y1
        self.place = (x1 + 0.12 * width, y1 + 0.12 * height, 0.8 * width, 0.78 * height)

    def Draw(self, option: str = "") -> None:
        del option
        canvas = SESSION.pad or Pad()
        canvas._pads.append(self)
        canvas.cd()


class CurrentPad(NoOp):
    """``gPad``: whatever the current pad is."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(SESSION.pad or Pad(), name)


class Legend(NoOp):
    """TLegend: the labels of what is drawn."""

    def __init__(self, *_: Any, **__: Any) -> None:
        super().__init__("TLegend")
        self._entries: dict[int, str] = {}

    def AddEntry(self, thing: Any, label: str = "", option: str = "") -> NoOp:
        """Give a drawn object, or the name of one, a label."""
        del option
        for drawn, _ in SESSION.pad._drawn if SESSION.pad else ():
            if thing is drawn or (isinstance(thing, str) and _paints(drawn) and drawn.GetName() == thing):
                thing = drawn
        self._entries[id(thing)] = str(label)
        return NoOp("TLegendEntry")

    def Draw(self, option: str = "") -> None:
        draw(self, option)


class Drawable:
    """What can be painted on a pad: it has ``__paint__(axes of matplotlib, option, label)``."""

    def Draw(self, option: str = "") -> None:
        """Put it on the current pad; a picture is painted only when a canvas is saved."""
        draw(self, str(option))

    def DrawClone(self, option: str = "") -> Any:
        copy: Any = self.Clone()  # type: ignore[attr-defined]
        draw(copy, str(option))
        return copy

    DrawCopy = DrawClone

    def __paint__(self, ax: Any, option: str, label: str) -> None:
        """Paint it on matplotlib's axes."""
        raise NotImplementedError


def draw(thing: Any, option: str) -> None:
    """Put an object on the current pad."""
    (SESSION.pad or Pad()).add(thing, option)


def _paints(thing: Any) -> bool:
    return isinstance(thing, Drawable)


def _is_frame(thing: Any, option: str) -> bool:
    """Tell whether drawing something begins a new plot: graphs do so only with the option A."""
    return _paints(thing) and (not hasattr(type(thing), "GetN") or "A" in option.upper())


def paint_points(ax: Any, x: Any, y: Any, option: str, label: str) -> None:
    """Paint points: joined by lines unless the option has only P."""
    style = "o" if "P" in option.upper() and not {"L", "C"} & set(option.upper()) else "-"
    ax.plot(np.asarray(x), np.asarray(y), style, label=label, markersize=3)
