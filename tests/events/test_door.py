"""Every form of events in every place where events go in: the columns are matched by name, not by position."""

import array
from pathlib import Path

import awkward as ak
import dask.dataframe
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet
import pytest
import uproot

import pytmva_bnn as TMVA
from pytmva_bnn.cli import main
from pytmva_bnn.compat import ROOT
from pytmva_bnn.dataset import source_of
from pytmva_bnn.errors import DatasetError, InputError, MissingDependencyError
from pytmva_bnn.events import columns as columns_module
from pytmva_bnn.events.columns import Columns, has_names
from pytmva_bnn.events.sources import EventSource, open_events
from pytmva_bnn.events.variables import VariableRecord

WEIGHTS = "xml_fixtures/cases/fakerate_bnn/weights.xml"
N = 500
_RNG = np.random.default_rng(3)
# ht before pt, and something that is neither: the first event is (pt, ht) = (15, 80), whose response is 0.594
COLUMNS = {
    "number": np.arange(N),
    "ht": np.concatenate(([80.0], _RNG.uniform(60, 600, N - 1))),
    "pt": np.concatenate(([15.0], _RNG.integers(40, 360, N - 1) / 4)).astype(np.float32),
}


class OnlyArrow:
    """An object that nothing is known of but that it gives an Arrow stream, as those of many libraries do."""

    def __arrow_c_stream__(self, requested_schema=None):
        return pa.table(COLUMNS).__arrow_c_stream__(requested_schema)


class OnlyInterchange:
    """An object that nothing is known of but that it speaks the data-frame interchange protocol."""

    def __dataframe__(self, *arguments, **keywords):
        return pa.table(COLUMNS).__dataframe__(*arguments, **keywords)


def shim_tree():
    tree, memory = ROOT.TTree("T", ""), {name: array.array("d", [0.0]) for name in COLUMNS}
    for name, one in memory.items():
        tree.Branch(name, one, f"{name}/D")
    for event in zip(*COLUMNS.values(), strict=True):
        for one, value in zip(memory.values(), event, strict=True):
            one[0] = value
        tree.Fill()
    return tree


def shim_chain(folder):
    chain = ROOT.TChain("T")
    chain.Add(f"{folder}/part*.root")
    return chain


