"""Random bookings for tools/fuzz: what a user may book is trained, and all ways to its response are compared.

A booking is a text with a word and its value in each line.  It makes its own events, and is trained in a folder of its
own.  Every method, option, transformation and split may occur; sizes that only cost time are kept small.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from pytmva_bnn.cpp.literals import string
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods import kinds, method_of
from pytmva_bnn.options import Option, OptionType
from pytmva_bnn.tmva_types import AnalysisType

CLASSES = {"Classification": ("Signal", "Background"), "Regression": ("Regression",), "Multiclass": ("A", "B", "C")}
SHAPES = ("normal", "normal", "normal", "uniform", "exponential", "integer", "binary", "constant", "copy", "correlated")
CHECKS = {"compiled": 0.1, "again": 0.1, "formats": 0.3, "cpp": 0.15, "onnx": 0.2, "output": 0.3, "report": 0.02}
CHECKS |= {"macro": 0.15}
"""How often a booking takes the ways to its response that cost more."""
COSTLY: Mapping[str, Sequence[str]] = {
    "NTrees": ("1", "2", "5"),
    "nTrees": ("2", "5"),
    "NCycles": ("1", "3", "5"),
    "HiddenLayers": ("", "1", "N", "N+1", "3,2"),
    "nActiveCells": ("2", "5", "30"),
    "nSampl": ("50", "200"),
    "GDNSteps": ("5", "200"),
    "MaxIter": ("1", "10", "100"),
    "SampleSize": ("50", "500"),
    "PopSize": ("10", "20"),
    "Cycles": ("1", "2"),
    "Steps": ("2", "5"),
    "MaxCalls": ("50", "500"),
    "Boost_Num": ("1", "2", "5"),
    "CalibrationToys": ("2", "3"),
    "nCuts": ("-1", "1", "2", "5", "20"),
    "NDivisions": ("50",),
}
"""Options whose default would take long: these values are always given."""
TEXTS: Mapping[str, Sequence[str]] = {
    "NeuronType": ("linear", "sigmoid", "tanh", "ReLU", "radial"),
    "MinNodeSize": ("0.5%", "2%", "5%", "20%"),
    "Kernel": ("RBF", "MultiGauss", "Polynomial", "Prod", "Sum", "Gaus", "Poln"),
    "KernelList": ("RBF*Polynomial", "RBF+MultiGauss", "RBF"),
    "GammaList": ("", "0.5,1", "1"),
    "Hessian": ("TMVA", "Posterior", "Sandwich", "Paper", "Likelihood"),
    "Multiclass": ("TMVA", "Softmax"),
}
LEFT_OUT = {
    "H",
    "V",
    "VerbosityLevel",
    "VarTransform",
    "Checkpoint",
    "CheckpointEpochs",
    "CalibrationWorkers",
    "UseLDA",
}
LEFT_OUT |= {"RandomSeed", "Boost_RandomSeed", "Seed", "RFWorkDir", "RuleFitModule", "Tune", "Loss"}
LEFT_OUT |= {"Formula", "ParRanges", "FitMethod"}
"""Options that print, are refused, have no effect, give another result each time, or are given below."""
DENSITIES: Mapping[str, Sequence[str]] = {
    "NSmooth": ("0", "1", "5"),
    "NAvEvtPerBin": ("2", "10", "50"),
    "Nbins": ("0", "5", "40"),
    "PDFInterpol": ("Spline0", "Spline1", "Spline2", "Spline3", "Spline5", "KDE"),
    "KDEiter": ("Nonadaptive", "Adaptive"),
    "KDEborder": ("None", "Renorm", "Mirror"),
    "KDEFineFactor": ("0.3", "1", "2"),
}
TEMPERATURES = ("IncAdaptive", "DecAdaptive", "Sqrt", "Log", "Homo", "Sin", "Geo")
STEPS = ("I", "N", "D", "P", "U", "G", "S")
EXAMPLE = """kind Fisher
analysis Classification
options VarTransform=N,P
shapes normal integer
events 60
seed 1
weights negative
spectators 1
cut s0>-2
prepare !V:NormMode=NumEvents:SplitMode=Alternate
checks again formats output macro
"""
"""A booking whose response is found in all ways."""


# ---- how a booking is made -------------------------------------------------------------------------------------


def random_booking(random: Random, _data: bytes, _others: Sequence[bytes]) -> bytes:
    """Return the text of a booking."""
    kind = random.choice([one for one in kinds(trainable=True) if one not in ("Category", "Boost")])
    method = method_of(kind)
    analysis = AnalysisType(random.choice(sorted(method.analyses)))
    n_variables = random.choice((1, 2, 2, 3, 4, 6))
    shapes = [random.choice(SHAPES) for _ in range(n_variables)]
    if random.random() < 0.5:
        shapes = ["normal"] * n_variables
    lines = {
        "kind": kind,
        "analysis": str(analysis),
        "options": ":".join(_options(random, kind, analysis, n_variables)),
        "shapes": " ".join(shapes),
        "events": str(random.choice((20, 60, 200, 200, 500))),
        "seed": str(random.randrange(1000)),
        "weights": random.choice(("one", "one", "one", "positive", "negative", "cancelling", "zeros", "large")),
        "spectators": str(random.choice((0, 0, 0, 1, 2))),
        "targets": str(random.choice((1, 1, 2)) if analysis == AnalysisType.REGRESSION else 0),
        "cut": random.choice(("", "", "x0>-0.5", "x0*x0<4", "s0>0")),
        "prepare": ":".join(_splitting(random, CLASSES[analysis])),
        "checks": " ".join(name for name, share in CHECKS.items() if random.random() < share),
    }
    return "".join(f"{name} {value}\n" for name, value in lines.items()).encode()


def _options(random: Random, kind: str, analysis: AnalysisType, n_variables: int) -> Iterator[str]:
    method = method_of(kind)
    boosted = analysis == AnalysisType.CLASSIFICATION and random.random() < 0.06
    declared = [*method.options_for(analysis), *method.more_options]
    if boosted:
        declared += [one for one in method_of("Boost").options if one.name.startswith("Boost_")]
    share = random.choice((0.0, 0.1, 0.3))
    for option in declared:
        if option.name in COSTLY and (option.name != "Boost_Num" or boosted):
            yield f"{option.name}={random.choice(COSTLY[option.name])}"
        elif option.name not in LEFT_OUT and random.random() < share:
            yield from _given(random, option, n_variables)
        if option.name == "FitMethod":
            yield from _fitter(random, random.choice(option.allowed))
    if kind == "FDA":
        terms = ["(0)", *(f"({number + 1})*x{number}" for number in range(n_variables))]
        yield f"Formula={'+'.join(terms)}:ParRanges={';'.join(['(-3,3)'] * len(terms))}"
    if kind == "Likelihood":
        yield from _densities(random, share, n_variables)
    if random.random() < 0.5:
        yield f"VarTransform={_transformations(random, analysis, n_variables)}"


def _fitter(random: Random, name: str) -> Iterator[str]:
    yield f"FitMethod={name}"
    for option, fitters in (("SampleSize", "MC"), ("PopSize", "GA"), ("Cycles", "GA"), ("Steps", "GA")):
        if name == fitters:
            yield f"{option}={random.choice(COSTLY[option])}"
    if name in ("SA", "MINUIT"):
        yield f"MaxCalls={random.choice(COSTLY['MaxCalls'])}"
    if name == "SA" and random.random() < 0.5:
        yield f"KernelTemp={random.choice(TEMPERATURES)}"
    if name == "GA" and random.random() < 0.3:
        yield random.choice(("SC_steps=2", "SC_rate=1", "SC_factor=0.5", "ConvCrit=0.1", "SaveBestGen=3", "Trim"))


def _densities(random: Random, share: float, n_variables: int) -> Iterator[str]:
    for name, values in DENSITIES.items():
        if random.random() < share:
            of_variable = f"{random.choice(('Sig', 'Bkg'))}[{random.randrange(n_variables)}]"
            yield f"{name}{random.choice(('', of_variable))}={random.choice(values)}"


def _given(random: Random, option: Option, n_variables: int) -> Iterator[str]:
    if option.size is not None:
        for number in range(n_variables):
            value = random.choice(option.allowed) if option.allowed else random.choice(("-1", "0", "1.5"))
            yield f"{option.name}[{number}]={value}"
    elif option.type is OptionType.BOOL:
        yield random.choice(("", "!")) + option.name
    elif option.allowed or option.name in TEXTS:
        yield f"{option.name}={random.choice(option.allowed or TEXTS[option.name])}"
    elif option.type in (OptionType.INT, OptionType.UINT):
        yield f"{option.name}={random.choice(('0', '1', '2', '3', '10', str(option.default)))}"
    elif option.type in (OptionType.FLOAT, OptionType.DOUBLE):
        yield f"{option.name}={random.choice((0.5, 0.1, 2.0)) * float(str(option.default)):g}"


def _transformations(random: Random, analysis: AnalysisType, n_variables: int) -> str:
    def step() -> str:
        name = random.choice(STEPS)
        if random.random() < 0.2:
            name += f"_{random.choice((*CLASSES[analysis], 'AllClasses'))}"
        if random.random() < 0.2:
            chosen = random.sample(range(n_variables), random.randint(1, n_variables))
            name += f"({','.join(random.choice((f'_V{one}_', f'x{one}')) for one in chosen)})"
        return name

    return random.choice(",+").join(step() for _ in range(random.choice((1, 1, 1, 2, 3))))


def _splitting(random: Random, classes: Sequence[str]) -> Iterator[str]:
    modes = ("Random", "Alternate", "Block")
    yield "!V"
    yield f"NormMode={random.choice(('None', 'NumEvents', 'EqualNumEvents'))}"
    if random.random() < 0.5:
        yield f"SplitMode={random.choice(modes)}"
    if random.random() < 0.3:
        yield f"MixMode={random.choice((*modes, 'SameAsSplitMode'))}"
    if random.random() < 0.3:
        yield f"SplitSeed={random.choice((1, 7))}"
    for name in classes:
        if random.random() < 0.15:
            yield f"nTrain_{name}={random.choice((5, 10, 30))}"
        if random.random() < 0.15:
            yield f"nTest_{name}={random.choice((2, 10, 30))}"


# ---- what a booking says ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RandomBooking:
    """A booking as read from its text."""

    kind: str
    analysis: str
    options: str
    shapes: tuple[str, ...]
    n_events: int
    seed: int
    weights: str
    n_spectators: int
    n_targets: int
    cut: str
    prepare: str
    checks: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> RandomBooking:
        """Return the booking of a text; what a line does not say is a default."""
        lines = dict(line.partition(" ")[::2] for line in text.splitlines())
        analysis = lines.get("analysis", "")
        if analysis not in CLASSES or not lines.get("kind"):
            raise InputError("no booking")
        shapes = tuple(one for one in lines.get("shapes", "").split() if one in SHAPES) or ("normal",)
        n = {name: int(re.sub(r"\D", "", lines.get(name, ""))[:6] or 0) for name in ("events", "seed", "spectators")}
        return cls(
            lines["kind"],
            analysis,
            lines.get("options", ""),
            shapes[:6],
            min(max(4, n["events"]), 1000),
            n["seed"],
            lines.get("weights", "one"),
            min(2, n["spectators"]),
            (2 if lines.get("targets") == "2" else 1) if analysis == "Regression" else 0,
            lines.get("cut", ""),
            lines.get("prepare", ""),
            tuple(lines.get("checks", "").split()),
        )

    @property
    def variables(self) -> list[str]:
        """The names of the variables."""
        return [f"x{number}" for number in range(len(self.shapes))]

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes."""
        return CLASSES[self.analysis]

    @property
    def title(self) -> str:
        """The title of the method."""
        return f"My{self.kind}"

    def calls(self) -> Iterator[tuple[str, list[str]]]:
        """Yield the calls of the DataLoader, as names with arguments as in C++, but for the trees."""
        for name, shape in zip(self.variables, self.shapes, strict=True):
            yield "AddVariable", [string(name), "'I'" if shape in ("integer", "binary") else "'F'"]
        for number in range(self.n_spectators):
            yield "AddSpectator", [string(f"s{number}")]
        for number in range(self.n_targets):
            yield "AddTarget", [string(f"t{number}")]

    def events(self) -> dict[str, dict[str, Any]]:
        """Return the events of each class, as columns."""
        random = np.random.default_rng(self.seed)
        found = {}
        for number, name in enumerate(self.classes):
            n = self.n_events + 3 * number
            columns: dict[str, Any] = {}
            for variable, shape in zip(self.variables, self.shapes, strict=True):
                columns[variable] = _column(random, shape, columns, n, number)
            for spectator in ("s0", "s1"):
                columns[spectator] = random.normal(size=n).astype(np.float32)
            first = next(iter(columns.values()))
            columns["t0"] = (first + 0.3 * random.normal(size=n)).astype(np.float32)
            columns["t1"] = (first**2 + columns["s0"] + 100).astype(np.float32)
            columns["w"] = _weights(random, self.weights, n)
            found[name] = columns
        return found


