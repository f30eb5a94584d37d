"""Draws of the weights of trained networks."""

from dataclasses import replace

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import InputError, MissingDependencyError, TMVAError
from pytmva_bnn.methods.mlp.network import Network, forward
from pytmva_bnn.methods.mlp.training import Estimator, Sample
from pytmva_bnn.methods.mlp.training_job import sample_of
from pytmva_bnn.posterior import Diagnostics, HMCSettings, Hyperprior, PosteriorSamples, sample_posterior
from pytmva_bnn.posterior.chains import sample_weights
from pytmva_bnn.posterior.target import Posterior, symmetric_metric

BFGS = "TrainingMethod=BFGS:NCycles=200:HiddenLayers=3:VarTransform=N:CalculateErrors:TestRate=20"


def trained(options: str = "UseRegulator:Hessian=Posterior", analysis: str = "Classification", weight: str = "1"):
    random = np.random.default_rng(3)
    x = random.normal(size=400).astype(np.float32)
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    if analysis == "Regression":
        loader.AddTarget("y")
        loader.AddRegressionTree({"x": x, "y": np.sin(x) + 0.1 * random.normal(size=x.size)})
    else:
        passed = random.uniform(size=x.size) < 1 / (1 + np.exp(-x))
        loader.AddSignalTree({"x": x[passed]})
        loader.AddBackgroundTree({"x": x[~passed]})
        loader.SetWeightExpression(weight)
    loader.PrepareTrainingAndTestTree("", "SplitMode=Block:NormMode=None:!V")
    factory = TMVA.Factory("job", f"Silent:!ModelPersistence:AnalysisType={analysis}")
    method = factory.BookMethod(loader, "MLP", "BNN", f"{BFGS}:{options}")
    factory.TrainAllMethods()
    return method


@pytest.fixture(scope="module")
def method():
    return trained()


@pytest.fixture(scope="module")
def samples(method):
    return sample_posterior(
        method, n_samples=200, n_chains=2, n_warmup=120, n_steps=30, seed=7, hyperparameters="fixed"
    )


def linear_posterior():
    """Linear regression, whose posterior is a Gaussian: posterior, mean and covariance."""
    random = np.random.default_rng(1)
    x = random.normal(size=(60, 2)).astype(np.float32)
    t = x @ [0.7, -1.2] + 0.3 + 0.5 * random.normal(size=60)
    w = random.uniform(0.5, 2.0, size=60)
    noise, alpha = 0.25, np.array([3.0, 1.0, 0.5])
    design = np.column_stack([x, np.ones(60)]).astype(np.float64)
    hessian = (design.T * w) @ design + np.diag(alpha)
    mean = np.linalg.solve(hessian, (design.T * w) @ t)
    network = Network.from_matrices([mean[:, np.newaxis]], output="linear")
    return Posterior(network, Sample.of(x, t, w), Estimator.MSE, alpha, noise), mean, noise * np.linalg.inv(hessian)


def test_a_linear_network_gives_the_mean_and_covariance_of_ridge_regression():
    posterior, mean, covariance = linear_posterior()
    settings = HMCSettings(800, 80, n_steps=6)
    chains = [sample_weights(posterior, settings, np.random.default_rng(seed)).positions for seed in range(2)]
    errors = np.sqrt(np.diag(covariance))
    pulls = (np.stack(chains) - mean) / errors
    products = (pulls[..., :, np.newaxis] * pulls[..., np.newaxis, :]).reshape(2, 800, 9)
    for draws, expected in ((pulls, np.zeros(3)), (products, (covariance / np.outer(errors, errors)).ravel())):
        # within four standard errors of the mean, of which the correlations of the draws are a part
        error = draws.std(axis=(0, 1)) / np.sqrt(Diagnostics.of(draws).ess)
        assert np.abs(draws.mean(axis=(0, 1)) - expected).max() < 4 * error.max()
        assert error.max() < 0.1


def test_the_gradient_of_the_posterior_is_its_slope(method):
    sample = sample_of(method.trained.training, "Classification", 2)
    posterior = Posterior(method.trained.fitted.network, sample, Estimator.CE, method.evidence.regulators, 0.7)
    w = posterior.network.flat_weights() + 0.1
    _, gradient = posterior.potential(w)
    for s in range(w.size):
        step = np.zeros(w.size)
        step[s] = 1e-5
        slope = (posterior.potential(w + step)[0] - posterior.potential(w - step)[0]) / 2e-5
        assert gradient[s] == pytest.approx(slope, rel=1e-5, abs=1e-5)


