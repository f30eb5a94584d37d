"""TMVA's classic methods: responses in arrays, event loops and trainings.  A method is a row of a table."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import pytmva_bnn as TMVA
from benchmarks.measure import Section, best, mode, table, within
from benchmarks.samples import ROOT
from pytmva_bnn.fast.threads import n_threads

METHODS = ROOT / "xml_fixtures" / "methods"
PYROOT = 3.2
"""µs that PyROOT's loop takes longer than one in C++: so it is for an MLP."""


@dataclass(frozen=True)
class Case:
    """A reference case; ``reader`` are the µs per event of TMVA's Reader in C++ (ROOT 6.40, one thread, AVX2).

    Slow methods are measured with a ``fraction`` of the events, cuts at a signal ``efficiency``.
    """

    name: str
    reader: float
    fraction: float = 1.0
    efficiency: float | None = None

    @property
    def weights(self) -> Path:
        """Return the weight file."""
        return METHODS / self.name / "weights.xml.gz"


@dataclass(frozen=True)
class Training:
    """A booking for the events of class.root, 2,000 of each class, and the seconds that TMVA takes, if known."""

    kind: str
    options: str
    tmva: float | None = None


CASES = (
    Case("fisher", 0.23),
    Case("ld", 0.20),
    Case("hmatrix", 0.86),
    Case("likelihood", 0.81),
    Case("likelihood_kde", 0.91),
    Case("boost_fisher", 1.09),
    Case("foam", 3.05),
    Case("fda_mc", 0.28),
    Case("knn", 16.4, fraction=0.2),
    Case("pders", 52.9, fraction=0.2),
    Case("rulefit", 0.46),
    Case("tmlpann", 1.05),
    Case("cfmlpann", 0.60),
    Case("cuts_mc", 0.30, efficiency=0.7),
    Case("svm", 23.6, fraction=0.2),
)
TRAININGS = (
    Training("Fisher", ""),
    Training("LD", ""),
    Training("HMatrix", ""),
    Training(
        "Likelihood",
        "TransformOutput:PDFInterpol=Spline2:NSmoothSig[0]=20:NSmoothBkg[0]=20:NSmooth=1:NAvEvtPerBin=50",
        0.24,
    ),
    Training(
        "Likelihood",
        "!TransformOutput:PDFInterpol=KDE:KDEtype=Gauss:KDEiter=Adaptive:KDEFineFactor=0.3:KDEborder=None:NAvEvtPerBin=50",
        5.2,
    ),
    Training(
        "PDEFoam",
        "SigBgSeparate=F:TailCut=0.001:VolFrac=0.0666:nActiveCells=500:nSampl=2000:nBin=5:Nmin=100:Kernel=None:Compress=T",
        0.91,
    ),
    Training(
        "RuleFit",
        "RuleFitModule=RFTMVA:Model=ModRuleLinear:MinImp=0.001:RuleMinDist=0.001:NTrees=20:fEventsMin=0.01:fEventsMax=0.5:GDTau=-1.0:GDTauPrec=0.01:GDStep=0.01:GDNSteps=10000:GDErrScale=1.02",
        2.46,
    ),
    Training("CFMlpANN", "NCycles=200:HiddenLayers=N+1,N", 0.67),
    Training("TMlpANN", "NCycles=200:HiddenLayers=N+1,N:LearningMethod=BFGS:ValidationFraction=0.3"),
    Training(
        "FDA",
        "Formula=(0)+(1)*x0+(2)*x1+(3)*x2+(4)*x3:ParRanges=(-1,1);(-10,10);(-10,10);(-10,10);(-10,10):FitMethod=GA",
    ),
    Training(
        "FDA",
        "Formula=(0)/(1+exp(-(1)*x0-(2)*x1-(3)*x2-(4)*x3)):ParRanges=(0,2);(-5,5);(-5,5);(-5,5);(-5,5):FitMethod=MINUIT",
    ),
    Training("Cuts", "FitMethod=MC:EffSel:SampleSize=20000:VarProp=FSmart", 0.37),
    Training(
        "Cuts",
        "FitMethod=GA:CutRangeMin[0]=-10:CutRangeMax[0]=10:VarProp[1]=FMax:EffSel:"
        "Steps=30:Cycles=3:PopSize=400:SC_steps=10:SC_rate=5:SC_factor=0.95",
        6.8,
    ),
    Training("SVM", "Gamma=0.25:Tol=0.001:VarTransform=Norm", 1.94),
)


