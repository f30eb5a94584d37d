"""The options that ``pytmva-bnn train`` adds to those given: TMVA's defaults are those of 2005.

``tools/defaults`` compares what they reach with methods tuned by hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.methods import method_of
from pytmva_bnn.methods.booking import Booking
from pytmva_bnn.options import OptionSet, split_tokens, with_choice
from pytmva_bnn.tmva_types import AnalysisType


class Default(NamedTuple):
    """Options that belong together: the others are for who leaves the first open, or has given its value.

    ``if_open``: only for who leaves it open.
    """

    options: str
    not_for: str = ""
    if_open: bool = False


_TANH_BFGS = "TrainingMethod=BFGS:NeuronType=tanh"

DEFAULTS: Mapping[str, tuple[Default, ...]] = {
    # who chooses the training of a network knows what it needs
    "MLP": (
        Default(f"{_TANH_BFGS}:NCycles=500:UseRegulator", not_for=AnalysisType.MULTICLASS, if_open=True),
        Default(f"{_TANH_BFGS}:NCycles=150", if_open=True),
    ),
    "BDT": (
        Default("NTrees=400"),
        Default("MaxDepth=3"),
        Default("nCuts=60"),
        Default("BoostType=Grad:Shrinkage=0.05:UseBaggedBoost:BaggedSampleFraction=0.5:MinNodeSize=2.5%"),
        Default("BoostType=AdaBoost:AdaBoostBeta=0.2"),
    ),
    "SVM": (Default("VarTransform=N"),),
}

NETWORKS: Mapping[str, int] = {"N+5": 3, "N+3,N": 12, "N+5,N": 12}
"""Hidden layers of a network, and with how many random seeds they are tried: one layer, or two where the evidence of
the events is for them.  The more layers, the more different minima there are in which a training may end."""
FINALISTS = 3
"""Of more networks, so many are trained to the end: those with the highest evidence after a short training."""
SHORT_CYCLES = 150

_SQUEEZED = 0.2
"""A variable whose central 90% of events fill less of its range has tails that leave VarTransform=N no room."""
_CONTINUOUS = 100
"""So many values, else it is a number or a flag, of which no Gaussian can be made."""


def with_defaults(kind: str, options: str, analysis: AnalysisType, n_variables: int, title: str = "") -> str:
    """Return an option string with the defaults of the method for what it leaves open; OptionError if it is wrong.

    >>> with_defaults("BDT", "NTrees=50:BoostType=AdaBoost", AnalysisType.CLASSIFICATION, 2)
    'MaxDepth=3:nCuts=60:AdaBoostBeta=0.2:NTrees=50:BoostType=AdaBoost'
    """
    given = _parsed(kind, options, analysis, n_variables, title)
    added: list[str] = []
    decided: set[str] = set()
    for default in DEFAULTS.get(kind, ()):
        tokens = [one.partition("=") for one in split_tokens(default.options)]
        first, _, value = tokens[0]
        other = given.is_set(first) and (default.if_open or str(given[first]) != value)
        if other or first in decided or default.not_for == analysis:
            continue
        decided.add(first)
        added += ["".join(token) for token in tokens if not given.is_set(token[0])]
    return ":".join([*added, *split_tokens(options)])


def open_choices(
    kind: str, options: str, analysis: AnalysisType, variables: NDArray[np.float32]
) -> list[list[dict[str, object]]]:
    """Return what is left open in the options of a network: lists of choices, to be decided one after the other.

    ``variables`` are those of the training events.  Where there is no evidence to decide, there is only one choice.
    """
    if kind != "MLP":
        return []
    given = _parsed(kind, options, analysis, variables.shape[1])
    # what must become Gaussian before it is normalised: no neuron can tell events apart within a thousandth of a range
    tails = [f"_V{k}_" for k, column in enumerate(variables.T) if _is_squeezed(column)]
    transformations = ["N", f"G({','.join(tails)}),N"] if tails else ["N"]
    steps: list[list[dict[str, object]]] = [
        [{"VarTransform": one} for one in transformations],
        [{"HiddenLayers": layers, "RandomSeed": k + 1} for layers, n in NETWORKS.items() for k in range(n)],
    ]
    left: list[list[dict[str, object]]] = []
    for step in steps:
        choices = [{name: value for name, value in one.items() if not given.is_set(name)} for one in step]
        different = [one for k, one in enumerate(choices) if one and one not in choices[:k]]
        left.append(different if given.flag("UseRegulator") else different[:1])
    return [step for step in left if step]


def shortened(kind: str, options: str, analysis: AnalysisType) -> str:
    """Return the options of a network with so few cycles that many can be tried; nothing if they are few anyway."""
    is_long = _parsed(kind, options, analysis, 1).integer("NCycles") > SHORT_CYCLES
    return with_choice(options, {"NCycles": SHORT_CYCLES}) if is_long else ""


def _parsed(kind: str, options: str, analysis: AnalysisType, n_variables: int, title: str = "") -> OptionSet:
    return Booking.parse(method_of(kind), options, analysis, title or kind, n_variables).options


def _is_squeezed(column: NDArray[np.float32]) -> bool:
    if np.unique(column).size <= _CONTINUOUS:
        return False
    low, high = np.quantile(column, [0.05, 0.95])
    return bool(high - low < _SQUEEZED * (column.max() - column.min()))
