"""RDataFrame, TTreeFormula and TTreeReader: the same numbers as numpy's."""

from array import array
from pathlib import Path

import numpy as np
import pytest
import uproot

import pytmva_bnn
from pytmva_bnn.compat.errors import MacroError, NotInCompatError
from pytmva_bnn.formula import FormulaError

DATA = Path(__file__).resolve().parent.parent.parent / "xml_fixtures" / "data"
FILE = f"{DATA}/class.root"


@pytest.fixture(scope="module")
def columns():
    with uproot.open(FILE) as file:
        return file["TreeS"].arrays(library="np")


@pytest.fixture
def frame(root):
    return root.RDataFrame("TreeS", FILE)


@pytest.fixture
def jets(root):
    """A tree with the vectors [1, 2, 3], [], [4] and the numbers 0, 1, 2."""
    tree, vector, n = root.TTree("jets", ""), root.std.vector("float")(), array("i", [0])
    tree.Branch("pt", vector)
    tree.Branch("n", n, "n/I")
    for i, values in enumerate(([1, 2, 3], [], [4])):
        vector.clear()
        for value in values:
            vector.push_back(value)
        n[0] = i
        tree.Fill()
    return tree


# -- RDataFrame


def test_frames_are_made_of_files_trees_and_numbers(root, toys):
    assert root.RDataFrame("events", f"{toys}/runs/run_*.root").Count().GetValue() == 1800
    files = [f"{toys}/runs/run_1.root", f"{toys}/runs/run_2.root"]
    assert root.RDataFrame("events", files).Count().GetValue() == 1200
    file = root.TFile(FILE)
    assert root.RDataFrame("TreeB", file).Count().GetValue() == 3000
    assert root.RDataFrame(file.Get("TreeS").CopyTree("var1>0")).Count().GetValue() == 1581
    chain = root.TChain("events")
    chain.Add(files[0])
    assert root.RDataFrame(chain).Count().GetValue() == 600
    squares = root.RDataFrame(4).Define("square", "rdfentry_*rdfentry_")
    assert squares.AsNumpy()["square"].tolist() == [0, 1, 4, 9]
    with pytest.raises(MacroError, match="give the file too"):
        root.RDataFrame("TreeS")


def test_filters_and_definitions_are_lazy_and_leave_the_frame_as_it_is(root):
    calls = []
    frame = root.RDataFrame(5).Define("x", lambda i: calls.append(i) or float(i), ["rdfentry_"])
    passing = frame.Filter("x > 1")
    assert calls == []
    assert passing.Count().GetValue() == 3
    assert frame.Count().GetValue() == 5
    assert passing.AsNumpy(["x", "rdfentry_"])["rdfentry_"].tolist() == [2, 3, 4]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("var1 > 0 && !(var2 < 0)", lambda c: (c["var1"] > 0) & ~(c["var2"] < 0)),
        ("std::sqrt(var1*var1) > 1 || TMath::Abs(var2) > 2", lambda c: (abs(c["var1"]) > 1) | (abs(c["var2"]) > 2)),
        ("return pow(var1, 2) < 0.5;", lambda c: c["var1"] ** 2 < 0.5),
        ("sqrt(var1) > 0", lambda c: c["var1"] > 0),  # C's function: NaN for a negative number, which does not pass
    ],
)
def test_filters_understand_expressions_of_cpp(frame, columns, expression, expected):
    assert frame.Filter(expression).Count().GetValue() == np.count_nonzero(expected(columns))


def test_filters_take_functions_of_columns(frame, columns):
    passing = frame.Filter(lambda a, b: a > b, ["var1", "var2"], "larger")
    assert passing.Count().GetValue() == np.count_nonzero(columns["var1"] > columns["var2"])


def test_numbers_of_columns(frame, columns):
    x = columns["var1"].astype(float)
    assert frame.Sum("var1").GetValue() == pytest.approx(x.sum(), rel=1e-5)
    assert frame.Mean("var1").GetValue() == pytest.approx(x.mean())
    assert (frame.Min("var1").GetValue(), frame.Max("var1").deref()) == (x.min(), x.max())
    assert float(frame.StdDev("var1")) == pytest.approx(x.std(ddof=1))
    taken = frame.Range(3).Take["float"]("var1")
    assert list(taken) == x[:3].tolist()
    assert taken.size() == 3
    assert frame.Range(10, 20, 3).AsNumpy(["var1"])["var1"].tolist() == x[[10, 13, 16, 19]].tolist()
    assert frame.Filter("var1 > 0").Range(2, 0).Count().GetValue() == 1579


