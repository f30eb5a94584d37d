"""Several targets of different noise: the posterior against a log posterior that is written out here by hand."""

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.mlp.network import Network
from pytmva_bnn.methods.mlp.training import (
    Cost,
    Estimator,
    RegulatorGroups,
    Sample,
    TrainingError,
    TrainingSettings,
    evidence,
    initial_network,
    posterior_covariance,
    train,
)
from pytmva_bnn.methods.mlp.training.cost import output_estimators
from pytmva_bnn.methods.mlp.training.gaussian import updated_hyperparameters
from pytmva_bnn.posterior.target import Posterior
from pytmva_bnn.random import TRandom3

NOISES = np.array([0.03, 0.3])
MSE = TrainingSettings(estimator=Estimator.MSE, analysis="Regression")


def two_targets(n=400, noises=NOISES, seed=5):
    random = np.random.default_rng(seed)
    x = random.uniform(-1, 1, (n, 1)).astype(np.float32)
    truth = np.column_stack([np.sin(2 * x[:, 0]), 0.5 * np.cos(3 * x[:, 0])])
    return Sample.of(x, truth + noises * random.standard_normal((n, 2)))


@pytest.fixture(scope="module")
def trained():
    sample = two_targets()
    settings = TrainingSettings(
        n_cycles=1200, estimator=Estimator.MSE, analysis="Regression", use_regulator=True, hessian="Posterior"
    )
    start = initial_network([1, 4, 2], TRandom3(1), hidden="tanh", output="linear")
    return sample, train(start, sample, sample, settings)


def outputs(weights, x, n_hidden=4, n_targets=2):
    """Return the outputs of a network of one input, with nothing of the package in it."""
    first, last = np.split(weights, [2 * n_hidden])
    hidden = np.tanh(np.column_stack([x, np.ones(len(x))]) @ first.reshape(2, n_hidden))
    return np.column_stack([hidden, np.ones(len(x))]) @ last.reshape(n_hidden + 1, n_targets)


def minus_log_posterior(weights, sample, desired, variances, precisions):
    deviations = outputs(weights, sample.inputs.astype(float)) - desired
    return 0.5 * np.sum(deviations**2 / variances) + 0.5 * np.sum(precisions * weights**2)


def second_derivatives(function, at, step=2e-5):
    shifts = step * np.eye(at.size)
    return np.array(
        [
            [
                (function(at + a + b) - function(at + a - b) - function(at - a + b) + function(at - a - b))
                / (4 * step**2)
                for b in shifts
            ]
            for a in shifts
        ]
    )


def first_derivatives(function, at, step=1e-5):
    return np.array([(function(at + s) - function(at - s)) / (2 * step) for s in step * np.eye(at.size)])


def precisions_of(result):
    groups = RegulatorGroups.of(result.network)
    return groups.of_weights(result.regulators) / result.evidence.noise_variance


def test_each_target_has_its_own_noise(trained):
    _, result = trained
    np.testing.assert_allclose(np.sqrt(result.evidence.noise_variances), NOISES, rtol=0.1)
    line = next(line for line in str(result.evidence).splitlines() if line.startswith("noise variance"))
    np.testing.assert_allclose([float(word) for word in line.split()[2:]], result.evidence.noise_variances, rtol=1e-5)


def test_equal_noises_are_not_added():
    sample = two_targets(noises=np.array([0.1, 0.1]))
    start = initial_network([1, 4, 2], TRandom3(1), hidden="tanh", output="linear")
    for hessian in ("TMVA", "Posterior"):
        settings = TrainingSettings(
            n_cycles=150, estimator=Estimator.MSE, analysis="Regression", use_regulator=True, hessian=hessian
        )
        found = train(start, sample, sample, settings).evidence
        np.testing.assert_allclose(found.noise_variances, 0.01, rtol=0.15)


@pytest.mark.parametrize("seed", [1, 2, 6])
def test_a_noisy_target_is_not_given_up_before_it_is_described(seed):
    random = np.random.default_rng(seed)
    x = random.uniform(-1, 1, (400, 1)).astype(np.float32)
    grid = np.linspace(-0.95, 0.95, 39)

    def truth(x):
        return np.column_stack([np.sin(2 * x), 0.5 * np.cos(3 * x)])

    sample = Sample.of(x, truth(x[:, 0]) + NOISES * random.standard_normal((400, 2)))
    start = initial_network([1, 4, 2], TRandom3(1), hidden="tanh", output="linear")
    rms = {}
    for hessian in ("TMVA", "Posterior"):
        settings = TrainingSettings(
            n_cycles=600, estimator=Estimator.MSE, analysis="Regression", use_regulator=True, hessian=hessian
        )
        network = train(start, sample, sample, settings).network
        rms[hessian] = np.sqrt(np.mean((outputs(network.flat_weights(), grid) - truth(grid)) ** 2, axis=0))
    assert rms["Posterior"][0] < 0.6 * rms["TMVA"][0]  # the precise target gains a lot
    assert rms["Posterior"][1] < 0.05  # and the other one is not lost


