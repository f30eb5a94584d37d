"""ROOT.TMVA: the classes of this package with the trees, files and settings of macros."""

import ctypes
import logging
from array import array
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
import uproot

import pytmva_bnn
from pytmva_bnn import compat
from pytmva_bnn.compat.config import CONFIG, Config
from pytmva_bnn.compat.errors import MacroError, NotInCompatError, RefusedError
from pytmva_bnn.compat.messages import StandardOutput, aloud, as_macro, show_messages
from pytmva_bnn.dataset import DatasetError
from pytmva_bnn.errors import InputError, OptionError

QUICK = "!V:TrainingMethod=BFGS:NCycles=3:HiddenLayers=2:VarTransform=N"


@pytest.fixture
def loader(root, toys):
    file = root.TFile(f"{toys}/tmva_class_example.root")
    loader = root.TMVA.DataLoader("dataset")
    loader.AddVariable("var1")
    loader.AddVariable("var2", "F")
    loader.AddSignalTree(file.Get("TreeS"))
    loader.AddBackgroundTree(file.Get("TreeB"))
    loader.PrepareTrainingAndTestTree(root.TCut(), "SplitMode=Random:!V")
    return loader


@pytest.fixture
def fresh_config(monkeypatch):
    fresh = Config()
    monkeypatch.setattr(CONFIG, "names", fresh.names)
    monkeypatch.setattr(CONFIG, "plotting", fresh.plotting)


def test_names_that_are_not_here_come_from_the_package_or_are_told(root):
    assert root.TMVA.load is pytmva_bnn.load
    assert root.TMVA.Types.kMLP == 13
    assert root.TMVA.gTools() is root.TMVA.Tools.Instance()
    root.TMVA.PyMethodBase.PyInitialize()
    with pytest.raises(NotInCompatError, match="did you mean DataLoader"):
        root.TMVA.DataLaoder  # noqa: B018
    with pytest.raises(NotInCompatError, match="with their methods exist here"):
        root.TMVA.Xyzzy  # noqa: B018


def test_a_null_pointer_is_no_tree(root, toys):
    loader = root.TMVA.DataLoader()
    with pytest.raises(DatasetError, match=r"empty pointer.*did you mean TreeS"):
        loader.AddSignalTree(root.TFile(f"{toys}/tmva_class_example.root").Get("TreeX"))
    with pytest.raises(DatasetError, match="Encountered empty TTree"):
        loader.AddSignalTree(root.TNtuple("t", "", "x"))


def test_what_the_native_loader_takes_is_taken_too(root, toys):
    loader = root.TMVA.DataLoader("d")
    loader.AddSignalTree(f"{toys}/tmva_class_example.root:TreeS")
    loader.AddBackgroundTree({"var1": [1.0, 2.0]})
    assert [tree.source.n_entries for tree in loader.description.trees] == [600, 2]


def test_the_type_of_spectators_and_targets_may_stand_where_macros_put_it(root):
    loader = root.TMVA.DataLoader()
    loader.AddSpectator("a", "Title", "GeV", "F")
    loader.AddSpectator("b", "I")
    loader.AddSpectator("c", "Title of c")
    loader.AddTarget("t", "Target", "GeV", "F")
    records = [one.record for one in loader.description.spectators]
    assert [(one.title, one.unit) for one in records] == [("Title", "GeV"), ("b", ""), ("Title of c", "")]
    assert loader.description.targets[0].record.unit == "GeV"


def test_weight_files_go_where_the_configuration_says(root, loader, fresh_config):
    root.TMVA.gConfig().GetIONames().fWeightFileDir = "net"
    root.TMVA.gConfig().GetIONames().fWeightFileDirPrefix = "results"
    factory = root.TMVA.Factory("job", "Silent:!DrawProgressBar")
    method = factory.BookMethod(loader, root.TMVA.Types.kMLP, "MLP", QUICK)
    factory.TrainAllMethods()
    assert method.GetWeightFileName() == "results/dataset/net/job_MLP.weights.xml"
    assert Path("results/dataset/net/job_MLP.weights.xml").exists()
    assert Path("results/dataset/net/job_MLP.class.C").exists()
    root.TMVA.gConfig().GetIONames().fWeightFileExtension = "xyz"
    second = factory.BookMethod(loader, root.TMVA.Types.kMLP, "MLP2", QUICK)
    factory.TrainAllMethods()
    assert second.GetWeightFileName() == "results/dataset/net/job_MLP2.xyz.xml"
    assert Path("results/dataset/net/job_MLP2.xyz.xml").read_text().startswith("<?xml")
    assert Path("results/dataset/net/job_MLP2.class.C").exists()


