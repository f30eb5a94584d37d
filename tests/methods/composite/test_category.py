"""Regions of a Category: how they are booked, which events they have, and which method answers."""

import json
import logging
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.cli import main
from pytmva_bnn.compat import ROOT
from pytmva_bnn.convert import convert
from pytmva_bnn.errors import InputError, OptionError, WeightFileError
from pytmva_bnn.formula import FormulaError
from pytmva_bnn.histograms import probability

DATA = Path(__file__).resolve().parents[3] / "xml_fixtures" / "data"
HALVES = (("abs(eta)<=1", "var1:var2"), ("abs(eta)>1", "var2:eta"))
SPLIT = "nTrain_Signal=400:nTrain_Background=500:SplitMode=Random:NormMode=NumEvents:!V"


def loader_with(spectators=("eta",), prepare=SPLIT, cut=""):
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("var1")
    loader.AddVariable("var2")
    for name in spectators:
        loader.AddSpectator(name)
    loader.AddSignalTree(f"{DATA}/class.root:TreeS")
    loader.AddBackgroundTree(f"{DATA}/class.root:TreeB")
    loader.PrepareTrainingAndTestTree(cut, prepare)
    return loader


def book(loader=None, regions=HALVES, options="", output="", kind="Fisher"):
    loader = loader or loader_with()
    target = [str(output)] if output else []
    factory = TMVA.Factory("job", *target, "!V:Silent:!DrawProgressBar:AnalysisType=Classification")
    category = factory.BookMethod(loader, TMVA.Types.kCategory, "Cat", options)
    for number, (cut, variables) in enumerate(regions, start=1):
        category.AddMethod(cut, variables, kind, f"{kind}{number}", "")
    return factory, category


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def golden(method_case):
    return method_case("category_fisher").weights


def changed_file(golden_text, *changes):
    for old, new in changes:
        assert old in golden_text
        golden_text = golden_text.replace(old, new, 1)
    return golden_text


@pytest.fixture
def golden_text(method_case):
    return method_case("category_fisher").weights_text


# -- data sets


def test_each_region_has_a_data_set_of_its_own(here):
    loader = loader_with(cut="var1>-2")
    factory, category = book(loader)
    factory.TrainAllMethods()
    fractions = []
    for region, (cut, _) in zip(category.trained.fitted.regions, HALVES, strict=True):
        numbers = []
        for tree, requested in (("TreeS", 400), ("TreeB", 500)):
            events = TMVA.DataLoader("count")
            events.AddVariable("var1")
            events.AddTree(f"{DATA}/class.root:{tree}", "Signal")
            events.PrepareTrainingAndTestTree(f"var1>-2&&{cut}", "nTest_Signal=1")
            counter = events.dataset.counters[0]
            numbers.append(int(np.float32(requested) * np.float32(counter.n_after) / np.float32(counter.n_before)))
        assert int(region.file.general_info["Training events"]) == sum(numbers)
        fractions.append(sum(numbers) / 900)
    assert 0.9 < sum(fractions) < 1.0
    assert category.trained.file.general_info["Training events"] == "900"


def test_cuts_are_spectators_of_the_data_set_but_not_of_the_file(here):
    import uproot

    factory, category = book(output="TMVA.root")
    assert [(one.record.label, one.record.title, one.record.type, one.record.unit) for one in
            category.loader.description.spectators[1:]] == [
        ("Cat_cat1", "Cat:Fisher1", "C", "pass"), ("Cat_cat2", "Cat:Fisher2", "C", "pass")]  # fmt: skip
    factory.TrainAllMethods()
    factory.TestAllMethods()
    factory.EvaluateAllMethods()
    assert [one.expression for one in category.model.spectators] == ["eta"]
    with uproot.open("TMVA.root") as file:
        tree = file["dataset/TestTree"].arrays(library="np")
        assert file["dataset/Method_Category/Cat"].keys()
    np.testing.assert_array_equal(tree["Cat_cat1"], np.abs(tree["eta"]) <= 1)
    np.testing.assert_array_equal(tree["Cat_cat1"] + tree["Cat_cat2"], 1)
    x = np.column_stack([tree["var1"], tree["var2"], tree["eta"]])
    np.testing.assert_array_equal(tree["Cat"], category.model.predict(x).astype(np.float32))


