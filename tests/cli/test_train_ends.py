"""How a training ends that cannot end well: no place for its files, or Ctrl-C."""

import re
import sys
import tempfile
from pathlib import Path

import pytest

from pytmva_bnn.factory import Factory
from pytmva_bnn.files import check_writable
from pytmva_bnn.methods.mlp.training import train
from pytmva_bnn.model import load

DATA = "xml_fixtures/data"
ARGUMENTS = (
    "train", "--signal", f"{DATA}/class.root:TreeS", "--background", f"{DATA}/class.root:TreeB", "-v", "var1",
    "--options", "TrainingMethod=BFGS:NCycles=5:HiddenLayers=3:VarTransform=N",
)  # fmt: skip


@pytest.fixture
def no_training(monkeypatch):
    """Make sure that no training begins."""

    def begin(self):
        raise AssertionError("the training began")

    monkeypatch.setattr(Factory, "TrainAllMethods", begin)


@pytest.mark.parametrize("place", ["", "dataset", "dataset/weights"])
def test_a_file_in_the_place_of_a_folder_is_told_before_the_training(place, fails, tmp_path, no_training):
    folder = tmp_path / "out" / place
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("a file")
    message = fails(*ARGUMENTS, "-o", tmp_path / "out")
    assert f"no file can be written into this folder ({folder} is a file)" in message


@pytest.mark.parametrize("name", ["TMVA.root", "job_MLP.train.json", "dataset/weights/job_MLP.weights.xml"])
def test_a_folder_in_the_place_of_a_file_is_told_before_the_training(name, fails, tmp_path, no_training):
    (tmp_path / name).mkdir(parents=True)
    assert fails(*ARGUMENTS, "-o", tmp_path) == f"{tmp_path / name} is a folder, so no file of this name can be written"


def read_only(monkeypatch):
    def refuse(*arguments, **keywords):
        raise PermissionError(13, "Permission denied", f"{keywords['dir']}/.w.xml")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)


def test_a_read_only_folder_is_told_before_the_training(fails, tmp_path, no_training, monkeypatch):
    read_only(monkeypatch)
    message = fails(*ARGUMENTS, "-o", tmp_path)
    assert message == f"{tmp_path}: no file can be written into this folder (Permission denied)"
    message = fails(*ARGUMENTS, "-o", tmp_path / "new")
    assert message == f"{tmp_path}/new: no file can be written into this folder ({tmp_path}: Permission denied)"


def test_what_can_be_written_is_left_alone(tmp_path):
    check_writable(tmp_path / "a/b/c.txt")
    assert not list(tmp_path.iterdir())


def test_what_is_trained_is_saved_elsewhere_if_its_file_cannot_be_written(fails, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    replace = Path.replace

    def full(self, target):
        if "out" in Path(target).parts:
            raise OSError(28, "No space left on device")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", full)
    message = fails(*ARGUMENTS, "-o", tmp_path / "out")
    found = re.search(
        r"job_MLP\.weights\.xml cannot be written: No space .*; the trained methods are in (\S+) instead", message
    )
    assert load(found[1]).title == "MLP"
    assert not (tmp_path / "out").exists()


# ---- Ctrl-C


@pytest.fixture
def interrupt(monkeypatch):
    """Have somebody press Ctrl-C after some epochs."""
    module = sys.modules[train.__module__]
    whole = module._Run._after_epoch

    def after(n_epochs):
        done = []

        def epoch(self, *arguments):
            if len(done) == n_epochs:
                raise KeyboardInterrupt
            done.append(None)
            return whole(self, *arguments)

        monkeypatch.setattr(module._Run, "_after_epoch", epoch)

    return after


def files_below(folder):
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def test_after_some_epochs_the_network_is_written_and_the_exit_code_is_130(command, interrupt, tmp_path):
    interrupt(3)
    finished = command(*ARGUMENTS, "-o", tmp_path)
    assert finished.code == 130
    assert finished.err == "pytmva-bnn: error: interrupted after epoch 3: the network so far is written\n"
    assert "job_MLP.weights.xml" in finished.out
    assert load(tmp_path / "dataset/weights/job_MLP.weights.xml").variables[0].label == "var1"
    assert files_below(tmp_path) == ["TMVA.root", "job_MLP.class.C", "job_MLP.train.json", "job_MLP.weights.xml"]


def test_before_the_first_epoch_nothing_is_written(command, interrupt, tmp_path):
    interrupt(0)
    old = tmp_path / "dataset/weights/job_MLP.weights.xml"
    old.parent.mkdir(parents=True)
    old.write_text("old")
    finished = command(*ARGUMENTS, "-o", tmp_path)
    assert finished.code == 130
    assert finished.err == "pytmva-bnn: error: interrupted before the first epoch: nothing is written\n"
    assert files_below(tmp_path) == [old.name]
    assert old.read_text() == "old"


def on_interrupts(finished):
    """The messages about interrupts; a short training may deserve others."""
    return [line for line in finished.err.splitlines() if "nterrupted" in line]


def test_the_demonstration_can_be_interrupted_too(command, interrupt, tmp_path):
    interrupt(0)
    finished = command("demo", tmp_path / "none")
    assert finished.code == 130
    assert on_interrupts(finished) == ["pytmva-bnn: error: interrupted before the first epoch: nothing is written"]
    assert not files_below(tmp_path)
    interrupt(1)
    finished = command("demo", tmp_path)
    assert finished.code == 130
    (line,) = on_interrupts(finished)
    assert line.startswith("pytmva-bnn: error: interrupted after epoch 1: the network so far")
    assert files_below(tmp_path) == ["demo_TurnOn.class.C", "demo_TurnOn.weights.xml"]


def test_what_is_tested_is_the_network_of_the_file(command, tmp_path, monkeypatch):
    seen = []
    whole = Factory.TestAllMethods

    def test_all(self):
        seen.extend(method.model.name for method in self.methods)
        whole(self)

    monkeypatch.setattr(Factory, "TestAllMethods", test_all)
    assert command(*ARGUMENTS, "-q", "-o", tmp_path).code == 0
    assert seen == [str(tmp_path / "dataset/weights/job_MLP.weights.xml")]