IN_MEMORY = {
    "dict": lambda: COLUMNS,
    "dict of lists": lambda: {name: values.tolist() for name, values in COLUMNS.items()},
    "pandas": lambda: pd.DataFrame(COLUMNS, index=np.arange(N)[::-1]),
    "pandas, nullable": lambda: pd.DataFrame(COLUMNS).convert_dtypes(),
    "pandas, arrow": lambda: pd.DataFrame(COLUMNS).convert_dtypes(dtype_backend="pyarrow"),
    "structured array": lambda: pd.DataFrame(COLUMNS).to_records(index=False).view(np.ndarray),
    "record array": lambda: pd.DataFrame(COLUMNS).to_records(index=False),
    "polars": lambda: pl.DataFrame(COLUMNS),
    "polars, lazy": lambda: pl.DataFrame(COLUMNS).lazy(),
    "pyarrow table": lambda: pa.table(COLUMNS),
    "pyarrow batch": lambda: pa.RecordBatch.from_pydict(COLUMNS),
    "pyarrow reader": lambda: pa.table(COLUMNS).to_reader(max_chunksize=100),
    "Arrow stream": OnlyArrow,
    "interchange protocol": OnlyInterchange,
    "awkward": lambda: ak.Array(COLUMNS),
    "dask": lambda: dask.dataframe.from_pandas(pd.DataFrame(COLUMNS), npartitions=3),
    "list of frames": lambda: [pd.DataFrame(COLUMNS)[:100], pl.DataFrame(COLUMNS)[100:]],
    "tree of the shim": shim_tree,
}
IN_FILES = {
    "file:tree": "all.root:T",
    "file with one tree": "part1.root",
    "tree in a folder": "all.root:dir/T",
    "RNTuple": "ntuple.root:T",
    "wildcard": "part*.root:T",
    "wildcard, one tree": "part*.root",
    "parquet": "all.parquet",
    "parquet, wildcard": "part*.parquet",
    "folder of parquet files": "folder.parquet",
    "feather": "all.feather",
    "arrow": "all.arrow",
    "npz": "all.npz",
    "npy": "all.npy",
    "csv": "all.csv",
    "csv of numpy": "numpy.csv",
    "text": "all.txt",
}
OPENED = {
    "path": lambda folder: folder / "all.root:T",
    "list of files": lambda folder: [f"{folder}/part1.root:T", folder / "part2.root:T"],
    "uproot's dictionary": lambda folder: {f"{folder}/part1.root": "T", f"{folder}/part2.root": "T"},
    "files of two kinds": lambda folder: [f"{folder}/part1.root:T", f"{folder}/part2.parquet"],
    "uproot tree": lambda folder: uproot.open(folder / "all.root")["T"],
    "uproot file": lambda folder: uproot.open(folder / "part1.root"),
    "uproot RNTuple": lambda folder: uproot.open(folder / "ntuple.root")["T"],
    "open npz": lambda folder: np.load(folder / "all.npz"),
    "chain of the shim": shim_chain,
    "tree of the shim's file": lambda folder: ROOT.TFile.Open(f"{folder}/all.root").Get("T"),
}
FORMS = {
    **{name: lambda _, make=make: make() for name, make in IN_MEMORY.items()},
    **{name: lambda folder, file=file: f"{folder}/{file}" for name, file in IN_FILES.items()},
    **OPENED,
}
ONLY_FIRST_PART = {"file with one tree", "uproot file"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("door")
    parts = {name: slice(*limits) for name, limits in (("all", (0, N)), ("part1", (0, 200)), ("part2", (200, N)))}
    (path / "folder.parquet").mkdir()
    for name, part in parts.items():
        columns = {key: values[part] for key, values in COLUMNS.items()}
        with uproot.recreate(path / f"{name}.root") as file:
            for tree in ("T", "dir/T") if name == "all" else ("T",):
                file.mktree(tree, {key: values.dtype for key, values in columns.items()}).extend(columns)
        pa.parquet.write_table(pa.table(columns), path / f"{name}.parquet", row_group_size=150)
        if name != "all":
            pa.parquet.write_table(pa.table(columns), path / "folder.parquet" / f"{name}.parquet")
    with uproot.recreate(path / "ntuple.root") as file:
        file.mkrntuple("T", ak.Array(COLUMNS))
    pa.feather.write_feather(pa.table(COLUMNS), path / "all.feather", chunksize=150)
    pa.feather.write_feather(pa.table(COLUMNS), path / "all.arrow", compression="uncompressed")
    np.savez(path / "all.npz", **COLUMNS)
    np.save(path / "all.npy", pd.DataFrame(COLUMNS).to_records(index=False).view(np.ndarray))
    pa.csv.write_csv(pa.table(COLUMNS), path / "all.csv")
    table = np.column_stack(list(COLUMNS.values()))
    np.savetxt(path / "numpy.csv", table, delimiter=",", header=",".join(COLUMNS), fmt="%.17g")
    np.savetxt(path / "all.txt", table, header="number/I:ht/D:pt/F", comments="", fmt="%.17g")
    return path


@pytest.fixture(scope="module")
def expected():
    found = TMVA.load(WEIGHTS).predict(np.column_stack([COLUMNS["pt"], COLUMNS["ht"]]))
    assert round(found[0], 3) == 0.594
    return found


def part(form, values):
    return values[:200] if form in ONLY_FIRST_PART else values


@pytest.mark.parametrize("form", FORMS)
def test_predict(folder, expected, form, monkeypatch):
    monkeypatch.setattr(columns_module, "BLOCK_SIZE", 64)  # several blocks, also of files
    model = TMVA.load(WEIGHTS)
    np.testing.assert_array_equal(model.predict(FORMS[form](folder)), part(form, expected))


@pytest.mark.parametrize("form", FORMS)
def test_reader(folder, expected, form):
    reader = TMVA.Reader("Silent")
    reader.BookMVA("BNN", WEIGHTS)
    np.testing.assert_array_equal(reader.EvaluateMVA(FORMS[form](folder), "BNN"), part(form, expected))
    bars = TMVA.load(WEIGHTS).predict(COLUMNS, errors=True)
    np.testing.assert_array_equal(reader.GetMVAErrorLower(), part(form, bars.lower))


def dataset_of(signal, background):
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("pt")
    loader.AddVariable("ht/pt")
    loader.AddSpectator("number")
    loader.AddSignalTree(signal)
    loader.AddTree(background, "Background", 2.0, "pt < 70")
    loader.PrepareTrainingAndTestTree("ht > 70", "SplitMode=Block")
    return loader.dataset


@pytest.mark.parametrize("form", FORMS)
def test_data_loader(folder, form):
    found = dataset_of(FORMS[form](folder), FORMS[form](folder))
    columns = {name: part(form, values) for name, values in COLUMNS.items()}
    wanted = dataset_of(columns, columns)
    for one, other in ((found.training, wanted.training), (found.test, wanted.test)):
        for name in ("variables", "spectators", "class_index", "weights"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    assert found.training.variables[0].tolist() == [np.float32(15), np.float32(80 / 15)]
    assert found.training.spectators[0].tolist() == [0]


@pytest.mark.parametrize("form", IN_FILES)
def test_apply(folder, expected, form, tmp_path):
    target = tmp_path / "r.npz"
    assert main(["apply", WEIGHTS, f"{folder}/{IN_FILES[form]}", "--keep", "number", "-o", str(target)]) == 0
    with np.load(target) as found:
        np.testing.assert_array_equal(found["response"], part(form, expected))
        np.testing.assert_array_equal(found["number"], part(form, COLUMNS["number"]))


# ---- arrays without names --------------------------------------------------------------------------------

TABLE = np.column_stack([COLUMNS["pt"], COLUMNS["ht"]])


@pytest.mark.parametrize(
    "events",
    [
        TABLE,
        TABLE.tolist(),
        tuple(map(tuple, TABLE)),
        list(TABLE),
        ak.Array(TABLE),
        pd.DataFrame(TABLE),
        dask.array.from_array(TABLE, chunks=(100, 2)),
    ],
)
def test_the_columns_of_arrays_count_by_position(events, expected):
    np.testing.assert_array_equal(TMVA.load(WEIGHTS).predict(events), expected)
    assert not has_names(events)
    with pytest.raises(DatasetError, match="has no column names; give a dictionary of arrays"):
        source_of(events)


def test_a_numpy_file_of_one_array_counts_by_position(tmp_path, expected):
    np.savez(tmp_path / "a.npz", TABLE)
    np.save(tmp_path / "a.npy", TABLE)
    for name in ("a.npz", "a.npy"):
        np.testing.assert_array_equal(TMVA.load(WEIGHTS).predict(tmp_path / name), expected)


def test_a_single_column_is_no_table():
    for events in (pd.Series([15.0, 80.0]), pl.Series([15.0, 80.0])):
        with pytest.raises(InputError, match=r"expected as an array of shape \(n_events, 2\).*\(2,\)"):
            TMVA.load(WEIGHTS).predict(events)


# ---- names -----------------------------------------------------------------------------------------------


def rows(events, *definitions):
    columns = Columns(events, [VariableRecord.define(one) for one in definitions])
    return columns.block(0, columns.n_events).tolist()


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame, pa.table, ak.Array])
def test_expression_then_formula_then_label_then_internal_name(make):
    assert rows(make({"a + b": [1.0], "a": [7.0], "b": [8.0], "s": [9.0]}), "s := a+b") == [[1.0]]
    # a label may be the name of a column that means something else
    assert rows(make({"s": [1.0], "a": [2.0], "b": [3.0]}), "s := a+b") == [[5.0]]
    assert rows(make({"pt": [100.0]}), "pt := log10(pt)") == [[2.0]]
    assert rows(make({"s": [1.0], "a": [2.0]}), "s := a+b") == [[1.0]]
    assert rows(make({"abs_eta_": [1.0], "x": [2.0]}), "abs(eta)") == [[1.0]]


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table, dict, ak.Array])
def test_missing_values_are_nan_and_make_the_response_nan(make):
    for column in ([15, None], [15.0, None], [True, None]):
        np.testing.assert_array_equal(rows(make({"x": column}), "x"), [[column[0]], [np.nan]])
    found = TMVA.load(WEIGHTS).predict(make({"ht": [80.0, 80.0], "pt": [15, None]}))
    assert np.isnan(found).tolist() == [False, True]


