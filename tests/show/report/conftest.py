"""Small trainings, one real page of a report, and tables of a page as rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import lxml.html
import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.show.report import write, write_report

NASTY = "<script>alert('x')</script> & \"q\""
SPLIT = {
    "Classification": "nTrain_Signal=120:nTrain_Background=90",
    "Regression": "nTrain_Regression=250",
    "Multiclass": "nTrain_a=120:nTrain_b=90:nTrain_c=110",
}


def trained(analysis: str, path: Path) -> TMVA.Factory:
    """Return a Factory after a quick training; titles have characters that mean something in HTML.

    Training and test events differ in number, and in the number of each class.
    """
    rng = np.random.default_rng(5)
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x", NASTY, "GeV", "F")
    loader.AddVariable("y")
    if analysis == "Regression":
        x, y = rng.uniform(-1, 1, (2, 400))
        loader.AddTarget("t")
        loader.AddRegressionTree({"x": x, "y": y, "t": x * y})
    else:
        classes = ("Signal", "Background") if analysis == "Classification" else ("a", "b", "c")
        for k, name in enumerate(classes):
            loader.AddTree({"x": rng.normal(k, 1.0, 200), "y": rng.normal(-k, 1.0, 200)}, name)
    loader.PrepareTrainingAndTestTree("", f"{SPLIT[analysis]}:SplitMode=Block")
    options = f"!V:Silent:!DrawProgressBar:!ModelPersistence:AnalysisType={analysis}"
    factory = TMVA.Factory("job", str(path), options)
    errors = ":UseRegulator:CalculateErrors" if analysis == "Classification" else ""
    text = f"TrainingMethod=BFGS:NCycles=10:TestRate=2:HiddenLayers=3:VarTransform=N{errors}"
    factory.BookMethod(loader, "MLP", "MLP", text)
    factory.TrainAllMethods()
    factory.TestAllMethods()
    factory.EvaluateAllMethods()
    return factory


@pytest.fixture(scope="session", autouse=True)
def _matplotlib() -> None:
    pytest.importorskip("matplotlib", reason="reports need matplotlib")


@pytest.fixture(scope="session")
def trainings(tmp_path_factory) -> dict[str, tuple[TMVA.Factory, Path]]:
    """Factories and their output files by analysis."""
    paths = {analysis: tmp_path_factory.mktemp(analysis) / "TMVA.root" for analysis in SPLIT}
    return {analysis: (trained(analysis, path), path) for analysis, path in paths.items()}


@pytest.fixture(scope="session")
def factory(trainings) -> TMVA.Factory:
    return trainings["Classification"][0]


@pytest.fixture(scope="session")
def live_page(factory, tmp_path_factory, draw_without_layout) -> Path:
    """The one page with real pictures."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(write, "RESOLUTION", 60)
        draw_without_layout(patch)
        return write_report(factory, tmp_path_factory.mktemp("live") / "report.html")


@pytest.fixture
def drawn_only(monkeypatch):
    """Draw all plots, but make no pictures of them: that takes longest."""

    def drawn(plot):
        plot.draw()
        return write.picture(b"\x89PNG", plot.caption, 300)

    monkeypatch.setattr(write, "_drawn", drawn)


@pytest.fixture
def tables():
    """Return the tables of HTML as lists of rows, each a dict by heading; those of pairs as one row."""

    def found(html: str) -> list[list[dict[str, Any]]]:
        made = []
        for table in lxml.html.fromstring(html).iter("table"):
            rows = [[cell.text_content() for cell in row] for row in table.iter("tr")]
            if table.get("class") == "pairs":
                made.append([dict(rows)])
            else:
                # two columns may have the same heading
                heads = [f"{head}#{rows[0][:k].count(head)}" if head in rows[0][:k] else head
                         for k, head in enumerate(rows[0])]  # fmt: skip
                made.append([dict(zip(heads, row, strict=True)) for row in rows[1:]])
        return made

    return found
