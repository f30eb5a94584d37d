"""What tools/faults kills: trainings and writers of files, each with two contents that can be told apart."""

from __future__ import annotations

import gzip
import hashlib
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import uproot

import pytmva_bnn as TMVA
from pytmva_bnn.files import read_archive
from pytmva_bnn.methods.checkpoint import save_state
from pytmva_bnn.show.report import write_report

FIXTURES = Path(__file__).resolve().parents[1] / "xml_fixtures"
MODELS = tuple(FIXTURES / "cases" / name / "weights.xml" for name in ("fakerate_bnn", "bfgs_errors"))
OWN_TO_A_RUN = re.compile(rb'.*name="(Date|TrainingTime|Dir|Host|Creator)".*\n')


@dataclass(frozen=True)
class Writer:
    """Something that writes a file with content 0 or 1; ``read`` gives a digest of what is in a file."""

    file: str
    write: Callable[[Path, int], object]
    read: Callable[[Path], str]


@dataclass(frozen=True)
class Training:
    """A training of a method with a checkpoint after each step."""

    method: str
    options: str

    def run(self, folder: Path) -> str:
        """Train in a folder, or go on with it, and return a digest of the weight file."""
        os.chdir(folder)
        _trained(self.method, f"{self.options}:Checkpoint=state.npz:1", seed=1)
        return weights_digest(folder / "dataset" / "weights" / f"job_{self.method}.weights.xml")


def weights_digest(path: Path) -> str:
    """Return a digest of a weight file without what differs from run to run; the file must be readable."""
    TMVA.load(path)
    packed = path.read_bytes()
    text = gzip.decompress(packed) if path.suffix == ".gz" else packed
    return hashlib.sha256(OWN_TO_A_RUN.sub(b"", text)).hexdigest()


def archive_digest(path: Path) -> str:
    """Return a digest of the arrays of a checkpoint."""
    arrays = read_archive(path)
    return hashlib.sha256(b"".join(name.encode() + arrays[name].tobytes() for name in sorted(arrays))).hexdigest()


def root_digest(path: Path) -> str:
    """Return a digest of all histograms and trees of a ROOT file; the dates in it are left out."""
    total = hashlib.sha256()
    with uproot.open(path) as file:
        for name, kind in sorted(file.classnames(recursive=True).items()):
            total.update(f"{name} {kind}".encode())
            thing = file[name] if kind != "TDirectory" else None
            if kind == "TTree":
                for branch, values in thing.arrays(library="np").items():
                    total.update(branch.encode() + repr(values.tolist()).encode())
            elif hasattr(thing, "values"):
                total.update(np.asarray(thing.values()).tobytes())
    return total.hexdigest()


def page_digest(path: Path) -> str:
    """Return a digest of a report, which must have its end."""
    content = path.read_bytes()
    if not content.rstrip().endswith(b"</html>"):
        raise ValueError("the page has no end")
    return hashlib.sha256(content).hexdigest()


def _trained(method: str, options: str, seed: int, output: Path | None = None) -> TMVA.Factory:
    random = np.random.default_rng(seed)
    loader = TMVA.DataLoader("dataset")
    for name in ("x", "y"):
        loader.AddVariable(name)
    loader.AddSignalTree({"x": random.normal(1, 1, 300), "y": random.normal(0, 1, 300)})
    loader.AddBackgroundTree({"x": random.normal(0, 1, 300), "y": random.normal(0, 2, 300)})
    settings: dict[str, Any] = {} if output is None else {"output": output}
    factory = TMVA.Factory("job", *settings.values(), "Silent:AnalysisType=Classification")
    factory.BookMethod(loader, method, method, options)
    factory.TrainAllMethods()
    return factory


def _write_checkpoint(path: Path, content: int) -> None:
    save_state(path, 1, {}, {"weights": np.full(300_000, float(content)), "epoch": content})


def _write_output(path: Path, content: int) -> None:
    os.chdir(path.parent.parent)
    factory = _trained("Fisher", "", content + 1, path)
    factory.TestAllMethods()
    factory.EvaluateAllMethods()


JOBS: dict[str, Writer | Training] = {
    "checkpoint": Writer("state.npz", _write_checkpoint, archive_digest),
    "weights": Writer("w.xml", lambda path, content: TMVA.load(MODELS[content]).save(path), weights_digest),
    "packed": Writer("w.xml.gz", lambda path, content: TMVA.load(MODELS[content]).save(path), weights_digest),
    "output": Writer("TMVA.root", _write_output, root_digest),
    "report": Writer("report.html", lambda path, c: write_report(TMVA.load(MODELS[c]), path), page_digest),
    "BFGS": Training("MLP", "NCycles=60:HiddenLayers=5:TrainingMethod=BFGS:UseRegulator:VarTransform=N"),
    "BP": Training("MLP", "NCycles=60:HiddenLayers=5:TrainingMethod=BP:Sampling=0.5"),
    "BDT": Training("BDT", "NTrees=60:MaxDepth=3:BoostType=AdaBoost:UseBaggedBoost"),
}
"""What is killed, by a word for it."""
