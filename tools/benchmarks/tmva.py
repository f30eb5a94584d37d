"""TMVA's own speed: measured where a ROOT with TMVA can be imported, otherwise as known from another machine."""

from __future__ import annotations

import array
import tempfile
import time
from contextlib import chdir
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.peers import installed
from benchmarks.samples import WEIGHTS
from pytmva_bnn.methods.mlp.training import Sample

ELSEWHERE = "another machine"


@dataclass(frozen=True)
class Known:
    """Seconds per event of TMVA (ROOT 6.40) on a machine with 2 cores and AVX2, 2-10-1; per epoch for the training.

    The epoch is of BFGS with regulators, 50,000 events and 2-10-1, which has 41 weights.
    """

    reader: float = 1.3e-6
    reader_errors: float = 3.8e-6
    pyroot: float = 4.3e-6
    pyroot_errors: float = 8.9e-6
    generated_class_4_9_1: float = 0.27e-6
    epoch: float = 0.9


@cache
def root() -> Any:
    """Return the module ROOT if it has TMVA, or None."""
    if not installed("ROOT"):
        return None
    module = import_module("ROOT")
    return module if hasattr(module, "TMVA") else None


_CPP = """
#include <chrono>
double pytmva_bnn_loop(const char* weights, const float* x, long n, bool errors) {
  float pt = 0, ht = 0;
  TMVA::Reader reader(errors ? "!Color:Silent:Error" : "!Color:Silent");
  reader.AddVariable("pt", &pt);
  reader.AddVariable("ht", &ht);
  reader.BookMVA("mlp", weights);
  double sum = 0;
  const auto start = std::chrono::steady_clock::now();
  for (long i = 0; i < n; ++i) {
    pt = x[2 * i]; ht = x[2 * i + 1];
    sum += reader.EvaluateMVA("mlp");
    if (errors) sum += reader.GetMVAErrorLower() + reader.GetMVAErrorUpper();
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return sum == sum ? seconds : -1;
}
"""


def reader_seconds(x: np.ndarray, *, errors: bool) -> tuple[float, str]:
    """Return the seconds per event of TMVA's Reader in C++, and where that was measured."""
    module = root()
    if module is None:
        return Known.reader_errors if errors else Known.reader, ELSEWHERE
    if not hasattr(module, "pytmva_bnn_loop"):
        module.gInterpreter.Declare(_CPP)
    seconds = min(module.pytmva_bnn_loop(str(WEIGHTS), x, len(x), errors) for _ in range(3))
    return seconds / len(x), "this machine"


def pyroot_seconds(n: int, *, errors: bool) -> tuple[float, str]:
    """Return the seconds per event of a loop in PyROOT."""
    module = root()
    if module is None:
        return Known.pyroot_errors if errors else Known.pyroot, ELSEWHERE
    loop = event_loop(module.TMVA, errors, n)
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        loop()
        seconds.append(time.perf_counter() - start)
    return min(seconds) / n, "this machine"


def event_loop(tmva: Any, errors: bool, n: int) -> Any:
    """Return a macro's loop over n events, by PyROOT's TMVA or by this package."""
    reader = tmva.Reader("!Color:Silent:Error=True" if errors else "!Color:Silent")
    pt, ht = array.array("f", [15.0]), array.array("f", [80.0])
    reader.AddVariable("pt", pt)
    reader.AddVariable("ht", ht)
    reader.BookMVA("mlp", str(WEIGHTS))
    reader.EvaluateMVA("mlp")
    values = np.random.default_rng(3).uniform(10, 90, n).tolist()

    def loop() -> None:
        for value in values:
            pt[0] = value
            reader.EvaluateMVA("mlp")

    def loop_with_errors() -> None:
        for value in values:
            pt[0] = value
            reader.EvaluateMVA("mlp")
            reader.GetMVAErrorLower()
            reader.GetMVAErrorUpper()

    return loop_with_errors if errors else loop


def epoch_seconds(sample: Sample, n_hidden: int, cycles: int) -> tuple[float, str]:
    """Return the seconds of a regulated BFGS epoch, and where they come from."""
    n, n_variables = sample.inputs.shape
    n_weights = (n_variables + 1) * n_hidden + n_hidden + 1
    module = root()
    if module is None:
        scaled = Known.epoch * n / 50_000 * n_weights / 41
        return scaled, ELSEWHERE if (n, n_weights) == (50_000, 41) else f"{ELSEWHERE}, scaled"
    # TMVA: the name of a DataLoader is a folder in the one of the moment; an absolute path crashes
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        return _train_by_tmva(module, sample, n_hidden, cycles) / cycles, "this machine"


def _train_by_tmva(module: Any, sample: Sample, n_hidden: int, cycles: int) -> float:
    """Return the seconds of a training in the folder of the moment."""
    import uproot

    names = [f"x{i}" for i in range(sample.inputs.shape[1])]
    is_signal = sample.desired[:, 0] > 0.5
    with uproot.recreate("events.root") as file:
        for tree, chosen in (("signal", is_signal), ("background", ~is_signal)):
            columns = dict(zip(names, sample.inputs[chosen].T, strict=True))
            file.mktree(tree, {name: values.dtype for name, values in columns.items()})
            file[tree].extend(columns)
    tmva = module.TMVA
    events, output = module.TFile.Open("events.root"), module.TFile.Open("o.root", "RECREATE")
    factory = tmva.Factory("bench", output, "!V:Silent:!DrawProgressBar:AnalysisType=Classification")
    loader = tmva.DataLoader("dataset")
    for name in names:
        loader.AddVariable(name, "F")
    loader.AddSignalTree(events.Get("signal"))
    loader.AddBackgroundTree(events.Get("background"))
    few = "nTest_Signal=1:nTest_Background=1:SplitMode=Block:NormMode=NumEvents:!V"
    loader.PrepareTrainingAndTestTree(module.TCut(""), few)
    options = f"NeuronType=tanh:TrainingMethod=BFGS:VarTransform=None:NCycles={cycles}:HiddenLayers={n_hidden}"
    factory.BookMethod(
        loader,
        tmva.Types.kMLP,
        "MLP",
        f"!H:!V:{options}:EstimatorType=CE:UseRegulator:CalculateErrors:TestRate={cycles}",
    )
    start = time.perf_counter()
    factory.TrainAllMethods()
    seconds = time.perf_counter() - start
    output.Close()
    return seconds