def test_without_model_persistence_there_is_no_weight_file(root, loader):
    factory = root.TMVA.Factory("job", "Silent:!DrawProgressBar:!ModelPersistence")
    assert factory.BookMethod(loader, "MLP", "MLP", QUICK).GetWeightFileName() == ""


def test_methods_are_left_out_only_if_asked_for(root, loader, monkeypatch, caplog):
    factory = root.TMVA.Factory("job", "Silent:!DrawProgressBar")
    booking = (loader, root.TMVA.Types.kPyKeras, "Keras", "NTrees=10")
    with pytest.raises(InputError, match=r"available: .*MLP"):
        factory.BookMethod(*booking)
    monkeypatch.setattr(compat, "skip_unknown_methods", True)
    assert not factory.BookMethod(*booking)
    assert factory.BookMethod(loader, "PyTorch", "F") == None  # noqa: E711 - as macros compare
    assert "BookMethod(PyKeras, 'Keras'): this method does not exist here and is left out" in caplog.text
    assert factory.BookMethod(loader, "MLP", "MLP", QUICK) is not None
    assert not factory.HasMethod("dataset", "Keras")


@pytest.mark.parametrize(
    ("variable", "value", "expected"),
    [
        ("skip_unknown_methods", "1", True),
        ("PYTMVA_BNN_SKIP_UNKNOWN_METHODS", "True", True),
        ("PYTMVA_BNN_SKIP_UNKNOWN_METHODS", "0", False),
        ("unrelated", "1", False),
    ],
)
def test_the_switch_can_be_an_environment_variable(monkeypatch, variable, value, expected):
    for name in compat.SKIP_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, value)
    assert compat.is_skipping_asked_for() is expected


def test_a_typo_in_an_option_is_an_error_in_spite_of_the_switch(root, loader, monkeypatch):
    monkeypatch.setattr(compat, "skip_unknown_methods", True)
    with pytest.raises(ValueError, match="NCycles"):
        root.TMVA.Factory("job", "Silent").BookMethod(loader, "MLP", "MLP", "NCylces=3")


def test_the_output_file_may_be_a_tfile_a_path_or_nothing(root, loader):
    file = root.TFile("TMVA.root", "RECREATE")
    assert Path(root.TMVA.Factory("a", file, "Silent").target_file) == Path("TMVA.root")
    assert root.TMVA.Factory("b", root.nullptr, "Silent").target_file is None
    assert root.TMVA.Factory("c", Silent=True).target_file is None


def test_roc_curves_can_be_asked_to_draw_themselves(root, loader):
    factory = root.TMVA.Factory("job", "Silent:!DrawProgressBar")
    factory.BookMethod(loader, "MLP", "MLP", QUICK)
    factory.TrainAllMethods()
    canvas = factory.GetROCCurve(loader)
    canvas.Draw()
    assert set(canvas.curve) == {"MLP"}
    assert factory.GetROCCurve(loader, "MLP").curve.auc == factory.GetROCIntegral(loader, "MLP")


@pytest.fixture
def trained(root, loader):
    factory = root.TMVA.Factory("job", "Silent:!DrawProgressBar")
    factory.BookMethod(loader, "MLP", "MLP", QUICK)
    factory.TrainAllMethods()
    return factory


def test_a_roc_curve_is_a_graph_with_points(root, loader, trained):
    graph = trained.GetROCCurve(loader, "MLP")
    curve = graph.curve
    assert graph.GetN() == len(loader.test) + 2 == len(curve.sensitivity)
    np.testing.assert_array_equal(graph.GetX(), curve.sensitivity)
    np.testing.assert_array_equal(graph.GetY(), curve.specificity)
    x, y = ctypes.c_double(0), array("d", [0])
    assert graph.GetPoint(7, x, y) == 7
    assert (x.value, y[0]) == (graph.GetPointX(7), graph.GetPointY(7)) == (curve.sensitivity[7], curve.specificity[7])
    assert graph.GetPoint(10**6, x, y) == -1
    with pytest.raises(MacroError, match=r"GetPoint writes into its arguments; give ctypes\.c_double"):
        graph.GetPoint(0, 0.0, 0.0)
    # ROOT: the polygon closes from the last point to the first
    assert graph.Integral() == pytest.approx(trained.GetROCIntegral(loader, "MLP") - 0.5)
    assert graph.GetTitle() == "Signal efficiency vs. Background rejection (MLP)"
    assert graph.GetXaxis().GetTitle() == "Signal efficiency (Sensitivity)"
    graph.SetLineColor(root.kRed)
    graph.Draw("AL")
    with pytest.raises(NotInCompatError, match="did you mean Integral"):
        graph.Intergal()
    assert trained.GetROCCurve(loader, "MLP", False).GetTitle() == ""


