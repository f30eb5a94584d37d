"""The multilayer perceptron as a method: its options, reading and training."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, cast

from pytmva_bnn.errors import InputError, WeightFileError
from pytmva_bnn.methods.mlp.fitted import FittedMLP
from pytmva_bnn.methods.mlp.network import activation
from pytmva_bnn.methods.mlp.network.layout import NeuronInput
from pytmva_bnn.methods.mlp.option_table import EXTRA_OPTIONS, MLP_METHOD_OPTIONS, check_hidden_layers
from pytmva_bnn.methods.mlp.text39 import read_text_matrices
from pytmva_bnn.methods.mlp.xml import HessianRows, read_error_factor, read_inverse_hessians, read_matrices
from pytmva_bnn.methods.protocol import Method, Reading, TrainingJob
from pytmva_bnn.options import Option, OptionSet, OptionValue
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.weights import Section, WeightFile
from pytmva_bnn.xmlio import reading as xml

if TYPE_CHECKING:
    from pytmva_bnn._typing import FloatArray
    from pytmva_bnn.methods.mlp.settings import MLPSettings

OUTPUT_ACTIVATIONS = {"MSE": "linear", "CE": "sigmoid"}
# Ours: the outputs were trained with the cross entropy of their softmax; TMVA does not look at entries of this name
SOFTMAX_INFO = ("Multiclass", "Softmax")
FIRST_WITH_FAST_TANH = 262657  # TMVA 4.2.1


class MLP(Method):
    """TMVA's MLP."""

    kind: ClassVar[str] = "MLP"
    options: ClassVar[tuple[Option, ...]] = MLP_METHOD_OPTIONS
    more_options: ClassVar[tuple[Option, ...]] = EXTRA_OPTIONS
    records: ClassVar[tuple[type, ...]] = (FittedMLP,)

    def settings(self, options: OptionSet, title: str, analysis: AnalysisType) -> MLPSettings:
        """Check the options, and return what a training wants of them."""
        from pytmva_bnn.methods.mlp.settings import MLPSettings  # lazy: reading needs no training code

        return MLPSettings.of(options, title, analysis)

    def check_values(self, options: OptionSet, n_variables: int) -> None:
        """Check that every hidden layer has neurons; with one variable TMVA's default N,N-1 leaves one without."""
        if options.is_set("HiddenLayers"):
            check_hidden_layers(options.string("HiddenLayers"), options.owner, n_variables)

    def builds_dataset_early(self, settings: MLPSettings) -> bool:
        """Tell whether the data set is built at booking."""
        from pytmva_bnn.methods.mlp.training import BPMode

        return settings.training.bp_mode is BPMode.BATCH

    def info(self, settings: MLPSettings) -> tuple[tuple[str, str], ...]:
        """Return which Hessian is in the file, unless it is TMVA's, and whether the classes have probabilities."""
        from pytmva_bnn.methods.mlp.training import Estimator  # lazy: reading needs no training code

        kind, is_softmax = settings.training.hessian, settings.training.estimator is Estimator.SOFTMAX
        hessian = () if kind == "TMVA" else (("Hessian", kind),)
        return (*hessian, SOFTMAX_INFO) if is_softmax else hessian

    def train(self, job: TrainingJob) -> FittedMLP:
        """Train a network."""
        from pytmva_bnn.methods.mlp.training_job import train_network  # lazy: reading needs no training code

        return train_network(job)

    def stream(self) -> HessianRows:
        """Return what takes the rows of the inverse Hessian, which has the square of the number of weights."""
        return HessianRows()

    def modern_options(self, file: WeightFile) -> Mapping[str, OptionValue]:
        """Return the linear output that networks in text files were trained with."""
        return {"EstimatorType": "MSE"} if file.source == "text" else {}

    def read(self, section: Section, head: WeightFile, how: Reading) -> FittedMLP:
        """Read the network, as TMVA evaluates it."""
        options = self.option_set(head)
        hidden, output = _activations(head, options, how)
        layout_element = True
        hessians: tuple[FloatArray, ...] = ()
        factor: float | None = None
        if section.words is not None:
            matrices = read_text_matrices(section.words, head)
        else:
            weights = section.element
            layout = xml.optional_child(weights, "Layout")
            layout_element = layout is not None
            matrices = read_matrices(weights if layout is None else layout, len(head.variables))
            stream = section.stream if isinstance(section.stream, HessianRows) else HessianRows.of(weights)
            hessians = read_inverse_hessians(weights, stream.rows, matrices)
            factor = read_error_factor(weights)
        _check_outputs(head, matrices[-1].shape[1])
        fitted = FittedMLP(
            matrices,
            hidden,
            output,
            cast("NeuronInput", options.string("NeuronInputType")),
            hessians,
            rounded=section.words is None,
            is_multiclass=head.analysis_type == AnalysisType.MULTICLASS,
            layout_element=layout_element,
            is_softmax=head.analysis_type == AnalysisType.MULTICLASS and SOFTMAX_INFO in head.info,
            error_factor=factor,
            strict=how.strict,
        )
        try:
            fitted.network  # noqa: B018 - built now, so that what is wrong with it shows
        except InputError as error:
            raise WeightFileError(str(error), element="Weights") from error
        return fitted


def _activations(head: WeightFile, options: OptionSet, how: Reading) -> tuple[str, str]:
    """Return the activation functions of hidden and output neurons."""
    estimator = options.string("EstimatorType")
    if head.source == "text":
        # TMVA: since ROOT 6.04 a sigmoid is put behind networks that were trained with a linear output
        estimator = "CE" if how.strict else "MSE"
    if estimator not in OUTPUT_ACTIVATIONS:
        problem = f"EstimatorType={estimator!r} defines no output activation; it must be MSE or CE"
        raise WeightFileError(problem, element="Options")
    hidden = options.string("NeuronType")
    try:
        activation(hidden)
    except InputError as error:
        raise WeightFileError(f"NeuronType: {error}", element="Options") from error
    # TMVA: uses the exact function for older XML files; text files, older still, are overlooked
    if hidden == "tanh" and how.tanh == "fast" and (head.source == "text" or head.tmva_version >= FIRST_WITH_FAST_TANH):
        hidden = "fast tanh"
    return hidden, OUTPUT_ACTIVATIONS[estimator]


def _check_outputs(head: WeightFile, n_outputs: int) -> None:
    if head.analysis_type == AnalysisType.MULTICLASS and n_outputs < 2:
        raise WeightFileError("multiclass needs at least two output neurons", element="Layout")
    expected, what = {
        AnalysisType.CLASSIFICATION: (1, "classification has"),
        AnalysisType.REGRESSION: (len(head.targets), f"{len(head.targets)} regression targets need"),
        AnalysisType.MULTICLASS: (len(head.classes) or n_outputs, f"{len(head.classes)} classes need"),
    }[head.analysis_type]
    if n_outputs != expected:
        problem = f"the network has {n_outputs} output neurons, but {what} {expected}"
        raise WeightFileError(problem, element="Layout")