def test_the_cuts_of_the_trees_decide_in_the_factory(here, caplog):
    # 0.1 in float32 is more than 0.1: what the Reader sees is in no region, as in TMVA
    rng = np.random.default_rng(3)
    events = {"x": rng.normal(size=400), "step": rng.integers(0, 4, 400) / 10}
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    loader.AddSpectator("step")
    loader.AddTree(events, "Signal")
    loader.AddTree({**events, "x": events["x"] + 1}, "Background")
    loader.PrepareTrainingAndTestTree("", "!V")
    factory, category = book(loader, [("step<=0.1", "x"), ("step>0.15", "x")])
    factory.TrainAllMethods()
    responses = category.respond().test[:, 0]
    assert (responses != 0).all()
    assert "any sub-classifier" not in caplog.text
    dataset = loader.dataset
    found = category.model.predict(dataset.test.variables, spectators=dataset.test.spectators[:, :1])
    is_edge = dataset.test.spectators[:, 0] == np.float32(0.1)
    assert (found[is_edge] == 0).all()
    np.testing.assert_array_equal(found[~is_edge].astype(np.float32), responses[~is_edge])
    assert f"any sub-classifier: {is_edge.sum()} of {len(found)} events get the response 0" in caplog.text


def test_a_cut_on_what_is_not_declared_works_in_the_factory_only(here, caplog):
    factory, category = book(regions=[("pt<30", ""), ("pt>=30", "")])
    assert "the cut pt<30 uses something other than variables and spectators (there is no branch 'pt')" in caplog.text
    factory.TrainAllMethods()
    assert (category.respond().test != 0).all()
    with pytest.raises(InputError, match=r"the cut of Fisher1 cannot be evaluated.*'pt'.*var1, var2, eta"):
        category.model.predict(np.zeros((1, 3)))


def test_two_categories_of_one_loader(here):
    loader = loader_with(("eta", "nj"))
    factory, first = book(loader)
    second = factory.BookMethod(loader, "Category", "Other", "")
    second.AddMethod("nj<3", "", TMVA.Types.kLD, "few", "")
    second.AddMethod("nj>=3", "", TMVA.Types.kLD, "many", "")
    alone = factory.BookMethod(loader, "Fisher", "alone", "VarTransform=N(var1,eta)+D(var1,var2)")
    del alone
    factory.TrainAllMethods()
    declared = loader.dataset.test.spectators[:, :2]
    for method in (first, second):
        found = method.model.predict(loader.dataset.test.variables, spectators=declared)
        np.testing.assert_array_equal(method.respond().test[:, 0], found.astype(np.float32))
    assert [one.label for one in loader.dataset.spectators] == [
        "eta", "nj", "Cat_cat1", "Cat_cat2", "Other_cat1", "Other_cat2"]  # fmt: skip


def test_response_pdfs_of_the_container(here):
    factory, category = book(options="CreateMVAPdfs")
    factory.TrainAllMethods()
    assert category.model.response_pdfs is not None
    signal, background = category.trained.response_pdfs
    events = category.respond().training[:, 0]
    is_signal = category.dataset.training.class_index == 0
    found = probability(signal, background, events, 0.5)
    assert found[is_signal].mean() > 0.55 > 0.45 > found[~is_signal].mean()


def test_without_weight_files(here):
    loader = loader_with()
    factory = TMVA.Factory("job", "!V:Silent:!DrawProgressBar:!ModelPersistence:AnalysisType=Classification")
    category = factory.BookMethod(loader, "Category", "Cat", "")
    for number, (cut, variables) in enumerate(HALVES):
        category.AddMethod(cut, variables, "MLP", f"m{number}", "NCycles=2:HiddenLayers=2:VarTransform=N")
    factory.TrainAllMethods()
    x = np.hstack([loader.dataset.test.variables, loader.dataset.test.spectators[:, :1]])
    np.testing.assert_array_equal(category.respond().test[:, 0], category.model.predict(x).astype(np.float32))
    assert not list(here.iterdir())


# -- booking


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("eta<1", "var3", "Fisher", "a", ""), "The variable var3 was not found and could not be added: did you mean"),
        (("eta<1", "var1", "Fihser", "a", ""), "the method Fihser is not available here: did you mean Fisher"),
        (("", "var1", "Fisher", "a", ""), "a region needs a cut"),
        (("eta<1", "var1", "Category", "a", ""), "a Category cannot be the method of a region"),
        (("eta<1", "var1", "Fisher", "Fisher1", ""), "Cat already has a method of this title"),
    ],
)
def test_wrong_regions(here, arguments, problem):
    with pytest.raises(InputError, match=problem):
        book()[1].AddMethod(*arguments)