def test_all_roc_curves_come_as_graphs_too(root, loader, trained):
    (graph,) = trained.GetROCCurveAsMultiGraph(loader, 0).GetListOfGraphs()
    assert (graph.GetTitle(), graph.GetN()) == ("MLP", len(loader.test) + 2)
    assert set(trained.GetROCCurve(loader, 0).curve) == {"MLP"}
    with pytest.raises(RefusedError, match=r"TMultiGraph\.Write\('all'\)"):
        trained.GetROCCurveAsMultiGraph(loader).Write("all")


def test_graphs_go_through_a_file(root, loader, trained):
    graph = trained.GetROCCurve(loader, "MLP")
    with root.TFile("out.root", "RECREATE") as file:
        file.mkdir("plots").cd()
        graph.Write("roc")
    stored = uproot.open("out.root")["plots/roc"]
    assert stored.classname == "TGraph"
    np.testing.assert_array_equal(stored.values(), [graph.GetX(), graph.GetY()])
    read = root.TFile("out.root").Get("plots/roc")
    assert (read.GetN(), read.GetTitle()) == (graph.GetN(), graph.GetTitle())


def test_calls_that_do_not_exist_are_told_with_what_there_is(root, loader):
    factory = root.TMVA.Factory("job", "Silent")
    with pytest.raises(NotInCompatError, match=r"Factory\.EvaluateAllVariables does not exist .*: .*method\.ranking"):
        factory.EvaluateAllVariables(loader)
    with pytest.raises(NotInCompatError, match=r"Factory\.TrainAllMethod does .*: did you mean TrainAllMethods"):
        factory.TrainAllMethod()
    with pytest.raises(NotInCompatError, match=r"DataLoader\.DrawCorrelationMatrix does .*: .*numpy\.corrcoef"):
        loader.DrawCorrelationMatrix("Signal")
    with pytest.raises(NotInCompatError, match=r"DataSetInfo\.GetDataSet does .*: loader\.training and loader\.test"):
        loader.GetDataSetInfo().GetDataSet()
    with pytest.raises(NotInCompatError, match=r"Reader\.EvaluateMVAs does .*: did you mean EvaluateMVA"):
        root.TMVA.Reader().EvaluateMVAs()
    method = factory.BookMethod(loader, "MLP", "MLP", QUICK)
    with pytest.raises(NotInCompatError, match=r"MethodBase\.TestRegression .*method\.evaluate\(\)\.test"):
        method.TestRegression()
    with pytest.raises(NotInCompatError, match=r"MethodBase\.GetSeperation .*did you mean GetSeparation"):
        method.GetSeperation()
    assert not hasattr(factory, "_nothing")
    empty = root.TMVA.DataLoader("empty")
    with pytest.raises(DatasetError):  # the error of a property is not hidden
        empty.training  # noqa: B018


def test_parameters_may_have_tmvas_names(root, loader):
    file = root.TFile("TMVA.root", "RECREATE")
    factory = root.TMVA.Factory(JobName="job", TargetFile=file, Silent=True, DrawProgressBar=False)
    assert (factory.job_name, Path(factory.target_file)) == ("job", Path("TMVA.root"))
    method = factory.BookMethod(DataLoader=loader, Method="MLP", MethodTitle="net", NCycles=3)
    assert (method.title, method.booked.options.integer("NCycles")) == ("net", 3)
    with pytest.raises(InputError, match=r"TargetFile needs JobName"):
        root.TMVA.Factory(TargetFile=file)
    with pytest.raises(InputError, match=r"Factory takes \(JobName, TargetFile, options\)"):
        root.TMVA.Factory(Silent=True)


def test_calls_of_a_method_that_is_left_out_only_warn(root, loader, monkeypatch, caplog):
    monkeypatch.setattr(compat, "skip_unknown_methods", True)
    factory = root.TMVA.Factory("job", "Silent")
    method = factory.BookMethod(loader, root.TMVA.Types.kPyKeras, "Net", "")
    method.SetupKerasModel("model.h5")
    assert "Net.SetupKerasModel has no effect: the PyKeras does not exist here" in caplog.text


