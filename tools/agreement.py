"""How far our numbers are from the records of ROOT 6.40, case by case.

usage: tools/agreement [--write] [NAME ...]

For every case of xml_fixtures: the largest relative difference of the responses (and of error bars), whether the weight
file read and written again is the same, and what a training with the same events and options gives: the largest
difference of a number in <Weights>, relative to the largest number of its kind, and of the inverse Hessian.  --write
puts the table into docs/accuracy.md.  Names choose cases: svm stands for all that begin so.
"""

from __future__ import annotations

import argparse
import logging
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from reference_cases import FIXTURES, Case, train

import pytmva_bnn as TMVA

PAGE = FIXTURES.parent / "docs" / "accuracy.md"
HEAD = """# Agreement with TMVA

What ROOT 6.40 has recorded, and this package: made by `tools/agreement --write`.

* **response**: the largest relative difference over all events of the record, a quarter of which lies outside the
  training range; for Cuts, how many responses differ at all efficiencies together.
* **errors**: the same for lower and upper error bars, where there are any.
* **file**: the weight file, read and written again.
* **training**: with the same events and options, the largest difference between numbers in `<Weights>`, relative to the
  largest of their element. `same` is every digit; `-` stands for records that are not trained, see below.
* **Hessian**: the same for the inverse Hessian, which magnifies rounding: its condition number is 1e6 to 1e11.

"""
FOOT = """
What is not `same`, and why:

* MLP: sums are rounded in a different order than in TMVA, and a training magnifies this from step to step. After some
  hundred epochs (`bnn_200`, `fakerate_bnn`) two programs end at different points of the same valley; for these the
  table has the median difference of the responses in units of TMVA's error bar.
* `bdt_fisher2`, `bdt_fisher_excl`, `bdt_reg_ls`: the last bit of some numbers. TMVA adds in the order of memory
  addresses, or inverts a matrix in another order.
* `bdt_rf`, `bdt_rf_full`: TMVA draws the seed of the first randomised tree anew in each run; all other trees are
  compared.
* `cuts_ga`: TMVA's last cycle starts from a population with an unknown seed, so that its own runs differ in a few
  bins.
* RuleFit and Category with an MLP: rounding.
* `svm_reg_read` is made by hand, and one of its numbers has a digit more than a double holds.
* Not trained: `bdt_text39` and `svm_reg_read` are files only; `fda_minuit` and `fda_multi` are trainings in which
  TMVA has defects; `tmlpann` is seeded by the clock in TMVA.
* DNN and DL are [read only](other-networks.md#dl-and-dnn), and there are no records of them.
"""
KEYS = {"Classification": "mva", "Regression": "regression", "Multiclass": "multiclass"}
NOT_TRAINED = {"fda_minuit", "fda_multi", "tmlpann", "bdt_text39", "svm_reg_read"}
FIRST_TREE_IS_RANDOM = {"bdt_rf", "bdt_rf_full"}
MATRIX = "Row"
"""The element of <Weights> that holds a row of the inverse Hessian."""
ANOTHER_POINT = 1e-3
"""Weights of networks that differ by more are those of another point of the valley."""
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_ELEMENT = re.compile(r"<(\w+)([^<>]*)>([^<]*)")


def difference(ours: np.ndarray, theirs: np.ndarray) -> str:
    """Return the largest relative difference as text."""
    with np.errstate(divide="ignore", invalid="ignore"):
        relative = np.abs(ours - theirs) / np.abs(theirs)
    return shown(np.nanmax(np.where(ours == theirs, 0.0, relative)))


def shown(value: float) -> str:
    """Return a difference as text."""
    return "same" if value == 0.0 else f"{value:.0e}"


def responses(case: Case, model: TMVA.Model) -> tuple[str, str]:
    """Return how responses and error bars differ."""
    inputs, expected = case.expected["inputs"], case.expected
    if "effs" in expected:
        found = [model.at_efficiency(float(one)).predict(inputs) for one in expected["effs"]]
        wrong = np.count_nonzero(np.array(found) != expected["mva"])
        return ("same" if wrong == 0 else f"{wrong} of {expected['mva'].size}"), "-"
    key = KEYS[model.analysis_type]
    errors = "-"
    if model.has_errors and expected.get("err_lower", np.zeros(1)).any():
        bars = model.fitted.error_bars(model.transformations.forward(inputs, None), case.name)
        errors = difference(np.array(bars), np.array([expected["err_lower"], expected["err_upper"]]))
    return difference(model.predict(inputs), expected[key]), errors