@pytest.mark.parametrize("make", [pl.DataFrame, pa.table, pd.DataFrame])
def test_columns_of_lists_can_be_used_in_expressions(make, tmp_path):
    columns = {"x": [1.0, 2.0], "jets": [[1.0, 5.0], [7.0]], "name": ["a", "b"]}
    assert rows(make(columns), "Sum$(jets)+x", "jets[0]") == [[7.0, 1.0], [9.0, 7.0]]
    pa.parquet.write_table(pa.table(columns), tmp_path / "a.parquet")
    assert rows(tmp_path / "a.parquet", "Sum$(jets)+x", "Entry$") == [[7.0, 0.0], [9.0, 1.0]]


def test_names_with_dots_and_operators_survive_the_formats(tmp_path):
    columns = {"jet.pt": [1.0, 2.0], "abs(eta)": [3.0, 4.0]}
    pa.parquet.write_table(pa.table(columns), tmp_path / "a.parquet")
    np.savez(tmp_path / "a.npz", **columns)
    pa.csv.write_csv(pa.table(columns), tmp_path / "a.csv")
    for name in ("a.parquet", "a.npz", "a.csv"):
        assert rows(tmp_path / name, "abs(eta)", "jet.pt") == [[3.0, 1.0], [4.0, 2.0]]