@pytest.mark.parametrize(("text", "n"), [("1e9", 1), ("everything", 0)])
def test_numbers_of_events_are_read_as_tmva_reads_them(root, text, n, caplog):
    events = {"var1": np.arange(20.0)}
    loaders = [module.DataLoader("dataset") for module in (root.TMVA, pytmva_bnn)]
    for loader in loaders:
        loader.AddVariable("var1")
        loader.AddSignalTree(events)
        loader.AddBackgroundTree(events)
        loader.PrepareTrainingAndTestTree("", f"nTrain_Signal={text}:nTest_Signal=5:nTrain_Background=4:NormMode=None")
    assert np.count_nonzero(loaders[0].training.class_index == 0) == (n or 15)  # 0: all that are left
    assert caplog.text.count(f"'{text}' was read as {n}") == 1
    with pytest.raises(OptionError, match="Option nTrain_Signal"):
        loaders[1].built()


def test_tuning_works_as_macros_call_it(root, loader, caplog):
    factory = root.TMVA.Factory("job", "Silent:!DrawProgressBar")
    factory.BookMethod(loader, "MLP", "MLP", QUICK)
    assert factory.OptimizeAllMethods(root.TString("SigEffAtBkg0.01"), "Scan") == {}
    assert "not yet implemented for method MLP" in caplog.text
    factory.BookMethod(loader, root.TMVA.Types.kSVM, "SVM", "VarTransform=N:Tune=C:MaxIter=5")
    (name,), (value,) = zip(*factory.OptimizeAllMethods("SigEffAtBkgEff01", "FitGA").items(), strict=True)
    assert name == "C"
    assert factory.GetMethod(loader, "SVM").option_string == f"VarTransform=N:Tune=C:MaxIter=5:C={value}"


def test_cross_validation_takes_a_tfile_and_keywords(root, loader, monkeypatch):
    file = root.TFile("TMVACV.root", "RECREATE")
    cv = root.TMVA.CrossValidation("job", loader, file, V=False, Silent=True, NumFolds=2, AnalysisType="Classification")
    cv.BookMethod(root.TMVA.Types.kMLP, "MLP", QUICK)
    monkeypatch.setattr(compat, "skip_unknown_methods", True)
    cv.BookMethod(root.TMVA.Types.kPyKeras, "Keras", "NTrees=10")
    cv.Evaluate()
    assert len(cv.GetResults()) == 1
    file.Close()
    assert root.TFile("TMVACV.root").Get("dataset/Method_CrossValidation/MLP/MVA_MLP_S").GetNbinsX() == 40


def test_cross_validation_has_the_calls_of_the_tutorial(root, loader, capsys):
    options = "!V:Silent:ModelPersistence:NumFolds=2:AnalysisType=Classification"
    cv = root.TMVA.CrossValidation("job", loader, root.TFile("TMVACV.root", "RECREATE"), options)
    cv.BookMethod(root.TMVA.Types.kMLP, "net", QUICK)
    cv.Evaluate()
    assert cv.GetNumFolds() == 2
    (booked,) = cv.GetMethods()
    assert booked.GetValue["TString"]("MethodTitle") == booked.GetValue("TString")("MethodTitle") == "net"
    assert (booked["MethodName"], booked["MethodOptions"]) == ("MLP", QUICK)
    (result,) = cv.GetResults()
    graphs = result.GetROCCurves().GetListOfGraphs()
    assert [graph.GetTitle() for graph in graphs] == ["net_fold1", "net_fold2"]
    values = result.GetROCValues()
    expected = [float(np.float32(graph.curve.auc)) for graph in graphs]
    assert [values[0], values[1]] == expected
    # PyROOT: a loop over a map gives pairs
    assert [(fold, value) for fold, value in values] == list(enumerate(expected))
    assert [(pair.first, pair.second) for pair in values] == list(enumerate(expected))
    efficiencies = result.GetTrainEff01Values(), result.GetTrainEff10Values(), result.GetTrainEff30Values()
    for fold, found in zip(result.folds, zip(*efficiencies, strict=True), strict=True):
        assert found == fold.result.training_efficiencies
    mean = result.GetAvgROCCurve(5)
    assert mean.GetX().tolist() == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert mean.GetPointY(2) == pytest.approx(sum(graph.Eval(0.5) for graph in graphs) / 2)
    assert mean.GetPointY(2) > 0.5
    assert result.GetAvgROCCurve().GetN() == 100
    result.Draw()
    result.DrawAvgROCCurve(True, "title").SaveAs("roc.png")
    capsys.readouterr()
    result.Print()
    assert "Average ROC integral" in capsys.readouterr().out
    with pytest.raises(NotInCompatError, match="did you mean GetROCValues"):
        result.GetROCValue()
    with pytest.raises(NotInCompatError, match=r"CrossValidation\.GetFactory does not exist .*GetResults"):
        cv.GetFactory()


