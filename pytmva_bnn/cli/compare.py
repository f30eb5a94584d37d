"""``pytmva-bnn compare``: how the options, variables, transformations, weights, ... of two weight files differ."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.cli.console import say
from pytmva_bnn.cli.parser import SECTIONS
from pytmva_bnn.convert import load_any, random_events
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.model import Model

DIFFERENT = 4
_MOST_LINES = 20


def run_compare(arguments: argparse.Namespace) -> int:
    """Print the differences; the exit code tells whether there are any."""
    tolerance = Tolerance(arguments.rtol, arguments.atol)
    a, b = load_any(arguments.first), load_any(arguments.second)
    sections = compare(a, b, tolerance, n_events=arguments.events, seed=arguments.seed)
    differ = any(differences for name, (differences, _) in sections.items() if name not in arguments.ignore)
    if arguments.json:
        content = {name: {"differences": lines, "note": note} for name, (lines, note) in sections.items()}
        say(json.dumps({"same": not differ, **content}, indent=1))
        return DIFFERENT if differ else 0
    for name, (differences, note) in sections.items():
        ignored = " (ignored)" if name in arguments.ignore else ""
        say(f"{name}: {'differ' if differences else 'same'}{ignored}" + (f": {note}" if note else ""))
        if differences != [note]:
            for line in differences[:_MOST_LINES]:
                say(f"  {line}")
        if len(differences) > _MOST_LINES:
            say(f"  and {len(differences) - _MOST_LINES} more (--json shows all)")
    say("The files differ." if differ else "The files are the same within the tolerances.")
    return DIFFERENT if differ else 0


@dataclass(frozen=True)
class Tolerance:
    """Numbers agree if |a - b| <= ``atol`` + ``rtol`` max(|a|, |b|)."""

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


def compare(a: Model, b: Model, tolerance: Tolerance, *, n_events: int, seed: int) -> dict[str, tuple[list[str], str]]:
    """Return the differences of each section, none where the files agree, and a note that is shown in any case."""
    sections = (
        (_options(a, b), ""),
        (_all_variables(a, b, tolerance), ""),
        (list(_plain(a.file.transformations, b.file.transformations, tolerance)), ""),
        _weights(a, b, tolerance),
        _uncertainties(a, b, tolerance),
        _responses(a, b, tolerance, n_events, seed),
    )
    return dict(zip(SECTIONS, sections, strict=True))


def _options(a: Model, b: Model) -> list[str]:
    first = {option.name: option.value for option in a.file.options}
    second = {option.name: option.value for option in b.file.options}
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
        for field in fields(a):
            where = f"{path}.{field.name}" if path else field.name
            yield from _plain(getattr(a, field.name), getattr(b, field.name), tolerance, where)
    elif isinstance(a, tuple):
        if len(a) != len(b):
            yield f"number of {path or 'steps'}: {len(a)} | {len(b)}"
        for number, (one, other) in enumerate(zip(a, b, strict=False)):
            yield from _plain(one, other, tolerance, f"{path}[{number}]")
    elif a != b:
        yield f"{path}: {a} | {b}"


def _weights(a: Model, b: Model, tolerance: Tolerance) -> tuple[list[str], str]:
    first, second = a.fitted, b.fitted
    if type(first) is not type(second):
        return [f"kind: {a.kind} | {b.kind}"], ""
    own = first.differences(second, a.file, tolerance.agree)
    if own is not None:
        return own
    if first.sub_methods() or second.sub_methods():
        return _sub_methods(a, b, tolerance), ""
    if first.summary != second.summary:
        name = next((name for name, _ in first.describe()), a.kind)
        return [f"{name}: {first.summary} | {second.summary}"], ""
    x, y = (np.concatenate([np.empty(0), *_arrays(_parameters(one))]) for one in (first, second))
    words = _array_words(x, y)
    others = [text for text in _plain(_parameters(first), _parameters(second), tolerance) if tolerance.agree(x, y)]
    return (others if tolerance.agree(x, y) else [words]), words


def _sub_methods(a: Model, b: Model, tolerance: Tolerance) -> list[str]:
    """Return how the methods inside two methods differ, one by one."""
    first, second = a.fitted.sub_methods(), b.fitted.sub_methods()
    if [one.title for one in first] != [one.title for one in second]:
        titles = (", ".join(one.title for one in methods) for methods in (first, second))
        return [f"methods: {' | '.join(titles)}"]
    found = [f"{name}: {x} | {y}" for (name, x), (_, y) in zip(a.describe(), b.describe(), strict=True) if x != y]
    for one, other in zip(first, second, strict=True):
        x, y = (Model(method.file, method.fitted) for method in (one, other))
        same_kind = _all_variables(x, y, tolerance) + list(
            _plain(x.file.transformations, y.file.transformations, tolerance)
        )
        lines = [*_options(x, y), *same_kind, *_weights(x, y, tolerance)[0], *_uncertainties(x, y, tolerance)[0]]
        found += [f"{one.title}: {line}" for line in lines]
    return found


def _parameters(fitted: Any) -> tuple[Any, ...]:
    """Return what a fitted method is made of, without what only error bars need."""
    stored = {field.name for field in fields(fitted) if field.metadata.get("stored", True)}
    return tuple(getattr(fitted, name) for name in sorted(stored - set(fitted.uncertainty_fields)))


def _arrays(value: Any) -> Iterator[NDArray[Any]]:
    """Yield all arrays in a structure of dataclasses and tuples, flat."""
    if isinstance(value, np.ndarray):
        yield value.astype(np.float64).ravel()
    elif is_dataclass(value):
        yield from _arrays(tuple(getattr(value, field.name) for field in fields(value)))
    elif isinstance(value, tuple):
        for item in value:
            yield from _arrays(item)


def _uncertainties(a: Model, b: Model, tolerance: Tolerance) -> tuple[list[str], str]:
    first, second = (
        list(_arrays(tuple(getattr(model.fitted, name) for name in model.fitted.uncertainty_fields)))
        for model in (a, b)
    )
    if len(first) != len(second):
        return [f"number of matrices: {len(first)} | {len(second)}"], ""
    found = [_array_words(x, y) for x, y in zip(first, second, strict=True) if not tolerance.agree(x, y)]
    return found, "; ".join(_array_words(x, y) for x, y in zip(first, second, strict=True)) or "none"


def _responses(a: Model, b: Model, tolerance: Tolerance, n_events: int, seed: int) -> tuple[list[str], str]:
    if len(a.variables) != len(b.variables) or a.fitted.n_outputs != b.fitted.n_outputs:
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
