"""A forest of another library, in the one form to which all of them are brought before a weight file is made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pytmva_bnn._typing import BoolArray, FloatArray, IndexArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.tmva_types import AnalysisType

Form = Literal["logistic", "softmax", "sum", "purity", "average", "vote"]
"""How the trees become a response.

``logistic``: 2/(1 + exp(-m)) - 1 of the sum m of the leaves; ``softmax`` of the sums of each class, trees of class c at
c, c + K, ...; ``sum`` of the leaves (regression); ``purity``: mean of the signal fractions in the leaves; ``average``:
mean of the leaves (regression); ``vote``: weighted mean of 1 for leaves with a value above 0.5 and -1 for the others.
"""

ANALYSES: dict[Form, AnalysisType] = {
    "logistic": AnalysisType.CLASSIFICATION,
    "softmax": AnalysisType.MULTICLASS,
    "sum": AnalysisType.REGRESSION,
    "purity": AnalysisType.CLASSIFICATION,
    "average": AnalysisType.REGRESSION,
    "vote": AnalysisType.CLASSIFICATION,
}


@dataclass(frozen=True, eq=False)
class ForeignTree:
    """The nodes of a tree in any order, the root first; ``left`` and ``right`` are -1 for a leaf."""

    feature: IndexArray
    threshold: FloatArray
    left: IndexArray
    right: IndexArray
    value: FloatArray

    def __post_init__(self) -> None:
        """Raise a ValueError if this is no tree."""
        n_nodes = len(self.value)
        if n_nodes == 0 or any(len(part) != n_nodes for part in (self.feature, self.threshold, self.left, self.right)):
            raise ValueError("a tree without nodes, or with lists of different lengths")
        inner = self.is_inner
        daughters = np.concatenate([self.left[inner], self.right[inner]])
        if (daughters <= 0).any() or (daughters >= n_nodes).any() or (self.right[~inner] >= 0).any():
            raise ValueError("a node has a daughter that does not exist")
        if len(np.unique(daughters)) != len(daughters):
            raise ValueError("a node has two parents")
        if not np.isfinite(self.value[~inner]).all() or np.isnan(self.threshold[inner]).any():
            raise ValueError("a leaf or a threshold is not a number")

    @property
    def is_inner(self) -> BoolArray:
        """Return which nodes have daughters."""
        return np.asarray(self.left >= 0)

    @classmethod
    def leaf(cls, value: float) -> ForeignTree:
        """Return the tree that says the same of all events."""
        nowhere = np.array([-1])
        return cls(np.array([0]), np.zeros(1), nowhere, nowhere, np.array([value], dtype=np.float64))


@dataclass(frozen=True)
class Splitting:
    """When an event goes left: if ``x < threshold``, with ``or_equal`` if ``x <= threshold``.

    ``rounds``: the library itself rounds x to float32 first.
    """

    or_equal: bool
    rounds: bool


IN_FLOAT32 = Splitting(or_equal=True, rounds=True)
IN_FLOAT64 = Splitting(or_equal=True, rounds=False)

# what the response is, for the weight file
PROBABILITY = "2p-1 of the probability p of the signal class"
PURITY = "probability of the signal class"
VOTE = "half of the decision function d; the probability of the signal class is 1/(1+exp(-d))"
CLASSES = "probability of each class"
PREDICTION = "prediction"
LOGARITHM = "logarithm of the prediction"
MEANS = "q_c with the probability ln(q_c) + (1 - sum ln(q))/K of each of the K classes"


@dataclass(frozen=True, eq=False)
class ForeignForest:
    """A forest with all that is known of it.

    ``meaning`` says what the response will be.  ``offsets`` are added to the sums of the trees, one for each class in
    multiclass.  ``weights`` are those of the trees, by default 1.  ``ranges`` (n_features, 2) are those of the training
    events, if they are known.  ``scaling`` transforms the events (n_events, n_features) before the trees see them, each
    variable by a function of it alone that does not fall.
    """

    origin: str
    form: Form
    trees: Sequence[ForeignTree]
    n_features: int
    splitting: Splitting
    meaning: str
    n_classes: int = 1
    offsets: Sequence[float] = (0.0,)
    weights: Sequence[float] | None = None
    feature_names: tuple[str, ...] = ()
    class_names: tuple[str, ...] = ()
    title: str = "BDT"
    target: str = "target"
    ranges: FloatArray | None = None
    scaling: Callable[[FloatArray], FloatArray] | None = None

    n_targets: int = 1

    @property
    def analysis(self) -> AnalysisType:
        """Return what the weight file is for."""
        return ANALYSES[self.form]


def not_possible(origin: str, feature: str, instead: str = "") -> InputError:
    """Return the error for a feature that TMVA's forests do not have."""
    return InputError(f"{origin}: {feature}, which TMVA's forests do not have" + (f"; {instead}" if instead else ""))