def numbers(text: str) -> dict[str, np.ndarray]:
    """Return the numbers in <Weights> by the name of their element."""
    found: dict[str, list[str]] = {}
    for name, attributes, content in _ELEMENT.findall(text[text.index("<Weights") :]):
        if name in ("Info", "GeneralInfo"):  # of methods within the method: date, host and the like
            continue
        found.setdefault(name, []).extend(_NUMBER.findall(attributes + content))
    return {name: np.array(values, dtype=np.float64) for name, values in found.items()}


def trained(case: Case) -> tuple[str, str]:
    """Return how weights and inverse Hessian of a training differ."""
    if case.name in NOT_TRAINED or "trees" not in case.booked:
        return "-", "-"
    with tempfile.TemporaryDirectory() as folder:
        before = Path.cwd()
        os.chdir(folder)
        try:
            (method,) = train(case).methods
            ours = Path(method.weight_file).read_text()
        finally:
            os.chdir(before)
    theirs = case.weights_text
    if case.name in FIRST_TREE_IS_RANDOM:
        ours, theirs = map(_without_first_tree, (ours, theirs))
    found, expected = numbers(ours), numbers(theirs)
    if {k: v.size for k, v in found.items()} != {k: v.size for k, v in expected.items()}:
        return "other structure", "-"
    if case.name == "cuts_ga":
        return f"{_same_bins(ours, theirs)} of 100 bins the same", "-"
    apart = {name: _relative(found[name], expected[name]) for name in expected}
    matrix = shown(apart.pop(MATRIX)) if MATRIX in apart else "-"
    weights = max(apart.values())
    if weights > ANOTHER_POINT and matrix != "-":
        return f"{_error_bars_apart(case, method.model):.2f} error bars", "-"
    return shown(weights) + (", but for the first tree" if case.name in FIRST_TREE_IS_RANDOM else ""), matrix


def _without_first_tree(text: str) -> str:
    """Return a weight file whose <Weights> begin with the second tree."""
    start = text.index("<Weights")
    return text[:start] + "<Weights>" + text[text.index("</BinaryTree>", start) :]


def _error_bars_apart(case: Case, model: TMVA.Model) -> float:
    """Return the median difference of responses in units of TMVA's smaller error bar."""
    inputs = case.expected["inputs"]
    value, lower, upper = TMVA.load(case.weights).predict(inputs, errors=True)
    return float(np.median(np.abs(model.predict(inputs) - value) / np.minimum(lower, upper)))


def _relative(ours: np.ndarray, theirs: np.ndarray) -> float:
    return float(np.abs(ours - theirs).max(initial=0.0) / np.abs(theirs).max(initial=1e-300))


def _same_bins(ours: str, theirs: str) -> int:
    one, other = (re.findall(r"<Cuts [^>]*>", text) for text in (ours, theirs))
    return sum(a == b for a, b in zip(one, other, strict=True))


def rows(chosen: list[str]) -> Iterator[list[str]]:
    """Yield the row of each case: method, name, and what agrees."""
    for group in ("cases", "methods"):
        for folder in sorted((FIXTURES / group).iterdir()):
            if chosen and not folder.name.startswith(tuple(chosen)):
                continue
            case = Case(folder.name, group)
            if not any(path.name.startswith("weights.xml") for path in folder.iterdir()):
                continue
            model = TMVA.load(case.weights)
            response, errors = responses(case, model)
            same = "same" if model.to_xml() == case.weights_text else "differs"
            yield [model.file.kind, case.name, response, errors, same, *trained(case)]


def main() -> None:
    """Print the table, or write the page."""
    parser = argparse.ArgumentParser(prog="tools/agreement", description=__doc__.split("\n\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}")
    arguments = parser.parse_args()
    logging.getLogger("pytmva_bnn").setLevel(logging.ERROR)
    head = ["method", "case", "response", "errors", "file", "training", "Hessian"]
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    for row in rows(arguments.names):
        lines.append(f"| {' | '.join(row)} |")
        print(lines[-1], file=sys.stderr if arguments.write else sys.stdout, flush=True)
    if arguments.write:
        PAGE.write_text(HEAD + "\n".join(lines) + "\n" + FOOT)


if __name__ == "__main__":
    main()
