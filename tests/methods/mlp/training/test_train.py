"""A training as a whole: what it returns, and what it does when it is disturbed."""

import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from pytmva_bnn.dataset import Sampling, Which
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.mlp.network import Network
from pytmva_bnn.methods.mlp.training import (
    Checkpoint,
    Cost,
    Estimator,
    Sample,
    TrainingError,
    TrainingMethod,
    TrainingSettings,
    approximate_hessian,
    initial_network,
    inverse_hessian,
    monitored_estimator,
    train,
)
from pytmva_bnn.random import TRandom3


def test_initial_weights_are_drawn_in_the_order_of_synapses():
    network = initial_network([2, 3, 1], TRandom3(5))
    np.testing.assert_array_equal(network.flat_weights(), 4.0 * TRandom3(5).rndm(13) - 2.0)


def test_the_result_tells_all(make_problem, start):
    training, test = make_problem(seed=1), make_problem(seed=2)
    settings = TrainingSettings(n_cycles=12, test_rate=5, calculate_errors=True)
    result = train(start(training), training, test, settings)
    assert (result.n_epochs, result.stopped_by) == (12, "cycles")
    assert result.history.epochs.tolist() == [5, 10]
    assert result.training_estimator == monitored_estimator(result.network, training, Estimator.CE)
    assert result.test_estimator == monitored_estimator(result.network, test, Estimator.CE)
    np.testing.assert_array_equal(result.inverse_hessian, inverse_hessian(result.network, training))
    assert result.regulators is None
    assert result.evidence is None


def test_a_plain_training_has_no_hessian(make_problem, start):
    sample = make_problem()
    result = train(start(sample), sample, sample, TrainingSettings(n_cycles=1))
    assert result.inverse_hessians is None
    assert result.inverse_hessian is None


def test_there_is_one_hessian_for_each_output(make_problem, start):
    sample = make_problem(n_outputs=2, binary=False)
    settings = TrainingSettings(n_cycles=3, estimator=Estimator.MSE, analysis="Regression", calculate_errors=True)
    result = train(start(sample, estimator=Estimator.MSE), sample, sample, settings)
    for output, inverse in enumerate(result.inverse_hessians):
        expected = np.linalg.inv(approximate_hessian(result.network, sample, output=output) + 1e-6 * np.eye(22))
        np.testing.assert_allclose(inverse, expected, rtol=1e-4, atol=1e-4 * np.abs(expected).max())


def test_no_cycles_leave_the_network_as_it_is(make_problem, start):
    sample = make_problem()
    result = train(start(sample), sample, sample, TrainingSettings(n_cycles=0))
    assert (result.n_epochs, result.stopped_by) == (0, "cycles")
    np.testing.assert_array_equal(result.network.flat_weights(), start(sample).flat_weights())


def test_test_events_are_not_needed(make_problem, start):
    sample = make_problem()
    result = train(start(sample), sample, sample.select(np.arange(0)), TrainingSettings(n_cycles=10))
    assert np.isnan(result.test_estimator)


def test_progress_hears_of_each_epoch(make_problem, start):
    sample = make_problem()
    heard = []
    train(
        start(sample),
        sample,
        sample,
        TrainingSettings(n_cycles=4, test_rate=2),
        progress=lambda epoch, training, test: heard.append((epoch, training is not None, test is not None)),
    )
    assert heard == [(1, False, False), (2, True, True), (3, True, True), (4, True, True)]


@pytest.mark.parametrize("method", [TrainingMethod.BFGS, TrainingMethod.BP])
def test_an_interrupt_between_epochs_keeps_the_weights_so_far(make_problem, start, method, caplog):
    sample = make_problem()

    def progress(epoch, _training, _test):
        if epoch == 3:
            raise KeyboardInterrupt

    result = train(start(sample), sample, sample, TrainingSettings(n_cycles=9, method=method), progress=progress)
    assert (result.stopped_by, result.n_epochs) == ("interrupt", 3)
    assert "ends after 3 epochs" in caplog.text


