"""Weight files of FDA: old ones are read, damaged ones are refused with a sentence."""

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import WeightFileError

DAMAGE = [
    ('NPars="5"', 'NPars="6"', "NPars=6 and NDim=1 mean 6 parameters, but there are 5"),
    ('NPars="5"', 'NPars="4"', r"\(4\).*cannot be attributed to a parameter; ParRanges gives 4"),
    ('NPars="5"', 'NPars="x"', "NPars='x' is not a whole number"),
    ('NDim="1"', 'NDim="2"', "NDim=2, but this classification needs 1"),
    ('Parameter Index="3"', 'Parameter Index="2"', "Index=2 appears twice or is too large: there are 5"),
    ('Parameter Index="3"', 'Parameter Index="5"', "Index=5 appears twice or is too large: there are 5"),
    ('Index="3" Value="-1.1976', 'Index="3" Value="nan', "is not a number in range"),
    ('NDim="1" Formula="(0)', 'NDim="1" Formula="x4+(0)', '"x4", which cannot be attributed to an input variable'),
    ('NDim="1" Formula="(0)', 'NDim="1" Formula="foo(0)+(0)', "could not be properly compiled"),
    ('NDim="1" Formula=', 'NDim="1" Formel=', "the attribute 'Formula' is missing"),
]


@pytest.mark.parametrize(("old", "new", "problem"), DAMAGE)
def test_damaged_files_are_refused(method_case, old, new, problem):
    text = method_case("fda_mc").weights_text
    assert old in text
    with pytest.raises(WeightFileError, match=problem):
        TMVA.load_string(text.replace(old, new))


def test_files_before_ndim(method_case):
    record = method_case("fda_mc")
    model = TMVA.load_string(record.weights_text.replace(' NDim="1"', ""))
    np.testing.assert_array_equal(model.predict(record.expected["inputs"]), record.expected["mva"])


def test_order_of_the_parameters(method_case):
    record = method_case("fda_mc")
    lines = record.weights_text.splitlines()
    first = next(k for k, line in enumerate(lines) if "<Parameter" in line)
    lines[first : first + 5] = reversed(lines[first : first + 5])
    found = TMVA.load_string("\n".join(lines)).fitted.parameters
    np.testing.assert_array_equal(found, TMVA.load(record.weights).fitted.parameters)


def test_the_formula_is_that_of_the_weights(method_case):
    text = method_case("fda_mc").weights_text
    old = ">(0)+(1)*x0+(2)*x1+(3)*x2+(4)*x3<"
    assert old in text
    model = TMVA.load_string(text.replace(old, ">(0)<"))
    assert model.predict(np.ones((1, 4), np.float32))[0] == pytest.approx(0.7079628)


@pytest.mark.parametrize(("formula", "expected"), [("(0)/x0", np.inf), ("(0)*x0/x0", np.nan), ("log(x0-1)", np.nan)])
def test_responses_that_are_not_finite(method_case, changed, formula, expected):
    model = changed(TMVA.load(method_case("fda_mc").weights), fitted={"formula": formula})
    assert model.predict(np.zeros((2, 4), np.float32))[1] == pytest.approx(expected, nan_ok=True)


def test_many_events_in_blocks(method_case):
    model = TMVA.load(method_case("fda_minuit").weights)
    x = np.random.default_rng(1).normal(size=(20_001, 4)).astype(np.float32)
    p, (a, b, c, d) = model.fitted.parameters[0], x.T.astype(float)
    expected = p[0] + p[1] * a + p[2] * b + p[3] * c + p[4] * d + p[5] * a * b
    np.testing.assert_array_equal(model.predict(x), expected)
