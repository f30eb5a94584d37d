"""Every classifier can be boosted: its training sees the weights of the boosting, and its file gives the same again."""

import logging
from dataclasses import dataclass, replace

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn import methods
from pytmva_bnn.factory.training_run import train_method
from pytmva_bnn.methods import Fitted, Method, kinds, method_of
from pytmva_bnn.methods.booking import Booking
from pytmva_bnn.methods.composite import boost_training
from pytmva_bnn.random import TRandom3
from pytmva_bnn.tmva_types import AnalysisType

QUICK = {
    "MLP": "NCycles=5:HiddenLayers=2:VarTransform=N",
    "BDT": "NTrees=4:MaxDepth=2",
    "PDEFoam": "nActiveCells=20:nSampl=100:TailCut=0",
    "Fisher": "Method=Mahalanobis",
    "HMatrix": "VarTransform=D",
    "Likelihood": "VarTransform=D:NAvEvtPerBin=20:PDFInterpolBkg[1]=Spline3",
    "KNN": "nkNN=8:VarTransform=N",
    "PDERS": "NEventsMin=20:NEventsMax=30:VolumeRangeMode=Adaptive",
}
CLASSIFIERS = [kind for kind in kinds() if kind in QUICK or kind == "LD"]
# what reading rounds
TOLERANCES = {"MLP": 1e-6, "BDT": 1e-6, "HMatrix": 1e-12}


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_every_classifier_is_trained_with_the_weights_of_the_boosting(kind, boost):
    options = f"{QUICK.get(kind, '')}:Boost_Num=3:Boost_AdaBoostBeta=0.5:Boost_Transform=linear".removeprefix(":")
    method = boost(kind, options).methods[0]
    trained, data = method.trained, method.dataset
    assert trained.fitted.kind == kind
    assert len(trained.fitted.classifiers) == 3
    # the last classifier is what a training of its own gives with these weights
    weights = _boosts_after(trained, 2) * data.training.weights
    own = Booking.parse(method_of(kind), QUICK.get(kind, ""), AnalysisType.CLASSIFICATION, "own", 2)
    step = replace(data, training=replace(data.training, weights=weights))
    alone = train_method(step, "own", own, AnalysisType.CLASSIFICATION, quiet=True)
    if own.options.string("VarTransform") == "D":  # the transformation is that of the events without boosting
        return
    x = trained.training.inputs
    np.testing.assert_array_equal(trained.fitted.classifiers[2].fitted.mva_values(x), alone.fitted.mva_values(x))


def _boosts_after(trained, n):
    events = trained.training
    boosts = np.ones(len(events))
    for one in trained.fitted.classifiers[:n]:
        v = np.asarray(one.fitted.mva_values(events.inputs), dtype=np.float64)
        boosts = boost_training.adaboost(v, events.weights, boosts, events.is_signal, 0.5).boosts
    return boosts


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_files_give_the_response_of_the_training(kind, boost, tmp_path):
    options = f"{QUICK.get(kind, '')}:Boost_Num=3:Boost_Transform=gauss".removeprefix(":")
    method = boost(kind, options).methods[0]
    x = method.dataset.test.variables
    expected = method.trained.model().predict(x)
    tolerance = TOLERANCES.get(kind, 0.0)
    np.testing.assert_allclose(method.model.predict(x), expected, rtol=tolerance, atol=tolerance)
    assert np.std(expected) > 0.01
    method.model.save(tmp_path / "copy.weights.xml")
    assert (tmp_path / "copy.weights.xml").read_text() == method.weight_file.read_text()
    np.testing.assert_array_equal(TMVA.load(tmp_path / "copy.weights.xml").predict(x), method.model.predict(x))
    reader = TMVA.Reader("!V:Silent")
    cells = [reader.AddVariable(name) for name in ("x", "y")]
    reader.BookMVA("tag", method.weight_file)
    for event, response in zip(x[:5], method.model.predict(x), strict=False):
        cells[0][0], cells[1][0] = event
        assert reader.EvaluateMVA("tag") == pytest.approx(response, rel=1e-13)


