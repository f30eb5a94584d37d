"""A small training, its report, and output files to make reports of."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.dataset.dataset import DataSet
from pytmva_bnn.output import MethodOutput, transformed_events, write_output_file
from pytmva_bnn.show.report import report_from_output_file, write_report

NASTY = "<script>alert('x')</script> & \"q\""


def trained(analysis: str, options: str = "") -> TMVA.Factory:
    """Return a Factory after a quick training; titles have characters that mean something in HTML."""
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
    factory = TMVA.Factory("job", f"!V:Silent:!DrawProgressBar:!ModelPersistence:AnalysisType={analysis}")
    text = f"TrainingMethod=BFGS:NCycles=10:TestRate=2:HiddenLayers=3:VarTransform=N{options}"
    factory.BookMethod(loader, "MLP", "MLP", text)
    factory.TrainAllMethods()
    factory.EvaluateAllMethods()
    return factory


def write_output(factory: TMVA.Factory, path: Path) -> Path:
    """Write the output file of a Factory's method."""
    (method,) = factory.methods
    dataset: DataSet = method.dataset
    variables, targets = transformed_events(method.model.transformations, dataset.test)
    responses = method.respond()
    output = MethodOutput(
        method.title,
        "weights/<i>.xml",
        "/home",
        10,
        2,
        method.result.history,
        method.trained.network.matrices,
        "Norm",
        method.evaluate(),
        variables,
        targets,
        responses.training,
        responses.test,
        pdfs=method.model.response_pdfs,
    )
    write_output_file(path, dataset, [output], analysis=method.analysis_type)
    return path


@pytest.fixture(scope="session", autouse=True)
def _matplotlib() -> None:
    pytest.importorskip("matplotlib", reason="reports need matplotlib")


@pytest.fixture(scope="session")
def factory() -> TMVA.Factory:
    return trained("Classification", ":UseRegulator:CalculateErrors")


@pytest.fixture(scope="session")
def live_page(factory, tmp_path_factory) -> Path:
    return write_report(factory, tmp_path_factory.mktemp("live") / "report.html")


@pytest.fixture(scope="session", params=["Classification", "Regression", "Multiclass"])
def output(request, tmp_path_factory) -> tuple[str, Path, TMVA.Factory]:
    """An output file, and what was trained for it."""
    made = trained(request.param)
    return request.param, write_output(made, tmp_path_factory.mktemp("output") / "TMVA.root"), made


@pytest.fixture(scope="session")
def file_page(output) -> tuple[str, Path, TMVA.Factory]:
    analysis, path, made = output
    return analysis, report_from_output_file(path, path.parent / "report.html"), made
