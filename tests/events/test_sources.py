"""Wherever the events come from, they are the same events."""

from pathlib import Path

import awkward as ak
import numpy as np
import pandas as pd
import pytest
import uproot

from pytmva_bnn.dataset import DataLoader, DatasetError, source_of
from pytmva_bnn.events.sources import FilteredSource, MemorySource, text_source
from pytmva_bnn.events.sources.opening import split_path
from pytmva_bnn.events.sources.root_files import leaves_of
from pytmva_bnn.formula import Formula

N = 700


@pytest.fixture(scope="module")
def columns():
    rng = np.random.default_rng(7)
    return {
        "x": rng.normal(size=N).astype(np.float32),
        "y": rng.normal(size=N),
        "n": rng.integers(0, 5, size=N).astype(np.int32),
        "fixed": rng.normal(size=(N, 3)).astype(np.float32),
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory, columns):
    """Files with the same events: one with all, two halves, an RNTuple, a tree in a folder."""
    path = tmp_path_factory.mktemp("sources")
    types = {"x": "float32", "y": "float64", "n": "int32", "fixed": "3 * float32"}
    for name, start, stop in (("all", 0, N), ("part1", 0, 300), ("part2", 300, N)):
        with uproot.recreate(path / f"{name}.root") as file:
            for tree in ("T", "dir/T") if name == "all" else ("T",):
                written = file.mktree(tree, types)
                for first in range(start, stop, 128):  # baskets of 128 entries
                    last = min(first + 128, stop)
                    written.extend({key: values[first:last] for key, values in columns.items()})
    with uproot.recreate(path / "ntuple.root") as file:
        flat = {key: values for key, values in columns.items() if key != "fixed"}
        file.mkrntuple("T", ak.Array(flat))
    return path


def dataset_of(events):
    loader = DataLoader("dataset")
    loader.AddVariable("x")
    loader.AddVariable("sqrt(x*x + y*y)")
    loader.AddSpectator("Entry$")
    loader.AddSignalTree(events)
    loader.AddTree(events, "Background", 2.0, "n > 1")
    loader.SetWeightExpression("1 + n/10")
    loader.PrepareTrainingAndTestTree("y > -1.5", "nTrain_Signal=200:nTrain_Background=150")
    return loader.dataset


def flat(columns):
    return {key: columns[key] for key in ("x", "y", "n")}


OPENINGS = {
    "text": lambda folder, _: f"{folder}/all.root:T",
    "path": lambda folder, _: folder / "all.root:T",
    "tree in a folder": lambda folder, _: f"{folder}/all.root:dir/T",
    "wildcard": lambda folder, _: f"{folder}/part*.root:T",
    "list": lambda folder, _: [f"{folder}/part1.root:T", f"{folder}/part2.root:T"],
    "uproot's dictionary": lambda folder, _: {f"{folder}/part1.root": "T", f"{folder}/part2.root": "T"},
    "only tree": lambda folder, _: [f"{folder}/part1.root", f"{folder}/part2.root"],
    "RNTuple": lambda folder, _: f"{folder}/ntuple.root:T",
    "data frame": lambda _, columns: pd.DataFrame(flat(columns)),
    "awkward": lambda _, columns: ak.Array(flat(columns)),
    "structured": lambda _, columns: pd.DataFrame(flat(columns)).to_records(index=False),
    "lists": lambda _, columns: {key: values.tolist() for key, values in flat(columns).items()},
    "series": lambda _, columns: dict(pd.DataFrame(flat(columns), index=np.arange(N)[::-1])),
    "nullable": lambda _, columns: pd.DataFrame(flat(columns)).convert_dtypes(),
    "chain in memory": lambda _, columns: [
        {key: values[:10] for key, values in flat(columns).items()},
        {key: values[10:] for key, values in flat(columns).items()},
    ],
}


def assert_same(one, other):
    for a, b in ((one.training, other.training), (one.test, other.test)):
        for name in ("variables", "spectators", "class_index", "weights"):
            np.testing.assert_array_equal(getattr(a, name), getattr(b, name))


