"""The convergence test as a table: test estimators in, counters out."""

import numpy as np
import pytest

from pytmva_bnn.methods.mlp.training import Estimator, TrainingMethod, TrainingSettings, train
from pytmva_bnn.methods.mlp.training.convergence import Convergence


@pytest.mark.parametrize(
    ("improve", "tests", "estimators", "counters"),
    [
        # the first value is the reference and counts as no improvement
        (0.0, 5, [1.0], [0]),
        # improvements reset the counter
        (0.0, 5, [1.0, 0.9, 0.8], [0, 0, 0]),
        # equal or worse values count
        (0.0, 5, [1.0, 1.0, 1.1, 0.9, 0.95], [0, 1, 2, 0, 1]),
        # an improvement by no more than asked for is none, and the reference stays
        (0.25, 5, [1.0, 0.75, 0.5], [0, 1, 0]),
        # what float32 cannot tell apart is no improvement
        (1e-30, 5, [1.0, 1.0 - 1e-9, 1.0 - 2e-9], [0, 1, 2]),
        # switched off
        (-1.0, 5, [1.0, 1.0], [-1, -1]),
        (0.0, -1, [1.0, 1.0], [-1, -1]),
        # NaN is never an end
        (0.0, 5, [1.0, np.nan, 0.9], [0, 0, 0]),
    ],
)
def test_counters(improve, tests, estimators, counters):
    state = Convergence(improve, tests)
    found = []
    for estimator in estimators:
        state = state.after(estimator)
        found.append(state.counter)
    assert found == counters


@pytest.mark.parametrize(("counter", "reached"), [(2, False), (3, True), (4, True)])
def test_convergence_is_reached_after_the_number_of_tests(counter, reached):
    assert Convergence(tests=3, counter=counter).reached is reached


def converging(make_problem, start, **values):
    sample = make_problem(n_events=60)
    settings = TrainingSettings(test_rate=2, convergence_improve=10.0, convergence_tests=2, n_cycles=100, **values)
    epochs = []
    result = train(
        start(sample), sample, sample, settings, progress=lambda epoch, _training, _test: epochs.append(epoch)
    )
    return result, epochs


def test_bfgs_stops_when_converged(make_problem, start):
    result, _ = converging(make_problem, start)
    assert (result.stopped_by, result.n_epochs) == ("convergence", 6)
    assert result.history.epochs.tolist() == [2, 4, 6]


def test_convergence_first_ends_the_sampling(make_problem, start):
    result, epochs = converging(make_problem, start, sampling=0.5, sampling_epoch=0.5)
    # jumps to epoch 50 (counted from 0); the reported number is that of the epochs done or skipped
    assert epochs == [1, 2, 3, 4, 5, 50, 51, 52, 53, 54]
    assert (result.stopped_by, result.n_epochs) == ("convergence", 10)


def test_back_propagation_first_starts_the_late_phase(make_problem, start):
    result, epochs = converging(make_problem, start, method=TrainingMethod.BP, estimator=Estimator.CE)
    assert epochs == [1, 2, 3, 4, 5, 94, 95, 96, 97, 98]
    assert (result.stopped_by, result.n_epochs) == ("convergence", 10)


@pytest.mark.parametrize(
    ("n_cycles", "sampling_epoch", "epochs"),
    [
        (20, 0.3, 10),  # converged in epoch 5 of the 6 that sample (counted from 0): goes on with all events
        (20, 0.25, 6),  # in the first epoch with all events: the end
        (10, 0.7, 9),  # in single precision 0.7 times 10 is 7, not 6.99...
        (20, 1.0, 6),  # all epochs sample: there is nothing to go on with
    ],
)
def test_convergence_in_the_last_epoch_that_samples(make_problem, start, n_cycles, sampling_epoch, epochs):
    sample = make_problem()
    settings = TrainingSettings(
        test_rate=2,
        convergence_improve=10.0,
        convergence_tests=2,
        n_cycles=n_cycles,
        sampling=0.5,
        sampling_epoch=float(np.float32(sampling_epoch)),
    )
    heard = []

    def progress(epoch, _training, _test):
        heard.append(epoch)
        assert len(heard) <= n_cycles

    result = train(start(sample), sample, sample, settings, progress=progress)
    assert len(heard) == result.n_epochs == epochs
    assert result.stopped_by == "convergence"
