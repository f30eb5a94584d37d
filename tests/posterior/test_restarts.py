"""Trainings from several seeds: which is chosen, and what their mixture predicts."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

import pytmva_bnn as TMVA
from pytmva_bnn.errors import ErrorsNotAvailableError, InputError, OptionError
from pytmva_bnn.methods.training_errors import TrainingError
from pytmva_bnn.posterior import Mixture, candidates
from pytmva_bnn.posterior.architecture import Architecture, ArchitectureChoice
from pytmva_bnn.posterior.candidates import Choice
from pytmva_bnn.posterior.mixture import mixture_quantile
from pytmva_bnn.posterior.restarts import Restart, Restarts

OPTIONS = "NCycles=30:HiddenLayers=2:VarTransform=N:NeuronType=tanh:ResetStep=5"


@pytest.fixture(scope="module")
def loader():
    random = np.random.default_rng(3)
    x = random.normal(size=300).astype(np.float32)
    passed = random.uniform(size=x.size) < 1 / (1 + np.exp(-x))
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    loader.AddSignalTree({"x": x[passed]})
    loader.AddBackgroundTree({"x": x[~passed]})
    loader.PrepareTrainingAndTestTree("", "SplitMode=Block:NormMode=None:!V")
    return loader


@pytest.fixture(scope="module")
def restarts(loader):
    return TMVA.train_restarts(loader, OPTIONS, 3, quiet=True)


def test_each_restart_is_the_training_of_its_seed(loader, restarts):
    assert [one.seed for one in restarts] == [1, 2, 3]
    factory = TMVA.Factory("job", "Silent:!ModelPersistence:AnalysisType=Classification")
    more = "TrainingMethod=BFGS:UseRegulator:Hessian=Posterior:CalculateErrors"
    method = factory.BookMethod(loader, "MLP", "MLP", f"{OPTIONS}:{more}:RandomSeed=2")
    factory.TrainAllMethods()
    found = restarts.candidates[1].method
    assert (found.model.network.flat_weights() == method.model.network.flat_weights()).all()
    assert found.evidence.log_evidence == method.evidence.log_evidence
    assert found.convergence == method.convergence
    assert found.dataset is method.dataset


def test_seeds_can_be_given(loader, restarts):
    found = TMVA.train_restarts(loader, OPTIONS, seeds=[3], quiet=True)
    assert found.best.seed == 3
    assert found.best.log_evidence == restarts.candidates[2].log_evidence


def test_processes_give_the_same_networks(loader, restarts):
    found = TMVA.train_restarts(loader, OPTIONS, 2, quiet=True, executor="processes:1")
    for one, other in zip(found, restarts, strict=False):
        assert (one.model.network.flat_weights() == other.model.network.flat_weights()).all()
        assert one.log_evidence == other.log_evidence
        assert one.method.respond().test.tolist() == other.method.respond().test.tolist()


def test_the_best_has_a_weight_file_of_tmva(restarts, tmp_path):
    restarts.best.model.save(tmp_path / "best.weights.xml")
    again = TMVA.load(tmp_path / "best.weights.xml")
    points = {"x": [0.0, 1.0]}
    assert again.predict(points) == pytest.approx(restarts.best.model.predict(points), rel=1e-6)
    assert again.has_errors


def test_the_table_has_a_line_for_each(restarts):
    head, *lines = str(restarts).splitlines()
    assert head.split() == ["RandomSeed", "log", "evidence", "weights", "effective", "training", "test", "convergence"]
    for line, one in zip(lines, restarts, strict=True):
        result = one.method.result
        numbers = [one.log_evidence, 7, one.n_effective, result.training_estimator, result.test_estimator]
        assert line.split()[0] == str(one.seed)
        assert [float(word) for word in line.split()[1:6]] == pytest.approx(numbers, abs=0.06)
        assert ("not converged" in line) == (not one.is_converged)
        assert line.endswith("<-- best") == (one is restarts.best)


def stub(kind, label, evidence, converged):
    verdict, found = SimpleNamespace(is_converged=converged), SimpleNamespace(log_evidence=evidence)
    return kind(
        label, SimpleNamespace(evidence=found, convergence=verdict, model=SimpleNamespace(title=f"MLP {label}"))
    )


@pytest.mark.parametrize(("kind", "of"), [(Restarts, Restart), (ArchitectureChoice, Architecture)])
def test_what_has_not_converged_is_chosen_only_if_nothing_has(kind, of):
    given = [stub(of, "1", -5.0, True), stub(of, "2", -1.0, False), stub(of, "3", -3.0, True)]
    choice: Choice = kind(tuple(given))
    assert choice.best is given[2]
    assert repr(choice) == f"<{kind.__name__}: best 3 of 1, 2, 3>"
    assert repr(choice.mixture) == "<Mixture of 2 networks: MLP 1, MLP 3>"
    lost = kind(tuple(stub(of, name, value, False) for name, value in (("1", -5.0), ("2", np.nan), ("3", -6.0))))
    assert lost.best.label == "1"
    assert len(lost.mixture.models) == len(lost) == 3


def test_a_training_that_diverges_is_left_out(loader, monkeypatch, caplog):
    real = candidates.train_method

    def train(dataset, title, *rest, **more):
        if title in failing:
            raise TrainingError("weights have become infinite", epoch=3)
        return real(dataset, title, *rest, **more)

    monkeypatch.setattr(candidates, "train_method", train)
    failing = {"MLP 1"}
    assert [one.seed for one in TMVA.train_restarts(loader, OPTIONS, 2, quiet=True)] == [2]
    assert "MLP 1 is left out" in caplog.text
    failing = {"MLP 1", "MLP 2"}
    with pytest.raises(TrainingError, match="infinite"):
        TMVA.train_restarts(loader, OPTIONS, 2, quiet=True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"options": "RandomSeed=3"}, "RandomSeed is varied by train_restarts; leave it out"),
        ({"restarts": 0}, "at least one training"),
        ({"seeds": [1, 0]}, "positive and different"),
        ({"seeds": [2, 2]}, "positive and different"),
    ],
)
def test_what_cannot_be_restarted_is_said(loader, arguments, message):
    with pytest.raises(OptionError, match=message):
        TMVA.train_restarts(loader, **arguments)


# ---- the mixture --------------------------------------------------------------------------------------------


def test_the_mixture_of_one_network_is_that_network(restarts):
    model, points = restarts.best.model, {"x": np.linspace(-2, 2, 5)}
    found = Mixture((model,)).predict(points, errors=True, quantiles=[0.1, 0.9])
    expected = model.predict(points, errors=True, quantiles=[0.1, 0.9])
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9)
    assert tuple(Mixture((model,)).predict_sum(points)) == pytest.approx(tuple(model.predict_sum(points)))


def test_the_mixture_is_the_mean_of_the_networks_distributions(restarts):
    models = tuple(one.model for one in restarts)
    mixture, points = Mixture(models), {"x": [0.3]}
    found = mixture.predict(points, errors=True, quantiles=[0.3])
    assert found.value == pytest.approx(np.mean([model.predict(points) for model in models], axis=0))
    random = np.random.default_rng(1)
    logit = np.array(
        [np.log(q / (1 - q)) for q in (model.predict(points, quantiles=[0.5, 0.8413447]) for model in models)]
    )
    draws = random.normal(logit[:, 0, 0], logit[:, 0, 1] - logit[:, 0, 0], size=(40000, 3)).ravel()
    levels = np.quantile(1 / (1 + np.exp(-draws)), [0.158655, 0.841345, 0.3])
    assert [found.low[0], found.high[0], found.quantiles[0, 0]] == pytest.approx(levels, abs=0.002)
    assert mixture.predict(points, quantiles=[0.3]) == pytest.approx(found.quantiles)
    sums = np.array([tuple(model.predict_sum(points)) for model in models])
    value, error = mixture.predict_sum(points)
    assert value == pytest.approx(sums[:, 0].mean())
    assert error**2 == pytest.approx(np.mean(sums[:, 1] ** 2) + sums[:, 0].var())


def test_quantiles_of_gaussians_that_differ_are_where_half_of_them_say():
    means, deviations = np.array([[-1.0, 0.0], [2.0, 0.0]]), np.array([[0.5, 1.0], [1.5, 3.0]])
    for level in (0.01, 0.4, 0.9):
        found = mixture_quantile(means, deviations, level)
        assert stats.norm(means, deviations).cdf(found).mean(axis=0) == pytest.approx([level, level], abs=1e-12)


def test_an_event_with_nan_has_no_prediction(restarts):
    for part in restarts.mixture.predict({"x": [np.nan, 0.0]}, errors=True, quantiles=[0.5]):
        assert np.isnan(part[0])
        assert np.isfinite(part[1])


def test_a_mixture_of_regressions_has_bands_in_the_units_of_the_target():
    random = np.random.default_rng(4)
    x = random.normal(size=200).astype(np.float32)
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    loader.AddTarget("y")
    loader.AddRegressionTree({"x": x, "y": 100 * np.sin(x) + 10 * random.normal(size=x.size)})
    loader.PrepareTrainingAndTestTree("", "SplitMode=Block:!V")
    found = TMVA.train_restarts(loader, OPTIONS, 2, quiet=True)
    value, lower, upper, middle = found.mixture.predict({"x": [0.0, 1.0]}, errors=True, quantiles=[0.5])
    models = [one.model.predict({"x": [0.0, 1.0]}, errors=True) for one in found.eligible]
    assert value.shape == lower.shape == upper.shape == (2, 1)
    assert middle.shape == (2, 1, 1)
    assert value == pytest.approx(np.mean([one.value for one in models], axis=0))
    assert (value - lower).min() >= min(one.low.min() for one in models) - 1e-3
    assert (value + upper).max() <= max(one.high.max() for one in models) + 1e-3
    assert (lower + upper > 1).all()
    assert found.mixture.predict_sum({"x": [0.0, 1.0]}).value == pytest.approx(value.sum(), rel=1e-5)


def test_without_error_bars_there_is_a_mean_only():
    mixture = Mixture((TMVA.load("xml_fixtures/cases/bfgs_n/weights.xml"),) * 2)
    assert mixture.predict(np.zeros((3, 4))).shape == (3,)
    with pytest.raises(ErrorsNotAvailableError, match="CalculateErrors"):
        mixture.predict(np.zeros((3, 4)), errors=True)


def test_several_responses_have_no_sum():
    several = TMVA.load("xml_fixtures/cases/multi_n/weights.xml")
    with pytest.raises(InputError, match="with one response"):
        Mixture((several,)).predict_sum(np.zeros((1, len(several.variables))))


def test_a_mixture_of_nothing_is_refused():
    with pytest.raises(InputError, match="at least one network"):
        Mixture(())
