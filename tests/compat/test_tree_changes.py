"""Trees that change: branches added late, memory of all kinds, copies, friends, aliases, entry lists and tables."""

import ctypes
from array import array
from pathlib import Path

import numpy as np
import pytest
import uproot

import pytmva_bnn
from pytmva_bnn.compat.errors import MacroError
from pytmva_bnn.compat.null_pointer import NullPointer

DATA = Path(__file__).resolve().parent.parent.parent / "xml_fixtures" / "data"


@pytest.fixture
def signal(root):
    return root.TFile(f"{DATA}/class.root").Get("TreeS")


@pytest.fixture(scope="module")
def columns():
    with uproot.open(f"{DATA}/class.root") as file:
        return file["TreeS"].arrays(library="np")


def numbers(root, n=4, name="t"):
    """Return a tree with x = 0, 1, … and n = 10, 11, …"""
    tree, x, k = root.TTree(name, "numbers"), array("f", [0]), array("i", [0])
    tree.Branch("x", x, "x/F")
    tree.Branch("k", k, "k/I")
    for i in range(n):
        x[0], k[0] = i, 10 + i
        tree.Fill()
    return tree


# -- branches added later


def test_a_stored_tree_gets_a_branch_and_is_written_over(root):
    with root.TFile("out.root", "RECREATE"):
        numbers(root).Write()
    file = root.TFile("out.root", "UPDATE")
    tree = file.Get("t")
    x, y = array("f", [0]), array("d", [0])
    tree.SetBranchAddress("x", x)
    branch = tree.Branch("y", y, "y/D")
    for i in range(tree.GetEntries()):
        tree.GetEntry(i)
        y[0] = 2 * x[0] + 1
        branch.Fill()
    assert branch.GetEntries() == 4
    assert tree.GetEntries("y > 2") == 3
    tree.Write("", 2)  # TObject.kOverwrite
    file.Close()
    stored = uproot.open("out.root")["t"]
    assert stored.keys() == ["x", "k", "y"]
    assert stored["y"].array(library="np").tolist() == [1, 3, 5, 7]
    assert stored["k"].array(library="np").dtype == np.int32
    assert root.TFile("out.root").Get("t").GetListOfBranches().GetEntries() == 3


def test_writing_the_file_writes_a_tree_that_has_got_a_branch(root):
    with root.TFile("out.root", "RECREATE"):
        numbers(root).Write()
    with root.TFile("out.root", "UPDATE") as file:
        y = array("f", [3])
        branch = file.Get("t").Branch("y", y, "y/F")
        for _ in range(4):
            branch.Fill()
        file.Write()
    assert uproot.open("out.root")["t"]["y"].array(library="np").tolist() == [3] * 4


def test_a_copied_tree_gets_a_branch_for_its_entries(root, signal, columns):
    copy = signal.CopyTree("var1 > 1")
    response = array("f", [0])
    branch = copy.Branch("response", response, "response/F")
    for event in copy:
        response[0] = event.var1 * 2
        branch.Fill()
    expected = 2 * columns["var1"][columns["var1"] > 1]
    np.testing.assert_allclose(copy.AsNumpy("response")["response"], expected, rtol=1e-6)
    assert copy.Draw("response/var1", "response > 3", "goff") == np.count_nonzero(expected > 3)
    assert set(copy.GetV1()) == {2.0}
    assert not signal.GetBranch("response")


def test_a_branch_made_after_the_first_entries_has_zeros_there(root, caplog):
    tree, y = numbers(root), array("f", [7])
    branch = tree.Branch("y", y, "y/F")
    tree.Fill()
    assert tree.AsNumpy("y")["y"].tolist() == [0, 0, 0, 0, 7]
    late = tree.Branch("z", y, "z/F")
    late.Fill()
    assert tree.AsNumpy("z")["z"].tolist() == [7, 0, 0, 0, 0]
    assert "the branch z of t has 1 of 5 entries" in caplog.text
    assert (branch.GetName(), branch.GetEntries(), tree.GetEntries()) == ("y", 5, 5)


