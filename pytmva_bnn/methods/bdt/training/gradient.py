"""Gradient boosting: residuals of all events are the targets of the next tree."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import AnyIntArray, BoolArray, Float32Array, FloatArray
from pytmva_bnn.methods.bdt import c_library
from pytmva_bnn.methods.bdt.forest import Forest
from pytmva_bnn.methods.bdt.response import leaf_numbers
from pytmva_bnn.methods.bdt.training.event_list import EventList
from pytmva_bnn.methods.bdt.training.grown import GrownTree
from pytmva_bnn.methods.bdt.training.sample import BoostSample
from pytmva_bnn.methods.bdt.training.settings import BDTSettings
from pytmva_bnn.reductions.summation import sequential_sum

_LEAST_CURVATURE = 1e-30
#: multiplications that take as long as the residual of an event
_RESIDUAL = 100.0


class Gradient(ABC):
    """The state of gradient boosting: what the forest says so far, and the targets of the next tree."""

    def __init__(self, sample: BoostSample, settings: BDTSettings) -> None:
        self.sample = sample
        self.settings = settings
        self.offset = 0.0

    @abstractmethod
    def targets(self) -> Float32Array:
        """Return the targets that the next tree is grown on."""

    def is_signal(self, tree: int) -> BoolArray:
        """Return which events are signal for a tree."""
        del tree
        return self.sample.is_signal

    @abstractmethod
    def boost(self, grown: GrownTree, events: EventList, tree: int) -> None:
        """Set the responses of the leaves, and take them into account."""

    def _leaves(self, grown: GrownTree, events: EventList) -> AnyIntArray:
        """Return the leaf of every event of the sample."""
        if events.events is None:
            return grown.leaf
        forest = Forest.of([grown.finished(self.sample.inputs.shape[1])], [1.0])
        return leaf_numbers(forest, self.sample.inputs)[:, 0]

    @abstractmethod
    def state(self) -> dict[str, FloatArray | Float32Array]:
        """Return the arrays from which the boosting can go on."""

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what :meth:`state` has given."""
        for name, values in state.items():
            setattr(self, name, values if values.ndim else float(values))


def _newton_steps(grown: GrownTree, events: EventList, targets: Float32Array, factor: float, n_classes: int) -> None:
    """Set the responses of the leaves to a Newton step each."""
    if events.compiled:
        from pytmva_bnn.methods.bdt.training.kernels import boost_kernels as kernels  # lazy: numba

        s1, s2 = np.zeros(len(grown)), np.zeros(len(grown))
        sample = events.sample
        kernels.newton_sums(targets, sample.event_weights, sample.boost_weights, events.numbers, grown.leaf, s1, s2)
    else:
        t, weights = events.of(targets).astype(np.float64), events.weights
        absolute = np.abs(t)
        s1, s2 = (
            np.bincount(grown.leaf, terms, len(grown)).astype(np.float64)
            for terms in (t * weights, absolute * (1.0 - absolute) * weights)
        )
    leaves = np.flatnonzero(grown.right == 0)
    step = factor * (n_classes - 1) / n_classes * s1[leaves] / np.maximum(s2[leaves], _LEAST_CURVATURE)
    grown.response[leaves] = step.astype(np.float32)


class TwoClasses(Gradient):
    """Classification: F is half of the logarithm of the ratio of probabilities."""

    def __init__(self, sample: BoostSample, settings: BDTSettings) -> None:
        super().__init__(sample, settings)
        self.f = np.zeros(len(sample))
        self.t = np.where(sample.is_signal, 0.5, -0.5).astype(np.float32)

    def targets(self) -> Float32Array:
        """Return true minus predicted probability."""
        return self.t

    def boost(self, grown: GrownTree, events: EventList, tree: int) -> None:
        """Set leaves, and update F and targets."""
        del tree
        _newton_steps(grown, events, self.t, self.settings.shrinkage, 2)
        leaves = self._leaves(grown, events)
        if events.compiled:
            self._compiled_update(leaves, grown.response)
            return
        self.f += grown.response[leaves]
        p = 1.0 / (1.0 + c_library.exp(-2.0 * self.f))
        self.t = np.where(self.sample.is_signal, 1.0 - p, -p).astype(np.float32)

    def _compiled_update(self, leaves: AnyIntArray, response: Float32Array) -> None:
        from pytmva_bnn.fast.threads import in_parts
        from pytmva_bnn.methods.bdt.training.kernels import boost_kernels as kernels  # lazy: numba

        def part(first: int, last: int) -> None:
            kernels.two_class_residuals(self.f, leaves, response, self.sample.is_signal, self.t, first, last)

        in_parts(part, len(self.f), 1024, len(self.f) * _RESIDUAL)

    def state(self) -> dict[str, FloatArray | Float32Array]:
        """Return F and targets."""
        return {"f": self.f, "t": self.t}


