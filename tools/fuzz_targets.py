"""What tools/fuzz feeds: for each kind of input a corpus, the changes to it, and what reads it."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from fuzz_bookings import EXAMPLE, random_booking
from fuzz_mutations import Mutation, archive_mutation, byte_mutation, text_mutation
from fuzz_ways import read_booking

import pytmva_bnn as TMVA
from pytmva_bnn.convert import load_any
from pytmva_bnn.events.sources import source_of
from pytmva_bnn.formula import TFormula, evaluate
from pytmva_bnn.methods import method_of
from pytmva_bnn.methods.booking import Booking
from pytmva_bnn.methods.checkpoint import load_state, save_state
from pytmva_bnn.model import Model, load_string
from pytmva_bnn.options import parse_var_transform
from pytmva_bnn.port import translate
from pytmva_bnn.port.translate import DEFECT, compiles
from pytmva_bnn.show.report.output_file import read_output_file
from pytmva_bnn.tmva_types import AnalysisType

ROOT = Path(__file__).resolve().parents[1]
FIXTURES = ROOT / "xml_fixtures"
LARGEST = 60_000
"""Larger files are left out of the corpora: many small ones find more."""
ANALYSES = {"Classification": AnalysisType.CLASSIFICATION, "Regression": AnalysisType.REGRESSION}
NAMES = ("var1", "var2", "var3", "var4", "x", "pt", "eta", "ht")
COLUMNS = {name: np.linspace(-1.0, 2.0, 5) * factor for factor, name in enumerate(NAMES, 1)}
COLUMNS |= {"i": np.arange(5), "nj": np.arange(5) % 3, "a": np.arange(15.0).reshape(5, 3)}


class DefectError(Exception):
    """The translator of macros has a defect, and says so itself."""


@dataclass(frozen=True)
class Target:
    """A kind of input.  ``read`` gets it in memory, and in a file whose name ends in ``ending``."""

    ending: str
    corpus: Callable[[Path], list[bytes]]
    mutate: Mutation
    read: Callable[[bytes, Path], object]


# ---- what reads an input --------------------------------------------------------------------------------------


def use(model: Model) -> None:
    """Ask a model for what it can, for few events."""
    n_columns = len(model.variables) + len(model.spectators)
    model.predict(np.linspace(-2.0, 2.0, 3 * n_columns).reshape(3, n_columns), errors=model.has_errors)
    model.to_xml()


def read_weights(data: bytes, _path: Path) -> None:
    """Read a weight file and use it."""
    use(load_string(data.decode("utf-8", "replace")))


def read_converted(_data: bytes, path: Path) -> None:
    """Read a weight file in another format and use it."""
    use(load_any(path))


def read_foam(data: bytes, path: Path) -> None:
    """Read a weight file whose cells are in a damaged ROOT file."""
    path.with_name("foam_foams.root").write_bytes(data)
    weights = path.with_name("foam.xml")
    weights.write_bytes(_unpacked(FIXTURES / "methods" / "foam" / "weights.xml.gz"))
    use(TMVA.load(weights))


def read_options(data: bytes, _path: Path) -> None:
    """Book a method: its kind and the analysis are the first words."""
    kind, analysis, text = (data.decode("utf-8", "replace").split(" ", 2) + [""] * 3)[:3]
    method = method_of(kind)
    Booking.parse(method, text, ANALYSES.get(analysis, AnalysisType.MULTICLASS), kind, 4).check_values(4)


def read_transformations(data: bytes, _path: Path) -> None:
    """Read what VarTransform may be."""
    parse_var_transform(data.decode("utf-8", "replace"))


def read_formula(data: bytes, _path: Path) -> None:
    """Evaluate an expression on a few events."""
    evaluate(data.decode("utf-8", "replace"), COLUMNS)


def read_tformula(data: bytes, _path: Path) -> None:
    """Evaluate a function of parameters."""
    formula = TFormula(data.decode("utf-8", "replace"))
    n_parameters = 1 + max(formula.parameters, default=0)
    if n_parameters < 100:
        formula.function({0: 2.0})(np.linspace(0.5, 3, n_parameters))


def read_events(_data: bytes, path: Path) -> None:
    """Read all columns of a file of events."""
    source = source_of(str(path))
    for block in source.blocks(source.columns):
        {name: np.shape(values) for name, values in block.columns.items()}


def read_output(_data: bytes, path: Path) -> None:
    """Read an output file for a report."""
    read_output_file(path)


def read_checkpoint(_data: bytes, path: Path) -> None:
    """Read the state of a training."""
    load_state(path, 1, {"settings": "{}"})


def read_macro(data: bytes, _path: Path) -> None:
    """Translate a macro; what the translator itself calls a defect is one."""
    translation = translate(data.decode("utf-8", "replace"))
    if not compiles(translation.text):
        raise DefectError("the translation is not Python")
    for note in translation.notes:
        if DEFECT in note:
            raise DefectError(note)


# ---- corpora --------------------------------------------------------------------------------------------------


def _unpacked(path: Path) -> bytes:
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


def _files(*patterns: str, root: Path = FIXTURES) -> list[bytes]:
    found = [_unpacked(path) for pattern in patterns for path in sorted(root.glob(pattern))]
    return [data for data in found if len(data) <= LARGEST]


def _xml(_folder: Path) -> list[bytes]:
    return _files("cases/*/weights.xml*", "methods/*/weights.xml*", "odd/*.xml")


def _converted(ending: str) -> Callable[[Path], list[bytes]]:
    from pytmva_bnn.convert.formats import writer_of

    def corpus(folder: Path) -> list[bytes]:
        path = folder / f"model{ending}"
        found = []
        for name in ("cases/bfgs_errors", "cases/multi_n", "cases/mvapdfs", "cases/trans_g", "cases/trans_p"):
            writer_of(path)(TMVA.load(FIXTURES / name / "weights.xml"), path)
            found.append(path.read_bytes())
        return found

    return corpus


def _options(_folder: Path) -> list[bytes]:
    found = ["MLP Classification H:!V:NCycles=60:HiddenLayers=N+5,N:TrainingMethod=BP:Checkpoint=a:5:VarTransform=N,G"]
    for path in sorted(FIXTURES.glob("*/*/case.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        kind = str(case.get("method", "MLP")).removeprefix("k").rpartition("::")[2]
        analysis = next((name for name in ANALYSES if name in str(case.get("factory", ""))), "Classification")
        found.append(f"{kind} {analysis} {case.get('options', '')}")
    return [text.encode() for text in dict.fromkeys(found)]


def _transformations(_folder: Path) -> list[bytes]:
    return [b"N", b"D,P_Signal,G+U_Background", b"N(_V0_,var1)+D(_T_)", b"I,N,D,P,U,G,D", b"Norm,Gauss_AllClasses"]


def _formulas(_folder: Path) -> list[bytes]:
    known = json.loads((FIXTURES / "formula" / "formulas.json").read_text(encoding="utf-8"))["formulas"]
    more = ["Sum$(a>1)", "a[1]*Length$(a)", "MaxIf$(a,x>0)", "TMath::Landau(x,1,2)", "x?var1:a[i]", "Alt$(a[7],-1)"]
    return [text.encode() for text in (*(one["expr"] for one in known), *more)]


def _tformulas(_folder: Path) -> list[bytes]:
    return [b"[0]+[1]*[2]+[3]*-2e-3", b"[0]*exp(-[1])+[1]*pow([2],2)", b"[0]>1 && [1]<2 ? pi : [1]*TMath::Abs([0])"]


def _small_events(folder: Path, ending: str) -> list[bytes]:
    import uproot

    random = np.random.default_rng(1)
    path = folder / f"events{ending}"
    columns = {"x": random.normal(size=50), "i": np.arange(50), "f": random.normal(size=50).astype(np.float32)}
    if ending == ".root":
        with uproot.recreate(path) as file:
            file.mktree("tree", {name: values.dtype for name, values in columns.items()}).extend(columns)
    else:
        np.savez(path, **columns)
    return [path.read_bytes()]


def _texts(_folder: Path) -> list[bytes]:
    return [b"x/F:y/D:n/I\n1.5 2 3\n4 5e3 -6\n", b"x:y\n# remark\n\n1 2\n"]


def _output(folder: Path) -> list[bytes]:
    from fault_jobs import JOBS, Writer

    job = JOBS["output"]
    assert isinstance(job, Writer)  # noqa: S101
    (folder / "output").mkdir()
    job.write(folder / "output" / "TMVA.root", 0)
    return [(folder / "output" / "TMVA.root").read_bytes()]


def _checkpoint(folder: Path) -> list[bytes]:
    path = folder / "state.npz"
    save_state(path, 1, {"settings": "{}"}, {"weights": np.arange(20.0), "epoch": 3, "method": "BFGS"})
    return [path.read_bytes()]


def _macros(_folder: Path) -> list[bytes]:
    tests = ROOT / "tests"
    snippets = [re.split(rb"(?m)^=== .*\n", file) for file in _files("port/differential/*.txt", root=tests)]
    return [*_files("port/macros/*.C", root=tests), *(part for parts in snippets for part in parts[1:])]


TARGETS = {
    "xml": Target(".xml", _xml, text_mutation, read_weights),
    "text": Target(".txt", lambda _: _files("odd/*.txt"), text_mutation, read_weights),
    "json": Target(".json", _converted(".json"), text_mutation, read_converted),
    "npz": Target(".npz", _converted(".npz"), archive_mutation, read_converted),
    "foam": Target(".root", lambda _: _files("methods/foam/*.root"), byte_mutation, read_foam),
    "options": Target(".txt", _options, text_mutation, read_options),
    "transformations": Target(".txt", _transformations, text_mutation, read_transformations),
    "formula": Target(".txt", _formulas, text_mutation, read_formula),
    "tformula": Target(".txt", _tformulas, text_mutation, read_tformula),
    "root": Target(".root", lambda folder: _small_events(folder, ".root"), byte_mutation, read_events),
    "arrays": Target(".npz", lambda folder: _small_events(folder, ".npz"), archive_mutation, read_events),
    "events": Target(".txt", _texts, text_mutation, read_events),
    "output": Target(".root", _output, byte_mutation, read_output),
    "checkpoint": Target(".npz", _checkpoint, archive_mutation, read_checkpoint),
    "macro": Target(".C", _macros, text_mutation, read_macro),
    "booking": Target(".txt", lambda _: [EXAMPLE.encode()], random_booking, read_booking),
}
"""What is fed, by a word for it."""
