"""Where an expression is cut in two: the table of spec/dataset.md 6.2, row by row."""

from __future__ import annotations

import numpy as np
import pytest

from pytmva_bnn.formula import evaluate, parse
from pytmva_bnn.formula.operators import OPERATORS

SAME_TREE = [
    # loosest operator first: each binds less than all below it
    ("a||b&&c", "a||(b&&c)"),
    ("a&&b|c", "a&&(b|c)"),
    ("a|b&c", "a|(b&c)"),
    ("a&b<c", "a&(b<c)"),
    ("a>b<c", "(a>b)<c"),
    ("a<=b>c", "(a<=b)>c"),
    ("a>=b<=c", "(a>=b)<=c"),
    ("a==b>=c", "(a==b)>=c"),
    ("a!=b==c", "(a!=b)==c"),
    ("a==b+c", "a==(b+c)"),
    ("a-b+c-d", "(a-b)+(c-d)"),
    ("a%b-c", "(a%b)-c"),
    ("a%b>>c", "a%(b>>c)"),
    ("a>>b<<c", "a>>(b<<c)"),
    ("a<<b*c", "a<<(b*c)"),
    ("a*b/c", "a*(b/c)"),
    ("a/b*c", "(a/b)*c"),
    ("a/b^c", "a/(b^c)"),
    ("!a^b", "(!a)^b"),
    ("!a*b", "(!a)*b"),
    ("!a==b", "(!a)==b"),
    # signs
    ("-a^b", "-(a^b)"),
    ("-a*b", "-(a*b)"),
    ("-a%b", "-(a%b)"),
    ("-a-b", "(-a)-b"),
    ("-a+b", "(-a)+b"),
    ("a*-b", "a*(-b)"),
    ("a*-b/c", "a*(-(b/c))"),
    ("a/-b*c", "(a/(-b))*c"),
    ("a^-b*c", "(a^(-b))*c"),
    ("a<-b", "a<(-b)"),
    ("a--b", "a+b"),
    ("a+-b", "a-b"),
    ("a-+b", "a-b"),
    ("a---b", "a-b"),
    ("a - -b", "a+b"),
    ("a++b", "a+b"),
    ("+a", "a"),
    # conditional
    ("a?b:c?d:e", "a?b:(c?d:e)"),
    ("a||b?c+d:e&&f", "(a||b)?(c+d):(e&&f)"),
    ("a?b?c:d:e", "a?(b?c:d):e"),
    # spelling
    ("a**b", "a^b"),
    ("p->x", "p.x"),
    ("v a r 1 + 1 0", "var1+10"),
    ("((a))", "a"),
    ("a;b", "a"),
    ("jets[0].pt", "jets.pt[0]"),
    ("@jets.size()", "Length$(jets)"),
    ("jets@.size()", "Length$(jets)"),
]


@pytest.mark.parametrize(("expression", "grouped"), SAME_TREE)
def test_grouping(expression: str, grouped: str) -> None:
    assert parse(expression) == parse(grouped)


VALUES = [
    ("7%4*2", 7.0),
    ("7%4%3", 0.0),
    ("2^3^2", 64.0),
    ("-2^2", -4.0),
    ("1<<2+1", 5.0),
    ("2<1==0", 0.0),
    ("1<2<3", 0.0),
    ("3>2>1", 1.0),
    ("-5%3", -2.0),
    ("5%-3", 2.0),
    ("8/4/2", 1.0),
    ("8-4-2", 2.0),
    ("5/2", 2.5),
    ("1-2+3-4", -2.0),
    ("1e3*2-1e-3", 1999.999),
    ("2*+3", 6.0),
    ("1?2:3?4:5", 2.0),
    ("0?2:0?4:5", 5.0),
    ("1||0&&0", 1.0),
    ("6&3|8", 10.0),
    ("1<<3>>1", 4.0),
]


@pytest.mark.parametrize(("expression", "expected"), VALUES)
def test_values_of_constant_expressions(expression: str, expected: float) -> None:
    assert evaluate(expression, {}, n_events=2).tolist() == [expected, expected]


def test_every_operator_appears_in_the_grouping_table() -> None:
    text = " ".join(expression for expression, _ in SAME_TREE)
    assert [operator.symbol for operator in OPERATORS if operator.symbol not in text] == []


def test_products_are_combined_from_the_right_and_sums_from_the_left() -> None:
    columns = {"a": np.array([1e200]), "b": np.array([1e200]), "c": np.array([1e-200])}
    assert evaluate("a*b*c", columns).tolist() == [1e200]
    assert evaluate("c*b*a", columns).tolist() == [np.inf]
    assert evaluate("1e16+1+1", columns).tolist() == [1e16]