def test_a_missing_column_of_a_file_is_named_with_its_file(folder):
    for file in ("all.root:T", "all.parquet"):
        with pytest.raises(InputError, match=rf"{file}: missing variables: ptt \(did you mean pt\?\)"):
            rows(folder / file, "ptt")


# ---- files -----------------------------------------------------------------------------------------------


def test_csv_files_have_integers_numbers_text_and_gaps(tmp_path):
    (tmp_path / "a.csv").write_text('x, n, name\n1.5,9007199254740993,"a, b"\n\n,2,c\n')
    source = source_of(tmp_path / "a.csv")
    (block,) = source.blocks(["x", "n", "name"])
    np.testing.assert_array_equal(block.columns["x"], [1.5, np.nan])
    assert block.columns["n"].tolist() == [9007199254740993, 2]
    assert block.columns["name"].tolist() == ["a, b", "c"]
    assert source.name == "a"


def test_csv_files_as_root_reads_them(tmp_path):
    (tmp_path / "a.csv").write_text("x/F:n/I\n1.5,2\n3,4\n")
    assert rows(tmp_path / "a.csv", "x", "n") == [[1.5, 2.0], [3.0, 4.0]]


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.csv", "x,y\n1,2\n3\n", "a.csv, line 3: 1 values, but the first line names 2 columns"),
        ("a.csv", "1,2\n3,4\n", "line 1: found numbers instead of the names of the columns"),
        ("a.csv", "", "the file is empty"),
        ("a.parquet", "no parquet", "cannot be opened as a parquet file"),
        ("a.feather", "no feather", "cannot be opened as a feather file"),
        ("a.npz", "not a numpy archive", "cannot be opened as a file of numpy arrays"),
    ],
)
def test_damaged_files_are_called_so(tmp_path, name, content, problem):
    (tmp_path / name).write_text(content)
    with pytest.raises(DatasetError, match=problem):
        source_of(tmp_path / name)


