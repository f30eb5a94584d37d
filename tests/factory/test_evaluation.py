"""Testing and evaluation through the Factory against the tables of the real TMVA."""

import ctypes
from array import array

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation import BinaryResult, ranking_table, separation_ranking

FIRST_LINES = {
    "bfgs_n": "Evaluation results ranked by best signal efficiency and purity (area)",
    "reg_n": "Evaluation results ranked by smallest RMS on test sample:",
    "multi_n": "1-vs-rest performance metrics per class",
}


@pytest.fixture(scope="module", params=sorted(FIRST_LINES))
def evaluated(request, case_named, train_case):
    """A case trained, tested and evaluated."""
    factory = train_case(case_named(request.param))
    factory.TestAllMethods()
    factory.EvaluateAllMethods()
    return request.param, factory


def test_the_final_tables_are_tmvas(evaluated, case_named):
    name, factory = evaluated
    log = (case_named(name).folder.parent.parent / "evaluation" / f"{name}.txt").read_text().splitlines()
    theirs = [line.rstrip() for line in log[log.index(FIRST_LINES[name]) :]]
    ours = [line.rstrip() for line in factory.tables[0].splitlines()]
    ours = ours[ours.index(FIRST_LINES[name]) :]
    while ours and not ours[-1]:
        ours.pop()
    assert ours == theirs[: len(ours)]
    assert len(ours) > 8


def test_results_are_data_too(evaluated):
    _, factory = evaluated
    result = factory.results["dataset"]["MLP"]
    frame = result.to_pandas()
    assert len(frame) >= 1
    assert factory.GetMethod("dataset", "MLP").evaluate() is result


def test_roc_integrals_are_tmvas(case, train_case):
    if "roc_integral" not in case.booked or case.name in {"bnn_200", "fakerate_bnn"}:
        return  # not a classification, or rounding has led elsewhere
    factory = train_case(case)
    assert factory.GetROCIntegral("dataset", "MLP") == pytest.approx(case.booked["roc_integral"], abs=1e-6)


def test_what_a_binary_evaluation_can_be_asked(case_named, train_case):
    factory = train_case(case_named("mvapdfs"))
    method = factory.GetMethod("dataset", "MLP")
    result = method.evaluate()
    assert isinstance(result, BinaryResult)
    assert method.GetEfficiency() == result.area
    assert method.GetEfficiency("Efficiency:0.10") == result.efficiencies[1]
    assert method.GetTrainingEfficiency("Efficiency:0.10") == result.training_efficiencies[1]
    assert 0 < method.GetSeparation() < 1
    assert method.GetSignificance() > 0
    assert 0 < method.GetSignalReferenceCut() < 1
    assert 0.5 < method.GetROCIntegral() < 1
    assert result.probabilities is not None
    curve = factory.GetROCCurve("dataset", "MLP")
    assert curve.auc == factory.GetROCIntegral("dataset", "MLP")
    assert factory.GetROCIntegral("dataset", "MLP", 0, TMVA.Types.kTraining) == result.training_roc_integral
    assert list(factory.GetROCCurve("dataset")) == ["MLP"]
    assert "NCycles" in factory.PrintHelpMessage("dataset", "MLP")
    with pytest.raises(InputError, match=r"'Effciency:0\.1' is not of the form"):
        method.GetEfficiency("Effciency:0.1")


def test_rankings_name_the_variables(case_named, train_case):
    record = case_named("bfgs_n")
    ranking = train_case(record).methods[0].ranking
    log = (record.folder.parent.parent / "evaluation" / "bfgs_n.txt").read_text()
    for rank, (name, value) in enumerate(ranking.entries, start=1):
        assert f"{rank:4d} : {name:<9} : {value:.3e}" in log


def test_regression_has_no_roc_curve(case_named, train_case):
    factory = train_case(case_named("reg_n"))
    with pytest.raises(InputError, match="a regression has no ROC curve"):
        factory.GetROCIntegral("dataset", "MLP")
    with pytest.raises(InputError, match="GetSeparation is for classification"):
        factory.methods[0].GetSeparation()


def test_multiclass_curves_are_by_class(case_named, train_case):
    factory = train_case(case_named("multi_d_bp"))
    integrals = [factory.GetROCIntegral("dataset", "MLP", k) for k in range(4)]
    assert len(set(integrals)) == 4
    assert all(0.5 < one < 1 for one in integrals)
    with pytest.raises(InputError, match="there is no class 4; the 4 classes are Signal, bg0, bg1, bg2"):
        factory.GetROCIntegral("dataset", "MLP", 4)


