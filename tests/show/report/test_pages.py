"""The pages of trainings and of output files: complete, well formed, and in need of nothing else."""

import base64
import re
import sys

import lxml.html
import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import InputError, MissingDependencyError
from pytmva_bnn.evaluation import reliability
from pytmva_bnn.show.plots import gallery
from pytmva_bnn.show.plots.content import Calibrated, MethodContent
from pytmva_bnn.show.plots.from_training import contents_of
from pytmva_bnn.show.report import report_from_output_file, write_report
from pytmva_bnn.show.report.output_file import read_output_file
from pytmva_bnn.show.report.tables import evaluation_tables

SECTIONS = ["Results", "Methods", "Data set", "Input variables", "Correlations", "Pairs of variables"]
ANALYSES = pytest.mark.parametrize("analysis", ["Classification", "Regression", "Multiclass"])


def parsed(path):
    parser = lxml.html.HTMLParser(encoding="utf-8", recover=False)
    # the parser is of the time before HTML 5
    text = re.sub(r"<(/?)(section|header|nav|main|footer|figure|figcaption|details|summary)\b", r"<\1div", _text(path))
    return lxml.html.document_fromstring(text.replace("<wbr/>", "").encode(), parser=parser)


def _text(path):
    return path.read_text(encoding="utf-8")


def titles(root):
    return [heading.text_content() for heading in root.iter("h2")]


def check_self_contained_and_escaped(path):
    text = _text(path)
    for target in re.findall(r"(?:src|href)=\"([^\"]*)\"", text):
        assert target.startswith(("data:", "#")), target
    assert "url(" not in text
    assert "@import" not in text
    assert "<script" not in text
    names = set(re.findall(r"<section id=\"([^\"]*)\"", text))
    assert set(re.findall(r"href=\"#([^\"]*)\"", text)) == names


def test_the_page_of_a_training_has_all_sections_and_pictures(live_page):
    root = parsed(live_page)
    assert titles(root) == SECTIONS
    check_self_contained_and_escaped(live_page)
    assert "<script>alert('x')</script>" in root.text_content()
    images = list(root.iter("img"))
    assert len(images) >= 17
    for image in images:
        data = base64.b64decode(image.get("src").split(",", 1)[1])
        assert data.startswith(b"\x89PNG")
        assert len(data) > 2000
        assert image.get("alt")
        assert int(image.get("width")) > 200


@ANALYSES
@pytest.mark.parametrize("source", ["training", "file"])
def test_the_tables_have_the_numbers_of_the_training(analysis, source, trainings, tmp_path, drawn_only, tables):
    factory, file = trainings[analysis]
    if source == "training":
        page = write_report(factory, tmp_path / "report.html")
    else:
        page = report_from_output_file(file, tmp_path / "report.html")
    root = parsed(page)
    assert titles(root) == SECTIONS
    assert root.xpath("//p[@class='note']") == []
    check_self_contained_and_escaped(page)
    (method,) = factory.methods
    found = tables(_text(page))
    check_counts(next(t for t in found if "Training events" in t[0]), method.dataset)
    (summary,) = next(t for t in found if "Layers" in t[0])
    assert summary["Method"] == summary["Type"] == "MLP"
    assert summary["Layers"] == {"Multiclass": "2-3-3"}.get(analysis, "2-3-1")
    assert int(summary["Weights"]) == method.model.network.n_weights
    if source == "training":
        assert summary["Epochs"] == "10"
        assert summary["Estimator (training)"] == f"{method.result.training_estimator:.4g}"
        assert summary["Estimator (test)"] == f"{method.result.test_estimator:.4g}"
        assert summary["Estimator (training)"] != summary["Estimator (test)"]
    check_numbers(analysis, found, method.evaluate())


def check_counts(rows, dataset):
    for number, (name, row) in enumerate(zip(dataset.class_names, rows, strict=True)):
        assert row["Class"] == name
        counts = [int(row["Training events"]), int(row["Test events"])]
        sums = [float(row["Sum of weights"]), float(row["Sum of weights#1"])]
        chosen = [events.weights[events.of_class(number)] for events in (dataset.training, dataset.test)]
        assert counts == [len(weights) for weights in chosen]
        assert counts[0] != counts[1]
        np.testing.assert_allclose(sums, [weights.sum() for weights in chosen], rtol=1e-3)


