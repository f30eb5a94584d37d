"""Trainings beyond the records: options, wrong use, and the way through the rest of the package."""

import json
from pathlib import Path

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.cli import main
from pytmva_bnn.convert import convert, load_any
from pytmva_bnn.errors import OptionError

DATA = Path(__file__).resolve().parents[3] / "xml_fixtures" / "data"
QUICK = "nActiveCells=15:nSampl=100:Nmin=10"


@pytest.fixture
def train(tmp_path, monkeypatch):
    """Return ``train(options, ...)``: a Factory with a PDEFoam, its weight file in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def run(options, analysis="Classification", variables=("var1", "var2"), targets=("fvalue",), weight="", output=""):
        loader = TMVA.DataLoader("dataset")
        for name in variables:
            loader.AddVariable(name)
        if analysis == "Regression":
            for name in targets:
                loader.AddTarget(name)
            loader.AddTree(f"{DATA}/reg.root:TreeR", "Regression")
            split = "nTrain_Regression=300:nTest_Regression=100"
        else:
            trees = (
                {"Signal": "class.root:TreeS", "Background": "class.root:TreeB"}
                if analysis == "Classification"
                else {"S": "multi.root:TreeS", "B": "multi.root:TreeB0", "C": "multi.root:TreeB1"}
            )
            for name, tree in trees.items():
                loader.AddTree(f"{DATA}/{tree}", name)
                if weight:
                    loader.SetWeightExpression(weight, name)
            split = ":".join(f"nTrain_{name}=200:nTest_{name}=200" for name in trees)
        loader.PrepareTrainingAndTestTree("", f"{split}:SplitMode=Random:NormMode=None:!V")
        options_of_factory = f"!V:Silent:!DrawProgressBar:AnalysisType={analysis}"
        factory = TMVA.Factory("job", *([output] if output else []), options_of_factory)
        factory.BookMethod(loader, TMVA.Types.kPDEFoam, "PDEFoam", options)
        factory.TrainAllMethods()
        return factory

    return run


def foams_of(factory):
    return factory.GetMethod("dataset", "PDEFoam").model.fitted.foams


def test_every_kind_of_training_can_be_evaluated(train):
    for options, analysis, names in (
        (QUICK, "Classification", ["DiscrFoam"]),
        (f"{QUICK}:SigBgSeparate:Kernel=LinNeighbors", "Classification", ["SignalFoam", "BgFoam"]),
        (f"{QUICK}:DTLogic=CrossEntropy:Kernel=Gauss", "Classification", ["DiscrFoam"]),
        (f"{QUICK}:VarTransform=N", "Multiclass", ["MultiClassFoam0", "MultiClassFoam1", "MultiClassFoam2"]),
        (f"{QUICK}:VarTransform=N(_V0_,_T0_):Kernel=LinNeighbors", "Regression", ["MonoTargetRegressionFoam"]),
        (f"{QUICK}:MultiTargetRegression", "Regression", ["MultiTargetRegressionFoam"]),
    ):
        factory = train(options, analysis)
        factory.TestAllMethods()
        factory.EvaluateAllMethods()
        assert [foam.name for foam in foams_of(factory)] == names
        method = factory.GetMethod("dataset", "PDEFoam")
        dataset = method.dataset
        if analysis == "Classification":
            assert method.GetROCIntegral() > 0.6
            expected = method.model.predict(dataset.test.variables).astype(np.float32)
            np.testing.assert_array_equal(method.respond().test[:, 0], expected)
        if analysis == "Regression":
            spread = dataset.test.targets[:, 0].std()
            assert np.std(method.respond().test[:, 0] - dataset.test.targets[:, 0]) < 0.8 * spread


@pytest.mark.parametrize(
    "separation", ["GiniIndex", "MisClassificationError", "CrossEntropy", "GiniIndexWithLaplace", "SdivSqrtSplusB"]
)
def test_separations_divide_differently(train, separation):
    (foam,) = foams_of(train(f"{QUICK}:nBin=10:DTLogic={separation}"))
    assert foam.n_cells > 5
    assert foam.kind == "Discriminant"  # as the file has it


def test_compression_of_the_companion(train, tmp_path):
    companion = tmp_path / "dataset/weights/job_PDEFoam.weights_foams.root"
    sizes = []
    for flag in "TF":
        train(f"{QUICK}:Compress={flag}")
        sizes.append(companion.stat().st_size)
    assert sizes[0] < sizes[1]


def test_negative_weights_can_be_left_out(train):
    kept, left = (
        foams_of(train(f"{QUICK}:SigBgSeparate{more}", weight="wneg"))[0]
        for more in ("", ":IgnoreNegWeightsInTraining")
    )
    method = train(QUICK, weight="wneg").GetMethod("dataset", "PDEFoam")
    weights = method.dataset.training.weights[method.dataset.training.of_class(0)].astype(np.float32).astype(float)
    assert (weights < 0).any()
    assert kept.elements[kept.active, 0].sum() == pytest.approx(weights.sum())
    assert left.elements[left.active, 0].sum() == pytest.approx(weights[weights > 0].sum())


def test_max_depth_and_number_of_cells(train):
    (foam,) = foams_of(train("nActiveCells=8:nSampl=100:Nmin=0"))
    assert len(foam.active) == 8
    (foam,) = foams_of(train("nActiveCells=50:nSampl=100:Nmin=0:MaxDepth=3"))
    assert foam.depths.max() == 3


def test_values_that_tmva_replaces(train, caplog):
    method = train("nActiveCells=0:TailCut=2:nSampl=50").GetMethod("dataset", "PDEFoam")
    assert "TailCut not in [0.,1] ==> using 0.001 instead" in caplog.text
    assert "invalid number of active cells specified: 0; setting nActiveCells=2" in caplog.text
    text = method.model.to_xml()
    assert '<Option name="nActiveCells" modified="Yes">2</Option>' in text
    assert 'Frac="1.0000000474974513e-03"' in text
    assert 'nCells="3"' in text


def test_several_targets_make_it_multi_target(train, caplog):
    method = train(QUICK, "Regression", targets=("fvalue", "gvalue")).GetMethod("dataset", "PDEFoam")
    assert "MultiTargetRegression is set" in caplog.text
    assert '<Option name="MultiTargetRegression" modified="No">True</Option>' in method.model.to_xml()
    assert method.model.predict([[1.0, 2.0]]).shape == (1, 2)
    with pytest.raises(OptionError, match="LinNeighbors kernel currently not supported"):
        train(f"{QUICK}:Kernel=LinNeighbors", "Regression", targets=("fvalue", "gvalue"))


@pytest.mark.parametrize(
    ("options", "analysis", "words"),
    [
        ("DTLogic=GiniIndex:SigBgSeparate", "Classification", r"works only for a single foam \(SigBgSeparate=F\)"),
        ("DTLogic=GiniIndex", "Regression", "Decision tree logic works only for classification"),
        ("MultiTargetRegression:Kernel=LinNeighbors", "Regression", "not supported for multi target regression"),
        ("nSampl=0", "Classification", "nSampl=0 must be at least 1"),
        ("nBin=-1", "Classification", "nBin=-1 must be at least 1"),
        ("VolFrac=0", "Classification", "VolFrac=0 must be larger than 0"),
        ("Kernel=Gaus", "Classification", "Gauss"),
        ("nCells=5", "Classification", "nCells"),
    ],
)
def test_wrong_options(train, options, analysis, words):
    with pytest.raises(OptionError, match=words):
        train(options, analysis)


def test_constant_variables_are_refused(train):
    with pytest.raises(TMVA.TMVAError, match=r"the range of zero is empty: it is constant"):
        train(QUICK, variables=("var1", "zero := 0*var2"))


def test_cross_validation(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("var1")
    loader.AddVariable("var2")
    loader.AddSignalTree(f"{DATA}/class.root:TreeS")
    loader.AddBackgroundTree(f"{DATA}/class.root:TreeB")
    loader.PrepareTrainingAndTestTree("", "nTrain_Signal=300:nTrain_Background=300:nTest_Signal=10:nTest_Background=10")
    cv = TMVA.CrossValidation("cv", loader, "!V:Silent:NumFolds=2:AnalysisType=Classification")
    cv.BookMethod("PDEFoam", "PDEFoam", QUICK)
    cv.Evaluate()
    assert cv.GetResults()[0].GetROCAverage() > 0.6
    names = sorted(path.name for path in (tmp_path / "dataset/weights").iterdir())
    endings = (".class.C", ".weights.xml", ".weights_foams.root")
    of_folds = [f"cv_PDEFoam_fold{fold}{end}" for fold in "12" for end in endings]
    assert names == ["cv_PDEFoam.weights.xml", *of_folds]


def test_output_file(train, tmp_path):
    import uproot

    factory = train(QUICK, output="TMVA.root")
    factory.TestAllMethods()
    factory.EvaluateAllMethods()
    with uproot.open(tmp_path / "TMVA.root") as file:
        assert "MVA_PDEFoam_S" in file["dataset/Method_PDEFoam/PDEFoam"].keys(cycle=False)


def test_inspect_and_other_formats(foam_case, tmp_path, capsys):
    assert main(["inspect", str(foam_case.weights)]) == 0
    text = capsys.readouterr().out
    assert "active cells" in text
    assert main(["inspect", "--json", str(foam_case.weights)]) == 0
    assert json.loads(capsys.readouterr().out)["method"]["kernel"] in ("None", "Gauss", "LinNeighbors")
    model = TMVA.load(foam_case.weights)
    for name in ("a.json", "a.npz"):
        convert(foam_case.weights, tmp_path / name)
        again = load_any(tmp_path / name)
        assert again.to_xml() == foam_case.weights_text
        np.testing.assert_array_equal(
            again.predict(foam_case.expected["inputs"]), model.predict(foam_case.expected["inputs"])
        )
        again.save(tmp_path / "again.xml")  # the foams come from the JSON file
        assert main(["compare", str(foam_case.weights), str(tmp_path / "again.xml")]) == (
            4 if foam_case.name == "foam_dt" else 0
        )
    assert not list(tmp_path.glob("a_foams*"))


def test_copies(foam_case):
    import copy
    import pickle

    model, x = TMVA.load(foam_case.weights), foam_case.expected["inputs"]
    expected = model.predict(x)
    for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):  # noqa: S301
        np.testing.assert_array_equal(again.predict(x), expected)