@pytest.mark.parametrize("name", ["no.root:T", "no.parquet", "no.feather", "no.npz"])
def test_missing_files_are_called_so(name):
    with pytest.raises(InputError, match=r"the file no.* does not exist"):
        TMVA.load(WEIGHTS).predict(name)


@pytest.mark.parametrize("name", ["all.root:T", "all.parquet", "part*.root"])
def test_files_are_read_in_blocks_and_once(folder, monkeypatch, name):
    monkeypatch.setattr(columns_module, "BLOCK_SIZE", 64)
    variables = [VariableRecord.define("pt"), VariableRecord.define("ht")]
    columns = Columns(folder / name, variables)
    read, largest = [], 0
    original = columns_module.MatchedVariables.of

    def spy(self, block):
        read.append((block.first_entry, block.n_entries))
        return original(self, block)

    monkeypatch.setattr(columns_module.MatchedVariables, "of", spy)
    for start in range(0, N, 30):
        block = columns.block(start, start + 30)
        np.testing.assert_array_equal(block, TABLE.astype(np.float32)[start : start + 30])
        largest = max(largest, len(columns._given._kept))
    assert largest <= 64 + 30
    starts = np.cumsum([0, *(size for _, size in read)])
    assert [first for first, _ in read] == starts[:-1].tolist()
    assert starts[-1] == N
    for start, stop in ((10, 20), (300, 350), (20, 400)):  # going back, and ahead
        np.testing.assert_array_equal(columns.block(start, stop), TABLE.astype(np.float32)[start:stop])


def test_files_without_events_have_no_responses(tmp_path):
    nothing = {name: values[:0] for name, values in COLUMNS.items()}
    with uproot.recreate(tmp_path / "a.root") as file:
        file.mktree("T", {name: values.dtype for name, values in nothing.items()})
    pa.parquet.write_table(pa.table(nothing), tmp_path / "a.parquet")
    for events in (nothing, tmp_path / "a.root", tmp_path / "a.parquet", pl.DataFrame(nothing)):
        assert TMVA.load(WEIGHTS).predict(events).shape == (0,)
        (block,) = open_events(events).blocks(["number", "pt"])
        assert (block.n_entries, block.columns["pt"].dtype) == (0, np.float32)


