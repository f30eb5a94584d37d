"""What all estimators share: parameters from a table of options, training, and the answers of scikit-learn's API."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_array, check_is_fitted, validate_data

from pytmva_bnn._typing import AnyArray, Float32Array, FloatArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.estimators.fitting import Independent, train, usable_features
from pytmva_bnn.estimators.parameters import (
    RANDOM_STATE,
    SEED,
    Parameter,
    check_names,
    description_of,
    option_text,
    parameters_of,
    seed_of,
    signature_of,
)
from pytmva_bnn.estimators.probabilities import Meaning, Probability, class_meaning_of, class_probabilities
from pytmva_bnn.methods import method_of
from pytmva_bnn.options import Option
from pytmva_bnn.tmva_types import AnalysisType

log = logging.getLogger("pytmva_bnn.estimators")

WEIGHT_CHECK = "check_sample_weight_equivalence_on_dense_data"


class TMVAEstimator(BaseEstimator):  # type: ignore[misc]
    """Base of all estimators.

    A subclass names its method: ``class BDTClassifier(TMVAClassifier, kind="BDT", n_trees=100)``, with the defaults
    that are not TMVA's.  Its parameters, signature and their description come from the method's table of options.
    """

    kind: ClassVar[str]
    parameters: ClassVar[tuple[Parameter, ...]]
    analysis: ClassVar[AnalysisType]
    independent: ClassVar[Independent] = "no"
    """Whether features may not follow from others, as covariances are inverted: of all events, or of each class."""
    failing_checks: ClassVar[Mapping[str, str]] = {WEIGHT_CHECK: "a weight of 2 is not the same as two events"}
    """What scikit-learn's ``check_estimator`` asks for and the method does not have."""
    poor_score: ClassVar[bool] = False
    """Whether it needs more events than scikit-learn's checks have."""

    def __init_subclass__(cls, kind: str = "", more: Sequence[Option] = (), **defaults: Any) -> None:
        super().__init_subclass__()
        if not kind:  # the two bases, and subclasses of users
            return
        method = method_of(kind)
        cls.kind = kind
        cls.parameters = parameters_of((*method.options_for(cls.analysis), *method.more_options, *more), defaults)

        def __init__(self: TMVAEstimator, **given: Any) -> None:  # noqa: N807
            check_names(cls.__name__, [one.name for one in cls.parameters], given)
            for one in cls.parameters:
                setattr(self, one.name, given.get(one.name, one.default))

        __init__.__signature__ = signature_of(cls.parameters)  # type: ignore[attr-defined]
        __init__.__qualname__ = f"{cls.__qualname__}.__init__"
        cls.__init__ = __init__  # type: ignore[method-assign, assignment]
        cls.__doc__ = f"{cls.__doc__}\n\n{description_of(cls.parameters)}\n"

    def set_params(self, **params: Any) -> Self:
        """Set parameters by their names."""
        check_names(type(self).__name__, self._get_param_names(), params)
        super().set_params(**params)
        return self

    def option_string(self, **changed: Any) -> str:
        """Return what BookMethod is given for the same training, with some parameters ``changed``."""
        values = {one.name: getattr(self, one.name) for one in self.parameters} | changed
        text = option_text(type(self).__name__, self.parameters, values)
        if values.get(RANDOM_STATE) is not None:
            text = f"{text}:{SEED}={seed_of(values[RANDOM_STATE])}".lstrip(":")
        return text

    def save(self, path: str | Path) -> None:
        """Write the weight file, to be read by TMVA's Reader and :func:`pytmva_bnn.load`."""
        check_is_fitted(self)
        self.model_.save(path)

    def _train(
        self,
        x: Float32Array,
        class_index: AnyArray,
        targets: Float32Array,
        weights: FloatArray,
        classes: Sequence[str],
        analysis: AnalysisType,
    ) -> None:
        if len(x) < 2:
            raise InputError(f"{type(self).__name__} needs at least two events whose weights are not 0, got {len(x)}")
        self.option_string()  # raises for values of the wrong type, before they are compared with others
        used = usable_features(x, class_index, self.independent)
        adapted = self._adapted(np.bincount(class_index).tolist(), int(used.sum()))
        options = self.option_string(**adapted, **self._changed(analysis))
        names = getattr(self, "feature_names_in_", [f"x{number}" for number in range(x.shape[1])])
        variables = [str(name) for name, is_used in zip(names, used, strict=True) if is_used]
        booked = (self.kind, type(self).__name__, options, analysis)
        self.model_ = train(x[:, used], class_index, targets, weights, variables, classes, booked)
        self.used_features_ = used
        if not used.all():
            unused = ", ".join(str(name) for name, is_used in zip(names, used, strict=True) if not is_used)
            log.warning("%s: left out because constant or a function of others: %s", type(self).__name__, unused)
        n_iter = getattr(self.model_.fitted, "n_iterations", None)
        if n_iter is not None:
            self.n_iter_ = n_iter

    def _adapted(self, n_events: Sequence[int], n_variables: int) -> dict[str, Any]:
        """Return the parameters that cannot be as they are with so few events of the classes."""
        del n_events, n_variables
        return {}

    def _changed(self, analysis: AnalysisType) -> dict[str, Any]:
        """Return the parameters that have no place in an analysis, with values that have none."""
        del analysis
        return {}

    def _inputs(self, X: Any) -> Float32Array:  # noqa: N803 - scikit-learn's name
        """Return the events as ``model_`` takes them."""
        check_is_fitted(self)
        x: Float32Array = validate_data(self, X, dtype=np.float32, reset=False)
        return x[:, self.used_features_]

    def _responses(self, X: Any) -> FloatArray:  # noqa: N803
        x = self._inputs(X)
        return np.asarray(self.model_.predict(x), dtype=np.float64)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")


