"""A weight file as plain data: dictionaries, lists, text and numbers, with the arrays apart.

Every dataclass becomes a dictionary with its class's name under ``"class"``, every tuple a list.  What an array
becomes is up to the caller: :mod:`~pytmva_bnn.convert.json_format` writes its numbers,
:mod:`~pytmva_bnn.convert.npz_format` its name.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.errors import WeightFileError
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.histograms import Histogram, PDFRecord
from pytmva_bnn.model import Model
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
VERSION = 1

_CLASSES: tuple[type, ...] = (
    WeightFile,
    Dialect,
    UnknownElement,
    OptionRecord,
    VariableRecord,
    PDFRecord,
    Histogram,
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
_BY_NAME: Mapping[str, type] = {one.__name__: one for one in _CLASSES}


def to_plain(value: Any, array: Callable[[str, NDArray[Any]], Any], path: str = "") -> Any:
    """Return ``value`` as plain data; ``array(path, values)`` says what stands for an array.

    >>> to_plain(Dialect(), lambda path, values: None)["classes"]
    'named'
    """
    if isinstance(value, np.ndarray):
        return array(path, value)
    if is_dataclass(value):
        content = {
            one.name: to_plain(getattr(value, one.name), array, f"{path}.{one.name}" if path else one.name)
            for one in fields(value)
        }
        return {"class": type(value).__name__, **content}
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
    if name not in _BY_NAME:
        raise ValueError(f"the class {name!r} is not known")
    return _BY_NAME[name](**{key: from_plain(item, array) for key, item in value.items() if key != "class"})


def header() -> dict[str, Any]:
    """Return what stands in front of the content.

    >>> header()["version"]
    1
    """
    return {"format": FORMAT, "version": VERSION}


def checked_weight_file(text: Mapping[str, Any], array: Callable[[Any], NDArray[Any] | None], name: str) -> WeightFile:
    """Return the weight file of a header with its content, after checking that it can be evaluated.

    >>> checked_weight_file({"format": "other"}, lambda value: None, "a.json")
    Traceback (most recent call last):
    pytmva_bnn.errors.WeightFileError: a.json: not a weight file written by pytmva_bnn
    """
    if not isinstance(text, Mapping) or text.get("format") != FORMAT:
        raise WeightFileError("not a weight file written by pytmva_bnn", file=name)
    if text.get("version") != VERSION:
        raise WeightFileError(f"version {text.get('version')!r} of the format is not known, only {VERSION}", file=name)
    try:
        file = from_plain(text.get("content"), array)
        if not isinstance(file, WeightFile):
            raise TypeError("the content is no weight file")
        Model(file)  # options, network and transformations are all built: what is wrong shows now
    except WeightFileError as error:
        raise WeightFileError(error.problem, file=name, element=error.element) from error
    except (TypeError, ValueError, KeyError, AttributeError, IndexError) as error:
        raise WeightFileError(f"damaged: {error}", file=name) from error
    return file
