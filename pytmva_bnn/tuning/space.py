"""Which options are tried: all combinations of some values, or some of them at random."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pytmva_bnn.errors import OptionError

Choice = Mapping[str, object]
"""A value for each option that is varied."""


def checked(space: Mapping[str, object]) -> dict[str, Any]:
    """Return the values of each option as a list; distributions, which have ``rvs`` as those of scipy, stay."""
    found: dict[str, Any] = {}
    for name, values in space.items():
        if hasattr(values, "rvs"):
            found[name] = values
        elif isinstance(values, str | bytes) or not isinstance(values, Sequence | np.ndarray) or not len(values):
            raise OptionError(f"{name}: {values!r} is not a list of values to try, e.g. {{'{name}': [1, 2]}}")
        else:
            found[name] = values.tolist() if isinstance(values, np.ndarray) else list(values)
    if not found:
        raise OptionError("there is nothing to try: give a list of values for an option, e.g. {'NTrees': [200, 400]}")
    return found


def all_choices(space: Mapping[str, Any]) -> list[Choice]:
    """Return all combinations of the values, those of the last option changing fastest.

    >>> all_choices({"NTrees": [100, 200], "MaxDepth": [2]})
    [{'NTrees': 100, 'MaxDepth': 2}, {'NTrees': 200, 'MaxDepth': 2}]
    """
    drawn = [name for name, values in space.items() if hasattr(values, "rvs")]
    if drawn:
        raise OptionError(f"{drawn[0]} is a distribution, which cannot be tried exhaustively: set how='random'")
    return [dict(zip(space, values, strict=True)) for values in itertools.product(*space.values())]


def random_choices(space: Mapping[str, Any], n: int, seed: int) -> list[Choice]:
    """Return ``n`` choices at random; of lists alone no combination comes twice."""
    generator = np.random.default_rng(seed)
    if any(hasattr(values, "rvs") for values in space.values()):
        return [{name: _drawn(values, generator) for name, values in space.items()} for _ in range(n)]
    shape = [len(values) for values in space.values()]
    n_all = math.prod(shape)
    numbers = generator.choice(n_all, min(n, n_all), replace=False)
    places = np.stack(np.unravel_index(numbers, shape), axis=1).tolist()
    return [{name: values[k] for (name, values), k in zip(space.items(), row, strict=True)} for row in places]


def _drawn(values: Any, generator: np.random.Generator) -> Any:
    if hasattr(values, "rvs"):
        drawn = values.rvs(random_state=generator)
        return drawn.item() if isinstance(drawn, np.generic) else drawn
    return values[int(generator.integers(len(values)))]
