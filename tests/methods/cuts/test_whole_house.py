"""Cuts in Factory, Reader, output file, report and macros; wrong use."""

import logging
from pathlib import Path

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.compat import ROOT
from pytmva_bnn.errors import InputError, OptionError
from pytmva_bnn.evaluation.efficiencies import BackgroundCurve

DATA = Path(__file__).resolve().parents[3] / "xml_fixtures" / "data" / "class.root"
MC = "FitMethod=MC:SampleSize=300:VarProp=FSmart"


def book(options=MC, *, kind="Cuts", factory_options="", output=None, variables=("var1", "var2"), home=TMVA):
    loader = home.DataLoader("dataset")
    for name in variables:
        loader.AddVariable(name)
    loader.AddSignalTree(f"{DATA}:TreeS")
    loader.AddBackgroundTree(f"{DATA}:TreeB")
    loader.PrepareTrainingAndTestTree(
        "", "nTrain_Signal=200:nTrain_Background=200:nTest_Signal=300:nTest_Background=300:!V"
    )
    options_of_factory = f"!DrawProgressBar:AnalysisType=Classification{factory_options}"
    factory = home.Factory("job", *([str(output)] if output else []), options_of_factory)
    return factory, factory.BookMethod(loader, kind, "CutsMC", options)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def evaluated(**how):
    factory, method = book(**how)
    factory.TrainAllMethods()
    factory.TestAllMethods()
    factory.EvaluateAllMethods()
    return factory, method


def test_output_file_tables_and_report(here, caplog):
    import uproot

    from pytmva_bnn.show.report import report_from_output_file, write_report

    caplog.set_level(logging.INFO)
    factory, method = evaluated(output=here / "out.root")
    result = factory.results["dataset"]["CutsMC"]
    assert f"dataset       CutsMC         : {result.area:#1.3f}" in factory.tables[0]
    assert f"{result.area:.3f}" != f"{result.roc_integral:.3f}"
    with uproot.open(here / "out.root") as file:
        folder = file["dataset/Method_Cuts/CutsMC"]
        names = [name for name in folder.keys(cycle=False, recursive=False) if name.startswith("MVA_")]
        endings = "effBvsSLocal effBvsS rejBvsS effS effB trainingEffBvsS trainingRejBvsS"
        assert names == [f"MVA_CutsMC_{ending}" for ending in endings.split()]
        values = {name.removeprefix("MVA_CutsMC_"): folder[name].values() for name in names}
        assert folder["MVA_CutsMC_effS"].axis().high == 1.000001
        assert not file["dataset/TestTree"]["CutsMC"].array(library="np").any()
    fitted, test = method.trained.fitted, method.dataset.test
    np.testing.assert_array_equal(values["effBvsSLocal"], fitted.background)
    k = 59
    passing = ((test.variables > fitted.lower[k]) & (test.variables <= fitted.upper[k])).all(axis=1)
    signal = test.of_class(0)
    assert values["effS"][k] == pytest.approx(passing[signal].mean(), rel=1e-6)
    assert values["effB"][k] == pytest.approx(passing[~signal].mean(), rel=1e-6)
    np.testing.assert_allclose(values["rejBvsS"], 1.0 - values["effBvsS"])
    write_report(factory, here / "training.html")
    report_from_output_file(here / "out.root", here / "file.html")
    text = (here / "training.html").read_text()
    assert "Cuts of CutsMC on each variable, as transformed, for each signal efficiency" in text
    assert f"{fitted.lower[50, 0]:.4g}" in text
    assert f"{result.efficiencies[1]:.3f} ({result.training_efficiencies[1]:.3f})" in text
    assert f"{result.point_roc.auc:.3f} ({result.training_point_roc.auc:.3f})" in text
    of_file = (here / "file.html").read_text()
    # a file has the curves at 100 signal efficiencies only
    at = [BackgroundCurve(values[name]).signal_efficiency_at(0.1) for name in ("effBvsS", "trainingEffBvsS")]
    assert "{:.3f} ({:.3f})".format(*at) in of_file
    for page in (text, of_file):
        assert "Response of CutsMC" not in page  # all zeros


def test_the_log_has_the_cuts_at_nine_efficiencies(here, caplog):
    caplog.set_level(logging.INFO)
    factory, method = book(MC + ":VarTransform=D")
    factory.TrainAllMethods()
    heads = [line for line in caplog.messages if line.startswith("Cut values for requested signal efficiency: ")]
    assert [line.split(": ")[1] for line in heads] == [f"{tenth / 10:g}" for tenth in range(1, 10)]
    lines = method.PrintCuts(0.3001)
    fitted = method.model.fitted
    label = "transformed var1"
    assert lines[0] == "-" * (36 + len(label)) == lines[-1]
    assert lines[2] == f"Corresponding background efficiency       : {fitted.background[30]:.6g}"
    assert lines[3] == 'Transformation applied to input variables : "Deco"'
    low, high = fitted.lower[30, 0], fitted.upper[30, 0]
    assert lines[5] == f"Cut[ 0]: {low:10.6g} < {label} <= {high:10.6g}"
    assert caplog.messages[-len(lines) :] == lines
    assert 'Use optimization method: "Monte Carlo"' in caplog.text


