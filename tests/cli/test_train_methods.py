"""Several methods at a time, the defaults of the command, and what the evidence decides."""

import json

import numpy as np
import pytest
import uproot

import pytmva_bnn as TMVA
from pytmva_bnn.cli import train
from pytmva_bnn.cli.parser import build_parser
from pytmva_bnn.cli.train_defaults import open_choices, shortened, with_defaults
from pytmva_bnn.cli.train_job import Booked, TrainJob
from pytmva_bnn.cli.usage import in_words_of_the_command
from pytmva_bnn.options import with_choice
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.tuning import SearchResult, Trial

CLASSIFICATION, MULTICLASS = AnalysisType.CLASSIFICATION, AnalysisType.MULTICLASS


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    """Events on a small and a large scale, of which only the products of two variables tell something."""
    path = tmp_path_factory.mktemp("toy") / "toy.root"
    rng = np.random.default_rng(4)
    with uproot.recreate(path) as file:
        for tree, sign in (("s", 1.0), ("b", -1.0)):
            a = rng.normal(size=400)
            file[tree] = {"a": 1e-3 * a, "b": 1e4 * (0.8 * sign * a + 0.6 * rng.normal(size=400))}
    return "train", "--signal", f"{path}:s", "--background", f"{path}:b", "-v", "a", "-v", "b", "--no-output-file"


def model(folder, title):
    return TMVA.load(folder / f"dataset/weights/job_{title}.weights.xml")


def test_each_method_has_its_options_and_all_are_compared(command, toy, tmp_path):
    methods = ("BDT:NTrees=7", "Ada = BDT:NTrees=5:BoostType=AdaBoost", "LD", "BDT:NTrees=3")
    finished = command(*toy, *(word for one in methods for word in ("--method", one)), "-o", tmp_path)
    assert finished.code == 0, finished.err
    found = {title: model(tmp_path, title) for title in ("BDT", "Ada", "LD", "BDT2")}
    assert [one.method.kind for one in found.values()] == ["BDT", "BDT", "LD", "BDT"]
    assert [found[title].options.integer("NTrees") for title in ("BDT", "Ada", "BDT2")] == [7, 5, 3]
    assert [found[title].options.string("BoostType") for title in ("BDT", "Ada")] == ["Grad", "AdaBoost"]
    lines = finished.out.splitlines()
    start = lines.index("Comparison, best first:")
    assert lines[start + 1].split()[:4] == ["Method", "ROC", "integral", "training"]
    rows = [line.split() for line in lines[start + 2 : start + 6]]
    assert {row[0] for row in rows} == set(found)
    integrals = [float(row[1]) for row in rows]
    assert integrals == sorted(integrals, reverse=True)
    assert rows[-1][0] == "LD"  # nothing linear tells them apart
    # what was asked for can be asked for again
    job = TrainJob.of(json.loads((tmp_path / "job.train.json").read_text()))
    assert job.methods[1] == Booked("BDT", "Ada", "NTrees=5:BoostType=AdaBoost")
    assert [one.title for one in job.booked] == ["BDT", "Ada", "LD", "BDT2"]


def test_a_regression_compares_deviations(command, tmp_path):
    finished = command(
        "train", "--regression", "xml_fixtures/data/reg.root:TreeR", "--target", "fvalue", "-v", "var1", "-v", "var2",
        "--method", "LD", "--method", "BDT:NTrees=20", "--no-output-file", "-o", tmp_path,
    )  # fmt: skip
    assert finished.code == 0, finished.err
    table = finished.out[finished.out.index("Comparison, best first:") :].splitlines()
    assert table[1].split()[:3] == ["Method", "RMS", "deviation"]
    assert float(table[2].split()[1]) < float(table[3].split()[1])


def test_one_method_may_have_its_options_apart(command, toy, tmp_path):
    finished = command(*toy, "--method", "BDT", "--options", "NTrees=4", "--title", "Forest", "-q", "-o", tmp_path)
    assert finished.code == 0, finished.err
    assert model(tmp_path, "Forest").options.integer("NTrees") == 4


def test_the_defaults_find_what_those_of_tmva_do_not(command, toy, tmp_path):
    # these two alone are given, which keeps the rest
    finished = command(*toy, "--options", "NCycles=60:RandomSeed=1", "-o", tmp_path / "own")
    assert finished.code == 0, finished.err
    network = model(tmp_path / "own", "MLP")
    assert network.options.flag("UseRegulator")
    assert network.options.string("TrainingMethod") == "BFGS"
    assert network.options.integer("NCycles") == 60
    (line,) = (line for line in finished.out.splitlines() if line.startswith("MLP: the evidence favours "))
    assert line.endswith(f"VarTransform=N, HiddenLayers={network.options.string('HiddenLayers')}")
    finished = command(*toy, "--options", "NCycles=60", "--tmva-defaults", "-q", "-o", tmp_path / "tmva")
    old = model(tmp_path / "tmva", "MLP")
    assert (old.options.string("TrainingMethod"), old.options.string("VarTransform")) == ("BP", "None")
    rng = np.random.default_rng(9)
    a, noise = rng.normal(size=(2, 500))
    events = {"a": 1e-3 * a, "b": 1e4 * (0.8 * a + 0.6 * noise)}
    assert network.predict(events).mean() > 0.7
    assert abs(old.predict(events).mean() - 0.5) < 0.1


