"""Binned distributions in C++: the cumulative ones of G and U, and those of the response."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.errors import InputError
from pytmva_bnn.histograms import PDF, Interpolation
from pytmva_bnn.model import Model
from pytmva_bnn.standalone import literals
from pytmva_bnn.standalone.part import Part
from pytmva_bnn.standalone.templates import distribution_text, method_text
from pytmva_bnn.transform import OldCumulative


def responses_part(model: Model) -> Part:
    """Return ``GetProba`` and ``GetRarity``; nothing if the file has no distributions of the response.

    >>> import pytmva_bnn as TMVA
    >>> len(responses_part(TMVA.load("xml_fixtures/cases/mvapdfs/weights.xml")).methods)
    1
    """
    if model.response_pdfs is None:
        return Part()
    constants: list[str] = []
    for name, pdf in zip(("SignalResponse", "BackgroundResponse"), model.response_pdfs, strict=True):
        arrays, value = _table(name, pdf)
        constants += [*arrays, f"   static constexpr Distribution k{name} = {value};"]
    return Part((method_text.GET_PROBA_AND_RARITY,), (distribution_text.DISTRIBUTION,), tuple(constants))


def distributions(name: str, pdfs: list[PDF]) -> tuple[str, ...]:
    """Return the constants of an array ``k<name>`` of distributions.

    TMVA interpolates each on 10000 bins.  To keep the file small it holds the few bins of the weight file where the
    interpolation is the usual straight line: C++ then finds the same numbers.
    """
    constants: list[str] = []
    values: list[str] = []
    for position, pdf in enumerate(pdfs):
        make = _points if _is_plain_line(pdf) else _table
        arrays, value = make(f"{name}_{position}", pdf)
        constants += arrays
        values.append(value)
    return (*constants, literals.array("Distribution", f"k{name}", values))


def old_distributions(name: str, cumulatives: list[OldCumulative]) -> tuple[str, ...]:
    """Return the constants of an array ``k<name>`` of distributions of the text form."""
    constants: list[str] = []
    values: list[str] = []
    for position, cumulative in enumerate(cumulatives):
        own, h = f"{name}_{position}", cumulative.histogram
        edges = h.low_edge(np.arange(1, h.n_bins + 2))
        edges[-1] = h.upper
        epsilon = 0.5 / (h.n_bins * cumulative.elements_per_bin)
        constants += [literals.doubles(f"k{own}_contents", h.contents), literals.doubles(f"k{own}_edges", edges)]
        values.append(f"{{{h.n_bins}, k{own}_contents, k{own}_edges, {literals.double(epsilon)}}}")
    return (*constants, literals.array("OldCumulative", f"k{name}", values))


def _is_plain_line(pdf: PDF) -> bool:
    """Tell whether the C++ can interpolate the distribution as it is in the file."""
    record, h = pdf.record, pdf.record.histogram
    return (
        record.interpolation == Interpolation.SPLINE1
        and record.max_n_smooth <= 0
        and h.edges is not None
        and h.n_bins > 1
        and bool(np.isfinite(h.edges).all() and (np.diff(h.edges) >= 0.0).all())
        and _fits_float32(h.contents)
    )


def _points(name: str, pdf: PDF) -> tuple[list[str], str]:
    h = pdf.record.histogram
    arrays = [
        literals.singles(f"k{name}_contents", h.contents),
        literals.doubles(f"k{name}_edges", np.asarray(h.edges)),
    ]
    return arrays, _distribution(name, pdf, h.n_bins, f"k{name}_edges")


def _table(name: str, pdf: PDF) -> tuple[list[str], str]:
    h = pdf.histogram
    if h.edges is not None or not _fits_float32(h.contents):
        raise InputError(
            f"the distribution '{pdf.record.name}' has InterpolMethod=0 and bins of different width, which is not "
            "possible in the C++ class"
        )
    return [literals.singles(f"k{name}_contents", h.contents)], _distribution(name, pdf, h.n_bins, "nullptr")


def _distribution(name: str, pdf: PDF, size: int, edges: str) -> str:
    lower, upper = literals.double(pdf.histogram.lower), literals.double(pdf.histogram.upper)
    interpolated = "true" if pdf.interpolated else "false"
    return f"{{{lower}, {upper}, {size}, k{name}_contents, {edges}, {interpolated}}}"


def _fits_float32(values: NDArray[Any]) -> bool:
    with np.errstate(over="ignore"):
        return bool(np.array_equal(values, values.astype(np.float32), equal_nan=True))
