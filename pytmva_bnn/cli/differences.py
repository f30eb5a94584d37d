"""How two networks differ: options, variables, transformations, weights, inverse Hessian and responses."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.convert import random_events
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.model import Model


@dataclass(frozen=True)
class Tolerance:
    """Numbers agree if |a - b| <= ``atol`` + ``rtol`` max(|a|, |b|).

    >>> Tolerance(rtol=1e-3, atol=0.0).agree(1.0, 1.0005)
    True
    """

    rtol: float
    atol: float

    def agree(self, a: Any, b: Any) -> bool:
        """Tell whether all numbers agree; NaN agrees with NaN."""
        a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
        if a.shape != b.shape:
            return False
        with np.errstate(invalid="ignore"):
            near = np.abs(a - b) <= self.atol + self.rtol * np.maximum(np.abs(a), np.abs(b))
        return bool((near | (a == b) | (np.isnan(a) & np.isnan(b))).all())


@dataclass(frozen=True)
class Section:
    """The differences of one kind; none means that the files agree in it.  ``note`` is shown in any case."""

    name: str
    differences: tuple[str, ...]
    note: str = ""


def compare(a: Model, b: Model, tolerance: Tolerance, *, n_events: int = 1000, seed: int = 1) -> list[Section]:
    """Return all sections.

    >>> import pytmva_bnn as TMVA
    >>> model = TMVA.load("xml_fixtures/cases/bfgs_n/weights.xml")
    >>> {section.name: section.differences for section in compare(model, model, Tolerance(0.0, 0.0))}["weights"]
    ()
    """
    parts: list[tuple[str, Callable[[], tuple[list[str], str]]]] = [
        ("options", lambda: (_options(a, b), "")),
        ("variables", lambda: (_all_variables(a, b, tolerance), "")),
        ("transformations", lambda: (list(_plain(a.file.transformations, b.file.transformations, tolerance)), "")),
        ("weights", lambda: _weights(a, b, tolerance)),
        ("hessian", lambda: _hessians(a, b, tolerance)),
        ("responses", lambda: _responses(a, b, tolerance, n_events, seed)),
    ]
    found = []
    for name, part in parts:
        differences, note = part()
        found.append(Section(name, tuple(differences), note))
    return found


SECTIONS = ("options", "variables", "transformations", "weights", "hessian", "responses")


def _options(a: Model, b: Model) -> list[str]:
    first = {one.name: one.value for one in a.file.options}
    second = {one.name: one.value for one in b.file.options}
    return [
        f"{name}: {first.get(name, '(not given)')} | {second.get(name, '(not given)')}"
        for name in sorted(first.keys() | second.keys())
        if first.get(name) != second.get(name)
    ]


def _all_variables(a: Model, b: Model, tolerance: Tolerance) -> list[str]:
    found = []
    if a.analysis_type != b.analysis_type:
        found.append(f"analysis: {a.analysis_type} | {b.analysis_type}")
    if a.classes != b.classes:
        found.append(f"classes: {', '.join(a.classes)} | {', '.join(b.classes)}")
    for kind, first, second in (
        ("variable", a.variables, b.variables),
        ("target", a.targets, b.targets),
        ("spectator", a.spectators, b.spectators),
    ):
        if len(first) != len(second):
            found.append(f"number of {kind}s: {len(first)} | {len(second)}")
        for one, other in zip(first, second, strict=False):
            found += [f"{kind} {one.label}, {text}" for text in _variable(one, other, tolerance)]
    return found


def _variable(a: VariableRecord, b: VariableRecord, tolerance: Tolerance) -> Iterator[str]:
    for name in ("expression", "label", "title", "unit", "type"):
        if getattr(a, name) != getattr(b, name):
            yield f"{name}: {getattr(a, name)} | {getattr(b, name)}"
    if not tolerance.agree([a.minimum, a.maximum], [b.minimum, b.maximum]):
        yield f"range: {a.minimum:g} to {a.maximum:g} | {b.minimum:g} to {b.maximum:g}"


def _plain(a: Any, b: Any, tolerance: Tolerance, path: str = "") -> Iterator[str]:
    """Yield where two structures of dataclasses, tuples and arrays differ."""
    if isinstance(a, float) and isinstance(b, float):
        if not tolerance.agree(a, b):
            yield f"{path}: {a:g} | {b:g}"
    elif type(a) is not type(b):
        yield f"{path or 'kind'}: {type(a).__name__} | {type(b).__name__}"
    elif isinstance(a, np.ndarray):
        if not tolerance.agree(a, b):
            yield f"{path}: {_array_words(a, b)}"
    elif is_dataclass(a):
        for one in fields(a):
            where = f"{path}.{one.name}" if path else one.name
            yield from _plain(getattr(a, one.name), getattr(b, one.name), tolerance, where)
    elif isinstance(a, tuple):
        if len(a) != len(b):
            yield f"number of {path or 'steps'}: {len(a)} | {len(b)}"
        for number, (one, other) in enumerate(zip(a, b, strict=False)):
            yield from _plain(one, other, tolerance, f"{path}[{number}]")
    elif a != b:
        yield f"{path}: {a} | {b}"


def _weights(a: Model, b: Model, tolerance: Tolerance) -> tuple[list[str], str]:
    if a.network.layer_sizes != b.network.layer_sizes:
        first, second = ("-".join(map(str, model.network.layer_sizes)) for model in (a, b))
        return [f"layers: {first} | {second}"], ""
    x, y = (np.concatenate([m.ravel() for m in model.file.matrices]) for model in (a, b))
    words = _array_words(x, y)
    return ([] if tolerance.agree(x, y) else [words]), words


def _hessians(a: Model, b: Model, tolerance: Tolerance) -> tuple[list[str], str]:
    first, second = a.inverse_hessians, b.inverse_hessians
    if len(first) != len(second):
        return [f"number of matrices: {len(first)} | {len(second)}"], ""
    found = [_array_words(x, y) for x, y in zip(first, second, strict=True) if not tolerance.agree(x, y)]
    return found, "; ".join(_array_words(x, y) for x, y in zip(first, second, strict=True)) or "none"


def _responses(a: Model, b: Model, tolerance: Tolerance, n_events: int, seed: int) -> tuple[list[str], str]:
    if len(a.variables) != len(b.variables) or a.network.n_outputs != b.network.n_outputs:
        return ["not comparable: the numbers of variables or outputs differ"], ""
    events = random_events(a.variables, n_events, seed)
    x, y = (model.predict(events, spectators=random_events(model.spectators, n_events, seed + 1)) for model in (a, b))
    words = f"{_array_words(x, y)}, of {n_events} random events"
    return ([] if tolerance.agree(x, y) else [words]), words


def _array_words(a: NDArray[Any], b: NDArray[Any]) -> str:
    """Return the largest differences in words.

    >>> _array_words(np.array([1.0, 2.0]), np.array([1.0, 2.5]))
    'largest difference 0.5 (relative 0.2)'
    """
    if a.shape != b.shape:
        return f"shape {a.shape} | {b.shape}"
    x, y = a.astype(np.float64), b.astype(np.float64)
    with np.errstate(all="ignore"):
        # values that are equal differ by nothing, also if they are infinite or NaN
        difference = np.where((x == y) | (np.isnan(x) & np.isnan(y)), 0.0, np.abs(x - y))
        size = np.maximum(np.abs(x), np.abs(y))
        relative = np.where(difference == 0.0, 0.0, difference / size)
    largest = float(difference.max(initial=0.0))
    if math.isnan(largest):
        return "some values are NaN in one file only"
    return f"largest difference {largest:.3g} (relative {float(relative.max(initial=0.0)):.3g})"