def test_options_of_methods_are_checked_at_once(here):
    category = book()[1]
    with pytest.raises(FormulaError, match="is missing"):
        category.AddMethod("abs(eta", "var1", "Fisher", "a", "")
    with pytest.raises(OptionError, match="Fishre"):
        category.AddMethod("eta<1", "var1", "Fisher", "a", "Fishre=1")
    with pytest.raises(OptionError, match="index : 1 of only 1 variables"):
        category.AddMethod("eta<1", "var1", "Fisher", "a", "VarTransform=N(_V1_)")
    factory = TMVA.Factory("job", "!V:Silent:AnalysisType=Multiclass")
    category = factory.BookMethod(loader_with(), "Category", "Cat", "")
    with pytest.raises(InputError, match="the method Fisher cannot do AnalysisType=Multiclass"):
        category.AddMethod("eta<1", "var1", "Fisher", "a", "")


def test_add_method_is_for_a_category_before_its_training(here):
    factory, category = book()
    fisher = factory.BookMethod(category.loader, "Fisher", "F", "")
    with pytest.raises(InputError, match="Fisher cannot contain methods; only Category can"):
        fisher.AddMethod("eta<1", "var1", "Fisher", "a", "")
    factory.TrainAllMethods()
    with pytest.raises(InputError, match="Cat is already trained"):
        category.AddMethod("eta<1", "var1", "Fisher", "a", "")


def test_no_regions_and_too_few_events(here):
    with pytest.raises(InputError, match="Cat has no methods: call AddMethod"):
        book(regions=())[0].TrainAllMethods()
    with pytest.raises(InputError, match=r"Fisher2 not trained \(training tree has less entries \[\d\] than required"):
        book(regions=[("eta<3.5", ""), ("eta>=3.5", "")])[0].TrainAllMethods()


def test_macros_cast_to_method_category(here):
    factory = ROOT.TMVA.Factory("job", "!V:Silent:AnalysisType=Classification")
    loader = ROOT.TMVA.DataLoader("dataset")
    loader.AddVariable("var1", "F")
    loader.AddSpectator("eta")
    file = ROOT.TFile.Open(f"{DATA}/class.root")
    loader.AddSignalTree(file.Get("TreeS"), 1.0)
    loader.AddBackgroundTree(file.Get("TreeB"), 1.0)
    loader.PrepareTrainingAndTestTree(ROOT.TCut(""), SPLIT)
    category = factory.BookMethod(loader, ROOT.TMVA.Types.kCategory, "Cat", "")
    assert isinstance(category, ROOT.TMVA.MethodCategory)
    assert not isinstance(factory.BookMethod(loader, "Fisher", "F", ""), ROOT.TMVA.MethodCategory)
    category.AddMethod(ROOT.TCut("eta<0"), "var1", ROOT.TMVA.Types.kFisher, "left", "!H:!V:Fisher")
    category.AddMethod(ROOT.TCut("eta>=0"), "var1", ROOT.TMVA.Types.kLD, "right", "!H:!V")
    factory.TrainAllMethods()
    assert [(one.cut, one.file.kind) for one in category.model.regions] == [("eta<0", "Fisher"), ("eta>=0", "LD")]


# -- responses


def event_of(golden, eta):
    reader = TMVA.Reader("!V:Silent")
    memory = [reader.AddVariable(f"var{i}") for i in (1, 2, 3, 4)] + [reader.AddSpectator("eta")]
    reader.BookMVA("tag", golden)
    for place, value in zip(memory, (0.1, 0.2, 0.3, 0.4, eta), strict=True):
        place[0] = value
    return reader, memory


def test_an_event_in_no_region_gives_zero_and_one_warning(golden, caplog):
    reader, memory = event_of(golden, np.nan)
    assert [reader.EvaluateMVA("tag") for _ in range(3)] == [0.0, 0.0, 0.0]
    assert np.isnan(reader.GetMVAErrorLower())
    assert caplog.text.count("does not lie within the cut of any sub-classifier") == 1
    memory[4][0] = 0.5
    assert reader.EvaluateMVA("tag") == TMVA.load(golden).predict([[0.1, 0.2, 0.3, 0.4, 0.5]])[0] != 0
    memory[0][0] = np.nan
    assert reader.EvaluateMVA("tag") == -999.0
    assert reader.EvaluateMVA([np.nan, 0, 0, 0, 0.5], "tag") == -999.0
    assert reader.EvaluateMVA([0, 0, 0, 0, np.nan], "tag") == 0.0