def test_many_networks_are_tried_shortly_and_the_best_of_them_to_the_end(monkeypatch, toy):
    calls = []

    def search(loader, space, *, options, score, **_):
        tried = space[::-1]
        (cycles,) = (one for one in options.split(":") if one.startswith("NCycles="))
        calls.append((cycles, tried, score))
        trials = [Trial(one, with_choice(options, one), (0.0,), 10, 0.0) for one in tried]  # the best comes first
        return SearchResult("MLP", "log evidence", tuple(trials))

    monkeypatch.setattr(train, "search", search)
    job = train.job_of(build_parser().parse_args([*toy, "-o", "unused"]))
    (booked,) = (train._completed(one, job) for one in job.booked)
    decided = train._decided(booked, job, job.loader(), 1, quiet=True)
    short, last = calls
    assert (short[0], len(short[1]), short[2]) == ("NCycles=150", 27, "evidence")
    assert last == ("NCycles=500", short[1][:3][::-1], "evidence")
    assert decided.options.endswith(":NCycles=500:UseRegulator:VarTransform=N:HiddenLayers=N+5,N:RandomSeed=10")


def test_only_long_trainings_have_shorter_ones():
    assert shortened("MLP", "NCycles=151:TrainingMethod=BFGS", CLASSIFICATION) == "TrainingMethod=BFGS:NCycles=150"
    assert shortened("MLP", "NCycles=150", CLASSIFICATION) == ""


def test_what_is_given_is_kept():
    assert with_defaults("MLP", "", CLASSIFICATION, 2) == "TrainingMethod=BFGS:NeuronType=tanh:NCycles=500:UseRegulator"
    assert with_defaults("MLP", "!UseRegulator", CLASSIFICATION, 2).endswith("NCycles=500:!UseRegulator")
    assert "UseRegulator" not in with_defaults("MLP", "", MULTICLASS, 2)
    # who names the training method has chosen the training
    for given in ("TrainingMethod=BFGS:NCycles=5", "BFGS", "TrainingMethod=BP"):
        assert with_defaults("MLP", given, CLASSIFICATION, 2) == given
    grad = with_defaults("BDT", "MaxDepth=4:BoostType=Grad", CLASSIFICATION, 2)
    assert "Shrinkage=0.05" in grad
    assert grad.endswith("MaxDepth=4:BoostType=Grad")
    assert grad.count("MaxDepth") == grad.count("BoostType") == 1
    bagging = with_defaults("BDT", "BoostType=Bagging", CLASSIFICATION, 2)
    assert "Shrinkage" not in bagging
    assert "AdaBoostBeta" not in bagging
    assert with_defaults("Fisher", "H", CLASSIFICATION, 2) == "H"


def test_tails_are_made_gaussian_if_the_evidence_is_for_it():
    rng = np.random.default_rng(1)
    columns = [rng.normal(size=500), rng.lognormal(0.0, 2.5, 500), rng.integers(0, 2, 500), np.full(500, 3.0)]
    columns[2][0] = 90  # few values, and one far away
    variables = np.array(columns, dtype=np.float32).T
    regulated = with_defaults("MLP", "", CLASSIFICATION, 4)
    first, second = open_choices("MLP", regulated, CLASSIFICATION, variables)
    assert first == [{"VarTransform": "N"}, {"VarTransform": "G(_V1_),N"}]
    assert second == [
        {"HiddenLayers": layers, "RandomSeed": seed}
        for layers, last in (("N+5", 3), ("N+3,N", 12), ("N+5,N", 12))
        for seed in range(1, last + 1)
    ]
    assert open_choices("MLP", f"{regulated}:VarTransform=N:RandomSeed=7", CLASSIFICATION, variables) == [
        [{"HiddenLayers": "N+5"}, {"HiddenLayers": "N+3,N"}, {"HiddenLayers": "N+5,N"}]
    ]
    assert open_choices("MLP", f"{regulated}:VarTransform=N:HiddenLayers=7", CLASSIFICATION, variables) == [
        [{"RandomSeed": seed} for seed in range(1, 13)]
    ]
    without = open_choices("MLP", "TrainingMethod=BP", CLASSIFICATION, variables)
    assert without == [[{"VarTransform": "N"}], [{"HiddenLayers": "N+5", "RandomSeed": 1}]]
    assert open_choices("BDT", "", CLASSIFICATION, variables) == []


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("BDT", Booked("BDT")),
        ("BDT:NTrees=4:!H", Booked("BDT", "", "NTrees=4:!H")),
        ("my one=BDT:NTrees=4", Booked("BDT", "my one", "NTrees=4")),
        ({"method": "BDT", "options": {"NTrees": 4, "H": False}}, Booked("BDT", "", "NTrees=4:!H")),
    ],
)
def test_ways_to_write_a_method(given, expected):
    assert Booked.of(given) == expected


def test_the_configuration_must_say_the_method(fails, tmp_path):
    (tmp_path / "c.json").write_text('{"methods": [{"title": "BDT"}]}')
    assert "has the keys method, title and options" in fails("train", "--config", tmp_path / "c.json", "-o", tmp_path)


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("f.root: the cut of AddTree cannot be used: x", "f.root: --cut cannot be used: x"),
        ('write SetWeightExpression("...", "Signal")', "write --weight Signal=..."),
        ("remove them by a cut in PrepareTrainingAndTestTree", "remove them with --cut"),
        (
            'options, e.g. BookMethod(loader, TMVA.Types.kFisher, "BoostedFisher", "Boost_Num=20")',
            "options, e.g. --method Fisher:Boost_Num=20",
        ),
    ],
)
def test_messages_name_options_of_the_command(message, words):
    assert in_words_of_the_command(message) == words
