"""The page plots.md: its snippets run and make the pictures it shows, which are small."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs"
LARGEST = 80_000


def test_snippets_run_and_make_the_pictures_of_the_page(tmp_path, monkeypatch):
    pytest.importorskip("mplhep")
    from pytmva_bnn.show.plots import gallery

    # one of the sections will do where all plots are made: they have their own tests
    all_sections = gallery.sections
    monkeypatch.setattr(gallery, "sections", lambda content: list(all_sections(content))[3:4])
    (tmp_path / "xml_fixtures").symlink_to(ROOT / "xml_fixtures")
    monkeypatch.chdir(tmp_path)
    page = (DOCS / "plots.md").read_text(encoding="utf-8")
    names: dict[str, object] = {}
    for snippet in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(compile(snippet, "plots.md", "exec"), names)  # noqa: S102
    shown = re.findall(r"\(images/([^)]*)\)", page)
    assert sorted(re.findall(r"savefig\(\"([^\"]+)\"", page)) == sorted(shown)
    for name in shown:
        assert 2000 < (DOCS / "images" / name).stat().st_size < LARGEST
        assert (tmp_path / name).stat().st_size > 2000
    assert Path("dataset/plots/mva_BNN.pdf").exists()
    assert Path("report.html").stat().st_size > 2000
    assert Path("report_of_the_file.html").stat().st_size > 2000
