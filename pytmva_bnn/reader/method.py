"""A weight file booked in a Reader."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np

from pytmva_bnn import histograms as pdf
from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.model import Model

log = logging.getLogger("pytmva_bnn.Reader")

MOST_EFFICIENCIES = 256
"""Signal efficiencies that are kept ready."""


class BookedMethod:
    """What ``BookMVA`` and ``FindMVA`` return; ``model`` is the method on arrays.

    >>> import pytmva_bnn as TMVA
    >>> method = TMVA.Reader().BookMVA("mlp", "xml_fixtures/cases/bfgs_n/weights.xml")
    >>> method.GetMethodName(), method.GetMethodTypeName()
    ('MLP', 'MLP')
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self._at: dict[float, BookedMethod] = {}
        self._warned: set[str] = set()
        for name in self.calls:
            setattr(self, name, getattr(model, name))

    def __repr__(self) -> str:
        return f"<BookedMethod {self.model!r}>"

    @property
    def calls(self) -> frozenset[str]:
        """Return the names of what only this kind of method can be asked, such as GetCuts."""
        return self.model.method.calls

    def at_efficiency(self, signal_efficiency: float) -> BookedMethod:
        """Return the method with responses at a wanted signal efficiency: itself, if it does not look at that."""
        found = self._at.get(signal_efficiency)
        if found is None:
            model = self.model.at_efficiency(signal_efficiency)
            found = self if model is self.model else BookedMethod(model)
            if len(self._at) >= MOST_EFFICIENCIES:
                self._at.clear()
            self._at[signal_efficiency] = found
        return found

    def GetName(self) -> str:
        """Return the title that the method had in training."""
        return self.model.title

    def GetMethodName(self) -> str:
        """Return the title that the method had in training."""
        return self.model.title

    def GetMethodTypeName(self) -> str:
        """Return the kind of the method."""
        return self.model.kind

    def response(self, x: Float32Array) -> float:
        """Return what EvaluateMVA gives for a transformed event."""
        return float(self.model.fitted.mva_values(x)[0])

    def errors(self, x: Float32Array) -> tuple[FloatArray, FloatArray]:
        """Return lower and upper errors of the first output for transformed events."""
        return self.model.fitted.error_bars(x, self.model.name)

    def GetNvar(self) -> int:
        """Return the number of variables."""
        return len(self.model.variables)

    def GetInputVar(self, i: int) -> str:
        """Return the name of a variable without special characters."""
        return self.model.variables[i].internal

    def GetInputLabel(self, i: int) -> str:
        """Return the label of a variable."""
        return self.model.variables[i].label

    def GetInputTitle(self, i: int) -> str:
        """Return the title of a variable."""
        return self.model.variables[i].title

    def proba(self, response: Any, signal_fraction: float) -> Any:
        """Return the probability to be signal for a response, or -1 if the file has no PDFs."""
        pdfs = self.model.response_pdfs
        if pdfs is None:
            self._warn_once("<GetProba> MVA PDFs for Signal and Background don't exist; train with CreateMVAPdfs")
            return np.full(np.shape(response), -1.0)
        return pdf.probability(*pdfs, response, signal_fraction)

    def rarity(self, response: Any) -> Any:
        """Return the fraction of background below a response, or 0 if the file has no PDFs."""
        pdfs = self.model.response_pdfs
        if pdfs is None:
            self._warn_once(
                "<GetRarity> Required MVA PDF for Signal or Background does not exist: "
                'select option "CreateMVAPdfs" in training'
            )
            return np.zeros(np.shape(response))
        return pdf.rarity(pdfs[1], response)

    def _warn_once(self, text: str) -> None:
        if text not in self._warned:
            self._warned.add(text)
            log.warning(text)
