"""The sets of events, and what is refused as input of a fit."""

from __future__ import annotations

import numpy as np
import pytest

from pytmva_bnn.errors import InputError
from pytmva_bnn.transform import Normalisation, Step, fit_step, step, steps
from pytmva_bnn.transform.step import Sample


def sets_of(classes, n_classes):
    return Sample(np.empty((len(classes), 0)), classes, np.ones(len(classes)), n_classes).sets


def test_each_class_then_all_in_the_order_of_events():
    values = np.array([10, 11, 12, 13])
    chosen = [values[events].tolist() for events in sets_of([2, 0, 2, 0], 3)]
    assert chosen == [[11, 13], [], [10, 12], [10, 11, 12, 13]]


def test_one_class_has_one_set():
    assert sets_of([0, 0, 0], 1) == [slice(None)]


@pytest.mark.parametrize(("index", "expected"), [(0, 1.0), (1, 2.0), (-1, 3.0)])
def test_one_set_of_parameters_is_left(index, expected):
    ranges = np.float32([[1.0], [2.0], [3.0]])
    one = Normalisation(None, ranges, ranges + 1).only_set(index)
    assert (one.minima.tolist(), one.maxima.tolist()) == ([[expected]], [[expected + 1]])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sets_of([0, 2], 2), "from 0 to 1, one per event; .* values from 0 to 2"),
        (lambda: sets_of([-1, 0], 2), "values from -1 to 0"),
        (lambda: sets_of([[0]], 2), "shape"),
        (lambda: sets_of([], 0), "at least 1, got 0"),
        (lambda: fit_step("N", [1.0, 2.0], [0, 0], 1), "shape"),
        (lambda: fit_step("N", [[1.0]], [0, 0], 1), "for 2 events"),
        (lambda: fit_step("D", [[1.0], [2.0]], [0, 0], 1, [1.0]), "one weight for each of 2 events"),
        (lambda: fit_step("X", [[1.0], [2.0]], [0, 0], 1), "'X' cannot be fitted; known: N S D P G U"),
    ],
)
def test_input_that_does_not_fit_is_refused(call, message):
    with pytest.raises(InputError, match=message):
        call()


@pytest.mark.parametrize("kind", steps.STEPS)
def test_what_a_step_lacks_it_says_in_a_sentence(kind):
    missing = {name for name in vars(Step) if getattr(kind, name) is getattr(Step, name)} & set(SENTENCES)
    for name in missing:
        with pytest.raises(InputError, match=SENTENCES[name][1]):
            getattr(Step, name)(kind.__new__(kind), *SENTENCES[name][0])


SENTENCES = {
    "invert": ((np.zeros((1, 1)), [0]), "no inverse"),
    "cpp": ((1,), "has no C\\+\\+ form"),
    "cpp_inverse": ((1, ()), "cannot be transformed back"),
    "onnx": ((None, "x", 1), "has no ONNX form"),
    "onnx_inverse": ((None, "y", [0], np.float32), "has no ONNX form; use N, S or P"),
}


def test_every_letter_and_every_element_has_one_step():
    assert sorted(steps.BY_LETTER) == sorted("".join(kind.letters for kind in steps.STEPS))
    assert sorted(steps.BY_XML_NAME) == sorted(name for kind in steps.STEPS for name in kind.xml_names)
    assert step.Step not in steps.STEPS