def test_companions_of_the_classifiers(boost):
    method = boost("PDEFoam", f"{QUICK['PDEFoam']}:Boost_Num=2:Boost_Transform=linear").methods[0]
    folder = method.weight_file.parent
    names = sorted(path.name for path in folder.glob("*.root"))
    assert names == ["job_B.weights_B0000_foams.root", "job_B.weights_B0001_foams.root"]
    first, second = (one.fitted.foams[0].elements for one in method.model.fitted.classifiers)
    assert first.shape != second.shape or not np.array_equal(first, second)
    (folder / names[1]).unlink()
    with pytest.raises(TMVA.TMVAError, match=r"job_B\.weights_B0001_foams\.root"):
        TMVA.load(method.weight_file)


def test_foams_may_be_filled_without_the_weights_of_the_boosting(boost):
    options = f"{QUICK['PDEFoam']}:SigBgSeparate:Boost_Num=2:Boost_Type=Bagging:Boost_Transform=linear"
    boosted, original = (
        [foam.elements.sum() for foam in boost("PDEFoam", options + more).methods[0].model.classifiers[1].fitted.foams]
        for more in ("", ":FillFoamWithOrigWeights")
    )
    assert boosted != pytest.approx(original, rel=0.05)


@dataclass(frozen=True, eq=False)
class FittedMean(Fitted):
    """Gives the mean weights that its training saw, and otherwise the first variable."""

    seen: float
    in_dataset: float

    def respond(self, x):
        return x[:, :1].astype(np.float64)

    def write(self, dialect):
        del dialect
        yield f'  <Weights Seen="{self.seen!r}" InDataset="{self.in_dataset!r}"/>'


class Mean(Method):
    kind = "Mean"

    def train(self, job):
        return FittedMean(float(job.training.weights.mean()), float(job.dataset.training.weights.mean()))

    def read(self, section, head, how):
        del head, how
        return FittedMean(float(section.element.get("Seen")), float(section.element.get("InDataset")))


def test_weights_are_boosted_wherever_a_method_looks_for_them(boost, monkeypatch):
    monkeypatch.setitem(methods._METHODS, "Mean", Mean)
    options = "Boost_Num=2:Boost_Type=Bagging:Boost_BaggedSampleFraction=0.8:Boost_RandomSeed=5"
    method = boost("Mean", options, prepare="NormMode=None:SplitMode=Alternate").methods[0]
    weights = method.dataset.training.weights
    for number, one in enumerate(method.model.fitted.classifiers):
        random = TRandom3(5 + number + 1)
        counts = []
        for _ in weights:
            n, product = -1, 1.0
            while product > np.exp(-0.8):
                n, product = n + 1, product * random.rndm()
            counts.append(n)
        assert one.fitted.seen == one.fitted.in_dataset == pytest.approx(np.mean(weights * counts))
        assert (one.weight, one.cut, one.orientation) == (1.0, 0.0, 1.0)


def test_a_single_classifier_has_the_weight_1(boost):
    (one,) = boost("Fisher", "Boost_Num=1").methods[0].model.fitted.classifiers
    assert one.weight == 1.0
    assert one.cut != 0.0


def test_the_boosting_ends_when_a_classifier_is_no_better_than_a_coin(boost, caplog, monkeypatch):
    assert boost_training.LARGEST_ERROR == 0.49999
    monkeypatch.setattr(boost_training, "LARGEST_ERROR", 0.4)
    with caplog.at_level(logging.WARNING):
        method = boost("Fisher", "Boost_Num=30").methods[0]
    fitted = method.trained.fitted
    assert 1 < len(fitted.classifiers) < 30
    assert fitted.result.ended_by == "error"
    assert fitted.errors[-1] > 0.4 >= max(fitted.errors[:-1])
    assert f"ends with classifier {len(fitted.classifiers) - 1}, which misclassifies" in caplog.text


