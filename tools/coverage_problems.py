"""Problems with a known probability, for tools/coverage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import uproot
from numpy.typing import NDArray

import pytmva_bnn as TMVA

ROOT = Path(__file__).resolve().parent.parent
Array = NDArray[np.float64]


@dataclass(frozen=True)
class Problem:
    """A density of events, the probability that an event passes, and perhaps event weights."""

    description: str
    draw: Callable[[np.random.Generator, int], Array]
    truth: Callable[[Array], Array]
    weights: Callable[[np.random.Generator, Array], Array] | None = None


def sigmoid(h: Array) -> Array:
    """Return the probability of log odds."""
    return np.asarray(0.5 * (1.0 + np.tanh(0.5 * h)))


def _normal(n_variables: int) -> Callable[[np.random.Generator, int], Array]:
    return lambda random, n: random.normal(size=(n, n_variables))


def _spectrum(random: np.random.Generator, n: int) -> Array:
    return random.exponential(20.0, size=(n, 1)) + 10.0


def _spectrum_and_three(random: np.random.Generator, n: int) -> Array:
    return np.hstack([_spectrum(random, n), random.normal(size=(n, 3))])


@cache
def _muons() -> Array:
    with uproot.open(ROOT / "xml_fixtures/data/fakerate.root") as file:
        trees = [file[name].arrays(["pt", "ht"], library="np") for name in ("pass", "fail")]
    return np.concatenate([np.column_stack([tree["pt"], tree["ht"]]) for tree in trees]).astype(np.float64)


@cache
def _fake_rate() -> TMVA.Model:
    return TMVA.load(ROOT / "xml_fixtures/cases/fakerate_bnn/weights.xml")


def _drawn_muons(random: np.random.Generator, n: int) -> Array:
    # the same muons again, moved by up to 2%, so that no two are equal
    chosen = _muons()[random.integers(len(_muons()), size=n)]
    return np.asarray(chosen * random.uniform(0.98, 1.02, size=chosen.shape))


PROBLEMS = {
    "sine": Problem(
        "1-D: P = 0.5 + 0.4 sin(2x) exp(-x²/8), x normal",
        _normal(1),
        lambda x: 0.5 + 0.4 * np.sin(2.0 * x[:, 0]) * np.exp(-(x[:, 0] ** 2) / 8.0),
    ),
    "turn-on": Problem(
        "1-D: turn-on from 0.0001 to 0.95 at 35 GeV, falling spectrum",
        _spectrum,
        lambda x: 1e-4 + 0.9499 * sigmoid((x[:, 0] - 35.0) / 3.0),
    ),
    "rate": Problem(
        "1-D: rate of 1 to 4%, x uniform",
        lambda random, n: random.uniform(size=(n, 1)),
        lambda x: 0.025 + 0.015 * np.sin(5.0 * x[:, 0]),
    ),
    "interaction": Problem(
        "2-D: logit P = 0.3 + 1.2 x₁x₂ + 0.5 sin(2x₁)",
        _normal(2),
        lambda x: sigmoid(0.3 + 1.2 * x[:, 0] * x[:, 1] + 0.5 * np.sin(2.0 * x[:, 0])),
    ),
    "near one": Problem(
        "3-D: logit P = 3 + 0.8 x₁ - 0.5 x₂² + 0.4 x₂x₃",
        _normal(3),
        lambda x: sigmoid(3.0 + 0.8 * x[:, 0] - 0.5 * x[:, 1] ** 2 + 0.4 * x[:, 1] * x[:, 2]),
    ),
    "weights": Problem(
        "4-D: turn-on that moves with x₂, event weights 0.3 and 5",
        _spectrum_and_three,
        lambda x: 0.9 * sigmoid((x[:, 0] - 30.0 - 4.0 * x[:, 1]) / 4.0) * sigmoid(1.5 + 0.5 * x[:, 2]),
        lambda random, x: np.where(random.uniform(size=len(x)) < 0.5, 0.3, 5.0),
    ),
    "fake rate": Problem(
        "2-D: the fake rate of the paper's example, as TMVA has fitted it",
        _drawn_muons,
        lambda x: np.asarray(_fake_rate().predict(x), dtype=np.float64),
    ),
}

SET_ASIDE = {
    "bump": Problem(
        "1-D: P = 0.1 + 0.5 exp(-2x²), x uniform",
        lambda random, n: random.uniform(-3.0, 3.0, size=(n, 1)),
        lambda x: 0.1 + 0.5 * np.exp(-2.0 * x[:, 0] ** 2),
    ),
    "straight": Problem("1-D: logit P = -1 + 1.5x, x normal", _normal(1), lambda x: sigmoid(-1.0 + 1.5 * x[:, 0])),
    "step": Problem(
        "2-D: a step along a parabola, from 0.05 to 0.9",
        lambda random, n: random.uniform(-2.0, 2.0, size=(n, 2)),
        lambda x: 0.05 + 0.85 * sigmoid(4.0 * (x[:, 0] + x[:, 1] ** 2 - 1.0)),
    ),
}
"""Problems that no kind of error bar was chosen by."""