def test_not_a_number(golden, caplog):
    model = TMVA.load(golden)
    found = model.predict([[0, 0, 0, 0, np.nan], [np.nan, 0, 0, 0, np.nan], [np.inf, 0, 0, 0, 2], [0, 0, 0, 0, 2]])
    assert found[0] == 0
    assert np.isnan(found[1:3]).all()
    assert np.isfinite(found[3])
    assert "1 of 4 events get the response 0" in caplog.text  # those without variables are not counted


def test_a_spectator_that_is_a_variable_must_be_a_number(golden_text):
    text = changed_file(
        golden_text,
        ('Variables="var1:var2:var4"', 'Variables="var1:var2:eta"'),
        ("abs(eta)&gt;1.3", "var1&gt;1.3"),
        ("abs(eta)&lt;=1.3", "var1&lt;=1.3"),
    )
    first, second, *rest = text.split("</SubMethod>")
    old = second.split('<Variable VarIndex="2" Expression="var4" Label="var4"')
    second = '<Variable VarIndex="2" Expression="eta" Label="eta"'.join(old)
    text = "</SubMethod>".join([first, second, *rest])
    found = TMVA.load_string(text).predict([[2, 0, 0, 0, np.nan], [1, 0, 0, 0, np.nan], [2, 0, 0, 0, 1.0]])
    np.testing.assert_array_equal(np.isnan(found), [True, False, False])


def test_categories_that_overlap_are_refused(golden_text):
    model = TMVA.load_string(changed_file(golden_text, ("abs(eta)&gt;1.3", "abs(eta)&gt;1.2")))
    assert np.isfinite(model.predict([[0, 0, 0, 0, 1.1]])[0])
    with pytest.raises(InputError, match=r"not disjoint: an event passes abs\(eta\)<=1.3 and abs\(eta\)>1.2"):
        model.predict([[0, 0, 0, 0, 1.1], [0, 0, 0, 0, 1.25]])


def test_cuts_of_every_kind_in_the_event_loop(golden_text):
    """Simple ones by plain numbers, the others by the general way: with the same results."""
    for cut, other in (
        ("!(eta<0.5)&&-var1<2||eta!=eta", "eta<0.5||-var1>=2"),
        ("sqrt(eta*eta)<1", "!(sqrt(eta*eta)<1)"),
        ("eta+var1>0.5", "eta+var1<=0.5"),
        ("eta>=0.5", "eta<0.5"),
        ("TMath::Abs(eta)*2-var1==0.5", "TMath::Abs(eta)*2-var1!=0.5"),
    ):
        escaped = [one.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") for one in (cut, other)]
        text = changed_file(golden_text, ("abs(eta)&lt;=1.3", escaped[0]), ("abs(eta)&gt;1.3", escaped[1]))
        x = (np.random.default_rng(1).normal(size=(40, 5)) * 4).round().astype(np.float32) / 4
        reader = TMVA.Reader("!V:Silent")
        memory = [reader.AddVariable(f"var{i}") for i in (1, 2, 3, 4)] + [reader.AddSpectator("eta")]
        method = reader.BookMVA(TMVA.Types.kCategory, text)
        expected = method.model.predict(x)
        inside = method.model.inside(x)
        assert inside.any(axis=1).all(), cut
        found = []
        for event in x:
            for place, value in zip(memory, event, strict=True):
                place[0] = value
            found.append(reader.EvaluateMVA(method))
        np.testing.assert_array_equal(found, expected)


def test_the_spectators_are_asked_for(golden):
    model = TMVA.load(golden)
    with pytest.raises(InputError, match=r"uses the spectators \(eta\), but the events are an array of the variables"):
        model.predict(np.zeros((2, 4)))
    with pytest.raises(InputError, match="missing spectators: eta"):
        model.predict({f"var{i}": [0.0] for i in (1, 2, 3, 4)})
    with pytest.raises(InputError, match="has 4 values, but the method needs 5: var1, var2, var3, var4, eta"):
        event_of(golden, 1.0)[0].EvaluateMVA([0, 0, 0, 0], "tag")


def test_cuts_on_variables_need_no_spectators(here):
    """TMVA's Reader crashes without spectators."""
    factory, category = book(loader_with(()), [("var1<0", ""), ("var1>=0", "var2")])
    factory.TrainAllMethods()
    x = category.dataset.test.variables
    reader = TMVA.Reader(["var1", "var2"], "!V:Silent")
    reader.BookMVA("tag", category.weight_file)
    found = reader.EvaluateMVA(x, "tag")
    np.testing.assert_array_equal(category.respond().test[:, 0], found.astype(np.float32))
    assert reader.EvaluateMVA(x[0], "tag") == found[0]


# -- files


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('NSubMethods="2"', 'NSubMethods="3"', "NSubMethods=3, but 2 elements <SubMethod> are present"),
        ('Method="Fisher::Cat_Fisher_1"', 'Method="Fihser::a"', "the method is 'Fihser::a'; only"),
        ('Variables="var1:var2:var4"', 'Variables="var1:var2:var7"', "The variable var7 was not found"),
        ('Variables="var1:var2:var4"', 'Variables="var1:var2:eta"', "its variables are var1, var2, var4, but"),
        ('Cut="abs(eta)&lt;=1.3"', 'Cut="abs(eta"', r"Cut='abs\(eta'.*is missing"),
        (' Variables="var1:var2:var4"', "", "the attribute 'Variables' is missing"),
        ('Index="4" Value="', 'Index="4" Value="x', "is not a number"),
        ('Method="Fisher::Cat_Fisher_1"', 'Method="Category::a"', "the method is 'Category::a'; only"),
    ],
)
def test_damaged_files(golden_text, old, new, problem):
    with pytest.raises(WeightFileError, match=problem):
        TMVA.load_string(changed_file(golden_text, (old, new)))


