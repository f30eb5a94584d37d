"""The Bayesian neural network: estimators whose predictions have error bars."""

from __future__ import annotations

from typing import Any

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.estimators.estimator import TMVAClassifier, TMVARegressor
from pytmva_bnn.tmva_types import AnalysisType

ONE_SIGMA = 0.6826894921370859
#: more neurons than most functions need, and error bars that cover: see docs/uncertainty.md
_DEFAULTS = {
    "hidden_layers": 16,
    "neuron_type": "tanh",
    "var_transform": "N",
    "training_method": "BFGS",
    "use_regulator": True,
    "calculate_errors": True,
    "hessian": "Bias",
}


class BNNClassifier(TMVAClassifier, kind="MLP", multiclass="Softmax", **_DEFAULTS):
    """TMVA's MLP with Bayesian regulators: the probability of the second class, with error bars.

    The response is the probability, as the network minimises the cross entropy.  More than two classes have a softmax;
    ``multiclass="TMVA"`` is TMVA's own training of them, with squares and without error bars.
    """

    multiclass: str

    def _changed(self, analysis: AnalysisType) -> dict[str, Any]:
        if analysis == AnalysisType.CLASSIFICATION:
            return {"multiclass": "TMVA"}
        is_softmax = str(self.multiclass).lower() == "softmax"
        return {} if is_softmax else {"calculate_errors": False, "hessian": "TMVA"}

    def predict_proba_std(self, X: Any) -> FloatArray:  # noqa: N803
        """Return the standard deviations of the probabilities: half the length of TMVA's error bars."""
        x = self._inputs(X)
        errors = self.model_.predict(x, errors=True)
        half = (errors.lower + errors.upper) / 2.0
        return np.column_stack([half, half]) if half.ndim == 1 else half

    def predict_interval(self, X: Any, level: float = ONE_SIGMA) -> FloatArray:  # noqa: N803
        """Return the ends ``(n_events, 2)`` of the central interval of the second class's probability.

        With more than two classes there is one for each, ``(n_events, n_classes, 2)``.
        """
        x = self._inputs(X)
        return self.model_.predict(x, quantiles=_ends(level))


class BNNRegressor(TMVARegressor, kind="MLP", hessian_per_output=True, **_DEFAULTS):
    """TMVA's MLP with Bayesian regulators: a regression function with error bars.

    These are of the function that is fitted; the scatter of the targets around it is not in them.
    """

    several_targets = True

    def predict(self, X: Any, return_std: bool = False) -> Any:  # noqa: N803
        """Return the targets, with ``return_std`` also their standard deviations."""
        if not return_std:
            return super().predict(X)
        x = self._inputs(X)
        found = self.model_.predict(x, errors=True)
        values, half = np.asarray(found.value, dtype=np.float64), (found.lower + found.upper) / 2.0
        return self._shaped(values), self._shaped(half)

    def predict_interval(self, X: Any, level: float = ONE_SIGMA) -> FloatArray:  # noqa: N803
        """Return the ends of the central interval of each target, one more axis of length 2."""
        x = self._inputs(X)
        return self._shaped(self.model_.predict(x, quantiles=_ends(level)))


def _ends(level: float) -> tuple[float, float]:
    if not 0.0 < level < 1.0:
        raise InputError(f"level={level}: the level of an interval must be between 0 and 1, e.g. 0.68")
    return (1.0 - level) / 2.0, (1.0 + level) / 2.0