def check_numbers(analysis, found, result):
    def compared(test, training):
        return f"{test:.3f} ({training:.3f})"

    if analysis == "Classification":
        (row,) = next(t for t in found if "ROC integral" in t[0])
        assert row["ROC integral"] == compared(result.roc_integral, result.training_roc_integral)
        for b, *pair in zip(("0.01", "0.10", "0.30"), result.efficiencies, result.training_efficiencies, strict=True):
            assert row[f"Signal eff. at B={b}"] == compared(*pair)
        assert row["KS (S)"] == f"{result.overtraining_signal.probability:.4g}"
        assert row["KS (B)"] == f"{result.overtraining_background.probability:.4g}"
    elif analysis == "Regression":
        for row, numbers in zip(next(t for t in found if "RMS" in t[0]), (result.test, result.training), strict=True):
            assert row["Sample"] == ("test" if numbers is result.test else "training")
            assert float(row["Bias"]) == pytest.approx(numbers.bias, rel=1e-3, abs=1e-7)
            assert row["RMS"] == f"{numbers.rms:.4g}"
            assert row["(2σ)"] == f"{numbers.truncated_mutual_information:.4g}"
    else:
        rows = next(t for t in found if "ROC integral" in t[0])
        for row, *areas in zip(rows, result.test.aucs, result.training.aucs, strict=True):
            assert row["ROC integral"] == compared(*areas)
        confusion = next(t for t in found if {"a", "b", "c"} <= set(t[0]))
        assert confusion[0]["b"] == f"{result.test.confusion[1, 0, 1]:.3f}"
        assert confusion[1]["a"] == f"{result.test.confusion[1, 1, 0]:.3f}"


def test_the_page_of_a_bayesian_network_has_its_evidence_ranking_and_options(factory, live_page, tables):
    (method,) = factory.methods
    found = tables(_text(live_page))
    (numbers,) = next(t for t in found if "Log evidence" in t[0])
    assert numbers["Log evidence"] == f"{method.evidence.log_evidence:.2f}"
    ranking = next(t for t in found if "Rank" in t[0])
    assert [row["Variable"] for row in ranking] == [name for name, _ in method.ranking.entries]
    assert {"Option": "NCycles", "Value": "10"} in next(t for t in found if "Option" in t[0])


def test_the_drawn_ranking_has_the_titles_of_the_variables(factory):
    (content,) = contents_of(factory)
    (plot,) = (plot for section in gallery.sections(content) if section.title == "Ranking" for plot in section.plots)
    ax = plot.draw()
    titles = {"x": "<script>", "y": "y"}
    ranked = factory.methods[0].ranking.entries
    for (name, value), tick, bar in zip(ranked, ax.get_yticklabels(), ax.containers[0], strict=True):
        assert tick.get_text().startswith(titles[name])
        assert bar.get_width() == value


@ANALYSES
def test_a_file_shows_the_same_as_the_training_it_was_written_by(analysis, trainings):
    factory, file = trainings[analysis]
    (live,), read = contents_of(factory), read_output_file(file)
    m, n = live.methods[0], read.methods[0]
    names = [plot.name for section in gallery.sections(live) for plot in section.plots]
    of_file = [plot.name for section in gallery.sections(read) for plot in section.plots]
    # a file has no model to draw curves with, no ranking and no evidence
    assert [name for name in names if not name.startswith(("map_", "along_", "ranking_", "relevance_"))] == of_file
    for what in ("response", "training_response", "class_responses", "class_training_responses"):
        check_same(getattr(m, what), getattr(n, what))
    np.testing.assert_allclose(m.training.history.training, n.training.training, rtol=1e-6)
    np.testing.assert_allclose(m.training.history.test, n.training.test, rtol=1e-6)
    for name in m.rest_curves:
        assert m.rest_curves[name].auc == pytest.approx(n.rest_curves[name].auc, rel=1e-6)
        assert m.rest_training_curves[name].auc == pytest.approx(n.rest_training_curves[name].auc, rel=1e-6)
    for key, plots in m.deviations.items():
        for one, other in zip(plots, n.deviations[key], strict=True):
            np.testing.assert_allclose(one.histogram.values, other.histogram.values, rtol=1e-6)
    for one, other in zip(m.squares, n.squares, strict=True):
        check_same(dict(enumerate(one)), dict(enumerate(other)))
    if m.calibrated is not None:
        np.testing.assert_allclose(m.calibrated.responses, n.calibrated.responses, rtol=1e-6)
        assert np.array_equal(m.calibrated.is_signal, n.calibrated.is_signal)
        assert m.calibrated.signal_fraction == pytest.approx(n.calibrated.signal_fraction, rel=1e-6)
        for name in ("Signal", "Background"):
            np.testing.assert_allclose(m.parallel[name], n.parallel[name], rtol=1e-6)