def test_a_method_of_another_analysis(golden_text):
    head, rest = golden_text.split("<SubMethod", 1)
    text = head + "<SubMethod" + rest.replace('value="Classification"', 'value="Regression"', 1)
    with pytest.raises(WeightFileError, match="it is trained for Regression, but the Category for Classification"):
        TMVA.load_string(text)


def test_spectators_of_a_method_are_kept(golden_text):
    """Some releases write them."""
    text = golden_text.replace("      </Variables>\n", '      </Variables>\n      <Spectators NSpec="0"/>\n')
    assert text.count("<Spectators") == 3
    assert TMVA.load_string(text).to_xml() == text


# -- what people see


def test_inspect(golden, capsys):
    assert main(["inspect", str(golden)]) == 0
    text = capsys.readouterr().out
    assert "Category of Fisher, Fisher" in text
    assert "Cat_Fisher_2: Fisher of var1, var2, var4 where abs(eta)>1.3" in text
    assert "Cat_Fisher_1: Fisher" in text
    assert main(["inspect", "--json", str(golden)]) == 0
    regions = json.loads(capsys.readouterr().out)["regions"]
    assert [one["cut"] for one in regions] == ["abs(eta)<=1.3", "abs(eta)>1.3"]
    assert [one["variables"] for one in regions] == [["var1", "var2", "var3", "var4"], ["var1", "var2", "var4"]]
    assert main(["inspect", "--part", "1", str(golden)]) == 0
    text = capsys.readouterr().out
    assert "Cat_Fisher_2" in text
    assert "Cat_Fisher_1" not in text
    assert main(["inspect", "--part", "2", str(golden)]) != 0
    assert "there is no region 2; they are counted from 0 to 1" in capsys.readouterr().err


def test_compare(golden_text, tmp_path, capsys):
    first, second = tmp_path / "a.weights.xml", tmp_path / "b.weights.xml"
    first.write_text(golden_text)
    start, rest = golden_text.split('<Coefficient Index="1" Value="', 1)
    second.write_text(start.replace("user", "other") + '<Coefficient Index="1" Value="9' + rest[1:])
    assert main(["compare", str(first), str(first)]) == 0
    capsys.readouterr()
    assert main(["compare", str(first), str(second)]) == 4
    text = capsys.readouterr().out
    assert "Cat_Fisher_1: largest difference" in text
    assert "Cat_Fisher_2: " not in text
    second.write_text(golden_text.replace("abs(eta)&gt;1.3", "abs(eta)&gt;1.4"))
    assert main(["compare", str(first), str(second)]) == 4
    assert "where abs(eta)>1.3 | Fisher of var1, var2, var4 where abs(eta)>1.4" in capsys.readouterr().out


