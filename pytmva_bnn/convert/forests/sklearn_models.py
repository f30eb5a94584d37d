"""Fitted forests of scikit-learn; nothing of it is imported here.

Events go left if x <= threshold, a float64, with x rounded to float32 (not in HistGradientBoosting).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.convert.forests.foreign import (
    CLASSES,
    IN_FLOAT32,
    IN_FLOAT64,
    LOGARITHM,
    MEANS,
    PREDICTION,
    PROBABILITY,
    PURITY,
    VOTE,
    ForeignForest,
    ForeignTree,
    Form,
    Splitting,
    not_possible,
)
from pytmva_bnn.convert.scalers import SCALERS, scaler_steps
from pytmva_bnn.errors import InputError

#: exp of it is 0 in float32
_NO_PROBABILITY = -104.0


def sklearn_forest(model: Any) -> ForeignForest:
    """Return what a fitted estimator holds."""
    names = [parent.__name__ for parent in type(model).__mro__]
    reader = next((READERS[name] for name in names if name in READERS), None)
    if reader is None:
        hint = "; give its best_estimator_" if hasattr(model, "best_estimator_") else ""
        raise InputError(
            f"scikit-learn's {type(model).__name__} cannot be written as a forest of TMVA{hint}; supported: "
            f"{', '.join(sorted(READERS))}"
        )
    try:
        forest = reader(model)
    except AttributeError as error:
        raise InputError(f"{origin_of(model)}: not fitted, or from an unsupported release ({error})") from error
    return replace(
        forest,
        feature_names=tuple(map(str, getattr(model, "feature_names_in_", ()))),
        class_names=class_names_of(model),
    )


def origin_of(model: Any) -> str:
    """Return the name of the library and of the class."""
    return f"scikit-learn's {type(model).__name__}"


def class_names_of(model: Any) -> tuple[str, ...]:
    """Return the names of the classes, if they are names and not numbers."""
    classes = getattr(model, "classes_", ())
    return tuple(map(str, classes)) if all(isinstance(one, str) for one in classes) else ()


def scaled(pipeline: Any, read: Callable[[Any], ForeignForest]) -> ForeignForest:
    """Return the forest at the end of a Pipeline; the scaling of variables before it goes into the cuts."""
    scalers = scaler_steps(pipeline)
    for scaler in scalers:
        if type(scaler).__name__ not in SCALERS:
            raise InputError(
                f"a Pipeline with {type(scaler).__name__}: only {', '.join(SCALERS)} can be absorbed into the cuts of "
                "a forest; train it on the output of this step, and use that output as variables"
            )
    forest = read(pipeline.steps[-1][1])
    if not scalers:
        return forest

    def scaling(x: FloatArray) -> FloatArray:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # the arrays here have no names of features
            for scaler in scalers:
                x = scaler.transform(x)
        return np.asarray(x, dtype=np.float64)

    names = tuple(map(str, getattr(scalers[0], "feature_names_in_", ())))
    return replace(forest, scaling=scaling, feature_names=names or forest.feature_names, ranges=None)


# ---- gradient boosting


def _gradient_boosting(model: Any) -> ForeignForest:
    origin = origin_of(model)
    if not (model.init is None or isinstance(model.init, str)):
        raise InputError(f"{origin}: the initial estimator init={model.init} is not part of the trees; use init=None")
    is_classifier = hasattr(model, "classes_")
    # the exponential loss has p = 1/(1 + exp(-2 raw))
    factor = 2.0 if is_classifier and model.loss == "exponential" else 1.0
    stages = model.estimators_
    trees = [_tree(tree.tree_, tree.tree_.value[:, 0, 0] * (model.learning_rate * factor)) for tree in stages.ravel()]
    # what the trees do not say of an event: no public attribute holds it
    event = np.zeros((1, model.n_features_in_), dtype=np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the event has no names of features
        raw = np.ravel(model.decision_function(event) if is_classifier else model.predict(event))
    sums = [sum(model.learning_rate * tree.tree_.predict(event).item() for tree in column) for column in stages.T]
    offsets = (raw - np.array(sums)) * factor
    return _boosted(origin, trees, offsets, model.n_features_in_, IN_FLOAT32, is_classifier=is_classifier)


def _hist_gradient_boosting(model: Any) -> ForeignForest:
    origin = origin_of(model)
    if model.is_categorical_ is not None and np.any(model.is_categorical_):
        numbers = ", ".join(map(str, np.flatnonzero(model.is_categorical_)))
        raise not_possible(origin, f"categorical features (number {numbers})")
    rounds = model._predictors
    trees = [_hist_tree(predictor.nodes) for stage in rounds for predictor in stage]
    offsets = np.ravel(model._baseline_prediction)
    is_classifier = hasattr(model, "classes_")
    is_log = not is_classifier and model.loss in ("poisson", "gamma")
    return _boosted(
        origin, trees, offsets, model.n_features_in_, IN_FLOAT64, is_classifier=is_classifier, is_log=is_log
    )


def _boosted(
    origin: str,
    trees: list[ForeignTree],
    offsets: FloatArray,
    n_features: int,
    splitting: Splitting,
    *,
    is_classifier: bool,
    is_log: bool = False,
) -> ForeignForest:
    if len(offsets) > 1:
        return ForeignForest(
            origin, "softmax", trees, n_features, splitting, CLASSES, n_classes=len(offsets), offsets=offsets.tolist()
        )
    form: Form = "logistic" if is_classifier else "sum"
    meaning = PROBABILITY if is_classifier else LOGARITHM if is_log else PREDICTION
    return ForeignForest(origin, form, trees, n_features, splitting, meaning, offsets=offsets.tolist())


# ---- single trees and means of them


def _trees(model: Any) -> ForeignForest:
    origin = origin_of(model)
    if model.n_outputs_ != 1:
        raise not_possible(origin, f"{model.n_outputs_} outputs", "train one model for each")
    estimators = getattr(model, "estimators_", [model])
    n_features = model.n_features_in_
    if not hasattr(model, "classes_"):
        trees = [_tree(tree.tree_, tree.tree_.value[:, 0, 0]) for tree in estimators]
        return ForeignForest(origin, "average", trees, n_features, IN_FLOAT32, PREDICTION)
    n_classes = _class_count(model)
    fractions = [_fractions(_contents(tree)) for tree in estimators]
    if n_classes == 2:
        trees = [_tree(tree.tree_, part[:, 1]) for tree, part in zip(estimators, fractions, strict=True)]
        return ForeignForest(origin, "purity", trees, n_features, IN_FLOAT32, PURITY)
    meaning = MEANS
    if len(estimators) == 1:  # the logarithm of a mean is not a mean of logarithms
        with np.errstate(divide="ignore"):
            fractions = [np.maximum(np.log(fractions[0]), _NO_PROBABILITY)]
        meaning = CLASSES
    trees = [
        _tree(tree.tree_, part[:, c] / len(estimators))
        for tree, part in zip(estimators, fractions, strict=True)
        for c in range(n_classes)
    ]
    offsets = (0.0,) * n_classes
    return ForeignForest(
        origin, "softmax", trees, n_features, IN_FLOAT32, meaning, n_classes=n_classes, offsets=offsets
    )


def _ada_boost(model: Any) -> ForeignForest:
    origin = origin_of(model)
    if getattr(model, "algorithm", "SAMME") == "SAMME.R":
        raise InputError(f"{origin}: algorithm='SAMME.R' is not supported; train it with algorithm='SAMME'")
    n_classes = _class_count(model)
    weights = [float(weight) for _, weight in zip(model.estimators_, model.estimator_weights_, strict=False)]
    for tree in model.estimators_:
        if not hasattr(tree, "tree_"):
            raise InputError(f"{origin}: it boosts {type(tree).__name__}; only decision trees can be written")
    votes = [_contents(tree) for tree in model.estimators_]
    n_features = model.n_features_in_
    if n_classes == 2:
        trees = [_tree(tree.tree_, _called(part)) for tree, part in zip(model.estimators_, votes, strict=True)]
        return ForeignForest(origin, "vote", trees, n_features, IN_FLOAT32, VOTE, weights=weights)
    total = float(np.sum(model.estimator_weights_)) * (n_classes - 1)
    trees = [
        _tree(tree.tree_, np.where(part.argmax(axis=1) == c, 1.0, -1.0 / (n_classes - 1)) * (weight / total))
        for tree, part, weight in zip(model.estimators_, votes, weights, strict=True)
        for c in range(n_classes)
    ]
    offsets = (0.0,) * n_classes
    return ForeignForest(
        origin, "softmax", trees, n_features, IN_FLOAT32, CLASSES, n_classes=n_classes, offsets=offsets
    )


def _ada_boost_regressor(model: Any) -> ForeignForest:
    raise not_possible(
        origin_of(model),
        "the response is the weighted median of the trees",
        "TMVA's AdaBoostR2 is the mean of a third of them around the median",
    )


# ---- nodes


def _tree(tree: Any, value: FloatArray) -> ForeignTree:
    # a leaf has the feature -2
    return ForeignTree(tree.feature, tree.threshold, tree.children_left, tree.children_right, np.asarray(value))


def _hist_tree(nodes: Any) -> ForeignTree:
    is_leaf = nodes["is_leaf"].astype(bool)
    left, right = (np.where(is_leaf, -1, nodes[side].astype(np.int64)) for side in ("left", "right"))
    return ForeignTree(nodes["feature_idx"], nodes["num_threshold"], left, right, nodes["value"])


def _class_count(model: Any) -> int:
    if len(model.classes_) < 2:
        raise InputError(f"{origin_of(model)}: it was trained with only one class")
    return len(model.classes_)


def _contents(estimator: Any) -> FloatArray:
    """Return the fractions of the classes in every node, in old releases sums of weights."""
    contents: FloatArray = estimator.tree_.value[:, 0, :]
    return contents


def _fractions(contents: FloatArray) -> FloatArray:
    total = contents.sum(axis=1, keepdims=True)
    fractions: FloatArray = np.divide(contents, total, out=np.zeros_like(contents), where=total > 0.0)
    return fractions


def _called(contents: FloatArray) -> FloatArray:
    """Return the fractions of signal, above 0.5 exactly where there is more signal than background."""
    fractions = _fractions(contents)[:, 1]
    is_signal = contents[:, 1] > contents[:, 0]
    return np.where(is_signal, np.maximum(fractions, np.nextafter(0.5, 1.0)), np.minimum(fractions, 0.5))


READERS: Mapping[str, Callable[[Any], ForeignForest]] = MappingProxyType(
    {
        "GradientBoostingClassifier": _gradient_boosting,
        "GradientBoostingRegressor": _gradient_boosting,
        "HistGradientBoostingClassifier": _hist_gradient_boosting,
        "HistGradientBoostingRegressor": _hist_gradient_boosting,
        "AdaBoostClassifier": _ada_boost,
        "AdaBoostRegressor": _ada_boost_regressor,
        **{
            f"{name}{what}": _trees
            for name in ("RandomForest", "ExtraTrees", "DecisionTree", "ExtraTree")
            for what in ("Classifier", "Regressor")
        },
    }
)