def test_a_logistic_posterior_agrees_with_integration():
    """One weight and no hidden neurons: the quantiles can be had by summing over a grid."""
    random = np.random.default_rng(9)
    x = random.normal(size=(25, 1)).astype(np.float32)
    t = (random.uniform(size=25) < 1 / (1 + np.exp(-2 * x[:, 0]))).astype(float)
    network = Network.from_matrices([np.zeros((2, 1))], output="sigmoid")
    posterior = Posterior(network, Sample.of(x, t), Estimator.CE, np.array([0.3, 1e6]))
    chain = sample_weights(posterior, HMCSettings(1200, 80, n_steps=5), np.random.default_rng(1))
    grid = np.linspace(-2, 8, 2001)
    density = np.exp([-posterior.potential(np.array([w, 0.0]))[0] + 10.0 for w in grid])
    cumulative = np.cumsum(density) / density.sum()
    exact = np.interp([0.16, 0.5, 0.84], cumulative, grid)
    width = exact[2] - exact[0]
    assert np.quantile(chain.positions[:, 0], [0.16, 0.5, 0.84]) == pytest.approx(exact, abs=0.1 * width)


def test_the_same_seed_gives_the_same_draws_and_another_does_not(method):
    few = {"n_samples": 5, "n_chains": 2, "n_warmup": 8, "n_steps": 5}
    first, again, other = (sample_posterior(method, **few, seed=seed).weights for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()
    assert (first[0] != first[1]).any()


def test_chains_agree_on_the_predictions(samples):
    found = samples.diagnostics({"x": np.linspace(-2, 2, 9)})
    assert found.r_hat.max() < 1.1
    assert found.ess.min() > 30
    assert samples.n_divergent.sum() == 0
    assert samples.r_hat.shape == samples.ess.shape == (10,)
    assert (samples.acceptances > 0.5).all()


def test_bands_are_about_those_of_the_laplace_approximation(method, samples):
    points = {"x": np.linspace(-1.5, 1.5, 7)}
    found = samples.predict(points, errors=True)
    laplace = method.model.predict(points, errors=True)
    sigma = (laplace.lower + laplace.upper) / 2
    assert np.abs(found.value - laplace.value).max() < 2 * sigma.max()
    assert (found.lower + found.upper) / 2 / sigma == pytest.approx(1.0, abs=0.6)


def test_predictions_are_those_of_each_draws_network(method, samples):
    x = np.float32([[0.5], [-1.0]])
    mean = samples.predict(x)
    inputs = method.model.transformations.forward(x, None)
    networks = [method.model.network.with_flat_weights(w) for w in samples.weights.reshape(-1, 10)]
    responses = np.stack([forward(one, inputs)[:, 0] for one in networks])
    assert mean == pytest.approx(responses.mean(axis=0), rel=1e-12)
    ends = np.stack([responses.min(axis=0), responses.max(axis=0)], axis=1)
    assert samples.predict(x, quantiles=[0.0, 1.0]) == pytest.approx(ends, rel=1e-12)
    whole = samples.predict(x, errors=True, quantiles=[0.0, 1.0])
    assert whole.quantiles == pytest.approx(ends, rel=1e-12)
    low, high = np.quantile(responses, [0.158655254, 0.841344746], axis=0)
    np.testing.assert_allclose([whole.value, whole.low, whole.high], [mean, low, high], rtol=1e-7)


def test_blocks_of_events_make_no_difference(samples, monkeypatch):
    points = {"x": np.linspace(-2, 2, 50)}
    whole = samples.predict(points, errors=True, quantiles=[0.3])
    total = samples.predict_sum(points, np.arange(50.0))
    monkeypatch.setattr("pytmva_bnn.posterior.samples._BLOCK_NUMBERS", 1)
    parts = samples.predict(points, errors=True, quantiles=[0.3])
    for part, all_at_once in zip(parts, whole, strict=True):
        assert part == pytest.approx(all_at_once, rel=1e-12)
    again = samples.predict_sum(points, np.arange(50.0))
    assert (again.value, again.error) == pytest.approx((total.value, total.error), rel=1e-12)


def test_a_sum_over_events_has_the_correlated_error(method, samples):
    points = {"x": np.linspace(-1, 1, 40)}
    value, error = samples.predict_sum(points)
    laplace = method.model.predict_sum(points)
    assert abs(value - laplace.value) < 2 * laplace.error
    assert error == pytest.approx(laplace.error, rel=0.5)


def test_an_event_with_nan_has_no_prediction(samples):
    for part in samples.predict({"x": [np.nan, 0.0]}, errors=True, quantiles=[0.5]):
        assert np.isnan(part[0])
        assert np.isfinite(part[1])


def test_no_events_give_no_predictions(samples):
    assert samples.predict({"x": np.empty(0)}).shape == (0,)
    assert samples.predict({"x": np.empty(0)}, quantiles=[0.1, 0.2]).shape == (0, 2)


def test_regression_is_sampled_with_its_noise_variance():
    method = trained("UseRegulator:EstimatorType=MSE:Hessian=Posterior", "Regression")
    found = sample_posterior(method, n_samples=60, n_chains=2, n_warmup=80, n_steps=40)
    value, lower, upper, middle = found.predict({"x": [0.0, 1.0]}, errors=True, quantiles=[0.5])
    assert value.shape == lower.shape == upper.shape == (2, 1)
    assert middle.shape == (2, 1, 1)
    assert value[:, 0] == pytest.approx([0.0, np.sin(1.0)], abs=0.1)
    assert (lower + upper < 0.15).all()
    # the targets are mapped to a range of 2, and their noise is 0.1
    scale = np.ptp(method.dataset.training.targets) / 2
    assert np.median(found.noise_variances) * scale**2 == pytest.approx(0.01, rel=0.3)
    assert found.noise_variances.std() > 0.0
    with pytest.raises(InputError, match="classification only"):
        found.predict_sum({"x": [0.0]})


def test_a_weight_file_is_sampled_with_events_and_regulators_that_are_given(method):
    few = {"n_samples": 5, "n_chains": 1, "n_warmup": 8, "n_steps": 5}
    dataset = method.dataset.training
    events = {"x": dataset.variables[:, 0]}
    desired = dataset.class_index == method.dataset.signal_class
    found = sample_posterior(method.model, events, desired, regulators=method.evidence.regulators, **few)
    expected = sample_posterior(method, **few, hyperparameters="fixed")
    assert found.weights == pytest.approx(expected.weights, rel=1e-6)


def test_neurons_that_are_copies_of_each_other_have_the_same_metric():
    network = Network.from_matrices([np.zeros((3, 4)), np.zeros((5, 2)), np.zeros((3, 2))])
    matrix = np.random.default_rng(1).normal(size=(network.n_weights, network.n_weights))
    metric = symmetric_metric(network, matrix @ matrix.T)
    order = np.array([2, 0, 3, 1])
    rows = np.arange(12).reshape(3, 4)[:, order].ravel()
    assert metric[np.ix_(rows, rows)] == pytest.approx(metric[:12, :12])
    assert (np.linalg.eigvalsh(metric) > 0).all()
    assert (metric[0, 1:4] == 0).all()
    assert metric[0, 4] != 0
    assert len(set(np.diag(metric)[12:20])) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"events": {"x": [1.0]}}, "has its own training events"),
        ({"n_chains": 0}, "n_chains must be at least 1"),
        ({"n_samples": 0}, "n_samples must be at least 1"),
        ({"regulators": [1.0]}, "the network has 3 regulators"),
        ({"regulators": [1.0, 0.0, 1.0]}, "the regulator of input bias is 0: without a prior"),
        ({"noise_variance": 0.0}, "noise variance must be greater than 0"),
        ({"hyperparameters": "free"}, "must be 'sampled' or 'fixed'"),
        ({"hyperparameters": "sampled", "regulators": [1.0, 1.0, 1.0]}, "values of fixed hyperparameters"),
        ({"hyperparameters": "fixed", "hyperprior": Hyperprior()}, "for sampled hyperparameters"),
    ],
)
def test_what_cannot_be_sampled_is_said(method, arguments, message):
    with pytest.raises(TMVAError, match=message):
        sample_posterior(method, **arguments)


