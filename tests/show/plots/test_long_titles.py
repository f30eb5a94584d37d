"""Many variables with long titles: all words stay on the page and clear of each other."""

from functools import partial

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.show import plots
from pytmva_bnn.show.plots.from_training import contents_of
from pytmva_bnn.show.plots.gallery import Plot, sections
from pytmva_bnn.show.plots.labels import joined, text_width, wrapped

TITLES = (
    "transverse momentum of the leading muon",
    "pseudorapidity of the leading muon",
    "azimuthal angle between the leading and the subleading jet",
    "missing transverse energy E_{T}^{miss} of the event",
    "sqrt(var1*var1+var2*var2+var3*var3+var4*var4)",
    "H_{T}",
)
NAMES = (
    *("CorrelationMatrixS", "correlations", "variables_id_c1", "correlationscatter_v0_Id_c1", "along_v0_MLP", "curves"),
    *("map", "relevance_MLP", "paracoor_c0_S", "network", "calibration_MLP", "overtrain_MLP"),
)


@pytest.fixture(scope="module", params=[2, 12])
def many(request):
    rng = np.random.default_rng(3)
    loader = TMVA.DataLoader("dataset")
    names = [f"v{k}" for k in range(request.param)]
    for k, name in enumerate(names):
        loader.AddVariable(name, TITLES[k % len(TITLES)], "GeV", "F")
    for k, name in enumerate(("Signal", "Background")):
        loader.AddTree({v: rng.normal(k, 1.0 + 40.0 * i, 100) for i, v in enumerate(names)}, name)
    factory = TMVA.Factory("job", "!V:Silent:!DrawProgressBar:!ModelPersistence:AnalysisType=Classification")
    text = "TrainingMethod=BFGS:NCycles=12:ResetStep=2:HiddenLayers=2:VarTransform=N:UseRegulator:CalculateErrors"
    method = factory.BookMethod(loader, "MLP", "MLP", text)
    factory.TrainAllMethods()
    return method


@pytest.fixture(scope="module")
def drawn(many):
    """All plots of the training by name, and some that are not among them."""
    method = many
    made = {plot.name: plot.figure for section in sections(contents_of(method)[0]) for plot in section.plots}
    events = method.dataset.training.variables
    more = {
        "map": partial(plots.probability_map, method.model, "v0", "v1", n=(5, 5), events=events),
        "curves": partial(plots.response_along, method.model, "v0", {"v1": [0, 1, 2]}),
        "correlations": partial(plots.correlations, method.dataset),
    }
    return made | {name: Plot(name, "", draw).figure for name, draw in more.items()}


def _boxes(figure, dpi=100):
    """Return the words on a figure by the box they take in pixels."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.text import Text

    figure.set_dpi(dpi)
    canvas = FigureCanvasAgg(figure)
    figure.draw_without_rendering()
    # no numbers: there are some for ticks that are not shown
    words = [one for one in figure.findobj(Text) if one.get_visible() and any(map(str.isalpha, one.get_text()))]
    return [(one.get_text(), one.get_window_extent(canvas.get_renderer()), one.get_rotation()) for one in words]


@pytest.mark.parametrize("name", NAMES)
def test_words_stay_on_the_page_and_clear_of_each_other(name, drawn):
    figure = drawn[name]()
    boxes = _boxes(figure)
    width, height = figure.get_size_inches() * 100
    for words, box, _ in boxes:
        assert -1 <= box.x0 <= box.x1 <= width + 1, words
        assert -1 <= box.y0 <= box.y1 <= height + 1, words
    # boxes of rotated words overlap where the words do not; ticks at the corner of axes may touch
    long = [(words, box) for words, box, rotation in boxes if rotation in (0.0, 90.0) and len(words) > 12]
    for k, (words, box) in enumerate(long):
        for others, other in long[k + 1 :]:
            shared = min(box.x1, other.x1) - max(box.x0, other.x0), min(box.y1, other.y1) - max(box.y0, other.y0)
            assert min(shared) <= 2, (words, others)


@pytest.mark.parametrize("names", [["abseta", "pt"], ["pt"], ["leading_muon_pt", "eta", "phi"]])
def test_names_at_a_matrix_are_whole(names):
    figure = Plot("m", "", partial(plots.correlation_matrix, np.eye(len(names)), names)).figure()
    width = figure.get_size_inches()[0] * 100
    assert all(5 <= box.x0 <= box.x1 <= width - 5 for _, box, _ in _boxes(figure))


def test_words_beside_the_bars_are_clear_of_the_frame(many):
    method = many
    figure = Plot("r", "", partial(plots.relevance, method.evidence, TITLES)).figure()
    right = figure.axes[0]
    boxes = [box for words, box, _ in _boxes(figure) if "effective" in words]
    assert boxes
    assert all(box.x0 > right.get_window_extent().x1 for box in boxes)


def test_lines_are_broken_at_blanks_and_formulas_stay_whole():
    pytest.importorskip("matplotlib")
    words = wrapped("missing transverse energy $\\mathrm{E_{T}\\ of\\ all}$ [GeV]", 120.0, 10.0)
    assert words.splitlines() == ["missing transverse", "energy $\\mathrm{E_{T}\\ of\\ all}$ [GeV]"]
    assert all(text_width(line, 10.0) <= 60.0 for line in wrapped("x" * 40, 60.0, 10.0).splitlines())
    assert joined(["a = 1"] * 3, 1.0, 10.0) == "a = 1,\na = 1,\na = 1"


def test_what_is_not_named_is_counted(many):
    method = many
    n = len(method.dataset.variables)
    title = plots.response_along(method.model, "v0").get_title(loc="left")
    assert title.count("\n") < 4
    if n == 12:
        assert title.endswith(f"{n - 1 - title.count('=')} more")
