"""The options of DL and DNN as data."""

from __future__ import annotations

from pytmva_bnn.options import METHOD_BASE_OPTIONS, Option, OptionType

STRING, UINT = OptionType.STRING, OptionType.UINT

_LOSS = Option("ErrorStrategy", STRING, "CROSSENTROPY", "loss: CROSSENTROPY, SUMOFSQUARES or MUTUALEXCLUSIVE")
_VALIDATION = Option(
    "ValidationSize", STRING, "20%", "events for validation, the last ones of training: 20%, 0.2 or a number"
)
_ARCHITECTURE = Option("Architecture", STRING, "CPU", "TMVA's backend: STANDARD, CPU, GPU, OPENCL or CUDNN")

# fmt: off
DL_OPTIONS: tuple[Option, ...] = (
    *METHOD_BASE_OPTIONS,
    Option("InputLayout", STRING, "0|0|0", "depth, height and width of the input (0|0|0: all variables in a row)"),
    Option("BatchLayout", STRING, "0|0|0", "shape of a batch (0: derived)"),
    Option("Layout", STRING, "DENSE|(N+100)*2|SOFTSIGN,DENSE|0|LINEAR",
           "layers separated by commas: DENSE, CONV, MAXPOOL, RESHAPE, BNORM, RNN, LSTM or GRU with their fields"),
    _LOSS,
    Option("WeightInitialization", STRING, "XAVIER", "initial weights: XAVIER, XAVIERUNIFORM, GAUSS, UNIFORM, ..."),
    Option("RandomSeed", UINT, 0, "seed of the initial weights (0: different in each run)"),
    _VALIDATION,
    _ARCHITECTURE,
    Option("TrainingStrategy", STRING,
           "LearningRate=1e-3,Momentum=0.0,ConvergenceSteps=100,MaxEpochs=2000,Optimizer=ADAM,BatchSize=30,"
           "TestRepetitions=1,WeightDecay=0.0,Regularization=None,DropConfig=0.0",
           "phases of the training separated by |, their items by commas"),
)

DNN_OPTIONS: tuple[Option, ...] = (
    *METHOD_BASE_OPTIONS,
    Option("Layout", STRING, "SOFTSIGN|(N+100)*2,LINEAR", "layers separated by commas: activation|width"),
    _VALIDATION,
    _LOSS,
    Option("WeightInitialization", STRING, "XAVIER", "initial weights: XAVIER or XAVIERUNIFORM"),
    _ARCHITECTURE,
    # a file always names its own
    Option("TrainingStrategy", STRING, "", "phases of the training separated by |, their items by commas"),
)
# fmt: on
