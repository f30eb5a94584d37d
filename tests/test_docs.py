"""Documentation that cannot go stale: pages made from the program, and code in them that runs."""

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def test_options_page_is_the_one_the_tables_give():
    spec = importlib.util.spec_from_file_location("options_page", ROOT / "tools" / "options_page.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.PAGE.read_text(encoding="utf-8") == module.page(), "run tools/options_page.py"


PAGES_WITH_SNIPPETS = ("README.md", "docs/datasets.md", "docs/training.md")


@pytest.mark.parametrize("page", PAGES_WITH_SNIPPETS)
def test_snippets_run_one_after_the_other(page, tmp_path, monkeypatch):
    (tmp_path / "xml_fixtures").symlink_to(ROOT / "xml_fixtures")
    monkeypatch.chdir(tmp_path)
    snippets = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    assert snippets
    names: dict[str, object] = {}
    for snippet in snippets:
        exec(compile(snippet, page, "exec"), names)  # noqa: S102


@pytest.mark.parametrize("page", ["../README.md", *sorted(path.name for path in (ROOT / "docs").glob("*.md"))])
def test_links_between_pages_lead_somewhere(page):
    path = ROOT / "docs" / page
    for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), target