def test_cross_validation_takes_tmvas_names(root, loader):
    file = root.TFile("TMVACV.root", "RECREATE")
    cv = root.TMVA.CrossValidation(jobName="job", dataloader=loader, outputFile=file, Silent=True, NumFolds=3)
    assert (cv.job_name, cv.loader, cv.GetNumFolds()) == ("job", loader, 3)
    with pytest.raises(InputError, match="CrossValidation takes"):
        root.TMVA.CrossValidation("job")


@pytest.mark.parametrize("name", ["TMVAGui", "TMVARegGui", "TMVAMultiClassGui"])
def test_the_guis_are_those_of_the_package(root, name, monkeypatch):
    called = []
    monkeypatch.setattr(pytmva_bnn, name, called.append)
    getattr(root.TMVA, name)("TMVA.root")
    root.gROOT.ProcessLine(f'TMVA::{name}("other.root");')
    assert called == ["TMVA.root", "other.root"]


def test_the_reader_takes_vectors_strings_and_buffers(root, loader):
    factory = root.TMVA.Factory("job", "Silent:!DrawProgressBar")
    factory.BookMethod(loader, "MLP", "MLP", QUICK)
    factory.TrainAllMethods()
    reader = root.TMVA.Reader("!Color:Silent")
    x, y = array("f", [0.5]), array("f", [-0.5])
    reader.AddVariable("var1", x)
    reader.AddVariable(root.TString("var2"), y)
    reader.BookMVA(root.TString("MLP method"), "dataset/weights/job_MLP.weights.xml")
    vector = root.std.vector("float")([0.5, -0.5])
    assert reader.EvaluateMVA("MLP method") == reader.EvaluateMVA(vector, "MLP method")


# -- messages


@contextmanager
def fresh_logging():
    """Logging as it is outside of pytest: nothing set up."""
    library, top = logging.getLogger("pytmva_bnn"), logging.getLogger()
    saved = (library.handlers[:], library.level, library.propagate, top.handlers[:])
    library.handlers, top.handlers = [], []
    try:
        yield library
    finally:
        library.handlers, library.propagate, top.handlers = saved[0], saved[2], saved[3]
        library.setLevel(saved[1])


def test_messages_appear_in_tmvas_form(capsys):
    with fresh_logging() as library:
        show_messages()
        library.info("first\nsecond")
        library.warning("careful")
        library.error("wrong")
        library.getChild("Factory").info("Booking method: %s", "MLP")
        library.getChild("Factory").info("Ranking input variables (method specific)...")
        library.getChild("DataSetFactory").info("[d] : Number of events in input trees")
        library.getChild("output").info("Dataset:a_name_that_is_too_long : Created tree 'TestTree' with 5 events")
    blank = " " * 25
    assert capsys.readouterr().out.splitlines() == [
        f"{blank}: first",
        f"{blank}: second",
        "<WARNING> <WARNING>                : careful",
        "<ERROR>                          : wrong",
        "<HEADER> Factory                  : Booking method: MLP",
        f"{blank}: Ranking input variables (method specific)...",
        "<HEADER> DataSetFactory           : [d] : Number of events in input trees",
        "<HEADER> Dataset:a_name_that_is...: Created tree 'TestTree' with 5 events",
    ]


def test_silence_lasts_until_another_factory_speaks(capsys):
    with fresh_logging() as library:
        show_messages(silent=True)
        show_messages()
        library.info("not this")
        show_messages(silent=False)
        library.info("but this")
        assert len(library.handlers) == 1
    shown = capsys.readouterr().out
    assert "not this" not in shown
    assert "but this" in shown


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        ("AnalysisType=Classification", True),
        ("AnalysisType=Classification:Correlations", True),
        ("AnalysisType=Classification:!ROC", False),
        ("AnalysisType=Multiclass", False),
    ],
)
def test_only_the_final_tables_of_a_classification_break_the_silence(options, shown, root, loader, capsys):
    with fresh_logging() as library:
        factory = root.TMVA.Factory("job", f"Silent:!DrawProgressBar:!ModelPersistence:{options}")
        factory.BookMethod(loader, "MLP", "MLP", QUICK)
        factory.TrainAllMethods()
        factory.TestAllMethods()
        capsys.readouterr()
        factory.EvaluateAllMethods()
        assert library.level == logging.WARNING
    lines = [line[27:] for line in capsys.readouterr().out.splitlines()]
    assert lines == (factory.tables[0].split("\n")[-len(lines) :] if shown else [])
    assert len(lines) == (16 if shown else 0)


