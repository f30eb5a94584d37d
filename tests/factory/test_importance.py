"""EvaluateImportance: what the ROC integral loses without a variable."""

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import InputError
from pytmva_bnn.factory.importance import importances, with_variables
from pytmva_bnn.tmva_types import VIType

ROC = {(): 0.5, (0,): 0.75, (1,): 0.625, (2,): 0.5, (0, 1): 0.875, (0, 2): 0.75, (1, 2): 0.6875, (0, 1, 2): 0.9375}


@pytest.mark.parametrize(
    ("kind", "expected", "n_trainings"),
    [
        (VIType.kShort, [0.9375 - 0.6875, 0.9375 - 0.75, 0.9375 - 0.875], 4),
        (VIType.kAll, [0.25 + 0.25 + 0.25 + 0.25, 0.125 + 0.125 + 0.1875 + 0.1875, 0.0 + 0.0 + 0.0625 + 0.0625], 7),
    ],
)
def test_the_importance_is_what_a_variable_adds(kind, expected, n_trainings):
    trained = []

    def roc_integral(numbers):
        trained.append(tuple(numbers))
        return ROC[trained[-1]]

    assert importances(3, roc_integral, kind).tolist() == expected
    assert len(trained) == len(set(trained)) == n_trainings


def test_a_single_variable_is_compared_with_no_knowledge():
    assert importances(1, lambda _: 0.75, VIType.kShort).tolist() == [0.25]


@pytest.mark.parametrize(("kind", "n", "problem"), [(VIType.kRandom, 12, "kShort or kAll"), (VIType.kAll, 21, "2.21")])
def test_what_would_be_random_or_never_end_is_refused(kind, n, problem):
    with pytest.raises(InputError, match=problem):
        importances(n, lambda _: 0.5, kind)


@pytest.fixture
def loader():
    rng = np.random.default_rng(2)
    loader = TMVA.DataLoader("dataset")
    for name in ("weak", "strong", "noise"):
        loader.AddVariable(name)
    for place, add in ((0.0, loader.AddSignalTree), (1.0, loader.AddBackgroundTree)):
        events = {
            "weak": rng.normal(place, 2.0, 400),
            "strong": rng.normal(place, 0.5, 400),
            "noise": rng.normal(size=400),
        }
        add({**events, "w": np.full(400, 2.0)})
    loader.SetWeightExpression("w")
    loader.PrepareTrainingAndTestTree("weak < 5", "nTrain_Signal=150:SplitMode=Block")
    return loader


def test_the_factory_trains_with_the_variables_of_each_subset(loader, caplog):
    factory = TMVA.Factory("job", "Silent:!DrawProgressBar:AnalysisType=Classification")
    with caplog.at_level("INFO"):
        found = factory.EvaluateImportance(loader, TMVA.VIType.kShort, TMVA.Types.kFisher, "Fisher", "!V")
    assert list(found) == ["strong", "weak", "noise"]
    assert found["strong"] > 80.0
    assert sum(found.values()) == pytest.approx(100.0)
    assert [record.getMessage() for record in caplog.records][-4:-2] == [
        "--- Variable Importance Results (Short)",
        f"--- strong = {found['strong']:g} %",
    ]
    assert not factory.methods


def test_a_subset_has_the_events_cuts_and_weights_of_the_whole(loader):
    part = with_variables(loader.description, [0, 2])
    assert part.name == "0" * 29 + "101"
    np.testing.assert_array_equal(part.training.variables, loader.training.variables[:, [0, 2]])
    np.testing.assert_array_equal(part.training.weights, loader.training.weights)
