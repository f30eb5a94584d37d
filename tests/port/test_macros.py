"""Whole macros: all is translated, clean, and gives what the package gives when it is driven by hand."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import uproot
from lxml import etree

import pytmva_bnn as TMVA
from pytmva_bnn.port import translate
from pytmva_bnn.random import TRandom3

pytest.importorskip("tree_sitter_cpp")

NAMES = sorted(path.stem for path in (Path(__file__).resolve().parent / "macros").glob("*.C"))
RUFF = Path(sys.executable).with_name("ruff")
PROJECT = Path(__file__).resolve().parent.parent.parent
QUIET = "!V:Silent:!Color:!DrawProgressBar"


def weights(path: str | Path) -> str:
    """The weight file without date and machine."""
    root = etree.parse(path).getroot()
    for info in root.findall("GeneralInfo"):
        root.remove(info)
    return etree.tostring(root, encoding="unicode")


# ---- text -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_everything_is_translated(name, macro):
    translation = translate(macro(name), filename=f"{name}.C")
    assert translation.n_left == 0, translation.notes
    assert "TODO" not in translation.text
    assert translation.n_translated > 20


@pytest.mark.parametrize("vectorise", [False, True])
@pytest.mark.skipif(not RUFF.exists(), reason="ruff is not installed")
def test_the_result_is_clean(vectorise, macro, tmp_path):
    for name in NAMES:
        text = translate(macro(name), filename=f"{name}.C", vectorise=vectorise).text
        compile(text, name, "exec")
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    command = [str(RUFF), "check", "--isolated", "--no-cache", "--line-length", "120", "--select", "E,F,W,I", "."]
    outcome = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)  # noqa: S603
    assert outcome.returncode == 0, outcome.stdout


def test_comments_blank_lines_and_names_stay(macro):
    text = translate(macro("classification"), filename="classification.C").text
    assert '    Use["MLP"] = 1  # the recommended one\n' in text
    assert '    # if (Use["Likelihood"])\n' in text
    assert "\n\n    # global event weights per tree\n    signalWeight = 1.0\n" in text
    assert text.startswith(
        '"""Translated from the C++ macro classification.C by pytmva-bnn port."""\n\n# Project : search'
    )


def test_other_methods_are_named_and_switched_off(macro):
    translation = translate(macro("classification"), filename="classification.C")
    assert translation.skipped == ("PyKeras",)
    assert '    Use["PyKeras"] = 0  # was on; not available here; a bridge\n' in translation.text


def test_translating_twice_gives_the_same(macro):
    assert translate(macro("application")) == translate(macro("application"))


# ---- training -------------------------------------------------------------------------------------------------------


def classification_by_hand() -> None:
    loader = TMVA.DataLoader("byhand")
    loader.AddVariable("myvar1 := var1+var2", "F")
    loader.AddVariable("myvar2 := var1-var2", "Expression 2", "", "F")
    loader.AddVariable("var3", "Variable 3", "units", "F")
    loader.AddVariable("var4", "Variable 4", "units", "F")
    loader.AddSpectator("spec1 := var1*2", "Spectator 1", "units")
    loader.AddSignalTree("toy.root:TreeS")
    loader.AddBackgroundTree("toy.root:TreeB")
    loader.SetBackgroundWeightExpression("weight")
    split = "nTrain_Signal=200:nTrain_Background=200:SplitMode=Random:NormMode=NumEvents:!V"
    loader.PrepareTrainingAndTestTree("", "var1 > -4", split)
    factory = TMVA.Factory("classification", f"{QUIET}:AnalysisType=Classification")
    common = "!H:!V:NeuronType=tanh:VarTransform=N:NCycles=5"
    factory.BookMethod(loader, TMVA.Types.kMLP, "MLP", f"{common}:HiddenLayers=N+1:TestRate=5:!UseRegulator")
    options = f"{common}:HiddenLayers=3:TestRate=5:TrainingMethod=BFGS:!UseRegulator"
    factory.BookMethod(loader, TMVA.Types.kMLP, "MLPBFGS", options)
    factory.TrainAllMethods()


def test_classification(macro, run, capsys):
    run(translate(macro("classification"), filename="classification.C").text)
    printed = capsys.readouterr().out
    assert "--- classification      : Using input file: ./toy.root\n" in printed
    assert printed.rstrip().endswith("==> classification is done!")
    classification_by_hand()
    for title in ("MLP", "MLPBFGS"):
        file = f"weights/classification_{title}.weights.xml"
        assert weights(f"dataset/{file}") == weights(f"byhand/{file}")


def test_every_method_is_booked_as_in_the_python_macro_and_trained(macro, run, folder):
    shutil.copy(PROJECT / "xml_fixtures" / "data" / "class.root", folder / "tmva_class_example.root")
    translation = translate(macro("every_method"), filename="every_method.C")
    python = (PROJECT / "tests/compat/macros/every_method.py").read_text(encoding="utf-8")
    booked = re.findall(r'\("k(\w+)", "(\w+)", "([^"]+)"\)', python)
    assert len(booked) == 25
    assert re.findall(r'Types\.k(\w+), "(\w+)", "!H:!V:([^"]+)"', joined(translation.text)) == booked
    assert translation.skipped == ("DNN_CPU",)
    run(translation.text)
    written = {path.name for path in (folder / "dataset/weights").glob("*.xml")}
    assert written == {f"Every_{title}.weights.xml" for title in ("Category", *(title for _, title, _ in booked))}
    with uproot.open(folder / "TMVA.root") as file:
        assert {"Category", *(title for _, title, _ in booked)} <= set(file["dataset/TestTree"].keys())


def joined(text):
    """The text with calls and literals on one line."""
    return re.sub(r"\s*\n\s*", " ", re.sub(r'"\s*\n\s*"', "", text)).replace("( ", "(")


def test_classification_with_a_list_of_methods(macro, run):
    run(translate(macro("classification"), filename="classification.C").text, "-b", "MLPBFGS")
    assert [path.name for path in Path("dataset/weights").glob("*.xml")] == ["classification_MLPBFGS.weights.xml"]


def test_unknown_methods_are_reported_as_in_cpp(macro, run, capsys):
    outcome = run(translate(macro("classification"), filename="classification.C").text, "XYZ")
    assert outcome == {"exit code": 1}
    assert (
        'Method "XYZ" is not known. Choose among:\nBDT MLP MLPBFGS MLPBNN PyKeras PyKerasD \n'
        in capsys.readouterr().out
    )


def test_root5_factory(macro, run):
    run(translate(macro("root5_factory"), filename="root5_factory.C").text)
    translated = weights("weights/old_MLP.weights.xml")
    factory = TMVA.Factory("old", QUIET)
    for number in range(1, 5):
        factory.AddVariable(f"var{number}", "F")
    factory.SetInputTrees("toy.root:TreeS", "toy.root:TreeB", 1.0, 0.5)
    factory.SetWeightExpression("weight")
    factory.PrepareTrainingAndTestTree("(var1>-3) && (var2<3)", 150, 150, 100, 100, "SplitMode=Alternate:!V")
    options = "!H:!V:NeuronType=sigmoid:VarTransform=N:NCycles=4:HiddenLayers=4:TestRate=2"
    factory.BookMethod(TMVA.Types.kMLP, "MLP", options)
    factory.TrainAllMethods()
    assert translated == weights("weights/old_MLP.weights.xml")


def test_regression(macro, run):
    run(translate(macro("regression"), filename="regression.C").text)
    loader = TMVA.DataLoader("byhand")
    loader.AddVariable("var1", "Variable 1", "units", "F")
    loader.AddVariable("var2", "Variable 2", "units", "F")
    loader.AddSpectator("spec1:=var1*2", "Spectator 1", "units")
    loader.AddTarget("fvalue")
    loader.AddRegressionTree("toy.root:TreeR", 1.0)
    loader.SetWeightExpression("var1", "Regression")
    split = "nTrain_Regression=300:nTest_Regression=0:SplitMode=Random:NormMode=NumEvents:!V"
    loader.PrepareTrainingAndTestTree("var2 < 4.9", split)
    factory = TMVA.Factory("regression", f"{QUIET}:AnalysisType=Regression")
    options = (
        "!H:!V:VarTransform=Norm:NeuronType=tanh:NCycles=6:HiddenLayers=4:TestRate=6:TrainingMethod=BFGS"
        ":Sampling=0.3:SamplingEpoch=0.8:ConvergenceImprove=1e-6:ConvergenceTests=15:!UseRegulator"
    )
    factory.BookMethod(loader, TMVA.Types.kMLP, "MLP", options)
    factory.TrainAllMethods()
    file = "weights/regression_MLP.weights.xml"
    assert weights(f"datareg/{file}") == weights(f"byhand/{file}")


def test_multiclass(macro, run):
    run(translate(macro("multiclass"), filename="multiclass.C").text)
    loader = TMVA.DataLoader("byhand")
    for number in range(1, 5):
        loader.AddVariable(f"var{number}", "F")
    for class_name, tree in {"Signal": "TreeS", "bg0": "TreeB0", "bg1": "TreeB1", "bg2": "TreeB2"}.items():
        loader.AddTree(f"toy.root:{tree}", class_name)
    loader.PrepareTrainingAndTestTree("", "SplitMode=Random:NormMode=NumEvents:!V")
    factory = TMVA.Factory("multi", f"{QUIET}:AnalysisType=Multiclass")
    options = "!H:!V:NeuronType=tanh:NCycles=5:HiddenLayers=N,3:TestRate=5:EstimatorType=MSE"
    factory.BookMethod(loader, TMVA.Types.kMLP, "MLP", options)
    factory.TrainAllMethods()
    assert weights("multidata/weights/multi_MLP.weights.xml") == weights("byhand/weights/multi_MLP.weights.xml")


def test_a_scan_of_layouts(macro, run, capsys):
    run(translate(macro("layouts"), filename="layouts.C").text)
    loader = TMVA.DataLoader("byhand")
    loader.AddVariable("var1")
    loader.AddVariable("var2")
    loader.AddVariable("var3", "third", "GeV", "F")
    loader.AddSignalTree("toy.root:TreeS")
    loader.AddBackgroundTree("toy.root:TreeB")
    numbers = "nTrain_Signal=100:nTrain_Background=100:nTest_Signal=50:nTest_Background=50"
    loader.PrepareTrainingAndTestTree("(var1 > -5) && (var2 < 5)", f"{numbers}:SplitMode=Random:!V")
    factory = TMVA.Factory("layouts", f"{QUIET}:AnalysisType=Classification")
    for neurons, method in ((2, "BFGS"), (4, "BP")):
        options = f"NCycles=3:HiddenLayers={neurons}:TrainingMethod={method}"
        options = f"!H:!V:NeuronType=tanh:VarTransform=N,G_Signal:{options}"
        factory.BookMethod(loader, "MLP", f"MLP_0{neurons}", options)
    factory.TrainAllMethods()
    for neurons in (2, 4):
        file = f"weights/layouts_MLP_0{neurons}.weights.xml"
        assert weights(f"scan/{file}") == weights(f"byhand/{file}")
    printed = capsys.readouterr().out
    assert printed.startswith("signal events: 400\n2 layouts, on average 8.0 half weights (all)\n")
    assert "k = 0, m = 10\nk = 1, m = 9\nk = 3, m = 7\ntook some time\n" in printed


def test_events_one_by_one(macro, run):
    run(translate(macro("single_events"), filename="single_events.C").text)
    random = TRandom3(4711)
    loader = TMVA.DataLoader("byhand")
    loader.AddVariable("x")
    loader.AddVariable("y", "F")
    for class_name, shift in (("Signal", 0.5), ("Background", -0.5)):
        for number in range(60):
            event = [-1 + 2 * random.rndm() + shift, random.rndm() * shift - 1.0 / 3]
            (loader.AddTrainingEvent if number < 30 else loader.AddTestEvent)(class_name, event, 1.0)
    loader.PrepareTrainingAndTestTree("", "SplitMode=Random:!V")
    factory = TMVA.Factory("single", f"{QUIET}:AnalysisType=Classification")
    options = "!H:!V:NCycles=4:HiddenLayers=3:NeuronType=tanh:VarTransform=N"
    factory.BookMethod(loader, TMVA.Types.kMLP, "MLP3", options)
    factory.TrainAllMethods()
    assert weights("single/weights/single_MLP3.weights.xml") == weights("byhand/weights/single_MLP3.weights.xml")


def test_fake_rate_with_errors(macro, run, capsys):
    run(translate(macro("fakerate_bnn"), filename="fakerate_bnn.C").text, "110")
    loader = TMVA.DataLoader("byhand")
    loader.AddVariable("var1", "F")
    loader.AddVariable("var2", "F")
    loader.AddTree("toy.root:TreeS", "Signal", 1.0, "var3 > -3", "Training and Testing")
    loader.AddTree("toy.root:TreeB", "Background", 1.0)
    split = "nTrain_Signal=110:nTrain_Background=110:SplitMode=Block:NormMode=None:!V"
    loader.PrepareTrainingAndTestTree("", "var4<10", split)
    factory = TMVA.Factory("fakerate", f"{QUIET}:AnalysisType=Classification")
    options = "!H:!V:NeuronType=tanh:VarTransform=N:NCycles=20:HiddenLayers=3:TrainingMethod=BFGS:EstimatorType=CE"
    method = factory.BookMethod(loader, TMVA.Types.kMLP, "BNN", f"{options}:UseRegulator:CalculateErrors")
    factory.TrainAllMethods()
    assert weights("fakes/weights/fakerate_BNN.weights.xml") == weights("byhand/weights/fakerate_BNN.weights.xml")
    points = np.array([-1.0, 0.0, 1.5])
    found = method.model.predict(np.stack([points, abs(points) / 2], axis=1), errors=True)
    lines = [f"{v:8.4f} {lo:.4f} {up:.4f}" for v, lo, up in zip(found.value, found.lower, found.upper, strict=True)]
    assert Path("fakerate.txt").read_text().splitlines() == lines
    assert f"P = {method.model.predict([[0.5, -0.25]])[0]:g}\n" in capsys.readouterr().out


# ---- application -----------------------------------------------------------------------------------------------------


@pytest.fixture
def trained(folder: Path) -> TMVA.Model:
    classification_by_hand()
    Path("byhand").rename("dataset")
    return TMVA.load("dataset/weights/classification_MLP.weights.xml")


@pytest.mark.parametrize("vectorise", [False, True])
def test_application(vectorise, macro, run, trained):
    translation = translate(macro("application"), filename="application.C", vectorise=vectorise)
    run(translation.text)
    assert ("for ievt in range" in translation.text) != vectorise
    with uproot.open("toy.root") as file:
        events = file["TreeS"].arrays(library="np")
    responses = trained.predict(events)
    with uproot.open("TMVApp.root") as file:
        assert sorted(file.keys(cycle=False)) == ["MVA_MLP", "var3"]
        counts, edges = file["MVA_MLP"].to_numpy()
        np.testing.assert_array_equal(counts, np.histogram(responses, edges)[0])
        assert file["MVA_MLP"].member("fEntries") == 400
        assert file["MVA_MLP"].classname == "TH1F"
        counts, edges = file["var3"].to_numpy()
        np.testing.assert_allclose(counts, 2 * np.histogram(events["var3"], edges)[0])


def test_a_tree_of_responses(macro, run, capsys):
    run(translate(macro("regression"), filename="regression.C").text)
    capsys.readouterr()
    run(translate(macro("ntuple_maker"), filename="ntuple_maker.C").text)
    model = TMVA.load("datareg/weights/regression_MLP.weights.xml")
    with uproot.open("toy.root") as file:
        responses = np.tile(model.predict(file["TreeR"].arrays(library="np"))[:, 0], 2)
    with uproot.open("friend.root") as file:
        columns = file["friend"].arrays(library="np")
    np.testing.assert_array_equal(columns["target"], responses)
    np.testing.assert_array_equal(columns["iev"], np.arange(1000))
    np.testing.assert_array_equal(columns["pass"], responses > 50)
    n = int((responses > 50).sum())
    assert f"{n} of 1000 events pass: {n / 1000:.3f}\n" in capsys.readouterr().out