def test_branches_can_be_filled_one_by_one_without_the_tree(root):
    tree, x = root.TTree("t", ""), array("f", [0])
    branch = tree.Branch("x", x, "x/F")
    for i in range(3):
        x[0] = i
        branch.Fill()
    assert tree.SetEntries(-1) == 3
    assert [event.x for event in tree] == [0, 1, 2]


def test_entries_can_be_added_to_a_tree_that_was_read(root):
    with root.TFile("out.root", "RECREATE"):
        numbers(root, 2).Write()
    with root.TFile("out.root", "UPDATE") as file:
        tree = file.Get("t")
        x, k = array("f", [0]), array("i", [0])
        tree.SetBranchAddress("x", x)
        tree.SetBranchAddress("k", k)
        x[0], k[0] = 5.5, 55
        tree.Fill()
        assert tree.GetEntries() == 3
        tree.Write("", 2)
    stored = uproot.open("out.root")["t"].arrays(library="np")
    assert stored["x"].tolist() == [0, 1, 5.5]
    assert stored["k"].tolist() == [10, 11, 55]


# -- memory of all kinds


@pytest.mark.parametrize(
    "make",
    [
        lambda: bytearray(20),
        lambda: np.zeros(1, "S20"),
        lambda: np.zeros(1, "U20"),
        lambda: array("B", [0] * 20),
        lambda: array("b", [0] * 20),
        lambda: ctypes.create_string_buffer(20),
        lambda: [""],
    ],
    ids=["bytearray", "S", "U", "B", "b", "ctypes", "cell"],
)
def test_text_is_written_read_and_drawn(root, make):
    memory = make()

    def put(text):
        if isinstance(memory, list | np.ndarray):
            memory[0] = text
        else:
            np.frombuffer(memory, np.uint8)[: len(text) + 1] = list(text.encode() + b"\0")

    with root.TFile("out.root", "RECREATE"):
        tree, x = root.TTree("t", ""), array("f", [0])
        tree.Branch("name", memory, "name/C")
        tree.Branch("x", x, "x/F")
        for i, text in enumerate(["electron", "muon", "electron", ""]):
            put(text)
            x[0] = i
            tree.Fill()
        tree.Write()
    tree = root.TFile("out.root").Get("t")
    assert [event.name for event in tree] == ["electron", "muon", "electron", ""]
    into, cell = bytearray(b"x" * 20), ["?"]
    tree.SetBranchAddress("name", into)
    tree.GetEntry(1)
    assert into.split(b"\0")[0] == b"muon"
    tree.SetBranchAddress("name", cell)
    tree.GetEntry(2)
    assert cell == ["electron"]
    assert tree.Draw("name>>h", "", "goff") == 4
    axis = root.gDirectory.Get("h").GetXaxis()
    assert [axis.GetBinLabel(i) for i in (1, 2)] == ["electron", "muon"]
    assert root.gDirectory.Get("h").GetBinContent(1) == 2
    assert tree.Draw("x", 'name == "electron"') == 2
    assert tree.GetV1().tolist() == [0, 2]
    assert tree.Draw("x", 'name != "muon" && x > 0') == 2


def test_a_cell_gets_the_vector_of_the_entry_and_keeps_it(root):
    with root.TFile("out.root", "RECREATE"):
        tree, vector = root.TTree("t", ""), root.std.vector("float")()
        tree.Branch("pt", vector)
        for values in ([1, 2.5], [], [4]):
            vector.clear()
            for value in values:
                vector.push_back(value)
            tree.Fill()
        tree.Write()
    tree, cell, branch = root.TFile("out.root").Get("t"), [root.nullptr], [root.nullptr]
    tree.SetBranchAddress("pt", cell, branch)
    tree.GetEntry(0)
    first = cell[0]
    assert (first.size(), first.at(1)) == (2, 2.5)
    tree.GetEntry(2)
    assert cell[0] is first, "C++ fills the vector that the pointer points to"
    assert list(first) == [4]
    assert branch[0].GetName() == "pt"
    branch[0].GetEntry(1)
    assert first.size() == 0
    # the same cell as the memory of a new tree
    copy = root.TTree("copy", "")
    copy.Branch("pt", "std::vector<float>", cell)
    for i in range(3):
        tree.GetEntry(i)
        copy.Fill()
    assert [list(event.pt) for event in copy] == [[1, 2.5], [], [4]]