def test_standalone_class_stands_beside_the_weight_file(case_named, trained_case):
    _, folder = trained_case(case_named("bfgs_n"))
    source = (folder / "dataset" / "weights" / "job_MLP.class.C").read_text()
    assert "class ReadMLP" in source
    assert "GetMvaValue" in source


def test_without_training_there_is_nothing_to_test(caplog):
    factory = TMVA.Factory("job", "!DrawProgressBar")
    with caplog.at_level("INFO"):
        factory.TrainAllMethods()
        factory.TestAllMethods()
        factory.EvaluateAllMethods()
    for what in ("train", "test", "evaluate"):
        assert f"...nothing found to {what}" in caplog.text
    assert factory.tables == ()
    assert dict(factory.results) == {}


def test_responses_are_kept(case_named, train_case):
    method = train_case(case_named("bfgs_n")).methods[0]
    responses = method.respond()
    assert responses is method.respond()
    assert responses.test.shape == (3500, 1)
    np.testing.assert_allclose(responses.training, responses.training_reread, atol=1e-6)


def test_the_output_file_holds_histograms_and_trees(case_named, tmp_path, monkeypatch):
    import uproot

    monkeypatch.chdir(tmp_path)
    record = case_named("mvapdfs")
    loader = TMVA.DataLoader("dataset")
    for name in record.booked["variables"]:
        loader.AddVariable(name)
    data = record.folder.parent.parent / "data" / record.booked["data"]
    for class_name, tree, _ in record.booked["trees"]:
        loader.AddTree(f"{data}:{tree}", class_name)
    loader.PrepareTrainingAndTestTree("", record.booked["prepare"])
    factory = TMVA.Factory("job", "TMVA.root", "Silent:!DrawProgressBar:Transformations=I;N")
    method = factory.BookMethod(loader, "MLP", "MLP", record.booked["options"])
    factory.TrainAllMethods()
    factory.TestAllMethods()
    factory.EvaluateAllMethods()
    with uproot.open("TMVA.root") as file:
        folder = file["dataset"]
        assert {"TestTree", "TrainTree", "Method_MLP", "InputVariables_Id", "InputVariables_Norm"} <= {
            key.split(";")[0] for key in folder.keys(recursive=False)
        }
        np.testing.assert_array_equal(folder["TestTree"]["MLP"].array(library="np"), method.respond().test[:, 0])
        assert folder["Method_MLP/MLP/MVA_MLP_S"].values().sum() > 0
        assert "prob_MLP" in folder["TrainTree"]


QUICK = "TrainingMethod=BFGS:NCycles=5:HiddenLayers=2:VarTransform=N"


def evaluated_toys(options, datasets=("dataset",), titles=("MLP",), target=None):
    """Train and evaluate classifiers of two variables."""
    factory = TMVA.Factory("job", target, f"Silent:!DrawProgressBar:!ModelPersistence{options}")
    for name in datasets:
        rng = np.random.default_rng(1)
        loader = TMVA.DataLoader(name)
        loader.AddVariable("x")
        loader.AddVariable("y", "Title of y", "GeV", "F")
        loader.AddSignalTree({"x": rng.normal(1, 1, 200), "y": rng.normal(0, 1, 200)})
        loader.AddBackgroundTree({"x": rng.normal(-1, 1, 200), "y": rng.normal(0, 1, 200)})
        for seed, title in enumerate(titles, start=1):
            factory.BookMethod(loader, "MLP", title, f"{QUICK}:RandomSeed={seed}")
    factory.TrainAllMethods()
    factory.TestAllMethods()
    factory.EvaluateAllMethods()
    return factory


def test_networks_of_the_output_file_are_numbered_over_all_data_sets(tmp_path, monkeypatch):
    import uproot

    monkeypatch.chdir(tmp_path)
    evaluated_toys("", datasets=("one", "two"), titles=("A", "B"), target="TMVA.root")
    with uproot.open("TMVA.root") as file:
        found = {
            f"{name}/{title}": [key for key in file[f"{name}/Method_MLP/{title}"].keys(cycle=False) if "Epoch" in key]
            for name in ("one", "two")
            for title in ("A", "B")
        }
    assert found == {
        "one/A": ["EpochMonitoring"],
        "one/B": ["EpochMonitoring_   1"],
        "two/A": ["EpochMonitoring_   2"],
        "two/B": ["EpochMonitoring_   3"],
    }


