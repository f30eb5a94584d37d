"""Several classes as probabilities: the cost, its matrix, two classes as one sigmoid, and whether the errors hold."""

from dataclasses import replace

import numpy as np
import pytest

from pytmva_bnn.errors import InputError, OptionError
from pytmva_bnn.methods.mlp.multiclass import class_logit, softmax
from pytmva_bnn.methods.mlp.network import Network, output_sensitivities, propagate
from pytmva_bnn.methods.mlp.training import (
    Checkpoint,
    Cost,
    Estimator,
    Sample,
    TrainingMethod,
    TrainingSettings,
    evidence,
    initial_network,
    monitored_estimator,
    train,
)
from pytmva_bnn.methods.mlp.training.calibration import drawn
from pytmva_bnn.methods.mlp.training.gaussian import gaussian_posterior
from pytmva_bnn.methods.mlp.training.softmax import common_shift
from pytmva_bnn.random import TRandom3
from pytmva_bnn.tmva_types import AnalysisType

SOFTMAX = TrainingSettings(
    analysis=AnalysisType.MULTICLASS,
    estimator=Estimator.SOFTMAX,
    hessian="Posterior",
    n_cycles=200,
    use_regulator=True,
    calculate_errors=True,
)


def toy(n, seed, n_classes=3):
    """Events of classes whose logits are linear in x, and the probabilities that they were drawn with."""
    random = np.random.default_rng(seed)
    x = random.normal(size=(n, 1)).astype(np.float32)
    h = np.linspace(-1.5, 1.5, n_classes)[:, np.newaxis] * x[:, 0] + np.linspace(0.4, -0.4, n_classes)[:, np.newaxis]
    p = softmax(h)
    drawn = (random.random(n) > np.cumsum(p, axis=0)).sum(axis=0).clip(max=n_classes - 1)
    return Sample.of(x, np.eye(n_classes)[drawn]), p


def start(sample, *hidden, output="linear", seed=1):
    sizes = (sample.inputs.shape[1], *hidden, sample.desired.shape[1])
    return initial_network(sizes, TRandom3(seed), output=output)


def weighted(sample, seed=5):
    weights = np.random.default_rng(seed).uniform(0.5, 2.0, sample.n_events)
    return Sample(sample.inputs, sample.desired, weights)


def test_the_error_is_minus_the_log_of_the_probability_of_the_own_class():
    sample = weighted(toy(50, 1)[0])
    network = start(sample, 2)
    h = propagate(network, sample.inputs).neuron_inputs[-1]
    p = np.exp(h) / np.exp(h).sum(axis=0)
    expected = -(sample.weights * np.log((p.T * sample.desired).sum(axis=1))).sum()
    cost = Cost(network, sample, Estimator.SOFTMAX, np.zeros(network.n_weights))
    assert cost.error(network.flat_weights()) == pytest.approx(expected, rel=1e-12)
    shown = monitored_estimator(network, sample, Estimator.SOFTMAX, multiclass=True)
    assert shown == pytest.approx(2 * expected / sample.weights.sum(), rel=1e-6)


def test_the_matrix_is_the_fisher_information_of_all_outputs():
    sample = weighted(toy(30, 2)[0])
    network = start(sample, 3)
    passed = propagate(network, sample.inputs)
    g = np.stack([output_sensitivities(network, passed, k) for k in range(3)])
    p = softmax(passed.neuron_inputs[-1])
    expected = np.diag(np.full(network.n_weights, 0.3))
    for i, weight in enumerate(sample.weights):
        expected += weight * g[:, i].T @ (np.diag(p[:, i]) - np.outer(p[:, i], p[:, i])) @ g[:, i]
    found = gaussian_posterior(network, sample, np.full(network.n_weights, 0.3), SOFTMAX)
    np.testing.assert_allclose(found.hessian, expected, rtol=1e-10, atol=1e-12)
    assert found.noise_variances.tolist() == [1.0]


