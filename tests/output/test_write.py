"""The file appears when it is complete, and reads back."""

from __future__ import annotations

import pytest
import uproot

from pytmva_bnn.output import DataSetOutput, write, write_datasets


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_an_old_file_is_replaced_and_folders_are_made(small_loader, tmp_path):
    path = tmp_path / "new" / "TMVA.root"
    for transformations in ("I;D", "I"):
        write_datasets(path, [DataSetOutput(small_loader().built(), [], "Classification", transformations)])
    with uproot.open(path) as file:
        assert "InputVariables_Deco" not in file["dataset"].keys(cycle=False)
    assert names(path.parent) == ["TMVA.root"]


def test_if_anything_goes_wrong_the_old_file_stays_and_nothing_else(small_loader, tmp_path, monkeypatch):
    path = tmp_path / "TMVA.root"
    path.write_bytes(b"old")

    def broken(_):
        raise RuntimeError("broken")

    monkeypatch.setattr(write, "root_object", broken)
    with pytest.raises(RuntimeError, match="broken"):
        write_datasets(path, [DataSetOutput(small_loader().built(), [], "Classification")])
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["TMVA.root"]


def test_a_link_stays_a_link(small_loader, tmp_path):
    link = tmp_path / "link.root"
    link.symlink_to(tmp_path / "real.root")
    write_datasets(link, [DataSetOutput(small_loader().built(), [], "Classification")])
    assert link.is_symlink()
    assert (tmp_path / "real.root").stat().st_size > 1000


def test_all_objects_can_be_read_back(golden_file):
    golden = golden_file("bfgs_n")
    assert all(found is not None for _, found in golden.file.items())
    assert golden.path.stat().st_size < 1_500_000
