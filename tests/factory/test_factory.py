import logging
import re
from pathlib import Path

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.dataset.description import InputVariable
from pytmva_bnn.errors import InputError, OptionError, UnknownMethodError
from pytmva_bnn.factory import MethodBase, NotTrainedError
from pytmva_bnn.factory.output_run import method_output
from pytmva_bnn.methods.mlp.training import RegulatorGroups, TrainingError
from pytmva_bnn.methods.mlp.training.hessian import posterior_covariance
from pytmva_bnn.methods.mlp.training_job import sample_of
from pytmva_bnn.weights import read

QUIET = "!V:Silent:!DrawProgressBar"
QUICK = "TrainingMethod=BFGS:NCycles=10:HiddenLayers=3:NeuronType=tanh:VarTransform=N:TestRate=5"


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def events(seed: int = 1, n: int = 400) -> tuple[dict, dict]:
    rng = np.random.default_rng(seed)
    signal = {"x": rng.normal(0.7, 1, n), "y": rng.normal(0, 1, n), "w": np.ones(n)}
    background = {"x": rng.normal(-0.7, 1, n), "y": rng.normal(0, 1, n), "w": np.ones(n)}
    return signal, background


def filled(loader):
    signal, background = events()
    loader.AddVariable("x", "Momentum", "GeV", "F")
    loader.AddVariable("s := x + y", "F")
    loader.AddSpectator("y")
    loader.AddSignalTree(signal, 1.0)
    loader.AddBackgroundTree(background, 1.0)
    loader.PrepareTrainingAndTestTree("", "SplitMode=Random:NormMode=NumEvents:!V")
    return loader


@pytest.fixture
def loader():
    return filled(TMVA.DataLoader("dataset"))


# -- construction and booking


@pytest.mark.parametrize(
    "make",
    [
        lambda: TMVA.Factory("job"),
        lambda: TMVA.Factory(
            "job", "!V:!Silent:Color:DrawProgressBar:Transformations=I;D;P;G,D:AnalysisType=Classification"
        ),
        lambda: TMVA.Factory("job", None, "!V"),
        lambda: TMVA.Factory("job", V=False, Silent=True, AnalysisType="Classification"),
        lambda: TMVA.Factory("job", None, V=False, ROC=True),
    ],
)
def test_all_forms_of_the_constructor(make, loader):
    method = make().BookMethod(loader, TMVA.Types.kMLP, "MLP", "!H:!V")
    assert method.GetMethodTypeName() == "MLP"
    assert method.analysis_type == "Classification"


def test_wrong_options_of_the_factory_suggest_the_right_one():
    with pytest.raises(OptionError, match=r"AnalysisTyp.*did you mean AnalysisType"):
        TMVA.Factory("job", "AnalysisTyp=Classification")


@pytest.mark.parametrize("kind", ["MLP", TMVA.Types.kMLP, TMVA.Types.EMVA.kMLP])
def test_methods_are_booked_by_type_or_name_and_with_keywords(kind, loader):
    factory = TMVA.Factory("job", QUIET)
    method = factory.BookMethod(loader, kind, "BNN", H=False, NCycles=7, HiddenLayers="N+5", UseRegulator=True)
    assert method.booked.settings.training.n_cycles == 7
    assert method.booked.settings.training.use_regulator
    assert method.GetOptions() == "!H:NCycles=7:HiddenLayers=N+5:UseRegulator"


def test_a_typo_in_a_method_option_is_told_at_booking(loader):
    with pytest.raises(OptionError, match="UseRegulater: did you mean UseRegulator"):
        TMVA.Factory("job", QUIET).BookMethod(loader, "MLP", "MLP", "NCycles=10:UseRegulater=True")


