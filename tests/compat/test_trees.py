"""TTree, TChain and TNtuple: reading entry by entry, filling, copying and drawing."""

import ctypes
from array import array
from pathlib import Path

import numpy as np
import pytest
import uproot

from pytmva_bnn.compat.errors import MacroError, NotInCompatError, RefusedError
from pytmva_bnn.dataset import DatasetError
from pytmva_bnn.formula import FormulaError

DATA = Path(__file__).resolve().parent.parent.parent / "xml_fixtures" / "data"


@pytest.fixture
def signal(root):
    return root.TFile(f"{DATA}/class.root").Get("TreeS")


@pytest.fixture(scope="module")
def columns():
    with uproot.open(f"{DATA}/class.root") as file:
        return file["TreeS"].arrays(library="np")


# -- reading


def test_the_event_loop_gives_every_value(signal, columns):
    found = [(event.var1, event.var3) for event in signal]
    assert found == list(zip(columns["var1"].tolist(), columns["var3"].tolist(), strict=True))
    assert isinstance(found[0][0], float)


@pytest.mark.parametrize(
    "buffer",
    [
        array("f", [0]),
        array("d", [0]),
        np.zeros(1, np.float32),
        np.zeros(1, np.float64),
        ctypes.c_float(0),
        ctypes.c_double(0),
        np.zeros((1, 1), np.float32),
    ],
)
def test_all_kinds_of_memory_are_filled(signal, columns, buffer):
    signal.SetBranchAddress("var2", buffer)
    for entry in (0, 100, 7):
        assert signal.GetEntry(entry) > 0
        value = buffer.value if hasattr(buffer, "value") else np.ravel(buffer)[0]
        assert value == columns["var2"][entry]


def test_integers_booleans_arrays_and_vectors_go_through_a_file(root):
    memory = {letter: np.zeros(1, dtype) for letter, dtype in {
        "B": "i1", "b": "u1", "S": "i2", "s": "u2", "I": "i4", "i": "u4", "L": "i8", "l": "u8", "F": "f4", "D": "f8",
        "O": "?",
    }.items()}  # fmt: skip
    n, values = array("i", [0]), np.zeros(4, "f4")
    words = root.std.vector("int")()
    with root.TFile("out.root", "RECREATE"):
        tree = root.TTree("t", "all types")
        for letter, buffer in memory.items():
            tree.Branch(f"x_{letter}", buffer, f"x_{letter}/{letter}")
        tree.Branch("n", n, "n/I")
        tree.Branch("values", values, "values[n]/F")
        tree.Branch("fixed", values, "fixed[4]/F")
        tree.Branch("words", "std::vector<int>", words)
        for i in range(5):
            for buffer in memory.values():
                buffer[0] = i % 2 if buffer.dtype == bool else i + 10
            n[0] = i % 3
            values[:] = i + np.arange(4)
            words.assign(i % 2, i)
            tree.Fill()
        tree.Write()
    read = root.TFile("out.root").Get("t")
    assert read.GetTitle() == "all types"
    assert uproot.open("out.root")["t"]["x_s"].typename == "uint16_t"
    into = {letter: np.zeros(1, buffer.dtype) for letter, buffer in memory.items()}
    for letter, buffer in into.items():
        read.SetBranchAddress(f"x_{letter}", buffer)
    vector, fixed = root.std.vector("float")(), array("f", [0] * 4)
    read.SetBranchAddress("values", vector)
    read.SetBranchAddress("fixed", fixed)
    for i in range(5):
        read.GetEntry(i)
        assert [buffer[0] for letter, buffer in into.items() if letter != "O"] == [i + 10] * 10
        assert into["O"][0] == bool(i % 2)
        assert list(vector) == [i + k for k in range(i % 3)]
        assert fixed.tolist() == [i, i + 1, i + 2, i + 3]
        assert read.words.tolist() == [i] * (i % 2)
        assert read.GetLeaf("fixed").GetValue(2) == i + 2