def test_columns_are_redefined_and_have_other_names(frame, columns):
    changed = frame.Define("y", "2*var1").Redefine("y", "y + 1").Alias("z", "y").Define("large", "z > 1")
    found = changed.AsNumpy(["y", "large", "z"])
    np.testing.assert_allclose(found["z"], 2 * columns["var1"].astype(float) + 1)
    assert found["large"].dtype == bool
    assert changed.GetColumnNames()[:2] == ["y", "large"]
    assert [changed.GetColumnType(name) for name in ("var1", "y", "large")] == ["Float_t", "Double_t", "Bool_t"]
    with pytest.raises(MacroError, match="use Redefine"):
        changed.Define("y", "1")
    with pytest.raises(MacroError, match="did you mean var1"):
        changed.Mean("vra1")
    with pytest.raises(FormulaError, match="did you mean var1"):
        changed.Filter("vra1 > 0")
    with pytest.raises(NotInCompatError, match="AsNumpy gives the columns"):
        frame.Profile1D("x")


def test_histograms_have_the_models_bins(root, frame, columns):
    h = frame.Histo1D(("h", "title;x", 10, -1, 1), "var1")
    np.testing.assert_array_equal(h.to_numpy()[0], np.histogram(columns["var1"], 10, (-1, 1))[0])
    assert (h.GetEntries(), h.GetName(), h.GetPtr().GetXaxis().GetTitle()) == (2500, "h", "x")
    model = root.TH1D("m", "", 4, 0, 2)
    weighted = frame.Define("two", "2.0").Histo1D(model, "var1", "two").GetValue()
    assert weighted.Integral() == 2 * np.count_nonzero((columns["var1"] >= 0) & (columns["var1"] < 2))
    assert model.GetEntries() == 0
    assert frame.Histo1D("var2").GetNbinsX() == 128
    assert frame.Histo1D("var2").Integral() == 2500
    pairs = frame.Histo2D(root.RDF.TH2DModel("p", "", 5, -1, 1, 4, -2, 2), "var1", "var2")
    expected = np.histogram2d(columns["var1"], columns["var2"], bins=(5, 4), range=((-1, 1), (-2, 2)))[0]
    np.testing.assert_array_equal(pairs.to_numpy()[0], expected)


def test_snapshots_have_the_chosen_columns(root, frame, columns):
    passing = frame.Define("y", "var1*2").Filter("y > 1")
    written = passing.Snapshot("chosen", "out.root", ["y", "var2"])
    assert written.Count().GetValue() == np.count_nonzero(columns["var1"] * 2 > 1)
    assert uproot.open("out.root")["chosen"].keys() == ["y", "var2"]
    options = root.RDF.RSnapshotOptions()
    options.fMode = "UPDATE"
    passing.Snapshot("all", "out.root", "", options)
    passing.Snapshot("some", "out.root", "var[12]", options)
    stored = uproot.open("out.root")
    assert sorted(stored.keys(cycle=False)) == ["all", "chosen", "some"]
    assert set(stored["all"].keys()) == {*columns, "y"}
    assert stored["some"].keys() == ["var1", "var2"]
    assert stored["some"]["var1"].typename == "float"


def test_arrays_make_a_frame(root):
    for make in (root.RDF.FromNumpy, root.RDF.MakeNumpyDataFrame):
        frame = make({"x": np.array([1.0, 2, 3]), "n": np.array([1, 2, 3], "i4")})
        assert frame.Filter("n != 2").Sum("x").GetValue() == 4


def test_vectors_are_counted_and_given_to_functions(root, jets):
    frame = root.RDataFrame(jets)
    assert frame.Filter("pt.size() > 0").Count().GetValue() == 2
    assert frame.Histo1D(("h", "", 5, 0, 5), "pt").GetEntries() == 4
    assert frame.GetColumnType("pt") == "ROOT::VecOps::RVec<float>"
    longest = frame.Define("total", lambda pt: float(sum(pt)), ["pt"]).Define("twice", lambda pt: pt * 2, ["pt"])
    assert longest.AsNumpy(["total"])["total"].tolist() == [6, 0, 4]
    assert [list(one) for one in longest.AsNumpy(["twice"])["twice"]] == [[2, 4, 6], [], [8]]
    seen = []
    frame.Foreach(lambda pt, n: seen.append((len(pt), n)), ["pt", "n"])
    assert seen == [(3, 0), (0, 1), (1, 2)]