def test_a_model_without_events_is_refused(method):
    with pytest.raises(InputError, match="no training events"):
        sample_posterior(method.model)
    with pytest.raises(InputError, match="no regulators"):
        sample_posterior(method.model, {"x": [0.0]}, [1], hyperparameters="fixed")


def test_a_training_without_regulators_has_no_prior():
    with pytest.raises(TMVAError, match="UseRegulator=True"):
        sample_posterior(trained("UseRegulator=False"), hyperparameters="fixed")


def test_levels_outside_of_zero_and_one_are_refused(samples):
    with pytest.raises(InputError, match="levels between 0 and 1"):
        samples.predict({"x": [0.0]}, quantiles=[1.5])


def test_a_sum_needs_as_many_weights_as_events(samples):
    with pytest.raises(InputError, match="need as many weights"):
        samples.predict_sum({"x": [0.0]}, [1.0, 2.0])


def test_progress_is_shown_on_request(method, capsys):
    sample_posterior(method, n_samples=2, n_chains=1, n_warmup=0, n_steps=2, progress=True)
    assert "sampling" in capsys.readouterr().err


def test_the_draws_of_weighted_events_are_those_of_the_training_s_likelihood():
    """With Hessian=Posterior a common factor on all weights changes nothing; with weights as they are it does."""
    few = {"n_samples": 3, "n_chains": 1, "n_warmup": 4, "n_steps": 3}
    for hessian, same in (("Posterior", True), ("TMVA", False)):
        methods = [trained(f"UseRegulator:Hessian={hessian}:NCycles=20", weight=weight) for weight in ("1", "3")]
        # from the same weights: only the likelihood tells
        networks = [one.trained.fitted.network.flat_weights() for one in methods]
        first, second = (sample_posterior(one, **few, seed=2) for one in methods)
        if same:
            assert networks[0] == pytest.approx(networks[1], rel=1e-6)
            assert first.log_posterior == pytest.approx(second.log_posterior, rel=1e-6)
        else:
            assert np.abs(first.log_posterior - second.log_posterior).min() > 10.0


