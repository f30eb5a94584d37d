"""The plot of coefficients: bars with the numbers of the method, and where it is shown."""

from pathlib import Path

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import InputError
from pytmva_bnn.show import plots
from pytmva_bnn.show.plots import gallery
from pytmva_bnn.show.plots.from_training import contents_of
from pytmva_bnn.show.plots.style import BACKGROUND, SIGNAL
from pytmva_bnn.show.report import write_report

DATA = Path(__file__).resolve().parents[3] / "xml_fixtures" / "data"


@pytest.fixture(scope="module")
def linear():
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("pt", "p_{T}", "GeV")
    loader.AddVariable("minus := -ht", "-H_{T}", "GeV")
    loader.AddSignalTree(f"{DATA / 'fakerate.root'}:pass")
    loader.AddBackgroundTree(f"{DATA / 'fakerate.root'}:fail")
    loader.PrepareTrainingAndTestTree("", "nTrain_Signal=300:nTrain_Background=300:nTest_Signal=99:nTest_Background=99")
    factory = TMVA.Factory("job", "!V:Silent:!DrawProgressBar:!ModelPersistence:AnalysisType=Classification")
    for kind in ("Fisher", "LD", "HMatrix"):
        factory.BookMethod(loader, kind, kind, "VarTransform=N")
    factory.TrainAllMethods()
    return factory


def bars(ax):
    """Return name, length, colour and the number beside each bar, from the top."""
    from matplotlib.colors import to_hex

    names = [tick.get_text() for tick in ax.get_yticklabels()]
    assert ax.get_ylim()[0] > ax.get_ylim()[1]  # the first on top
    beside = [text.get_text() for text in ax.texts]
    widths = [(patch.get_width(), to_hex(patch.get_facecolor()[:3])) for patch in ax.patches]
    return [(name, *bar, text) for name, bar, text in zip(names, widths, beside, strict=True)]


def test_bars_are_the_coefficients(linear, rendered):
    for method in linear.methods[:2]:
        offset, first, second = method.model.coefficients[0]
        ax = plots.coefficients(method.model)
        rendered(ax)
        assert first < 0.0 < second
        assert bars(ax) == [
            (r"$\mathrm{p_{T}}$", first, BACKGROUND, f"{first:+.4g}"),
            (r"$\mathrm{-H_{T}}$", second, SIGNAL, f"{second:+.4g}"),
        ]
        assert ax.get_title(loc="left") == f"Coefficients: {method.title} (constant {offset:+.4g})"
        assert ax.get_xlabel() == "Coefficient"


def test_the_target_is_chosen_by_its_number():
    from pytmva_bnn.methods.linear.ld import FittedLD

    fitted = FittedLD(np.array([[0.0, 1.0], [5.0, -2.0]]))
    assert bars(plots.coefficients(fitted, output=1)) == [("variable 0", -2.0, BACKGROUND, "-2")]
    assert plots.coefficients(fitted, ["x"], output=1).get_title(loc="left") == "Coefficients (constant +5)"


def test_other_methods_have_none(linear):
    with pytest.raises(InputError, match="has no coefficients to draw; only Fisher and LD do"):
        plots.coefficients(linear.methods[2].model)


def test_the_gallery_and_the_report_have_them(linear, tmp_path, rendered, monkeypatch):
    (content,) = contents_of(linear)
    found = {section.title: section.plots for section in gallery.sections(content)}
    assert "Network" not in found
    assert [plot.name for plot in found["Coefficients"]] == ["coefficients_Fisher", "coefficients_LD"]
    rendered(found["Coefficients"][0].figure())
    # the other sections take their time, and have their own tests
    one = gallery.Section("Coefficients", found["Coefficients"])
    monkeypatch.setattr(gallery, "sections", lambda _: [one])
    write_report(linear, tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text()
    assert "Coefficients of Fisher, of the variables as transformed" in text