class SeveralClasses(Gradient):
    """Multiclass: one F a class, probabilities by softmax."""

    def __init__(self, sample: BoostSample, settings: BDTSettings, n_classes: int) -> None:
        super().__init__(sample, settings)
        self.n_classes = n_classes
        self.own = sample.class_index[:, np.newaxis] == np.arange(n_classes)
        self.f = np.zeros((len(sample), n_classes))
        self.t = np.where(self.own, 1.0 - 1.0 / n_classes, -1.0 / n_classes).astype(np.float32)

    def targets(self) -> Float32Array:
        """Return the targets of class 0."""
        # TMVA: the trees of all classes are grown on the targets of the first; only leaf values use their own
        return np.ascontiguousarray(self.t[:, 0])

    def is_signal(self, tree: int) -> BoolArray:
        """Return the events of the tree's class."""
        return np.ascontiguousarray(self.own[:, tree % self.n_classes])

    def boost(self, grown: GrownTree, events: EventList, tree: int) -> None:
        """Set leaves and update F; after the last class of a round the targets too."""
        own = tree % self.n_classes
        _newton_steps(grown, events, np.ascontiguousarray(self.t[:, own]), self.settings.shrinkage, self.n_classes)
        self.f[:, own] += grown.response[self._leaves(grown, events)]
        if own == self.n_classes - 1:
            powers = c_library.exp(self.f)
            with np.errstate(invalid="ignore"):  # infinite powers
                p = powers / sequential_sum(powers, axis=1)[:, np.newaxis]
            self.t = np.where(self.own, 1.0 - p, -p).astype(np.float32)

    def state(self) -> dict[str, FloatArray | Float32Array]:
        """Return F and targets."""
        return {"f": self.f, "t": self.t}


class RegressionLoss(Gradient):
    """Regression with a Huber, absolute or quadratic loss."""

    def __init__(self, sample: BoostSample, settings: BDTSettings, first: EventList) -> None:
        super().__init__(sample, settings)
        self.truth = sample.targets.astype(np.float64)
        self.weights = sample.weights
        self.f = np.zeros(len(sample))
        self.delta = 0.0
        self.t = sample.targets.copy()  # TMVA: what an event has that was in no list so far
        self.offset = self._start()
        self.f += self.offset
        self._renew(first)

    def targets(self) -> Float32Array:
        """Return the residuals, cut off as the loss says."""
        return self.t

    def _start(self) -> float:
        # TMVA: the list of events begins with as many empty records
        n = len(self.sample)
        residuals = np.concatenate([np.zeros(n), self.truth - self.f])
        weights = np.concatenate([np.zeros(n), self.weights])
        return self._centre(residuals, weights)

    def _centre(self, residuals: FloatArray, weights: FloatArray) -> float:
        loss = self.settings.regression_loss
        total = float(sequential_sum(weights))
        if loss == "leastsquares":
            return float(sequential_sum(weights * residuals)) / total
        return quantile(residuals, weights, 0.5, total, to_end=loss == "absolutedeviation")

    def _renew(self, events: EventList) -> None:
        """Renew the targets of the events of a list."""
        seen = slice(None) if events.events is None else events.events
        residuals = (self.truth - self.f)[seen]
        loss = self.settings.regression_loss
        if loss == "absolutedeviation":
            new = np.where(residuals < 0.0, -1.0, 1.0)
        elif loss == "leastsquares":
            new = residuals
        else:
            size, weights = np.abs(residuals), events.weights
            self.delta = quantile(size, weights, self.settings.huber_quantile, float(sequential_sum(weights)))
            if self.delta == 0.0 and size.any():
                self.delta = float(size[size > 0.0].min())
            new = np.where(size <= self.delta, residuals, np.where(residuals < 0.0, -self.delta, self.delta))
        self.t[seen] = new.astype(np.float32)

    def _leaf_value(self, residuals: FloatArray, weights: FloatArray) -> float:
        centre = self._centre(residuals, weights)
        if self.settings.regression_loss != "huber":
            return centre
        distance = np.sort(residuals, kind="stable") - centre
        # TMVA: every event counts the same here, whatever its weight
        terms = (1.0 / len(distance)) * np.where(distance < 0.0, -1.0, 1.0) * np.minimum(self.delta, np.abs(distance))
        return centre + float(sequential_sum(terms))

    def boost(self, grown: GrownTree, events: EventList, tree: int) -> None:
        """Set leaves, and update predictions and targets."""
        del tree
        residuals, weights = events.of(self.truth - self.f), events.of(self.weights)
        order = np.argsort(grown.leaf, kind="stable")
        leaves, starts = np.unique(grown.leaf[order], return_index=True)
        for leaf, own in zip(leaves, np.split(order, starts[1:]), strict=True):
            value = self._leaf_value(residuals[own], weights[own])
            grown.response[leaf] = np.float32(self.settings.shrinkage * value)
        self.f += grown.response[self._leaves(grown, events)]
        self._renew(events)

    def state(self) -> dict[str, FloatArray | Float32Array]:
        """Return predictions, targets and the numbers that go with them."""
        return {"f": self.f, "t": self.t, "delta": np.array(self.delta), "offset": np.array(self.offset)}


def quantile(values: FloatArray, weights: FloatArray, q: float, total: float, *, to_end: bool = False) -> float:
    """Return TMVA's weighted quantile: the value after the one that crosses it.

    With ``to_end`` the search may run out of values, which gives 0.
    """
    order = np.argsort(values, kind="stable")
    n = len(values)
    sums = np.cumsum(weights[order])
    last = n if to_end else n - 1
    limit = total * q
    if q == 0.0 or not limit >= 0.0:
        position = 0
    else:
        above = sums > limit
        position = min(int(np.argmax(above)) + 1 if above.any() else n, last)
    if position >= n:
        return 0.0
    return float(values[order[position]])