def test_an_impossible_value_is_told_at_booking(loader):
    with pytest.raises(OptionError, match=r"TrainingMethod.*BFSG.*BP, GA, BFGS"):
        TMVA.Factory("job", QUIET).BookMethod(loader, "MLP", "MLP", "TrainingMethod=BFSG")
    with pytest.raises(OptionError, match=r"NeuronType=Tanh.*did you mean tanh"):
        TMVA.Factory("job", QUIET).BookMethod(loader, "MLP", "MLP", "NeuronType=Tanh")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("VarTransform=Q", "MLP: VarTransform: Variable transform 'Q' unknown"),
        ("TrainingMethod= bfgs", "TrainingMethod=bfgs is not one of BFGS, BP, GA"),
        ("BPMode= Batch", "BPMode=Batch is not one of sequential, batch"),
        ("NeuronInputType= SQSUM", "MLP: NeuronInputType=SQSUM is not one of sum, sqsum, abssum"),
        ("VarTransform=N_Foo", "MLP: Class Foo not known for variable transformation N"),
        ("VarTransform=N,P(_V0_,_V9_)", "MLP: You selected variable with index : 9 of only 2 variables"),
        ("CreateMVAPdfs:KDEiterMVAPdf= adaptive", "KDEiterMVAPdf=adaptive is not one of Nonadaptive, Adaptive"),
        ("CreateMVAPdfs:PDFInterpolMVAPdf= kde", "PDFInterpolMVAPdf=kde is not one of Spline0, .*KDE"),
        ("CreateMVAPdfs:NAvEvtPerBinMVAPdf=0", "NAvEvtPerBin must be positive unless Nbins is given, got 0"),
    ],
)
def test_what_only_the_training_would_notice_is_told_at_booking(options, message, loader):
    factory = TMVA.Factory("job", f"{QUIET}:AnalysisType=Classification")
    with pytest.raises(OptionError, match=message):
        factory.BookMethod(loader, "MLP", "MLP", options)


def test_several_selections_are_warned_of_once_a_booking(loader, caplog):
    factory = TMVA.Factory("job", "TMVA.root", QUIET)
    factory.BookMethod(loader, "MLP", "MLP", f"{QUICK}:VarTransform=N(x),P(x,s)")
    factory.TrainAllMethods()
    factory.EvaluateAllMethods()
    (message,) = [one.getMessage() for one in caplog.records if "several selections" in one.getMessage()]
    assert message.startswith("MLP: VarTransform=N(x),P(x,s): the standalone class that TMVA itself writes does not")
    assert message.endswith("both Readers do, and so does the standalone class written here")
    assert "class ReadMLP" in Path("dataset/weights/job_MLP.class.C").read_text()


@pytest.mark.parametrize(
    ("chains", "reason"),
    [
        ("I;N_Foo", "Class Foo not known for variable transformation N, .*Background, Signal"),
        ("I;P(_V0_)", "Cannot perform PCA transformation for 1 variable only"),
        ("I;D(_V7_)", "You selected variable with index : 7 of only 2 variables"),
    ],
)
def test_chains_for_the_output_file_are_checked_before_the_training(chains, reason, loader):
    factory = TMVA.Factory("job", "TMVA.root", f"{QUIET}:Transformations={chains}")
    method = factory.BookMethod(loader, "MLP", "MLP", QUICK)
    with pytest.raises(OptionError, match=rf"Transformations={re.escape(chains)}: the data set dataset: {reason}"):
        factory.TrainAllMethods()
    assert not method.is_trained


def test_chains_do_not_matter_without_an_output_file(loader):
    factory = TMVA.Factory("job", f"{QUIET}:Transformations=I;N_Foo")
    method = factory.BookMethod(loader, "MLP", "MLP", QUICK)
    factory.TrainAllMethods()
    assert method.is_trained


def test_no_chain_can_be_asked_for_by_keyword(loader):
    factory = TMVA.Factory("job", Path("TMVA.root"), Silent=True, Transformations=None)
    factory.BookMethod(loader, "MLP", "MLP", QUICK)
    factory.TrainAllMethods()
    assert factory.options.string("Transformations") == "None"


def test_classification_is_for_two_classes(loader):
    factory = TMVA.Factory("job", f"{QUIET}:AnalysisType=Classification")
    signal, _ = events(2)
    method = factory.BookMethod(loader, "MLP", "MLP", QUICK)
    loader.AddTree(signal, "other")
    message = r"needs exactly two classes, but there are 3 \(Signal, Background, other\); set AnalysisType=Multiclass"
    with pytest.raises(InputError, match=message):
        factory.TrainAllMethods()
    assert not method.is_trained
    with pytest.raises(InputError, match=message):
        factory.BookMethod(loader, "MLP", "another", QUICK)


