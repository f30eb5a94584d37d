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
    assert len(snippets) == 5
    names: dict[str, object] = {}
    for snippet in snippets:
        exec(compile(snippet, "porting.md", "exec"), names)  # noqa: S102
    assert "600 events" in capsys.readouterr().out
    assert Path("TMVA.root").exists()


def test_the_cpp_macro_on_the_page_becomes_the_python_text_below_it(folder_with_toys, monkeypatch, capsys):
    pytest.importorskip("tree_sitter_cpp")
    from pytmva_bnn.port import run_text, translate

    monkeypatch.chdir(folder_with_toys("page_cpp"))
    blocks = r"`(\w+\.C)`\n\n```cpp\n(.*?)```\n\nbecomes\n\n```python\n(.*?)```\n\n.*?\n\n```text\n(.*?)```"
    name, cpp, python, output = re.search(blocks, PAGE.read_text(encoding="utf-8"), re.DOTALL).groups()
    translation = translate(cpp, filename=name)
    assert translation.text == python
    assert run_text(cpp, filename=name) == 0
    assert capsys.readouterr().out == output
    exec(compile(python, "porting.md", "exec"), {"__name__": "__main__"})  # noqa: S102
    assert capsys.readouterr().out == output


def test_the_error_on_the_page_is_the_one_that_users_see(root):
    with pytest.raises(RefusedError) as caught:
        root.RooFit()
    assert f"`{caught.value}`" in PAGE.read_text(encoding="utf-8")


def test_lines_are_no_longer_than_those_of_the_code():
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if len(line) > 130 and not line.startswith("|")] == []
