"""Selections that name targets in files without any: a classification whose data set has targets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pytmva_bnn.errors import WeightFileError
from pytmva_bnn.model import load, load_string
from pytmva_bnn.transform import Decorrelation, Normalisation, Quantity, Selection
from pytmva_bnn.weights import chain_of, read

X = np.random.default_rng(1).normal(size=(20, 4)).astype(np.float32)
T = Quantity("Target", "t", "t0")


@pytest.fixture
def file(cases):
    return read(cases / "bfgs_n" / "weights.xml")


@pytest.fixture
def variables(file):
    return [Quantity("Variable", one.label, one.expression) for one in file.variables]


def norm(inputs, outputs=None):
    low = np.arange(len(inputs), dtype=np.float32)[np.newaxis]
    return Normalisation(Selection(tuple(inputs), tuple(inputs if outputs is None else outputs)), low, low + 3)


def transformed(file, *steps, strict=False):
    return chain_of(replace(file, transformations=steps), strict=strict).forward(X)


@pytest.mark.parametrize("strict", [False, True])
def test_targets_behind_the_variables_change_nothing(file, variables, strict):
    expected = transformed(file, norm(variables))
    np.testing.assert_array_equal(transformed(file, norm([*variables, T]), strict=strict), expected)
    np.testing.assert_array_equal(transformed(file, norm(variables), norm([T]), strict=strict), expected)
    matrix = Decorrelation(Selection((T,), (T,)), (np.eye(1) * 2.0,))
    np.testing.assert_array_equal(transformed(file, norm(variables), matrix, strict=strict), expected)


def test_such_a_file_is_read_evaluated_and_written_again(cases, variables, changed):
    model = load(cases / "bfgs_n" / "weights.xml")
    plain = {"transformations": (norm(variables),)}
    text = changed(model, file={"transformations": (norm([*variables, T]),)}).to_xml()
    assert "<Targets" not in text
    assert load_string(text).to_xml() == text
    for compiled in (False, True):
        again = load_string(text, compiled=compiled)
        np.testing.assert_array_equal(again.predict(X), changed(model, file=plain, compiled=compiled).predict(X))


def test_a_target_before_others_is_refused_as_these_would_take_its_parameters(file, variables):
    a, b, c, _ = variables
    harmless = norm([a, T])
    for step in (norm([a, T, b]), norm([a, b, T], [a, T, b])):
        for steps in ((step,), (harmless, step), (step, harmless)):
            with pytest.raises(WeightFileError, match="names the target 't'"):
                transformed(file, *steps)
    shifted = transformed(file, norm([a, T, b, c]), strict=True)
    np.testing.assert_array_equal(shifted, transformed(file, norm([a, b, c])))


def test_a_regression_has_its_targets_listed(cases):
    regression = read(cases / "reg_n" / "weights.xml")
    unknown = Quantity("Target", "unknown", "unknown")
    with pytest.raises(WeightFileError, match="names the target 'unknown'"):
        chain_of(replace(regression, transformations=(norm([unknown]),)))