def weighted_loader(norm_mode):
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    for tree, add in zip(events(), (loader.AddSignalTree, loader.AddBackgroundTree), strict=True):
        tree["w"][::5] = -0.7
        add(tree)
    loader.SetWeightExpression("w")
    loader.PrepareTrainingAndTestTree("", f"SplitMode=Alternate:NormMode={norm_mode}:!V")
    return loader


def trained_with(norm_mode, *options, built_early=False):
    """The samples that the methods of one factory were trained with, and their weights."""
    loader = weighted_loader(norm_mode)
    if built_early:
        assert loader.training.weights.min() < 0
    factory = TMVA.Factory("job", f"{QUIET}:!ModelPersistence:AnalysisType=Classification")
    text = "TrainingMethod=BFGS:NCycles=3:HiddenLayers=2:VarTransform=N"
    methods = [factory.BookMethod(loader, "MLP", f"M{i}", f"{text}:{one}") for i, one in enumerate(options)]
    factory.TrainAllMethods()
    return loader.training.weights, [method.trained for method in methods]


@pytest.mark.parametrize(("norm_mode", "early"), [("None", False), ("None", True), ("NumEvents", True)])
def test_the_method_booked_last_decides_on_negative_weights(norm_mode, early):
    ignore = "IgnoreNegWeightsInTraining"
    weights, (first, second) = trained_with(norm_mode, "!V", ignore, built_early=early)
    assert (weights < 0).any()  # hidden in training, not removed
    hidden = np.where(weights < 0, 0.0, weights)
    for trained in (first, second):
        np.testing.assert_array_equal(trained.training.weights, hidden)
        assert (trained.test.weights >= 0).all()
        np.testing.assert_array_equal(trained.fitted.network.flat_weights(), first.fitted.network.flat_weights())
    weights, (first, second) = trained_with(norm_mode, ignore, "!V", built_early=early)
    for trained in (first, second):
        np.testing.assert_array_equal(trained.training.weights, weights)
    # the first one leaves such events out, the second one uses them
    assert not np.array_equal(first.fitted.network.flat_weights(), second.fitted.network.flat_weights())


@pytest.mark.parametrize(("mode", "kept"), [("sequential", False), ("batch", True)])
def test_batches_build_the_data_set_before_the_training_hides_negative_weights(mode, kept):
    weights, _ = trained_with("NumEvents", f"BPMode={mode}:IgnoreNegWeightsInTraining")
    assert (weights < 0).any() == kept


def test_a_folder_that_takes_no_files_is_told_before_the_training(loader, tmp_path, monkeypatch):
    (tmp_path / "dataset").write_text("in the way")
    factory = TMVA.Factory("job", f"{QUIET}:AnalysisType=Classification")
    method = factory.BookMethod(loader, "MLP", "MLP", QUICK)
    with pytest.raises(InputError, match=r"dataset/weights: no file can be written .* \(dataset is a file\)"):
        factory.TrainAllMethods()
    assert not method.is_trained
    (tmp_path / "dataset").unlink()
    (tmp_path / "out.root").mkdir()
    factory = TMVA.Factory("job", "out.root", f"{QUIET}:AnalysisType=Classification")
    factory.BookMethod(loader, "MLP", "MLP", QUICK)
    with pytest.raises(InputError, match=r"out\.root is a folder"):
        factory.TrainAllMethods()


def test_help_is_logged_if_asked_for(loader, caplog):
    factory = TMVA.Factory("job", f"{QUIET}:!ModelPersistence:AnalysisType=Classification")
    factory.BookMethod(loader, "MLP", "quiet", f"!H:{QUICK}")
    factory.BookMethod(loader, "MLP", "loud", f"H:{QUICK}")
    with caplog.at_level(logging.INFO, "pytmva_bnn"):
        factory.TrainAllMethods()
    assert "Options of loud" in caplog.text
    assert "Options of quiet" not in caplog.text


def test_the_loss_of_a_reference_class_is_told(loader, caplog):
    factory = TMVA.Factory("job", f"{QUIET}:AnalysisType=Classification")
    with caplog.at_level(logging.WARNING, "pytmva_bnn"):
        factory.BookMethod(loader, "MLP", "one", "VarTransform=N,D_AllClasses")
        assert caplog.text == ""
        factory.BookMethod(loader, "MLP", "two", "VarTransform=N_Signal")
    assert "does not keep the class Signal" in caplog.text


