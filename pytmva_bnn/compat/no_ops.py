"""Graphics: everything that paints is accepted and does nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from pytmva_bnn.compat.messages import LOGGER

NO_OP_PREFIXES = (
    "Draw", "SetLine", "SetFill", "SetMarker", "SetStats", "SetLabel", "SetTitle", "SetMinimum", "SetMaximum",
    "SetBit", "SetContour", "SetOption", "SetAxis", "SetTick", "SetNdivisions", "SetRange", "Center", "Rotate",
    "SetNdiv", "SetDefault", "SetMore", "UseCurrentStyle", "GetLine", "GetFill", "GetMarker", "SetCanExtend",
    "LabelsOption", "SetBarWidth", "SetBarOffset", "Browse", "SetNoExponent", "SetDecimals",
)  # fmt: skip
"""The beginnings of the calls of data objects that only paint."""


NUMBERS = ("Margin", "Size", "Offset", "Width", "Height", "X1", "X2", "Y1", "Y2", "X1NDC", "X2NDC", "Y1NDC", "Y2NDC")
"""The ends of calls that ask for a number, which macros compute with; 0.1 if it was never set."""


def no_op(owner: str, name: str) -> Callable[..., NoOp]:
    """Return a function that takes anything and only leaves a debug message."""

    def nothing(*_: Any, **__: Any) -> NoOp:
        LOGGER.debug("%s.%s has no effect: nothing is painted", owner, name)
        return NoOp(f"{owner}.{name}")

    return nothing


class NoOp:
    """An object whose calls do nothing and give another such object.

    >>> canvas = NoOp("TCanvas")
    >>> canvas.Divide(2, 2)
    <TCanvas.Divide: nothing is painted>
    >>> canvas.cd(1).Modified()
    <TCanvas.cd.Modified: nothing is painted>
    >>> canvas.SetLeftMargin(0.2)
    >>> canvas.GetLeftMargin()
    0.2
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._settings: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        if name.startswith("Set"):
            return partial(self._remember, name[3:])
        if name.startswith("Get") and (name[3:] in self._settings or name.endswith(NUMBERS)):
            return lambda *_: self._settings.get(name[3:], 0.1)
        if name in {"SaveAs", "Print"}:
            return self._save
        return no_op(self._name, name)

    def _remember(self, name: str, *values: Any) -> None:
        """Keep what is set, so that it can be asked for."""
        if len(values) == 1:
            self._settings[name] = values[0]

    def _save(self, *names: Any) -> None:
        LOGGER.warning("%s: nothing is painted here, so %s is not written", self._name, ", ".join(map(str, names)))

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __repr__(self) -> str:
        return f"<{self._name}: nothing is painted>"


class Accepting(type):
    """The class of classes whose static calls, such as ``TGaxis.SetMaxDigits(3)``, do nothing too."""

    def __getattr__(cls, name: str) -> Callable[..., NoOp]:
        if name.startswith("_"):
            raise AttributeError(name)
        return no_op(cls.__name__, name)


def graphics_class(name: str) -> Accepting:
    """Return a class of ROOT's graphics: its objects accept everything."""

    def accept(self: NoOp, *_: Any, **__: Any) -> None:
        NoOp.__init__(self, name)

    return Accepting(name, (NoOp,), {"__init__": accept, "__doc__": f"{name}: accepted, and nothing is painted."})


GRAPHICS = (
    "TArrow", "TBox", "TBrowser", "TColor", "TEllipse", "TFrame", "TGaxis", "TLatex", "TLine", "TMarker", "TPaveLabel",
    "TPaveStats", "TPaveText", "TPolyLine", "TStyle", "TText",
)  # fmt: skip
"""The classes that only paint."""
