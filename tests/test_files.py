"""A file appears under its name only when it is complete."""

from __future__ import annotations

import gzip
import os
import re
import stat
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import OutputError
from pytmva_bnn.files import atomic_writer, scratch_folder
from pytmva_bnn.methods.checkpoint import save_state
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


@pytest.fixture
def disk_is_full(monkeypatch):
    """Let the disk be full as soon as files get their names; ``with disk_is_full():``."""

    @contextmanager
    def full():
        def refuse(_self, _target):
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr(Path, "replace", refuse)
            yield

    return full


def test_the_error_names_the_file_and_no_empty_folder_is_left(tmp_path, disk_is_full):
    path = tmp_path / "new" / "folder" / "w.xml"
    with pytest.raises(OutputError, match=r"folder/w\.xml cannot be written: No space left") as caught, disk_is_full():
        load(CASE).save(path)
    assert (caught.value.errno, caught.value.filename) == (28, str(path))
    assert list(tmp_path.iterdir()) == []


def test_an_error_about_something_else_stays_as_it_is(tmp_path):
    with pytest.raises(FileNotFoundError, match="elsewhere"), atomic_writer(tmp_path / "new" / "a.txt"):
        Path("/elsewhere/events.txt").read_bytes()
    assert list(tmp_path.iterdir()) == []


def train_fisher(folder):
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    loader.AddSignalTree({"x": np.linspace(0.0, 1.0, 50)})
    loader.AddBackgroundTree({"x": np.linspace(-1.0, 0.5, 50)})
    factory = TMVA.Factory("job", folder / "out" / "TMVA.root", "Silent:AnalysisType=Classification")
    return factory, factory.BookMethod(loader, "Fisher", "Fisher", "")


def test_a_training_whose_file_cannot_be_written_is_not_lost(tmp_path, monkeypatch, disk_is_full):
    monkeypatch.chdir(tmp_path)
    factory, method = train_fisher(tmp_path)
    message = r"job_Fisher\.weights\.xml cannot be written: No space .*; Fisher is trained and still in memory: .*save"
    with pytest.raises(OutputError, match=message), disk_is_full():
        factory.TrainAllMethods()
    assert list(tmp_path.iterdir()) == []
    method.save(tmp_path / "saved.xml")
    x = [[-0.5], [0.5]]
    responses = method.model.predict(x)
    assert responses[0] < responses[1]
    np.testing.assert_allclose(load(tmp_path / "saved.xml").predict(x), responses, rtol=1e-6)


def test_an_output_file_that_cannot_be_written_is_named(tmp_path, monkeypatch, disk_is_full):
    monkeypatch.chdir(tmp_path)
    factory, _ = train_fisher(tmp_path)
    factory.TrainAllMethods()
    factory.TestAllMethods()
    with (
        pytest.raises(OutputError, match=r"out/TMVA\.root cannot be written: No space left on dev"),
        disk_is_full(),
    ):
        factory.EvaluateAllMethods()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dataset"]


def test_a_checkpoint_that_cannot_be_written_does_not_stop_the_training(tmp_path, caplog, disk_is_full):
    with disk_is_full():
        save_state(tmp_path / "state.npz", 1, {}, {"x": np.zeros(3)})
    assert list(tmp_path.iterdir()) == []
    assert "state.npz cannot be written: No space left on device; the training continues without" in caplog.text


KILLED = """
import os, signal, sys
from pathlib import Path
from pytmva_bnn.files import atomic_writer, scratch_folder
place = Path(sys.argv[1])
with scratch_folder(place / "b.root") as folder, atomic_writer(place / "a.txt") as stream:
    (folder / "half.root").write_bytes(b"half")
    stream.write(b"half")
    stream.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.skipif(os.name != "posix", reason="signals of Unix")
@pytest.mark.parametrize("next_writer", [atomic_writer, scratch_folder])
def test_what_a_killed_process_left_goes_with_the_next_file(tmp_path, next_writer):
    (tmp_path / "a.txt").write_bytes(b"old")
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False)  # noqa: S603
    left = names_in(tmp_path)
    assert len(left) == 3
    mine = f"-{os.getpid()}-"
    alive = tmp_path / re.sub(r"-\d+-", mine, left[0])  # of a process that lives: this one
    elsewhere = tmp_path / re.sub(r"tmva-\w{8}-", "tmva-00000000-", left[0])  # of a process of another machine
    others = [alive, elsewhere, tmp_path / ".a.txt.tmva", tmp_path / ".tmva-1-1-x.part"]
    for path in others:
        path.write_bytes(b"somebody's")
    with next_writer(tmp_path / "c.txt"):
        assert sum(mine in name for name in names_in(tmp_path)) == 2
    here = set(names_in(tmp_path)) - {"c.txt"}
    assert here == {"a.txt", *(path.name for path in others)}
    assert (tmp_path / "a.txt").read_bytes() == b"old"


@pytest.mark.skipif(os.name != "posix", reason="signals of Unix")
def test_a_process_of_somebody_else_counts_as_alive(tmp_path, monkeypatch):
    with atomic_writer(tmp_path / "a.txt"):
        (name,) = names_in(tmp_path)

        def refuse(_process, _signal):
            raise PermissionError

        monkeypatch.setattr(os, "kill", refuse)
        with atomic_writer(tmp_path / "b.txt"):
            assert name in names_in(tmp_path)
