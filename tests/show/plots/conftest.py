"""Small trainings to draw, and a check that drawing leaves nothing behind."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import pytmva_bnn as TMVA

DATA = Path(__file__).resolve().parents[3] / "xml_fixtures" / "data"
BNN = "TrainingMethod=BFGS:NCycles=40:TestRate=5:HiddenLayers=4:VarTransform=N:UseRegulator:CalculateErrors"


def trained(loader, options, analysis="Classification", title="MLP"):
    factory = TMVA.Factory("job", f"!V:Silent:!DrawProgressBar:!ModelPersistence:AnalysisType={analysis}")
    factory.BookMethod(loader, TMVA.Types.kMLP, title, options)
    factory.TrainAllMethods()
    return factory


@pytest.fixture(scope="session")
def fake_rate():
    """A fit of P(pt, ht) with error bars."""
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("pt", "p_{T}", "GeV", "F")
    loader.AddVariable("ht", "H_{T}", "GeV", "F")
    loader.AddSignalTree(f"{DATA / 'fakerate.root'}:pass")
    loader.AddBackgroundTree(f"{DATA / 'fakerate.root'}:fail")
    loader.PrepareTrainingAndTestTree("", "nTrain_Signal=500:nTrain_Background=500:SplitMode=Block")
    return trained(loader, BNN + ":CreateMVAPdfs")


@pytest.fixture(scope="session")
def regression():
    loader = TMVA.DataLoader("dataset")
    for name in ("var1", "var2"):
        loader.AddVariable(name, name, "units", "F")
    loader.AddTarget("fvalue", "value", "m")
    loader.AddRegressionTree(f"{DATA / 'reg.root'}:TreeR")
    loader.PrepareTrainingAndTestTree("", "nTrain_Regression=500:SplitMode=Block")
    return trained(loader, "TrainingMethod=BFGS:NCycles=20:HiddenLayers=4:VarTransform=N", "Regression")


@pytest.fixture(scope="session")
def multiclass():
    loader = TMVA.DataLoader("dataset")
    for name in ("var1", "var2"):
        loader.AddVariable(name)
    for name, tree in (("Signal", "TreeS"), ("bg0", "TreeB0"), ("bg1", "TreeB1")):
        loader.AddTree(f"{DATA / 'multi.root'}:{tree}", name)
    loader.PrepareTrainingAndTestTree("", "SplitMode=Block:nTrain_Signal=200:nTrain_bg0=200:nTrain_bg1=200")
    return trained(loader, "TrainingMethod=BFGS:NCycles=20:HiddenLayers=4:VarTransform=N", "Multiclass")


@pytest.fixture(scope="session")
def method(fake_rate):
    return fake_rate.methods[0]


@pytest.fixture(scope="session")
def model(method):
    return method.model


@pytest.fixture(scope="session")
def result(method):
    return method.evaluate()


@pytest.fixture(autouse=True)
def _nothing_left_behind():
    mpl = pytest.importorskip("matplotlib", reason="plots need matplotlib")
    import matplotlib.pyplot as plt

    before = dict(mpl.rcParams)
    yield
    left = plt.get_fignums()
    plt.close("all")
    assert left == [], "pyplot knows of figures that nobody closed"
    assert dict(mpl.rcParams) == before, "global settings of matplotlib were changed"


@pytest.fixture
def rendered():
    """Return a figure (or that of axes) as an array of pixels after checking that something is on it."""

    def pixels(drawn):
        from matplotlib.backends.backend_agg import FigureCanvasAgg

        figure = drawn if hasattr(drawn, "savefig") else drawn.get_figure()
        figure.set_dpi(40)
        figure.set_layout_engine("none")  # which takes longest, and has its own tests
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        seen = np.asarray(canvas.buffer_rgba())[..., :3]
        assert len(np.unique(seen.reshape(-1, 3), axis=0)) > 20, "the picture is empty"
        return seen

    return pixels
