"""Cuts for single classes: one tree with a flag trains as two trees do."""

import json

import numpy as np
import pytest
import uproot

import pytmva_bnn as TMVA
from pytmva_bnn.cli.train_job import TrainJob

OPTIONS = "TrainingMethod=BFGS:NCycles=5:HiddenLayers=3:VarTransform=N"
WEIGHTS = "dataset/weights/job_MLP.weights.xml"


@pytest.fixture(scope="module")
def flagged(tmp_path_factory):
    """A tree whose events have passed or not, and two trees with the same events apart."""
    path = tmp_path_factory.mktemp("flagged") / "f.root"
    generator = np.random.default_rng(3)
    passed = generator.integers(0, 2, 400).astype(np.int32)
    x = generator.normal(passed, 1.0)
    with uproot.recreate(path) as file:
        file["t"] = {"x": x, "passed": passed}
        for name, flag in (("s", 1), ("b", 0)):
            file[name] = {"x": x[passed == flag], "passed": passed[passed == flag]}
    return path


@pytest.fixture(scope="module")
def expected(flagged, tmp_path_factory):
    """The weights of a training on two trees."""
    from pytmva_bnn.cli import main

    folder = tmp_path_factory.mktemp("expected")
    arguments = ["--signal", f"{flagged}:s", "--background", f"{flagged}:b", "-v", "x", "--cut", "x > -2"]
    assert main(["train", *arguments, "--options", OPTIONS, "--no-output-file", "-q", "-o", str(folder)]) == 0
    return TMVA.load(folder / WEIGHTS)


def same(path, expected):
    model = TMVA.load(path)
    assert model.info["Training events"] == expected.info["Training events"]
    for one, other in zip(model.matrices, expected.matrices, strict=True):
        np.testing.assert_array_equal(one, other)


def test_options(command, flagged, expected, tmp_path):
    finished = command(
        "train", "--signal", f"{flagged}:t", "--background", f"{flagged}:t", "-v", "x", "--cut", "Signal=passed==1",
        "--cut", "Background = passed==0", "--cut", "x > -2", "--options", OPTIONS, "-q", "-o", tmp_path,
    )  # fmt: skip
    assert finished.code == 0, finished.err
    same(tmp_path / WEIGHTS, expected)
    # what was asked for can be asked for again
    finished = command("train", "--config", tmp_path / "job_MLP.train.json", "-q", "-o", tmp_path / "again")
    assert finished.code == 0, finished.err
    same(tmp_path / "again" / WEIGHTS, expected)


@pytest.mark.parametrize("by_tree", [True, False])
def test_configuration(by_tree, command, flagged, expected, tmp_path):
    cuts = {"Signal": "passed==1", "Background": "passed==0"}
    given = {"variables": ["x"], "options": OPTIONS}
    if by_tree:
        given["trees"] = {name: {"tree": f"{flagged}:t", "cut": f"({cut}) && x > -2"} for name, cut in cuts.items()}
    else:
        given |= {"trees": dict.fromkeys(cuts, f"{flagged}:t"), "cut": cuts}
    (tmp_path / "c.json").write_text(json.dumps(given))
    more = [] if by_tree else ["--cut", "x > -2"]
    finished = command("train", "--config", tmp_path / "c.json", *more, "-q", "-o", tmp_path)
    assert finished.code == 0, finished.err
    same(tmp_path / WEIGHTS, expected)


@pytest.mark.parametrize(
    ("cuts", "message"),
    [
        (["Signl=passed==1"], "--cut: no events are given for the class Signl: did you mean Signal?"),
        (["Signal=x>0", "Signal=x<3"], "--cut is given twice for the class Signal: combine them with &&"),
        (["x>0", "x<3"], "--cut is given twice for all events"),
        (["Signal=nothing==1"], "nothing"),
        (["Signal==1"], "Signal"),
    ],
)
def test_mistakes(cuts, message, fails, flagged, tmp_path):
    arguments = [text for cut in cuts for text in ("--cut", cut)]
    trees = ["--signal", f"{flagged}:t", "--background", f"{flagged}:t", "-v", "x"]
    code = 2 if message.startswith("--cut") else 1  # else only the events tell
    found = fails("train", *trees, *arguments, "--options", OPTIONS, "-o", tmp_path, code=code)
    assert message in found
    assert "AddTree" not in found


def test_a_cut_for_an_unknown_class_in_a_configuration():
    given = {"trees": {"Signal": "a", "Background": "b"}, "cut": {"Sgnal": "x > 0"}}
    with pytest.raises(TMVA.errors.InputError, match="the class Sgnal, which has no events: did you mean Signal"):
        TrainJob.of(given)
