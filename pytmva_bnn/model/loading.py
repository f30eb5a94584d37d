"""From a weight file to a model."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pytmva_bnn.errors import InputError, WeightFileError
from pytmva_bnn.methods import Reading, kinds, method_of
from pytmva_bnn.methods.protocol import Tanh
from pytmva_bnn.model.model import Model, Precision
from pytmva_bnn.weights import Source, Stream, read_source


def load(
    path: str | Path,
    *,
    tanh: Tanh = "exact",
    strict: bool = False,
    compiled: bool | None = None,
    precision: Precision = "float64",
) -> Model:
    """Read a weight file of TMVA (XML or old text, plain or gzip-compressed) and return its :class:`Model`.

    Parameters
    ----------
    path
        the name of the file
    tanh
        ``"fast"`` is the approximate tanh of ROOT 6.04 to 6.14
    strict
        treat old files as current ROOT does, even where this differs from their training
    compiled
        use compiled code for all calls (True, which pays for thousands of small ones) or for none (False); by default
        the size of a call decides
    precision
        ``"float32"`` computes the responses of an MLP about twice as fast, by compiled code.  They are float32 and
        differ from TMVA's in the seventh digit.  Error bars, quantiles, moderated responses and sums, and the responses
        that come with them, are computed in float64 all the same

    >>> import pytmva_bnn as TMVA
    >>> TMVA.load("xml_fixtures/cases/bfgs_n/weights.xml")
    <Model 'MLP': Classification, 4-9-1, without error bars>
    """
    return _load(Source(path), Reading(strict, _checked(tanh)), compiled, precision)


def load_string(
    text: str | bytes,
    *,
    tanh: Tanh = "exact",
    strict: bool = False,
    compiled: bool | None = None,
    precision: Precision = "float64",
    companions: Mapping[str, bytes] | None = None,
) -> Model:
    """Return the :class:`Model` of a weight file given as text; the rest is as for :func:`load`.

    ``companions`` holds the contents of further files of the method, by the endings of their names.
    """
    return _load(Source(text=text, companions=companions), Reading(strict, _checked(tanh)), compiled, precision)


def _load(source: Source, how: Reading, compiled: bool | None, precision: Precision) -> Model:
    try:
        file, section = read_source(source, _stream_of, kinds())
        fitted = method_of(file.kind).read(section, file, how)
        return Model(file, fitted, strict=how.strict, name=source.name, compiled=compiled, precision=precision)
    except WeightFileError as error:
        if error.file is not None:
            raise
        raise type(error)(error.problem, file=source.name, element=error.element, line=error.line) from error


def _stream_of(kind: str) -> Stream | None:
    return method_of(kind).stream() if kind in kinds() else None


def _checked(tanh: Tanh) -> Tanh:
    if tanh not in ("exact", "fast"):
        raise InputError(f"tanh={tanh!r} must be 'exact' or 'fast'")
    return tanh
