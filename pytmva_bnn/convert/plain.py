"""A model as plain data: dictionaries, lists, text and numbers, with the arrays apart.

Every dataclass becomes a dictionary with its class's name under ``"class"``, every tuple a list.  What an array
becomes is up to the caller: :mod:`~pytmva_bnn.convert.json_format` writes its numbers,
:mod:`~pytmva_bnn.convert.npz_format` its name.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.errors import WeightFileError, WeightFileWarning
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.histograms import Histogram1D, PDFRecord, from_contents
from pytmva_bnn.methods import Fitted, kinds, method_of
from pytmva_bnn.model import Model, load_string
from pytmva_bnn.options import OptionRecord
from pytmva_bnn.transform import (
    Decorrelation,
    Gaussianisation,
    Normalisation,
    OldCumulative,
    OldGaussianisation,
    PrincipalComponents,
    Quantity,
    Rearrangement,
    Selection,
)
from pytmva_bnn.weights.records import Dialect, UnknownElement, WeightFile

FORMAT = "pytmva_bnn weight file"
VERSION = 2

_CLASSES: tuple[type, ...] = (
    WeightFile,
    Dialect,
    UnknownElement,
    OptionRecord,
    VariableRecord,
    PDFRecord,
    Quantity,
    Selection,
    Normalisation,
    Decorrelation,
    PrincipalComponents,
    Gaussianisation,
    OldCumulative,
    OldGaussianisation,
    Rearrangement,
)
_BY_NAME: Mapping[str, Callable[..., Any]] = {one.__name__: one for one in _CLASSES} | {"Histogram": from_contents}


def to_plain(value: Any, array: Callable[[str, NDArray[Any]], Any], path: str = "") -> Any:
    """Return ``value`` as plain data; ``array(path, values)`` says what stands for an array.

    >>> to_plain(Dialect(), lambda path, values: None)["classes"]
    'named'
    """
    if isinstance(value, np.ndarray):
        return array(path, value)
    if is_dataclass(value):
        stored = [one.name for one in fields(value) if one.metadata.get("stored", True)]
        kind, content = type(value).__name__, {name: getattr(value, name) for name in stored}
        if isinstance(value, Histogram1D):  # what a weight file has of it
            axis = {"x_min": value.x_min, "x_max": value.x_max, "edges": value.axis.edges}
            kind, content = "Histogram", {"name": value.name, "contents": value.values, **axis}
        plain = {key: to_plain(item, array, f"{path}.{key}" if path else key) for key, item in content.items()}
        return {"class": kind, **plain}
    if isinstance(value, tuple | list):
        return [to_plain(item, array, f"{path}.{number}") for number, item in enumerate(value)]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return {"number": repr(value)}
    return value


def from_plain(value: Any, array: Callable[[Any], NDArray[Any] | None]) -> Any:
    """Return what :func:`to_plain` made ``value`` from; ``array`` gives an array for what stands for one, else None.

    >>> from_plain({"class": "Quantity", "kind": "Variable", "label": "x", "expression": "x"}, lambda value: None)
    Quantity(kind='Variable', label='x', expression='x')
    """
    found = array(value)
    if found is not None:
        return found
    if isinstance(value, list):
        return tuple(from_plain(item, array) for item in value)
    if not isinstance(value, dict):
        return value
    if set(value) == {"number"}:
        return float(value["number"])
    name = str(value.get("class"))
    found_class = _BY_NAME.get(name) or next((one for one in _records() if one.__name__ == name), None)
    if found_class is None:
        raise ValueError(f"unknown class {name!r}")
    return found_class(**{key: from_plain(item, array) for key, item in value.items() if key != "class"})


def _records() -> Iterator[type]:
    return (one for kind in kinds() for one in method_of(kind).records)


def content_of(model: Model, array: Callable[[str, NDArray[Any]], Any]) -> dict[str, Any]:
    """Return a model as plain data behind a header that tells the format."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "file": to_plain(model.file, array, "file"),
        "method": to_plain(model.fitted, array, "method"),
    }


def checked_model(content: Any, array: Callable[[Any], NDArray[Any] | None], name: str) -> Model:
    """Return the model of what :func:`content_of` made, after checking that it can be evaluated.

    >>> checked_model({"format": "other"}, lambda value: None, "a.json")
    Traceback (most recent call last):
    pytmva_bnn.errors.WeightFileError: a.json: not a weight file written by pytmva_bnn
    """
    if not isinstance(content, Mapping) or content.get("format") != FORMAT:
        raise WeightFileError("not a weight file written by pytmva_bnn", file=name)
    if content.get("version") != VERSION:
        problem = f"version {content.get('version')!r} of the format is not supported, only {VERSION}"
        raise WeightFileError(problem, file=name)
    try:
        file, fitted = (from_plain(content.get(part), array) for part in ("file", "method"))
        if not isinstance(file, WeightFile) or not isinstance(fitted, Fitted):
            raise TypeError("the content is not a weight file")
        model = Model(file, fitted, name=name)
        if file.source == "xml":
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", WeightFileWarning)
                beside = {one.ending: one.data for one in fitted.companions()}
                read = load_string(model.to_xml(), companions=beside)  # reading checks all numbers
            if _form(read.fitted) != _form(fitted):
                raise ValueError("its arrays do not fit together")
        model.predict(np.zeros((1, len(file.variables))), spectators=np.zeros((1, len(model.spectators))))
        return model
    except WeightFileError as error:
        raise WeightFileError(error.problem, file=name, element=error.element) from error
    except Exception as error:  # each method fails in ways of its own on numbers that no training gives
        raise WeightFileError(f"damaged: {error}", file=name) from error


def _form(fitted: Fitted) -> Any:
    """Return the types of all parts: of arrays also the shapes, and the whole numbers, which XML does not round."""

    def form_of(_path: str, values: NDArray[Any]) -> tuple[Any, ...]:
        return values.dtype.kind, values.shape, None if values.dtype.kind == "f" else values.tobytes()

    return _types(to_plain(fitted, form_of))


def _types(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _types(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_types(item) for item in value]
    if isinstance(value, tuple):
        return value
    return next((kind for kind in (bool, int, float, str) if isinstance(value, kind)), type(value))  # an enum is text