def test_memory_that_does_not_fit_is_told(root, signal):
    with pytest.raises(MacroError, match="did you mean var1"):
        signal.SetBranchAddress("var11", array("f", [0]))
    with pytest.raises(MacroError, match=r"a float cannot be linked as memory; give array\.array"):
        signal.SetBranchAddress("var1", 0.0)
    with pytest.raises(MacroError, match="is read-only"):
        signal.SetBranchAddress("var1", b"1234")
    tree = root.TTree("t", "")
    with pytest.raises(MacroError, match="needs 3 values, but the memory holds 1"):
        tree.Branch("x", array("f", [0]), "x[3]/F")
    with pytest.raises(MacroError, match="is the branch n, which must be created first"):
        tree.Branch("x", array("f", [0]), "x[n]/F")
    with pytest.raises(MacroError, match="does not describe a branch"):
        tree.Branch("x", array("f", [0]), "x/Q")
    with pytest.raises(RefusedError, match="several leaves must be numbers"):
        tree.Branch("x", np.zeros(2, "f4"), "a/F:b/C")
    with pytest.raises(MacroError, match="text cannot be changed in place; give a list of one text"):
        tree.Branch("x", root.std.string("a"))
    vector = root.std.vector("float")([1, 2])
    tree.Branch("v", vector)
    tree.Fill()
    tree.SetBranchAddress("v", array("f", [0]))
    with pytest.raises(MacroError, match="has 2 values in this entry"):
        tree.GetEntry(0)


def test_there_is_no_entry_beyond_the_end(signal):
    assert signal.GetEntry(2500) == 0
    assert signal.LoadTree(2500) < 0
    assert signal.LoadTree(3) == 3
    assert signal.GetReadEntry() == 3


def test_branches_are_listed_and_found(signal, columns):
    assert [branch.GetName() for branch in signal.GetListOfBranches()] == list(columns)
    assert signal.GetNbranches() == len(columns)
    assert signal.GetBranch("var1").GetEntries() == 2500
    assert not signal.GetBranch("nope")
    assert signal.GetListOfBranches().FindObject("var4").GetName() == "var4"
    assert not signal.GetListOfBranches().Contains("nope")


def test_a_branch_can_be_read_alone(signal, columns):
    first, second = array("f", [0]), array("f", [0])
    signal.SetBranchAddress("var1", first)
    signal.SetBranchAddress("var2", second)
    signal.GetBranch("var1").GetEntry(9)
    assert (first[0], second[0]) == (columns["var1"][9], 0)


def test_unknown_names_are_attribute_errors_with_a_hint(signal):
    assert not hasattr(signal, "nope")
    with pytest.raises(NotInCompatError, match="did you mean var1"):
        signal.vra1  # noqa: B018
    with pytest.raises(NotImplementedError, match="sort the entries"):
        signal.BuildIndex("run")
    signal.SetCacheSize(1000)  # changes nothing


def test_entries_are_counted_with_cuts(root, signal, columns):
    expected = np.count_nonzero((columns["var1"] > 0) & (columns["var2"] < 0))
    assert signal.GetEntries("var1 > 0 && var2 < 0") == expected
    assert signal.GetEntries(root.TCut("var1 > 0") + root.TCut("var2 < 0")) == expected
    assert signal.GetEntriesFast() == len(signal) == 2500
    with pytest.raises(FormulaError, match="did you mean var1"):
        signal.GetEntries("vra1 > 0")


def test_the_range_and_the_columns_of_branches(signal, columns):
    assert signal.GetMinimum("var1") == columns["var1"].min()
    assert signal.GetMaximum("var1") == columns["var1"].max()
    np.testing.assert_array_equal(signal.AsNumpy("var4")["var4"], columns["var4"])


