"""The notebooks of the documentation: their code runs, they show what it shows now, and they are small."""

import base64
import contextlib
import importlib
import io
import json
import re
import sys
from pathlib import Path

import numpy as np
import pytest

DOCS = Path(__file__).resolve().parent.parent / "docs"
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))
LARGEST = 300_000
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
each = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def code_cells(path):
    return [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]


def outputs(path, kind):
    """What cells show of a kind, as text."""
    shown = [output.get("data", {}).get(kind) for cell in code_cells(path) for output in cell["outputs"]]
    return ["".join(one) for one in shown if one]


@each
def test_its_code_runs_and_prints_what_the_page_shows(path, tmp_path, monkeypatch):
    pytest.importorskip("hist", reason="needs the extra plot")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__notebook__"}
    for cell in code_cells(path):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile("".join(cell["source"]), path.name, "exec"), names)  # noqa: S102
        shown = "".join(text for output in cell["outputs"] for text in output.get("text", ()))
        assert _NUMBER.sub("#", printed.getvalue()) == _NUMBER.sub("#", shown), "run tools/notebooks"
        # trainings differ a little between processors
        numbers = [list(map(float, _NUMBER.findall(text))) for text in (printed.getvalue(), shown)]
        np.testing.assert_allclose(*numbers, rtol=0.05)


@each
def test_it_was_run_from_top_to_bottom_and_is_small(path):
    cells = code_cells(path)
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1)), "run tools/notebooks"
    assert not [output for cell in cells for output in cell["outputs"] if output.get("name") == "stderr"]
    assert path.stat().st_size < LARGEST
    pictures = [base64.b64decode(one) for one in outputs(path, "image/png")]
    assert len(pictures) >= 2
    assert all(one.startswith(b"\x89PNG") and len(one) > 2000 for one in pictures)
    assert outputs(path, "text/html")


@each
def test_the_page_has_its_words_code_and_outputs(path, monkeypatch):
    pytest.importorskip("myst_parser", reason="the extra docs is not installed")
    monkeypatch.syspath_prepend(DOCS / "_extensions")
    converter = importlib.import_module("notebooks")
    sys.modules.pop("notebooks")
    page = converter.to_markdown(path.read_text(encoding="utf-8"))
    assert page.startswith("# ")
    for cell in code_cells(path):
        assert "".join(cell["source"]) in page
    assert page.count("data:image/png") == len(outputs(path, "image/png"))
    for table in outputs(path, "text/html"):
        assert table in page
    assert page.count("````") % 2 == 0


def test_a_notebook_with_an_error_is_no_page(monkeypatch):
    pytest.importorskip("myst_parser", reason="the extra docs is not installed")
    monkeypatch.syspath_prepend(DOCS / "_extensions")
    converter = importlib.import_module("notebooks")
    sys.modules.pop("notebooks")
    failed = {"output_type": "error", "ename": "KeyError", "evalue": "'x'", "traceback": []}
    text = json.dumps({"cells": [{"cell_type": "code", "source": ["1"], "outputs": [failed]}]})
    with pytest.raises(ValueError, match="saved with an error: KeyError: 'x'"):
        converter.to_markdown(text)