def check_same(histograms, others):
    assert list(histograms) == list(others)
    for name, one in histograms.items():
        if isinstance(one, dict):
            check_same(one, others[name])
        else:
            np.testing.assert_allclose(one.values, others[name].values, rtol=1e-6)


def test_what_a_file_lacks_is_left_out_with_a_note(tmp_path):
    import uproot

    path = tmp_path / "TMVA.root"
    with uproot.recreate(path) as file:
        folder = file.mkdir("dataset").mkdir("Method_MLP").mkdir("MLP")
        folder["estimatorHistTrain"] = np.array([1.0, 0.5]), np.array([0.0, 1.0, 2.0])
    page = report_from_output_file(path, tmp_path / "report.html")
    root = parsed(page)
    assert titles(root) == ["Results", "Methods", "Data set", "Notes"]
    notes = " ".join(one.text_content() for one in root.xpath("//p[@class='note']"))
    for words in (
        *("no trees of events", "no evaluation", "input variables", "MLP: responses"),
        *("estimators by epoch", "weights of the network"),
    ):
        assert words in notes


def test_files_of_old_root_without_a_folder_for_the_data_set(tmp_path, drawn_only):
    import uproot

    path = tmp_path / "TMVA.root"
    with uproot.recreate(path) as file:
        file.mkdir("InputVariables_Id")["x__Signal_Id"] = np.array([1.0, 2.0]), np.array([0.0, 1.0, 2.0])
    root = parsed(report_from_output_file(path, tmp_path / "report.html"))
    assert "Input variables" in titles(root)


def test_a_plot_that_cannot_be_drawn_costs_a_note_and_not_the_page(factory, tmp_path, monkeypatch, caplog):
    def fail(*args, **kwargs):
        raise ValueError("a <bad> histogram")

    monkeypatch.setattr(gallery.Plot, "figure", fail)
    root = parsed(write_report(factory, tmp_path / "report.html"))
    notes = [one.text_content() for one in root.xpath("//p[@class='note']")]
    assert len(notes) >= 17
    assert all("could not be drawn (a <bad> histogram)" in one for one in notes)
    assert "could not be drawn" in caplog.text