def test_classifiers_that_are_always_right_all_count(boost, caplog):
    with caplog.at_level(logging.WARNING):
        method = boost("Fisher", "Boost_Num=2", mean=40.0).methods[0]
    assert "classifier 0 classifies every training event correctly" in caplog.text
    assert "the weights of all classifiers are 0 and are set to 1" in caplog.text
    assert [one.weight for one in method.model.fitted.classifiers] == [1.0, 1.0]
    assert set(method.model.predict(method.dataset.test.variables)) == {-1.0, 1.0}


def test_ctrl_c_keeps_the_classifiers_so_far(boost, monkeypatch, caplog):
    train, calls = methods.method_of("Fisher").__class__.train, []

    def interrupted(self, job):
        calls.append(job.title)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return train(self, job)

    monkeypatch.setattr(methods.method_of("Fisher").__class__, "train", interrupted)
    with caplog.at_level(logging.WARNING):
        fitted = boost("Fisher", "Boost_Num=5").methods[0].trained.fitted
    assert calls == ["B_B0000", "B_B0001", "B_B0002"]
    assert len(fitted.classifiers) == 2
    assert fitted.interrupted_after == "classifier 1"
    assert "interrupted after 2 classifiers, which are kept" in caplog.text
    calls[:] = ["", ""]
    with pytest.raises(KeyboardInterrupt, match="before the first classifier"):
        boost("Fisher", "Boost_Num=5")


def test_the_log_has_no_tables_of_the_single_classifiers(boost, caplog):
    with caplog.at_level(logging.INFO, logger="pytmva_bnn"):
        boost("Fisher", "Boost_Num=4")
    assert "Training 4 Fisher classifiers" in caplog.text
    assert "Coefficient" not in caplog.text
    assert logging.getLogger("pytmva_bnn.Fisher").level == logging.NOTSET


def test_cross_validation(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(4)
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    loader.AddSignalTree({"x": random.normal(1, 1, 60)})
    loader.AddBackgroundTree({"x": random.normal(-1, 1, 60)})
    loader.PrepareTrainingAndTestTree("", "nTest_Signal=1:nTest_Background=1")
    cv = TMVA.CrossValidation("cv", loader, "!V:Silent:NumFolds=2:AnalysisType=Classification")
    cv.BookMethod(TMVA.Types.kLD, "BLD", "Boost_Num=3:Boost_Transform=linear")
    cv.Evaluate()
    (result,) = cv.GetResults()
    assert TMVA.load(result.folds[0].weight_file).kind == "Boost"
    assert result.GetROCAverage() > 0.85


def test_the_shim_and_the_output_file(tmp_path, monkeypatch):
    from pytmva_bnn.compat import ROOT

    monkeypatch.chdir(tmp_path)
    output = ROOT.TFile.Open("out.root", "RECREATE")
    factory = ROOT.TMVA.Factory("shim", output, "!V:Silent:AnalysisType=Classification")
    loader = ROOT.TMVA.DataLoader("dataset")
    loader.AddVariable("x", "F")
    random = np.random.default_rng(4)
    loader.AddSignalTree({"x": random.normal(1, 1, 60)})
    loader.AddBackgroundTree({"x": random.normal(-1, 1, 60)})
    loader.PrepareTrainingAndTestTree(ROOT.TCut(""), "SplitMode=Alternate")
    factory.BookMethod(loader, ROOT.TMVA.Types.kFisher, "BF", "Boost_Num=3:Boost_Transform=log")
    factory.TrainAllMethods()
    factory.TestAllMethods()
    factory.EvaluateAllMethods()
    output.Close()
    assert TMVA.load("dataset/weights/shim_BF.weights.xml").summary == "3 boosted Fisher classifiers"
    import uproot

    with uproot.open(tmp_path / "out.root") as file:
        assert "dataset/Method_Boost/BF/MVA_BF_S" in {name.split(";")[0] for name in file.keys()}  # noqa: SIM118
