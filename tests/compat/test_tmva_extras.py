"""TMVA beyond Factory and DataLoader: methods left out in earnest, genetic fits, ROC curves, RReader, plots."""

import logging

import numpy as np
import pytest

import pytmva_bnn
from pytmva_bnn import compat
from pytmva_bnn.compat.errors import RefusedError
from pytmva_bnn.compat.left_out import NothingTrainedError
from pytmva_bnn.errors import OptionError, WeightFileError

from .test_tmva import QUICK, loader  # noqa: F401 - a fixture

WEIGHTS = "dataset/weights/job_MLP.weights.xml"


@pytest.fixture
def skipping(monkeypatch):
    monkeypatch.setattr(compat, "skip_unknown_methods", True)


@pytest.fixture
def trained(root, loader):  # noqa: F811 - the fixture
    factory = root.TMVA.Factory("job", "Silent:!DrawProgressBar")
    factory.BookMethod(loader, "MLP", "MLP", QUICK)
    factory.TrainAllMethods()
    return factory


def test_a_macro_that_trains_nothing_ends_in_an_error(root, loader, skipping):  # noqa: F811
    factory = root.TMVA.Factory("job", "Silent:!DrawProgressBar")
    factory.BookMethod(loader, root.TMVA.Types.kPyKeras, "Keras", "")
    factory.BookMethod(loader, root.TMVA.Types.kPyTorch, "Torch", "")
    with pytest.raises(NothingTrainedError, match=r"no method is trained: of Keras, Torch each is left out .*; book"):
        factory.TrainAllMethods()
    assert not factory.GetMethod("dataset", "Keras")
    factory.BookMethod(loader, "MLP", "MLP", QUICK)
    factory.TrainAllMethodsForClassification()
    assert factory.GetROCIntegral(loader, "Keras") == 0
    assert factory.GetROCIntegral(loader, "MLP") > 0.5
    assert not factory.GetROCCurve(loader, "Keras")
    cv = root.TMVA.CrossValidation("job", loader, "Silent:NumFolds=2:AnalysisType=Classification")
    cv.BookMethod(root.TMVA.Types.kPyKeras, "Keras", "")
    with pytest.raises(NothingTrainedError, match="of Keras"):
        cv.Evaluate()


def test_methods_without_events_end_in_an_error_too(root):
    few = root.TMVA.DataLoader("few")
    few.AddVariable("x")
    few.AddSignalTree({"x": np.arange(6.0)})
    few.AddBackgroundTree({"x": np.arange(6.0) + 1})
    few.PrepareTrainingAndTestTree("", "nTrain_Signal=3:nTrain_Background=3")
    factory = root.TMVA.Factory("job", "Silent:!DrawProgressBar")
    factory.BookMethod(few, "MLP", "MLP", QUICK)
    with pytest.raises(NothingTrainedError, match="of MLP each is left out or has too few events"):
        factory.TrainAllMethods()


def test_the_reader_leaves_out_files_that_are_missing_or_of_unknown_methods(root, trained, skipping, caplog, tmp_path):
    text = (tmp_path / WEIGHTS).read_text()
    (tmp_path / "keras.xml").write_text(text.replace('Method="MLP::MLP"', 'Method="PyKeras::Net"'))
    (tmp_path / "broken.xml").write_text(text[:600])
    reader = root.TMVA.Reader("!Color:Silent")
    x, y = reader.AddVariable("var1"), reader.AddVariable("var2")
    reader.BookMVA("net", WEIGHTS)
    assert not reader.BookMVA("missing", "nowhere.xml")
    assert not reader.BookMVA("keras", "keras.xml")
    with pytest.raises(WeightFileError):
        reader.BookMVA("broken", "broken.xml")
    caplog.clear()
    x[0], y[0] = 0.5, -0.5
    expected = pytmva_bnn.load(WEIGHTS).predict([[0.5, -0.5]])[0]
    for _ in range(3):
        assert reader.EvaluateMVA("missing") == reader.EvaluateMVA("keras") == -999.0
        assert reader.EvaluateMVA("net") == pytest.approx(expected)
    assert reader.EvaluateMVA([0.5, -0.5], "keras") == -999.0
    assert reader.EvaluateMVA([0.5, -0.5], "net") == pytest.approx(expected)
    assert reader.EvaluateRegression("missing") == [-999.0]
    assert reader.EvaluateMulticlass(0, "missing") == -999.0
    assert not reader.FindMVA("keras")
    assert reader.FindMVA("net").GetMethodName() == "MLP"
    assert [record.levelno for record in caplog.records] == [logging.WARNING] * 2
    assert "EvaluateMVA('missing'): the method is left out" in caplog.text


def test_without_the_switch_the_reader_raises(root, trained, tmp_path):
    reader = root.TMVA.Reader("!Color:Silent")
    with pytest.raises(FileNotFoundError):
        reader.BookMVA("missing", "nowhere.xml")


def test_split_string_and_configuration(root):
    parts = root.TMVA.gTools().SplitString(",MLP,,BDT,Fisher", ",")
    assert list(parts) == ["MLP", "BDT", "Fisher"]
    assert parts.size() == 3
    assert root.TMVA.Config.Instance() is root.TMVA.gConfig()
    assert root.TMVA.Tools.Instance() is root.TMVA.gTools()


def test_the_variables_of_a_data_set_are_a_vector(root, loader):  # noqa: F811
    names = loader.GetDataSetInfo().GetListOfVariables()
    assert (names.size(), names.at(1)) == (2, "var2")