@pytest.mark.parametrize("opening", OPENINGS)
def test_every_form_of_input_gives_the_same_data_set(folder, columns, opening):
    assert_same(dataset_of(OPENINGS[opening](folder, columns)), dataset_of(columns))


@pytest.mark.parametrize("file", ["all.root", "ntuple.root"])
def test_open_uproot_objects_give_the_same_data_set(folder, columns, file):
    with uproot.open(folder / file) as opened:
        assert_same(dataset_of(opened["T"]), dataset_of(columns))


@pytest.mark.parametrize("block_size", [1, 100, 128, 300, 1000])
@pytest.mark.parametrize("pattern", ["all.root:T", "part*.root:T"])
def test_blocks_hold_every_entry_once_whatever_their_size(folder, columns, pattern, block_size):
    blocks = list(source_of(f"{folder}/{pattern}").blocks(["x", "fixed"], block_size))
    assert max(block.n_entries for block in blocks) <= block_size
    np.testing.assert_array_equal(np.concatenate([block.columns["x"] for block in blocks]), columns["x"])
    np.testing.assert_array_equal(np.concatenate([block.columns["fixed"] for block in blocks]), columns["fixed"])
    starts = np.cumsum([0, *(block.n_entries for block in blocks[:-1])])
    assert [block.first_entry for block in blocks] == starts.tolist()


def test_arrays_of_varying_length_survive_the_reading_in_blocks(tmp_path):
    jagged = ak.Array([[float(i)] * (i % 4) for i in range(50)])
    with uproot.recreate(tmp_path / "a.root") as file:
        tree = file.mktree("T", {"j": "var * float32"})
        for first in range(0, 50, 16):
            tree.extend({"j": jagged[first : first + 16]})
    blocks = [block.columns["j"] for block in source_of(f"{tmp_path}/a.root:T").blocks(["j"], 7)]
    assert ak.concatenate(blocks).tolist() == jagged.tolist()


def test_no_basket_is_unpacked_twice(folder, monkeypatch):
    read = []
    original = uproot.TBranch.array

    def spy(branch, **arguments):
        read.append((arguments["entry_start"], arguments["entry_stop"]))
        return original(branch, **arguments)

    monkeypatch.setattr(uproot.TBranch, "array", spy)
    list(source_of(f"{folder}/all.root:T").blocks(["x"], 50))
    assert read == [(first, min(first + 128, N)) for first in range(0, N, 128)]


def test_a_chain_knows_the_entries_of_its_files(folder):
    blocks = list(source_of(f"{folder}/part*.root:T").blocks(["x"]))
    values = [
        Formula(name).evaluate(block.columns, tree=block.tree)[0]
        for block in blocks
        for name in ("Entry$", "LocalEntry$", "Entries$", "LocalEntries$")
    ]
    assert values == [0, 0, N, 300, 300, 0, N, N - 300]


class Spy(MemorySource):
    """Remembers which branches were read."""

    asked: set

    def blocks(self, branches, block_size=100):
        self.asked = set(branches)
        return super().blocks(branches, block_size)


def test_only_the_branches_that_are_needed_are_read():
    columns = {name: np.arange(10.0) for name in ("a", "b", "c", "w", "huge", "cut_only")}
    source = Spy("T", list(columns), columns.__getitem__, 10)
    loader = DataLoader()
    loader.AddVariable("a + b")
    loader.AddTree(source, "Signal")
    loader.SetWeightExpression("w", "Signal")
    loader.PrepareTrainingAndTestTree("cut_only >= 0", "")
    assert len(loader.training) == 5
    assert source.asked == {"a", "b", "w", "cut_only"}


# ---- names -----------------------------------------------------------------------------------------------


class FakeLeaf:
    def __init__(self, name):
        self.name = name

    def member(self, _):
        return self.name


class FakeBranch:
    """A branch as uproot shows it; uproot itself cannot write those with several leaves or with members."""

    def __init__(self, name, leaves=("x",), branches=()):
        self.name, self.leaves, self.branches = name, leaves, branches

    def member(self, _):
        return [FakeLeaf(leaf) for leaf in self.leaves]


