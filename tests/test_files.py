"""A file appears under its name only when it is complete."""

from __future__ import annotations

import gzip
import os
import stat
from pathlib import Path

import pytest

from pytmva_bnn.files import atomic_writer
from pytmva_bnn.methods.mlp import xml
from pytmva_bnn.model import load

CASE = Path(__file__).parents[1] / "xml_fixtures" / "cases" / "bfgs_errors" / "weights.xml"


def write_half(path, error):
    with atomic_writer(path) as stream:
        stream.write(b"half of")
        raise error


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz"])
@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, MemoryError])
def test_failure_leaves_the_old_file_and_nothing_else(tmp_path, name, error):
    (tmp_path / name).write_bytes(b"as it was")
    with pytest.raises(error):
        write_half(tmp_path / name, error)
    assert (tmp_path / name).read_bytes() == b"as it was"
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_failure_leaves_nothing_where_nothing_was(tmp_path):
    with pytest.raises(RuntimeError), atomic_writer(tmp_path / "new.txt"):
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []


def test_old_file_is_there_until_the_end(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")
    with atomic_writer(path) as stream:
        stream.write(b"new")
        stream.flush()
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"


def test_gz_is_compressed_without_time_and_name(tmp_path):
    for name in ("a.gz", "b.gz"):
        with atomic_writer(tmp_path / name) as stream:
            stream.write(b"text")
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()
    assert gzip.decompress((tmp_path / "a.gz").read_bytes()) == b"text"


def test_folder_is_made_and_a_string_is_a_path(tmp_path):
    with atomic_writer(f"{tmp_path}/one/two/a.txt") as stream:
        stream.write(b"x")
    assert (tmp_path / "one" / "two" / "a.txt").read_bytes() == b"x"


def test_long_names_are_possible(tmp_path):
    path = tmp_path / ("x" * 255)
    with atomic_writer(path) as stream:
        stream.write(b"x")
    assert path.read_bytes() == b"x"


@pytest.mark.skipif(os.name != "posix", reason="permissions and links of Unix")
def test_permissions_are_those_of_any_new_file(tmp_path):
    with atomic_writer(tmp_path / "a.txt") as stream:
        stream.write(b"x")
    (tmp_path / "b.txt").write_bytes(b"x")
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("a.txt", "b.txt")]
    assert modes[0] == modes[1]


@pytest.mark.skipif(os.name != "posix", reason="permissions and links of Unix")
def test_link_stays_a_link(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    target, link = tmp_path / "elsewhere" / "real.txt", tmp_path / "link.txt"
    target.write_bytes(b"old")
    link.symlink_to(target)
    with atomic_writer(link) as stream:
        stream.write(b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_folder_in_the_place_of_the_file_is_an_error_without_remains(tmp_path):
    (tmp_path / "a").mkdir()
    with pytest.raises(OSError, match="a"), atomic_writer(tmp_path / "a") as stream:
        stream.write(b"x")
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize("name", ["w.xml", "w.xml.gz"])
def test_weight_file_survives_a_failure_while_it_is_overwritten(tmp_path, monkeypatch, name):
    path = tmp_path / name
    load(CASE).save(path)
    before = path.read_bytes()
    model = load(path)

    def broken(*_):
        yield "    <InverseHessian>"
        raise MemoryError

    monkeypatch.setattr(xml, "_hessian_lines", broken)
    with pytest.raises(MemoryError):
        model.save(path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_disk_full_while_writing_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "w.xml"
    path.write_bytes(b"old")

    def full(_self, _target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        load(CASE).save(path)
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["w.xml"]
