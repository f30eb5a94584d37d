"""The plot of rules: bars with their importance and coefficients, and where they are shown."""

import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import InputError
from pytmva_bnn.show import plots
from pytmva_bnn.show.plots import gallery
from pytmva_bnn.show.plots.content import tabulated
from pytmva_bnn.show.plots.from_training import contents_of
from pytmva_bnn.show.plots.style import BACKGROUND, SIGNAL


def test_bars_are_the_importances(method_case, rendered):
    from matplotlib.colors import to_hex

    ax = plots.rule_bars(TMVA.load(method_case("rulefit").weights))
    rendered(ax)
    names = [tick.get_text().replace("\n", " ") for tick in ax.get_yticklabels()]
    assert names[:3] == ["linear in var3", "linear in var4", "var1 > -0.1108, var4 > -1.039"]
    widths = [patch.get_width() for patch in ax.patches]
    assert widths[:3] == pytest.approx([1.0, 0.912, 0.496], abs=6e-4)
    assert widths == sorted(widths, reverse=True)
    assert [text.get_text() for text in ax.texts][1:3] == ["+0.195", "+0.233"]
    place = names.index("var3 > -1.163, var4 < 0.06708")
    assert to_hex(ax.patches[place].get_facecolor()[:3]) == BACKGROUND
    assert to_hex(ax.patches[0].get_facecolor()[:3]) == SIGNAL
    assert ax.get_title(loc="left") == "Rules and linear terms: RuleFit (first 20 of 39)"
    with pytest.raises(InputError, match="has no rules to draw"):
        plots.rule_bars(TMVA.load(method_case("fisher").weights))


def test_the_gallery_has_them_and_the_report_a_table(trained_case, method_case):
    factory = trained_case(method_case("rulefit_rule"))[0]
    (content,) = contents_of(factory)
    found = {section.title: section.plots for section in gallery.sections(content)}
    assert [plot.name for plot in found["Rules"]] == ["rules_RuleFit"]
    (numbers,) = tabulated(factory.methods[0].model.fitted, ["a", "b", "c", "d"])
    assert numbers.headings == ("Rule", "Importance", "Coefficient", "Support", "Purity")
    assert len(numbers.rows) == 15
    assert numbers.rows[0][1] == "1.000"
