"""A weight file booked in a Reader."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np

from pytmva_bnn import histograms as pdf
from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.model import Model

log = logging.getLogger("pytmva_bnn.Reader")


class BookedMethod:
    """What ``BookMVA`` and ``FindMVA`` return; ``model`` is the method on arrays.

    >>> import pytmva_bnn as TMVA
    >>> method = TMVA.Reader().BookMVA("mlp", "xml_fixtures/cases/bfgs_n/weights.xml")
    >>> method.GetMethodName(), method.GetMethodTypeName()
    ('MLP', 'MLP')
    """

    def __init__(self, model: Model) -> None:
        self.model = model

    def __repr__(self) -> str:
        return f"<BookedMethod {self.model!r}>"

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
        """Return the first output for a transformed event."""
        return float(self.model.fitted.mva_value(x)[0])

    def errors(self, x: Float32Array) -> tuple[FloatArray, FloatArray]:
        """Return lower and upper errors of the first output for transformed events."""
        return self.model.fitted.error_bars(x, self.model.name)

    def GetNvar(self) -> int:
        """Return the number of variables."""
        return len(self.model.variables)

    def proba(self, response: Any, signal_fraction: float) -> Any:
        """Return the probability to be signal for a response, or -1 if the file has no PDFs."""
        pdfs = self.model.response_pdfs
        if pdfs is None:
            log.warning("<GetProba> MVA PDFs for Signal and Background don't exist; train with CreateMVAPdfs")
            return np.full(np.shape(response), -1.0)
        return pdf.probability(*pdfs, response, signal_fraction)

    def rarity(self, response: Any) -> Any:
        """Return the fraction of background below a response, or 0 if the file has no PDFs."""
        pdfs = self.model.response_pdfs
        if pdfs is None:
            log.warning(
                "<GetRarity> Required MVA PDF for Signal or Background does not exist: "
                'select option "CreateMVAPdfs" in training'
            )
            return np.zeros(np.shape(response))
        return pdf.rarity(pdfs[1], response)
