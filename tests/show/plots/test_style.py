"""Styles of experiments, words with formulas, and what happens without matplotlib."""

import builtins

import pytest

from pytmva_bnn.errors import InputError, MissingDependencyError
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.show import plots
from pytmva_bnn.show.plots.labels import axis_label, text
from pytmva_bnn.show.plots.save import file_name, save_all


@pytest.mark.parametrize("name", ["CMS", "ATLAS"])
def test_a_style_of_mplhep_changes_fonts_and_keeps_proportions(name, result, rendered):
    pytest.importorskip("mplhep")
    plain = plots.roc(result).get_figure().get_size_inches()
    with plots.style(name):
        ax = plots.roc(result)
    rendered(ax)
    size = ax.get_figure().get_size_inches()
    assert size[0] / size[1] == pytest.approx(plain[0] / plain[1])
    assert plots.roc(result).get_figure().get_size_inches().tolist() == plain.tolist()


def test_settings_of_ones_own_are_a_style(result):
    with plots.style({"axes.linewidth": 3.0}):
        ax = plots.roc(result)
    assert ax.spines["left"].get_linewidth() == 3.0


def test_an_unknown_style_is_refused_with_a_hint():
    pytest.importorskip("mplhep")
    with pytest.raises(InputError, match="did you mean"), plots.style("ATLSA"):
        pass


@pytest.mark.parametrize(
    ("given", "drawn"),
    [
        ("var1", "var1"),
        ("my_var_2", "my_var_2"),
        ("p_{T}", r"$\mathrm{p_{T}}$"),
        ("#eta of #mu", r"$\mathrm{\eta }$ of $\mathrm{\mu }$"),
        ("#sqrt{a + b} c", r"$\mathrm{\sqrt {a\ +\ b}}$ c"),
        ("$p_T$ lead", "$p_T$ lead"),
        ("5 $", r"5 \$"),
        ("#nonsense{", "#nonsense{"),
        ("$\\broken$ $", r"\$\broken\$ \$"),
    ],
)
def test_titles_of_root_become_formulas_and_anything_else_stays_as_it_is(given, drawn):
    assert text(given) == drawn


def _ignore(*args, **kwargs):
    pass


@pytest.mark.parametrize("title", ["$", "a_{", "^", "#", "{}", "<b>&amp;", "\\", "%", "é ü 漢", "x" * 500, "_{a}_{b}"])
def test_no_title_breaks_a_plot(title, result, rendered):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("warnings.warn", _ignore)  # glyphs that the font does not have
        rendered(plots.roc({title: result.roc}, title=title))


def test_a_label_has_title_chain_and_unit():
    record = VariableRecord.define("x", "E_{T}", "GeV")
    assert axis_label(record, "Gauss_Deco") == r"$\mathrm{E_{T}}$ (Gauss_Deco) [GeV]"


@pytest.mark.parametrize("name", ["../../etc/passwd", "a/b\\c", "x\0y", "..", " ", "C:\\x"])
def test_names_of_files_stay_in_their_folder(name):
    made = file_name(name)
    assert made
    assert not set(made) & set('/\\:*?"<>|\0')
    assert made not in (".", "..")


def test_without_matplotlib_every_plot_says_what_to_install(monkeypatch, method, model, result, tmp_path):
    real = builtins.__import__

    def refuse(name, *args, **kwargs):
        if name.split(".")[0] == "matplotlib":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", refuse)
    calls = [
        lambda: plots.response(result),
        lambda: plots.roc(result),
        lambda: plots.network(model),
        lambda: plots.probability_map(model, "pt", "ht"),
        lambda: plots.variables(method.dataset),
        lambda: save_all(method, tmp_path),
    ]
    for call in calls:
        with pytest.raises(MissingDependencyError, match=r"matplotlib.*pip install 'pytmva-bnn\[plot\]'"):
            call()


def test_without_mplhep_a_style_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "mplhep", None)
    with pytest.raises(MissingDependencyError, match=r"mplhep.*pytmva-bnn\[plot\]"), plots.style("CMS"):
        pass


def test_the_label_of_an_experiment_stands_on_each_figure_once(result, method):
    pytest.importorskip("mplhep")
    from matplotlib.text import Text

    def words(figure):
        return [one.get_text() for one in figure.findobj(Text)]

    with plots.style("ATLAS", label="ATLAS", status="Internal", data=True, lumi=140, com=13):
        one, several = plots.response(result).figure, plots.variables(method.dataset)
    for figure in (one, several):
        found = words(figure)
        assert found.count("ATLAS") == found.count("Internal") == 1
        assert sum("140" in text and "13 TeV" in text for text in found) == 1
    assert "ATLAS" not in words(plots.response(result).figure)
    # the title stands above it
    one.draw_without_rendering()
    label, title = (next(t for t in one.findobj(Text) if t.get_text() == text).get_window_extent()
                    for text in ("ATLAS", "Overtraining check: MLP"))  # fmt: skip
    assert title.y0 >= label.y1


def test_a_label_needs_no_style_and_stays_within_another_one(result):
    pytest.importorskip("mplhep")
    from matplotlib.text import Text

    with plots.style(label="CMS", status="Preliminary"), plots.style({"axes.linewidth": 3.0}):
        ax = plots.roc(result)
    assert "CMS" in [one.get_text() for one in ax.findobj(Text)]
    assert ax.spines["left"].get_linewidth() == 3.0


@pytest.mark.parametrize(
    ("given", "words"), [({"lumi": 140}, "lumi: options of a label"), ({"label": "UA1"}, "no label of an .* 'UA1'")]
)
def test_a_label_that_cannot_be_drawn_is_refused(given, words):
    pytest.importorskip("mplhep")
    with pytest.raises(InputError, match=words), plots.style(**given):
        pass


def test_plots_on_given_axes_have_the_style(result):
    from matplotlib.figure import Figure

    given, own = Figure().add_subplot(), plots.roc(result)
    plots.roc(result, ax=given)
    for ax in (given, own):
        assert ax.spines["left"].get_linewidth() == 0.9
        assert ax.xaxis.get_major_ticks()[0].get_tickdir() == "in"
        assert ax.xaxis.label.get_position()[0] == 1.0
        assert ax.get_lines()[0].get_linewidth() == 1.6
        assert ax.xaxis.label.get_fontsize() == 11.0
        assert (
            ax.xaxis.get_major_ticks()[0].label1.get_fontsize() == own.xaxis.get_major_ticks()[0].label1.get_fontsize()
        )
    with plots.style({"lines.linewidth": 5.0, "axes.linewidth": 3.0}):
        plots.roc(result, ax=given)
    assert given.spines["left"].get_linewidth() == 3.0
    assert given.get_lines()[-2].get_linewidth() in (5.0, 1.1)


@pytest.mark.parametrize("draw", [lambda w: plots.roc(w), lambda w: plots.roc(w).figure])
def test_notebooks_show_what_a_plot_returns(draw, result):
    assert draw(result)._repr_png_().startswith(b"\x89PNG")
