"""Generated classes, compiled: one program per session that evaluates all of them on their events."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.cpp.literals import string
from pytmva_bnn.histograms import PDFRecord, from_contents
from pytmva_bnn.model import Model
from pytmva_bnn.options import OptionRecord
from pytmva_bnn.standalone import class_source
from pytmva_bnn.transform import Gaussianisation, Normalisation, PrincipalComponents, Quantity, Rearrangement, Selection

FIXTURES = Path(__file__).resolve().parent.parent.parent / "xml_fixtures"
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wdouble-promotion", "-Werror"]

RECORDS = """
bfgs_n bnn_020 trans_chain trans_g trans_u trans_p trans_d trans_select trans_class relu_two_layers radial linear
bp_sigmoid expressions reg_n reg_none reg_two_targets reg_bnn multi_n multi_d_bp fakerate_bnn mvapdfs
regulator_only
"""
ODD = """
multiclass_counted mvapdfs_kde mvapdfs_lines mvapdfs_splines text39_decorrelate_background text39_gauss
text39_gaussdecorr text39_mvapdfs text39_none text39_normalise text39_pca text39_uniform_background
tmva403_decorrelation tmva403_normalize tmva403_regression tmva407_pca tmva410_gauss tmva410_normalize
"""
VARIATIONS = """
scaled_targets flat_targets gauss_targets smooth_gauss even_bins_gauss component_targets exchanged_targets
first_step_wins rearranged exchanged fewer_outputs to_spectator constant_variable fast_tanh squares absolutes
strict_old unlisted_target
"""

DRIVER = """
#include <fstream>

namespace {
std::vector<std::vector<double>> Events(const std::string& path, std::size_t size)
{
   std::ifstream file(path, std::ios::binary);
   std::vector<std::vector<double>> events;
   std::vector<double> event(size);
   while (file.read(reinterpret_cast<char*>(event.data()), static_cast<std::streamsize>(size * sizeof(double))))
      events.push_back(event);
   return events;
}

struct Results {
   explicit Results(const std::string& path) : file(path, std::ios::binary) {}
   void Put(double value) { file.write(reinterpret_cast<const char*>(&value), sizeof value); }
   void Put(const std::pair<double, double>& values) { Put(values.first); Put(values.second); }
   void Put(const std::vector<double>& values) { for (double value : values) Put(value); }
   std::ofstream file;
};
}

