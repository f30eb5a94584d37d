"""The plot of a likelihood's densities: lines and areas with the numbers of the method, and where it is shown."""

from pathlib import Path

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import InputError
from pytmva_bnn.show import plots
from pytmva_bnn.show.plots import gallery
from pytmva_bnn.show.plots.from_training import contents_of
from pytmva_bnn.show.plots.style import BACKGROUND, SIGNAL
from pytmva_bnn.show.report import output_file

DATA = Path(__file__).resolve().parents[3] / "xml_fixtures" / "data"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("references")


@pytest.fixture(scope="module")
def factory(folder):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        loader = TMVA.DataLoader("dataset")
        loader.AddVariable("pt", "p_{T}", "GeV")
        loader.AddVariable("log_pt := log(pt)", "log p_{T}")
        loader.AddSignalTree(f"{DATA / 'fakerate.root'}:pass")
        loader.AddBackgroundTree(f"{DATA / 'fakerate.root'}:fail")
        loader.PrepareTrainingAndTestTree(
            "", "nTrain_Signal=300:nTrain_Background=300:nTest_Signal=99:nTest_Background=99"
        )
        factory = TMVA.Factory("job", "out.root", "!V:Silent:!DrawProgressBar:AnalysisType=Classification")
        factory.BookMethod(loader, "Likelihood", "L", "Nbins=9:NSmooth=1:Spline2")
        factory.BookMethod(loader, "Likelihood", "LD", "Nbins=9:VarTransform=D:PDFInterpolSig[1]=KDE")
        factory.BookMethod(loader, "Fisher", "Fisher", "")
        factory.TrainAllMethods()
        factory.TestAllMethods()
        factory.EvaluateAllMethods()
    return factory


def drawn(ax):
    """Return by class the line and the outline of the area."""
    from matplotlib.colors import to_hex

    areas = [patch for patch in ax.patches if patch.get_fill()]
    found = {}
    for line, area in zip(ax.lines, areas, strict=True):
        assert to_hex(line.get_color()) == to_hex(area.get_facecolor()[:3])
        found[to_hex(line.get_color())] = (line, area.get_data())
    return found


@pytest.mark.parametrize(("number", "more"), [(0, ""), (1, " (transformed)")])
def test_lines_are_the_densities_and_areas_the_events(factory, number, more, rendered):
    model = factory.methods[number].model
    figure = plots.reference_densities(model)
    rendered(figure)
    assert [ax.get_xlabel() for ax in figure.axes] == [
        rf"$\mathrm{{p_{{T}}}}${more} [GeV]",
        rf"log $\mathrm{{p_{{T}}}}${more}",
    ]
    for ax, pair in zip(figure.axes, model.fitted.pdfs, strict=True):
        found = drawn(ax)
        assert list(found) == [SIGNAL, BACKGROUND]
        for (line, area), pdf in zip(found.values(), pair, strict=True):
            np.testing.assert_array_equal(line.get_ydata(), pdf.value(line.get_xdata()))
            h = pdf.record.histogram
            np.testing.assert_allclose(area.edges, h.axis.all_edges, rtol=1e-6, atol=1e-6)
            np.testing.assert_allclose(area.values, h.values / h.values.sum() / h.width, rtol=1e-5)
    legend = figure.axes[0].get_legend()
    assert [text.get_text() for text in legend.get_texts()] == ["Signal", "Background"]
    assert figure.axes[1].get_legend() is None


def test_other_methods_have_none(factory):
    with pytest.raises(InputError, match="has no densities of its variables to draw; only a Likelihood does"):
        plots.reference_densities(factory.methods[2].model)


def references(content):
    found = {section.title: section.plots for section in gallery.sections(content)}
    return found["Reference distributions"]


def test_the_gallery_has_them(factory, rendered):
    (content,) = contents_of(factory)
    made = references(content)
    assert [plot.name for plot in made] == ["likelihoodrefs_L_c1", "likelihoodrefs_LD_c1"]
    assert made[0].caption.startswith("Densities of the variables of L (lines)")
    figure = made[1].figure()
    rendered(figure)
    assert figure.axes[0].get_xlabel() == r"$\mathrm{p_{T}}$ (transformed)"


def test_an_output_file_has_them_as_they_were_trained(factory, folder, rendered):
    content = output_file.read_output_file(folder / "out.root")
    made = references(content)
    assert [plot.name for plot in made] == ["likelihoodrefs_L_c1", "likelihoodrefs_LD_c1"]
    figure = made[1].figure()
    rendered(figure)
    # log_pt ends in pt, and is another variable
    assert [ax.get_xlabel() for ax in figure.axes] == ["pt", "log_pt"]
    for ax, pair in zip(figure.axes, factory.methods[1].trained.fitted.pdfs, strict=True):
        for (line, area), pdf in zip(drawn(ax).values(), pair, strict=True):
            few = slice(None, None, 16)
            np.testing.assert_array_equal(line.get_ydata(), pdf.histogram.values[few])
            np.testing.assert_allclose(line.get_xdata(), pdf.histogram.centres[few])
            h = pdf.record.histogram
            np.testing.assert_allclose(area.values, h.values / h.values.sum() / h.width, rtol=1e-5)
