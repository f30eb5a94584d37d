"""Compiled code on disk: a damaged file is compiled anew, a folder that others can write to is not used."""

import itertools
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

pytest.importorskip("numba")

KERNEL = textwrap.dedent(
    """
    import logging, sys
    logging.basicConfig(format="%(levelname)s %(message)s", stream=sys.stdout)
    from pytmva_bnn.fast.compiler import compiled

    @compiled
    def twice(x):
        return 2.0 * x

    @compiled
    def thrice(x):
        return 3.0 * x

    print(twice(21.0), thrice(2.0), sum(twice._cache_hits.values()), twice._cache.cache_path)
    """
)


@pytest.fixture
def run(tmp_path):
    """Run the kernel, from a file of another time, in its own process: how often code was found, folder, messages."""
    times = itertools.count(10**18, 10**9)

    def run_(cache=tmp_path / "cache", source=KERNEL, **environment):
        script = tmp_path / "script" / "kernel.py"
        script.parent.mkdir(exist_ok=True)
        script.write_text(source)
        os.utime(script, ns=(0, next(times)))
        keep = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
        given = {"NUMBA_CACHE_DIR": str(cache)} if cache else {}
        done = subprocess.run(  # noqa: S603
            [sys.executable, str(script)], env={**keep, **given, **environment}, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        *messages, last = done.stdout.splitlines()
        twice, thrice, found, folder = last.split()
        assert (twice, thrice) == ("42.0", "6.0")
        return int(found), Path(folder), messages

    return run_


def test_code_is_found_again_in_a_folder_that_is_closed_to_others(run):
    found, folder, messages = run()
    assert (found, messages) == (0, [])
    assert folder.stat().st_mode & 0o777 == 0o700
    assert run() == (1, folder, [])


def test_another_source_is_compiled_anew(run):
    folder = run()[1]
    assert run(source=KERNEL.replace("2.0 * x", "x * 2.0")) == (0, folder, [])


@pytest.mark.parametrize(
    ("ending", "damage"),
    [
        (".nbi", lambda d: d[: len(d) // 2]),
        (".nbi", lambda d: d[:-9] + b"\0" * 9),
        (".nbc", lambda d: d[:0]),
        (".nbc", lambda d: d[:-9] + b"\0" * 9),
    ],
)
def test_damaged_files_are_compiled_anew_and_replaced(run, ending, damage):
    folder = run()[1]
    for path in folder.glob(f"*{ending}"):
        path.write_bytes(damage(path.read_bytes()))
    assert run() == (0, folder, [])
    assert run() == (1, folder, [])


def test_a_folder_that_others_can_write_to_is_left_alone(run):
    folder = run()[1]
    folder.chmod(0o777)
    found, other, messages = run()
    assert (found, messages) == (0, [])
    assert other != folder  # the next place: beside the source


def test_without_any_place_it_works_with_one_warning(run, tmp_path):
    blocked = tmp_path / "a file, not a folder"
    blocked.write_text("")
    (tmp_path / "script").mkdir()
    (tmp_path / "script" / "__pycache__").write_text("")
    found, folder, messages = run(cache=blocked, HOME=str(blocked), XDG_CACHE_HOME=str(blocked))
    assert (found, folder) == (0, Path("None"))
    assert len(messages) == 1
    assert "NUMBA_CACHE_DIR" in messages[0]


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs the permissions of Unix")
def test_only_a_folder_that_no_one_else_can_write_to_or_replace_is_used(tmp_path, monkeypatch):
    from pytmva_bnn.fast.kept_code import _is_private

    parent = tmp_path / "parent"
    folder = parent / "code"
    folder.mkdir(0o700, parents=True)
    (tmp_path / "link").symlink_to(folder)
    assert _is_private(folder)
    assert not _is_private(tmp_path / "link")
    folder.chmod(0o720)
    assert not _is_private(folder)
    folder.chmod(0o700)
    parent.chmod(0o777)  # anyone can put another folder in its place
    assert not _is_private(folder)
    parent.chmod(0o1777)  # as /tmp
    assert _is_private(folder)
    other = os.geteuid() + 1
    monkeypatch.setattr("os.geteuid", lambda: other)
    assert not _is_private(folder)


def test_without_a_home_no_folder_called_tilde_appears(run, tmp_path, monkeypatch):
    (tmp_path / "script").mkdir()
    (tmp_path / "script" / "__pycache__").write_text("")
    monkeypatch.chdir(tmp_path)
    # numba's name for the home of a user that the system does not know
    found, folder, messages = run(cache=None, HOME="~", XDG_CACHE_HOME="~/.cache")
    assert (found, folder, len(messages)) == (0, Path("None"), 1)
    assert not (tmp_path / "~").exists()
