"""What does not fit into memory is refused before room is made for it, with the number of bytes."""

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn import memory
from pytmva_bnn.errors import TooLargeError
from pytmva_bnn.memory import check_memory, memory_limit, shown_bytes
from pytmva_bnn.methods import method_of

FDA = "Formula=(0)+(1)*x0:ParRanges=(-1,1);(-1,1):FitMethod=GA"


@pytest.fixture(autouse=True)
def _little(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(memory, "memory_limit", lambda: 1e9)


@pytest.mark.parametrize(
    ("kind", "options", "n_bytes"),
    [
        # 3 inputs with the bias, 1 output: 4 n + 1 weights, three times
        ("MLP", "HiddenLayers=500000000:TrainingMethod=BP", 8 * 3 * (4 * 500_000_000 + 1)),
        ("MLP", "HiddenLayers=N+9998:TrainingMethod=BFGS", 8 * (3 * 40_001 + 40_001**2)),
        ("MLP", "HiddenLayers=10000:TrainingMethod=BFGS:CalculateErrors", 8 * (3 * 40_001 + 2 * 40_001**2)),
        ("MLP", "HiddenLayers=99999999999", None),
        ("CFMlpANN", "HiddenLayers=99999999:NCycles=2", None),
        ("TMlpANN", "HiddenLayers=10000:NCycles=2:LearningMethod=BFGS", 8 * (3 * 40_001 + 40_001**2)),
        ("BDT", "NTrees=20000000", 96 * 20_000_000),
        ("BDT", "NTrees=2:nCuts=50000000", 32 * 2 * 50_000_000),
        ("PDEFoam", "nSampl=100000000", 16 * 2 * 100_000_000),
        ("PDEFoam", "nBin=20000", 8 * 4 * 20_000**2),
        ("Likelihood", "Nbins=500000000", 4 * 500_000_002),
        ("Cuts", "FitMethod=GA:PopSize=100000000", 16 * 4 * 100_000_000),
        ("FDA", f"{FDA}:PopSize=100000000", 16 * 2 * 100_000_000),
        ("Fisher", "CreateMVAPdfs:NbinsMVAPdf=200000000", 8 * 200_000_000),
    ],
)
def test_a_training_that_is_too_large_is_refused(kind, options, n_bytes):
    random = np.random.default_rng(1)
    loader = TMVA.DataLoader("dataset")
    for name in "xy":
        loader.AddVariable(name)
    loader.AddSignalTree({name: random.normal(1, 1, 60) for name in "xy"})
    loader.AddBackgroundTree({name: random.normal(0, 1, 60) for name in "xy"})
    factory = TMVA.Factory("job", "Silent:!ModelPersistence:AnalysisType=Classification")
    factory.BookMethod(loader, kind, kind, options)
    with pytest.raises(
        TooLargeError, match=r"needs .*B of memory \(\d+ bytes\), but only 1 GB are available; "
    ) as caught:
        factory.TrainAllMethods()
    if n_bytes is not None:
        assert f"({n_bytes} bytes)" in str(caught.value)


def test_numpys_own_refusal_names_the_method(monkeypatch):
    def train(_self, _job):
        raise MemoryError("Unable to allocate 3 GiB")

    monkeypatch.setattr(type(method_of("Fisher")), "train", train)
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    for add, start in ((loader.AddSignalTree, 0), (loader.AddBackgroundTree, 1)):
        add({"x": np.arange(start, start + 60.0)})
    factory = TMVA.Factory("job", "Silent:!ModelPersistence:AnalysisType=Classification")
    factory.BookMethod(loader, "Fisher", "F1", "")
    with pytest.raises(TooLargeError, match="F1: the training with 60 events does not fit into memory: Unable to"):
        factory.TrainAllMethods()


def test_a_number_of_events_from_a_damaged_file_is_no_reason_to_make_room():
    from pytmva_bnn.dataset.events import EventBuffer

    buffer = EventBuffer(2, 10**15)
    buffer.append(np.ones((3, 2), np.float32), np.ones(3, np.float32))
    assert buffer.filled[0].shape == (3, 2)


def test_events_beyond_memory_are_refused(monkeypatch):
    from pytmva_bnn.dataset import events

    monkeypatch.setattr(events, "memory_limit", lambda: 4 * 12 * 10.0)
    monkeypatch.setattr(memory, "memory_limit", lambda: 250.0)
    buffer = events.EventBuffer(2, 10**9)  # room for 10
    rows = np.arange(20, dtype=np.float32).reshape(10, 2)
    buffer.append(rows, np.ones(10, np.float32))
    buffer.append(rows[:5], np.ones(5, np.float32))
    np.testing.assert_array_equal(buffer.filled[0], np.concatenate([rows, rows[:5]]))
    with pytest.raises(
        TooLargeError, match=r"room for 40 events needs 480 B of memory .480 bytes., but only 250 B are available"
    ):
        buffer.append(rows, np.ones(10, np.float32))


def test_a_prediction_beyond_memory_is_refused(monkeypatch, case_named):
    model = TMVA.load(case_named("bfgs_errors").weights)
    x = np.zeros((1000, len(model.variables)))
    monkeypatch.setattr(memory, "memory_limit", lambda: 23_999.0)
    model.predict(x)
    with pytest.raises(TooLargeError, match="a prediction for 1000 events needs 24 kB of memory"):
        model.predict(x, errors=True)


def test_what_ulimit_allows_counts(monkeypatch):
    resource = pytest.importorskip("resource")
    monkeypatch.undo()
    monkeypatch.setattr(memory, "_machine_limit", lambda: 10e9)
    assert memory_limit() <= 10e9
    monkeypatch.setattr(resource, "getrlimit", lambda _: (4_000_000_000, resource.RLIM_INFINITY))
    assert memory_limit() == 4e9
    monkeypatch.setattr(resource, "getrlimit", lambda _: (resource.RLIM_INFINITY,) * 2)
    assert memory_limit() == 10e9


def test_what_fits_is_let_pass():
    check_memory(1e9, "it")
    with pytest.raises(
        TooLargeError, match=r"^it needs 1 GB of memory \(1000000001 bytes\), but only 1 GB are available$"
    ):
        check_memory(1e9 + 1, "it")
    assert [shown_bytes(n) for n in (0, 999, 1000, 2.5e12)] == ["0 B", "999 B", "1 kB", "2.5 TB"]