def test_without_hidden_neurons_the_matrix_is_the_second_derivative():
    sample = weighted(toy(40, 3)[0])
    network = start(sample)
    cost = Cost(network, sample, Estimator.SOFTMAX, np.full(6, 0.2))
    weights, step = network.flat_weights(), 1e-5
    shifts = step * np.eye(6)
    gradients = [cost.error_and_gradient(weights + s)[1] - cost.error_and_gradient(weights - s)[1] for s in shifts]
    expected = sample.n_events * np.array(gradients) / (2 * step)
    found = gaussian_posterior(network, sample, np.full(6, 0.2), SOFTMAX).hessian
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)


def test_the_derivatives_of_a_logit_are_those_of_differences():
    h = np.random.default_rng(4).normal(size=(4, 6))
    for number in range(4):
        logit, derivatives = class_logit(h, number)
        np.testing.assert_allclose(1 / (1 + np.exp(-logit)), softmax(h)[number], rtol=1e-13)
        for k, shift in enumerate(1e-6 * np.eye(4)[:, :, np.newaxis]):
            expected = (class_logit(h + shift, number)[0] - class_logit(h - shift, number)[0]) / 2e-6
            np.testing.assert_allclose(derivatives[k], expected, atol=1e-8)


def test_logits_of_outputs_far_apart_stay_finite():
    logit, derivatives = class_logit(np.array([[2000.0], [0.0], [-2000.0]]), 2)
    assert (logit.item(), derivatives.ravel().tolist()) == (-4000.0, [-1.0, 0.0, 1.0])


def matched(sigmoid):
    """Two linear outputs whose softmax is the sigmoid of a network's output."""
    *others, last = sigmoid.matrices
    return Network.from_matrices([*others, np.hstack([last / 2, -last / 2])], output="linear")


def test_two_classes_are_one_sigmoid():
    """Cost, evidence and errors agree, the regulator of halved weights being twice as large."""
    two = weighted(toy(200, 5, n_classes=2)[0])
    one = Sample(two.inputs, two.desired[:, :1], two.weights)
    sigmoid = start(one, 3, output="sigmoid")
    network = matched(sigmoid)
    zeros = np.zeros(network.n_weights)
    error = Cost(network, two, Estimator.SOFTMAX, zeros).error(network.flat_weights())
    assert error == pytest.approx(
        Cost(sigmoid, one, Estimator.CE, zeros[: sigmoid.n_weights]).error(sigmoid.flat_weights())
    )

    alpha = np.array([0.3, 0.7, 0.4])
    binary = TrainingSettings(hessian="Posterior", use_regulator=True)
    of_sigmoid, of_softmax = evidence(sigmoid, alpha, one, binary), evidence(network, alpha * [1, 1, 2], two, SOFTMAX)
    for name in ("log_evidence", "log_likelihood", "log_prior", "log_occam", "n_effective"):
        assert getattr(of_softmax, name) == pytest.approx(getattr(of_sigmoid, name), rel=1e-9), name
    np.testing.assert_allclose(of_softmax.effective, of_sigmoid.effective, rtol=1e-8)


@pytest.mark.parametrize(("use_regulator", "close"), [(False, 1e-6), (True, 1e-4)])
def test_two_classes_are_fitted_as_by_a_sigmoid(use_regulator, close):
    two = toy(400, 6, n_classes=2)[0]
    one = Sample(two.inputs, two.desired[:, :1], two.weights)
    sigmoid = start(one, output="sigmoid")
    own = {"n_cycles": 60, "use_regulator": use_regulator}
    binary = train(sigmoid, one, one, TrainingSettings(calculate_errors=True, hessian="Posterior", **own))
    several = train(matched(sigmoid), two, two, replace(SOFTMAX, **own))
    if use_regulator:
        np.testing.assert_allclose(several.regulators / binary.regulators, 2.0, rtol=1e-3)
    x = np.linspace(-2, 2, 9, dtype=np.float32)[:, np.newaxis]
    passed, expected = propagate(several.network, x), propagate(binary.network, x)
    logit, derivatives = class_logit(passed.neuron_inputs[-1], 0)
    np.testing.assert_allclose(1 / (1 + np.exp(-logit)), expected.values[-1][0], atol=close)
    s, t = output_sensitivities(several.network, passed, derivatives), output_sensitivities(binary.network, expected)
    found, wanted = (
        np.einsum("ei,ij,ej->e", a, b, a) for a, b in ((s, several.inverse_hessian), (t, binary.inverse_hessian))
    )
    np.testing.assert_allclose(found, wanted, rtol=10 * close)