def test_a_layer_without_neurons_leaves_a_constant_network():
    signal, background = events()
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    loader.AddSignalTree(signal)
    loader.AddBackgroundTree(background)
    factory = TMVA.Factory("job", f"{QUIET}:!ModelPersistence:AnalysisType=Classification")
    # TMVA's default N,N-1 with one variable
    method = factory.BookMethod(loader, "MLP", "MLP", "TrainingMethod=BFGS:NCycles=10")
    factory.TrainAllMethods()
    assert method.model.network.layer_sizes == (1, 1, 0, 1)
    np.testing.assert_allclose(method.model.predict([[0.0], [3.0]]), 0.5, atol=1e-3)


@pytest.mark.parametrize("hidden", ["0", "N,N-2", "3,0,2"])
@pytest.mark.parametrize("method", ["BFGS", "BP"])
def test_regulators_of_a_layer_without_neurons_do_no_harm(loader, hidden, method, monkeypatch):
    monkeypatch.setattr(MethodBase, "checks_values", False)  # as in a macro
    factory = TMVA.Factory("job", f"{QUIET}:!ModelPersistence:AnalysisType=Classification")
    text = f"TrainingMethod={method}:NCycles=20:HiddenLayers={hidden}:UseRegulator:CalculateErrors"
    booked = factory.BookMethod(loader, "MLP", "MLP", text)
    factory.TrainAllMethods()
    evidence = booked.result.evidence
    assert np.isfinite(booked.result.regulators).all()
    assert (booked.result.regulators[evidence.group_sizes == 0] == 0).all()
    assert (evidence.group_sizes == 0).any()
    value, lower, upper = booked.model.predict({"x": [0.0, 3.0], "s": [0.0, 1.0]}, errors=True)
    np.testing.assert_allclose(value, 0.5, atol=0.01)
    assert np.isfinite([lower, upper]).all()


def test_other_methods_do_not_exist(loader):
    with pytest.raises(InputError, match=r"PyKeras is not available here; available: .*MLP"):
        TMVA.Factory("job", QUIET).BookMethod(loader, TMVA.Types.kPyKeras, "Keras", "NTrees=100")


def test_titles_are_booked_once_per_data_set(loader):
    factory = TMVA.Factory("job", QUIET)
    factory.BookMethod(loader, "MLP", "MLP", QUICK)
    with pytest.raises(InputError, match="title <MLP> already exists"):
        factory.BookMethod(loader, "MLP", "MLP", QUICK)
    factory.BookMethod(filled(TMVA.DataLoader("other")), "MLP", "MLP", QUICK)
    assert factory.HasMethod("other", "MLP")
    assert not factory.HasMethod(loader, "BNN")
    with pytest.raises(UnknownMethodError, match=r"no method MPL is booked for dataset: did you mean dataset/MLP"):
        factory.GetMethod("dataset", "MPL")
    factory.DeleteAllMethods()
    assert factory.methods == ()


@pytest.mark.parametrize(
    ("classes", "expected"),
    [
        (["Signal", "Background"], "Classification"),
        (["Background", "Signal"], "Classification"),
        (["a", "b"], "Multiclass"),
        (["a", "b", "c"], "Multiclass"),
    ],
)
def test_the_analysis_type_is_found_from_the_classes(classes, expected):
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    for name in classes:
        loader.AddTree(events()[0], name)
    assert TMVA.Factory("job", QUIET).BookMethod(loader, "MLP", "MLP", QUICK).analysis_type == expected


def test_regression_must_be_asked_for():
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    loader.AddTarget("y")
    loader.AddRegressionTree(events()[0])
    with pytest.raises(OptionError, match=r"No analysis type for 1 classes and 1 regression targets.*AnalysisType="):
        TMVA.Factory("job", QUIET).BookMethod(loader, "MLP", "MLP", QUICK)


# -- training


def test_training_writes_the_weight_file_and_reads_it_back(loader, tmp_path):
    factory = TMVA.Factory("job", QUIET)
    method = factory.BookMethod(loader, "MLP", "MLP", QUICK + ":CalculateErrors")
    with pytest.raises(NotTrainedError, match="call TrainAllMethods first"):
        method.model  # noqa: B018
    factory.TrainAllMethods()
    path = tmp_path / "dataset" / "weights" / "job_MLP.weights.xml"
    assert method.GetWeightFileName() == "dataset/weights/job_MLP.weights.xml"
    model = TMVA.load(path)
    assert [v.expression for v in model.variables] == ["x", "x+y"]
    assert [s.expression for s in model.spectators] == ["y"]
    assert model.info["Training events"] == "400"
    signal, background = events()
    assert model.predict(signal).mean() > model.predict(background).mean() + 0.2
    np.testing.assert_array_equal(model.predict(signal), method.model.predict(signal))
    assert method.GetTrainTime() > 0


