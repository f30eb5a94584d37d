"""The pages of forests: of a training, of its output file, of a weight file; and what notebooks show."""

import lxml.html
import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.factory.output_run import method_output
from pytmva_bnn.output import DataSetOutput, write_datasets
from pytmva_bnn.show.plots import gallery
from pytmva_bnn.show.plots.boosting import Boosting
from pytmva_bnn.show.plots.from_training import contents_of
from pytmva_bnn.show.report import report_from_output_file, write, write_report
from pytmva_bnn.show.report.output_file import read_output_file

CASES = ["bdt_prune_cc", "bdt_reg_out", "bdt_multi", "bdt_grad", "bdt_adacost"]
NO_WEIGHTS = ("bdt_multi", "bdt_grad")
OWN = ("boosting", "tree_sizes", "boost_monitor", "cuts", "decision_tree", "ranking")


@pytest.fixture
def own_plots_drawn(monkeypatch):
    """Draw the plots that only forests have; the others have their own tests."""

    def drawn(plot):
        if plot.name.startswith(OWN):
            plot.draw()
        return write.picture(b"\x89PNG", plot.caption, 300)

    monkeypatch.setattr(write, "_drawn", drawn)


@pytest.fixture(params=CASES)
def case(request, method_case):
    return method_case(request.param)


@pytest.fixture
def trained(case, trained_case, tmp_path):
    """The method of a record after its training, and its output file."""
    (method,) = trained_case(case)[0].methods
    write_output(method, tmp_path / "TMVA.root")
    return method, tmp_path / "TMVA.root"


def write_output(method, path):
    write_datasets(path, [DataSetOutput(method.dataset, [method_output(method, 0)], method.analysis_type)])


def plots_by_section(content):
    return {section.title: [plot.name for plot in section.plots] for section in gallery.sections(content)}


def headings(page):
    return [heading.text_content() for heading in lxml.html.parse(str(page)).getroot().iter("h2")]


def test_the_page_of_a_training(case, trained, tmp_path, own_plots_drawn, tables):
    method, _ = trained
    page = write_report(method, tmp_path / "report.html")
    forest = method.model.forest
    text = page.read_text(encoding="utf-8")
    (summary,) = next(t for t in tables(text) if "Trees" in t[0])
    assert summary["Boosting"] == method.model.fitted.boost_type
    assert summary["Trees"] == str(forest.n_trees)
    assert summary["Nodes"] == str(forest.n_nodes)
    assert summary["Depth"] == str(max(tree.depths().max() for tree in forest))
    assert summary["Ended"] == "all trees grown"
    cuts = next(t for t in tables(text) if "Cuts" in t[0])
    assert sum(int(row["Cuts"]) for row in cuts) == np.count_nonzero(forest.node_type == 0)
    for row in cuts:
        variable = next(k for k, v in enumerate(method.model.variables) if v.label == row["Variable"])
        assert int(row["Cuts"]) == np.count_nonzero((forest.variable == variable) & (forest.node_type == 0))
    if method.analysis_type != "Regression":  # TMVA: regression has no ranking by the method
        ranking = next(t for t in tables(text) if "Rank" in t[0])
        assert [(row["Variable"], row["Variable Importance"]) for row in ranking] == [
            (name, f"{value:.4g}") for name, value in method.ranking.entries
        ]
        assert "Ranking of the variables by BDT" in text
    assert "Variables in the cuts of the trees of BDT" in text
    assert 'class="note"' not in text


def test_the_plots_of_a_training(case, trained):
    (content,) = contents_of(trained[0])
    found = plots_by_section(content)
    weights = [] if case.name in NO_WEIGHTS else ["boosting_BDT"]
    assert found["Boosting"] == [*weights, "tree_sizes_BDT"]
    assert found["Decision trees"] == ["cuts_BDT", *(f"decision_tree_{k}_BDT" for k in range(3))]
    assert found.get("Ranking", []) == ([] if content.analysis == "Regression" else ["ranking_BDT"])


def test_an_output_file_shows_the_same_boosting_as_the_training(case, trained, tmp_path, own_plots_drawn, tables):
    method, path = trained
    content = read_output_file(path)
    (m,) = content.methods
    assert content.notes == []
    if case.name == "bdt_multi":  # TMVA: nothing is monitored
        assert m.training is None
        assert "Boosting" not in plots_by_section(content)
        return
    expected = Boosting.of(method.model.fitted, method.result)
    for name in ("weights", "error_fractions", "nodes_before", "nodes", "roc"):
        found, wanted = getattr(m.training, name), getattr(expected, name)
        assert (found is None) == (wanted is None), name
        if wanted is not None:
            np.testing.assert_allclose(found, wanted, rtol=1e-6, err_msg=name)
    page = report_from_output_file(path, tmp_path / "report.html")
    assert "Nodes of each tree of BDT" in page.read_text(encoding="utf-8")
    (summary,) = next(t for t in tables(page.read_text(encoding="utf-8")) if "Trees" in t[0])
    assert summary["Type"] == "BDT"
    assert summary["Trees"] == str(method.model.forest.n_trees)
    assert summary["Nodes"] == str(method.model.forest.n_nodes)


