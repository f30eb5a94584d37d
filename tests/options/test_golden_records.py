"""The records of an option string are those that the real TMVA (ROOT 6.40.00) wrote to its weight file."""

from __future__ import annotations

import pytest

from pytmva_bnn.methods.mlp.option_table import MLP_METHOD_OPTIONS
from pytmva_bnn.options import OptionRecord, OptionSet

# one line an <Option>: name, modified, value
BNN_020 = """\
NCycles Yes 20
HiddenLayers Yes N+5
NeuronType Yes tanh
RandomSeed No 1
EstimatorType Yes CE
NeuronInputType No sum
V Yes False
VerbosityLevel No Default
VarTransform Yes N
H Yes True
CreateMVAPdfs No False
IgnoreNegWeightsInTraining No False
TrainingMethod Yes BFGS
LearningRate No 2.000000e-02
DecayRate No 1.000000e-02
TestRate Yes 5
EpochMonitoring No False
Sampling No 1.000000e+00
SamplingEpoch No 1.000000e+00
SamplingImportance No 1.000000e+00
SamplingTraining No True
SamplingTesting No False
ResetStep No 50
Tau No 3.000000e+00
BPMode No sequential
BatchSize No -1
ConvergenceImprove No 1.000000e-30
ConvergenceTests No -1
UseRegulator Yes True
UpdateLimit No 10000
CalculateErrors Yes True
WeightRange No 1.000000e+00
"""

BP_BATCH = """\
NCycles Yes 40
HiddenLayers Yes 6
NeuronType Yes tanh
RandomSeed No 1
EstimatorType No CE
NeuronInputType No sum
V Yes False
VerbosityLevel No Default
VarTransform Yes N
H Yes True
CreateMVAPdfs No False
IgnoreNegWeightsInTraining No False
TrainingMethod No BP
LearningRate Yes 2.000000e-01
DecayRate No 1.000000e-02
TestRate No 10
EpochMonitoring No False
Sampling No 1.000000e+00
SamplingEpoch No 1.000000e+00
SamplingImportance No 1.000000e+00
SamplingTraining No True
SamplingTesting No False
ResetStep No 50
Tau No 3.000000e+00
BPMode Yes batch
BatchSize Yes 100
ConvergenceImprove No 1.000000e-30
ConvergenceTests No -1
UseRegulator No False
UpdateLimit No 10000
CalculateErrors No False
WeightRange No 1.000000e+00
"""

REG_NONE = """\
NCycles Yes 30
HiddenLayers Yes 8
NeuronType Yes tanh
RandomSeed No 1
EstimatorType No MSE
NeuronInputType No sum
V Yes False
VerbosityLevel No Default
VarTransform Yes None
H Yes True
CreateMVAPdfs No False
IgnoreNegWeightsInTraining No False
TrainingMethod Yes BFGS
LearningRate No 2.000000e-02
DecayRate No 1.000000e-02
TestRate No 10
EpochMonitoring No False
Sampling No 1.000000e+00
SamplingEpoch No 1.000000e+00
SamplingImportance No 1.000000e+00
SamplingTraining No True
SamplingTesting No False
ResetStep No 50
Tau No 3.000000e+00
BPMode No sequential
BatchSize No -1
ConvergenceImprove No 1.000000e-30
ConvergenceTests No -1
UseRegulator No False
UpdateLimit No 10000
CalculateErrors Yes True
WeightRange No 1.000000e+00
"""

CASES = [
    pytest.param(
        "H:!V:NeuronType=tanh:TrainingMethod=BFGS:VarTransform=N:NCycles=20:HiddenLayers=N+5:TestRate=5:"
        "EstimatorType=CE:UseRegulator=True:CalculateErrors=True",
        "CE",
        BNN_020,
        id="classification with the regulator",
    ),
    pytest.param(
        "H:!V:NCycles=40:HiddenLayers=6:NeuronType=tanh:BPMode=batch:BatchSize=100:LearningRate=0.2:VarTransform=N",
        "CE",
        BP_BATCH,
        id="back-propagation in batches",
    ),
    pytest.param(
        "H:!V:NeuronType=tanh:TrainingMethod=BFGS:VarTransform=None:NCycles=30:HiddenLayers=8:CalculateErrors",
        "MSE",
        REG_NONE,
        id="regression",
    ),
]


def records_of(listed: str) -> list[OptionRecord]:
    rows = [line.split() for line in listed.splitlines()]
    return [OptionRecord(name, value, modified == "Yes") for name, modified, value in rows]


@pytest.mark.parametrize(("text", "estimator", "listed"), CASES)
def test_records_are_those_of_tmva(text: str, estimator: str, listed: str) -> None:
    options = OptionSet(MLP_METHOD_OPTIONS, owner="MLP")
    options.parse(text)
    options.check_unused()
    options.set_value("EstimatorType", estimator)  # as booking does
    assert options.records() == records_of(listed)


@pytest.mark.parametrize(("text", "estimator", "listed"), CASES)
def test_records_of_tmva_are_read(text: str, estimator: str, listed: str) -> None:
    options = OptionSet(MLP_METHOD_OPTIONS, owner="MLP")
    options.parse_records(records_of(listed))
    options.check_unused()
    assert [record.value for record in options.records()] == [record.value for record in records_of(listed)]
    assert all(options.is_set(name) for name in options)