def test_several_leaves_are_records_objects_or_numbers_of_one_type(root):
    class Event:
        def __init__(self):
            self.x, self.n = 0.0, 0

    record, numbers_only, event = np.zeros(1, [("x", "f4"), ("n", "i4")]), array("f", [0, 0]), Event()
    with root.TFile("out.root", "RECREATE"):
        tree = root.TTree("t", "")
        tree.Branch("record", record, "x/F:n/I")
        tree.Branch("pair", numbers_only, "a/F:b/F")
        tree.Branch("event", event, "u/F:m/I")
        for i in range(3):
            record[0] = (i + 0.5, i)
            numbers_only[:] = array("f", [i, -i])
            event.x, event.n = 2.5 * i, 3 * i
            tree.Fill()
        assert tree.GetEntries("record.n > 0 && b < -1 && m == 6") == 1
        tree.Write()
    tree = root.TFile("out.root").Get("t")
    assert tree.GetEntries("record.n > 0 && pair.b < -1 && m == 6") == 1
    read = Event()
    tree.SetBranchAddress("event", read)
    tree.GetEntry(2)
    assert (read.x, read.n) == (5.0, 6)
    assert tree.GetLeaf("pair", "a").GetValue() == 2
    assert tree.GetNbranches() == 6


def test_views_and_single_elements_are_memory(root):
    class Reference:
        def __init__(self, owner, index):
            self.owner, self.index = owner, index

        def __getitem__(self, _):
            return self.owner[self.index]

        def __setitem__(self, _, value):
            self.owner[self.index] = value

    matrix, values = np.zeros((2, 3), "f4"), [0.0, 0.0]
    tree = root.TTree("t", "")
    tree.Branch("column", matrix[:, 1], "column[2]/F")
    tree.Branch("element", matrix[1, 2:], "element/F")
    tree.Branch("reference", Reference(values, 1), "reference/D")
    matrix[:] = [[1, 2, 3], [4, 5, 6]]
    values[1] = 0.1
    tree.Fill()
    matrix[:] = 0
    values[1] = 0
    tree.GetEntry(0)
    assert matrix.tolist() == [[0, 2, 0], [0, 5, 6]], "GetEntry fills the memory of Branch too"
    assert values == [0, 0.1]


def test_memory_can_be_changed_while_a_tree_is_filled(root):
    tree, first, second = root.TTree("t", ""), array("f", [1]), array("f", [2])
    branch = tree.Branch("x", first, "x/F")
    tree.Fill()
    branch.SetAddress(second)
    tree.Fill()
    assert tree.AsNumpy("x")["x"].tolist() == [1, 2]


# -- copies


def test_a_clone_takes_what_the_macro_has_made_of_an_entry(root):
    original = numbers(root)
    x = array("f", [0])
    original.SetBranchAddress("x", x)
    copy = original.CloneTree(0)
    y = array("f", [0])
    copy.Branch("y", y, "y/F")
    for i in range(original.GetEntries()):
        original.GetEntry(i)
        x[0] = x[0] * 100
        y[0] = i + 0.5
        if i % 2:
            copy.Fill()
    found = copy.AsNumpy()
    assert {name: values.tolist() for name, values in found.items()} == {
        "x": [100, 300], "k": [11, 13], "y": [1.5, 3.5],
    }  # fmt: skip
    assert found["x"].dtype == np.float32


def test_entries_are_copied_and_trees_merged(root):
    tree = numbers(root)
    clone = tree.CloneTree(0, "fast")
    assert clone.CopyEntries(tree, 2) == 2
    assert clone.Merge([tree]) == 6
    assert clone.AsNumpy("k")["k"].tolist() == [10, 11, 10, 11, 12, 13]
    merged = root.TTree.MergeTrees([tree, clone])
    assert merged.GetEntries() == 10
    named = tree.Clone("other")
    assert (named.GetName(), named.GetEntries(), root.gDirectory.Get("other") is named) == ("other", 4, True)
    assert tree.CopyTree("x > 0", "", 2).AsNumpy("x")["x"].tolist() == [1, 2]
    tree.Reset()
    assert tree.GetEntries() == 0
    assert named.GetEntries() == 4


