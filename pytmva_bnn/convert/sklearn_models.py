"""Whatever scikit-learn has fitted, as a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pytmva_bnn.convert.forests.from_forest import from_forest
from pytmva_bnn.convert.networks import is_network, network_model
from pytmva_bnn.errors import InputError
from pytmva_bnn.model import Model


def from_sklearn(
    model: Any,
    variables: Sequence[str] | None = None,
    *,
    title: str | None = None,
    classes: Sequence[str] | None = None,
    target: str | Sequence[str] | None = None,
    iterations: int | None = None,
) -> Model:
    """Return a fitted estimator as a :class:`Model`, to be saved for TMVA: a network or a forest.

    Parameters
    ----------
    model
        ``MLPClassifier``, ``MLPRegressor``, or what :func:`from_forest` takes; a ``Pipeline`` of scalers before it, and
        a ``TransformedTargetRegressor`` with a scaler around a network.  Estimators of this package give their model.
    variables
        Names or expressions of the input variables in the order of the features, by default their names.
    title
        The method's title, by default ``MLP`` or ``BDT``.
    classes
        Names of the classes in the order of the model's.  With two classes the second one, of label 1, is the signal.
    target
        Name of the target of a regression, or of all its targets.
    iterations
        How many rounds of boosting count (XGBoost, LightGBM).

    Raises
    ------
    InputError
        The model has something that TMVA's methods do not have, or the names do not fit.
    """
    own = getattr(model, "model_", None)
    if isinstance(own, Model):
        if (variables, title, classes, target, iterations) != (None,) * 5:
            raise InputError(f"{type(model).__name__} takes its names from the training; train it with other names")
        return own
    last = model.steps[-1][1] if hasattr(model, "steps") else None
    if isinstance(getattr(last, "model_", None), Model):
        raise InputError(
            f"a Pipeline with {type(last).__name__}: its weight file does not contain the preceding steps; train it "
            "with var_transform instead, or save the estimator alone and use the output of the steps as variables"
        )
    if is_network(model):
        if iterations is not None:
            raise InputError("iterations= is for XGBoost and LightGBM")
        return network_model(model, variables, title, classes, target)
    return from_forest(model, variables, title=title, classes=classes, target=target, iterations=iterations)