def test_a_training_that_stopped_early_is_read_without_empty_trees(method_case, trained_case, tmp_path):
    (method,) = trained_case(method_case("bdt_stop"))[0].methods
    write_output(method, tmp_path / "TMVA.root")
    (m,) = read_output_file(tmp_path / "TMVA.root").methods
    n_trees = method.model.forest.n_trees
    assert len(m.training.nodes) == n_trees < method.result.n_requested
    (content,) = contents_of(method)
    for one in (content, read_output_file(tmp_path / "TMVA.root")):
        assert plots_by_section(one)["Boosting"] == ["tree_sizes_BDT"]  # its only tree has no weight
    assert dict(content.methods[0].summary)["Ended"] == f"boosting stopped after {n_trees} trees"


def test_the_boost_monitor_of_an_output_file(method_case, trained_case, tmp_path):
    (method,) = trained_case(method_case("bdt_out"))[0].methods
    write_output(method, tmp_path / "TMVA.root")
    content = read_output_file(tmp_path / "TMVA.root")
    expected = [
        [one.tree + 1 for one in method.result.snapshots],
        [one.roc_integral for one in method.result.snapshots],
    ]
    assert len(expected[0]) > 3
    np.testing.assert_array_equal(content.methods[0].training.roc, expected)
    names = ["boosting_BDT", "tree_sizes_BDT", "boost_monitor_BDT"]
    assert plots_by_section(content)["Boosting"] == plots_by_section(contents_of(method)[0])["Boosting"] == names


@pytest.mark.parametrize("name", ["bdt_ada", "bdt_reg", "bdt_multi"])
def test_the_page_of_a_weight_file(name, method_case, tmp_path, own_plots_drawn, tables):
    model = TMVA.load(method_case(name).weights)
    page = write_report(model, tmp_path / "report.html")
    assert headings(page) == ["Methods", "Variables"]
    text = page.read_text(encoding="utf-8")
    assert 'class="note"' not in text
    assert str(method_case(name).weights) in text
    found = tables(text)
    (summary,) = next(t for t in found if "Trees" in t[0])
    assert summary["Trees"] == str(model.forest.n_trees)
    (facts,) = next(t for t in found if "Creator" in t[0])
    assert facts["Training events"] == model.info["Training events"]
    assert {"Option": "BoostType", "Value": model.fitted.boost_type} in next(t for t in found if "Option" in t[0])
    variables = next(t for t in found if t[0].keys() >= {"Variable", "Minimum"})
    assert [row["Variable"] for row in variables] == [variable.label for variable in model.variables]


def test_the_page_of_a_network_from_its_weight_file(case_named, tmp_path, own_plots_drawn):
    page = write_report(TMVA.load(case_named("fakerate_bnn").weights), tmp_path / "report.html")
    assert headings(page) == ["Methods", "Variables"]
    assert "in the middle of their ranges" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["bdt_ada", "bdt_grad_reg", "bdt_multi"])
def test_a_notebook_shows_trees_and_cuts_of_a_model(name, method_case, tables):
    model = TMVA.load(method_case(name).weights)
    shown = model._repr_html_()
    (pairs,) = next(t for t in tables(shown) if "Analysis" in t[0])
    assert pairs["Boosting"] == model.fitted.boost_type
    assert pairs["Trees"] == str(model.forest.n_trees)
    assert pairs["Error bars"] == "no"
    cuts = next(t for t in tables(shown) if "Cuts" in t[0])
    assert {row["Variable"] for row in cuts} == {variable.label for variable in model.variables}
    assert sum(int(row["Cuts"]) for row in cuts) == np.count_nonzero(model.forest.node_type == 0)


def test_a_notebook_shows_a_trained_method_and_a_reader(method_case, trained_case, tables):
    (method,) = trained_case(method_case("bdt_out"))[0].methods
    (summary,) = next(t for t in tables(method._repr_html_()) if "Trees" in t[0])
    assert summary["Trees"] == "25"
    reader = TMVA.Reader("!Silent")
    for variable in method.model.variables:
        reader.AddVariable(variable.expression)
    reader.BookMVA("forest", method_case("bdt_out").weights)
    (row,) = next(t for t in tables(reader._repr_html_()) if "Tag" in t[0])
    assert (row["Tag"], row["Trees"]) == ("forest", "25")


def test_many_variables_make_a_short_table(method_case, changed):
    from pytmva_bnn.show.report.tables import own_tables

    model = TMVA.load(method_case("bdt_ada").weights)
    rows = lxml.html.fromstring(own_tables(model.fitted, [f"x{k}" for k in range(100)])).xpath("//tbody/tr")
    assert len(rows) == 21
    assert rows[-1].text_content().startswith("and 80 more")
