"""Fitted networks of scikit-learn as models with weight files of TMVA; nothing of scikit-learn is imported here."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.convert.forests.foreign import CLASSES, LOGARITHM, PREDICTION
from pytmva_bnn.convert.forests.sklearn_models import class_names_of, origin_of
from pytmva_bnn.convert.names import class_names, converted_info, target_records, variable_names
from pytmva_bnn.convert.scalers import Linear, linear_of, scaler_steps
from pytmva_bnn.errors import InputError
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.methods.mlp.fitted import FittedMLP
from pytmva_bnn.methods.mlp.method import MLP, OUTPUT_ACTIVATIONS
from pytmva_bnn.model import Model
from pytmva_bnn.options import OptionSet
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.transform import Normalisation, Selection
from pytmva_bnn.weights.records import WeightFile, as_quantities

log = logging.getLogger("pytmva_bnn.convert")

NETWORKS = ("MLPClassifier", "MLPRegressor")
NEURON_TYPES = {"logistic": "sigmoid", "tanh": "tanh", "relu": "ReLU", "identity": "linear"}
PROBABILITY = "probability of the signal class"


@dataclass(frozen=True, eq=False)
class ForeignNetwork:
    """A network with all that is known of it; ``matrices`` have the biases in their last row.

    ``scaling`` is what becomes of the variables before the network sees them, None if nothing does.
    """

    origin: str
    analysis: AnalysisType
    matrices: tuple[FloatArray, ...]
    hidden: str
    meaning: str
    scaling: Linear | None = None
    feature_names: tuple[str, ...] = ()
    class_names: tuple[str, ...] = ()
    target: str = "target"

    @property
    def n_features(self) -> int:
        """Return the number of inputs."""
        return len(self.matrices[0]) - 1

    @property
    def n_outputs(self) -> int:
        """Return the number of outputs."""
        return int(self.matrices[-1].shape[1])

    n_classes = n_targets = n_outputs


def is_network(model: Any) -> bool:
    """Tell whether an estimator is a network, or a Pipeline or target transformation around one."""
    names = {parent.__name__ for parent in type(model).__mro__}
    if "Pipeline" in names:
        return is_network(model.steps[-1][1])
    if "TransformedTargetRegressor" in names:
        return is_network(getattr(model, "regressor_", model.regressor))
    return bool(names & set(NETWORKS))


def network_model(
    estimator: Any,
    variables: Sequence[str] | None = None,
    title: str | None = None,
    classes: Sequence[str] | None = None,
    target: str | Sequence[str] | None = None,
) -> Model:
    """Return the model that gives the response of the network in TMVA's terms."""
    network = read_network(estimator)
    if network.meaning == LOGARITHM:
        log.warning("%s: the response in TMVA is the logarithm of the prediction", network.origin)
    names = variable_names(network, variables)
    labels = class_names(network, classes)
    matrices, ranges = _with_ranges(network)
    records = tuple(
        VariableRecord.define(name, minimum=float(low), maximum=float(high))
        for name, low, high in zip(names, *ranges, strict=True)
    )
    estimator_type = "CE" if network.analysis == AnalysisType.CLASSIFICATION else "MSE"
    options = OptionSet(MLP().options_for(network.analysis), owner=title or MLP.kind)
    layers = ",".join(str(matrix.shape[1]) for matrix in matrices[:-1])
    options.parse(
        f"HiddenLayers={layers}:NeuronType={network.hidden}:EstimatorType={estimator_type}"
        f":VarTransform={'None' if network.scaling is None else 'N'}"
    )
    n_sets = len(labels) + 1 if len(labels) > 1 else 1  # TMVA: one for each class and one for all
    quantities = as_quantities("Variable", records)
    low, high = (np.tile(part, (n_sets, 1)) for part in ranges)
    step = Normalisation(Selection(quantities, quantities), low, high)
    file = WeightFile(
        kind=MLP.kind,
        title=title or MLP.kind,
        info=converted_info(network),
        options=tuple(options.records()),
        variables=records,
        spectators=(),
        classes=labels,
        targets=target_records(network, target),
        transformations=() if network.scaling is None else (step,),
        mva_pdfs=(),
    )
    fitted = FittedMLP(
        matrices,
        network.hidden,
        OUTPUT_ACTIVATIONS[estimator_type],
        is_multiclass=network.analysis == AnalysisType.MULTICLASS,
    )
    return Model(file, fitted)


