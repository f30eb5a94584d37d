"""The records of an option string are those that the real TMVA (ROOT 6.40.00) wrote to its weight file."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from pytmva_bnn.methods.mlp.option_table import MLP_METHOD_OPTIONS
from pytmva_bnn.options import OptionRecord, OptionSet
from tools.reference_cases import Case

# one of a classification with the regulator, one of back-propagation in batches, one of a regression
CASES = pytest.mark.parametrize(("name", "estimator"), [("bnn_020", "CE"), ("bp_batch", "CE"), ("reg_none", "MSE")])


def records_of(case: Case) -> list[OptionRecord]:
    options = ET.fromstring(case.weights_text).iterfind("Options/Option")  # noqa: S314 - our own file
    return [OptionRecord(one.get("name"), one.text, one.get("modified") == "Yes") for one in options]


@CASES
def test_records_are_those_of_tmva(name: str, estimator: str) -> None:
    case = Case(name)
    options = OptionSet(MLP_METHOD_OPTIONS, owner="MLP")
    options.parse(case.booked["options"])
    options.check_unused()
    options.set_value("EstimatorType", estimator)  # as booking does
    assert len(options.records()) == 32
    assert options.records() == records_of(case)


@CASES
def test_records_of_tmva_are_read(name: str, estimator: str) -> None:
    records = records_of(Case(name))
    options = OptionSet(MLP_METHOD_OPTIONS, owner="MLP")
    options.parse_records(records)
    options.check_unused()
    assert options.string("EstimatorType") == estimator
    assert [record.value for record in options.records()] == [record.value for record in records]
    assert all(options.is_set(name) for name in options)