def test_copies_have_only_the_active_branches(root):
    tree = numbers(root)
    tree.SetBranchStatus("*", 0)
    tree.SetBranchStatus("k", 1)
    for copy in (tree.CopyTree("x > 1"), tree.CloneTree(), tree.CloneTree(0)):
        assert [branch.GetName() for branch in copy.GetListOfBranches()] == ["k"]
    assert tree.CopyTree("x > 1").GetEntries() == 2


# -- friends, aliases, weights


def test_a_friend_is_read_drawn_cut_on_and_given_to_the_data_loader(root, signal, columns):
    friend, mva = root.TTree("friend", ""), array("f", [0])
    friend.Branch("mva", mva, "mva/F")
    for event in signal:
        mva[0] = event.var1 + event.var2
        friend.Fill()
    total = columns["var1"] + columns["var2"]
    signal.AddFriend(friend)
    assert signal.GetEntries("mva > 1") == signal.GetEntries("friend.mva > 1") == np.count_nonzero(total > 1)
    value = array("f", [0])
    signal.SetBranchAddress("friend.mva", value)
    signal.GetEntry(7)
    assert value[0] == signal.mva == total[7]
    assert signal.Draw("mva - var1 - var2", "", "goff") == 2500
    np.testing.assert_allclose(signal.GetV1(), 0, atol=1e-6)
    loader = pytmva_bnn.DataLoader("dataset")
    loader.AddVariable("mva")
    loader.AddVariable("var1")
    loader.AddSignalTree(signal, 1.0)
    loader.AddTree(root.TFile(f"{DATA}/class.root").Get("TreeB").CopyTree("var1<0"), "Background")
    assert [branch.GetName() for branch in signal.CloneTree(1).GetListOfBranches()] == list(columns)


def test_friends_come_from_files_and_have_other_names(root):
    with root.TFile("friends.root", "RECREATE"):
        numbers(root, 4, "other").Write()
    root.gROOT.cd()
    tree = numbers(root)
    tree.AddFriend("f = other", "friends.root")
    assert tree.Draw("k - f.k + x", "f.x > 1") == 2
    assert tree.GetV1().tolist() == [2, 3]
    assert tree.GetFriend("f").GetEntries() == 4
    assert not tree.GetBranch("f.y")
    tree.AddFriend(numbers(root, 2, "short"))
    with pytest.raises(MacroError, match=r"the friend short .* has fewer entries"):
        tree.Draw("short.x")
    with pytest.raises(MacroError, match=r"AddFriend\('nowhere'\).*has no object 'nowhere'"):
        tree.AddFriend("nowhere")


def test_chains_have_friends_and_tell_their_files(root, toys):
    chain, friend = root.TChain("events"), root.TChain("events")
    for one in (chain, friend):
        one.Add(f"{toys}/runs/run_*.root")
    chain.AddFriend(friend, "again")
    assert chain.Draw("eventNumber - again.eventNumber", "", "goff") == 1800
    assert set(chain.GetV1()) == {0.0}
    assert chain.LoadTree(700) == 100
    assert chain.GetTreeNumber() == 1
    assert chain.GetCurrentFile().GetName() == f"{toys}/runs/run_2.root"
    assert chain.LoadTree(1800) < 0
    assert chain.Merge("all.root") == 1
    assert uproot.open("all.root")["events"].num_entries == 1800


def test_an_alias_stands_for_its_expression_everywhere(root):
    tree = numbers(root)
    tree.SetAlias("twice", "2*x")
    tree.SetAlias("sum", "twice + k")
    assert tree.GetEntries("twice > 3") == 2
    assert tree.Draw("sum") == 4
    assert tree.GetV1().tolist() == [10, 13, 16, 19]
    assert tree.GetAlias("twice") == "2*x"
    np.testing.assert_array_equal(pytmva_bnn.events.sources.source_of(tree).n_entries, 4)
    loader = pytmva_bnn.DataLoader("dataset")
    loader.AddVariable("sum")
    loader.AddTree(tree, "Signal")