@pytest.mark.parametrize("method", list(TrainingMethod))
def test_an_interrupt_before_the_first_epoch_leaves_nothing_to_keep(make_problem, start, monkeypatch, tmp_path, method):
    sample = make_problem()

    def interrupted(*_arguments):
        raise KeyboardInterrupt

    module = sys.modules["pytmva_bnn.methods.mlp.training.train"]
    for name in ("bfgs_epoch", "bp_epoch", "genetic_search"):
        monkeypatch.setattr(module, name, interrupted)
    checkpoint = None if method is TrainingMethod.GA else Checkpoint(tmp_path / "state.npz")
    with pytest.raises(KeyboardInterrupt, match="before the first epoch"):
        train(start(sample), sample, sample, TrainingSettings(n_cycles=9, method=method), checkpoint=checkpoint)
    assert not list(tmp_path.iterdir())


def test_an_interrupt_of_the_hessian_keeps_the_weights(make_problem, start, monkeypatch, caplog):
    sample = make_problem()
    settings = TrainingSettings(n_cycles=3, use_regulator=True, calculate_errors=True)
    whole = train(start(sample), sample, sample, settings)

    def interrupted(*_arguments, **_keywords):
        raise KeyboardInterrupt

    monkeypatch.setattr(sys.modules["pytmva_bnn.methods.mlp.training.train"], "evidence", interrupted)
    result = train(start(sample), sample, sample, settings)
    np.testing.assert_array_equal(result.network.flat_weights(), whole.network.flat_weights())
    assert (result.stopped_by, result.n_epochs) == ("interrupt", 3)
    assert result.inverse_hessians is None
    assert "the weights are kept, without regulators, evidence or inverse Hessian" in caplog.text


@pytest.mark.parametrize("perfect", [True, False])
def test_a_training_that_cannot_go_on_says_how_far_it_came(make_problem, start, monkeypatch, caplog, perfect):
    sample = make_problem()
    module = sys.modules["pytmva_bnn.methods.mlp.training.train"]
    bfgs_epoch = module.bfgs_epoch
    monkeypatch.setattr(module, "bfgs_epoch", lambda *arguments: replace(bfgs_epoch(*arguments), at_floor=True))
    monkeypatch.setattr(module, "_PERFECT", 1e9 if perfect else 0.0)
    result = train(start(sample), sample, sample, TrainingSettings(n_cycles=9))
    assert (result.stopped_by, result.n_epochs) == ("floor", 1)
    assert ("described perfectly" if perfect else "try another RandomSeed") in caplog.text
    assert f"with the estimator {result.training_estimator:.4g}" in caplog.text


@pytest.mark.parametrize("calls_before", [16, 20])
def test_an_interrupt_within_an_epoch_takes_it_back(make_problem, start, monkeypatch, calls_before):
    sample = make_problem()
    settings = TrainingSettings(n_cycles=10)
    weights = [start(sample).flat_weights()]
    # the package's name is that of the function
    module = sys.modules["pytmva_bnn.methods.mlp.training.train"]
    bfgs_epoch = module.bfgs_epoch

    def recorded(*arguments):
        state = bfgs_epoch(*arguments)
        weights.append(state.weights)
        return state

    monkeypatch.setattr(module, "bfgs_epoch", recorded)
    error, left = Cost.error, [calls_before]

    def interrupted(self, w):
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return error(self, w)

    monkeypatch.setattr(Cost, "error", interrupted)
    result = train(start(sample), sample, sample, settings)
    assert result.stopped_by == "interrupt"
    assert result.n_epochs == len(weights) - 1 > 0
    np.testing.assert_array_equal(result.network.flat_weights(), weights[-1])


@pytest.mark.parametrize("method", [TrainingMethod.BFGS, TrainingMethod.BP])
def test_the_same_training_gives_the_same_bits(make_problem, start, method):
    sample = make_problem()
    settings = TrainingSettings(n_cycles=5, method=method, use_regulator=True)
    first, second = (train(start(sample), sample, sample, settings) for _ in range(2))
    np.testing.assert_array_equal(first.network.flat_weights(), second.network.flat_weights())
    np.testing.assert_array_equal(first.inverse_hessian, second.inverse_hessian)


