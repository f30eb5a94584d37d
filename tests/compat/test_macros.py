"""PyROOT macros of all ages run with their import line changed, and train the networks that the native API trains."""

import re
import shutil
from pathlib import Path

import numpy as np
import pytest
import uproot

import pytmva_bnn as TMVA
from pytmva_bnn.methods import kinds

MACROS = Path(__file__).parent / "macros"
PROJECT = Path(__file__).resolve().parent.parent.parent

QUIET = "!V:Silent:!DrawProgressBar"


@pytest.fixture(scope="module")
def classification(folder_with_toys, run_macro):
    """The folder in which classification.py has run, and what it showed."""
    folder = folder_with_toys("classification")
    return folder, run_macro("classification", folder)


def assert_same_network(macro_file, native_file):
    macro, native = TMVA.load(macro_file), TMVA.load(native_file)
    assert macro.network.layer_sizes == native.network.layer_sizes
    for ours, theirs in zip(macro.network.matrices, native.network.matrices, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert [v.expression for v in macro.variables] == [v.expression for v in native.variables]
    assert [v.title for v in macro.variables] == [v.title for v in native.variables]
    assert [v.expression for v in macro.spectators] == [v.expression for v in native.spectators]
    assert not np.array_equal(macro.network.matrices[0], np.zeros_like(macro.network.matrices[0]))


def trained(loader, analysis, *bookings, job="job"):
    """Train natively and return the factory; the weight files are in the working directory."""
    factory = TMVA.Factory(job, f"{QUIET}:AnalysisType={analysis}")
    for title, options in bookings:
        factory.BookMethod(loader, TMVA.Types.kMLP, title, options)
    factory.TrainAllMethods()
    return factory


def tutorial_variables(loader):
    loader.AddVariable("myvar1 := var1+var2", "F")
    loader.AddVariable("myvar2 := var1-var2", "Expression 2", "", "F")
    loader.AddVariable("var3", "Variable 3", "units", "F")
    loader.AddVariable("var4", "Variable 4", "units", "F")


@pytest.fixture
def native(toys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_classification_tutorial_trains_the_networks_of_the_native_api(classification, toys, native):
    folder, shown = classification
    loader = TMVA.DataLoader("dataset")
    tutorial_variables(loader)
    loader.AddSpectator("spec1 := var1*2", "Spectator 1", "units")
    loader.AddSpectator("spec2 := var1*3", "Spectator 2", "units")
    loader.AddSignalTree(f"{toys}/tmva_class_example.root:TreeS", 1.0)
    loader.AddBackgroundTree(f"{toys}/tmva_class_example.root:TreeB", 1.0)
    loader.SetBackgroundWeightExpression("weight")
    loader.PrepareTrainingAndTestTree(
        "", "", "nTrain_Signal=300:nTrain_Background=300:SplitMode=Random:NormMode=NumEvents:!V"
    )
    bnn = "!H:!V:NeuronType=tanh:VarTransform=N:NCycles=12:HiddenLayers=4:TestRate=5:TrainingMethod=BFGS:UseRegulator"
    factory = trained(
        loader,
        "Classification",
        ("MLP", "!H:!V:NeuronType=tanh:VarTransform=N:NCycles=10:HiddenLayers=N+1:TestRate=5:!UseRegulator"),
        ("MLPBNN", bnn),
        job="TMVAClassification",
    )
    for title in ("MLP", "MLPBNN"):
        file = f"dataset/weights/TMVAClassification_{title}.weights.xml"
        assert_same_network(folder / file, native / file)
    assert f"ROC integral {factory.GetROCIntegral(loader, 'MLPBNN')}" in shown
    assert "Booking method: MLP" in shown
    assert "=== wrote root file TMVA.root" in shown


def test_the_output_file_of_the_tutorial_has_the_trees_of_the_factory(classification):
    folder, _ = classification
    with uproot.open(folder / "TMVA.root") as file:
        assert file["dataset/TestTree"].num_entries == 600
        assert "MLPBNN" in file["dataset/TrainTree"]


def test_the_application_fills_the_histograms_that_the_native_api_gives(classification, run_macro):
    folder, _ = classification
    shown = run_macro("application", folder)
    with uproot.open(folder / "tmva_class_example.root") as file:
        signal = file["TreeS"].arrays(library="np")
    with uproot.open(folder / "TMVApp.root") as file:
        assert file.classnames(cycle=False) == {"MVA_MLP": "TH1F", "MVA_MLPBNN": "TH1F", "both": "TH2D"}
        for title in ("MLP", "MLPBNN"):
            model = TMVA.load(folder / f"dataset/weights/TMVAClassification_{title}.weights.xml")
            responses = model.predict(signal)
            counts, _ = np.histogram(responses, bins=100, range=(-1.25, 1.5))
            np.testing.assert_array_equal(file[f"MVA_{title}"].values(), counts)
        assert file["both"].values().sum() == 600
        assert file["MVA_MLPBNN"].member("fXaxis").member("fTitle") == "response"
    first = TMVA.load(folder / "dataset/weights/TMVAClassification_MLP.weights.xml").predict(signal)
    assert f"mean {first.mean():.6f} rms {first.std():.6f} integral 600" in shown


def test_a_copy_of_the_tree_with_the_response_is_written(classification, run_macro):
    folder, _ = classification
    run_macro("friend_tree", folder)
    model = TMVA.load(folder / "dataset/weights/TMVAClassification_MLPBNN.weights.xml")
    with uproot.open(folder / "tmva_class_example.root") as data, uproot.open(folder / "scored.root") as scored:
        for name in ("TreeS", "TreeB"):
            original = data[name].arrays(library="np")
            kept = original["var3"] > -1
            copy = scored[name].arrays(library="np")
            np.testing.assert_array_equal(copy["var2"], original["var2"][kept])
            np.testing.assert_allclose(copy["mva"], model.predict(original)[kept], rtol=1e-6)
            np.testing.assert_array_equal(copy["passed"], copy["mva"] > 0.5)
            np.testing.assert_array_equal(copy["corners"][:, 0], original["var1"][kept].astype(np.float64))
            numbers = np.flatnonzero(kept)
            assert [len(jets) for jets in copy["jets"]] == [number % 3 for number in numbers]
            histogram = scored[f"plots/mva_{name}"]
            assert histogram.values().sum() == pytest.approx(1.0, rel=1e-6)
            assert histogram.variances().sum() > 0


def test_the_regression_trains_the_network_of_the_native_api(folder_with_toys, run_macro, toys, native):
    folder = folder_with_toys("regression")
    shown = run_macro("regression", folder)
    loader = TMVA.DataLoader("datasetreg")
    loader.AddVariable("var1", "Variable 1", "units", "F")
    loader.AddVariable("var2", "Variable 2", "units", "F")
    loader.AddSpectator("spec1:=var1*2", "Spectator 1", "units")
    loader.AddTarget("fvalue")
    loader.AddRegressionTree(f"{toys}/tmva_reg_example.root:TreeR")
    loader.SetWeightExpression("var1", "Regression")
    loader.PrepareTrainingAndTestTree(
        "var2 < 4.9", "nTrain_Regression=300:nTest_Regression=0:SplitMode=Random:NormMode=NumEvents:!V"
    )
    options = (
        "!H:!V:VarTransform=Norm:NeuronType=tanh:NCycles=20:HiddenLayers=N+3:TestRate=6:TrainingMethod=BFGS:"
        "Sampling=0.3:SamplingEpoch=0.8:ConvergenceImprove=1e-6:ConvergenceTests=15:!UseRegulator"
    )
    trained(loader, "Regression", ("MLP", options), job="TMVARegression")
    file = "datasetreg/weights/TMVARegression_MLP.weights.xml"
    assert_same_network(folder / file, native / file)
    assert "Booking" not in shown, "the Factory was told to be silent"
    assert uproot.open(folder / "TMVAReg.root")["datasetreg/TrainTree"].num_entries == 300


def test_the_multiclass_macro_trains_the_network_of_the_native_api(folder_with_toys, run_macro, toys, native):
    folder = folder_with_toys("multiclass")
    run_macro("multiclass", folder)
    loader = TMVA.DataLoader("dataset")
    for name in ("var1", "var2", "var3", "var4"):
        loader.AddVariable(name, "F")
    for tree, name in (("TreeS", "Signal"), ("TreeB0", "bg0"), ("TreeB1", "bg1"), ("TreeB2", "bg2")):
        loader.AddTree(f"{toys}/tmva_multiclass_example.root:{tree}", name)
    loader.PrepareTrainingAndTestTree("", "SplitMode=Random:NormMode=NumEvents:!V")
    options = "!H:!V:NeuronType=tanh:NCycles=10:HiddenLayers=N+2,4:TestRate=5:EstimatorType=MSE"
    trained(loader, "Multiclass", ("MLP", options), job="TMVAMulticlass")
    file = "dataset/weights/TMVAMulticlass_MLP.weights.xml"
    assert_same_network(folder / file, native / file)
    assert uproot.open(folder / "TMVAMulticlass.root")["dataset/TestTree"].num_entries == 1200


def test_the_notebook_with_keywords_trains_the_network_of_the_native_api(folder_with_toys, run_macro, toys, native):
    folder = folder_with_toys("notebook")
    shown = run_macro("notebook", folder)
    loader = TMVA.DataLoader("dataset")
    for name in ("var1", "var2", "var3", "var4"):
        loader.AddVariable(name)
    loader.AddSignalTree(f"{toys}/tmva_class_example.root:TreeS")
    loader.AddBackgroundTree(f"{toys}/tmva_class_example.root:TreeB")
    loader.SetBackgroundWeightExpression("weight")
    loader.PrepareTrainingAndTestTree(
        "var1 > -5",
        "var1 > -5",
        "nTrain_Signal=200:nTrain_Background=250:SplitMode=Random:NormMode=NumEvents:!V",
    )
    options = "!H:!V:NeuronType=tanh:VarTransform=N:NCycles=10:HiddenLayers=N+1:TestRate=5:!UseRegulator"
    trained(loader, "Classification", ("MLP", options))
    file = "dataset/weights/job_MLP.weights.xml"
    assert_same_network(folder / file, native / file)
    with uproot.open(toys / "tmva_class_example.root") as data:
        background = data["TreeB"].arrays(library="np")
    selected = background["var2"] > 0
    assert f"entries {np.count_nonzero(selected):.1f}" in shown
    mean = np.average(background["var1"][selected], weights=background["weight"][selected].astype(np.float64))
    assert f"mean {mean:.4f}" in shown
    with uproot.open(folder / "Higgs_output.root") as file:
        # what the Factory wrote, and beside it what the macro wrote into the same file
        assert "dataset/TestTree" in file
        np.testing.assert_allclose(file["h_var1"].values().sum(), background["weight"][selected].sum(), rtol=1e-6)


def test_a_factory_of_root_5_trains_the_network_of_the_native_api(folder_with_toys, run_macro, toys, native):
    folder = folder_with_toys("root5")
    shown = run_macro("root5_factory", folder)
    factory = TMVA.Factory("TMVAClassification", QUIET)
    tutorial_variables(factory)
    factory.AddSpectator("spec1:=var1*2", "Spectator 1", "units")
    factory.AddSignalTree(f"{toys}/tmva_class_example.root:TreeS", 1.0)
    factory.AddBackgroundTree(f"{toys}/tmva_class_example.root:TreeB", 1.0)
    factory.SetBackgroundWeightExpression("weight")
    factory.PrepareTrainingAndTestTree(
        "", "", "nTrain_Signal=0:nTrain_Background=0:SplitMode=Random:NormMode=NumEvents:!V"
    )
    options = "NeuronType=tanh:VarTransform=N:NCycles=8:HiddenLayers=N+1:TestRate=5:TrainingMethod=BFGS:!UseRegulator"
    factory.BookMethod(TMVA.Types.kMLP, "MLPBFGS", options)
    factory.TrainAllMethods()
    file = "weights/TMVAClassification_MLPBFGS.weights.xml"
    assert_same_network(folder / file, native / file)
    assert "TMVAGui: open" in shown
    assert (folder / "plots" / "report.html").exists()
    assert "TestTree" in uproot.open(folder / "TMVA.root")


def test_chains_cuts_and_weights_train_the_network_of_the_native_api(folder_with_toys, run_macro, toys, native):
    folder = folder_with_toys("chain")
    shown = run_macro("chain_analysis", folder)
    loader = TMVA.DataLoader("analysis")
    loader.AddVariable("logpt := log(pt)", "log(p_{T})", "", "F")
    loader.AddVariable("abs(eta)", "|#eta|", "", "F")
    loader.AddVariable("met", "missing E_{T}", "GeV", "F")
    loader.AddVariable("njets", "number of jets", "", "I")
    loader.AddSpectator("eventNumber")
    loader.AddSpectator("mt := sqrt(2*pt*met)")
    files = [f"{toys}/runs/run_{run}.root:events" for run in (1, 2, 3)]
    loader.AddSignalTree(files, 2.0)
    loader.AddBackgroundTree(files, 1.0)
    loader.SetSignalWeightExpression("genWeight*(njets > 0)")
    loader.SetBackgroundWeightExpression("genWeight")
    preselection = "pt > 10 && abs(eta) < 2.5"
    loader.PrepareTrainingAndTestTree(
        f"({preselection})&&(isSignal == 1)",
        f"({preselection})&&(isSignal == 0)",
        "nTrain_Signal=200:nTrain_Background=200:SplitMode=Alternate:NormMode=EqualNumEvents:!V",
    )
    options = (
        "!H:!V:NeuronType=tanh:VarTransform=N,D:NCycles=10:HiddenLayers=5:TrainingMethod=BFGS:CreateMVAPdfs:"
        "UseRegulator"
    )
    trained(loader, "Classification", ("NN_bfgs", options))
    # gConfig().GetIONames().fWeightFileDir
    assert_same_network(
        folder / "analysis/myweights/job_NN_bfgs.weights.xml", native / "analysis/weights/job_NN_bfgs.weights.xml"
    )
    assert "files: 3 entries: 1800" in shown
    events = [uproot.open(file).arrays(["pt", "eta", "isSignal"], library="np") for file in files]
    passing = sum(
        np.count_nonzero((e["pt"] > 10) & (np.abs(e["eta"]) < 2.5) & (e["isSignal"] == 1)) for e in events
    )  # fmt: skip
    assert f"signal: {passing} " in shown


def test_every_method_of_tmva_is_trained_and_compared_in_one_report(tmp_path, run_macro):
    shutil.copy(PROJECT / "xml_fixtures" / "data" / "class.root", tmp_path / "tmva_class_example.root")
    shown = run_macro("every_method", tmp_path)
    macro = (MACROS / "every_method.py").read_text(encoding="utf-8")
    booked = dict(re.findall(r"\(\"k(\w+)\", \"(\w+)\", ", macro)[::-1])
    # a Boost is booked as the method that it boosts
    assert {*booked, "Category", "Boost"} == set(kinds(trainable=True))
    titles = {*re.findall(r"\(\"k\w+\", \"(\w+)\", ", macro), "Category"}
    written = {path.name for path in (tmp_path / "dataset/weights").glob("*.xml")}
    assert written == {f"Every_{title}.weights.xml" for title in titles}
    assert TMVA.load(tmp_path / "dataset/weights/Every_BoostedFisher.weights.xml").file.kind == "Boost"
    integrals = dict(re.findall(r": dataset +(\w+) +: (0\.\d{3})$", shown, re.MULTILINE))
    assert set(integrals) == titles
    assert all(float(integral) > 0.6 for integral in integrals.values()), integrals
    with uproot.open(tmp_path / "TMVA.root") as file:
        tree = file["dataset/TestTree"]
        assert tree.num_entries == 2000
        assert titles <= set(tree.keys())
        fisher = TMVA.load(tmp_path / "dataset/weights/Every_Fisher.weights.xml")
        events = tree.arrays(["var1", "var2", "var3", "var4", "Fisher"], library="np")
        np.testing.assert_allclose(events["Fisher"], fisher.predict(events), rtol=1e-6)
    report = (tmp_path / "dataset/plots/report.html").read_text(encoding="utf-8")
    (section,) = re.findall(r'<section id="results".*?</section>', report, re.DOTALL)
    reported = dict(re.findall(r"<tr><td>(\w+)</td><td>(0\.\d{3})", section))
    assert set(reported) == titles
    for title, integral in reported.items():
        assert float(integral) == pytest.approx(float(integrals[title]), abs=0.0011), title


def test_of_many_methods_those_that_exist_are_trained_and_the_others_left_out(folder_with_toys, run_macro):
    folder = folder_with_toys("twelve")
    shown = run_macro("twelve_methods", folder, PYTMVA_BNN_SKIP_UNKNOWN_METHODS="1")
    macro = (MACROS / "twelve_methods.py").read_text()
    booked = re.findall(r'Types\.k(\w+), "(\w+)"', macro)
    here = [title for kind, title in booked if kind in kinds(trainable=True)]
    assert shown.count("here and is left out") == len(booked) - len(here)
    assert "BookMethod(DL, 'DNN_CPU')" in shown
    written = sorted(path.name for path in (folder / "dataset/weights").glob("*.xml"))
    assert written == sorted(f"Twelve_{title}.weights.xml" for title in here)
    assert "Twelve_MLPBNN.weights.xml" in written


def test_without_the_switch_another_method_is_an_error_that_tells_of_it(folder_with_toys, run_macro):
    folder = folder_with_toys("twelve_refused")
    shown = run_macro("twelve_methods", folder, succeeds=False)
    assert "this method cannot be trained here; available: BDT" in shown
    assert "PYTMVA_BNN_SKIP_UNKNOWN_METHODS=1" in shown
    assert not (folder / "TMVA12.root").exists(), "the file of a macro that crashed must not appear"


def test_events_given_in_vectors_train_a_network(folder_with_toys, run_macro):
    folder = folder_with_toys("vectors")
    shown = run_macro("event_vectors", folder)
    model = TMVA.load(folder / "vectors/weights/job_MLP.weights.xml")
    assert f"response {model.predict([[0.5, 0.1]])[0]:.5f}" in shown