def test_without_roc_there_are_no_final_tables_of_classification(caplog):
    with caplog.at_level("INFO"):
        factory = evaluated_toys(":!ROC")
    assert factory.tables == ()
    assert "Evaluation results ranked" not in caplog.text
    assert "Correlations between input variables" not in caplog.text
    assert factory.results["dataset"]["MLP"].roc_integral > 0.5


def test_correlations_come_before_the_final_tables(caplog):
    with caplog.at_level("INFO"):
        factory = evaluated_toys(":Correlations", titles=("A", "B"))
    (text,) = factory.tables
    logged = [record.getMessage() for record in caplog.records]
    start = logged.index("Dataset[dataset] : Inter-MVA correlation matrix (signal):")
    assert logged[start : start + len(text.split("\n"))] == text.split("\n")
    headings = [line for line in text.split("\n") if line.endswith(":") and "Dataset[" in line]
    assert headings[2] == "Dataset[dataset] : Correlations between input variables and MVA response (signal):"
    assert text.index("Inter-MVA overlap matrix (background):") < text.index("Evaluation results ranked")
    cuts = [method.GetSignalReferenceCut() for method in factory.methods]
    assert all(f"      {title}:     {cut:+1.3f}" in text for title, cut in zip("AB", cuts, strict=True))
    assert "Inter-MVA" not in evaluated_toys(":Correlations:!ROC").tables[0]


def test_tables_come_in_the_order_of_the_data_sets_names(caplog):
    with caplog.at_level("INFO"):
        factory = evaluated_toys("", datasets=("second", "first"))
    assert ["first  " in text for text in factory.tables] == [True, False]
    assert list(factory.results) == ["first", "second"]
    messages = [record.getMessage() for record in caplog.records]
    assert messages[-2:] == ["", "Thank you for using this implementation of TMVA"]
    lines = [line for text in factory.tables for line in text.split("\n")]
    assert messages[-1 - len(lines) : -1] == lines


def test_the_roc_curves_of_all_methods_come_by_class_number_too():
    factory = evaluated_toys("", titles=("A", "B"))
    assert list(factory.GetROCCurve("dataset", 0)) == ["A", "B"]
    training = factory.GetROCCurve("dataset", 0, TMVA.Types.kTraining)
    assert training["B"].auc == factory.GetROCIntegral("dataset", "B", 0, TMVA.Types.kTraining)
    assert training["B"].auc != factory.GetROCCurve("dataset", 0)["B"].auc


def test_efficiencies_put_their_errors_where_pyroot_does():
    method = evaluated_toys("").GetMethod("dataset", "MLP")
    expected = method.evaluate().efficiencies[1], method.evaluate().efficiency_errors[1]
    number, numbers = ctypes.c_double(0), array("d", [0])
    assert method.GetEfficiency("Efficiency:0.10", TMVA.Types.kTesting, number) == expected[0]
    assert method.GetEfficiency("Efficiency:0.10", TMVA.Types.kTesting, numbers) == expected[0]
    assert (number.value, numbers[0]) == (expected[1], expected[1])
    assert method.GetEfficiency("Efficiency:0.10", TMVA.Types.kTesting) == expected[0]
    with pytest.raises(InputError, match=r"written into this argument; give ctypes\.c_double"):
        method.GetEfficiency("Efficiency:0.10", TMVA.Types.kTesting, 0.0)
    with pytest.raises(InputError, match="call GetTrainingEfficiency for the training events"):
        method.GetEfficiency("Efficiency:0.10", TMVA.Types.kTraining)


