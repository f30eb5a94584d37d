"""The genetic search."""

import numpy as np
import pytest

from pytmva_bnn.methods.fitters import GeneticAlgorithm
from pytmva_bnn.methods.mlp.training import (
    Checkpoint,
    Estimator,
    TrainingMethod,
    TrainingSettings,
    genetic,
    monitored_estimator,
    train,
)

GA = TrainingSettings(method=TrainingMethod.GA, n_cycles=20, test_rate=2)


@pytest.fixture(autouse=True)
def _small_population(monkeypatch):
    defaults = {"algorithm": GeneticAlgorithm(population=20, steps=2, n_cycles=2, convergence=1.0)}
    monkeypatch.setattr(genetic.genetic_search, "__kwdefaults__", defaults)


def test_it_lowers_the_estimator_and_gives_the_same_in_each_run(make_problem, start):
    sample = make_problem()
    network = start(sample, 2)
    first, second = (train(network, sample, sample, GA) for _ in range(2))
    assert first.training_estimator < monitored_estimator(network, sample, Estimator.CE)
    np.testing.assert_array_equal(first.network.flat_weights(), second.network.flat_weights())
    assert first.n_epochs == 6
    assert first.history.epochs.tolist() == [2, 4, 6]


def test_the_refinement_is_used_only_if_it_is_better(make_problem, start):
    sample = make_problem(n_outputs=2)
    # of classes only the last one is monitored, but all are refined
    settings = TrainingSettings(method=TrainingMethod.GA, n_cycles=5, analysis="Multiclass", estimator=Estimator.MSE)
    network = start(sample, 2, estimator=Estimator.MSE)
    best = []
    found = genetic.genetic_search(network, sample, settings, lambda _, weights: best.append(weights))
    of_search, of_result = (
        monitored_estimator(network.with_flat_weights(w), sample, Estimator.MSE, multiclass=True)
        for w in (best[-1], found)
    )
    assert of_result <= of_search


def test_an_interrupt_leaves_the_best_so_far(make_problem, start):
    sample = make_problem()

    def progress(epoch, _training, _test):
        if epoch == 3:
            raise KeyboardInterrupt

    result = train(start(sample, 2), sample, sample, GA, progress=progress)
    assert (result.stopped_by, result.n_epochs) == ("interrupt", 3)


def test_it_keeps_no_checkpoints(make_problem, start, tmp_path, caplog):
    sample = make_problem(n_events=20)
    train(start(sample, 1), sample, sample, GA, checkpoint=Checkpoint(tmp_path / "a.npz"))
    assert "keeps no checkpoints" in caplog.text
    assert not list(tmp_path.iterdir())
