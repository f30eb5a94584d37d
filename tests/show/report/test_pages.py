"""The pages of trainings and of output files: complete, well formed, and in need of nothing else."""

import base64
import re

import lxml.html
import numpy as np
import pytest

from pytmva_bnn.errors import InputError, MissingDependencyError
from pytmva_bnn.show.report import report_from_output_file, write_report

COMMON = ["Data set", "Methods", "Evaluation", "Input variables", "Correlations", "Pairs of variables"]
SECTIONS = {
    "Classification": [*COMMON, "Response", "Cuts", "ROC", "Probability", "Parallel coordinates"],
    "Regression": [*COMMON, "Deviations"],
    "Multiclass": [*COMMON, "Response", "ROC", "One class against one other"],
}
LAST = ["Network", "Convergence"]


def parsed(path):
    parser = lxml.html.HTMLParser(encoding="utf-8", recover=False)
    # the parser is of the time before HTML 5
    text = re.sub(r"<(/?)(section|header|nav|main|footer|figure|figcaption|details|summary)\b", r"<\1div", _text(path))
    return lxml.html.document_fromstring(text.encode(), parser=parser)


def _text(path):
    return path.read_text(encoding="utf-8")


def titles(root):
    return [heading.text_content() for heading in root.iter("h2")]


def check_self_contained(path):
    text = _text(path)
    for target in re.findall(r"(?:src|href)=\"([^\"]*)\"", text):
        assert target.startswith(("data:", "#")), target
    assert "url(" not in text
    assert "@import" not in text
    assert "<script" not in text
    names = set(re.findall(r"<section id=\"([^\"]*)\"", text))
    assert set(re.findall(r"href=\"#([^\"]*)\"", text)) == names


def check_images(root, at_least):
    images = list(root.iter("img"))
    assert len(images) >= at_least
    for image in images:
        data = base64.b64decode(image.get("src").split(",", 1)[1])
        assert data.startswith(b"\x89PNG")
        assert len(data) > 2000
        assert image.get("alt")
        assert int(image.get("width")) > 200


def check_escaped(path):
    assert "<script" not in _text(path)
    assert "<i>" not in _text(path)


def test_the_page_of_a_training_has_all_sections_and_numbers(live_page, factory):
    root = parsed(live_page)
    assert titles(root) == [*SECTIONS["Classification"], *LAST]
    check_self_contained(live_page)
    check_images(root, 18)
    check_escaped(live_page)
    text = root.text_content()
    assert "<script>alert('x')</script>" in text
    (method,) = factory.methods
    assert f"{method.evaluate().roc_integral:.3f}" in text
    assert f"{method.evidence.log_evidence:.2f}" in text
    assert "2-3-1" in text
    assert "UseRegulator" in text


# one test for each file: pages take a while to make
def test_the_page_of_an_output_file_has_all_sections_and_the_numbers_of_the_evaluation(file_page):
    analysis, path, factory = file_page
    root = parsed(path)
    assert titles(root) == [*SECTIONS[analysis], *LAST]
    check_self_contained(path)
    check_images(root, 8)
    check_escaped(path)
    assert root.xpath("//p[@class='note']") == []
    check_numbers(analysis, root.text_content(), factory.methods[0].evaluate())


def check_numbers(analysis, text, result):
    if analysis == "Classification":
        assert f"{result.roc_integral:.3f} ({result.training_roc_integral:.3f})" in text
        for test, training in zip(result.efficiencies, result.training_efficiencies, strict=True):
            assert f"{test:.3f} ({training:.3f})" in text
    elif analysis == "Regression":
        assert f"{result.test.rms:.4g}" in text
    else:
        for area in result.test.aucs:
            assert f"{area:.3f}" in text


def test_what_a_file_lacks_is_left_out_with_a_note(tmp_path):
    import uproot

    path = tmp_path / "TMVA.root"
    with uproot.recreate(path) as file:
        folder = file.mkdir("dataset").mkdir("Method_MLP").mkdir("MLP")
        folder["estimatorHistTrain"] = np.array([1.0, 0.5]), np.array([0.0, 1.0, 2.0])
    page = report_from_output_file(path, tmp_path / "report.html")
    root = parsed(page)
    assert titles(root) == ["Data set", "Methods", "Evaluation", "Notes"]
    notes = " ".join(one.text_content() for one in root.xpath("//p[@class='note']"))
    for words in ("no trees of events", "no evaluation", "input variables", "MLP: responses", "weights of the network"):
        assert words in notes


def test_files_of_old_root_without_a_folder_for_the_data_set(tmp_path):
    import uproot

    path = tmp_path / "TMVA.root"
    with uproot.recreate(path) as file:
        file.mkdir("InputVariables_Id")["x__Signal_Id"] = np.array([1.0, 2.0]), np.array([0.0, 1.0, 2.0])
    root = parsed(report_from_output_file(path, tmp_path / "report.html"))
    assert "Input variables" in titles(root)


def test_a_plot_that_cannot_be_drawn_costs_a_note_and_not_the_page(factory, tmp_path, monkeypatch, caplog):
    from pytmva_bnn.show.plots import gallery

    def fail(*args, **kwargs):
        raise ValueError("a <bad> histogram")

    monkeypatch.setattr(gallery.Plot, "figure", fail)
    root = parsed(write_report(factory, tmp_path / "report.html"))
    notes = [one.text_content() for one in root.xpath("//p[@class='note']")]
    assert len(notes) >= 18
    assert all("could not be drawn (a <bad> histogram)" in one for one in notes)
    assert "could not be drawn" in caplog.text


@pytest.mark.parametrize(
    ("content", "words"), [(None, "no such file"), (b"", "cannot be read"), (b"not a ROOT file" * 50, "cannot be read")]
)
def test_what_is_no_output_file_is_refused(tmp_path, content, words):
    path = tmp_path / "TMVA.root"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=words):
        report_from_output_file(path, tmp_path / "report.html")
    assert not (tmp_path / "report.html").exists()


def test_the_data_set_must_be_one_of_the_file(tmp_path):
    import uproot

    path = tmp_path / "TMVA.root"
    with uproot.recreate(path) as file:
        file.mkdir("first")
        file.mkdir("second")
    with pytest.raises(InputError, match="say which data set is meant; the file has first, second"):
        report_from_output_file(path, tmp_path / "report.html")
    with pytest.raises(InputError, match="did you mean second"):
        report_from_output_file(path, tmp_path / "report.html", "secnd")


def test_without_matplotlib_the_report_says_what_to_install(monkeypatch, factory, tmp_path):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    with pytest.raises(MissingDependencyError, match=r"pytmva-bnn\[plot\]"):
        write_report(factory, tmp_path / "report.html")