@pytest.mark.parametrize(
    ("target", "options", "shown"),
    [
        ("TMVA.root", "", True),
        ("TMVA.root", ":Transformations=D;I", True),
        ("TMVA.root", ":Transformations=D", False),
        (None, "", False),
    ],
)
def test_input_variables_are_ranked_for_the_output_file(target, options, shown, caplog, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with caplog.at_level("INFO"):
        factory = evaluated_toys(options, target=target)
    messages = [record.getMessage() for record in caplog.records]
    assert ("Ranking input variables (method unspecific)..." in messages) is shown
    if shown:
        training = factory.methods[0].dataset.training
        ranking = separation_ranking(training.variables, training.weights, training.class_index, ["x", "Title of y"])
        start = messages.index("Ranking input variables (method unspecific)...") + 1
        assert messages[start : start + 7] == ranking_table(ranking)[:7]


def test_input_variables_are_ranked_after_the_last_chain_that_begins_with_i(caplog, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tables = []
    for chains in ("I", "I,D", "I;I,D;P"):
        caplog.clear()
        with caplog.at_level("INFO"):
            evaluated_toys(f":Transformations={chains}", target="TMVA.root")
        messages = [record.getMessage() for record in caplog.records]
        start = messages.index("Ranking input variables (method unspecific)...") + 1
        tables.append(messages[start : start + 7])
    assert tables[0] != tables[1] == tables[2]


@pytest.mark.parametrize("kind", ["Regression", "Multiclass"])
def test_input_variables_of_other_analyses_are_ranked_by_the_target_or_not(kind, caplog, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    if kind == "Regression":
        loader.AddTarget("t")
        loader.AddRegressionTree({"x": np.arange(100.0), "t": np.arange(100.0) ** 2})
    else:
        for name in ("a", "b", "c"):
            loader.AddTree({"x": rng.normal(size=50)}, name)
    factory = TMVA.Factory("job", "TMVA.root", f"Silent:!DrawProgressBar:!ModelPersistence:AnalysisType={kind}")
    factory.BookMethod(loader, "MLP", "MLP", QUICK)
    with caplog.at_level("INFO"):
        factory.TrainAllMethods()
    assert "Ranking input variables (method unspecific)..." in caplog.text
    discriminators = ("|Correlation with target|", "Mutual information", "Correlation Ratio", "Correlation Ratio (T)")
    assert {f"Rank : Variable  : {one}" in caplog.text for one in discriminators} == {kind == "Regression"}


def test_root_5_factories_write_to_the_top_of_the_file(tmp_path, monkeypatch):
    import uproot

    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    factory = TMVA.Factory("job", "TMVA.root", "Silent:!DrawProgressBar")
    factory.AddVariable("x")
    factory.AddSignalTree({"x": rng.normal(1, 1, 200)})
    factory.AddBackgroundTree({"x": rng.normal(-1, 1, 200)})
    factory.BookMethod("MLP", "MLP", "TrainingMethod=BFGS:NCycles=5:HiddenLayers=2")
    factory.TrainAllMethods()
    factory.EvaluateAllMethods()
    with uproot.open("TMVA.root") as file:
        assert "TestTree" in {key.split(";")[0] for key in file.keys(recursive=False)}


def test_the_largest_significance_is_that_of_the_best_cut(caplog):
    method = evaluated_toys("").GetMethod("dataset", "MLP")
    value = ctypes.c_double(0)
    with caplog.at_level("INFO"):
        cut = method.GetMaximumSignificance(100.0, 300.0, value)
    passing, number = method.respond().test[:, 0] > cut, method.dataset.test.class_index
    n_signal, n_background = 100.0 * passing[number == 0].mean(), 300.0 * passing[number == 1].mean()
    assert value.value == pytest.approx(n_signal / np.sqrt(n_signal + n_background), rel=0.01)
    assert [record.getMessage() for record in caplog.records][-3:] == [
        "Dataset[dataset] : Using ratio SignalEvents/BackgroundEvents = 0.333333",
        f"Dataset[dataset] : Optimal cut at      : {cut:g}",
        f"Dataset[dataset] : Maximum significance: {value.value:g}",
    ]
    with pytest.raises(InputError, match="must be positive"):
        method.GetMaximumSignificance(0.0, 300.0, value)


def test_the_overtraining_test_can_be_asked_for_probability_and_distance():
    method = evaluated_toys("").GetMethod("dataset", "MLP")
    result = method.evaluate()
    assert method.GetKSTrainingVsTest("S") == result.overtraining_signal.probability
    assert method.GetKSTrainingVsTest("b", "XM") == result.overtraining_background.distance
    assert method.GetKSTrainingVsTest("B") != method.GetKSTrainingVsTest("S")
    with pytest.raises(InputError, match="the options X and M, got 'S', 'N'"):
        method.GetKSTrainingVsTest("S", "N")
    with pytest.raises(InputError, match="GetRegressionDeviation is for regression, but MLP was trained for Classific"):
        method.GetRegressionDeviation(0, TMVA.Types.kTesting, array("d", [0]), array("d", [0]))


def test_regressions_and_several_classes_have_numbers_by_tmvas_names(evaluated):
    name, factory = evaluated
    (method,) = factory.methods
    result = method.evaluate()
    if name == "reg_n":
        full, best = ctypes.c_double(0), array("d", [0])
        method.GetRegressionDeviation(0, TMVA.Types.kTraining, full, best)
        assert (full.value, best[0]) == result.deviation()
    if name == "multi_n":
        np.testing.assert_array_equal(method.GetMulticlassConfusionMatrix(0.1), result.test.confusion[1])
        training = method.GetMulticlassConfusionMatrix(0.3, TMVA.Types.kTraining)
        np.testing.assert_array_equal(training, result.training.confusion[2])