def test_the_method_of_the_factory_gives_its_cuts(here):
    factory, method = book()
    with pytest.raises(RuntimeError, match="not trained"):
        method.GetCuts(0.5)
    factory.TrainAllMethods()
    low, high = [], []
    assert factory.GetMethod("dataset", "CutsMC").GetCuts(0.5, low, high) == 0.5
    edge, lower, upper = method.GetCuts(0.5)
    assert (edge, low, high) == (0.5, lower.tolist(), upper.tolist())
    assert (method.GetNvar(), method.GetInputVar(1), method.GetInputLabel(0)) == (2, "var2", "var1")
    with pytest.raises(InputError, match="there are 2 variables, but the array has 1 elements"):
        method.GetCuts(0.5, np.zeros(1), np.zeros(2))
    with pytest.raises(InputError, match="fills two vectors"):
        method.GetCuts(0.5, 1.0, 2.0)


def test_a_macro_asks_for_the_cuts_as_in_pyroot(here, method_case):
    record = method_case("cuts_sa")
    reader = ROOT.TMVA.Reader("!Color:Silent")
    memory = [np.zeros(1, np.float32) for _ in range(4)]
    for number, place in enumerate(memory, start=1):
        reader.AddVariable(f"var{number}", place)
    reader.BookMVA("CutsGA method", str(record.weights))
    cuts = reader.FindMVA("CutsGA method")
    low, high = ROOT.std.vector("double")(), ROOT.std.vector("double")()
    assert cuts.GetCuts(0.7, low, high) == record.expected["cuts_true"][7]
    assert list(low) == record.expected["cuts_min"][7].tolist()
    assert (low.size(), high.size(), cuts.GetInputVar(2)) == (4, 4, "var3")
    assert ROOT.TMVA.Types.kCuts.method_name == "Cuts"
    assert reader.EvaluateMVA("CutsGA method", 0.7) in (0.0, 1.0)
    factory, _ = book(home=ROOT.TMVA)
    factory.TrainAllMethods()
    assert factory.GetMethod("dataset", "CutsMC").GetCuts(0.4, low, high) == 0.4
    assert low.size() == 2


def test_a_signal_efficiency_in_per_cent_warns(method_case, caplog):
    record = method_case("cuts_mc")
    reader = TMVA.Reader("Silent")
    for number in range(1, 5):
        reader.AddVariable(f"var{number}")
    method = reader.BookMVA("Cuts", record.weights)
    assert reader.EvaluateMVA("Cuts", 70) == reader.EvaluateMVA("Cuts", 1.0)
    assert caplog.text.count("the signal efficiency 70 is not a fraction such as 0.7") == 1
    x = record.expected["inputs"]
    at_one = method.model.at_efficiency(1.0).predict(x)
    caplog.clear()
    assert method.model.at_efficiency(80).predict(x).tolist() == at_one.tolist()
    assert "the signal efficiency 80 is not a fraction such as 0.7" in caplog.text


def test_responses_without_a_signal_efficiency_are_zero_with_a_warning(method_case, caplog):
    record = method_case("cuts_mc")
    x = record.expected["inputs"]
    reader = TMVA.Reader("Silent")
    for number in range(1, 5):
        reader.AddVariable(f"var{number}")[0] = x[0, number - 1]
    method = reader.BookMVA("Cuts", record.weights)
    assert [reader.EvaluateMVA("Cuts") for _ in range(3)] == [0.0] * 3
    assert caplog.text.count("unless a signal efficiency is given") == 1
    assert reader.EvaluateMVA("Cuts", 0) == reader.EvaluateMVA("Cuts", aux=0.0) == 0.0
    assert reader.EvaluateMVA("Cuts", float("nan")) == 0.0
    assert caplog.text.count("unless a signal efficiency is given") == 1
    assert not method.model.predict(x).any()
    assert caplog.text.count("unless a signal efficiency is given") == 2
    assert reader.EvaluateMVA(x, "Cuts", aux=0.8).tolist() == record.expected["mva"][8].tolist()
    assert reader.EvaluateMVA(method, 0.8) == record.expected["mva"][8, 0]
    assert reader.EvaluateMVA([np.nan, 0.0, 0.0, 0.0], "Cuts", 0.8) == -999.0
    for wrong in (("Cuts", "0.7"), ("Cuts", [0.7]), ("Cuts", True), (x, "Cuts", "0.7"), (), ("Cuts", 0.7, 0.7)):
        with pytest.raises((InputError, TypeError), match="signal efficiency"):
            reader.EvaluateMVA(*wrong)
    for efficiency in np.linspace(0.01, 0.99, 2000).tolist():
        reader.EvaluateMVA("Cuts", efficiency)
    assert reader.EvaluateMVA("Cuts", 0.8) == record.expected["mva"][8, 0]