class TMVAClassifier(ClassifierMixin, TMVAEstimator):  # type: ignore[misc]
    """Base of the classifiers; the second class is TMVA's signal."""

    analysis = AnalysisType.CLASSIFICATION
    meaning: ClassVar[Meaning] = "calibrated"
    probability_: Probability | None

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:  # noqa: N803
        """Train on all events ``X`` (n_events, n_variables) of the classes ``y``; their weights are TMVA's."""
        x, y = validate_data(self, X, y, dtype=np.float32, ensure_min_samples=2)
        check_classification_targets(y)
        weights = _event_weights(sample_weight, x)
        x, y, weights = (values[weights != 0.0] for values in (x, y, weights))
        self.classes_, index = np.unique(y, return_inverse=True)
        n_classes = len(self.classes_)
        if n_classes < 2:
            raise InputError(
                f"{type(self).__name__} needs events of at least two classes, but there is {n_classes} class"
            )
        nothing = np.empty((len(x), 0), dtype=np.float32)
        if n_classes == 2:
            classes: Sequence[str] = ("Signal", "Background")
            self._train(x, 1 - index, nothing, weights, classes, AnalysisType.CLASSIFICATION)
            inputs = x[:, self.used_features_]
            self.probability_ = Probability.fit(self.model_, self.meaning, inputs, index == 1, weights)
            return self
        if not self._is_multiclass():
            raise InputError(
                f"Only binary classification is supported. The type of the target is multiclass: {type(self).__name__} "
                f"with these parameters cannot tell {n_classes} classes apart"
            )
        classes = [str(label) for label in self.classes_]
        self._train(x, index, nothing, weights, classes, AnalysisType.MULTICLASS)
        self.probability_ = None
        return self

    def predict_proba(self, X: Any) -> FloatArray:  # noqa: N803
        """Return the probabilities of the classes, ``(n_events, n_classes)``."""
        response = self._responses(X)
        if self.probability_ is None:
            return class_probabilities(response, class_meaning_of(self.model_))
        p = self.probability_.of(response)
        return np.column_stack([1.0 - p, p])

    def decision_function(self, X: Any) -> FloatArray:  # noqa: N803
        """Return TMVA's response, shifted so that the second class is the more probable one above 0.

        Calibrated responses are log-odds; with more than two classes these are TMVA's class values.
        """
        response = self._responses(X)
        return response if self.probability_ is None else self.probability_.decision(response)

    def predict(self, X: Any) -> AnyArray:  # noqa: N803
        """Return the most probable class of each event."""
        best = np.argmax(self.predict_proba(X), axis=1)
        labels: AnyArray = self.classes_[best]
        return labels

    def _is_multiclass(self) -> bool:
        return AnalysisType.MULTICLASS in method_of(self.kind).analyses

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = self._is_multiclass()
        tags.classifier_tags.poor_score = self.poor_score
        return tags


class TMVARegressor(RegressorMixin, TMVAEstimator):  # type: ignore[misc]
    """Base of the regressors."""

    analysis = AnalysisType.REGRESSION
    several_targets: ClassVar[bool] = False

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:  # noqa: N803
        """Train on all events ``X`` (n_events, n_variables) with the targets ``y``; their weights are TMVA's."""
        x, y = validate_data(
            self, X, y, dtype=np.float32, ensure_min_samples=2, y_numeric=True, multi_output=self.several_targets
        )
        weights = _event_weights(sample_weight, x)
        self._is_flat = y.ndim == 1
        with np.errstate(over="ignore"):  # what overflows float32 raises an error
            targets = check_array(y.reshape(len(y), -1), dtype=np.float32, input_name="y")
        x, targets, weights = (values[weights != 0.0] for values in (x, targets, weights))
        self._train(x, np.zeros(len(x), np.int32), targets, weights, ("Regression",), AnalysisType.REGRESSION)
        return self

    def predict(self, X: Any) -> FloatArray:  # noqa: N803
        """Return the targets, ``(n_events,)`` or ``(n_events, n_targets)`` as in the training."""
        return self._shaped(self._responses(X))

    def _shaped(self, values: FloatArray) -> FloatArray:
        return values[:, 0] if self._is_flat else values

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = self.several_targets
        tags.regressor_tags.poor_score = self.poor_score
        return tags


def _event_weights(sample_weight: Any, x: Float32Array) -> FloatArray:
    # TMVA: weights are read in float32
    weights: FloatArray = _check_sample_weight(sample_weight, x, dtype=np.float32).astype(np.float64)
    return weights