@pytest.mark.parametrize("hessian", ["Likelihood", "Bias", "Calibrated", "Sandwich", "Paper"])
def test_all_kinds_of_error_bars_are_those_of_a_sigmoid_for_two_classes(hessian, caplog):
    two = toy(200, 13, n_classes=2)[0]
    one = Sample(two.inputs, two.desired[:, :1], two.weights)
    sigmoid = start(one, output="sigmoid")
    own = {"n_cycles": 100, "hessian": hessian, "calibration_toys": 3}
    binary = train(sigmoid, one, one, TrainingSettings(calculate_errors=True, use_regulator=True, **own))
    several = train(matched(sigmoid), two, two, replace(SOFTMAX, **own))
    x = np.linspace(-2, 2, 9, dtype=np.float32)[:, np.newaxis]
    passed, expected = propagate(several.network, x), propagate(binary.network, x)
    _, derivatives = class_logit(passed.neuron_inputs[-1], 0)
    s, t = output_sensitivities(several.network, passed, derivatives), output_sensitivities(binary.network, expected)
    found, wanted = (
        np.sqrt(np.einsum("ei,ij,ej->e", a, b, a))
        for a, b in ((s, several.inverse_hessian), (t, binary.inverse_hessian))
    )
    np.testing.assert_allclose(found, wanted, rtol=0.01)
    assert "do not determine" not in caplog.text
    if hessian == "Calibrated":
        assert several.error_factor == pytest.approx(binary.error_factor, rel=0.01)


def test_toys_have_the_share_of_each_class_by_weight():
    random = np.random.default_rng(1)
    weight_of_class = np.array([1.0, 2.0, 5.0])
    classes = random.integers(0, 3, 20_000)
    sample = Sample.of(np.zeros((20_000, 1)), np.eye(3)[classes], weight_of_class[classes])
    truth = Network.from_matrices([np.array([[0.0, 0.0, 0.0], np.log([0.5, 0.3, 0.2])])], output="linear")
    toy_sample = drawn(truth, sample, Estimator.SOFTMAX, random)
    np.testing.assert_array_equal(toy_sample.weights, toy_sample.desired @ weight_of_class)
    shares = toy_sample.weights @ toy_sample.desired / toy_sample.weights.sum()
    np.testing.assert_allclose(shares, [0.5, 0.3, 0.2], atol=0.015)


def test_what_all_outputs_share_stays_zero_and_changes_no_error():
    sample = toy(300, 7)[0]
    result = train(start(sample, 3), sample, sample, SOFTMAX)
    np.testing.assert_allclose(result.network.matrices[-1].sum(axis=1), 0.0, atol=1e-9)
    passed = propagate(result.network, sample.inputs[:20])
    _, derivatives = class_logit(passed.neuron_inputs[-1], 1)
    s = output_sensitivities(result.network, passed, derivatives)
    np.testing.assert_allclose(s @ common_shift(result.network), 0.0, atol=1e-9)
    assert np.linalg.matrix_rank(common_shift(result.network)) == 4  # three hidden neurons and the bias


def test_without_regulators_there_are_errors_without_a_warning(caplog):
    sample = toy(500, 8)[0]
    settings = TrainingSettings(
        analysis=AnalysisType.MULTICLASS, estimator=Estimator.SOFTMAX, hessian="Posterior", calculate_errors=True
    )
    result = train(start(sample), sample, sample, settings)
    assert np.linalg.eigvalsh(result.inverse_hessian).min() > 0
    assert "do not determine" not in caplog.text


def refitted(seed, hessian="Posterior", weights=None):
    sample = toy(600, seed)[0]
    if weights is not None:
        sample = Sample(sample.inputs, sample.desired, weights)
    result = train(start(sample), sample, sample, replace(SOFTMAX, hessian=hessian, n_cycles=40))
    x = np.linspace(-1.5, 1.5, 7, dtype=np.float32)[:, np.newaxis]
    passed = propagate(result.network, x)
    h, sigma = [], []
    for k in range(3):
        logit, derivatives = class_logit(passed.neuron_inputs[-1], k)
        s = output_sensitivities(result.network, passed, derivatives)
        h.append(logit)
        sigma.append(np.sqrt(np.einsum("ei,ij,ej->e", s, result.inverse_hessian, s)))
    return np.array(h), np.array(sigma)