def test_the_signal_efficiency_does_not_matter_to_other_methods(method_case):
    record = method_case("fisher")
    reader = TMVA.Reader([one.expression for one in TMVA.load(record.weights).variables], "Silent")
    method = reader.BookMVA("Fisher", record.weights)
    event = record.expected["inputs"][0]
    assert reader.EvaluateMVA(event, "Fisher", 0.7) == reader.EvaluateMVA(event, "Fisher")
    assert method.model.at_efficiency(0.7) is method.model
    assert reader.FindCutsMVA("Fisher") is None
    assert not hasattr(method, "GetCuts")


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ("FitMethod=MC:Foo=1", r"could not be interpreted: 'Foo=1'"),
        ("FitMethod=MC:PopSize=10", r"could not be interpreted: 'PopSize=10'"),
        ("FitMethod=EventScan:SampleSize=10", r"could not be interpreted: 'SampleSize=10'"),
        ("FitMethod=MCEvents:SampleSize=0", "SampleSize=0: it must be at least 1"),
        ("FitMethod=MC:SampleSize=0", "SampleSize=0: it must be at least 1"),
        ("FitMethod=XX", "does not have predefined value"),
        ("VarProp[2]=FMax", r"allowed range is \[0,1\]"),
        ("VarProp=FMox", "FMax"),
        ("IgnoreNegWeightsInTraining", "IgnoreNegWeightsInTraining does not exist for Cuts"),
        ("CreateMVAPdfs", "CreateMVAPdfs cannot be used"),
    ],
)
def test_wrong_options_are_refused_at_booking(options, problem):
    with pytest.raises(OptionError, match=problem):
        book(options)


def test_options_without_effect_are_told(caplog):
    book(MC + ":EffPDF")
    assert "EffMethod=EffPDF has no effect" in caplog.text
    book("FitMethod=MINUIT")
    assert "MINUIT performs poorly" in caplog.text


@pytest.mark.parametrize("analysis", ["Regression", "Multiclass"])
def test_other_analyses_are_refused(analysis):
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("var1")
    with pytest.raises(InputError, match=f"Cuts cannot do AnalysisType={analysis}"):
        TMVA.Factory("job", f"AnalysisType={analysis}").BookMethod(loader, "Cuts", "Cuts", "")


def test_minuit_and_event_scan_find_cuts(here):
    for options, number in (("FitMethod=MINUIT:VarProp=FSmart", "3"), ("FitMethod=EventScan", "4")):
        factory, method = book(options)
        factory.TrainAllMethods()
        assert f'FitMethod="{number}"' in Path(method.GetWeightFileName()).read_text()
        assert method.trained.fitted.is_reached.any()
    signal = method.trained.training.inputs[method.trained.training.is_signal].astype(float)
    k = 40  # the two corners of a box are signal events
    fitted = method.trained.fitted
    for i in range(2):
        assert fitted.lower[k, i] in signal[:, i]


def test_ctrl_c_keeps_the_cuts_so_far(here, monkeypatch):
    from pytmva_bnn.methods.cuts.estimator import CutEstimator

    calls = []
    by_numpy = CutEstimator.__call__

    def interrupted(self, points):
        calls.append(len(points))
        if len(calls) == 3:
            raise KeyboardInterrupt
        return by_numpy(self, points)

    monkeypatch.setattr(CutEstimator, "__call__", interrupted)
    for options, unit in (("FitMethod=MC:SampleSize=100000", "sample"), ("FitMethod=EventScan", "box")):
        calls.clear()
        factory, method = book(options)
        factory.TrainAllMethods()
        assert method.trained.fitted.interrupted_after == f"{unit} {sum(calls[:2])}"
        assert method.trained.fitted.is_reached.any()


@pytest.mark.parametrize(("of_signal", "of_background"), [(0.0, 0.0), (1.0, 0.0)])
def test_weights_that_leave_nothing_to_count(here, of_signal, of_background):
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("var1")
    loader.AddSignalTree({"var1": np.arange(30.0)}, of_signal)
    loader.AddBackgroundTree({"var1": np.arange(30.0)}, of_background)
    loader.PrepareTrainingAndTestTree("", "NormMode=None:!V")
    factory = TMVA.Factory("job", "Silent:!DrawProgressBar:AnalysisType=Classification")
    factory.BookMethod(loader, "Cuts", "Cuts", MC)
    without = "Background" if of_signal else "Signal"
    with pytest.raises(TMVA.TMVAError, match=f"training events of class {without} add up to 0, but their sum must be"):
        factory.TrainAllMethods()


def test_cross_validation_of_cuts(here):
    _, method = book()
    cv = TMVA.CrossValidation("cv", method.loader, "!V:Silent:NumFolds=2:AnalysisType=Classification")
    cv.BookMethod("Cuts", "Cuts", MC)
    cv.Evaluate()
    results = cv.GetResults()[0].folds
    assert [0.5 < fold.result.area < 1.0 for fold in results] == [True, True]