class FakeTree:
    def __init__(self, **branches):
        self.branches = [*branches.values()]
        self._items = [
            item
            for name, branch in branches.items()
            for item in [(name, branch), *((f"{name}/{sub.name}", sub) for sub in branch.branches)]
        ]

    def items(self, **_):
        return self._items


def test_leaves_and_members_can_be_called_by_all_their_names():
    members = FakeBranch("event", branches=[FakeBranch("pt"), FakeBranch("event.eta")])
    tree = FakeTree(pt=FakeBranch("pt"), vars=FakeBranch("vars", leaves=("Deta", "pt")), event=members)
    names = leaves_of(tree)
    assert set(names) == {
        "pt",
        "event.eta",
        "event.pt",
        "event.event.eta",
        "vars",
        "vars.Deta",
        "vars.pt",
        "Deta",
        "eta",
    }
    assert (names["Deta"].branch, names["Deta"].member) == (tree.branches[1], "Deta")
    assert names["pt"].branch is tree.branches[0]
    assert names["event.pt"].branch is members.branches[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.root:T", ("a.root", "T")),
        ("a.root:dir/T", ("a.root", "dir/T")),
        ("a.root", ("a.root", "")),
        ("a.root:", ("a.root", "")),
        ("root://host//a.root:T", ("root://host//a.root", "T")),
        ("root://host:1094//a.root", ("root://host:1094//a.root", "")),
        ("C:\\data\\a.txt", ("C:\\data\\a.txt", "")),
        ("C:/a.root:T", ("C:/a.root", "T")),
    ],
)
def test_file_and_tree_are_told_apart(text, expected):
    assert split_path(text) == expected


# ---- text files ------------------------------------------------------------------------------------------


def test_text_files_have_types_and_comments(tmp_path):
    path = tmp_path / "signal.dat"
    path.write_text("x/D:n/I:m\n\n# no event\n0.1 3 4\n  1e300 -5 6\n")
    block = next(text_source(path).blocks(["x", "n", "m"]))
    assert block.columns["x"].tolist() == [0.1, 1e300]
    assert block.columns["n"].tolist() == [3, -5]
    assert block.columns["m"].dtype == np.int32


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the file is empty"),
        ("x/Q\n1\n", "line 1: 'x/Q' does not name a column of numbers"),
        ("x[3]/F\n1\n", "does not name a column of numbers"),
        ("x:y\n1 2\n3\n", "line 3: 1 values, but the first line names 2 columns"),
        ("x\n1\nabc\n", "line 3: could not convert string to float: 'abc'"),
    ],
)
def test_text_files_say_what_is_wrong_in_which_line(tmp_path, text, problem):
    path = tmp_path / "a.txt"
    path.write_text(text)
    with pytest.raises(DatasetError, match=problem.replace("[", r"\[")):
        text_source(path)


# ---- errors ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("events", "problem"),
    [
        (None, r"Tree does not exist \(empty pointer\)"),
        ("missing.root:T", "the file missing.root does not exist"),
        ("missing.txt", "Could not open file: missing.txt"),
        ("xml_fixtures/data/no*.root:T", "no file matches"),
        ("xml_fixtures/data/class.root:TreeSS", "has no tree 'TreeSS': did you mean TreeS"),
        ("xml_fixtures/data/class.root", "several trees.*TreeS, TreeB"),
        ("pyproject.toml:T", "cannot be opened as a ROOT file"),
        ([], r"shape \(0,\) has no column names"),
        ([1.0, 2.0], r"shape \(2,\) has no column names; give a dictionary"),
        (np.zeros((3, 2)), "has no column names"),
        (3.5, "events of type float are not supported"),
        ({"x": [1.0], "y": [1.0, 2.0]}, "different lengths"),
        ({"x": 1.0}, "'x' is a single value"),
    ],
)
def test_what_is_no_tree_is_refused_with_a_reason(events, problem):
    with pytest.raises(DatasetError, match=problem):
        source_of(events)


def test_a_file_is_no_tree():
    with uproot.open("xml_fixtures/data/class.root") as file, pytest.raises(DatasetError, match="give one of its"):
        source_of(file)


