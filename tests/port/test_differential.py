"""C++ snippets: the translation prints what the program of g++ prints.

tests/port/differential/*.txt are the snippets, *.expected the recorded outputs; tools/differential writes these.
"""

from __future__ import annotations

import contextlib
import io
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tools.differential import FOLDER, Snippet, compiled_records, expected, record, snippets

pytest.importorskip("tree_sitter_cpp")

FILES = sorted(FOLDER.glob("*.txt"))


def cases() -> list:
    return [
        pytest.param(path, snippet, id=f"{path.stem}: {snippet.name}") for path in FILES for snippet in snippets(path)
    ]


def translated_record(snippet: Snippet) -> str:
    """Return what the translation prints, and its exit code."""
    from pytmva_bnn.port import run_text

    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        try:
            exit_code = run_text(snippet.source, filename="snippet.C", words=snippet.arguments)
        except SystemExit as stop:
            exit_code = stop.code or 0
    return record(output.getvalue(), exit_code)


@pytest.mark.parametrize(("path", "snippet"), cases())
def test_the_translation_prints_what_cpp_prints(
    path: Path, snippet: Snippet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    assert translated_record(snippet) == expected(path)[snippet.name], snippet.source


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")
def test_the_records_are_those_of_gpp():
    with ThreadPoolExecutor(2) as pool:
        for path, records in zip(FILES, pool.map(compiled_records, FILES), strict=True):
            assert records == expected(path), f"{path.name} has changed: run tools/differential"


def test_every_snippet_has_a_name_of_its_own_and_a_record():
    for path in FILES:
        names = [snippet.name for snippet in snippets(path)]
        assert len(set(names)) == len(names)
        assert list(expected(path)) == names, f"run tools/differential {path.stem}"
    assert sum(len(snippets(path)) for path in FILES) >= 260
