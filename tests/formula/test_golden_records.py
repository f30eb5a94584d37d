"""Every record of the real TTreeFormula (ROOT 6.40.00, see xml_fixtures/formula/formulas.json)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import uproot

from pytmva_bnn.formula import Formula, FormulaError, TreeInfo, evaluate
from pytmva_bnn.formula import randoms as randoms_module

FIXTURES = Path(__file__).parents[2] / "xml_fixtures"
RECORDS = json.loads((FIXTURES / "formula" / "formulas.json").read_text())
TREE = TreeInfo(name="TreeS", entries=2500)

RANDOM = "rndm"
MEANINGLESS = "TMath::LocMax(3,var1)"  # the location of a maximum in something that is no array
HARMLESS = {"+var1", "3.14f*pt", "1e3f", "1000L", "true", "false", "kTRUE", "std::sqrt(pt)", "std::log(pt)"} | {
    "std::max(var1,var2)"
}
"""ROOT refuses these; we accept them."""
APPROXIMATE = {"TMath::ChisquareQuantile(0.5,2)": 1e-12, "TMath::Freq(var1)": 1e-13}
LAST_BITS = 1e-14
"""Mathematical libraries differ in the last bits of exp, sinh … ."""


@pytest.fixture(scope="module")
def columns() -> dict[str, Any]:
    with uproot.open(FIXTURES / "data" / "class.root") as file:
        arrays: dict[str, Any] = file["TreeS"].arrays(library="np", entry_stop=RECORDS["entries"])
    return arrays


def records(*, accepted: bool) -> list[Any]:
    return [
        pytest.param(record, id=record["expr"] or "empty")
        for record in RECORDS["formulas"]
        if record["ok"] is accepted and record["expr"] not in {RANDOM, MEANINGLESS}
    ]


@pytest.mark.parametrize("record", records(accepted=True))
def test_values_are_those_of_ttreeformula(record: dict[str, Any], columns: dict[str, Any]) -> None:
    values = evaluate(record["expr"], columns, tree=TREE)
    expected = np.array([float(value) for value in record["values"]])
    assert values.shape == (RECORDS["entries"],)
    assert values.dtype == np.float64
    np.testing.assert_allclose(values, expected, rtol=APPROXIMATE.get(record["expr"], LAST_BITS), atol=0)


@pytest.mark.parametrize("record", records(accepted=False))
def test_what_ttreeformula_refuses_is_refused_unless_harmless(record: dict[str, Any], columns: dict[str, Any]) -> None:
    if record["expr"] in HARMLESS:
        assert not record.get("refuse")
        assert evaluate(record["expr"], columns, tree=TREE).shape == (RECORDS["entries"],)
        return
    with pytest.raises(FormulaError):
        evaluate(record["expr"], columns, tree=TREE)


def test_records_that_must_be_refused_exist() -> None:
    assert sum(bool(record.get("refuse")) for record in RECORDS["formulas"]) == 4


def test_the_meaningless_record_is_refused(columns: dict[str, Any]) -> None:
    with pytest.raises(FormulaError, match="no function 'TMath::LocMax'"):
        evaluate(MEANINGLESS, columns)


def test_first_random_numbers_are_roots(columns: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(randoms_module, "_GENERATOR", randoms_module.TRandom3())
    expected = next(record["values"] for record in RECORDS["formulas"] if record["expr"] == RANDOM)
    assert evaluate("rndm", columns).tolist() == expected
    assert evaluate("rndm", columns).tolist() != expected


@pytest.mark.parametrize("record", records(accepted=True))
def test_one_entry_at_a_time_gives_the_same(record: dict[str, Any], columns: dict[str, Any]) -> None:
    formula = Formula(record["expr"])
    whole = formula.evaluate(columns, tree=TREE)
    picked = formula.at(columns, [7, 3, 39], 0, tree=TREE)
    np.testing.assert_allclose(picked, whole[[7, 3, 39]], rtol=LAST_BITS, atol=0)
