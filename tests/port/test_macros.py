"""Whole macros: everything is translated, and each does what its Python twin, written for the shim, does.

A macro ``name.C`` and its twin ``name.py`` run in two folders with the same files. Printed text, exit code, weight
files and ROOT files must be the same. Some macros need the weights of another one, which runs before in both folders.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import uproot

from pytmva_bnn.port import translate

pytest.importorskip("tree_sitter_cpp")

MACROS = Path(__file__).resolve().parent / "macros"
PROJECT = MACROS.parents[2]
NAMES = sorted(path.stem for path in MACROS.glob("*.C"))
WITH_TWIN = [name for name in NAMES if (MACROS / f"{name}.py").exists()]
RUFF = Path(sys.executable).with_name("ruff")

NEEDS = {
    "every_application": "every_classification",
    "every_regression_application": "every_regression",
    "every_multiclass_application": "every_multiclass",
    "reader_globals": "old_style",
    "significance": "old_style",
    "update_branch": "old_style",
}
EXIT_CODES = {"checks": 3}
# files of the twin that the macro writes in its own way, or that only time decides
TIMES = re.compile(r".*(real time|elapsed|cp time|seconds|\bsec\b).*\n", re.IGNORECASE)


def translated(name: str) -> str:
    return translate((MACROS / f"{name}.C").read_text(encoding="utf-8"), filename=f"{name}.C").text


def shim_macro(name: str) -> str:
    """Return the twin with its import lines changed."""
    text = (MACROS / f"{name}.py").read_text(encoding="utf-8")
    text = re.sub(r"^import ROOT$", "from pytmva_bnn.compat import ROOT", text, flags=re.MULTILINE)
    return re.sub(r"^from ROOT import ", "from pytmva_bnn.compat.ROOT import ", text, flags=re.MULTILINE)


# ---- text -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_everything_is_translated(name: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(MACROS)
    translation = translate((MACROS / f"{name}.C").read_text(encoding="utf-8"), filename=f"{name}.C")
    assert translation.n_left == 0, translation.notes
    assert "TODO(port)" not in translation.text
    assert translation.n_translated > 10


@pytest.mark.parametrize("vectorise", [False, True])
@pytest.mark.skipif(not RUFF.exists(), reason="ruff is not installed")
def test_the_result_is_clean(vectorise: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(MACROS)
    for name in NAMES:
        source = (MACROS / f"{name}.C").read_text(encoding="utf-8")
        text = translate(source, filename=f"{name}.C", vectorise=vectorise).text
        compile(text, name, "exec")
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    command = [str(RUFF), "check", "--isolated", "--no-cache", "--line-length", "120", "--select", "F,W,I"]
    command += ["--ignore", "F841", "."]  # variables that the macro does not use stay
    outcome = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)  # noqa: S603
    assert outcome.returncode == 0, outcome.stdout


def test_translating_twice_gives_the_same():
    assert translated("every_application") == translated("every_application")


# ---- runs -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def run_in(run_script):
    """Run a Python text as ``name.py`` in a folder; without compiled code, which takes longer to make than it saves."""

    def run(text: str, name: str, folder: Path, *arguments: str) -> SimpleNamespace:
        script = folder / f"{name}.py"
        script.write_text(text, encoding="utf-8")
        environment = {**os.environ, "PYTHONPATH": str(PROJECT), "PYTMVA_BNN_FAST": "0"}
        result = run_script(script, *arguments, folder=folder, environment=environment)
        return SimpleNamespace(shown=result.stdout, errors=result.stderr, code=result.returncode)

    return run


@pytest.fixture(scope="session")
def outcome(run_in, toys: Path, tmp_path_factory: pytest.TempPathFactory):
    """Return ``outcome(name, by)``: the folder in which the macro or its twin has run, and what it showed."""
    kept: dict[tuple[str, str], SimpleNamespace] = {}

    def run(name: str, by: str) -> SimpleNamespace:
        if (name, by) not in kept:
            folder = tmp_path_factory.mktemp(f"{name}_{by}")
            before = run(NEEDS[name], by).folder if name in NEEDS else toys
            shutil.copytree(before, folder, dirs_exist_ok=True)
            for path in [*MACROS.glob("*.h"), *MACROS.glob("*.cfg")]:
                shutil.copy(path, folder)
            with pytest.MonkeyPatch.context() as patch:
                patch.chdir(folder)
                text = translated(name) if by == "translator" else shim_macro(name)
            result = run_in(text, name, folder)
            assert result.code == EXIT_CODES.get(name, 0), result.shown + result.errors
            result.folder = folder
            kept[name, by] = result
        return kept[name, by]

    return run


def weights(path: Path) -> str:
    """The weight file without date and machine."""
    return re.sub(r"<GeneralInfo>.*?</GeneralInfo>", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)


def assert_same_files(macro: Path, twin: Path) -> None:
    """Compare what both have written: weight files, and what is in the ROOT files."""
    for path in sorted(twin.rglob("*.weights.xml")):
        name = path.relative_to(twin)
        assert weights(macro / name) == weights(path), name
    for path in sorted(twin.rglob("*.root")):
        if not path.is_symlink() and not path.name.endswith("_foams.root"):
            assert_same_contents(macro / path.relative_to(twin), path)


def assert_same_contents(macro: Path, twin: Path) -> None:
    with uproot.open(macro) as ours, uproot.open(twin) as theirs:
        assert set(theirs.keys(cycle=False)) <= set(ours.keys(cycle=False)), twin.name
        for key, kind in theirs.classnames(cycle=False).items():
            if kind.startswith(("TH1", "TH2")):
                assert ours[key].classname == kind
                np.testing.assert_array_equal(ours[key].values(flow=True), theirs[key].values(flow=True), key)
                np.testing.assert_array_equal(ours[key].variances(flow=True), theirs[key].variances(flow=True), key)
                assert ours[key].title == theirs[key].title
            elif kind in ("TTree", "TNtuple"):
                assert_same_columns(ours[key], theirs[key], f"{twin.name}: {key}")


def assert_same_columns(ours, theirs, where: str) -> None:
    assert sorted(ours.keys()) == sorted(theirs.keys()), where
    mine, yours = (tree.arrays(library="np") for tree in (ours, theirs))
    for name, values in yours.items():
        assert mine[name].dtype == values.dtype, f"{where}: {name}"
        if values.dtype == object:
            assert [list(row) for row in mine[name]] == [list(row) for row in values], f"{where}: {name}"
        else:
            np.testing.assert_array_equal(mine[name], values, f"{where}: {name}")


@pytest.mark.parametrize("name", [name for name in WITH_TWIN if name not in NEEDS])
def test_a_macro_does_what_its_twin_does(name: str, outcome):
    # those that need its weights with it, so that they run in the process which has them
    for each in (name, *(other for other in WITH_TWIN if NEEDS.get(other) == name)):
        twin = outcome(each, "twin")
        macro = outcome(each, "translator")
        assert TIMES.sub("", macro.shown) == TIMES.sub("", twin.shown), each
        assert_same_files(macro.folder, twin.folder)


def test_a_list_of_methods_chooses_some(run_in, toys: Path, tmp_path: Path):
    shutil.copytree(toys, tmp_path, dirs_exist_ok=True)
    result = run_in(translated("every_classification"), "chosen", tmp_path, "-b", "Fisher", "LD")
    assert result.code == 0, result.shown + result.errors
    written = sorted(path.name for path in (tmp_path / "dataset/weights").glob("*.xml"))
    assert written == [f"every_classification_{title}.weights.xml" for title in ("Fisher", "LD")]


def test_an_unknown_method_is_reported_as_in_cpp(run_in, toys: Path, tmp_path: Path):
    shutil.copytree(toys, tmp_path, dirs_exist_ok=True)
    result = run_in(translated("every_classification"), "unknown", tmp_path, "XYZ")
    assert result.code == 1
    assert 'Method "XYZ" not known in TMVA under this name. Choose among the following:\nBDT BDTF BDTG ' in result.shown
