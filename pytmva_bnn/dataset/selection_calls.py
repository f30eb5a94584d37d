"""The calls that set weights, cuts and the split."""
# ruff: noqa: N802, N803 - TMVA's names

from __future__ import annotations

import logging
from numbers import Real
from typing import Any

from pytmva_bnn.dataset.description import BACKGROUND, SIGNAL, Description
from pytmva_bnn.dataset.given_events import WEIGHT
from pytmva_bnn.errors import DatasetError
from pytmva_bnn.options import option_string

LOGGER = logging.getLogger("pytmva_bnn.DataSetFactory")

DEFAULT_OPTIONS = "SplitMode=Random:!V"


class SelectionCalls:
    """SetWeightExpression, AddCut, PrepareTrainingAndTestTree and their kin, for a class that has a ``description``.

    A cut is text, or an object whose ``GetTitle()`` (a TCut) or ``str()`` is the expression.
    """

    description: Description

    def SetSignalWeightExpression(self, expression: str) -> None:
        """Set the weight expression of the class Signal."""
        self.SetWeightExpression(expression, SIGNAL)

    def SetBackgroundWeightExpression(self, expression: str) -> None:
        """Set the weight expression of the class Background."""
        self.SetWeightExpression(expression, BACKGROUND)

    def SetWeightExpression(self, expression: str, className: str = "") -> None:
        """Set the weight expression of a class; without a class, those of Signal and Background.

        The last one counts.
        """
        # TMVA: without a class it is these two, even in a regression
        for name in [className] if className else [SIGNAL, BACKGROUND]:
            self.description.set_weight(str(expression), name)

    def SetCut(self, cut: Any, className: str = "") -> None:
        """Replace the cut of a class, or of all classes known so far."""
        self.description.set_cut(cut_text(cut), className)

    def AddCut(self, cut: Any, className: str = "") -> None:
        """Combine the cut of a class, or of all classes known so far, with another one by *and*."""
        self.description.add_cut(cut_text(cut), className)

    def PrepareTrainingAndTestTree(self, cut: Any = None, *arguments: Any, **keywords: object) -> None:
        """Set the cut and how the events are split into training and test.

        * ``(cut, options)``
        * ``(signalCut, backgroundCut, options)``
        * ``(cut, nSignalTrain, nBackgroundTrain, nSignalTest, nBackgroundTest, options="SplitMode=Random:!V")``
        * ``(cut, nTrain, nTest=-1)``: the same numbers for Signal and Background; nTest=-1 means all others.
          In TMVA this form always ends in an error, as it uses an option that does not exist.

        In place of the option string there may be keywords, as in PyROOT: ``(cut, nTrain_Signal=100, V=False)``; the
        cuts too: ``(Cut=cut, ...)`` or ``(SigCut=..., BkgCut=..., ...)``.
        """
        cuts = {name: keywords.pop(name) for name in ("Cut", "SigCut", "BkgCut") if name in keywords}
        if (cut is not None) + ("Cut" in cuts) + bool({"SigCut", "BkgCut"} & cuts.keys()) != 1:
            given = ", ".join((["the first argument"] if cut is not None else []) + list(cuts)) or "none"
            raise DatasetError(
                "PrepareTrainingAndTestTree needs one cut, which may be empty: give it first, or as Cut=, or those of "
                f"the classes as SigCut= and BkgCut=; got {given}"
            )
        self._add_given_events()
        if keywords or {"SigCut", "BkgCut"} & cuts.keys():
            arguments = (*arguments, option_string("", keywords))
        if cut is None:
            cut = cuts.get("Cut", cuts.get("SigCut", ""))
            arguments = arguments if "Cut" in cuts else (cuts.get("BkgCut", ""), *arguments)
        # C++ converts any kind of number
        match tuple(int(float(one)) if isinstance(one, Real) else one for one in arguments):
            case ():
                self._prepare(cut, "")
            case (str(options),):
                self._prepare(cut, options)
            case (background_cut, str(options)) if not isinstance(background_cut, int):
                self._prepare_two(cut, background_cut, options)
            case (int(n_train),) | (int(n_train), int(-1)):
                # TMVA: -1 would give half of the rest to the test; here it means what the call means
                self._prepare(cut, _numbers(n_train, n_train, 0, 0, DEFAULT_OPTIONS))
            case (int(n_train), int(n_test)):
                self._prepare(cut, _numbers(n_train, n_train, n_test, n_test, DEFAULT_OPTIONS))
            case (int(s_train), int(b_train), int(s_test), int(b_test)):
                self._prepare(cut, _numbers(s_train, b_train, s_test, b_test, DEFAULT_OPTIONS))
            case (int(s_train), int(b_train), int(s_test), int(b_test), str(options)):
                self._prepare(cut, _numbers(s_train, b_train, s_test, b_test, options))
            case _:
                raise DatasetError(
                    "PrepareTrainingAndTestTree takes (cut, options), (signalCut, backgroundCut, options), "
                    "(cut, nSigTrain, nBkgTrain, nSigTest, nBkgTest, options) or (cut, nTrain, nTest); got "
                    f"({', '.join(type(one).__name__ for one in (cut, *arguments))})"
                )

    def _prepare(self, cut: Any, options: str) -> None:
        name = self.description.name
        for index, event_class in enumerate(self.description.classes):
            LOGGER.info("Dataset[%s] : Class index : %d  name : %s", name, index, event_class.name)
        self.AddCut(cut)
        self.description.set_options(options)

    def _prepare_two(self, signal_cut: Any, background_cut: Any, options: str) -> None:
        # TMVA: this creates the two classes if they do not exist, even in a regression
        self.AddCut(signal_cut, SIGNAL)
        self.AddCut(background_cut, BACKGROUND)
        self.description.set_options(options)

    def _add_given_events(self) -> None:
        """Add the events given one by one as trees, class by class."""
        # TMVA: done at every call, so a second call adds them a second time
        given = self.description.given_events
        for index, event_class in enumerate(list(self.description.classes)):
            if event_class.name in given.class_names:
                for source, kind in given.trees_of(event_class.name, index):
                    self.description.add_tree(source, event_class.name, 1.0, type=kind)
                self.description.set_weight(WEIGHT, event_class.name)


def cut_text(cut: Any) -> str:
    """Return the expression of a cut."""
    if cut is None:
        return ""
    return str(cut.GetTitle()) if hasattr(cut, "GetTitle") else str(cut)


def _numbers(s_train: int, b_train: int, s_test: int, b_test: int, options: str) -> str:
    numbers = f"nTrain_Signal={s_train}:nTrain_Background={b_train}:nTest_Signal={s_test}:nTest_Background={b_test}"
    return f"{numbers}:{options}"
