"""The page on porting: its examples run, and what it says of errors is what users see."""

import re
from pathlib import Path

import pytest

from pytmva_bnn import compat
from pytmva_bnn.compat.errors import RefusedError

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "porting.md"


def test_the_snippets_run_one_after_the_other(root, folder_with_toys, monkeypatch, capsys):
    monkeypatch.chdir(folder_with_toys("page"))
    monkeypatch.setattr(compat, "skip_unknown_methods", False)
    snippets = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(snippets) == 4
    names: dict[str, object] = {}
    for snippet in snippets:
        exec(compile(snippet, "porting.md", "exec"), names)  # noqa: S102
    assert "600 events" in capsys.readouterr().out
    assert Path("TMVA.root").exists()


def test_the_error_on_the_page_is_the_one_that_users_see(root):
    with pytest.raises(RefusedError) as caught:
        root.RooFit()
    assert f"`{caught.value}`" in PAGE.read_text(encoding="utf-8")


def test_lines_are_no_longer_than_those_of_the_code():
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if len(line) > 130 and not line.startswith("|")] == []