def test_the_covariance_is_the_inverse_of_the_second_derivatives_of_the_log_posterior(trained):
    sample, result = trained
    weights = result.network.flat_weights()
    # where the targets are the network's own outputs, the second derivatives are the Gauss-Newton matrix
    desired = outputs(weights, sample.inputs.astype(float))
    variances = result.evidence.noise_variances

    def potential(w):
        return minus_log_posterior(w, sample, desired, variances, precisions_of(result))

    expected = np.linalg.inv(second_derivatives(potential, weights))
    for found in result.inverse_hessians:  # all outputs depend on the same weights
        sizes = np.sqrt(np.outer(np.diag(expected), np.diag(expected)))
        np.testing.assert_allclose(found / sizes, expected / sizes, atol=1e-3)


def test_the_trained_weights_are_the_maximum_of_that_posterior(trained):
    sample, result = trained

    def distance_in_sigmas(result):
        variances = result.evidence.noise_variances
        regulators = RegulatorGroups.of(result.network).of_weights(result.regulators)
        gradient = first_derivatives(
            lambda w: minus_log_posterior(w, sample, sample.desired, variances, precisions_of(result)),
            result.network.flat_weights(),
        )
        covariance = posterior_covariance(result.network, sample, regulators, noise_variance=variances)
        return np.sqrt(gradient @ covariance @ gradient)

    assert distance_in_sigmas(result) < 0.1
    # TMVA's cost takes both targets for equally good, so its minimum is elsewhere
    start = initial_network([1, 4, 2], TRandom3(1), hidden="tanh", output="linear")
    settings = TrainingSettings(n_cycles=1200, estimator=Estimator.MSE, analysis="Regression", use_regulator=True)
    assert distance_in_sigmas(train(start, sample, sample, settings)) > 1.0


def test_the_evidence_of_a_linear_model_of_two_targets_is_exact():
    random = np.random.default_rng(0)
    x = random.standard_normal((40, 2)).astype(np.float32)
    design = np.column_stack([x.astype(float), np.ones(40)])
    t = design @ random.normal(size=(3, 2)) + NOISES * random.standard_normal((40, 2))
    alpha = np.array([0.3, 0.2, 0.1])
    # the weights at the maximum depend on the noise, and this on them
    v = NOISES**2
    for _ in range(30):
        prior = np.diag(alpha / v.mean())
        weights = np.column_stack(
            [np.linalg.solve(design.T @ design / v[k] + prior, design.T @ t[:, k] / v[k]) for k in (0, 1)]
        )
        network = Network.from_matrices([weights], output="linear")
        found = evidence(network, alpha, Sample.of(x, t), MSE)
        v = found.noise_variances
    exact = 0.0
    for k in (0, 1):
        covariance = v[k] * np.eye(40) + design @ np.diag(v.mean() / alpha) @ design.T
        exact -= (
            0.5 * t[:, k] @ np.linalg.solve(covariance, t[:, k]) + 0.5 * np.linalg.slogdet(2 * np.pi * covariance)[1]
        )
        # unbiased: as many degrees of freedom are lost as this target determines
        inverse = np.linalg.inv(design.T @ design / v[k] + np.diag(alpha / v.mean()))
        gamma = np.trace(inverse @ design.T @ design) / v[k]
        assert v[k] == pytest.approx(np.sum((design @ weights[:, k] - t[:, k]) ** 2) / (40 - gamma), rel=1e-5)
    assert found.log_evidence == pytest.approx(exact, rel=1e-6)


@pytest.mark.parametrize("neuron_input", ["sum", "abssum", "sqsum"])
def test_outputs_can_count_differently(neuron_input):
    sample = two_targets(n=50)
    random = np.random.default_rng(1)
    network = Network.from_matrices(
        [random.normal(size=(2, 3)), random.normal(size=(4, 2))], output="linear", neuron_input=neuron_input
    )
    weights = network.flat_weights()
    own = np.array([4.0, 0.25])
    first, second, both = (Cost(network, sample, Estimator.MSE, np.zeros(14), w) for w in ([1, 0], [0, 1], own))
    expected = own @ [Cost.error(first, weights), Cost.error(second, weights)]
    assert both.error(weights) == pytest.approx(expected, rel=1e-12)
    assert both.error_and_gradient(weights)[0] == pytest.approx(expected, rel=1e-12)
    if neuron_input == "sum":
        gradient = first_derivatives(both.error, weights) / sample.n_events
        np.testing.assert_allclose(both.error_and_gradient(weights)[1], gradient, rtol=1e-6, atol=1e-8)


