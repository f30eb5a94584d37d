"""Numbers, integers and functions where the records have no entry; what C++ gives is written out by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from pytmva_bnn.formula import Formula, FormulaError, TreeInfo, branches, evaluate
from pytmva_bnn.formula.formula import BLOCK
from pytmva_bnn.formula.functions import FUNCTIONS
from pytmva_bnn.formula.landau import landau_density

NAN, INF = math.nan, math.inf


def value(expression: str, **columns: float) -> float:
    result = evaluate(expression, {name: [number] for name, number in columns.items()}, n_events=1)
    return float(result[0])


LITERALS = [
    ("1", 1.0),
    ("1.", 1.0),
    (".5", 0.5),
    ("1.5e3", 1500.0),
    ("1E+2", 100.0),
    ("1e-2", 0.01),
    ("0x1F", 31.0),
    ("0XfFu", 255.0),
    ("0x1.8p1", 3.0),
    ("1f", 1.0),
    ("2.5F", 2.5),
    ("10UL", 10.0),
    ("7ll", 7.0),
    ("010", 10.0),
    ("1e999", INF),
    ("0x" + "f" * 300, INF),
    ("9007199254740993", 9007199254740992.0),
]


@pytest.mark.parametrize(("literal", "expected"), LITERALS)
def test_literals(literal: str, expected: float) -> None:
    assert value(literal) == expected


QUIRKS = [
    ("sqrt(x)", -4.0, 2.0),
    ("TMath::Sqrt(x)", -4.0, NAN),
    ("std::sqrt(x)", -4.0, NAN),
    ("log(x)", 0.0, 0.0),
    ("log(x)", -1.0, 0.0),
    ("log10(x)", -1.0, 0.0),
    ("TMath::Log(x)", -1.0, NAN),
    ("log2(x)", 0.0, -INF),
    ("exp(x)", -701.0, 0.0),
    ("exp(x)", 1e9, math.exp(700)),
    ("TMath::Exp(x)", 1e9, INF),
    ("acos(x)", 1.5, 0.0),
    ("asin(x)", -1.5, 0.0),
    ("atanh(x)", 2.0, 0.0),
    ("acosh(x)", 0.5, 0.0),
    ("tan(x)", 0.5, math.tan(0.5)),
    ("sign(x)", 0.0, 1.0),
    ("sign(x)", -0.1, -1.0),
    ("int(x)", -2.9, -2.0),
    ("int(x)", 2.9, 2.0),
    ("(int)x", 2.9, 2.9),
    ("(double)x*2", 2.9, 5.8),
    ("x/0", 5.0, 0.0),
    ("0/x", 0.0, 0.0),
    ("x%0", 5.0, NAN),
    ("x%2", 5.9, 1.0),
    ("x%2.9", -5.9, -1.0),
    ("x&1", -1.0, 1.0),
    ("x>>60", -1.0, 15.0),
    ("x<<1", 3.9, 6.0),
    ("1<<x", 64.0, 1.0),
    ("x|0", 2.0**63 + 2048, 2.0**63 + 2048),
    ("!x", NAN, 0.0),
    ("x&&1", NAN, 1.0),
    ("x||0", NAN, 1.0),
    ("x?1:2", NAN, 1.0),
    ("x==x", NAN, 0.0),
    ("0.1+0.2==x", 0.3, 0.0),
    ("-x", 0.0, -0.0),
    ("x^0.5", -4.0, NAN),
    ("x^-1", 0.0, INF),
    ("fmod(x,3)", -7.5, -1.5),
    ("round(x)", -2.5, -3.0),
    ("round(x)", 0.49999999999999994, 0.0),
    ("rint(x)", 2.5, 2.0),
    ("TMath::Nint(x)", 2.5, 2.0),
    ("TMath::Even(x)", -2.0, 1.0),
    ("TMath::Odd(x)", -3.0, 1.0),
    ("TMath::Sign(-3,x)", 2.0, 3.0),
    ("TMath::Gaus(x)", 0.0, 1.0),
    ("TMath::Gaus(1,0,x)", 0.0, 1e30),
    ("TMath::Landau(1,0,x)", 0.0, 0.0),
    ("TMath::Poisson(0,x)", 2.0, math.exp(-2.0)),
    ("TMath::Poisson(-1,x)", 2.0, 0.0),
    ("TMath::Prob(x,0)", 2.0, 0.0),
    ("TMath::Prob(x,3)", 0.0, 1.0),
    ("TMath::Factorial(x)", 0.0, 1.0),
    ("TMath::Gamma(x)", 5.0, 24.0),
    ("fdim(x,1)", 3.0, 2.0),
    ("fdim(x,1)", 0.0, 0.0),
    ("TVector2::Phi_mpi_pi(x)", math.pi, -math.pi),
    ("TVector2::Phi_mpi_pi(x)", -math.pi, -math.pi),
    ("TVector2::Phi_0_2pi(x)", -1.0, 2 * math.pi - 1.0),
    ("rndm*0+x", 1.0, 1.0),
]


@pytest.mark.parametrize(("expression", "x", "expected"), QUIRKS)
def test_quirks_and_edges(expression: str, x: float, expected: float) -> None:
    np.testing.assert_allclose(value(expression, x=x), expected, rtol=1e-14)


def test_incomplete_gamma_is_normalised() -> None:
    np.testing.assert_allclose(value("TMath::Gamma(1,2)"), 1 - math.exp(-2), rtol=1e-14)


def test_minimum_and_maximum_decide_by_a_comparison() -> None:
    assert value("min(x,1)", x=NAN) == 1.0
    assert math.isnan(value("min(1,x)", x=NAN))
    assert value("TMath::Max(x,1)", x=NAN) == 1.0


def test_bessel_function_beyond_its_small_range() -> None:
    from scipy.special import i0

    x = np.array([-300.0, -3.76, -3.74, 0.0, 3.74, 3.76, 5.0, 20.0, 300.0])
    np.testing.assert_allclose(evaluate("TMath::BesselI0(x)", {"x": x}), i0(x), rtol=3e-7)


@pytest.mark.parametrize("x", [-6.5, -5.6, -5.4, -4.0, -2.0, -1.1, -0.9, 0.0, 0.9])
def test_landau_density_is_the_inverse_laplace_transform(x: float) -> None:
    saddle = math.exp(-x - 1.0)
    y = np.linspace(0.0, 40.0 * math.sqrt(saddle) + 40.0, 2_000_001)
    s = saddle + 1j * y
    integrand = np.exp(s * np.log(s) + x * s + saddle).real / np.pi
    integral = np.sum(0.5 * (integrand[1:] + integrand[:-1]) * np.diff(y)) * math.exp(-saddle)
    np.testing.assert_allclose(float(landau_density(np.array(x))), integral, rtol=1e-6)


@pytest.mark.parametrize("edge", [-5.5, -1.0, 1.0, 5.0, 12.0, 50.0, 300.0])
def test_landau_density_is_smooth_where_its_ranges_meet(edge: float) -> None:
    below, above = landau_density(np.array([np.nextafter(edge, -np.inf), edge]))
    np.testing.assert_allclose(above, below, rtol=1e-6)


@pytest.mark.parametrize("x", [1.1, 3.0, 8.0, 30.0, 100.0, 1000.0])
def test_landau_density_is_landaus_integral(x: float) -> None:
    t = np.concatenate((np.linspace(0, 1, 2_000_001)[1:], np.linspace(1, 40, 2_000_001)))
    integrand = np.exp(-t * np.log(t) - x * t) * np.sin(np.pi * t) / np.pi
    integral = np.sum(0.5 * (integrand[1:] + integrand[:-1]) * np.diff(t)) + 0.5 * t[0] * integrand[0]
    np.testing.assert_allclose(float(landau_density(np.array(x))), integral, rtol=3e-6)


def test_landau_density_far_left_and_of_nan() -> None:
    density = landau_density(np.array([-40.0, NAN]))
    assert density[0] == 0
    assert math.isnan(density[1])


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_every_function_takes_columns_and_single_numbers(name: str) -> None:
    function = FUNCTIONS[name]
    for count in range(function.fewest, function.most + 1):
        single = value(f"{name}({','.join(['0.5', '2', '3', '1'][:count])})")
        columns = {"a": np.full(3, 0.5, np.float32), "b": [2] * 3, "c": [3] * 3, "d": [1] * 3}
        column = evaluate(f"{name}({','.join('abcd'[:count])})", columns)
        assert column.shape == (3,)
        np.testing.assert_allclose(column, [single] * 3, rtol=1e-14)


@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.uint16, ">i4", np.int64, np.uint64, np.float16, ">f4"])
def test_every_type_of_column_is_computed_in_float64(dtype: Any) -> None:
    column = np.array([0, 1, 1], dtype=dtype)
    assert evaluate("x/2", {"x": column}).tolist() == [0.0, 0.5, 0.5]
    assert evaluate("x", {"x": column}).dtype == np.float64


def test_the_result_is_never_a_view_of_the_column() -> None:
    column = np.zeros(3)
    evaluate("x", {"x": column})[0] = 1
    assert column[0] == 0


def test_more_rows_than_a_block() -> None:
    n = 2 * BLOCK + 3
    columns = {"x": np.arange(n, dtype=np.int32)}
    np.testing.assert_array_equal(evaluate("x+1", columns), np.arange(n) + 1.0)
    np.testing.assert_array_equal(evaluate("Entry$-x", columns), np.zeros(n))
    np.testing.assert_array_equal(evaluate("3", columns), np.full(n, 3.0))


def test_no_rows() -> None:
    assert evaluate("x+1", {"x": []}).shape == (0,)
    assert evaluate("Sum$(x)", {"x": np.zeros((0, 3))}).shape == (0,)


def test_branches_hide_constants_and_random_numbers() -> None:
    columns = {"pi": [1.0], "rndm": [2.0], "gaus": [3.0], "e": [4.0]}
    assert evaluate("pi+rndm+gaus+e", columns).tolist() == [10.0]
    assert branches("pi+x") == {"x"}
    assert branches("pi+x", ["pi", "x"]) == {"pi", "x"}


def test_entry_numbers_of_a_chain() -> None:
    tree = TreeInfo(first_entry=100, entries=500, local_first_entry=10, local_entries=60)
    expression = "1e9*Entry$ + 1e6*Entries$ + 1e3*LocalEntry$ + LocalEntries$"
    assert evaluate(expression, {"x": [0, 0]}, tree=tree).tolist() == [100500010060.0, 101500011060.0]
    assert evaluate("Entries$+LocalEntries$+LocalEntry$", {"x": [0, 0]}).tolist() == [4.0, 5.0]


def test_names_with_dots_members_and_the_trees_name() -> None:
    leaves = np.array([(1.0, 2.0), (3.0, 4.0)], dtype=[("Deta", "f4"), ("Dphi", "f8")])
    columns = {"vars": leaves, "muon.pt": [5.0, 6.0], "x": [7.0, 8.0]}
    tree = TreeInfo(name="T")
    assert evaluate("vars.Deta+vars->Dphi", columns).tolist() == [3.0, 7.0]
    assert evaluate("muon.pt", columns).tolist() == [5.0, 6.0]
    assert evaluate("T.x+T.muon.pt+T.vars.Deta", columns, tree=tree).tolist() == [13.0, 17.0]
    assert branches("vars.Deta+T.x", columns, tree="T") == {"vars", "x"}
    assert branches("vars.Deta*2") == {"vars.Deta"}


def test_parameters_come_from_columns_in_brackets() -> None:
    columns = {"[eventID]": [10.0, 11.0, -12.0], "[NumFolds]": [3.0, 3.0, 3.0]}
    assert evaluate("int(fabs([eventID]))%int([NumFolds])", columns).tolist() == [1.0, 2.0, 0.0]
    with pytest.raises(FormulaError, match="no value"):
        evaluate("[1]", columns)
    with pytest.raises(FormulaError, match="is an array"):
        evaluate("[p]", {"[p]": [[1.0]]})


def test_a_pandas_frame_serves_as_columns() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"x": [1.0, 2.0], "n": [3, 4]})
    assert evaluate("x*n", frame).tolist() == [3.0, 8.0]


def test_formulas_compare_by_what_they_mean() -> None:
    assert Formula("a + b") == Formula("a+b")
    assert hash(Formula("a + b")) == hash(Formula("a+b"))
    assert Formula("a") != Formula("b")
    assert repr(Formula("a + b")) == "Formula('a + b')"


def test_many_terms_are_no_depth() -> None:
    terms = 5000
    assert evaluate("+".join(["x"] * terms), {"x": [1.0]}).tolist() == [terms]
    assert evaluate("||".join(["x"] * terms), {"x": [0.0]}).tolist() == [0.0]
    assert evaluate("*".join(["x"] * terms), {"x": [1.0]}).tolist() == [1.0]