def test_without_persistence_nothing_is_written_and_weights_are_not_rounded(loader, tmp_path):
    methods = []
    for options in (QUIET, QUIET + ":!ModelPersistence"):
        factory = TMVA.Factory("job", options)
        methods.append(factory.BookMethod(loader, "MLP", "MLP", QUICK))
        factory.TrainAllMethods()
    signal, _ = events()
    written, kept = (method.model.predict(signal) for method in methods)
    np.testing.assert_allclose(written, kept, rtol=1e-5)
    assert (written != kept).any()
    assert [p.name for p in tmp_path.rglob("*.xml")] == ["job_MLP.weights.xml"]
    assert methods[1].GetWeightFileName() == ""


def test_the_same_training_twice_gives_the_same_file(loader):
    files = []
    for title in ("a", "b"):
        factory = TMVA.Factory("job", QUIET)
        method = factory.BookMethod(loader, "MLP", title, QUICK + ":UseRegulator:CalculateErrors")
        factory.TrainAllMethods()
        files.append(TMVA.load(method.weight_file))
    for one, other in zip(files[0].matrices, files[1].matrices, strict=True):
        np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(files[0].inverse_hessian, files[1].inverse_hessian)


def test_evidence_is_there_after_a_regulated_training(loader):
    factory = TMVA.Factory("job", QUIET)
    plain = factory.BookMethod(loader, "MLP", "plain", QUICK)
    regulated = factory.BookMethod(loader, "MLP", "regulated", QUICK + ":UseRegulator")
    factory.TrainAllMethods()
    assert np.isfinite(regulated.evidence.log_evidence)
    assert 0 < regulated.evidence.n_effective < regulated.result.network.n_weights
    assert len(regulated.evidence.regulators) == 4  # two inputs, the bias, the hidden layer
    with pytest.raises(NotTrainedError, match="UseRegulator=True"):
        plain.evidence  # noqa: B018


def test_factories_of_root_5_are_their_own_loader(tmp_path):
    factory = TMVA.Factory("job", QUIET)
    filled(factory)
    method = factory.BookMethod(TMVA.Types.kMLP, "MLP", QUICK)
    factory.TrainAllMethods()
    assert (tmp_path / "weights" / "job_MLP.weights.xml").exists()
    assert method.analysis_type == "Classification"
    assert factory.GetMethod("Default", "MLP") is method


def test_a_handful_of_events_is_not_trained_on(caplog):
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    few = {"x": np.arange(8.0)}
    loader.AddSignalTree(few)
    loader.AddBackgroundTree(few)
    factory = TMVA.Factory("job", QUIET)
    method = factory.BookMethod(loader, "MLP", "MLP", QUICK)
    with caplog.at_level(logging.WARNING):
        factory.TrainAllMethods()
    assert "MLP not trained (training tree has less entries [8] than required [10])" in caplog.text
    assert not method.is_trained


def test_regression_without_target_is_told():
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    loader.AddRegressionTree(events()[0])
    factory = TMVA.Factory("job", QUIET + ":AnalysisType=Regression")
    factory.BookMethod(loader, "MLP", "MLP", QUICK)
    with pytest.raises(InputError, match="without specifying a target; call AddTarget"):
        factory.TrainAllMethods()


def test_a_training_that_diverges_writes_no_file(loader, tmp_path):
    factory = TMVA.Factory("job", QUIET)
    factory.BookMethod(
        loader, "MLP", "MLP", "TrainingMethod=BP:NeuronType=linear:LearningRate=1e9:NCycles=10:HiddenLayers=3"
    )
    with pytest.raises(TrainingError, match="epoch"):
        factory.TrainAllMethods()
    assert not list(tmp_path.rglob("*.xml"))


def test_nothing_is_printed(loader, capsys):
    factory = TMVA.Factory("job", "!Silent")
    factory.BookMethod(loader, "MLP", "MLP", QUICK)
    factory.TrainAllMethods()
    assert capsys.readouterr() == ("", "")


