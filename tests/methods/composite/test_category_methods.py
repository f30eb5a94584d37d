"""Any method in a region, in every analysis: the Category gives what the method alone gives."""

import copy
import pickle
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.convert import convert, load_any
from pytmva_bnn.errors import ErrorsNotAvailableError, WeightFileError
from pytmva_bnn.methods import kinds, method_of
from pytmva_bnn.model import Model

DATA = Path(__file__).resolve().parents[3] / "xml_fixtures" / "data"
QUICK = {
    "MLP": "NCycles=3:HiddenLayers=3:VarTransform=N",
    "BDT": "NTrees=5:MaxDepth=2",
    "Likelihood": "VarTransform=D",
    "KNN": "nkNN=10",
    "PDEFoam": "nActiveCells=10:nSampl=50",
    "SVM": "MaxIter=5:VarTransform=N",
}
ERRORS = "NCycles=3:HiddenLayers=2:TrainingMethod=BFGS:UseRegulator:CalculateErrors:VarTransform=N"
WARNINGS = pytest.mark.filterwarnings("ignore")


def loader_of(analysis):
    loader = TMVA.DataLoader("dataset")
    for name in ("var1", "var2"):
        loader.AddVariable(name)
    if analysis == "Classification":
        loader.AddSpectator("nj")
        loader.AddSpectator("eta")
        for name, tree in (("Signal", "TreeS"), ("Background", "TreeB")):
            loader.AddTree(f"{DATA}/class.root:{tree}", name)
    elif analysis == "Regression":
        loader.AddSpectator("w")
        loader.AddTarget("fvalue")
        loader.AddTree(f"{DATA}/reg.root:TreeR", "Regression")
    else:
        loader.AddSpectator("var4")
        for tree in ("TreeS", "TreeB0", "TreeB1"):
            loader.AddTree(f"{DATA}/multi.root:{tree}", tree)
    loader.PrepareTrainingAndTestTree("", "SplitMode=Random:NormMode=NumEvents:!V")
    return loader


DIVIDED = {"Classification": ("eta", -1.5, 1.5), "Regression": ("var1", 0.0, 5.0), "Multiclass": ("var4", -1.5, 1.5)}


