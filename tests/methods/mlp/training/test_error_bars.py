"""The kinds of error bars: refined minima, the shift of weaker regulators, and the factor of refitted toys."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.convert import load_any, writer_of
from pytmva_bnn.errors import OptionError
from pytmva_bnn.methods.mlp.network import Network, forward
from pytmva_bnn.methods.mlp.training import (
    Cost,
    Estimator,
    RegulatorGroups,
    Sample,
    TrainingSettings,
    initial_network,
    train,
)
from pytmva_bnn.methods.mlp.training.calibration import ToyJob, drawn, error_factor
from pytmva_bnn.methods.mlp.training.refine import WEAK, best_minimum, refined, weakened
from pytmva_bnn.methods.mlp.training.shift import shift_of_weights, with_shift
from pytmva_bnn.random import TRandom3

LINE = TrainingSettings(
    estimator=Estimator.MSE, analysis="Regression", use_regulator=True, hessian="Bias", random_seed=4
)
CURVE = TrainingSettings(n_cycles=40, use_regulator=True, hessian="Posterior", test_rate=1000)


def line(n=300, seed=1):
    random = np.random.default_rng(seed)
    x = random.uniform(-1, 1, (n, 1)).astype(np.float32)
    return Sample.of(x, 0.7 * x[:, 0] - 0.2 + 0.1 * random.standard_normal(n))


def curve(n=200, seed=2):
    random = np.random.default_rng(seed)
    x = random.uniform(-1, 1, (n, 1)).astype(np.float32)
    return Sample.of(x, random.uniform(size=n) < 0.5 + 0.4 * np.sin(4 * x[:, 0]))


def straight():
    return Network.from_matrices([np.array([[0.1], [0.1]])], output="linear")


def ridge(sample, alphas):
    g = np.column_stack([sample.inputs.astype(float), np.ones(sample.n_events)])
    return np.linalg.solve(g.T @ g + np.diag(alphas), g.T @ sample.desired[:, 0])


@pytest.fixture(scope="module")
def fitted_line():
    sample = line()
    return sample, refined(straight(), sample, np.zeros(2), np.ones(1), LINE)


def test_a_straight_line_is_refined_to_the_solution_of_the_normal_equations(fitted_line):
    sample, minimum = fitted_line
    np.testing.assert_allclose(minimum.network.flat_weights(), ridge(sample, minimum.regulators), rtol=2e-2)
    without = refined(straight(), sample, np.zeros(2), np.ones(1), replace(LINE, use_regulator=False))
    np.testing.assert_allclose(without.network.flat_weights(), ridge(sample, np.zeros(2)), rtol=2e-2)
    assert (without.regulators == 0).all()


def test_regulators_settle_where_the_evidence_is_stationary(fitted_line):
    _, minimum = fitted_line
    weights, v = minimum.network.flat_weights(), minimum.posterior.noise_variance
    # MacKay's fixed point, alpha = v gamma / w²
    gammas = 1.0 - minimum.regulators * np.diag(minimum.posterior.inverse)
    np.testing.assert_allclose(minimum.regulators, v * gammas / weights**2, rtol=0.1)


def test_the_shift_is_the_change_of_the_weights_in_a_linear_model(fitted_line):
    sample, minimum = fitted_line
    # strong regulators, so that they shift the fit
    strong = replace(minimum, regulators=np.array([60.0, 20.0]))
    strong = refined(strong.network, sample, strong.regulators, np.ones(1), replace(LINE, use_regulator=False))
    weak = weakened(strong, sample, LINE)
    np.testing.assert_allclose(weak.regulators, WEAK * np.array([60.0, 20.0]))
    np.testing.assert_allclose(weak.network.flat_weights(), ridge(sample, weak.regulators), rtol=1e-2)
    g = np.column_stack([sample.inputs.astype(float), np.ones(sample.n_events)])
    hessian = g.T @ g
    change = weak.network.flat_weights() - strong.network.flat_weights()
    expected = np.linalg.solve(hessian + np.diag(weak.regulators), hessian @ change)
    shift = shift_of_weights(strong, weak, sample)
    np.testing.assert_allclose(shift, expected, rtol=1e-9)
    covariance = np.diag([4.0, 9.0])
    g = np.array([1.0, 2.0])
    assert g @ with_shift(covariance, shift, 0.25) @ g == pytest.approx(4 + 36 + 0.25 * (g @ shift) ** 2)


def test_refining_lowers_the_cost_and_keeps_the_larger_evidence():
    sample = curve()
    start = initial_network([1, 4, 1], TRandom3(3))
    result = train(start, sample, sample, CURVE)
    minimum, weak = best_minimum(result.network, sample, result.regulators, np.ones(1), replace(CURVE, hessian="Bias"))
    groups = RegulatorGroups.of(start)
    cost = Cost(start, sample, Estimator.CE, groups.of_weights(minimum.regulators))
    gradient = sample.n_events * cost.error_and_gradient(minimum.network.flat_weights())[1]
    distance = np.sqrt(gradient @ minimum.posterior.inverse @ gradient)
    assert distance < 0.5 < result.convergence.distance
    np.testing.assert_allclose(weak.regulators, WEAK * minimum.regulators)
    bare = Cost(start, sample, Estimator.CE, np.zeros(start.n_weights))
    assert bare.error(weak.network.flat_weights()) < bare.error(minimum.network.flat_weights())


def test_toys_of_a_probability_follow_it_by_weight():
    random = np.random.default_rng(5)
    n = 40_000
    x = random.uniform(-1, 1, (n, 1)).astype(np.float32)
    truth = Network.from_matrices([np.array([[1.0], [-0.5]])], output="sigmoid")
    p = forward(truth, x)[:, 0]
    is_signal = random.uniform(size=n) < p
    sample = Sample.of(x, is_signal, np.where(is_signal, 0.5, 2.0))
    toy = drawn(truth, sample, Estimator.CE, random)
    assert set(np.unique(toy.weights).round(9)) == {0.5, 2.0}
    np.testing.assert_array_equal(toy.weights < 1.0, toy.desired[:, 0] == 1.0)
    for part in (x[:, 0] < 0, x[:, 0] > 0):
        by_weight = np.average(toy.desired[part, 0], weights=toy.weights[part])
        assert by_weight == pytest.approx(p[part].mean(), abs=0.015)
    assert not np.array_equal(toy.desired, sample.desired)


def test_toys_of_a_regression_keep_the_sizes_of_the_residuals(fitted_line):
    sample, minimum = fitted_line
    toy = drawn(minimum.network, sample, Estimator.MSE, np.random.default_rng(1))
    y = forward(minimum.network, sample.inputs)
    np.testing.assert_allclose(np.abs(toy.desired - y), np.abs(sample.desired - y))
    assert 0.4 < np.mean(np.sign(toy.desired - y) == np.sign(sample.desired - y)) < 0.6


def test_the_factor_is_one_where_error_bars_are_right_and_larger_where_they_are_not(fitted_line):
    sample, minimum = fitted_line
    settings = replace(LINE, hessian="Calibrated", calibration_toys=60)
    right = error_factor(ToyJob(minimum, minimum.network, sample, settings))
    assert right == pytest.approx(1.0, abs=0.2)
    # a truth that a straight line cannot follow
    bent = Network.from_matrices([np.array([[0.0, 4.0], [1.0, 0.0]]), np.array([[0.1], [0.4], [0.0]])], output="linear")
    assert error_factor(ToyJob(minimum, bent, sample, settings)) > 1.5 * right


def test_a_toy_is_the_same_in_another_process(fitted_line):
    sample, minimum = fitted_line
    job = ToyJob(minimum, minimum.network, sample, LINE)
    there = pickle.loads(pickle.dumps(job.squared_pull))  # noqa: S301
    assert there(17) == job.squared_pull(17) != job.squared_pull(18)


def trained(kind, sample=None, **more):
    sample = sample or curve()
    settings = replace(CURVE, hessian=kind, calculate_errors=True, **more)
    return train(initial_network([1, 4, 1], TRandom3(3)), sample, sample, settings)


def test_likelihood_is_the_posterior_without_regulators():
    likelihood, posterior = trained("Likelihood"), trained("Posterior")
    np.testing.assert_array_equal(likelihood.network.flat_weights(), posterior.network.flat_weights())
    alphas = RegulatorGroups.of(posterior.network).of_weights(posterior.regulators)
    np.testing.assert_allclose(
        np.linalg.inv(likelihood.inverse_hessian) + np.diag(alphas),
        np.linalg.inv(posterior.inverse_hessian),
        rtol=1e-4,
        atol=1e-5,
    )


def test_bias_adds_one_direction_and_calibrated_a_factor():
    bias, calibrated = trained("Bias"), trained("Calibrated", calibration_toys=3)
    np.testing.assert_array_equal(bias.network.flat_weights(), calibrated.network.flat_weights())
    posterior = calibrated.inverse_hessian / calibrated.error_factor**2
    values = np.linalg.eigvalsh(bias.inverse_hessian - posterior)
    assert values[-1] > 0
    np.testing.assert_allclose(values[:-1], 0.0, atol=1e-9 * values[-1])
    # the shift is that of the minimum, and the part of the parameters counts that the events determine
    sample, settings = curve(), replace(CURVE, hessian="Bias", calculate_errors=True)
    start = train(initial_network([1, 4, 1], TRandom3(3)), sample, sample, replace(settings, hessian="Posterior"))
    minima = best_minimum(start.network, sample, start.regulators, np.ones(1), settings)
    shift = shift_of_weights(*minima, sample)
    part = bias.evidence.n_effective / shift.size
    assert 0.2 < part < 0.9
    # the way to a minimum that is far away amplifies rounding, which differs from processor to processor
    assert values[-1] == pytest.approx(part * shift @ shift, rel=0.3)
    assert bias.error_factor is None
    assert 0.3 < calibrated.error_factor < 5
    assert bias.convergence.is_converged


def test_without_regulators_there_is_no_bias():
    bias, posterior = trained("Bias", use_regulator=False), trained("Calibrated", use_regulator=False)
    np.testing.assert_allclose(bias.inverse_hessian, posterior.inverse_hessian / posterior.error_factor**2, rtol=1e-9)


@pytest.mark.parametrize("values", [{"calibration_toys": 1}, {"calibration_workers": -1}])
def test_impossible_numbers_are_refused(values):
    with pytest.raises(OptionError, match="must be at least"):
        TrainingSettings(**values)


def test_the_factor_is_kept_in_the_weight_file(tmp_path):
    sample = curve()
    passed = sample.desired[:, 0] > 0.5
    loader = TMVA.DataLoader(str(tmp_path / "data"))
    loader.AddVariable("x")
    loader.AddSignalTree({"x": sample.inputs[passed, 0]})
    loader.AddBackgroundTree({"x": sample.inputs[~passed, 0]})
    loader.PrepareTrainingAndTestTree("", "NormMode=None:!V")
    factory = TMVA.Factory("job", "!V:Silent:!DrawProgressBar:AnalysisType=Classification")
    options = (
        "TrainingMethod=BFGS:NCycles=40:HiddenLayers=3:VarTransform=N:NeuronType=tanh:UseRegulator:CalculateErrors"
    )
    method = factory.BookMethod(loader, "MLP", "BNN", f"{options}:Hessian=calibrated:CalibrationToys=2")
    factory.TrainAllMethods()
    factor = method.result.error_factor
    model = TMVA.load(method.weight_file)
    assert model.fitted.error_factor == pytest.approx(factor)
    assert f"made {factor:.3g} times as large by toys" in dict(model.fitted.describe())["error bars"]
    for name in ("again.weights.xml", "again.json", "again.npz"):
        writer_of(name)(model, tmp_path / name)
        again = load_any(tmp_path / name)
        assert again.fitted.error_factor == pytest.approx(factor)
        np.testing.assert_allclose(again.predict([[0.3]], errors=True).upper, model.predict([[0.3]], errors=True).upper)
    text = method.weight_file.read_text()
    assert text.count("<ErrorCalibration Factor=") == 1
    # what TMVA's Reader uses is the matrix, and it contains the factor
    matrix = method.result.inverse_hessian
    np.testing.assert_allclose(model.fitted.inverse_hessian, matrix, rtol=1e-12)


def test_targets_without_noise_end_without_an_error():
    x = np.float32([[-1.0], [-0.5], [0.5], [1.0]])
    sample = Sample.of(x, np.zeros(4))
    settings = replace(LINE, n_cycles=5, calculate_errors=True)
    flat = Network.from_matrices([np.zeros((2, 1))], output="linear")
    minimum, _ = best_minimum(flat, sample, np.zeros(2), np.ones(1), settings)
    assert minimum.posterior.noise_variance == 0.0
    np.testing.assert_array_equal(minimum.network.flat_weights(), 0.0)