int main()
{
"""


@dataclass(frozen=True)
class Subject:
    """A model, events, and what its compiled class gives for them: arrays (n_events, n) by the method's name."""

    name: str
    model: Model
    events: np.ndarray
    results: dict[str, np.ndarray]


class Cxx:
    """The compiler; ``run`` compiles a program from its text and returns what it prints."""

    def __init__(self, folder: Path, program: str) -> None:
        self.folder = folder
        self.program = program

    def run(self, main: str, *more: str, name: str = "main") -> str:
        source, binary = self.folder / f"{name}.cpp", self.folder / name
        source.write_text(main, encoding="utf-8")
        command = [self.program, "-std=c++17", *WARNINGS, *more, str(source), "-o", str(binary)]
        compiled = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        assert compiled.returncode == 0, compiled.stderr[:4000]
        return subprocess.run([str(binary)], cwd=self.folder, capture_output=True, text=True, check=True).stdout  # noqa: S603


@pytest.fixture(scope="session")
def compiler() -> str:
    found = shutil.which("g++")
    if found is None:
        pytest.skip("no g++ found: the generated C++ classes cannot be compiled and compared")
    return found


@pytest.fixture
def cxx(compiler: str, tmp_path: Path) -> Cxx:
    return Cxx(tmp_path, compiler)


def _models() -> dict[str, Model]:
    """All models that go into the one program, by name."""
    records = {name: _record(name) for name in RECORDS.split()}
    odd = {name: TMVA.load(next((FIXTURES / "odd").glob(f"{name}.weights.*"))) for name in ODD.split()}
    variations = _variations()
    assert list(variations) == VARIATIONS.split()
    return records | odd | variations


def _events(name: str, model: Model) -> np.ndarray:
    if name not in RECORDS.split():
        return _random_events(len(model.variables), 2.0)
    return _events_of_record(name)


def _record(name: str) -> Model:
    return TMVA.load(FIXTURES / "cases" / name / "weights.xml")


def _events_of_record(name: str) -> np.ndarray:
    with np.load(FIXTURES / "cases" / name / "expected.npz") as file:
        inputs = file["inputs"].astype(np.float64)
    return np.concatenate([inputs, _unusual(inputs.shape[1])])


def _random_events(n_variables: int, size: float) -> np.ndarray:
    values = np.random.default_rng(1).normal(0.0, size, (300, n_variables))
    return np.concatenate([values, _unusual(n_variables)])


def _unusual(n_variables: int) -> np.ndarray:
    """Events far outside of the training range, between two float32, and one with a NaN."""
    rows = np.array([0.0, 1e6, -1e6, 0.1, 1e300, -np.inf, np.nan])[:, np.newaxis] * np.ones(n_variables)
    rows[-1, 1:] = 0.5
    return rows


def _variations() -> dict[str, Model]:
    """Transformations and neurons that no record has."""
    two, a = _record("reg_two_targets"), _record("bfgs_n")
    x, y = (Quantity("Variable", v.label, v.expression) for v in two.variables)
    t, u = (Quantity("Target", v.label, v.expression) for v in two.targets)
    b = [Quantity("Variable", v.label, v.expression) for v in a.variables]
    s = Quantity("Spectator", "spectator", "spectator")
    all_four = Selection((x, y, t, u), (x, y, t, u))
    low, high = np.float32([[0.5, -4.0, -1.0, 2.0]]), np.float32([[5.0, 3.0, 2.0, 9.0]])
    rng = np.random.default_rng(3)
    rotation = np.linalg.qr(rng.normal(size=(2, 2)))[0]
    spectators = (replace(a.variables[0], expression="spectator", label="spectator"),)

    def with_steps(model, *steps, **more):
        return Model(replace(model.file, transformations=steps, **more), model.fitted)

    def with_option(model, name, value):
        others = tuple(option for option in model.file.options if option.name != name)
        file = replace(model.file, options=(*others, OptionRecord(name, value, modified=True)))
        return TMVA.load_string(Model(file, model.fitted).to_xml())

    return {
        "scaled_targets": with_steps(two, Normalisation(all_four, low, high, offset=False)),
        "flat_targets": with_steps(two, Gaussianisation(all_four, _cumulatives(rng, 4), flat=True)),
        "gauss_targets": with_steps(two, Gaussianisation(all_four, _cumulatives(rng, 4), flat=False)),
        "smooth_gauss": with_steps(two, Gaussianisation(all_four, _cumulatives(rng, 4, interpolation=2), flat=False)),
        "even_bins_gauss": with_steps(two, Gaussianisation(all_four, _cumulatives(rng, 4, even=True), flat=False)),
        "component_targets": with_steps(
            two, PrincipalComponents(Selection((t, u), (t, u)), (np.array([1.0, 2.0]),), (rotation,))
        ),
        "exchanged_targets": with_steps(two, Normalisation(Selection((u, t), (t, u)), low[:, 2:], high[:, 2:])),
        "first_step_wins": with_steps(
            two, Normalisation(all_four, low, high), Normalisation(Selection((t, u), (t, u)), low[:, :2], high[:, :2])
        ),
        "rearranged": with_steps(a, Rearrangement(Selection((b[2], b[0], b[1]), (b[0], b[1], b[2])))),
        "exchanged": with_steps(a, Normalisation(Selection((b[3], b[1]), (b[1], b[3])), low[:, :2], high[:, :2])),
        "fewer_outputs": with_steps(a, Normalisation(Selection((b[0], b[1]), (b[2],)), low[:, :2], high[:, :2])),
        "to_spectator": with_steps(a, Rearrangement(Selection((b[0], b[1]), (s, b[3]))), spectators=spectators),
        "constant_variable": with_steps(a, Normalisation(Selection((b[0],), (b[0],)), low[:, :1], low[:, :1])),
        "fast_tanh": TMVA.load(FIXTURES / "cases" / "bnn_020" / "weights.xml", tanh="fast"),
        "squares": with_option(two, "NeuronInputType", "sqsum"),
        "absolutes": with_option(two, "NeuronInputType", "abssum"),
        "strict_old": TMVA.load(FIXTURES / "odd" / "tmva407_pca.weights.xml", strict=True),
        "unlisted_target": with_steps(a, Normalisation(Selection((*b[:2], t), (*b[:2], t)), low[:, :3], high[:, :3])),
    }


def _cumulatives(rng, n, *, interpolation=1, even=False) -> tuple[tuple[PDFRecord, ...], ...]:
    return tuple((_cumulative(rng, interpolation, even),) for _ in range(n))


def _cumulative(rng, interpolation, even) -> PDFRecord:
    # as in training: an empty first bin, here also a second one of no width
    edges = np.sort(np.append(rng.normal(0.0, 2.0, 40), -5.0))
    edges[1] = edges[2]
    contents = np.cumsum(np.append([0.0, 0.0], rng.random(len(edges) - 3))).astype(np.float32)
    contents /= contents[-1]
    histogram = from_contents(contents, float(edges[0]), float(edges[-1]), None if even else edges, name="c")
    return PDFRecord("c", 0, 0, interpolation, 0, 1, 1, 0.0, histogram)


@pytest.fixture(scope="session")
def compiled(compiler: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Subject]:
    """All subjects, after one program with all of their classes has run."""
    folder = tmp_path_factory.mktemp("standalone")
    models = _models()
    events = {name: _events(name, model) for name, model in models.items()}
    includes = []
    for name, model in models.items():
        (folder / f"{name}.hpp").write_text(class_source(model, class_name=f"Read_{name}"), encoding="utf-8")
        events[name].tofile(folder / f"{name}.in")
        includes += [f'#include "{name}.hpp"\n'] * 2  # twice does no harm
    blocks = [_block(name, model) for name, model in models.items()]
    # not optimised: that takes three times as long; test_interface.py has a program that is
    Cxx(folder, compiler).run("".join([*includes, DRIVER, *blocks, "}\n"]), name="all")
    return {
        name: Subject(name, model, events[name], _results(folder / f"{name}.out", model, len(events[name])))
        for name, model in models.items()
    }


@pytest.fixture(scope="session", params=[*RECORDS.split(), *ODD.split(), *VARIATIONS.split()])
def subject(request: pytest.FixtureRequest, compiled: dict[str, Subject]) -> Subject:
    """Each of the compiled classes in turn."""
    return compiled[request.param]


def _results(path: Path, model: Model, n_events: int) -> dict[str, np.ndarray]:
    columns = _columns(model)
    values = np.fromfile(path).reshape(n_events, -1)
    return dict(zip(columns, np.split(values, np.cumsum(list(columns.values()))[:-1], axis=1), strict=True))


def _block(name: str, model: Model) -> str:
    names = ", ".join(string(variable.expression) for variable in model.variables)
    puts = "".join(f"         results.Put(network.{call}(event));\n" for call in _calls(model))
    if model.response_pdfs is not None:
        puts += "         results.Put(network.GetProba(network.GetMvaValue(event), 0.3));\n"
        puts += "         results.Put(network.GetRarity(network.GetMvaValue(event)));\n"
    return (
        f'   {{\n      Read_{name} network({{{names}}});\n      Results results("{name}.out");\n'
        f'      for (const auto& event : Events("{name}.in", {len(model.variables)})) {{\n{puts}      }}\n   }}\n'
    )


def _calls(model: Model) -> list[str]:
    calls = ["GetMvaValue"]
    if model.analysis_type == "Regression":
        calls.append("GetRegressionValues")
    if model.analysis_type == "Multiclass":
        calls.append("GetMulticlassValues")
    if model.has_errors:
        calls += ["GetMvaErrors", "GetMvaError"]
        if model.analysis_type == "Regression":
            calls.append("GetRegressionErrors")
    return calls


def _columns(model: Model) -> dict[str, int]:
    widths = {
        "GetMvaErrors": 2,
        "GetRegressionErrors": 2,
        "GetRegressionValues": model.network.n_outputs,
        "GetMulticlassValues": model.network.n_outputs,
    }
    columns = {call: widths.get(call, 1) for call in _calls(model)}
    return columns | ({"GetProba": 1, "GetRarity": 1} if model.response_pdfs is not None else {})