def train(analysis, methods, output=""):
    """Return the method after a training with (kind, options), each in one part of the range of a quantity."""
    loader = loader_of(analysis)
    options = f"!V:Silent:!DrawProgressBar:AnalysisType={analysis}"
    factory = TMVA.Factory("job", *([output] if output else []), options)
    category = factory.BookMethod(loader, TMVA.Types.kCategory, "Cat", "")
    name, low, high = DIVIDED[analysis]
    edges = np.linspace(low, high, len(methods) + 1)
    other = "var1" if name == "var1" else f"var2:{name}"
    for number, (kind, text) in enumerate(methods):
        limits = [f"{name}>={edges[number]}"] if number else []
        limits += [f"{name}<{edges[number + 1]}"] if number + 1 < len(methods) else []
        category.AddMethod("&&".join(limits), "" if number % 2 else other, kind, f"{kind}_{number}", text)
    factory.TrainAllMethods()
    return factory, category


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Return the trained method and its folder; each training is done once."""

    @cache
    def run(analysis, *methods):
        folder = tmp_path_factory.mktemp("category")
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            return train(analysis, methods)[1], folder / "dataset" / "weights" / "job_Cat.weights.xml"

    return run


def whole_events(dataset, events):
    declared = [number for number, one in enumerate(dataset.spectators) if one.type != "C"]
    return np.hstack([events.variables, events.spectators[:, declared]])


def parts(model, x):
    """Yield which events are in a region, its model, and its variables."""
    for region, inside in zip(model.regions, model.inside(x), strict=True):
        assert inside.sum() > 20
        yield inside, Model(region.file, region.fitted), np.ascontiguousarray(x[inside][:, region.columns])


PLAIN = ("Fisher", "LD", "HMatrix", "PDERS")
REGRESSIONS = tuple((kind, QUICK.get(kind, "")) for kind in ("MLP", "BDT", "LD", "KNN", "PDERS", "PDEFoam"))
CLASSIFIERS = tuple((kind, QUICK.get(kind, "")) for kind in (*QUICK, *PLAIN) if kind in kinds())
MULTICLASS = (("MLP", QUICK["MLP"]), ("BDT", "NTrees=4:BoostType=Grad"), ("PDEFoam", QUICK["PDEFoam"]))
JOBS = [("Classification", CLASSIFIERS), ("Regression", REGRESSIONS), ("Multiclass", MULTICLASS)]
job = pytest.mark.parametrize(("analysis", "methods"), JOBS, ids=[analysis for analysis, _ in JOBS])


@job
def test_every_region_responds_as_its_method(trained, analysis, methods):
    category, file = trained(analysis, *methods)
    model, x = TMVA.load(file), whole_events(category.dataset, category.dataset.test)
    found = model.predict(x)
    covered = np.zeros(len(x), dtype=bool)
    for inside, alone, variables in parts(model, x):
        np.testing.assert_allclose(found[inside], alone.predict(variables), rtol=1e-15)  # compiled, or not
        covered |= inside
    assert covered.all()
    assert found.dtype == (np.float64 if analysis == "Classification" else np.float32)
    np.testing.assert_array_equal(category.respond().test, found.reshape(len(x), -1).astype(np.float32))


@job
def test_files_of_all_methods(trained, analysis, methods, tmp_path):
    category, file = trained(analysis, *methods)
    model, x = TMVA.load(file), whole_events(category.dataset, category.dataset.test)[:200]
    assert model.to_xml() == file.read_text()
    expected = model.predict(x)
    for name in ("cat.json", "cat.npz"):
        convert(file, tmp_path / name)
        again = load_any(tmp_path / name)
        np.testing.assert_array_equal(again.predict(x), expected)
        assert again.to_xml() == file.read_text()
    for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model), model.modernised()):  # noqa: S301
        np.testing.assert_array_equal(again.predict(x), expected)
    assert "<Spectators" not in model.modernised().to_xml().split("<SubMethod")[1]
    model.save(tmp_path / "copy.weights.xml")
    np.testing.assert_array_equal(TMVA.load(tmp_path / "copy.weights.xml").predict(x), expected)


@job
def test_event_loop_of_all_methods(trained, analysis, methods):
    category, file = trained(analysis, *methods)
    model, x = TMVA.load(file), whole_events(category.dataset, category.dataset.test)[:60]
    reader = TMVA.Reader("!V:Silent")
    memory = [reader.AddVariable(one.expression) for one in model.variables]
    memory += [reader.AddSpectator(one.expression) for one in model.spectators]
    reader.BookMVA("tag", file)
    call = {"Classification": "EvaluateMVA", "Regression": "EvaluateRegression", "Multiclass": "EvaluateMulticlass"}
    evaluate, expected = getattr(reader, call[analysis]), model.predict(x)
    for event, value in zip(x, expected, strict=True):
        for place, number in zip(memory, event, strict=True):
            place[0] = number
        np.testing.assert_allclose(evaluate("tag"), value, rtol=2e-7)
        np.testing.assert_allclose(evaluate(list(event), "tag"), value, rtol=2e-7)
    np.testing.assert_array_equal(evaluate(x, "tag"), expected)
    if analysis != "Classification":  # the first output, before it is transformed back
        alone = np.full(len(x), np.nan)
        for region, inside in zip(model.regions, model.inside(x), strict=True):
            alone[inside] = region.fitted.mva_values(region.inputs(x[inside])) if inside.any() else 0.0
        np.testing.assert_array_equal(reader.EvaluateMVA(x, "tag"), alone)


def test_large_parts_are_taken_while_the_file_streams_in(trained, monkeypatch):
    file = trained("Classification", *CLASSIFIERS)[1]
    seen = {}

    def watch(method):
        read = method.read

        def watched(self, section, head, how):
            seen[self.kind] = section.stream
            return read(self, section, head, how)

        monkeypatch.setattr(method, "read", watched)

    for kind in ("BDT", "KNN", "PDERS"):
        watch(type(method_of(kind)))
    model = TMVA.load(file)
    forest = next(region.fitted for region in model.regions if region.file.kind == "BDT")
    assert len(seen["BDT"].trees) == forest.forest.n_trees == 5
    assert all(len(element) == 0 for element in seen["BDT"].trees)  # their text is gone
    infos = {region.file.kind: int(region.file.general_info["Training events"]) for region in model.regions}
    assert len(seen["KNN"].types) == infos["KNN"]
    assert len(seen["PDERS"].sides) == infos["PDERS"]


def test_a_file_in_pieces_of_any_size(trained, monkeypatch):
    from pytmva_bnn.weights import source

    file = trained("Classification", *CLASSIFIERS)[1]
    expected = TMVA.load(file).to_xml()
    monkeypatch.setattr(source, "CHUNK", 997)
    assert TMVA.load(file).to_xml() == expected


def test_files_beside_the_weight_file(trained, tmp_path):
    category, file = trained("Classification", *CLASSIFIERS)
    number = [kind for kind, _ in CLASSIFIERS].index("PDEFoam")
    name = f"job_Cat.weights_PDEFoam_{number}_foams.root"
    assert (file.parent / name).exists()
    copied = tmp_path / "job_Cat.weights.xml"
    copied.write_bytes(file.read_bytes())
    with pytest.raises(WeightFileError, match=name):
        TMVA.load(copied)
    beside = {f"_PDEFoam_{number}_foams.root": (file.parent / name).read_bytes()}
    x = whole_events(category.dataset, category.dataset.test)
    model = TMVA.load_string(file.read_text(), companions=beside)
    np.testing.assert_array_equal(model.predict(x), category.model.predict(x))


@WARNINGS
@pytest.mark.parametrize("analysis", ["Classification", "Regression"])
def test_error_bars_are_those_of_the_methods(trained, analysis, mode):
    category, file = trained(analysis, ("MLP", ERRORS), ("MLP", ERRORS))
    model, x = TMVA.load(file), whole_events(category.dataset, category.dataset.test)
    found = model.predict(x, errors=True)
    for inside, alone, variables in parts(model, x):
        expected = alone.predict(variables, errors=True)
        for name in ("value", "lower", "upper"):
            np.testing.assert_array_equal(getattr(found, name)[inside], getattr(expected, name))
    assert (found.upper > 0).all()
    with pytest.raises(ErrorsNotAvailableError, match="no quantiles"):
        model.predict(x, quantiles=[0.5])


@WARNINGS
def test_error_bars_in_the_reader(trained):
    category, file = trained("Classification", ("MLP", ERRORS), ("MLP", ERRORS))
    model, x = TMVA.load(file), whole_events(category.dataset, category.dataset.test)[:40]
    expected = model.predict(x, errors=True)
    reader = TMVA.Reader("!V:Silent:Error")
    memory = [reader.AddVariable(one.expression) for one in model.variables]
    memory += [reader.AddSpectator(one.expression) for one in model.spectators]
    reader.BookMVA("tag", file)
    for number, event in enumerate(x):
        for place, value in zip(memory, event, strict=True):
            place[0] = value
        reader.EvaluateMVA("tag")
        assert reader.GetMVAErrorLower() == pytest.approx(expected.lower[number], rel=1e-12)
        assert reader.GetMVAErrorUpper() == pytest.approx(expected.upper[number], rel=1e-12)
    reader.EvaluateMVA(x, "tag")
    np.testing.assert_array_equal(reader.GetMVAErrorUpper(), expected.upper)
    lower, upper = model.fitted.error_bars(x, "Cat")
    np.testing.assert_allclose(lower, expected.lower, rtol=1e-12)
    np.testing.assert_allclose(upper, expected.upper, rtol=1e-12)
    assert not np.allclose(lower, upper, rtol=1e-6)


@WARNINGS
def test_a_method_without_errors_leaves_the_category_without(trained):
    model = TMVA.load(trained("Classification", ("MLP", ERRORS), ("Fisher", ""))[1])
    assert not model.has_errors
    with pytest.raises(ErrorsNotAvailableError, match="Fisher_1: this method has none"):
        model.predict(np.zeros((1, 4)), errors=True)
    with pytest.raises(ErrorsNotAvailableError, match="share no parameters"):
        model.fitted.response_sum(None, 1)
    x = np.float32([[0.5, 0.5, 2.0, -1.0], [0.5, 0.5, 2.0, 1.0]])
    lower, upper = model.fitted.error_bars(x, "Cat")
    assert lower[1] == upper[1] == -1.0  # TMVA: of a method without errors
    assert lower[0] > 0


def test_cuts_in_a_region_get_the_signal_efficiency(trained, caplog):
    cuts = "FitMethod=MC:EffSel:SampleSize=300:VarProp=FSmart"
    category, file = trained("Classification", ("Cuts", cuts), ("Fisher", ""))
    model, x = TMVA.load(file), whole_events(category.dataset, category.dataset.test)
    for efficiency in (0.3, 0.8):
        found = model.at_efficiency(efficiency).predict(x)
        region, inside = model.regions[0], model.inside(x)[0]
        alone = Model(region.file, region.fitted).at_efficiency(efficiency)
        np.testing.assert_array_equal(found[inside], alone.predict(np.ascontiguousarray(x[inside][:, region.columns])))
        np.testing.assert_array_equal(found[~inside], model.predict(x)[~inside])
    assert "Cuts_0" in caplog.text  # what lacks an efficiency says so
    fisher = TMVA.load(trained("Classification", ("Fisher", ""), ("Fisher", ""))[1])
    assert fisher.at_efficiency(0.5) is fisher