def test_no_class_and_no_onnx(golden, tmp_path):
    for name in ("cat.C", "cat.onnx"):
        with pytest.raises(InputError, match="Category"):
            convert(golden, tmp_path / name)
        assert not (tmp_path / name).exists()


def test_apply_and_report(here, capsys):
    from pytmva_bnn.show.report import write_report

    factory, category = book(output="TMVA.root")
    factory.TrainAllMethods()
    factory.TestAllMethods()
    factory.EvaluateAllMethods()
    write_report(factory, "report.html")
    assert "Cat" in Path("report.html").read_text()
    events = f"{DATA}/class.root:TreeS"
    assert main(["apply", str(category.weight_file), events, "-o", "out.npz"]) == 0
    with np.load("out.npz") as found:
        np.testing.assert_array_equal(found["response"], category.model.predict(events))


def test_rankings_of_the_methods_are_logged(here, caplog):
    caplog.set_level(logging.INFO)
    factory, category = book()
    factory.TrainAllMethods()
    assert category.ranking is None
    lines = [record.getMessage() for record in caplog.records]
    assert sum("Train method: Fisher" in line for line in lines) == 2
    assert sum("Discr. power" in line for line in lines) == 2
    assert "No variable ranking supplied by classifier: Cat" in lines


def test_an_interrupted_training_says_where(golden):
    fitted = TMVA.load(golden).fitted
    assert fitted.interrupted_after == ""
    method = replace(fitted.regions[1].fitted)
    method.__dict__["interrupted_after"] = "epoch 3"
    regions = (fitted.regions[0], replace(fitted.regions[1], fitted=method))
    assert replace(fitted, regions=regions).interrupted_after == "epoch 3 of Cat_Fisher_2"


def test_a_region_takes_the_spectators_that_it_names_in_a_cross_validation(here):
    loader = loader_with(("eta", "pt"), prepare="nTest_Signal=1:nTest_Background=1:SplitMode=Random:!V")
    cv = TMVA.CrossValidation("cv", loader, "!V:Silent:NumFolds=2:AnalysisType=Classification")
    category = cv.BookMethod("Category", "Cat", "")
    for cut, title in (("abs(eta)<=1", "in"), ("abs(eta)>1", "out")):
        category.AddMethod(cut, "var1:pt", TMVA.Types.kFisher, title, "")
    cv.Evaluate()
    (result,) = cv.GetResults()
    pt = loader.dataset.training.spectators[:, 1]
    inside = np.abs(loader.dataset.training.spectators[:, 0]) <= 1
    regions = [TMVA.load(fold.weight_file).regions for fold in result.folds]
    for chosen, number in ((inside, 0), (~inside, 1)):
        variables = [one[number].file.variables[1] for one in regions]
        assert {one.expression for one in variables} == {"pt"}
        assert min(one.minimum for one in variables) == pytest.approx(pt[chosen].min(), rel=1e-6)
        assert max(one.maximum for one in variables) == pytest.approx(pt[chosen].max(), rel=1e-6)


def test_cross_validation(here):
    """The methods of a fold see the events of the fold only."""
    loader = loader_with(prepare="nTest_Signal=1:nTest_Background=1:SplitMode=Random:!V")
    cv = TMVA.CrossValidation("cv", loader, "!V:Silent:NumFolds=2:AnalysisType=Classification:OutputEnsembling=Avg")
    category = cv.BookMethod("Category", "Cat", "")
    for number, (cut, variables) in enumerate(HALVES):
        category.AddMethod(cut, variables, TMVA.Types.kFisher, f"F{number}", "")
    cv.Evaluate()
    (result,) = cv.GetResults()
    training = loader.dataset.training
    models = [TMVA.load(fold.weight_file) for fold in result.folds]
    numbers = [[int(one.file.general_info["Training events"]) for one in model.regions] for model in models]
    inside = np.abs(training.spectators[:, 0]) <= 1
    assert np.sum(numbers, axis=0).tolist() == [inside.sum(), (~inside).sum()]
    predicted = [model.predict(training.variables, spectators=training.spectators[:, :1]) for model in models]
    np.testing.assert_allclose(result.responses[:, 0], np.mean(predicted, axis=0), rtol=1e-14)
    assert np.mean(result.GetROCValues()) > 0.6