def test_home_and_variables_in_names_are_expanded_everywhere(folder, expected, monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("WEIGHTS", str(Path(WEIGHTS).resolve().parent))
    monkeypatch.setenv("OUT", str(tmp_path))
    model = TMVA.load("$WEIGHTS/weights.xml")
    for events in ("~/all.root:T", Path("~/all.parquet"), "~/part*.root:T", ["$HOME/all.csv"], {"~/all.root": "T"}):
        np.testing.assert_array_equal(model.predict(events), expected)
    reader = TMVA.Reader("Silent")
    reader.BookMVA("BNN", "${WEIGHTS}/weights.xml")
    model.save("$OUT/w/copy.xml")
    assert main(["apply", "$WEIGHTS/weights.xml", "~/all.root:T", "--output=$OUT/r.npz"]) == 0
    assert main(["convert", "$WEIGHTS/weights.xml", "$OUT/w.json"]) == 0
    chain = ROOT.TChain("T")
    chain.Add("$HOME/part*.root")
    assert chain.GetEntries() == N
    assert main(["compare", "$OUT/w.json", "$OUT/w/copy.xml"]) == 0
    assert sorted(one.name for one in tmp_path.iterdir()) == ["r.npz", "w", "w.json"]
    assert not [one for one in Path().iterdir() if one.name[0] in "$~"]


# ---- what is not understood, and what is not finite -------------------------------------------------------


@pytest.mark.parametrize("events", [object(), 3.5, {1, 2}, (x for x in "ab")])
def test_an_unknown_type_is_an_error_that_lists_what_can_be_given(events):
    with pytest.raises(InputError, match=r"type \w+ are not supported; give an array .*polars.*pyarrow.*Parquet"):
        TMVA.load(WEIGHTS).predict(events)
    with pytest.raises(DatasetError, match="not supported"):
        TMVA.DataLoader().AddSignalTree(events)


def test_without_pyarrow_its_files_say_what_to_install(monkeypatch, folder):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    for events in (folder / "all.parquet", OnlyArrow()):
        with pytest.raises(MissingDependencyError, match=r"needs pyarrow: install it with .*\[parquet\]"):
            TMVA.load(WEIGHTS).predict(events)


def test_any_object_can_give_its_events():
    class Mine:
        def __event_source__(self):
            return source_of({"pt": [15.0], "ht": [80.0]})

    assert isinstance(open_events(Mine()), EventSource)
    assert round(TMVA.load(WEIGHTS).predict(Mine())[0], 3) == 0.594


BAD = [[15.0, 80.0], [np.nan, 80.0], [np.inf, 80.0], [15.0, -np.inf], [15.0, 1e39]]


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("case", ["fakerate_bnn", "trans_g", "trans_u", "reg_two_targets", "multi_n"])
def test_infinite_inputs_give_nan_as_nan_does(case_named, case, compiled):
    record = case_named(case)
    model = TMVA.load(record.weights, compiled=compiled)
    x = np.repeat(record.expected["inputs"][:1].astype(np.float64), 5, axis=0)
    x[1:, 0] = [np.nan, np.inf, -np.inf, 1e39]
    asked = {"errors": True, "quantiles": [0.1]} if model.has_errors else {}
    for found in (model.predict(x), *(model.predict(x, **asked) if asked else ())):
        assert np.isnan(found.reshape(5, -1)).tolist() == np.repeat([[False], *[[True]] * 4], found[0].size, 1).tolist()


def test_infinite_inputs_of_a_reader(caplog):
    reader = TMVA.Reader("Silent")
    reader.BookMVA("BNN", WEIGHTS)
    found = reader.EvaluateMVA(BAD, "BNN")
    assert (found == -999).tolist() == [False, True, True, True, True]
    assert "4 of 5 events have a NaN or an infinity" in caplog.text
    assert [reader.EvaluateMVA(event, "BNN") == -999 for event in BAD] == (found == -999).tolist()
    assert "1-th variable of the event is infinite" in caplog.text


@pytest.mark.parametrize("compiled", ["0", "1"])
def test_infinite_inputs_are_not_caught_by_a_strict_reader(monkeypatch, compiled):
    # TMVA: only NaN is caught; an infinite variable saturates the neurons
    monkeypatch.setenv("PYTMVA_BNN_FAST", compiled)
    reader = TMVA.Reader("Silent", compat="strict")
    memory = {name: reader.AddVariable(name) for name in ("pt", "ht")}
    reader.BookMVA("BNN", WEIGHTS)
    for pt, ht in ((np.inf, 80.0), (15.0, -np.inf)):
        memory["pt"][0], memory["ht"][0] = pt, ht
        response = reader.EvaluateMVA("BNN")
        assert 0 < response < 1
        assert reader.EvaluateMVA([pt, ht], "BNN") == response
    memory["ht"][0] = np.nan
    assert reader.EvaluateMVA("BNN") == -999


def test_apply_counts_events_that_are_not_finite(tmp_path, capsys):
    pl.DataFrame({"ht": [row[1] for row in BAD], "pt": [row[0] for row in BAD]}).write_csv(tmp_path / "a.csv")
    pd.DataFrame({"ht": [80.0, np.inf], "pt": [15.0, 1.0]}).to_parquet(tmp_path / "b.parquet")
    assert main(["apply", WEIGHTS, str(tmp_path / "a.csv"), "-o", str(tmp_path / "r.npz")]) == 0
    assert "warning: 4 events have a NaN or infinite variable; their response is NaN" in capsys.readouterr().err
    both = [str(tmp_path / "a.csv"), str(tmp_path / "b.parquet")]
    assert main(["apply", WEIGHTS, *both, "-o", str(tmp_path / "all.npz")]) == 0
    assert "warning: 5 events" in capsys.readouterr().err
    with np.load(tmp_path / "all.npz") as found:
        assert np.isnan(found["response"]).tolist() == [False, True, True, True, True, False, True]
