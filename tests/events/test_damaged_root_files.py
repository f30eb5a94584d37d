"""Damaged ROOT files end in one clear error that names the file, never in an exception of another library."""

import numpy as np
import pytest
import uproot

from pytmva_bnn.compat import ROOT
from pytmva_bnn.errors import DatasetError, TMVAError
from pytmva_bnn.events.sources import RootSource
from pytmva_bnn.show.report.output_file import read_output_file


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    path = tmp_path_factory.mktemp("root") / "events.root"
    rng = np.random.default_rng(1)
    with uproot.recreate(path) as file:
        columns = {"x": rng.normal(size=50), "n": rng.integers(0, 9, 50), "v": rng.normal(size=(50, 3))}
        # an assignment would make an RNTuple
        tree = file.mktree("tree", {name: np.dtype((v.dtype, v.shape[1:])) for name, v in columns.items()})
        tree.extend(columns)
        file["folder/h"] = np.histogram(rng.normal(size=50))
    return path.read_bytes()


def read(path):
    source = RootSource.of_file(str(path), "tree")
    return [block.columns for block in source.blocks(source.columns)]


@pytest.mark.parametrize("seed", range(12))
def test_damage_is_told_with_the_name_of_the_file(stored, damaged, tmp_path, seed):
    for number in range(25):
        path = tmp_path / f"damaged{number}.root"  # a file that is mapped must not change
        path.write_bytes(damaged(stored, 25 * seed + number))
        try:
            read(path)
        except DatasetError as error:
            assert path.name in str(error)  # noqa: PT017 - a change may also have hit what nobody reads


def test_a_truncated_file_says_so(stored, tmp_path):
    path = tmp_path / "short.root"
    path.write_bytes(stored[: len(stored) // 8])
    with pytest.raises(DatasetError, match=r"short\.root.*(truncated|cannot be opened)") as caught:
        read(path)
    assert caught.value.__cause__ is not None


def test_a_histogram_is_no_tree(stored, tmp_path):
    path = tmp_path / "events.root"
    path.write_bytes(stored)
    with pytest.raises(DatasetError, match=r"'folder/h' is a TH1D, not a tree. Trees there: tree"):
        RootSource.of_file(str(path), "folder/h")
    assert [len(columns["x"]) for columns in read(path)] == [50]


def test_a_number_of_entries_that_no_branch_has_is_not_believed(stored, tmp_path):
    path = tmp_path / "events.root"
    path.write_bytes(stored)
    with uproot.open(path) as file:
        tree = file["tree"]
        tree._members["fEntries"] = 3_000_000_000
        with pytest.raises(DatasetError, match=r"it declares 3000000000 entries, but has 50"):
            RootSource.of_object(tree)


def shim(path):
    file = ROOT.TFile.Open(str(path))
    for key in file.GetListOfKeys() if file else ():
        key.ReadObj()
    tree = file.Get("tree") if file else None
    if tree:
        tree.Draw("x", "n < 5", "goff")


def shim_update(path):
    file = ROOT.TFile(str(path), "UPDATE")
    ROOT.TH1F("added", "", 3, 0, 1).Write()
    file.Close()


@pytest.mark.parametrize("use", [shim, shim_update, read_output_file])
def test_the_shim_and_reports_tell_damage_with_the_name_of_the_file(stored, damaged, tmp_path, use, caplog):
    for number in range(60):
        path = tmp_path / f"damaged{number}.root"
        path.write_bytes(damaged(stored, f"{use.__name__} {number}"))
        try:
            use(path)
        except TMVAError as error:
            assert path.name in str(error)  # noqa: PT017 - a change may also have hit what nobody reads
    caplog.clear()