def test_a_network_trained_without_regulators_can_be_sampled_with_unknown_ones():
    found = sample_posterior(trained("UseRegulator=False:NCycles=10"), n_samples=4, n_chains=1, n_warmup=4, n_steps=5)
    assert (found.regulators > 0).all()
    assert len(np.unique(found.regulators)) == found.regulators.size


def test_draws_are_saved_and_read_again(samples, tmp_path):
    samples.save(tmp_path / "draws.npz")
    again = PosteriorSamples.load(tmp_path / "draws.npz")
    assert repr(again) == repr(samples)
    assert (again.weights == samples.weights).all()
    points = {"x": np.linspace(-2, 2, 5)}
    assert again.predict(points) == pytest.approx(samples.predict(points), rel=1e-6)
    np.savez(tmp_path / "other.npz", x=1)
    with pytest.raises(InputError, match="does not hold draws"):
        PosteriorSamples.load(tmp_path / "other.npz")


def test_arviz_gets_the_draws_with_their_names(samples):
    tree = samples.to_arviz({"x": [0.0, 1.0]})
    assert tree["posterior"]["weights"].shape == (2, 200, 10)
    assert tree["posterior"]["regulators"]["regulator"].values.tolist() == ["x", "input bias", "hidden layer 1"]
    assert tree["posterior"]["responses"].values.mean(axis=(0, 1)) == pytest.approx(samples.predict([[0.0], [1.0]]))
    assert (tree["sample_stats"]["lp"].values == samples.log_posterior).all()
    assert int(tree["sample_stats"]["diverging"].sum()) == samples.n_divergent.sum()


def test_the_text_has_the_regulators(samples):
    lines = str(samples).splitlines()
    assert lines[0] == "PosteriorSamples of 'BNN': 2 chains of 200, 10 weights"
    assert lines[1].endswith("0 divergent paths")
    drawn = replace(samples, regulators=np.random.default_rng(1).gamma(2.0, size=samples.regulators.shape))
    name, *numbers = str(drawn).splitlines()[3].rsplit(maxsplit=5)
    assert name == "regulator of x"
    known = Diagnostics.of(drawn.regulators)
    levels = np.quantile(drawn.regulators[..., 0], [0.5, 0.158655, 0.841345])
    assert [float(word) for word in numbers] == pytest.approx([*levels, known.r_hat[0], known.ess[0]], rel=2e-3)


def test_without_arviz_all_but_the_diagnostics_works(method, without_arviz):
    found = sample_posterior(method, n_samples=4, n_chains=2, n_warmup=4, n_steps=2)
    assert np.isfinite(found.predict([[0.0]])).all()
    assert str(found).endswith("needs arviz: install it with  pip install 'pytmva-bnn[sampling]'")
    for call in (lambda: found.diagnostics([[0.0]]), lambda: found.r_hat, found.to_arviz):
        with pytest.raises(MissingDependencyError, match="pytmva-bnn"):
            call()
