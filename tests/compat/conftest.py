"""Toy data, and macros run as a user runs them: with the import line changed, in a folder of their own."""

import importlib.util
import os
import re
import shutil
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent.parent
MACROS = Path(__file__).resolve().parent / "macros"


def make_toys_module():
    spec = importlib.util.spec_from_file_location("make_toys", PROJECT / "examples" / "porting" / "make_toys.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def toys(tmp_path_factory):
    """A folder with the toy files; nothing may be written there."""
    folder = tmp_path_factory.mktemp("toys")
    make_toys_module().make_toys(folder)
    return folder


@pytest.fixture(scope="session")
def folder_with_toys(toys, tmp_path_factory):
    """Make a fresh folder that has the toy files."""

    def make(name):
        folder = tmp_path_factory.mktemp(name)
        shutil.copytree(toys, folder, dirs_exist_ok=True)
        return folder

    return make


def ported(text):
    """Return the macro with its import lines changed, and nothing else."""
    changed, n_import = re.subn(r"^import ROOT$", "from pytmva_bnn.compat import ROOT", text, flags=re.MULTILINE)
    changed, n_from = re.subn(
        r"^( *)from ROOT import ", r"\1from pytmva_bnn.compat.ROOT import ", changed, flags=re.MULTILINE
    )
    assert n_import + n_from >= 1
    differing = sum(a != b for a, b in zip(text.splitlines(), changed.splitlines(), strict=True))
    assert differing == n_import + n_from
    return changed


@pytest.fixture(scope="session")
def run_python(run_script, run_process):
    """Run a script in a folder."""

    def run(path, folder, *arguments, **environment):
        # other engineers' and users' settings must not matter
        clean = {key: value for key, value in os.environ.items() if "skip_unknown_methods" not in key.lower()}
        settings = clean | {"PYTHONPATH": str(PROJECT)} | environment
        if environment:  # it is read when the package is imported
            return run_process([sys.executable, "-W", "error", path, *arguments], cwd=folder, env=settings)
        return run_script(path, *arguments, folder=folder, environment=settings)

    return run


@pytest.fixture(scope="session")
def run_macro(run_python):
    """Run a macro of the folder ``macros`` in ``folder``."""

    def run(name, folder, *, succeeds=True, **environment):
        script = folder / f"ported_{name}.py"
        script.write_text(ported((MACROS / f"{name}.py").read_text(encoding="utf-8")), encoding="utf-8")
        result = run_python(script, folder, **environment)
        assert (result.returncode == 0) == succeeds, result.stdout + result.stderr
        return result.stdout if succeeds else result.stdout + result.stderr

    return run


@pytest.fixture(scope="session")
def run_example(run_python):
    """Run a script of examples/porting in ``folder``."""

    def run(name, folder, *arguments):
        result = run_python(PROJECT / "examples" / "porting" / f"{name}.py", folder, *arguments)
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout

    return run


@pytest.fixture
def root(tmp_path, monkeypatch):
    """The namespace ROOT in an empty folder, without a file being open before and after."""
    from pytmva_bnn.compat import ROOT
    from pytmva_bnn.compat.session import SESSION

    monkeypatch.chdir(tmp_path)
    ROOT.gROOT.cd()
    yield ROOT
    for file in list(SESSION.files):
        file.discard()
    SESSION.memory.Delete("*")
    ROOT.gROOT.cd()
