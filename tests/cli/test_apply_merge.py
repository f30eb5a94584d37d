"""Files merged by apply: types of branches that differ, columns that are missing, files that fail."""

import awkward as ak
import numpy as np
import pytest
import uproot

from pytmva_bnn.cli.column_types import wider_type, words

BNN = "xml_fixtures/cases/fakerate_bnn/weights.xml"
LARGE = 2**40 + 1


@pytest.fixture
def tree(tmp_path):
    """Write a file with the branches of the network and those given."""

    def write(name, **branches):
        path = tmp_path / f"{name}.root"
        size = len(next(iter(branches.values())))
        with uproot.recreate(path) as file:
            columns = {"pt": np.full(size, 30.0), "ht": np.full(size, 200.0), **branches}
            kinds = {
                key: np.dtype((values.dtype, values.shape[1:]))
                if isinstance(values, np.ndarray)
                else values.type.content
                for key, values in columns.items()
            }
            made = file.mktree("t", kinds)
            if size:
                made.extend(columns)
        return path

    return write


def column(path, name):
    if path.suffix == ".npz":
        with np.load(path) as archive:
            return archive[name]
    if path.suffix == ".parquet":
        parquet = pytest.importorskip("pyarrow.parquet", reason="parquet needs the extra parquet")
        return parquet.read_table(path)[name].to_numpy()
    with uproot.open(f"{path}:t") as tree:
        return tree[name].array(library="np")


@pytest.mark.parametrize("ending", ["root", "npz", "parquet"])
@pytest.mark.parametrize(
    ("second", "kind"), [(np.array([1.5, 2.5]), np.float64), (np.array([LARGE]), np.int64)], ids=["double", "int64"]
)
def test_the_common_type_holds_all_values(ending, second, kind, command, tree, tmp_path):
    if ending == "parquet":
        pytest.importorskip("pyarrow", reason="parquet needs the extra parquet")
    first, target = np.array([1, 2], dtype=np.int32), tmp_path / f"m.{ending}"
    files = [tree("a", nj=first), tree("b", nj=second)]
    for order in (files, files[::-1]):
        finished = command("apply", BNN, *order, "--keep", "nj", "-o", target)
        assert finished.code == 0, finished.err
        found = column(target, "nj")
        assert found.dtype == kind
        assert sorted(found.tolist()) == sorted([*first.tolist(), *second.tolist()])


@pytest.mark.parametrize("ending", ["root", "npz", "parquet"])
def test_types_without_a_common_one_are_refused(ending, fails, tree, tmp_path):
    files = [tree("a", nj=np.array([LARGE])), tree("b", nj=np.array([1.5]))]
    (tmp_path / f"m.{ending}").write_text("old")
    message = fails_merging(fails, files, tmp_path / f"m.{ending}")
    assert f"'nj' is int64 in {files[0]} and float64 in {files[1]}, and no type holds all" in message
    assert (tmp_path / f"m.{ending}").read_text() == "old"


def test_the_advice_works(command, tree, tmp_path):
    files = [tree("a", nj=np.array([7])), tree("b", nj=np.array([1.5]))]
    assert command("apply", BNN, *files, "--keep", "nj := nj*1.0", "-o", tmp_path / "m.npz").code == 0
    assert column(tmp_path / "m.npz", "nj").tolist() == [7.0, 1.5]


def fails_merging(fails, files, target, keep="nj"):
    return fails("apply", BNN, *files, "--keep", keep, "-o", target)


def test_lists_get_a_common_type_too(command, fails, tree, tmp_path):
    lists = [ak.values_astype(ak.Array([[1], [2, 3]]), "int32"), ak.Array([[1.5]])]
    files = [tree(str(number), j=one) for number, one in enumerate(lists)]
    finished = command("apply", BNN, *files, "--keep", "j", "-o", tmp_path / "m.root")
    assert finished.code == 0, finished.err
    with uproot.open(f"{tmp_path}/m.root:t") as merged:
        assert merged["j"].array().to_list() == [[1.0], [2.0, 3.0], [1.5]]
    files.append(tree("flat", j=np.array([1.0])))
    assert "'j' is var * int32 in" in fails_merging(fails, files, tmp_path / "m.root", "j")


