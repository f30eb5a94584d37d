"""Checkpoints: a training that was cut short ends at the same bits."""

import numpy as np
import pytest

from pytmva_bnn.methods.mlp.training import (
    BPMode,
    Checkpoint,
    CheckpointError,
    Sample,
    TrainingMethod,
    TrainingSettings,
    train,
)

VARIANTS = {
    "BFGS": {},
    "regulated": {"use_regulator": True},
    "sampled": {"sampling": 0.5, "sampling_epoch": 0.9, "sampling_testing": True},
    "BP": {"method": TrainingMethod.BP},
    "BP in batches": {"method": TrainingMethod.BP, "bp_mode": BPMode.BATCH, "batch_size": 30},
    "BP sampled": {"method": TrainingMethod.BP, "sampling": 0.3},
    "converging": {"convergence_tests": 3, "convergence_improve": 0.01},
}


def settings(**values):
    return TrainingSettings(**{"n_cycles": 20, "test_rate": 3, **values})


def stop_at(number):
    def progress(epoch, _training, _test):
        if epoch == number:
            raise KeyboardInterrupt

    return progress


@pytest.mark.parametrize("values", VARIANTS.values(), ids=VARIANTS)
@pytest.mark.parametrize("cut", [1, 7, 11])
def test_a_training_goes_on_to_the_same_result(make_problem, start, tmp_path, values, cut):
    training, test = make_problem(seed=1), make_problem(seed=2)
    checkpoint = Checkpoint(tmp_path / "state.npz", every=4)
    whole = train(start(training), training, test, settings(**values))
    first = train(start(training), training, test, settings(**values), checkpoint=checkpoint, progress=stop_at(cut))
    assert (first.stopped_by, first.n_epochs) == ("interrupt", cut)
    second = train(start(training), training, test, settings(**values), checkpoint=checkpoint)
    np.testing.assert_array_equal(second.network.flat_weights(), whole.network.flat_weights())
    np.testing.assert_array_equal(second.history.epochs, whole.history.epochs)
    np.testing.assert_array_equal(second.history.test, whole.history.test)
    assert (second.n_epochs, second.stopped_by) == (whole.n_epochs, whole.stopped_by)
    if whole.regulators is not None:
        np.testing.assert_array_equal(second.regulators, whole.regulators)


def test_a_training_killed_between_checkpoints_goes_on_from_the_last(make_problem, start, tmp_path):
    sample = make_problem()
    checkpoint = Checkpoint(tmp_path / "state.npz", every=4)

    def killed(epoch, _training, _test):
        if epoch == 10:
            raise MemoryError

    with pytest.raises(MemoryError):
        train(start(sample), sample, sample, settings(), checkpoint=checkpoint, progress=killed)
    epochs = []
    result = train(
        start(sample), sample, sample, settings(), checkpoint=checkpoint, progress=lambda e, *_: epochs.append(e)
    )
    assert epochs[0] == 9
    whole = train(start(sample), sample, sample, settings())
    np.testing.assert_array_equal(result.network.flat_weights(), whole.network.flat_weights())


def test_a_finished_training_is_not_done_again(make_problem, start, tmp_path):
    sample = make_problem()
    checkpoint = Checkpoint(tmp_path / "state.npz")
    first = train(start(sample), sample, sample, settings(), checkpoint=checkpoint)
    epochs = []
    again = train(
        start(sample), sample, sample, settings(), checkpoint=checkpoint, progress=lambda e, *_: epochs.append(e)
    )
    assert epochs == []
    np.testing.assert_array_equal(again.network.flat_weights(), first.network.flat_weights())


@pytest.mark.parametrize("method", [TrainingMethod.BFGS, TrainingMethod.BP])
def test_a_seed_of_0_is_remembered(make_problem, start, tmp_path, method):
    sample = make_problem()
    random = settings(random_seed=0, sampling=0.5, method=method)
    checkpoint = Checkpoint(tmp_path / "state.npz")
    train(start(sample), sample, sample, random, checkpoint=checkpoint, progress=stop_at(5))
    saved = (tmp_path / "state.npz").read_bytes()
    results = []
    for _ in range(2):
        (tmp_path / "state.npz").write_bytes(saved)
        # other initial weights: those of the checkpoint count
        other = start(sample).with_flat_weights(np.zeros(17))
        results.append(train(other, sample, sample, random, checkpoint=checkpoint).network.flat_weights())
    np.testing.assert_array_equal(*results)


def test_another_trainings_checkpoint_is_refused(make_problem, start, tmp_path):
    sample, other = make_problem(seed=1), make_problem(seed=2)
    checkpoint = Checkpoint(tmp_path / "state.npz")
    train(start(sample), sample, sample, settings(), checkpoint=checkpoint)
    for network, training, test, values, message in (
        (start(sample, 5), sample, sample, {}, "different network;"),
        (start(sample), other, sample, {}, "different training events;"),
        (start(sample), sample, other, {}, "different test events;"),
        (start(sample), sample, sample, {"tau": 2.0}, r"different tau \(3.0 then, 2.0 now\);"),
        (start(sample), other, sample, {"n_cycles": 7}, r"different training events and n_cycles \(20 then, 7 now\);"),
        (start(sample), other, other, {}, "different training events and test events; delete it"),
    ):
        with pytest.raises(CheckpointError, match=message):
            train(network, training, test, settings(**values), checkpoint=checkpoint)


def test_a_damaged_file_is_refused(make_problem, start, tmp_path):
    sample = make_problem()
    checkpoint = Checkpoint(tmp_path / "state.npz")
    train(start(sample), sample, sample, settings(), checkpoint=checkpoint)
    whole = (tmp_path / "state.npz").read_bytes()
    for damaged in (b"", b"nonsense", whole[: len(whole) // 2]):
        (tmp_path / "state.npz").write_bytes(damaged)
        with pytest.raises(CheckpointError, match=r"it (cannot be read .*|is no checkpoint); delete it") as caught:
            train(start(sample), sample, sample, settings(), checkpoint=checkpoint)
        assert "pickle" not in str(caught.value)


def test_another_format_is_refused(make_problem, start, tmp_path):
    np.savez(tmp_path / "state.npz", format=99)
    sample = Sample.of([[0.0], [1.0]], [0, 1])
    with pytest.raises(CheckpointError, match="its format is 99, not 3"):
        train(start(sample), sample, sample, settings(), checkpoint=Checkpoint(tmp_path / "state.npz"))


def test_whatever_the_damage_is_it_is_told(damaged, make_problem, start, tmp_path):
    path = tmp_path / "state.npz"
    training, test = make_problem(seed=1), make_problem(seed=2)
    train(start(training), training, test, settings(n_cycles=2), checkpoint=Checkpoint(path, every=1))
    whole = path.read_bytes()
    refused = 0
    for seed in range(150):
        path.write_bytes(damaged(whole, seed))
        try:
            train(start(training), training, test, settings(n_cycles=2), checkpoint=Checkpoint(path, every=1))
        except CheckpointError as error:
            refused += 1
            assert "delete it to start again" in str(error)  # noqa: PT017 - a change may hit what nobody reads
    assert refused > 100
