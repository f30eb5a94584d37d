"""Compile the kernels and keep them on disk, in several processes: the tests then find them there.

The processes of a test run would otherwise compile the same kernels side by side.
"""

from __future__ import annotations

import array
import os
import tempfile
from concurrent.futures import ProcessPoolExecutor
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
WEIGHTS = ROOT / "xml_fixtures" / "cases" / "fakerate_bnn" / "weights.xml"
FOREST, BOOSTED = (ROOT / "xml_fixtures" / "methods" / name / "weights.xml.gz" for name in ("bdt_ada", "boost_fisher"))
SVM = ROOT / "xml_fixtures" / "methods" / "svm" / "weights.xml.gz"


def predict() -> None:
    """Use what predictions use."""
    import pytmva_bnn as TMVA

    model = TMVA.load(WEIGHTS)
    events = np.full((10, 2), 50, dtype=np.float32)
    model.predict(events)
    model.predict(events, errors=True)


def predict_neighbours() -> None:
    """Use what predictions of KNN and PDERS use."""
    import pytmva_bnn as TMVA

    for name in ("knn", "knn_int", "knn_reg", "pders", "pders_reg"):
        model = TMVA.load(ROOT / "xml_fixtures" / "methods" / name / "weights.xml.gz")
        model.predict(np.zeros((10, len(model.variables)), dtype=np.float32))


def predict_svm() -> None:
    """Use what predictions of SVMs use."""
    import pytmva_bnn as TMVA

    model = TMVA.load(SVM)
    model.predict(np.zeros((10, len(model.variables)), dtype=np.float32))


def loop(weights: Path, *names: str) -> None:
    """Use what event loops use."""
    import pytmva_bnn as TMVA

    reader = TMVA.Reader("!Color:Silent:Error")
    for name in names:
        reader.AddVariable(name, array.array("f", [50.0]))
    reader.BookMVA("method", weights)
    reader.EvaluateMVA("method")
    reader.GetMVAErrorLower()


def train(kind: str, options: str) -> None:
    """Use what data sets, transformations and trainings use."""
    import pytmva_bnn as TMVA

    random = np.random.default_rng(1)
    os.chdir(tempfile.mkdtemp())
    loader = TMVA.DataLoader("dataset")
    for name in ("x", "y"):
        loader.AddVariable(name)
    for add, mean in ((loader.AddSignalTree, 0.5), (loader.AddBackgroundTree, -0.5)):
        add({"x": random.normal(mean, 1, 200), "y": random.normal(0, 1, 200)})
    factory = TMVA.Factory("job", "Silent:!DrawProgressBar:AnalysisType=Classification")
    method = factory.BookMethod(loader, kind, kind, options)
    factory.TrainAllMethods()
    method.model.predict(np.zeros((10, 2), dtype=np.float32))


def main() -> None:
    """Compile all of it; nothing without numba."""
    if find_spec("numba") is None:
        return
    os.environ["PYTMVA_BNN_FAST"] = "1"
    jobs = [
        (train, "MLP", "TrainingMethod=BFGS:NCycles=3:HiddenLayers=3:VarTransform=N,D,P:UseRegulator:CalculateErrors"),
        (predict,),
        (train, "MLP", "TrainingMethod=BP:NCycles=2:HiddenLayers=3:VarTransform=G,U"),
        (loop, WEIGHTS, "pt", "ht"),
        (loop, FOREST, "var1", "var2", "var3", "var4"),
        (loop, BOOSTED, "var1", "var2", "var3", "var4"),
        (train, "BDT", "NTrees=3:MaxDepth=2:UseBaggedBoost"),
        (train, "BDT", "NTrees=3:MaxDepth=2:BoostType=Grad"),
        (predict_neighbours,),
        (train, "RuleFit", "nTrees=3:GDTauPrec=0.2:GDNSteps=100"),
        (train, "FDA", "Formula=(0)+(1)*x0:ParRanges=(-1,1);(-1,1):FitMethod=GA:PopSize=20:Steps=2:Cycles=2"),
        (train, "CFMlpANN", "NCycles=2:VarTransform=N"),
        (loop, ROOT / "xml_fixtures/methods/tmlpann/weights.xml.gz", "var1", "var2", "var3", "var4"),
        (train, "Cuts", "FitMethod=GA:PopSize=20:Steps=3:Cycles=1"),
        (predict_svm,),
        (loop, SVM, "var1", "var2", "var3", "var4"),
        (train, "SVM", "MaxIter=3:VarTransform=N"),
    ]
    # spawn: numba's threads do not survive a fork
    with ProcessPoolExecutor(min(2, os.cpu_count() or 1), mp_context=get_context("spawn")) as pool:
        for done in [pool.submit(*job) for job in jobs]:
            done.result()


if __name__ == "__main__":
    main()
