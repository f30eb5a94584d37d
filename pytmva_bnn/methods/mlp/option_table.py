"""The options of the MLP as data, and the sizes of the hidden layers that one of them gives."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from itertools import pairwise

from pytmva_bnn.errors import OptionError
from pytmva_bnn.memory import check_memory
from pytmva_bnn.options import METHOD_BASE_OPTIONS, Option, OptionType
from pytmva_bnn.options.conversion import c_atoi

LOGGER = logging.getLogger("pytmva_bnn.options")

BOOL, INT, FLOAT = OptionType.BOOL, OptionType.INT, OptionType.FLOAT
DOUBLE, STRING = OptionType.DOUBLE, OptionType.STRING

# fmt: off
ANN_OPTIONS: tuple[Option, ...] = (
    Option("NCycles", INT, 500, "number of training epochs"),
    Option("HiddenLayers", STRING, "N,N-1", "neurons of the hidden layers (N: number of variables)"),
    # TMVA: case-sensitive and without predefined values here; checked when the network is built
    Option("NeuronType", STRING, "sigmoid",
           "activation of the hidden neurons: linear, sigmoid, tanh, ReLU or radial (case-sensitive)"),
    Option("RandomSeed", INT, 1, "seed of the initial weights (0: different in each run)"),
    # TMVA: the activations were registered with EstimatorType instead of NeuronType, so a token 'tanh' alone
    # is accepted and sets EstimatorType, which is overwritten at booking: it has no effect
    Option("EstimatorType", STRING, "MSE",
           "MSE (mean square) or CE (cross entropy); booking replaces it: CE for classification, else MSE",
           ("MSE", "CE", "linear", "sigmoid", "tanh", "ReLU", "radial")),
    Option("NeuronInputType", STRING, "sum", "how a neuron combines its inputs", ("sum", "sqsum", "abssum")),
)

MLP_OPTIONS: tuple[Option, ...] = (
    Option("TrainingMethod", STRING, "BP",
           "back-propagation (BP), genetic algorithm (GA) or BFGS", ("BP", "GA", "BFGS")),
    Option("LearningRate", DOUBLE, 0.02, "learning rate of back-propagation"),
    Option("DecayRate", DOUBLE, 0.01, "decay of the learning rate"),
    Option("TestRate", INT, 10, "epochs between tests for overtraining"),
    Option("EpochMonitoring", BOOL, False, "store monitoring histograms of the epochs"),
    Option("Sampling", FLOAT, 1.0, "fraction of the events that is sampled for an epoch"),
    Option("SamplingEpoch", FLOAT, 1.0, "fraction of the epochs in which events are sampled"),
    Option("SamplingImportance", FLOAT, 1.0, "factor on the sampling weights after an epoch"),
    Option("SamplingTraining", BOOL, True, "sample the training set"),
    Option("SamplingTesting", BOOL, False, "sample the test set"),
    Option("ResetStep", INT, 50, "epochs between resets of the BFGS history"),
    Option("Tau", DOUBLE, 3.0, "step factor of the line search of BFGS"),
    Option("BPMode", STRING, "sequential", "update the weights after each event or batch",
           ("sequential", "batch")),
    Option("BatchSize", INT, -1, "events in a batch (-1 or out of range: all)"),
    Option("ConvergenceImprove", FLOAT, 1e-30, "smallest change that counts as an improvement (< 0: no test)"),
    Option("ConvergenceTests", INT, -1, "steps without improvement after which the training ends (< 0: no test)"),
    Option("UseRegulator", BOOL, False, "Bayesian regulator against overtraining"),
    Option("UpdateLimit", INT, 10000, "maximum number of updates of the regulator"),
    Option("CalculateErrors", BOOL, False, "compute the inverse Hessian, for errors on the output"),
    Option("WeightRange", FLOAT, 1.0,
           "fraction of the summed weight that enters the estimator, small deviations first"),
)
# fmt: on

#: in the order of the weight file: the constructor of the network's class declares its own options first
MLP_METHOD_OPTIONS: tuple[Option, ...] = ANN_OPTIONS + METHOD_BASE_OPTIONS + MLP_OPTIONS

EXTRA_OPTIONS = (
    Option(
        "Hessian",
        OptionType.STRING,
        "TMVA",
        "matrix behind the error bars: TMVA's; that of the posterior (regulators, noise variances, weights scaled to "
        "the effective number of events); the sandwich, from the scatter of the events; as published, with unscaled "
        "weights; the likelihood, without regulators; the posterior in quadrature with the bias of the regulators; or "
        "the posterior times a factor from refitted toys",
        ("TMVA", "Posterior", "Sandwich", "Paper", "Likelihood", "Bias", "Calibrated"),
    ),
    Option("CalibrationToys", OptionType.INT, 15, "toys that Hessian=Calibrated fits"),
    Option("CalibrationWorkers", OptionType.INT, 1, "processes that fit these toys (0: one per core)"),
    Option(
        "HessianPerOutput", OptionType.BOOL, False, "store one matrix for each output neuron, not only for the first"
    ),
    Option(
        "Multiclass",
        OptionType.STRING,
        "TMVA",
        "cost of several classes: TMVA's (squares of the outputs), or the cross entropy of their softmax, which "
        "yields probabilities with regulators and error bars",
        ("TMVA", "Softmax"),
    ),
    Option(
        "Checkpoint",
        OptionType.STRING,
        "",
        "file:N saves the state of the training every N epochs and resumes from it",
    ),
    Option("CheckpointEpochs", OptionType.INT, 10, "epochs between checkpoints, the N of Checkpoint=file:N"),
)
"""Beyond TMVA; they never appear in the options of a weight file, which TMVA would refuse to read."""

_PLAIN = re.compile(r"[Nn]|[Nn][+-][0-9]{1,18}|[0-9]{1,18}")


def check_hidden_layers(text: str, owner: str, n_inputs: int = 0) -> None:
    """Raise OptionError where a layer is not written as a number of neurons, or has none; 0 inputs: not known.

    TMVA: makes layers without neurons of what it does not understand, so that the network is constant.

    >>> check_hidden_layers("N+5,1e3", "MLP")
    Traceback (most recent call last):
    pytmva_bnn.errors.OptionError: MLP: HiddenLayers=N+5,1e3: the layer '1e3' is not of the form 7, N, N+5 or N-1
    """
    pieces = text.split(",")
    for piece in pieces if pieces[-1] else pieces[:-1]:
        if not _PLAIN.fullmatch(piece):
            raise OptionError(f"{owner}: HiddenLayers={text}: the layer {piece!r} is not of the form 7, N, N+5 or N-1")
        is_relative = piece[0] in "Nn"
        if (n_inputs or not is_relative) and is_relative * n_inputs + int(piece.lstrip("Nn") or 0) < 1:
            known = f" with {n_inputs} variable{'s' * (n_inputs > 1)}" if is_relative else ""
            raise OptionError(
                f"{owner}: HiddenLayers={text}: the layer {piece!r} has no neurons{known}; choose for example N+5"
            )


def check_network_size(text: str, sizes: Sequence[int], n_matrices: int, owner: str) -> None:
    """Raise if a network does not fit into memory, with matrices of the square of the number of weights."""
    n_weights = sum((before + 1) * after for before, after in pairwise(sizes))
    what = f"{owner}: HiddenLayers={text}: training a network of {n_weights} weights"
    check_memory(8.0 * (3 * n_weights + n_matrices * n_weights**2), what, "choose smaller layers")


def hidden_layer_sizes(text: str, n_inputs: int) -> tuple[int, ...]:
    """Return the number of neurons of each hidden layer, bias neurons not counted.

    A WARNING is logged where a piece is not of the form ``7``, ``N``, ``N+5`` or ``N-1``, and where a layer
    is left with its bias neuron only.
    """
    pieces = text.split(",")
    # TMVA: nothing follows the last comma, but an empty piece elsewhere is a layer of size 0
    if not pieces[-1]:
        pieces.pop()
    return tuple(_size(piece, n_inputs) for piece in pieces)


def _size(piece: str, n_inputs: int) -> int:
    relative = piece[:1] in ("N", "n")
    # TMVA: atoi ignores what it cannot read (N*2 is N, 2N is 2) and needs no sign (N5 is N+5)
    size = max((n_inputs if relative else 0) + c_atoi(piece[relative:]), 0)
    if size == 0 or not _PLAIN.fullmatch(piece):
        LOGGER.warning("HiddenLayers: the layer '%s' was read as %d neurons", piece, size)
    return size
