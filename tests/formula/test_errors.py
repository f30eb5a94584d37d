from __future__ import annotations

import pickle

import pytest

from pytmva_bnn.errors import TMVAError
from pytmva_bnn.formula import FormulaError, branches, evaluate, parse

COLUMNS = {"var1": [1.0], "jet_pt": [2.0]}

MESSAGES = [
    ("vra1*2", "there is no branch 'vra1': did you mean var1?\n  vra1*2\n  ^"),
    ("2*jet_Pt", "there is no branch 'jet_Pt': did you mean jet_pt?\n  2*jet_Pt\n    ^"),
    ("1 + sqr(var1)", "there is no function 'sqr': did you mean sqrt?\n  1 + sqr(var1)\n      ^"),
    (
        "TMath::Sqr(var1)",
        "there is no function 'TMath::Sqr': did you mean TMath::Sqrt?\n  TMath::Sqr(var1)\n  ^",
    ),
    ("ln(var1)", "there is no function 'ln': log is the natural logarithm\n  ln(var1)\n  ^"),
    ("var1 = 5", "a single '=' is not an operator: write == to compare\n  var1 = 5\n       ^"),
    (
        "var1>2 and var1<3",
        "'2a' does not start a number or a name: write && for and\n  var1>2 and var1<3\n       ^",
    ),
    ("(var1>2) or 1", "'or1' comes where an operator is expected: write || for or\n  (var1>2) or 1\n           ^"),
    ("not (var1)", "there is no function 'not': write ! for not\n  not (var1)\n  ^"),
    ("atan2(var1)", "atan2 takes 2 arguments, not 1\n  atan2(var1)\n  ^"),
    ("sqrt()", "sqrt takes one argument, not 0\n  sqrt()\n  ^"),
    ("TMath::Pi(1)", "TMath::Pi takes no argument, not 1\n  TMath::Pi(1)\n  ^"),
    ("TMath::Gaus()", "TMath::Gaus takes 1 to 4 arguments, not 0\n  TMath::Gaus()\n  ^"),
    ("Sum$(1,2)", "Sum$ takes one argument, not 2\n  Sum$(1,2)\n  ^"),
    ("Alt$(1)", "Alt$ takes 2 arguments, not 1\n  Alt$(1)\n  ^"),
    ("TMath::Pi", "TMath::Pi is a function: write TMath::Pi(…)\n  TMath::Pi\n  ^"),
    ("sqrt+1", "there is no branch 'sqrt': sqrt is a function, write sqrt(…)\n  sqrt+1\n  ^"),
    ("(var1+(2)", "')' is missing for this '('\n  (var1+(2)\n  ^"),
    ("(var1 2)", "there is no branch 'var12': did you mean var1?\n  (var1 2)\n   ^"),
    ("sqrt(2 (3))", "'(' comes where an operator or ')' is expected\n  sqrt(2 (3))\n         ^"),
    ("var1[0", "']' is missing for this '['\n  var1[0\n      ^"),
    ("var1)", "')' closes nothing\n  var1)\n      ^"),
    ("var1*", "the expression ends where a value is expected\n  var1*\n       ^"),
    ("var1 ? 2", "the expression ends where the ':' of '?' is expected\n  var1 ? 2\n          ^"),
    ("2*/3", "'/' comes where a value is expected\n  2*/3\n    ^"),
    ("", "the expression is empty\n  \n  ^"),
    ("   ", "the expression is empty\n     \n     ^"),
    ("#1", "'#' is not allowed in a formula\n  #1\n  ^"),
    ("1.2.3", "'1.2.' does not start a number or a name\n  1.2.3\n  ^"),
    ("(float)var1", "the cast (float) is not available\n  (float)var1\n   ^"),
    ("[]", "']' comes where the name of a parameter is expected\n  []\n   ^"),
    ("a.b[0](1)", "'a.b' calls a method, which would run code\n  a.b[0](1)\n  ^"),
]


@pytest.mark.parametrize(("expression", "message"), MESSAGES)
def test_messages_show_what_is_wrong_and_where(expression: str, message: str) -> None:
    with pytest.raises(FormulaError) as caught:
        evaluate(expression, COLUMNS)
    assert str(caught.value) == message


def test_the_error_carries_expression_and_position() -> None:
    with pytest.raises(FormulaError) as caught:
        evaluate("var1 + nope", COLUMNS)
    assert (caught.value.expression, caught.value.position) == ("var1 + nope", 7)
    assert isinstance(caught.value, TMVAError)
    assert isinstance(caught.value, ValueError)


def test_the_error_survives_pickling() -> None:
    error = FormulaError("it is wrong", expression="a+", position=2, hint="do this")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)  # noqa: S301


def test_an_error_without_position_shows_no_caret() -> None:
    assert str(FormulaError("it is wrong", expression="a")) == "it is wrong\n  a"


def test_a_long_expression_is_shown_around_the_caret() -> None:
    expression = "var1+" * 100 + "nope" + "+var1" * 100
    with pytest.raises(FormulaError) as caught:
        evaluate(expression, COLUMNS)
    _, shown, caret = str(caught.value).split("\n")
    assert len(shown) < 80
    assert shown[caret.index("^") :].startswith("nope")


def test_line_breaks_do_not_disturb_the_caret() -> None:
    with pytest.raises(FormulaError) as caught:
        evaluate("var1 +\n\tnope", COLUMNS)
    assert str(caught.value).split("\n")[1:] == ["  var1 +  nope", "          ^"]


def test_branches_tell_what_is_missing() -> None:
    with pytest.raises(FormulaError, match="did you mean jet_pt"):
        branches("jet_p", ["jet_pt"])


def test_the_number_of_events_must_be_known() -> None:
    with pytest.raises(FormulaError, match="give n_events"):
        evaluate("1", {})


def test_deep_nesting_is_refused_with_an_error_of_ours() -> None:
    assert evaluate("(" * 100 + "1" + ")" * 100, COLUMNS).tolist() == [1.0]
    for expression in (
        "(" * 300 + "1" + ")" * 300,
        "!" * 300 + "1",
        "1?1:" * 300 + "1",
        "sin(" * 300 + "1" + ")" * 300,
    ):
        with pytest.raises(FormulaError, match="nested more than"):
            parse(expression)


def test_the_deepest_tree_that_parses_can_be_evaluated_printed_and_compared() -> None:
    ladder = "1"
    while True:
        try:
            tree = parse(f"(({ladder}^1)*1+1)%7==x[0]||0?1:sqrt(2)")
        except FormulaError:
            break
        ladder = f"(({ladder}^1)*1+1)%7==x[0]||0?1:sqrt(2)"
    assert evaluate(ladder, {"x": [[1.0]]}).shape == (1,)
    assert repr(tree)
    assert parse(ladder) == parse(ladder)
    assert hash(tree)