def _with_ranges(network: ForeignNetwork) -> tuple[tuple[FloatArray, ...], tuple[Float32Array, Float32Array]]:
    """Return the weights behind a normalisation N that stands for the scaling, and its ranges.

    N subtracts before it multiplies, so that variables far from 0 lose nothing; weights with the scaling in them would
    cancel with their bias, in float32.  What N's own rounded constants make different goes into the first weights.
    """
    scaling = network.scaling
    nothing = np.zeros(network.n_features, dtype=np.float32)
    if scaling is None:
        return network.matrices, (nothing, nothing)
    inverse = scaling.inverse
    low, high = (np.asarray(inverse.offset + side * np.abs(inverse.slope), np.float32) for side in (-1.0, 1.0))
    # a range below the resolution of float32: the next number has to do
    high = np.where(high > low, high, np.nextafter(high, np.float32(np.inf)))
    factor = 2.0 * (np.float32(1) / (high - low)).astype(np.float64)
    # TMVA: y = factor (x - low) - 1, from which z is to be made
    from_y = Linear(1.0 / factor, low + 1.0 / factor).then(scaling)
    first = network.matrices[0]
    bias = first[-1] + from_y.offset @ first[:-1]
    return (np.vstack([first[:-1] * from_y.slope[:, np.newaxis], bias]), *network.matrices[1:]), (low, high)


# ---- what scikit-learn has


def read_network(model: Any) -> ForeignNetwork:
    """Return what a fitted estimator holds: a network, or one in a Pipeline or a TransformedTargetRegressor."""
    names = [parent.__name__ for parent in type(model).__mro__]
    if "TransformedTargetRegressor" in names:
        return _with_scaled_target(model)
    scalers: list[Any] = []
    if "Pipeline" in names:
        scalers, model = scaler_steps(model), model.steps[-1][1]
    network = _network(model)
    if not scalers:
        return network
    features = tuple(map(str, getattr(scalers[0], "feature_names_in_", ()))) or network.feature_names
    return replace(network, scaling=linear_of(scalers, network.n_features), feature_names=features)


def _network(model: Any) -> ForeignNetwork:
    origin = origin_of(model)
    try:
        weights = zip(model.coefs_, model.intercepts_, strict=True)
        matrices = tuple(np.vstack([matrix, bias]).astype(np.float64) for matrix, bias in weights)
        output = model.out_activation_
    except AttributeError as error:
        raise InputError(f"{origin}: not fitted, or from an unsupported release ({error})") from error
    is_classifier = hasattr(model, "classes_")
    if output == "logistic" and matrices[-1].shape[1] > 1:
        raise InputError(
            f"{origin}: an event may have several labels, which TMVA's MLP does not support; train one network per "
            "label"
        )
    known = {
        "logistic": (AnalysisType.CLASSIFICATION, PROBABILITY),
        "softmax": (AnalysisType.MULTICLASS, CLASSES),
        "identity": (AnalysisType.REGRESSION, PREDICTION),
        "exp": (AnalysisType.REGRESSION, LOGARITHM),
    }
    if output not in known or model.activation not in NEURON_TYPES:
        raise InputError(f"{origin}: TMVA's MLP has no neurons of type {model.activation}, or outputs of type {output}")
    analysis, meaning = known[output]
    return ForeignNetwork(
        origin,
        analysis,
        matrices,
        NEURON_TYPES[model.activation],
        meaning,
        feature_names=tuple(map(str, getattr(model, "feature_names_in_", ()))),
        class_names=class_names_of(model) if is_classifier else (),
    )


def _with_scaled_target(model: Any) -> ForeignNetwork:
    """Return the network with the scaling of the targets taken into its last weights, whose neurons are linear."""
    if not hasattr(model, "regressor_"):
        raise InputError(f"{origin_of(model)}: not fitted")
    network = read_network(model.regressor_)
    if network.meaning != PREDICTION or getattr(model, "transformer", None) is None:
        raise InputError(f"{origin_of(model)}: only a scaler of the targets can be absorbed into a network")
    back = linear_of([model.transformer_], network.n_outputs).inverse
    last = network.matrices[-1] * back.slope
    last[-1] += back.offset
    return replace(network, matrices=(*network.matrices[:-1], last))
