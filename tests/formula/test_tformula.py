"""ROOT's TFormula: the rules of C++, and parameters that are numbers or arrays."""

import numpy as np
import pytest

from pytmva_bnn.formula import FormulaError, TFormula

VALUES = [2.0, 3.0, 5.0, -4.0]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("[0]-[1]-[2]", -6.0),
        ("[0]/[1]*[2]", 2 / 3 * 5),
        ("[0]*[1]/[2]", 6 / 5),
        ("[0]/[1]/[2]", 2 / 3 / 5),
        ("[0]+[1]*[2]-[3]", 21.0),
        ("-[0]^2", -4.0),
        ("[0]**[1]", 8.0),
        ("[0]^-[1]", 0.125),
        ("-[0]*[1]+[2]", -1.0),
        ("[0]*-[1]", -6.0),
        ("([0]-[1])*[2]", -5.0),
        ("[0]-([1]-[2])", 4.0),
        ("[0]<[1]==1", 1.0),
        ("1+[0]<[1]", 0.0),
        ("[0]>[1]||[2]>[1]&&[3]>0", 0.0),
        ("!([0]>[1])", 1.0),
        ("[0]<[1]?[2]:[3]", 5.0),
        ("sqrt([2]-1)+abs([3])", 6.0),
        ("exp([0]-2)*sq([1])", 9.0),
        ("max([0],[1])-min([2],[3])", 7.0),
        ("TMath::Power([0],3)", 8.0),
        ("pow([0],[1])", 8.0),
        ("pi*0+1e1", 10.0),
        ("+[0]", 2.0),
    ],
)
def test_values(expression, expected):
    formula = TFormula(expression)
    for fixed in ({}, dict(enumerate(VALUES)), {0: 2.0, 2: 5.0}):
        assert float(formula.function(fixed)(VALUES)) == pytest.approx(expected, rel=1e-15)
    column = [np.full(3, value) for value in VALUES]
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(np.broadcast_to(formula.function()(column), 3), expected, rtol=1e-15)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("1/([0]-2)", np.inf),
        ("([0]-2)/([0]-2)", np.nan),
        ("sqrt([3])", np.nan),
        ("log([3])", np.nan),
        ("exp(1e4)", np.inf),
    ],
)
def test_arithmetic_is_that_of_ieee(expression, expected):
    with np.errstate(all="ignore"):
        np.testing.assert_equal(float(TFormula(expression).function()(VALUES)), expected)


def test_sums_and_products_do_not_change_their_operands():
    x = np.arange(3.0)
    function = TFormula("[0]+[0]+[0]*[0]*[0]+[1]").function({1: np.ones(3)})
    for _ in range(2):
        np.testing.assert_array_equal(function([x]), x + x + x**3 + 1)
    np.testing.assert_array_equal(x, [0, 1, 2])


def test_points_and_events_broadcast():
    function = TFormula("[0]+[1]*[2]+1").function({2: np.arange(4.0)})
    points = [np.array([[1.0], [2.0]]), np.array([[10.0], [20.0]])]
    np.testing.assert_array_equal(function(points), [[2, 12, 22, 32], [3, 23, 43, 63]])


@pytest.mark.parametrize(
    ("expression", "numbers", "degree"),
    [
        ("[0]+[1]*[2]", [0, 1], 1),
        ("[0]+[1]*[2]", [1, 2], 2),
        ("[0]*exp([2])-[1]/[2]", [0, 1], 1),
        ("[0]*exp([1])", [0, 1], 2),
        ("[1]/[0]", [0], 2),
        ("[2]*3", [0, 1], 0),
        ("[2]>0 ? [0] : [1]", [0, 1], 1),
        ("[0]>0 ? [2] : 1", [0], 2),
        ("[0]^2", [0], 2),
        ("-([0]*2+[2])", [0], 1),
        ("![0]", [0], 2),
        ("[0]>1", [0], 2),
    ],
)
def test_degree(expression, numbers, degree):
    assert TFormula(expression).degree(numbers) == degree


@pytest.mark.parametrize(
    "expression", ["[0]+[1]*[2]-[3]/[2]", "-([0]*[1])*[2]*3+[3]", "[3]", "2*3", "[0]-1-[1]-[2]-[3]"]
)
def test_plain_numbers_give_the_same_bits(expression):
    formula, random = TFormula(expression), np.random.default_rng(1)
    for values in random.normal(size=(50, 4)).tolist():
        fixed = {0: values[0], 3: values[3]}
        assert formula.plain_function(fixed)(values) == float(formula.function(fixed)(values))


@pytest.mark.parametrize("expression", ["exp([0])", "[0]^2", "[0]>1", "[0]?1:2", "![0]"])
def test_no_plain_numbers_for_functions(expression):
    assert TFormula(expression).plain_function({}) is None


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("exp[1]", "exp is not an array"),
        ("[0]^[1]^[2]", "ambiguous"),
        ("pt+1", "unknown name 'pt'"),
        ("[a]", "has no number"),
        ("(int)[0]", "cast"),
        ("[0]%2", "%"),
        ("[0]+", "expected"),
        ("Sum$([0])", "unknown name"),
        ("Entry$", "exists only for trees"),
        ("foo([0])", "no function"),
        ("", "empty"),
        ("(" * 200 + "1" + ")" * 200, "deep"),
    ],
)
def test_wrong_expressions(expression, words):
    with pytest.raises(FormulaError, match=words):
        TFormula(expression)


def test_long_sums_are_not_deep():
    n = 500
    formula = TFormula("+".join(f"[{k}]" for k in range(n)) + "-1")
    assert float(formula.function()(list(range(n)))) == n * (n - 1) / 2 - 1
    assert formula.parameters == frozenset(range(n))