def test_report_and_display_show_tables(root, capsys):
    frame = root.RDataFrame(4).Define("x", "rdfentry_*0.5")
    cut = frame.Filter("x > 0", "positive").Filter("x < 1", "small")
    cut.Report().Print()
    cut.Display("x").Print()
    assert capsys.readouterr().out == (
        "positive  : pass=3          all=4          -- eff=75.00 % cumulative eff=75.00 %\n"
        "small     : pass=1          all=3          -- eff=33.33 % cumulative eff=25.00 %\n"
        "+-----+-----+\n| Row | x   |\n+-----+-----+\n| 1   | 0.5 |\n+-----+-----+\n"
    )


def test_frames_and_changed_trees_train_and_are_read_by_a_model(root, frame, columns):
    signal = frame.Define("sum", "var1 + var2").Filter("var1 > 0")
    background = root.TFile(FILE).Get("TreeB")
    memory = array("f", [0])
    branch = background.Branch("sum", memory, "sum/F")
    for event in background:
        memory[0] = event.var1 + event.var2
        branch.Fill()
    loader = pytmva_bnn.DataLoader("dataset")
    loader.AddVariable("sum")
    loader.AddVariable("var3")
    loader.AddSignalTree(signal, 1.0)
    loader.AddBackgroundTree(background, 1.0)
    loader.PrepareTrainingAndTestTree("", "nTrain_Signal=500:nTrain_Background=500:SplitMode=Block:!V")
    factory = pytmva_bnn.Factory("job", "!V:Silent:AnalysisType=Classification")
    factory.BookMethod(loader, "LD", "LD", "!H:!V")
    factory.TrainAllMethods()
    model = pytmva_bnn.load("dataset/weights/job_LD.weights.xml")
    arrays = {"sum": columns["var1"] + columns["var2"], "var3": columns["var3"]}
    chosen = {name: values[columns["var1"] > 0] for name, values in arrays.items()}
    np.testing.assert_allclose(model.predict(signal), model.predict(chosen), rtol=1e-5)
    friend = root.TFile(FILE).Get("TreeS")
    friend.SetAlias("sum", "var1 + var2")
    np.testing.assert_allclose(model.predict(friend), model.predict(arrays), rtol=1e-5)


# -- TTreeFormula and TTreeReader


def test_a_formula_follows_the_tree(root, jets, caplog):
    formula = root.TTreeFormula("f", "2*pt + n", jets)
    found = []
    for i in range(jets.GetEntries()):
        jets.LoadTree(i)
        formula.UpdateFormulaLeaves()
        found.append([formula.EvalInstance(k) for k in range(formula.GetNdata())])
    assert found == [[2, 4, 6], [], [10]]
    jets.LoadTree(0)
    assert formula.EvalInstance(2) == 6
    assert formula.GetNdim() == 1
    wrong = root.TTreeFormula("g", "number > pt", jets)
    assert wrong.GetNdim() == 0
    assert "there is no branch 'number'" in caplog.text
    with pytest.raises(MacroError, match="ask GetNdim first"):
        wrong.EvalInstance()


def test_a_reader_goes_through_the_entries(root, jets):
    reader = root.TTreeReader(jets)
    n, pt = root.TTreeReaderValue["int"](reader, "n"), root.TTreeReaderArray("float")(reader, "pt")
    vector = root.TTreeReaderValue["std::vector<float>"](reader, "pt")
    found = []
    while reader.Next():
        assert n.Get()[0] == n.deref() == n.__deref__()
        assert vector.size() == pt.GetSize() == len(pt)
        found.append((n.deref(), [pt[i] for i in range(pt.GetSize())], list(pt)))
    assert found == [(0, [1, 2, 3], [1, 2, 3]), (1, [], []), (2, [4], [4])]
    assert (reader.SetEntry(2), pt.At(0), reader.SetEntry(3)) == (0, 4, 1)
    reader.SetEntriesRange(1, 3)
    assert [n.deref() for _ in reader] == [1, 2]
    assert root.TTreeReader("TreeS", root.TFile(FILE)).GetEntries() == 2500
    with pytest.raises(MacroError, match="has no branch 'm'"):
        root.TTreeReaderValue["int"](reader, "m")
    with pytest.raises(MacroError, match="no object 'nope'"):
        root.TTreeReader("nope")