def test_a_branch_may_have_a_name_that_python_code_uses(root):
    ntuple = root.TNtuple("t", "", "value:name:columns:source")
    ntuple.Fill(1, 2, 3, 4)
    event = next(iter(ntuple))
    assert (event.value, event.name, event.columns, event.source) == (1, 2, 3, 4)


def test_print_and_show(root, capsys):
    ntuple = root.TNtuple("t", "a title", "x:y")
    ntuple.Fill(1, 2)
    ntuple.Print()
    ntuple.Show(0)
    shown = capsys.readouterr().out
    assert "a title" in shown
    assert "y               = 2.0" in shown


# -- filling


def test_a_tree_without_entries_is_written_with_its_branches(root):
    with root.TFile("out.root", "RECREATE"):
        tree = root.TTree("t", "empty")
        tree.Branch("x", array("f", [0]), "x/F")
        tree.Branch("v", root.std.vector("double")())
        tree.Branch("y", np.zeros(2, "i4"))
        tree.Write()
    stored = uproot.open("out.root")["t"]
    assert stored.num_entries == 0
    assert stored["x"].typename == "float"
    assert stored["y"].typename == "int32_t[2]"


def test_a_tree_without_branches_cannot_be_filled(root):
    with pytest.raises(RefusedError, match="call Branch first"):
        root.TTree("t", "").Fill()


def test_a_tree_can_be_read_while_it_is_filled(root):
    x = array("f", [0])
    tree = root.TTree("t", "")
    tree.Branch("x", x)
    for i in range(3):
        x[0] = i
        tree.Fill()
        assert tree.GetEntries() == i + 1
        tree.GetEntry(i)
        assert tree.x == i


def test_ntuples_check_the_number_of_values(root):
    with pytest.raises(MacroError, match="1 values for 2 columns"):
        root.TNtupleD("t", "", "x:y").Fill(1)


# -- copies


def test_copy_tree_has_the_passing_entries(signal, columns):
    copy = signal.CopyTree("var1 > 1")
    assert copy.GetName() == "TreeS"
    np.testing.assert_array_equal(copy.AsNumpy("var2")["var2"], columns["var2"][columns["var1"] > 1])


def test_clone_tree_takes_some_or_chosen_entries_and_active_branches(root, signal, columns):
    assert signal.CloneTree().GetEntries() == 2500
    assert signal.CloneTree(10).GetEntries() == 10
    signal.SetBranchStatus("*", False)
    signal.SetBranchStatus("var[12]", True)
    assert not signal.GetBranchStatus("var3")
    with root.TFile("out.root", "RECREATE"):
        copy = signal.CloneTree(0)
        for i, event in enumerate(signal):
            if event.var1 > 1 and i < 500:
                copy.Fill()
        copy.Write()
        signal.CopyTree("var1 > 2").Write("other")
    stored = uproot.open("out.root")
    assert stored["TreeS"].keys() == ["var1", "var2"]
    np.testing.assert_array_equal(
        stored["TreeS"]["var2"].array(library="np"), columns["var2"][:500][columns["var1"][:500] > 1]
    )
    assert stored["other"].num_entries == np.count_nonzero(columns["var1"] > 2)


def test_a_copied_tree_goes_to_the_data_loader(root, signal):
    loader = root.TMVA.DataLoader("dataset")
    loader.AddVariable("var1")
    loader.AddSignalTree(signal.CopyTree("var1 > 0"), 1.0)
    loader.AddTree(signal, "Background", 1.0, root.TCut("var1 < 0"), "Training")
    assert [tree.source.n_entries for tree in loader.description.trees] == [1581, 919]


# -- drawing


def test_draw_gives_values_and_weights(root, signal, columns):
    number = signal.Draw("var1:TMath::Abs(var2)", "(var1 > 0)*2", "goff")
    chosen = columns["var1"] > 0
    assert number == signal.GetSelectedRows() == np.count_nonzero(chosen)
    np.testing.assert_array_equal(signal.GetV1(), columns["var1"][chosen])
    np.testing.assert_array_equal(signal.GetV2(), np.abs(columns["var2"][chosen]))
    assert set(signal.GetW()) == {2.0}
    assert signal.Draw("var1", "", "", 10, 5) == 10


