from dataclasses import replace

import awkward as ak
import numpy as np
import pandas as pd
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import InputError
from pytmva_bnn.events.columns import Columns
from pytmva_bnn.events.variables import VariableRecord

VARIABLES = [
    VariableRecord.define("pt"),
    VariableRecord.define("s := a + b"),
    VariableRecord.define("abs(eta)"),
]
EXPECTED = np.array([[1, 10, 100], [2, 20, 200], [3, 30, 300]], dtype=np.float32)
COLUMNS = {"abs(eta)": [100.0, 200.0, 300.0], "a+b": [10, 20, 30], "pt": np.array([1.0, 2.0, 3.0])}


@pytest.mark.parametrize(
    "events",
    [
        EXPECTED,
        EXPECTED.astype(np.float64),
        EXPECTED.astype(np.int64),
        EXPECTED.tolist(),
        np.asfortranarray(EXPECTED),
        COLUMNS,
        {"pt": [1, 2, 3], "s": [10, 20, 30], "abs(eta)": [100, 200, 300], "unused": ["x", "y", "z"]},
        {"pt": [1, 2, 3], "a + b": [10, 20, 30], "abs_eta_": [100, 200, 300]},
        pd.DataFrame(COLUMNS),
        pd.DataFrame(EXPECTED),
        ak.Array(
            [
                {"pt": 1, "s": 10, "abs(eta)": 100},
                {"pt": 2, "s": 20, "abs(eta)": 200},
                {"pt": 3, "s": 30, "abs(eta)": 300},
            ]
        ),
        ak.Array(EXPECTED),
        np.array([(1, 10, 100), (2, 20, 200), (3, 30, 300)], dtype=[("pt", "f4"), ("s", "f8"), ("abs(eta)", "i4")]),
    ],
)
def test_every_form_gives_the_same_float32_matrix(events):
    columns = Columns(events, VARIABLES)
    assert columns.n_events == 3
    block = columns.block(0, 3)
    assert block.dtype == np.float32
    np.testing.assert_array_equal(block, EXPECTED)
    np.testing.assert_array_equal(columns.block(1, 99), EXPECTED[1:])


def test_expressions_are_computed_from_the_columns_they_name():
    columns = {"pt": [1, 2, 3], "a": [4, 8, 12], "b": [6.0, 12.0, 18.0], "eta": [-100.0, 200.0, -300.0]}
    for events in (columns, pd.DataFrame(columns), ak.zip(columns)):
        result = Columns(events, VARIABLES)
        np.testing.assert_array_equal(result.block(0, 3), EXPECTED)
        np.testing.assert_array_equal(result.block(1, 2), EXPECTED[1:2])


def test_elements_of_jagged_columns_can_be_named():
    variables = [
        VariableRecord.define("jets[0]"),
        VariableRecord.define("Sum$(jets)"),
        VariableRecord.define("Entry$+jets[0]"),
    ]
    result = Columns({"jets": ak.Array([[3.0, 1.0], [5.0]])}, variables)
    np.testing.assert_array_equal(result.block(0, 2), [[3, 4, 3], [5, 5, 6]])
    np.testing.assert_array_equal(result.block(1, 2), [[5, 5, 6]])
    with pytest.raises(InputError, match=r"several values per event; choose an element"):
        Columns({"jets": ak.Array([[3.0, 1.0], [5.0]])}, [VariableRecord.define("2*jets")]).block(0, 2)


def test_columns_of_an_expression_must_be_of_one_length():
    with pytest.raises(InputError, match=r"the columns have different lengths \(.*\bb: 2"):
        Columns({"pt": [1], "a": [1], "b": [1, 2], "eta": [1]}, VARIABLES)


def test_numbers_are_rounded_to_float32_and_too_large_ones_become_infinite():
    block = Columns([[0.1, 1e39, -1e39]], VARIABLES).block(0, 1)
    np.testing.assert_array_equal(block, np.array([[np.float32(0.1), np.inf, -np.inf]]))


def test_masked_values_become_nan():
    masked = np.ma.MaskedArray([1.0, 2.0, 3.0], mask=[False, True, False])
    missing = ak.Array([1.0, None, 3.0])
    for column in (masked, missing):
        block = Columns({**COLUMNS, "pt": column}, VARIABLES).block(0, 3)
        np.testing.assert_array_equal(block[:, 0], [1.0, np.nan, 3.0])


@pytest.mark.parametrize(
    ("events", "message"),
    [
        ({"pT": [1.0]}, r"missing variables: pt \(did you mean pT\?\), a\+b, abs\(eta\).*columns given are: pT"),
        ({**COLUMNS, "pt": [1.0]}, "different lengths.*pt: 1"),
        ({**COLUMNS, "pt": ["a", "b", "c"]}, "'pt' must be a 1-D array of numbers"),
        ({**COLUMNS, "pt": [[1], [2], [3]]}, "'pt' must be a 1-D array of numbers, but is 2-D"),
        ([1.0, 2.0, 3.0], r"\(n_events, 3\).*pt, a\+b, abs\(eta\).*one event use \[\[...\]\]"),
        (np.zeros((4, 2)), r"got shape \(4, 2\)"),
        ([["a", "b", "c"]], "must be numbers"),
        ([[1, 2, 3], [1, 2]], "cannot be converted to a 2-D array"),
        (None, r"type NoneType are not supported; give an array .*pandas or polars.*pyarrow.*'file.root:tree'"),
    ],
)
def test_what_does_not_fit_is_told(events, message):
    with pytest.raises(InputError, match=message):
        Columns(events, VARIABLES)


def test_masked_values_of_a_matrix_are_missing():
    model = TMVA.load("xml_fixtures/cases/fakerate_bnn/weights.xml")
    events = np.ma.masked_array([[15.0, -999.0], [15.0, 80.0]], mask=[[0, 1], [0, 0]])
    found = model.predict(events)
    np.testing.assert_array_equal(np.isnan(found), [True, False])
    assert found[1] == model.predict(np.float32([[15.0, 80.0]]))[0]


ELEMENTS = [
    VariableRecord.define("y"),
    *(replace(VariableRecord.define("m"), internal=f"m[{i}]", title=f"[{i}]", type="F[]") for i in range(2)),
]


@pytest.mark.parametrize(
    "events",
    [
        {"m": np.array([[1.0, 2.0, 9.0], [3.0, 4.0, 9.0]]), "y": [5.0, 6.0]},
        {"m[1]": [2.0, 4.0], "y": [5.0, 6.0], "m[0]": [1.0, 3.0]},
        ak.Array({"y": [5.0, 6.0], "m": [[1.0, 2.0], [3.0, 4.0]]}),
    ],
)
def test_elements_of_an_array_come_from_a_column_of_arrays(events):
    np.testing.assert_array_equal(Columns(events, ELEMENTS).block(0, 2), [[5, 1, 2], [6, 3, 4]])


@pytest.mark.parametrize("array", [[1.0, 3.0], [[1.0], [3.0]]])
def test_too_small_an_array_is_refused(array):
    with pytest.raises(InputError, match=r"the column 'm' is an array of the event: give it as a 2-D array"):
        Columns({"m": array, "y": [5.0, 6.0]}, ELEMENTS)