@pytest.mark.parametrize(
    ("hessian", "weights"),
    [("Posterior", None), ("Sandwich", None), ("Posterior", np.repeat([0.3, 5.0], 300)), ("Paper", None)],
)
def test_errors_are_as_large_as_the_scatter_of_refits(hessian, weights):
    h, sigma = zip(*(refitted(seed, hessian, weights) for seed in range(100, 120)), strict=True)
    ratio = np.mean(sigma, axis=0) / np.std(h, axis=0, ddof=1)
    assert 0.85 < ratio.mean() < 1.2


def test_probabilities_are_calibrated():
    """Where the network says 30%, 30% of the events are of this class: those of the truth, not squashed scores."""
    sample, truth = toy(3000, 9)
    result = train(start(sample, 3), sample, sample, SOFTMAX)
    p = softmax(propagate(result.network, sample.inputs).neuron_inputs[-1])
    assert np.sqrt(np.mean((p - truth) ** 2)) < 0.02
    assert p.max() > 0.9  # TMVA's scores never come near
    for own, is_own in zip(p, sample.desired.T, strict=True):
        bins = np.digitize(own, [0.1, 0.2, 0.3, 0.5, 0.7])
        for one in np.unique(bins):
            inside = bins == one
            expected, n = own[inside].mean(), inside.sum()
            assert abs(is_own[inside].mean() - expected) < 4 * np.sqrt(expected * (1 - expected) / n)


def test_back_propagation_trains_the_same_network_as_ever_but_knows_its_likelihood():
    sample = toy(200, 10)[0]
    common = {"analysis": AnalysisType.MULTICLASS, "method": TrainingMethod.BP, "n_cycles": 20}
    network = start(sample, 2)
    settings = TrainingSettings(estimator=Estimator.SOFTMAX, hessian="Posterior", calculate_errors=True, **common)
    found = train(network, sample, sample, settings)
    tmva = train(network, sample, sample, TrainingSettings(estimator=Estimator.MSE, **common))
    p, q = (softmax(propagate(one.network, sample.inputs).neuron_inputs[-1]) for one in (found, tmva))
    np.testing.assert_allclose(p, q, atol=1e-12)  # TMVA's gradient is that of the softmax, its estimator is not
    assert found.convergence.distance is not None


def test_a_training_goes_on_from_a_checkpoint(tmp_path):
    sample = toy(100, 11)[0]
    settings = replace(SOFTMAX, n_cycles=12)
    whole = train(start(sample, 2), sample, sample, settings)

    def stop(epoch, *_):
        if epoch == 6:
            raise KeyboardInterrupt

    checkpoint = Checkpoint(tmp_path / "state", 3)
    cut = train(start(sample, 2), sample, sample, settings, checkpoint=checkpoint, progress=stop)
    assert (cut.stopped_by, cut.n_epochs) == ("interrupt", 6)
    again = train(start(sample, 2), sample, sample, settings, checkpoint=checkpoint)
    assert again.n_epochs == 12
    np.testing.assert_array_equal(again.network.flat_weights(), whole.network.flat_weights())
    np.testing.assert_array_equal(again.inverse_hessian, whole.inverse_hessian)


def test_what_makes_no_sense_is_refused():
    sample = toy(20, 12)[0]
    desired = sample.desired.copy()
    desired[0], desired[1] = [0, 0, 1], [1, 1, 0]
    wrong = Sample(sample.inputs, desired, sample.weights)
    with pytest.raises(InputError, match=r"event 1 has \[1.0, 1.0, 0.0\]"):
        train(start(sample), wrong, sample, SOFTMAX)
    with pytest.raises(InputError, match="two linear output neurons, not 3 of type sigmoid"):
        train(start(sample, output="sigmoid"), sample, sample, SOFTMAX)
    with pytest.raises(OptionError, match="TMVA has no Hessian for a softmax"):
        TrainingSettings(estimator=Estimator.SOFTMAX)