def test_draw_fills_histograms_that_exist_and_new_ones(root, signal, columns):
    histogram = root.TH1D("h", "", 10, -1, 1)
    signal.Draw("var1>>h")
    signal.Draw("var1>>+h", "var1 > 0")
    assert histogram.GetEntries() == 2500 + 1581
    signal.Draw("var2:var1>>new(5, -1, 1, 4, -2, 2)")
    made = root.gDirectory.Get("new")
    expected = np.histogram2d(columns["var1"], columns["var2"], bins=(5, 4), range=((-1, 1), (-2, 2)))[0]
    np.testing.assert_array_equal(made.to_numpy()[0], expected)
    signal.Draw("var1>>auto")
    assert root.gROOT.FindObject("auto").Integral() == 2500
    signal.Project("h", "var3", "var1 > 0")
    assert histogram.GetEntries() == 1581


def test_draw_of_arrays_counts_every_element(root):
    tree, vector = root.TTree("t", ""), root.std.vector("float")()
    tree.Branch("pt", vector)
    for values in ([1, 2, 3], [], [4]):
        vector.clear()
        for value in values:
            vector.push_back(value)
        tree.Fill()
    assert tree.Draw("2*pt", "pt > 1") == 3
    assert tree.GetV1().tolist() == [4, 6, 8]


def test_draw_tells_what_is_wrong(root, signal):
    with pytest.raises(MacroError, match="call Draw first"):
        signal.GetV1()
    root.TH1F("h", "", 1, 0, 1)
    with pytest.raises(MacroError, match="1 axes for 2 expressions"):
        signal.Draw("var1:var2>>h")


# -- chains


def test_chains_understand_patterns_trees_in_files_and_other_chains(root, toys, caplog):
    chain = root.TChain("events")
    assert chain.Add(f"{toys}/runs/run_*.root") == 3
    assert chain.GetEntries() == 1800
    other = root.TChain()
    other.AddFile(f"{toys}/runs/run_1.root", -1, "events")
    other.Add(f"{toys}/runs/run_2.root?#events")
    other.Add(chain)
    assert other.GetEntries() == 3000
    assert other.GetListOfFiles().At(0).GetTitle() == f"{toys}/runs/run_1.root"
    assert chain.Add("nothing/*.root") == 0
    assert "no file matches" in caplog.text


def test_a_chain_is_read_across_its_files(root, toys):
    chain = root.TChain("events")
    chain.Add(f"{toys}/runs/run_*.root")
    number = array("q", [0])
    chain.SetBranchAddress("eventNumber", number)
    for entry, expected in ((0, 1_000_000), (599, 1_000_599), (600, 2_000_000), (1799, 3_000_599), (3, 1_000_003)):
        chain.GetEntry(entry)
        assert number[0] == expected
    assert chain.GetEntries("eventNumber >= 2000000") == 1200


def test_a_chain_that_misses_something_says_so(root):
    assert root.TChain("events").GetEntries() == 0
    chain = root.TChain("events")
    chain.Add("nowhere.root")
    with pytest.raises(DatasetError, match=r"nowhere\.root does not exist"):
        chain.GetEntries()
    nameless = root.TChain()
    nameless.Add("nowhere.root")
    with pytest.raises(MacroError, match="no tree is named"):
        nameless.GetEntries()
    with pytest.raises(RefusedError, match="cannot be changed"):
        chain.Branch("x", array("f", [0]))


def test_a_chain_may_grow_after_it_was_read(root, toys):
    chain = root.TChain("events")
    for run in (1, 2, 3):
        chain.Add(f"{toys}/runs/run_{run}.root")
        assert chain.GetEntries() == 600 * run