def test_silence_is_not_broken_in_logging_that_the_user_has_set_up():
    with fresh_logging() as library:
        library.addHandler(logging.NullHandler())
        library.setLevel(logging.ERROR)
        with aloud():
            assert library.level == logging.ERROR


def test_logging_that_the_user_has_set_up_is_left_alone():
    with fresh_logging() as library:
        library.addHandler(logging.NullHandler())
        show_messages()
        assert not any(isinstance(handler, StandardOutput) for handler in library.handlers)


def test_a_macro_shows_its_tables_in_spite_of_logging_around_it(root, loader, capsys):
    with fresh_logging() as library:
        quiet = logging.NullHandler()
        library.addHandler(quiet)
        library.setLevel(logging.ERROR)
        with as_macro():
            factory = root.TMVA.Factory("job", "!Silent:!DrawProgressBar:!ModelPersistence")
            factory.BookMethod(loader, "MLP", "MLP", QUICK)
            factory.TrainAllMethods()
            factory.TestAllMethods()
            factory.EvaluateAllMethods()
        assert (library.handlers, library.level) == ([quiet], logging.ERROR)
    lines = [line.partition(": ")[2] for line in capsys.readouterr().out.splitlines()]
    table = factory.tables[0].split("\n")
    start = lines.index(table[1])
    assert [line.strip() for line in lines[start : start + len(table) - 1]] == [line.strip() for line in table[1:]]
    assert "Ranking input variables (method specific)..." in lines


def test_settings_of_plots_without_effect_are_told(root, fresh_config, caplog):
    plotting = root.TMVA.gConfig().GetVariablePlotting()
    plotting.fTimesRMS = 8
    plotting.fNbins1D = 40
    assert not caplog.records
    plotting.fNbinsMVAoutput = 80
    (record,) = caplog.records
    assert record.levelname == "WARNING"
    assert record.getMessage() == (
        "gConfig().GetVariablePlotting().fNbinsMVAoutput = 80 has no effect here: the histograms and plots are made "
        "as with TMVA's default, 40"
    )
    assert plotting.fNbinsMVAoutput == 80
    plotting.fNoSuchThing = 1
    assert caplog.records[-1].getMessage().endswith("fNoSuchThing = 1 has no effect here")


def test_settings_of_plots_are_told_before_there_is_a_factory(root, fresh_config, capsys):
    with fresh_logging():
        root.TMVA.gConfig().GetVariablePlotting().fNbins2D = 100
    assert "<WARNING> <WARNING>                : gConfig().GetVariablePlotting().fNbins2D" in capsys.readouterr().out


def test_the_configuration_has_tmvas_defaults():
    config = Config()
    assert config.GetVariablePlotting().fNbinsMVAoutput == 40
    assert config.GetIONames().fOptionsReferenceFileDir == "optionInfo"
    config.SetSilent(True)
    config.SetUseColor(False)
    config.SetDrawProgressBar(True)
    assert (config.IsSilent(), config.UseColor(), config.DrawProgressBar()) == (True, False, True)


def test_the_importance_of_variables_is_a_histogram_with_their_names(root, loader):
    factory = root.TMVA.Factory("job", "Silent:!DrawProgressBar")
    histogram = factory.EvaluateImportance(loader, root.TMVA.VIType.kShort, root.TMVA.Types.kFisher, "F", "!V")
    names = [histogram.GetXaxis().GetBinLabel(number) for number in (1, 2)]
    assert (histogram.GetName(), sorted(names)) == ("vih1", ["var1", "var2"])
    contents = [histogram.GetBinContent(number) for number in (1, 2)]
    assert contents[0] >= contents[1]
    assert sum(contents) == pytest.approx(100.0, abs=1e-4)
    assert histogram.GetYaxis().GetTitle() == "Importance (%)"
    assert root.TMVA.kAll == 1
