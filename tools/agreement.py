"""Largest relative differences from the records of ROOT 6.40, case by case."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import pytmva_bnn as TMVA

CASES = Path(__file__).resolve().parent.parent / "xml_fixtures" / "cases"


def difference(ours: np.ndarray, theirs: np.ndarray) -> str:
    """Return the largest relative difference as text."""
    with np.errstate(divide="ignore", invalid="ignore"):
        relative = np.abs(ours - theirs) / np.abs(theirs)
    return f"{np.nanmax(np.where(ours == theirs, 0.0, relative)):.0e}"


def main() -> None:
    """Print the table."""
    print(f"{'case':<18}{'response':>10}{'lower error':>14}{'upper error':>14}  file read and written again")
    for folder in sorted(CASES.iterdir()):
        model = TMVA.load(folder / "weights.xml")
        with np.load(folder / "expected.npz") as expected:
            inputs = expected["inputs"]
            kind = {"Classification": "mva", "Regression": "regression", "Multiclass": "multiclass"}[
                model.analysis_type
            ]
            row = [difference(model.predict(inputs), expected[kind])]
            if model.has_errors and expected["err_lower"].any():
                lower, upper = model.fitted.error_bars(model.transformations.forward(inputs, None), folder.name)
                row += [difference(lower, expected["err_lower"]), difference(upper, expected["err_upper"])]
            row += ["-"] * (3 - len(row))
        same = model.to_xml() == (folder / "weights.xml").read_text()
        print(f"{folder.name:<18}{row[0]:>10}{row[1]:>14}{row[2]:>14}  {'identical' if same else 'DIFFERENT'}")


if __name__ == "__main__":
    main()