def test_a_roc_curve_of_the_macros_own_numbers(root):
    signal, background = [0.35, 0.8], [0.1, 0.4]
    forms = [
        (signal + background, [True, True, False, False]),
        (signal, background),
        (signal, background, [1.0, 1.0], [1.0, 1.0]),
        ([(0.35, True), (0.8, True), (0.1, False), (0.4, False)],),
    ]
    for form in forms:
        curve = root.TMVA.ROCCurve(*form)
        assert curve.GetROCIntegral() == pytest.approx(0.875)
        assert curve.GetROCCurve().GetPointX(3) == 0.5
    weighted = root.TMVA.ROCCurve(signal + background, [True, True, False, False], [1, 1, 3, 1])
    assert weighted.GetROCCurve().GetPointY(1) == pytest.approx(0.75)


def test_a_genetic_fit_finds_the_minimum_of_the_macros_function(root):
    class Fitness(root.TMVA.IFitterTarget):
        def EstimatorFunction(self, factors):
            assert factors.size() == 2
            return (factors[0] - 3.0) ** 2 + (factors.at(1) + 1.0) ** 2

    ranges = [root.TMVA.Interval(0, 15), root.TMVA.Interval(-5, 5)]
    fitter = root.TMVA.GeneticFitter(Fitness(), "fit", ranges, "PopSize=60:Steps=20:Cycles=2")
    found = root.std.vector("double")()
    value = fitter.Run(found)
    assert list(found) == pytest.approx([3.0, -1.0], abs=0.1)
    assert value == pytest.approx((found[0] - 3) ** 2 + (found[1] + 1) ** 2)
    with pytest.raises(OptionError, match="PopSice"):
        root.TMVA.GeneticFitter(Fitness(), "fit", ranges, "PopSice=60")
    with pytest.raises(RefusedError, match="has no EstimatorFunction"):
        root.TMVA.GeneticFitter(root.TMVA.IFitterTarget(), "fit", ranges, "").Run([])


def test_a_genetic_algorithm_driven_by_the_macro_converges(root, capsys):
    class Fitness(root.TMVA.IFitterTarget):
        def EstimatorFunction(self, factors):
            return sum((value - 10.0) ** 2 for value in factors)

    class Own(root.TMVA.GeneticAlgorithm):
        pass

    algorithm = Own(Fitness(), 80, [root.TMVA.Interval(0, 15, 30), root.TMVA.Interval(0, 13)])
    generations = 0
    while True:
        algorithm.Init()
        algorithm.CalculateFitness()
        algorithm.GetGeneticPopulation().TrimPopulation()
        algorithm.SpreadControl(10, 8, 0.95)
        generations += 1
        if algorithm.HasConverged(20, 0.0001):
            break
    best = algorithm.GetGeneticPopulation().GetGenes(0)
    first, second = best.GetFactors()
    assert first in [15 / 29 * k for k in range(30)]
    assert abs(first - 10) < 0.3
    assert second == pytest.approx(10, abs=0.05)
    assert generations > 20
    algorithm.GetGeneticPopulation().Print(0)
    shown = capsys.readouterr().out
    assert shown.startswith(f"fitness: {best.GetFitness():g}    f_0: {first:g}")
    assert shown.count("fitness") == 1


def test_the_experimental_reader_computes_responses(root, trained):
    reader = root.TMVA.Experimental.RReader(WEIGHTS)
    model = pytmva_bnn.load(WEIGHTS)
    events = np.array([[0.5, -0.5], [1.0, 2.0]])
    assert list(reader.Compute(events[0])) == pytest.approx([model.predict(events)[0]], rel=1e-6)
    np.testing.assert_allclose(reader.Compute(events)[:, 0], model.predict(events), rtol=1e-6)
    assert list(reader.GetVariableNames()) == ["var1", "var2"]
    with pytest.raises(RefusedError, match=r"TMVA\.Experimental\.AsTensor does not exist .*AsNumpy"):
        root.TMVA.Experimental.AsTensor(1)


@pytest.mark.parametrize(
    ("call", "arguments", "gui", "given"),
    [
        ("efficiencies", ("dataset", "out.root", 1, True), "TMVAGui", ("out.root", "dataset")),
        ("mvas", ("dataset", "out.root"), "TMVAGui", ("out.root", "dataset")),
        ("deviations", ("d", "r.root"), "TMVARegGui", ("r.root", "d")),
        ("variablesMultiClass", ("d", "m.root"), "TMVAMultiClassGui", ("m.root", "d")),
    ],
)
def test_single_plots_open_the_report(root, monkeypatch, call, arguments, gui, given):
    called = []
    monkeypatch.setattr(pytmva_bnn, gui, lambda *args: called.append(args) or "report.html")
    getattr(root.TMVA, call)(*arguments)
    assert called == [given]


def test_the_cuts_of_a_trained_method_fill_vectors(root, loader):  # noqa: F811
    factory = root.TMVA.Factory("job", "Silent:!DrawProgressBar")
    factory.BookMethod(loader, root.TMVA.Types.kCuts, "Cuts", "FitMethod=MC:SampleSize=200:VarProp=FSmart")
    factory.TrainAllMethods()
    method = factory.GetMethod("dataset", "Cuts")
    low, high = root.std.vector("double")(), root.std.vector("double")()
    method.GetCuts(0.7, low, high)
    assert (low.size(), high.size(), method.GetInputVar(1)) == (2, 2, "var2")
    assert all(a < b for a, b in zip(low, high, strict=True))