# -- beyond TMVA


def test_checkpoint_goes_on_to_the_very_same_weights(loader, tmp_path):
    def weights(options: str) -> np.ndarray:
        factory = TMVA.Factory("job", QUIET + ":!ModelPersistence")
        method = factory.BookMethod(loader, "MLP", "MLP", options)
        factory.TrainAllMethods()
        return method.result.network.flat_weights()

    base = "TrainingMethod=BFGS:HiddenLayers=3:VarTransform=N:UseRegulator:NCycles=30"
    straight = weights(base)
    saved = base + f":Checkpoint={tmp_path / 'run.npz'}:10"
    np.testing.assert_array_equal(weights(saved), straight)
    assert (tmp_path / "run.npz").exists()
    np.testing.assert_array_equal(weights(saved), straight)


def test_posterior_hessian_gives_smaller_errors_and_files_tmva_can_read(loader):
    factory = TMVA.Factory("job", QUIET)
    options = "TrainingMethod=BFGS:NCycles=60:HiddenLayers=6:VarTransform=N:UseRegulator:CalculateErrors"
    plain = factory.BookMethod(loader, "MLP", "plain", options)
    posterior = factory.BookMethod(loader, "MLP", "posterior", options + ":Hessian=Posterior")
    factory.TrainAllMethods()
    signal, _ = events()
    np.testing.assert_array_equal(plain.model.predict(signal), posterior.model.predict(signal))
    assert (
        np.median(posterior.model.predict(signal, errors=True).lower / plain.model.predict(signal, errors=True).lower)
        < 0.9
    )
    names = {record.name for record in read(posterior.weight_file).options}
    assert names == {record.name for record in read(plain.weight_file).options}
    assert posterior.model.info["Hessian"] == "Posterior"
    assert "Hessian" not in plain.model.info


def test_the_posterior_of_a_regression_has_the_noise_of_the_evidence():
    rng = np.random.default_rng(3)
    x = rng.uniform(-1, 1, 60)
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    loader.AddTarget("t")
    loader.AddRegressionTree({"x": x, "t": x + rng.normal(0, 0.3, 60)})
    factory = TMVA.Factory("job", QUIET + ":AnalysisType=Regression:!ModelPersistence")
    options = "TrainingMethod=BFGS:NCycles=80:HiddenLayers=3:UseRegulator:CalculateErrors:Hessian=Posterior"
    trained = factory.BookMethod(loader, "MLP", "MLP", options)
    factory.TrainAllMethods()
    result, trained = trained.result, trained.trained
    noise = result.evidence.noise_variance
    assert noise != pytest.approx(result.training_estimator, rel=1e-3)  # it makes up for the parameters
    network, sample = trained.fitted.network, sample_of(trained.training, "Regression", 1)
    regulators = RegulatorGroups.of(network).of_weights(result.regulators)
    expected = posterior_covariance(network, sample, regulators, noise_variance=noise)
    np.testing.assert_array_equal(trained.fitted.inverse_hessian, expected)


def test_spectators_of_type_c_are_not_in_the_weight_file(loader):
    # TMVA: they are the cuts of the method Category
    loader.description.add_spectator(InputVariable.of("cut := x > 0", type="C"))
    factory = TMVA.Factory("job", QUIET)
    method = factory.BookMethod(loader, "MLP", "MLP", QUICK)
    factory.TrainAllMethods()
    text = method.weight_file.read_text()
    assert 'NSpec="1"' in text
    assert text.count("<Spectator ") == 1
    assert 'SpecIndex="0" Expression="y"' in text
    reader = TMVA.Reader("Silent")
    for name in ("x", "s := x + y"):
        reader.AddVariable(name)
    reader.AddSpectator("y")
    reader.BookMVA("MLP", method.weight_file)  # it is not to be declared