def _column(random: np.random.Generator, shape: str, others: Mapping[str, Any], n: int, number: int) -> Any:
    before = next(reversed(others.values())) if others else random.normal(size=n) + number
    match shape:
        case "uniform":
            values = random.uniform(0, 1 + 0.3 * number, n)
        case "exponential":
            values = 1000 * random.exponential(1 + 0.5 * number, n)
        case "integer":
            return random.poisson(2 + number, n).astype(np.int32)
        case "binary":
            return (random.random(n) < 0.3 + 0.2 * number).astype(np.int32)
        case "constant":
            values = np.full(n, 1.5)
        case "copy":
            values = before
        case "correlated":
            values = before + 1e-3 * random.normal(size=n)
        case _:
            values = random.normal(size=n) + 0.8 * number
    return np.asarray(values, dtype=np.float32)


def _weights(random: np.random.Generator, kind: str, n: int) -> Any:
    match kind:
        case "positive":
            values = random.uniform(0.2, 3, n)
        case "negative":
            values = random.choice([1.0, 1.0, 1.0, -1.0], n)
        case "cancelling":
            values = np.where(np.arange(n) % 2, 1.0, -1.0)
        case "zeros":
            values = random.choice([1.0, 0.0], n)
        case "large":
            values = random.uniform(1e4, 1e6, n)
        case _:
            values = np.ones(n)
    return values.astype(np.float32)
