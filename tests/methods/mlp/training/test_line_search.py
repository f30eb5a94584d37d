"""Each way through the line search."""

import math

import pytest

from pytmva_bnn.methods.mlp.training.line_search import line_search


def search(error, last_alpha=1.0, tau=3.0):
    tried = []

    def error_at(alpha):
        tried.append(alpha)
        return error(alpha)

    return line_search(error_at, error(0.0), last_alpha, tau), tried


@pytest.mark.parametrize(("last_alpha", "first"), [(0.0, 0.01), (-5.0, 0.01), (0.3, 0.3), (50.0, 2.0)])
def test_the_first_step_is_the_last_one_within_limits(last_alpha, first):
    assert search(lambda a: (a - 4.0) ** 2, last_alpha)[1][0] == first


def test_outwards_a_parabola_through_three_positive_steps_gives_the_minimum():
    found, tried = search(lambda a: (a - 4.0) ** 2)
    assert found.found
    assert found.alpha == pytest.approx(4.0)
    assert found.error == pytest.approx(0.0, abs=1e-12)
    assert tried[:3] == [1.0, 3.0, 9.0]


def test_outwards_a_bracket_from_zero_takes_its_middle_point():
    # TMVA: a1 = 0 is not positive, so there is no parabola
    found, tried = search(lambda a: (a - 1.2) ** 2)
    assert (found.alpha, tried) == (1.0, [1.0, 3.0])


def test_inwards_the_first_lower_step_is_taken():
    found, tried = search(lambda a: (a - 0.1) ** 2)
    assert found.alpha == pytest.approx(1.0 / 9.0)
    assert tried == pytest.approx([1.0, 1.0 / 3.0, 1.0 / 9.0])


def test_inwards_the_opposite_direction_is_tried_after_50_steps(caplog):
    found, tried = search(lambda a: (a + 2.0) ** 2)
    assert found.alpha == -1.0
    assert len(tried) == 52
    assert "opposite direction" in caplog.text


def test_no_lower_error_anywhere_is_a_failure():
    found, tried = search(lambda _: 1.0)
    assert (found.found, found.alpha, len(tried)) == (False, 0.05, 101)


def test_an_error_that_falls_for_ever_is_a_failure_that_knows_its_way():
    found, tried = search(lambda a: math.exp(-a))
    assert (found.found, found.alpha, len(tried)) == (False, 1.0, 101)
    assert found.descent[0] == (3.0, math.exp(-3.0))
    assert found.descent[-1][1] == 0.0


def test_a_step_is_at_most_10000():
    found, _ = search(lambda a: (a - 1e6) ** 2)
    assert found.alpha == 10000.0


def test_nan_is_never_lower():
    assert not search(lambda a: math.nan if a else 1.0)[0].found