def test_arrays_of_fixed_size(command, fails, tree, tmp_path):
    files = [tree("a", x=np.arange(6, dtype=np.int32).reshape(2, 3)), tree("b", x=np.full((1, 3), 0.5))]
    for ending in ("npz", "root"):
        finished = command("apply", BNN, *files, "--keep", "x", "-o", tmp_path / f"m.{ending}")
        assert finished.code == 0, finished.err
        np.testing.assert_array_equal(column(tmp_path / f"m.{ending}", "x"), [[0, 1, 2], [3, 4, 5], [0.5, 0.5, 0.5]])
    files.append(tree("c", x=np.zeros((1, 2))))
    assert "float64[2]" in fails_merging(fails, files, tmp_path / "m.npz", "x")


@pytest.mark.parametrize("ending", ["npz", "root", "parquet"])
def test_arrays_of_fixed_size_of_an_rntuple(ending, command, tmp_path):
    if ending == "parquet":
        pytest.importorskip("pyarrow", reason="parquet needs the extra parquet")
    with uproot.recreate(tmp_path / "f.root") as file:
        if not hasattr(file, "mkrntuple"):
            pytest.skip("this uproot writes no RNTuple")
        file.mkrntuple("t", {"pt": np.full(2, 30.0), "ht": np.full(2, 90.0), "x": np.arange(6.0).reshape(2, 3)})
    finished = command("apply", BNN, tmp_path / "f.root", "--keep", "x", "-o", tmp_path / f"r.{ending}")
    assert finished.code == 0, finished.err
    assert np.stack(list(column(tmp_path / f"r.{ending}", "x"))).tolist() == [[0, 1, 2], [3, 4, 5]]


def test_files_whose_branches_differ_are_refused(fails, tree, tmp_path):
    files = [tree("a", j1=np.array([1]), j2=np.array([2])), tree("b", j1=np.array([1]))]
    for order in (files, files[::-1]):
        message = fails_merging(fails, order, tmp_path / "m.npz", "j*")
        assert f"{files[1]} has no 'j2', but {files[0]} does" in message
    assert not (tmp_path / "m.npz").exists()


def test_an_empty_file_does_not_decide_about_types(command, tree, tmp_path):
    files = [tree("a", nj=np.empty(0)), tree("b", nj=np.array([LARGE]))]
    assert command("apply", BNN, *files, "--keep", "nj", "-o", tmp_path / "m.npz").code == 0
    assert column(tmp_path / "m.npz", "nj").tolist() == [LARGE]


@pytest.mark.parametrize("ending", ["root", "npz", "parquet"])
def test_trees_without_entries_keep_the_types(ending, command, tree, tmp_path):
    if ending == "parquet":
        pytest.importorskip("pyarrow", reason="parquet needs the extra parquet")
    empty = tree("a", nj=np.empty(0, dtype=np.int32), x=np.empty((0, 3), dtype=np.float32))
    keep = ["--keep", "nj", "--keep", "x", "--keep", "l := nj*2"]
    for files in ([empty], [empty, empty]):
        finished = command(
            "apply", BNN, *files, *keep[: 2 if ending == "parquet" else 6], "-o", tmp_path / f"m.{ending}"
        )
        assert finished.code == 0, finished.err
        assert column(tmp_path / f"m.{ending}", "nj").dtype == np.int32
        if ending != "parquet":
            assert column(tmp_path / f"m.{ending}", "x").dtype == np.float32
            assert column(tmp_path / f"m.{ending}", "x").shape == (0, 3)
            assert column(tmp_path / f"m.{ending}", "l").dtype == np.float64


def test_nothing_is_merged_if_a_file_failed(command, tree, tmp_path):
    good, target = tree("a", nj=np.array([1])), tmp_path / "m.npz"
    target.write_text("old")
    finished = command("apply", BNN, good, "missing.root", "-o", target)
    assert finished.code == 1
    assert "1 of 2 files done" in finished.out
    assert "missing.root does not exist" in finished.err
    assert f"{target} is not written because it would be incomplete" in finished.err
    assert "-o FOLDER" in finished.err
    assert target.read_text() == "old"


def test_no_number_is_ever_rounded():
    numbers = [np.dtype(kind) for kind in ("?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8")]

    def largest(kind):
        return (
            1
            if kind.kind == "b"
            else 2 ** (24 if kind.itemsize == 4 else 53)
            if kind.kind == "f"
            else np.iinfo(kind).max
        )

    for one in numbers:
        for two in numbers:
            wider = wider_type(one, two)
            assert wider == wider_type(two, one)
            for kind in (one, two):
                assert wider is None or int(np.array(int(largest(kind))).astype(kind).astype(wider)) == largest(kind)
    assert wider_type(np.dtype("u8"), np.dtype("i8")) is None
    assert wider_type(np.dtype("S3"), np.dtype("i8")) is None
    assert words(np.dtype(("f8", (3, 2)))) == "float64[3][2]"