@pytest.mark.parametrize(
    ("content", "words"),
    [(None, "does not exist"), (b"", "cannot be read"), (b"not a ROOT file" * 50, "cannot be read")],
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
    with pytest.raises(InputError, match="several data sets; name one of first, second"):
        report_from_output_file(path, tmp_path / "report.html")
    with pytest.raises(InputError, match="did you mean second"):
        report_from_output_file(path, tmp_path / "report.html", "secnd")


def test_without_matplotlib_the_report_says_what_to_install(monkeypatch, factory, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingDependencyError, match=r"pytmva-bnn\[plot\]"):
        write_report(factory, tmp_path / "report.html")


def test_the_calibration_is_that_of_test_and_training_events_with_a_warning(trainings, tmp_path, drawn_only, tables):
    factory, _ = trainings["Classification"]
    method = factory.methods[0]
    page = write_report(factory, tmp_path / "report.html")
    (rows,) = (found for found in tables(page.read_text(encoding="utf-8")) if "ECE (of counting)" in found[0])
    assert [row["Sample"] for row in rows] == ["test", "training"]
    given, responses = method.dataset, method.respond()
    for row, events, p, more in (
        (rows[0], given.test, responses.test, {"signal_fraction": 0.5}),
        (rows[1], given.training, responses.training, {"in_training": True}),
    ):
        expected = reliability(p[:, 0], events.of_class(0), events.weights, **more)
        assert row["Effective events"] == f"{expected.n_events:.0f}"
        assert float(row["ECE (of counting)"].split()[0]) == pytest.approx(
            expected.expected_calibration_error, abs=1e-4
        )
        assert row["χ²"] == f"{expected.chi2:.1f}/{expected.degrees_of_freedom}"
        assert float(row["p-value"]) == pytest.approx(expected.p_value, rel=0.06)
        assert row["Slope"].startswith(f"{expected.fit.slope:.3f}")
    assert rows[0]["Effective events"] != rows[1]["Effective events"]
    # trained for ten cycles on 210 events: its probabilities are too near 0 and 1
    (words,) = (one.text_content() for one in parsed(page).xpath("//p[@class='warning']"))
    assert words.startswith("MLP is not calibrated on the test events (p-value 0.0001)")


@pytest.mark.parametrize("is_probability", [True, False])
def test_only_probabilities_that_are_wrong_are_warned_of(is_probability):
    random = np.random.default_rng(1)
    p = random.uniform(size=3000)
    right, wrong = (Calibrated(p, random.uniform(size=3000) < share, np.ones(3000)) for share in (p, p**2))
    for test, training, warned in ((right, wrong, False), (wrong, right, is_probability)):
        m = MethodContent("MLP", calibrated=test, training_calibrated=training, is_probability=is_probability)
        assert ('class="warning"' in evaluation_tables([m])) == warned
        assert ("<table" in evaluation_tables([m])) == is_probability


def test_the_best_method_is_first_and_each_is_folded_with_its_own_plots(tmp_path, drawn_only, tables):
    rng = np.random.default_rng(5)
    x = rng.normal(size=(400, 2))
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    loader.AddVariable("y")
    loader.AddSignalTree({"x": x[:200, 0] + 1.0, "y": x[:200, 1]})
    loader.AddBackgroundTree({"x": x[200:, 0], "y": x[200:, 1]})
    loader.PrepareTrainingAndTestTree("", "SplitMode=Block")
    factory = TMVA.Factory("job", "!V:Silent:!DrawProgressBar:!ModelPersistence")
    factory.BookMethod(loader, "Fisher", "worse", "VarTransform=N(y):Fisher")
    factory.BookMethod(loader, "BDT", "better", "NTrees=20:MaxDepth=2")
    factory.TrainAllMethods()
    results = {method.title: method.evaluate() for method in factory.methods}
    best = sorted(results, key=lambda title: -results[title].area)
    page = write_report(factory, tmp_path / "report.html")
    text, root = _text(page), parsed(page)
    assert [row["Method"] for row in next(t for t in tables(text) if "ROC integral" in t[0])] == best
    assert text.index("Background rejection against signal efficiency") < text.index('<section id="methods"')
    folds = lxml.html.fromstring(text).xpath("//details[@class='method']")
    kinds = {"worse": "Fisher", "better": "BDT"}
    assert [fold.find("summary").text_content() for fold in folds] == [
        f"{title} · {kinds[title]} · ROC integral {results[title].roc_integral:.3f}" for title in best
    ]
    for fold, title in zip(folds, best, strict=True):
        assert fold.get("open") is None
        captions = [caption.text_content() for caption in fold.iter("figcaption")]
        assert f"Efficiencies, purity and significance of a cut on {title}" in captions
        assert f"Response of {title} for test events" not in captions  # the overtraining check has it too
        assert not any(other in caption for caption in captions for other in set(best) - {title})
    assert "Fisher<wbr/>" not in text
    assert "VarTransform=N(y):<wbr/>Fisher" in text
    assert "Job “job”, data set “dataset”" in root.text_content()


def test_all_targets_of_a_regression_are_compared(tmp_path, drawn_only, tables):
    rng = np.random.default_rng(5)
    x, y = rng.uniform(-1, 1, (2, 400))
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    loader.AddVariable("y")
    loader.AddTarget("s := x + y", "p_{T}")
    loader.AddTarget("p := 3 * x * y")
    loader.AddRegressionTree({"x": x, "y": y})
    loader.PrepareTrainingAndTestTree("", "nTrain_Regression=250:SplitMode=Block")
    options = "!V:Silent:!DrawProgressBar:!ModelPersistence:AnalysisType=Regression"
    factory = TMVA.Factory("job", str(tmp_path / "TMVA.root"), options)
    factory.BookMethod(loader, "MLP", "MLP", "TrainingMethod=BFGS:NCycles=10:HiddenLayers=3:VarTransform=N")
    factory.TrainAllMethods()
    factory.TestAllMethods()
    factory.EvaluateAllMethods()
    method = factory.methods[0]
    events, response = method.dataset.test, method.respond().test
    rms = [float(np.std((response - events.targets)[:, k])) for k in range(2)]
    pages = (
        write_report(factory, tmp_path / "report.html"),
        report_from_output_file(tmp_path / "TMVA.root", tmp_path / "file.html"),
    )
    for page in pages:
        rows = next(t for t in tables(_text(page)) if "RMS" in t[0])
        assert [(row["Target"], row["Sample"]) for row in rows[::2]] == [(rows[0]["Target"], "test"), ("p", "test")]
        np.testing.assert_allclose([float(row["RMS"]) for row in rows[::2]], rms, rtol=1e-3)
        assert rms[0] != pytest.approx(rms[1], rel=0.1)
    assert next(t for t in tables(_text(pages[0])) if "RMS" in t[0])[0]["Target"] == "pT"
