"""What tools/fuzz does with a booking: it is trained, and all ways to its response are compared."""

from __future__ import annotations

import os
import pickle
import re
import shutil
import subprocess
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from fuzz_bookings import RandomBooking

import pytmva_bnn as TMVA
from pytmva_bnn.convert import load_any, run_onnx
from pytmva_bnn.convert.formats import writer_of
from pytmva_bnn.cpp.literals import string
from pytmva_bnn.errors import TMVAError
from pytmva_bnn.model import Model, load_string
from pytmva_bnn.port.run import run_text
from pytmva_bnn.show.report.output_file import read_output_file
from pytmva_bnn.standalone import class_source


class OddityError(Exception):
    """A booking does not do what is promised; ``sign`` tells oddities apart."""

    def __init__(self, sign: str, problem: str) -> None:
        super().__init__(f"{sign}: {problem}")
        self.sign = sign


@contextmanager
def _working_in(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    folder.mkdir(parents=True, exist_ok=True)
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@contextmanager
def _compiled(word: str) -> Iterator[None]:
    before = os.environ.get("PYTMVA_BNN_FAST")
    os.environ["PYTMVA_BNN_FAST"] = word
    try:
        yield
    finally:
        os.environ.pop("PYTMVA_BNN_FAST")
        if before is not None:
            os.environ["PYTMVA_BNN_FAST"] = before


def read_booking(data: bytes, path: Path) -> None:
    """Train a booking and compare all ways to its response."""
    booking = RandomBooking.parse(data.decode("utf-8", "replace"))
    folder = path.parent / "booking"
    shutil.rmtree(folder, ignore_errors=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        with _working_in(folder), _compiled("0"):
            _write_events(booking)
            _check(booking)


def _write_events(booking: RandomBooking) -> None:
    import uproot

    with uproot.recreate("events.root") as file:
        for name, columns in booking.events().items():
            file.mktree(name, {one: values.dtype for one, values in columns.items()}).extend(columns)


def _trained(booking: RandomBooking, folder: str) -> Any:
    """Return the factory after the training in a folder; the folder of the moment is the one above it."""
    with _working_in(Path(folder)):
        loader = TMVA.DataLoader("dataset")
        for call, arguments in booking.calls():
            getattr(loader, call)(*(one.strip("\"'") for one in arguments))
        for name in booking.classes:
            loader.AddTree(f"../events.root:{name}", name, 1.0)
            loader.SetWeightExpression("w", name)
        loader.PrepareTrainingAndTestTree(booking.cut, booking.prepare)
        factory = TMVA.Factory("job", "out.root", f"!V:Silent:!DrawProgressBar:AnalysisType={booking.analysis}")
        factory.BookMethod(loader, booking.kind, booking.title, booking.options)
        factory.TrainAllMethods()
    return factory


def _text(folder: str, booking: RandomBooking) -> str:
    text = (Path(folder) / "dataset" / "weights" / f"job_{booking.title}.weights.xml").read_text(encoding="utf-8")
    return re.sub(r'<Info name="(Date|Dir|TrainingTime)" value="[^"]*"/>', "", text)


def _check(booking: RandomBooking) -> None:
    factory = _trained(booking, "first")
    method = factory.GetMethod("dataset", booking.title)
    model, text = method.model, _text("first", booking)
    values = text.partition("<Weights")[2].replace('rms="-nan"', "")  # TMVA: negative weights in a node
    if re.search(r"(?<![A-Za-z])(nan|inf)(?![A-Za-z])", values, re.IGNORECASE):
        raise OddityError(f"{booking.kind} nan in file", "the weight file has NaN or infinities")
    events = method.dataset.training.variables[:60].astype(np.float64)
    spectators = method.dataset.training.spectators[:60].astype(np.float64) if model.spectators else None
    rows = Rows(events, spectators)
    response = rows.responses(model)
    if booking.kind != "HMatrix" and not np.all(np.isfinite(response)):  # which warns of negative χ²
        raise OddityError(f"{booking.kind} nan", f"{np.sum(~np.isfinite(response))} responses are not finite")
    # TMVA: the file has no class, and nine digits of a component, which is rounding if variables depend on each other
    depend = {"constant", "copy", "correlated"}.intersection(booking.shapes) and re.search(
        r"[+,=][DP]", booking.options
    )
    if not depend and not re.search(r"_(Signal|Background|Regression|[ABC])\b", booking.options):
        # TMVA: a PDERS of a file is another one than that of the training
        read = rows.responses(model.corrected()) if booking.kind == "PDERS" else response
        _same(f"{booking.kind} memory", rows.responses(method.trained.model()), read, 2e-4, 0.1)
    _check_ways(booking, model, rows, response)
    for check in booking.checks:
        if check in CHECKED:
            CHECKED[check](booking, factory, model, rows, response)


@dataclass(frozen=True)
class Rows:
    """Events in rows."""

    events: Any
    spectators: Any

    def responses(self, model: Model, part: Any = slice(None)) -> Any:
        """Return the responses (n_events, n_outputs)."""
        given = None if self.spectators is None else self.spectators[part]
        found = np.asarray(model.predict(self.events[part], spectators=given), dtype=np.float64)
        return found.reshape(len(found), -1)


def _same(sign: str, found: Any, expected: Any, tolerance: float = 0.0, share: float = 0.0) -> None:
    """Raise if numbers differ by more than a part of their range, but for a share of them."""
    found, expected = np.asarray(found, dtype=np.float64), np.asarray(expected, dtype=np.float64)
    if found.shape != expected.shape:
        raise OddityError(sign, f"shapes {found.shape} and {expected.shape}")
    scale = max(float(np.abs(np.nan_to_num(expected)).max(initial=0.0)), 1e-30)
    wrong = ~(np.abs(found - expected) <= tolerance * scale) & ~(np.isnan(found) & np.isnan(expected))
    if np.mean(wrong) > share:
        index = np.unravel_index(np.argmax(wrong), wrong.shape)
        problem = f"{wrong.sum()} of {wrong.size} differ, e.g. {found[index]!r} instead of {expected[index]!r}"
        raise OddityError(sign, f"{problem}; largest difference {np.nanmax(np.abs(found - expected)) / scale:.2g}")


def _check_ways(booking: RandomBooking, model: Model, rows: Rows, response: Any) -> None:
    kind = booking.kind
    again = load_string(model.to_xml()) if not model.fitted.companions() else model
    if again is not model:
        if again.to_xml() != model.to_xml():
            raise OddityError(f"{kind} xml", "written, read and written again it is another text")
        _same(f"{kind} xml response", rows.responses(again), response)
    _same(f"{kind} pickle", rows.responses(pickle.loads(pickle.dumps(model))), response)  # noqa: S301 - ours
    blocks = [rows.responses(model, slice(start, start + 7)) for start in range(0, len(response), 7)]
    _same(f"{kind} blocks", np.concatenate(blocks), response)
    order = np.random.default_rng(1).permutation(len(response))
    _same(f"{kind} order", rows.responses(model, order), response[order])
    _check_reader(booking, model, rows, response)


def _check_reader(booking: RandomBooking, model: Model, rows: Rows, response: Any) -> None:
    reader = TMVA.Reader("!Color:Silent")
    memory = [np.zeros(1, dtype=np.float32) for _ in (*model.variables, *model.spectators)]
    for number, one in enumerate(model.variables):
        reader.AddVariable(one.expression, memory[number])
    for number, one in enumerate(model.spectators, len(model.variables)):
        reader.AddSpectator(one.expression, memory[number])
    reader.BookMVA("tag", f"first/dataset/weights/job_{booking.title}.weights.xml")
    found = []
    for index in range(min(20, len(rows.events))):
        event = rows.events[index] if rows.spectators is None else [*rows.events[index], *rows.spectators[index]]
        for cell, value in zip(memory, event, strict=True):
            cell[0] = value
        if booking.analysis == "Regression":
            found.append(np.array(reader.EvaluateRegression("tag")))
        elif booking.analysis == "Multiclass":
            found.append(np.array(reader.EvaluateMulticlass("tag")))
        else:
            found.append(np.array([reader.EvaluateMVA("tag")]))
    rounded = booking.kind.endswith("ANN") or re.search(r"Boost_Transform=(log|gauss)", booking.options)
    _same(f"{booking.kind} reader", found, response[: len(found)], 1e-15 if rounded else 0.0)


def _check_compiled(booking: RandomBooking, _factory: Any, model: Model, rows: Rows, response: Any) -> None:
    with _compiled("1"):
        _same(f"{booking.kind} compiled response", rows.responses(model), response, 1e-12)
        method = _trained(booking, "compiled").GetMethod("dataset", booking.title)
    if booking.kind == "MLP":
        _same("MLP compiled training", rows.responses(method.model), response, 1e-3)
    elif _text("compiled", booking) != _text("first", booking):
        raise OddityError(f"{booking.kind} compiled training", "another weight file")


def _check_again(booking: RandomBooking, *_: Any) -> None:
    _trained(booking, "again")
    if _text("again", booking) != _text("first", booking):
        raise OddityError(f"{booking.kind} again", "a second training gives another weight file")


def _check_formats(booking: RandomBooking, _factory: Any, model: Model, rows: Rows, response: Any) -> None:
    for ending in (".json", ".npz"):
        path = Path(f"model{ending}")
        writer_of(path)(model, path)
        read = load_any(path)
        _same(f"{booking.kind} {ending}", rows.responses(read), response)
        if read.to_xml() != model.to_xml():
            raise OddityError(f"{booking.kind} {ending} text", "it becomes another weight file")


DRIVER = """
#include "model.hpp"
#include <fstream>
#include <iostream>
int main()
{{
   Made reader({{{names}}});
   std::ifstream in("model.in", std::ios::binary);
   std::ofstream out("model.out", std::ios::binary);
   std::vector<double> event({n});
   while (in.read(reinterpret_cast<char*>(event.data()), static_cast<std::streamsize>(8 * event.size()))) {{
      for (double value : {call})
         out.write(reinterpret_cast<const char*>(&value), 8);
   }}
}}
"""
RESPONSES = {
    "Classification": "std::vector<double>{reader.GetMvaValue(event)}",
    "Regression": "reader.GetRegressionValues(event)",
    "Multiclass": "reader.GetMulticlassValues(event)",
}
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wdouble-promotion", "-Werror")


def _check_cpp(booking: RandomBooking, _factory: Any, model: Model, rows: Rows, response: Any) -> None:
    compiler = shutil.which("g++")
    if compiler is None:
        return
    try:
        source = class_source(model, class_name="Made")
    except TMVAError:
        return  # said so
    Path("model.hpp").write_text(source, encoding="utf-8")
    names = ", ".join(string(one.expression) for one in model.variables)
    driver = DRIVER.format(names=names, n=len(model.variables), call=RESPONSES[booking.analysis])
    Path("driver.cpp").write_text(driver, encoding="utf-8")
    rows.events.tofile("model.in")
    command = [compiler, "-std=c++17", "-O0", *WARNINGS, "driver.cpp", "-o", "driver"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise OddityError(f"{booking.kind} C++", done.stderr[:500])
    done = subprocess.run(["./driver"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise OddityError(f"{booking.kind} C++ run", done.stderr[:500])
    _same(f"{booking.kind} C++ response", np.fromfile("model.out").reshape(response.shape), response, 1e-6)


def _check_onnx(booking: RandomBooking, _factory: Any, model: Model, rows: Rows, response: Any) -> None:
    try:
        writer_of("model.onnx")(model, Path("model.onnx"))
    except TMVAError:
        return  # said so
    spectators = rows.spectators if model.transformations.needs_spectators else None
    found = np.asarray(run_onnx("model.onnx", rows.events, spectators)["response"], dtype=np.float64)
    _same(f"{booking.kind} ONNX", found.reshape(response.shape), response, 1e-5, 0.02)


def _evaluated(factory: Any) -> None:
    with _working_in(Path("first")):
        factory.TestAllMethods()
        factory.EvaluateAllMethods()


def _check_output(_booking: RandomBooking, factory: Any, *_: Any) -> None:
    _evaluated(factory)
    read_output_file(Path("first/out.root"))


def _check_report(booking: RandomBooking, factory: Any, *_: Any) -> None:
    _evaluated(factory)
    gui = {"Regression": "TMVARegGui", "Multiclass": "TMVAMultiClassGui"}.get(booking.analysis, "TMVAGui")
    getattr(TMVA, gui)("first/out.root")


def macro_of(booking: RandomBooking) -> str:
    """Return the booking as a C++ macro."""
    lines = [
        'TFile *input = TFile::Open("../events.root");',
        'TFile *output = TFile::Open("out.root", "RECREATE");',
        f'TMVA::Factory factory("job", output, "!V:Silent:!DrawProgressBar:AnalysisType={booking.analysis}");',
        'TMVA::DataLoader loader("dataset");',
        *(f"loader.{call}({', '.join(arguments)});" for call, arguments in booking.calls()),
    ]
    for name in booking.classes:
        lines.append(f'loader.AddTree((TTree *)input->Get("{name}"), "{name}", 1.0);')
        lines.append(f'loader.SetWeightExpression("w", "{name}");')
    title, options = string(booking.title), string(booking.options)
    lines += [
        f"loader.PrepareTrainingAndTestTree({string(booking.cut)}, {string(booking.prepare)});",
        f"factory.BookMethod(&loader, TMVA::Types::k{booking.kind}, {title}, {options});",
        "factory.TrainAllMethods();",
        "output->Close();",
    ]
    return "void macro() {\n" + "".join(f"  {line}\n" for line in lines) + "}\n"


def _check_macro(booking: RandomBooking, *_: Any) -> None:
    with _working_in(Path("macro")):
        run_text(macro_of(booking))
    if _text("macro", booking) != _text("first", booking):
        raise OddityError(f"{booking.kind} macro", "the macro gives another weight file")


Check = Callable[[RandomBooking, Any, Model, Rows, Any], None]
CHECKED: dict[str, Check] = {
    "compiled": _check_compiled,
    "again": _check_again,
    "formats": _check_formats,
    "cpp": _check_cpp,
    "onnx": _check_onnx,
    "output": _check_output,
    "report": _check_report,
    "macro": _check_macro,
}