def test_several_targets_have_errors_with_one_matrix_per_output():
    rng = np.random.default_rng(3)
    x = rng.uniform(-1, 1, 600)
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    loader.AddTarget("a")
    loader.AddTarget("b")
    loader.AddRegressionTree({"x": x, "a": 3 * x + rng.normal(0, 0.1, 600), "b": 10 + x**2 + rng.normal(0, 0.5, 600)})
    factory = TMVA.Factory("job", QUIET + ":AnalysisType=Regression")
    options = (
        "TrainingMethod=BFGS:NCycles=60:HiddenLayers=4:NeuronType=tanh:VarTransform=N:CalculateErrors:Hessian=Posterior"
    )
    method = factory.BookMethod(loader, "MLP", "both", options + ":HessianPerOutput")
    single = factory.BookMethod(loader, "MLP", "one", options)
    factory.TrainAllMethods()
    value, lower, upper = TMVA.load(method.weight_file).predict({"x": x}, errors=True)
    assert value.shape == lower.shape == upper.shape == (600, 2)
    np.testing.assert_allclose(value[:, 0], 3 * x, atol=0.3)
    np.testing.assert_allclose(value[:, 1], 10 + x**2, atol=0.6)
    assert (lower > 0).all()
    assert not single.model.has_errors


def test_select_architecture_shows_a_table_and_writes_nothing(loader, tmp_path):
    choice = TMVA.select_architecture(loader, [1, 2, "N,2"], "NCycles=20:VarTransform=N", quiet=True)
    text = str(choice)
    assert text.count("\n") == 3
    assert "log evidence" in text
    assert "<-- best" in text
    assert choice.best.log_evidence == max(one.log_evidence for one in choice)
    assert not list(tmp_path.rglob("*.xml"))
    with pytest.raises(OptionError, match="leave it out"):
        TMVA.select_architecture(loader, [1], "HiddenLayers=5")
    with pytest.raises(OptionError, match="at least one entry"):
        TMVA.select_architecture(loader, [])


@pytest.mark.parametrize("transformations", ["I;X", "I;D;G,Foo"])
def test_a_typo_in_transformations_is_told_at_once(transformations):
    with pytest.raises(OptionError, match=r"^Transformations=I;"):
        TMVA.Factory("job", f"Silent:Transformations={transformations}")


def test_a_weight_of_all_classes_adds_an_empty_background_to_a_multiclass_training(tmp_path, monkeypatch, caplog):
    """TMVA: SetWeightExpression without a class means Signal and Background, and creates what is missing."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    loader.AddVariable("y")
    for place, name in enumerate(("Signal", "bg0", "bg1")):
        loader.AddTree({"x": rng.normal(place, 1.0, 60), "y": rng.normal(-place, 1.0, 60), "w": np.ones(60)}, name)
    loader.SetWeightExpression("w")
    loader.PrepareTrainingAndTestTree("", "SplitMode=Block:NormMode=NumEvents")
    options = "!V:Silent:!DrawProgressBar:AnalysisType=Multiclass:Transformations=I;D;P;U;G,D"
    factory = TMVA.Factory("job", "out.root", options)
    method = factory.BookMethod(loader, TMVA.Types.kMLP, "MLP", "NCycles=4:HiddenLayers=2:VarTransform=G")
    factory.TrainAllMethods()
    factory.TestAllMethods()
    factory.EvaluateAllMethods()
    expected = 'is for Signal and Background, but Background has no events; write SetWeightExpression("...", "bg0")'
    assert expected in caplog.text
    model = TMVA.load(method.weight_file)
    assert model.classes == ("Signal", "bg0", "bg1", "Background")
    response = model.predict([[0.0, 0.0]])
    assert response.shape == (1, 4)
    assert np.isfinite(response).all()


@pytest.mark.parametrize(
    ("options", "definition", "chain"),
    [
        ("", "N,U", "Norm_Gauss"),
        (":!ModelPersistence", "N,U", "Norm_Uniform"),
        ("", "I,S", "Norm"),
        (":!ModelPersistence", "I,S", "Id_Scale"),
        ("", "I", ""),
    ],
)
def test_axes_name_the_transformations_as_weight_files_do(options, definition, chain, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x", "the x", "cm")
    loader.AddSignalTree({"x": rng.normal(0.0, 1.0, 60)})
    loader.AddBackgroundTree({"x": rng.normal(1.0, 1.0, 60)})
    factory = TMVA.Factory("job", f"!V:Silent:!DrawProgressBar:AnalysisType=Classification{options}")
    method = factory.BookMethod(loader, TMVA.Types.kMLP, "MLP", f"NCycles=2:HiddenLayers=2:VarTransform={definition}")
    factory.TrainAllMethods()
    assert method_output(method, 0).chain == chain