def test_the_sampled_posterior_has_the_same_noises(trained):
    sample, result = trained
    target = Posterior(
        result.network, sample, Estimator.MSE, result.regulators, noise_variance=result.evidence.noise_variances
    )
    weights = result.network.flat_weights() + 0.01

    def potential(w):
        return minus_log_posterior(w, sample, sample.desired, result.evidence.noise_variances, precisions_of(result))

    value, gradient = target.potential(weights)
    assert value == pytest.approx(potential(weights), rel=1e-10)
    np.testing.assert_allclose(gradient, first_derivatives(potential, weights), rtol=1e-4, atol=1e-3)
    hessian = target.likelihood_hessian(result.network.flat_weights()) + np.diag(target.precisions)
    np.testing.assert_allclose(hessian @ result.inverse_hessian, np.eye(18), atol=1e-4)
    with pytest.raises(InputError, match="2 outputs: give one noise variance, or 2, not 3"):
        Posterior(result.network, sample, Estimator.MSE, result.regulators, noise_variance=np.ones(3))


def test_of_one_target_the_update_is_tmvas(make_problem, start):
    plain = make_problem(binary=False)
    sample = Sample.of(plain.inputs, plain.desired)
    network = start(sample, estimator=Estimator.MSE)
    results = [
        train(
            network,
            sample,
            sample,
            TrainingSettings(n_cycles=40, estimator=Estimator.MSE, use_regulator=True, hessian=h),
        )
        for h in ("TMVA", "Posterior")
    ]
    np.testing.assert_array_equal(*(one.network.flat_weights() for one in results))
    np.testing.assert_array_equal(*(one.regulators for one in results))


def test_a_negative_noise_is_reported_with_advice():
    sample = Sample.of([[-1.0], [0.0], [1.0]] * 4, [[-1.0, -10.0], [0.1, 0.0], [1.2, 27.0]] * 4, [1.0, 1.0, -0.5] * 4)
    network = Network.from_matrices([np.array([[1.0, 10.0], [0.0, 0.0]])], output="linear")
    assert output_estimators(network, sample)[1] < 0
    with pytest.raises(TrainingError, match=r"noise variance of target 2 is negative.*IgnoreNegWeightsInTraining"):
        updated_hyperparameters(network, np.ones(2), np.ones(2), sample, MSE)


def test_the_noise_of_the_nearest_events(make_problem):
    sample = make_problem(n_outputs=2, binary=False)
    network = Network.from_matrices([np.zeros((3, 2))], output="linear")
    squares = np.sort(sample.desired[:, 0] ** 2)
    assert output_estimators(network, sample, 0.5)[0] < 0.7 * squares.mean()


def test_several_targets_in_a_factory():
    random = np.random.default_rng(3)
    x = random.uniform(-1, 1, 600)
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    loader.AddTarget("a")
    loader.AddTarget("b")
    a, b = x + random.normal(0, 0.03, 600), x**2 + random.normal(0, 0.3, 600)
    loader.AddRegressionTree({"x": x, "a": a, "b": b})
    factory = TMVA.Factory("job", "Silent:!DrawProgressBar:!ModelPersistence:AnalysisType=Regression")
    options = (
        "TrainingMethod=BFGS:NCycles=200:HiddenLayers=3:NeuronType=tanh:UseRegulator:CalculateErrors:HessianPerOutput"
    )
    method = factory.BookMethod(loader, "MLP", "both", options + ":Hessian=Posterior")
    factory.TrainAllMethods()
    grid = np.linspace(-0.9, 0.9, 19)
    value, lower, _ = method.model.predict({"x": grid}, errors=True)
    pulls = (value - np.column_stack([grid, grid**2])) / lower
    assert (np.sqrt(np.mean(pulls**2, axis=0)) < 2.5).all()
    assert 5 < np.median(lower[:, 1] / lower[:, 0]) < 20  # as the noises
    choice = TMVA.select_architecture(loader, [3], "NCycles=200:NeuronType=tanh", quiet=True)
    np.testing.assert_allclose(np.sqrt(choice.best.method.evidence.noise_variances), [0.03, 0.3], rtol=0.15)


def test_several_classes_have_no_posterior(caplog):
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    random = np.random.default_rng(1)
    for name, mean in (("a", 0), ("b", 2), ("c", 4)):
        loader.AddTree({"x": random.normal(mean, 1, 40)}, name)
    factory = TMVA.Factory("job", "Silent:!DrawProgressBar:!ModelPersistence:AnalysisType=Multiclass")
    method = factory.BookMethod(loader, "MLP", "MLP", "TrainingMethod=BFGS:NCycles=2:HiddenLayers=2:Hessian=Posterior")
    assert "MLP: Hessian=Posterior has no effect: the cost of several classes is not a likelihood" in caplog.text
    assert method.booked.settings.training.hessian == "TMVA"