THREADS = """
import numpy as np
from pytmva_bnn.random import (TRandom3)
from pytmva_bnn.methods.mlp.training import (Sample, TrainingSettings, initial_network, train)
random = np.random.default_rng(1)
x = random.standard_normal((3000, 12)).astype(np.float32)
sample = Sample.of(x, x[:, 0] + random.standard_normal(3000) > 0)
settings = TrainingSettings(n_cycles=3, use_regulator=True)
result = train(initial_network([12, 40, 1], TRandom3(1)), sample, sample, settings)
print(result.network.flat_weights().tobytes().hex())
"""


def test_the_number_of_threads_does_not_change_a_bit():
    runs = [
        subprocess.run(  # noqa: S603
            [sys.executable, "-c", THREADS],
            env={**os.environ, "OPENBLAS_NUM_THREADS": n, "OMP_NUM_THREADS": n},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for n in ("1", "4")
    ]
    assert runs[0] == runs[1]


def test_events_of_negative_weight_are_ignored_on_request(make_problem, start):
    sample = make_problem(n_events=60)
    mixed = Sample(sample.inputs, sample.desired, np.where(np.arange(60) % 4 == 0, -0.5, sample.weights))
    positive = mixed.without_negative_weights()
    settings = TrainingSettings(n_cycles=6, ignore_negative_weights=True, calculate_errors=True)
    ignoring, without = (train(start(sample), s, sample, settings) for s in (mixed, positive))
    np.testing.assert_array_equal(ignoring.network.flat_weights(), without.network.flat_weights())
    assert ignoring.training_estimator == without.training_estimator
    # TMVA: but they count in the Hessian
    np.testing.assert_array_equal(ignoring.inverse_hessian, inverse_hessian(ignoring.network, mixed))


def test_a_sampled_training_sees_the_sample_only(make_problem, start):
    training, test = make_problem(seed=1), make_problem(seed=2)
    settings = TrainingSettings(n_cycles=3, test_rate=10, sampling=0.25, calculate_errors=True)
    sampling = Sampling(200, 200)
    result = train(start(training), training, test, settings, sampling=sampling)
    chosen = training.select(sampling[Which.TRAINING].events())
    assert 0 < chosen.n_events <= 50
    plain = train(start(training), chosen, test, TrainingSettings(n_cycles=3, calculate_errors=True))
    np.testing.assert_array_equal(result.network.flat_weights(), plain.network.flat_weights())
    # TMVA: sampling stays on, so the Hessian and the final estimator are those of the sample
    np.testing.assert_array_equal(result.inverse_hessian, plain.inverse_hessian)
    assert result.training_estimator == plain.training_estimator


def test_after_the_sampled_epochs_all_events_count(make_problem, start):
    sample = make_problem()
    settings = TrainingSettings(n_cycles=4, sampling=0.25, sampling_epoch=0.5, calculate_errors=True)
    result = train(start(sample), sample, sample, settings)
    np.testing.assert_array_equal(result.inverse_hessian, inverse_hessian(result.network, sample))


def test_a_sample_without_events_is_reported(make_problem, start):
    sample = make_problem(n_events=5)
    with pytest.raises(TrainingError, match="raise the option Sampling"):
        train(start(sample), sample, sample, TrainingSettings(sampling=0.1))


@pytest.mark.parametrize(
    ("sample", "message"),
    [
        (Sample.of([[0.0], [1.0]], [0.0, 0.5]), "needs desired outputs 0 or 1"),
        (Sample.of([[0.0], [1.0]], [0.0, 1.0], [1.0, -1.0]), "sum of weights 0"),
        (Sample.of(np.zeros((0, 1)), np.zeros((0, 1))), "the 0 training events"),
        (Sample.of([[0.0, 1.0]], [1.0]), "2 inputs"),
        (Sample.of([[np.nan]], [1.0]), "value nan"),
    ],
)
def test_events_that_cannot_train_are_refused(sample, message):
    network = initial_network([1, 2, 1], TRandom3(1))
    with pytest.raises(InputError, match=message):
        train(network, sample, Sample.of([[0.0]], [1.0]), TrainingSettings())


def test_cross_entropy_wants_a_sigmoid():
    network = Network.from_matrices([np.zeros((2, 1))], output="linear")
    with pytest.raises(InputError, match="sigmoid, not linear"):
        train(network, Sample.of([[0.0]], [1.0]), Sample.of([[0.0]], [1.0]), TrainingSettings())