def sections(n: int) -> Iterator[Section]:
    """Measure all of it, with so many events in arrays."""
    yield responses(n)
    yield loops(min(n // 20, 20_000))
    yield trainings()


def responses(n: int) -> Section:
    """Measure responses of many events."""
    rows = []
    for case in CASES:
        model, size = TMVA.load(case.weights), int(n * case.fraction)
        model = model if case.efficiency is None else model.at_efficiency(case.efficiency)
        x = _events(case, size)
        found = best(
            {
                "numpy": within("0", 1, lambda model=model, x=x: model.predict(x)),
                "default": within("auto", n_threads(), lambda model=model, x=x: model.predict(x)),
            },
            9,
        )
        ours = {name: seconds / size * 1e6 for name, seconds in found.items()}
        ratio = case.reader / min(ours.values())
        rows.append([case.name, f"{case.reader:.2f}", *(f"{time:.4f}" for time in ours.values()), f"{ratio:.0f}"])
    head = ["case", "TMVA's Reader, µs per event", "ours, numpy, 1 thread", "ours, default", "times TMVA's Reader"]
    text = table(head, rows) + f"\n\nTMVA's figures are of another machine; ours of arrays of {n:,} events."
    return Section("Classic methods: responses of events in an array", text)


def loops(n: int) -> Section:
    """Measure event loops."""
    rows = []
    for case in CASES:
        times = []
        for fast in ("0", "1"):
            with mode(fast, 1):
                loop = _loop(case, n)
                times.append(best({"": within(fast, 1, loop)}, 5)[""] / n * 1e6)
        pyroot = case.reader + PYROOT
        rows.append([case.name, f"{pyroot:.1f}", *(f"{time:.2f}" for time in times), f"{pyroot / min(times):.1f}"])
    head = ["case", "PyROOT, µs per event", "ours, numpy", "ours, numba", "times PyROOT's loop"]
    text = table(head, rows) + f"\n\nPyROOT's loop is estimated as TMVA's in C++ and {PYROOT} µs."
    return Section("Classic methods: `EvaluateMVA(tag)` in a loop", text)


def trainings() -> Section:
    """Measure trainings, from the booking to the weight file."""
    rows = []
    for training in TRAININGS:
        ours = best({"": lambda training=training: _train(training)}, 3)[""]
        known = training.tmva is not None
        tmva = f"{training.tmva:.2f}" if known else "not known"
        ratio = f"{training.tmva / ours:.0f}" if known else ""
        booking = f"{training.kind} `{training.options}`" if training.options else training.kind
        rows.append([booking, tmva, f"{ours:.3f}", ratio])
    text = table(["booking", "TMVA, s", "ours, s", "times as fast"], rows)
    text += "\n\n4 variables, 4,000 training events; with the reading of the events, files and C++ class."
    return Section("Classic methods: trainings", text)


def _events(case: Case, n: int) -> np.ndarray:
    """Return events like those of the record."""
    with np.load(METHODS / case.name / "expected.npz") as record:
        given = record["inputs"]
    chosen = np.random.default_rng(1).integers(0, len(given), n)
    return np.ascontiguousarray(given[chosen], dtype=np.float32)


def _loop(case: Case, n: int) -> Callable[[], None]:
    reader = TMVA.Reader("!Color:Silent")
    memory = [reader.AddVariable(one.expression) for one in TMVA.load(case.weights).variables]
    reader.BookMVA("method", case.weights)
    events = _events(case, n).tolist()
    call = ("method",) if case.efficiency is None else ("method", case.efficiency)

    def loop() -> None:
        for event in events:
            for one, value in zip(memory, event, strict=True):
                one[0] = value
            reader.EvaluateMVA(*call)

    return loop


def _train(training: Training) -> None:
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            loader = TMVA.DataLoader("dataset")
            for name in ("var1", "var2", "var3", "var4"):
                loader.AddVariable(name)
            for name, tree in (("Signal", "TreeS"), ("Background", "TreeB")):
                loader.AddTree(f"{ROOT / 'xml_fixtures' / 'data' / 'class.root'}:{tree}", name)
            loader.PrepareTrainingAndTestTree("", "nTrain_Signal=2000:nTrain_Background=2000:SplitMode=Random")
            factory = TMVA.Factory("job", "!V:Silent:!DrawProgressBar:AnalysisType=Classification")
            factory.BookMethod(loader, training.kind, training.kind, training.options)
            factory.TrainAllMethods()
        finally:
            os.chdir(here)
