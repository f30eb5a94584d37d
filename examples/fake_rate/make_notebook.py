"""Write fake_rate.ipynb, the steps of fake_rate.py as a notebook without outputs.

python make_notebook.py
"""

import json
from pathlib import Path

CELLS = [
    """# How often is a muon from a heavy quark taken for an isolated one?

A probability fit with error bars: P(isol | pT, HT) is measured in events with one muon and predicts how many muons of
same-charge pairs are isolated.  The functions are those of `fake_rate.py`; start the notebook in its folder.""",
    """from pathlib import Path

from fake_rate import CLOSURE_HEAD, closure, plot_closure, plot_map, read, show_training, train

import pytmva_bnn as TMVA

N_TRAIN, N_CYCLES = 50_000, 300
output = Path("demo_output")""",
    """## The samples

The average rates do not agree, because the kinematics differ: a rate must be measured as a function.""",
    """single, pairs = read("single_muon", last=N_TRAIN), read("dimuon_ss")
for name, muons in (("single muons", single), ("same-charge pairs", pairs)):
    print(f"{name:<20} {muons['isol'].mean():.2%} isolated, mean pT {muons['pt'].mean():.1f} GeV, "
          f"mean HT {muons['ht'].mean():.0f} GeV")""",
    """## Training

The muons that pass the isolation cut are the signal, the others the background; cross entropy, regulators and the
inverse Hessian make the network a fit of a probability with errors.""",
    """method = train("single_muon", ["pt", "ht"], output, N_TRAIN, N_CYCLES)
show_training(method)
print(method.evidence.table(("pt", "ht")))""",
    """## Prediction

The weight file can be read by TMVA and by `TMVA.load`.""",
    """model = TMVA.load(method.weight_file)
value, lower, upper = model.predict({"pt": [12.0, 20.0, 35.0], "ht": [60.0, 90.0, 150.0]}, errors=True)
for row in zip(value, lower, upper, strict=True):
    print("P(isol) = {:.3f} -{:.3f} +{:.3f}".format(*row))""",
    """## Closure

The number of isolated muons in the pairs, with the error by the network's parameters (correlations included) and the
counting error.""",
    """print(CLOSURE_HEAD)
print(closure("same-charge pairs", model, pairs))
print(plot_map(model, single, output / "map"))
print(plot_closure(model, pairs, output / "closure", "same-charge pairs"))""",
    """## A warning

With underlying event the same measurement fails by far more than its error, and adding eta does not help: an error bar
knows about the statistics of the training sample, not about a rate that depends on something else.""",
    """pairs_ue = read("dimuon_ss_ue")
print(CLOSURE_HEAD)
for variables in (["pt", "ht"], ["pt", "ht", "eta"]):
    fitted = train("single_muon_ue", variables, output, N_TRAIN, N_CYCLES)
    print(closure(f"pairs with UE, by {', '.join(variables)}", fitted.model, pairs_ue))""",
]


def cell(number, text):
    """Return one cell: those with an odd number are code."""
    made = {"id": f"cell-{number}", "metadata": {}, "source": text.splitlines(keepends=True)}
    if number % 2:
        return {"cell_type": "code", "execution_count": None, "outputs": [], **made}
    return {"cell_type": "markdown", **made}


def main() -> None:
    """Write the notebook beside this script."""
    notebook = {
        "cells": [cell(number, text) for number, text in enumerate(CELLS)],
        "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    path = Path(__file__).resolve().parent / "fake_rate.ipynb"
    path.write_text(json.dumps(notebook, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