def test_the_weight_of_a_tree_multiplies_those_of_draw(root):
    tree = numbers(root)
    tree.SetWeight(0.5)
    tree.Draw("x>>h(4,0,4)", "(x > 0)*3")
    assert tree.GetWeight() == 0.5
    assert root.gDirectory.Get("h").GetBinContent(2) == 1.5


# -- entry lists, drawing, tables


@pytest.mark.parametrize(("option", "kind"), [("", "TEventList"), ("entrylist", "TEntryList")])
def test_entry_lists_choose_entries(root, option, kind):
    tree = numbers(root, 6)
    assert tree.Draw(">>chosen", "x > 2", option) == 3
    chosen = root.gDirectory.Get("chosen")
    assert type(chosen).__name__ == kind
    assert [chosen.GetEntry(i) for i in range(chosen.GetN() + 1)] == [3, 4, 5, -1]
    tree.SetEventList(chosen)
    assert tree.Draw("k", "x < 5") == 2
    assert tree.GetV1().tolist() == [13, 14]
    assert tree.CopyTree("").GetEntries() == 3
    assert tree.GetEntryNumber(1) == 4
    assert tree.Draw(">>within", "x != 4") == 2
    assert root.gDirectory.Get("within").GetList() == [3, 5]
    tree.SetEntryList(0)
    assert tree.Draw("k") == 6
    tree.Draw(">>+chosen", "x == 0")
    assert chosen.GetList() == [0, 3, 4, 5]


def test_without_a_target_draw_fills_htemp(root):
    tree = numbers(root)
    tree.Draw("x", "x > 0")
    assert tree.GetHistogram().GetEntries() == root.gROOT.FindObject("htemp").GetEntries() == 3
    with root.TFile("out.root", "RECREATE") as file:
        numbers(root).Draw("x:k")
        file.Write()
    assert uproot.open("out.root").keys(cycle=False) == ["t"]


def test_scan_shows_a_table(root, capsys):
    tree = numbers(root, 3)
    assert tree.Scan("x:k*2", "x > 0") == 2
    assert capsys.readouterr().out == (
        "************************************\n"
        "*    Row   *         x *       k*2 *\n"
        "************************************\n"
        "*        1 *         1 *        22 *\n"
        "*        2 *         2 *        24 *\n"
        "************************************\n"
        "==> 2 selected entries\n"
    )


def test_branches_tell_their_types_and_values(root, capsys):
    tree = numbers(root)
    tree.GetEntry(2)
    leaf = tree.GetLeaf("k")
    assert (leaf.GetValue(), leaf.GetTypeName(), leaf.GetLen(), leaf.GetTree() is tree) == (12, "Int_t", 1, True)
    assert isinstance(tree.GetBranch("nope"), NullPointer)
    tree.GetBranch("k").SetStatus(0)
    assert not tree.GetBranchStatus("k")
    tree.Print()
    assert "*Br    1 :k         : Int_t" in capsys.readouterr().out
    assert tree.GetEntry(4) == 0
    assert tree.GetEntry(3) > 0
    tree.ResetBranchAddresses()
    tree.SetMakeClass(1)
    root.TTree.SetMaxTreeSize(10**9)


def test_a_copied_tree_has_the_branches_of_the_original_and_no_more(root):
    with root.TFile("out.root", "RECREATE"):
        tree, vector = root.TTree("t", ""), root.std.vector("float")([1, 2])
        tree.Branch("v", vector)
        tree.Fill()
        tree.Write()
    first = root.TFile("out.root").Get("t")
    with root.TFile("copy.root", "RECREATE"):
        first.CloneTree().Write()
    assert uproot.open("copy.root")["t"].keys() == uproot.open("out.root")["t"].keys() == ["nv", "v"]