def test_a_chain_names_the_file_that_lacks_a_branch(tmp_path):
    for name, branch in (("a", "x"), ("b", "xx")):
        with uproot.recreate(tmp_path / f"{name}.root") as file:
            file.mktree("T", {branch: "float32"}).extend({branch: np.ones(3, np.float32)})
    chain = source_of(f"{tmp_path}/*.root:T")
    with pytest.raises(DatasetError, match=r"b.root:T has no branch 'x': did you mean xx"):
        list(chain.blocks(["x"]))


def test_a_cut_of_add_tree_needs_one_instance_that_is_not_zero():
    # 0.2 passes here, although PrepareTrainingAndTestTree needs 0.5; an entry without instances does not
    events = {"j": [[0.0, 0.2], [0.0], [], [-1.0]], "x": [1.0, 2.0, 3.0, 4.0]}
    passing = FilteredSource(source_of(events), "j")
    (block,) = passing.blocks(["x"])
    assert block.columns["x"].tolist() == [1.0, 4.0]
    assert (passing.n_entries, block.tree.entries) == (2, 2)


def test_missing_values_become_nan():
    frame = pd.DataFrame({"x": pd.array([1, None], dtype="Int64")})
    np.testing.assert_array_equal(next(source_of(frame).blocks(["x"])).columns["x"], [1.0, np.nan])


def test_a_column_of_lists_in_a_frame_is_an_array_variable():
    frame = pd.DataFrame({"j": [[1.0, 2.0], [], [3.0]]})
    (block,) = source_of(frame).blocks(["j"])
    assert Formula("j").counts(block.columns).tolist() == [2, 0, 1]


def test_masked_values_become_nan():
    masked = {"x": np.ma.masked_array([1, 2], [True, False])}
    np.testing.assert_array_equal(next(source_of(masked).blocks(["x"])).columns["x"], [np.nan, 2.0])


def test_a_branch_of_text_is_refused_with_its_tree(tmp_path):
    with uproot.recreate(tmp_path / "a.root") as file:
        file.mktree("T", {"x": "float32", "name": "string"}).extend({"x": np.ones(2, np.float32), "name": ["a", "b"]})
    loader = DataLoader("ds")
    loader.AddVariable("x")
    loader.AddTree(f"{tmp_path}/a.root:T", "Signal")
    assert len(loader.training) == 1
    loader.AddVariable("name")
    with pytest.raises(DatasetError, match=r"a.root:T: branch 'name' cannot be used"):
        _ = loader.dataset


def test_constant_expressions_need_no_branch(folder):
    (block,) = source_of(f"{folder}/all.root:T").blocks([])
    assert (block.columns, block.n_entries) == ({}, N)
    loader = DataLoader("ds")
    loader.AddVariable("x")
    loader.AddTree(f"{folder}/all.root:T", "Signal")
    loader.SetWeightExpression("2", "Signal")
    assert set(loader.test.weights) == {2.0}


def test_fields_of_records_can_be_used(tmp_path):
    events = ak.Array({"jet": {"pt": [1.0, 2.0], "_id": [3, 4]}, "tracks": [[1.0], [2.0, 3.0]]})
    with uproot.recreate(tmp_path / "a.root") as file:
        file.mkrntuple("T", events)
    source = source_of(f"{tmp_path}/a.root:T")
    assert set(source.columns) == {"jet", "jet.pt", "jet._id", "tracks"}
    for each in (source, source_of(events)):
        formula = Formula("jet.pt + jet._id + Sum$(tracks)")
        (block,) = each.blocks(formula.branches_of(each.columns))
        assert formula.evaluate(block.columns).tolist() == [5.0, 11.0]


@pytest.mark.parametrize("kept", [0.3, 0.5])
def test_a_truncated_file_is_called_so(tmp_path, kept):
    path = tmp_path / "cut.root"
    whole = Path("xml_fixtures/data/class.root").read_bytes()
    path.write_bytes(whole[: int(kept * len(whole))])

    def read():
        return list(source_of(f"{path}:TreeB").blocks(["var4"]))

    with pytest.raises(DatasetError, match=r"cut\.root.*(truncated|damaged)"):
        read()
