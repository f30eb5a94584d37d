"""Array branches, worked out by hand: spec/dataset.md 6.4 and 6.5."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import awkward as ak
import numpy as np
import pytest

from pytmva_bnn.formula import Formula, FormulaError, evaluate, is_jagged

PT = [[10.0, 20.0, 30.0], [], [40.0]]
FORMS = {
    "lists": PT,
    "awkward": ak.Array(PT),
    "object array": np.array([np.array(entry) for entry in PT], dtype=object),
    "tuples": tuple(np.array(entry) for entry in PT),
    "missing list": ak.Array([PT[0], None, PT[2]]),
}
COLUMNS: dict[str, Any] = {
    "pt": PT,
    "id": [[1, 2], [7], [3]],
    "n": [3, 0, 1],
    "x": [1.0, 2.0, 3.0],
    "fix": np.array([[1, 2], [3, 4], [5, 6]], dtype=np.float32),
    "m": np.arange(18.0).reshape(3, 3, 2),  # m[entry][i][j] = 6*entry + 2*i + j
    "vv": [[[1.0], [2.0, 3.0]], [], [[], [4.0]]],
}
NAN = float("nan")


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_a_jagged_column(form: str) -> None:
    columns = {"pt": FORMS[form]}
    assert evaluate("2*pt", columns).tolist() == [[20.0, 40.0, 60.0], [], [80.0]]
    assert evaluate("Sum$(pt)", columns).tolist() == [60.0, 0.0, 40.0]


JAGGED = [
    ("pt", [[10.0, 20.0, 30.0], [], [40.0]]),
    ("pt[]", [[10.0, 20.0, 30.0], [], [40.0]]),
    ("pt*x", [[10.0, 20.0, 30.0], [], [120.0]]),
    ("pt>15", [[0.0, 1.0, 1.0], [], [1.0]]),
    ("pt+id", [[11.0, 22.0], [], [43.0]]),  # the shortest array counts
    ("pt+fix", [[11.0, 22.0], [], [45.0]]),
    ("pt+id[0]", [[11.0, 21.0, 31.0], [], [43.0]]),
    ("pt+id[1]", [[12.0, 22.0, 32.0], [], []]),  # no id[1] in the last entry: no instance
    ("pt*0+Iteration$", [[0.0, 1.0, 2.0], [], [0.0]]),
    ("pt*0+Length$", [[3.0, 3.0, 3.0], [], [1.0]]),
    ("pt/Sum$(pt)", [[1 / 6, 1 / 3, 0.5], [], [1.0]]),
    ("pt+Alt$(id,0)", [[11.0, 22.0, 30.0], [], [43.0]]),
    ("pt+Alt$(id[0],0)", [[11.0, 20.0, 30.0], [], [43.0]]),  # id[0] only at instance 0
    ("pt[id-1]", [[10.0, 20.0], [NAN], [NAN]]),
    ("pt>15?pt:-1", [[-1.0, 20.0, 30.0], [], [40.0]]),
    ("fix", [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
    ("m[1]", [[2.0, 3.0], [8.0, 9.0], [14.0, 15.0]]),
    ("m[][1]", [[1.0, 3.0, 5.0], [7.0, 9.0, 11.0], [13.0, 15.0, 17.0]]),
    ("m[1][]", [[2.0, 3.0], [8.0, 9.0], [14.0, 15.0]]),
    ("m", [[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 10.0, 11.0], [12.0, 13.0, 14.0, 15.0, 16.0, 17.0]]),
    ("vv", [[1.0, 2.0, 3.0], [], [4.0]]),
    ("vv[1]", [[2.0, 3.0], [], [4.0]]),
    ("vv[][0]", [[1.0, 2.0], [], [NAN, 4.0]]),
]


@pytest.mark.parametrize(("expression", "expected"), JAGGED)
def test_array_valued(expression: str, expected: list[list[float]]) -> None:
    result = evaluate(expression, COLUMNS)
    assert isinstance(result, ak.Array)
    assert ak.num(result).tolist() == [len(entry) for entry in expected]
    np.testing.assert_allclose(ak.to_numpy(ak.flatten(result)), [v for entry in expected for v in entry], rtol=1e-15)
    assert is_jagged(expression, COLUMNS)
    assert Formula(expression).counts(COLUMNS).tolist() == [len(entry) for entry in expected]


SCALAR = [
    # expression, values, number of instances
    ("x", [1.0, 2.0, 3.0], [1, 1, 1]),
    ("x[0]", [1.0, 2.0, 3.0], [1, 1, 1]),
    ("x[]", [1.0, 2.0, 3.0], [1, 1, 1]),
    ("x[1]", [NAN, NAN, NAN], [0, 0, 0]),
    ("pt[0]", [10.0, NAN, 40.0], [1, 0, 1]),
    ("pt[1]", [20.0, NAN, NAN], [1, 0, 0]),
    ("pt[n-1]", [30.0, NAN, 40.0], [1, 0, 1]),
    ("pt[-1]", [NAN, NAN, NAN], [0, 0, 0]),
    ("pt[1.9]", [20.0, NAN, NAN], [1, 0, 0]),
    ("pt[0][0]", [10.0, NAN, 40.0], [1, 0, 1]),
    ("pt[0]+id[1]", [12.0, NAN, NAN], [1, 0, 0]),
    ("fix[1]", [2.0, 4.0, 6.0], [1, 1, 1]),
    ("m[2][1]", [5.0, 11.0, 17.0], [1, 1, 1]),
    ("m[2][2]", [NAN, NAN, NAN], [0, 0, 0]),
    ("vv[1][1]", [3.0, NAN, NAN], [1, 0, 0]),
    ("Length$(pt)", [3.0, 0.0, 1.0], [1, 1, 1]),
    ("@pt.size()", [3.0, 0.0, 1.0], [1, 1, 1]),
    ("Length$(pt+id)", [2.0, 0.0, 1.0], [1, 1, 1]),
    ("Length$(pt[1])", [1.0, 0.0, 0.0], [1, 1, 1]),
    ("Length$", [1.0, 1.0, 1.0], [1, 1, 1]),
    ("Sum$(pt)", [60.0, 0.0, 40.0], [1, 1, 1]),
    ("Sum$(pt>15)", [2.0, 0.0, 1.0], [1, 1, 1]),
    ("Sum$(x)", [1.0, 2.0, 3.0], [1, 1, 1]),
    ("Sum$(pt*x)", [60.0, 0.0, 120.0], [1, 1, 1]),
    ("Sum$(pt[1])", [20.0, 0.0, 0.0], [1, 1, 1]),
    ("Sum$(Iteration$*(pt>0))", [3.0, 0.0, 0.0], [1, 1, 1]),
    ("Sum$(Length$*(pt>0))", [9.0, 0.0, 1.0], [1, 1, 1]),
    ("Sum$(1)", [1.0, 1.0, 1.0], [1, 1, 1]),
    ("Max$(pt)", [30.0, 0.0, 40.0], [1, 1, 1]),
    ("Max$(-pt)", [-10.0, 0.0, -40.0], [1, 1, 1]),
    ("Min$(pt)", [10.0, 0.0, 40.0], [1, 1, 1]),
    ("MinIf$(pt,pt>15)", [20.0, 0.0, 40.0], [1, 1, 1]),
    ("MaxIf$(pt,id<2)", [10.0, 0.0, 0.0], [1, 1, 1]),
    ("MaxIf$(pt,x>5)", [0.0, 0.0, 0.0], [1, 1, 1]),
    ("Sum$(pt/Max$(pt))", [2.0, 0.0, 1.0], [1, 1, 1]),
    ("Alt$(pt[1],-1)", [20.0, -1.0, -1.0], [1, 1, 1]),
    ("Alt$(pt[0],0)+Alt$(pt[1],0)+Alt$(pt[2],0)", [60.0, 0.0, 40.0], [1, 1, 1]),
    ("Sum$(pt)>0&&x<3", [1.0, 0.0, 0.0], [1, 1, 1]),
    ("Sum$(m[][1])", [9.0, 27.0, 45.0], [1, 1, 1]),
    ("Sum$(vv)", [6.0, 0.0, 4.0], [1, 1, 1]),
]


@pytest.mark.parametrize(("expression", "expected", "counts"), SCALAR)
def test_one_value_an_entry(expression: str, expected: list[float], counts: list[int]) -> None:
    result = evaluate(expression, COLUMNS)
    assert isinstance(result, np.ndarray)
    np.testing.assert_allclose(result, expected, rtol=1e-15)
    assert not is_jagged(expression, COLUMNS)
    assert Formula(expression).counts(COLUMNS).tolist() == counts


AT_INSTANCE_1 = [
    ("x", [1.0, 2.0, 3.0]),  # scalars repeat
    ("pt", [20.0, NAN, NAN]),  # arrays end
    ("pt+x", [21.0, NAN, NAN]),
    ("pt[0]", [10.0, NAN, 40.0]),
    ("Sum$(pt)", [60.0, 0.0, 40.0]),
    ("Iteration$", [1.0, 1.0, 1.0]),
    ("Alt$(pt,-1)", [20.0, -1.0, -1.0]),
    ("Alt$(pt[2],-1)", [-1.0, -1.0, -1.0]),
    ("m[][1]", [3.0, 9.0, 15.0]),
]


@pytest.mark.parametrize(("expression", "expected"), AT_INSTANCE_1)
def test_evaluation_at_another_instance(expression: str, expected: list[float]) -> None:
    np.testing.assert_array_equal(Formula(expression).at(COLUMNS, [0, 1, 2], 1), expected)


def test_fields_of_awkward_records() -> None:
    jets = ak.Array([[{"pt": 1.0, "n": 2}], [], [{"pt": 3.0, "n": 4}, {"pt": 5.0, "n": 6}]])
    assert evaluate("jets.pt*jets.n", {"jets": jets}).tolist() == [[2.0], [], [12.0, 30.0]]
    assert evaluate("Alt$(jets[0].pt,0)", {"jets": jets}).tolist() == [1.0, 0.0, 3.0]
    with pytest.raises(FormulaError, match="has the fields pt, n"):
        evaluate("jets", {"jets": jets})
    with pytest.raises(FormulaError, match="no member 'eta'"):
        evaluate("jets.eta", {"jets": jets})


def test_missing_numbers_are_not_numbers() -> None:
    np.testing.assert_array_equal(evaluate("x", {"x": ak.Array([1.0, None])}), [1.0, NAN])


def test_a_column_whose_lists_are_all_empty() -> None:
    columns = {"pt": [[], []], "vv": ak.values_astype(ak.Array([[], [[]]]), np.float64)}
    assert evaluate("pt", columns).tolist() == [[], []]
    assert evaluate("Max$(pt)", columns).tolist() == [0.0, 0.0]
    assert Formula("pt[0]").counts(columns).tolist() == [0, 0]
    np.testing.assert_array_equal(evaluate("pt[0]", columns), [NAN, NAN])
    np.testing.assert_array_equal(evaluate("vv[0][0]", columns), [NAN, NAN])
    assert evaluate("Sum$(vv)", columns).tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("expression", "problem"),
    [("m[id]", "all dimensions are indexed"), ("t[][0][]", "one dimension"), ("t[][0]", "one dimension")],
)
def test_index_patterns_that_are_refused(expression: str, problem: str) -> None:
    with pytest.raises(FormulaError, match=problem):
        evaluate(expression, {**COLUMNS, "t": np.zeros((3, 2, 2, 2))})


@pytest.mark.parametrize(
    ("column", "problem"),
    [
        (["a", "b", "c"], "of type"),
        ([[1.0], 2.0, 3.0], "some are arrays"),
        ([["a"], ["b"], ["c"]], "not numbers"),
        (np.array(["a", None, 1], dtype=object), "not numbers"),
        (ak.Array(["a", "b", "c"]), "of type|cannot be used"),
        (np.array([1j, 2j, 3j]), "of type complex"),
        ([1.0, 2.0], "has 2 entries, others have 3"),
        (np.zeros(3, dtype=[("a", "f4")]), "has the fields a"),
        (5.0, "a single value"),
    ],
)
def test_columns_that_cannot_be_used(column: Any, problem: str) -> None:
    with pytest.raises(FormulaError, match=problem):
        evaluate("n+bad", {"n": [1, 2, 3], "bad": column})


def test_a_single_number_is_no_column() -> None:
    with pytest.raises(FormulaError, match="a single value"):
        evaluate("x", {"x": 5.0})


def test_constants_have_no_elements() -> None:
    with pytest.raises(FormulaError, match="there is no branch 'pi'"):
        evaluate("pi[0]", COLUMNS)


def test_awkward_and_scipy_are_not_imported_for_scalar_columns() -> None:
    code = (
        "import sys; from pytmva_bnn.formula import evaluate; evaluate('sqrt(x)+Sum$(x)', {'x': [1.0]}); "
        "print([name for name in ('awkward', 'scipy', 'pandas', 'uproot') if name in sys.modules])"
    )
    environment_path = [path for path in sys.path if path]
    script = f"import sys; sys.path[:0] = {environment_path!r}; {code}"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout.strip() == "[]"
