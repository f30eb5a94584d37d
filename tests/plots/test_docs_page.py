"""The page about plots: its snippets run and make the pictures it shows, which are small."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
LARGEST = 80_000


def test_snippets_run_and_make_the_pictures_of_the_page(tmp_path, monkeypatch):
    pytest.importorskip("mplhep")
    from matplotlib.figure import Figure

    save, made = Figure.savefig, []

    def elsewhere(figure, name, **options):
        made.append(name)
        save(figure, tmp_path / name, **options)

    monkeypatch.setattr(Figure, "savefig", elsewhere)
    page = (DOCS / "plots.md").read_text(encoding="utf-8")
    names: dict[str, object] = {}
    for snippet in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(compile(snippet, "plots.md", "exec"), names)  # noqa: S102
    shown = re.findall(r"\(images/([^)]*)\)", page)
    assert sorted(made) == sorted(shown)
    for name in shown:
        assert 2000 < (DOCS / "images" / name).stat().st_size < LARGEST
        assert (tmp_path / name).stat().st_size > 2000
