"""XML of TMVA 4.0.x and 4.1.0 and other releases is read with the meaning it had."""

from __future__ import annotations

import re

import numpy as np
import pytest

from pytmva_bnn.model import load, load_string
from pytmva_bnn.weights import Dialect, read_string

EVENTS = [[10.0, 1.0], [50.0, -2.0], [0.25, 0.0], [94.5, 3.0]]
# the weights of the hand-made files, as float32
MATRICES = [
    [[0.5, -1.25], [0.75, 0.3], [-0.1, 0.2]],
    [[1.5, -0.25], [-0.8, 0.7], [0.1, 0.4]],
]
RANGES = [(1e-5, 94.5), (-2.5, 2.25)]
DECORRELATION = [[0.125, -0.03125], [-0.0312, 1.00123]]
EDGES = [[0.0, 10.0, 25.5, 60.0, 95.0], [-2.5, -1.0, 0.25, 1.0, 2.25]]
CUMULATIVE = [0.125, 0.4, 0.7, 1.0]


@pytest.fixture
def respond(plain):
    def of_event(x, output, n_outputs=1):
        rounded = [[[plain.float32(w) for w in row] for row in matrix] for matrix in MATRICES]
        return plain.network(x, [rounded[0], [row[:n_outputs] for row in rounded[1]]], output)

    return of_event


def check(model, expected):
    np.testing.assert_allclose(np.asarray(model.predict(EVENTS)).ravel(), np.ravel(expected), rtol=2e-7)


def test_403_has_no_layout_no_classes_and_short_numbers(odd):
    model = load(odd / "tmva403_normalize.weights.xml")
    file = model.file
    assert not model.fitted.layout_element
    assert file.dialect == Dialect(classes="absent", offset_attribute=False, short_numbers=True)
    assert file.classes == ()
    assert file.tmva_version == 262147
    assert [v.type for v in file.variables] == ["p", "F"]  # some releases write a letter of the name
    assert file.variables[0].minimum == 1e-5


@pytest.mark.parametrize("strict", [False, True])
def test_403_without_estimator_type_has_a_linear_output(odd, plain, respond, strict):
    model = load(odd / "tmva403_normalize.weights.xml", strict=strict)
    assert model.network.output == "linear"
    check(model, [respond(plain.normalised(x, RANGES), plain.linear) for x in EVENTS])


@pytest.mark.parametrize("strict", [False, True])
def test_403_regression_transforms_targets_back(odd, plain, respond, strict):
    model = load(odd / "tmva403_regression.weights.xml", strict=strict)
    outputs = [respond(plain.normalised(x, RANGES), plain.linear)[0] for x in EVENTS]
    check(model, [10.0 + (y + 1.0) / (2.0 / 20.0) for y in outputs])


def test_410_has_counted_classes(odd, plain, respond):
    model = load(odd / "tmva410_normalize.weights.xml")
    assert model.file.dialect.classes == "counted"
    assert model.classes == ("class0", "class1")
    check(model, [respond(plain.normalised(x, RANGES), plain.sigmoid) for x in EVENTS])


def test_counted_classes_of_multiclass(odd, plain, respond):
    model = load(odd / "multiclass_counted.weights.xml")
    outputs = [respond(plain.normalised(x, RANGES), plain.linear, 2) for x in EVENTS]
    check(model, [[plain.sigmoid(a - b), plain.sigmoid(b - a)] for a, b in outputs])


@pytest.mark.parametrize(
    ("name", "output", "transform"),
    [
        ("tmva403_decorrelation", "linear", lambda plain, x: plain.matrix_times(x, DECORRELATION)),
        (
            "tmva407_pca",
            "linear",
            lambda plain, x: plain.matrix_times([x[0] - 20.25, x[1] + 0.125], [[0.6, 0.8], [-0.8, 0.6]]),
        ),
        (
            "tmva410_gauss",
            "sigmoid",
            lambda plain, x: plain.matrix_times(
                [
                    plain.gauss(plain.interpolated(value, [plain.float32(c) for c in CUMULATIVE], edges))
                    for value, edges in zip(x, EDGES, strict=True)
                ],
                DECORRELATION,
            ),
        ),
    ],
)
def test_steps_without_selection_are_applied_unless_strict(odd, plain, respond, name, output, transform):
    path = odd / f"{name}.weights.xml"
    function = getattr(plain, output)
    check(load(path), [respond(transform(plain, x), function) for x in EVENTS])
    check(load(path, strict=True), [respond(x, function) for x in EVENTS])


def test_scaling_without_offset_and_rearrangement_with_spectators(odd, plain, respond):
    model = load(odd / "scaled_rearranged.weights.xml")
    assert model.file.n_transformations == 3  # an identity is counted but not written
    run = np.array([[1.0], [4.0], [8.0], [9.0]])
    # eta goes to the place of pt/2, the spectator to that of eta
    expected = [
        respond([plain.float32(x[1] / 2.5), plain.float32(r / 8.0)], plain.sigmoid)[0]
        for x, r in zip(EVENTS, run[:, 0], strict=True)
    ]
    np.testing.assert_allclose(model.predict(EVENTS, spectators=run), expected, rtol=2e-7)


def test_offset_attribute_of_releases_before_638_stays_absent(cases):
    text = (cases / "bfgs_n" / "weights.xml").read_text()
    old = text.replace(' UseOffsetOrNot="UseOffset"', "")
    assert old != text
    model = load_string(old)
    assert not model.file.dialect.offset_attribute
    assert model.to_xml() == old
    np.testing.assert_array_equal(model.predict([[0, 1, 2, 3]]), load_string(text).predict([[0, 1, 2, 3]]))


def test_no_offset_is_written_whatever_the_dialect(odd):
    text = (odd / "scaled_rearranged.weights.xml").read_text()
    assert load_string(text).to_xml() == text


def test_short_numbers_lose_no_digits(odd):
    text = (odd / "tmva403_decorrelation.weights.xml").read_text()
    precise = text.replace("1.00123", "1.001234567890123")
    model = load_string(precise)
    assert model.file.dialect.short_numbers
    again = read_string(model.to_xml())
    assert again.transformations[0].matrices[-1][1, 1] == 1.001234567890123
    assert "0.125 -0.03125 -0.0312 1.0012345678901231e+00 " in model.to_xml()


def test_one_short_number_does_not_shorten_a_new_file(cases):
    text = (cases / "trans_d" / "weights.xml").read_text()
    minimum = text.partition(' Min="')[2].partition('"')[0]
    edited = text.replace(f'Min="{minimum}"', 'Min="-3"', 1)
    again = read_string(load_string(edited).to_xml())
    for one, two in zip(again.transformations[0].matrices, read_string(text).transformations[0].matrices, strict=True):
        np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("letter", ["F", "I", "F[]", "D", "m", " "])
def test_any_type_letter_is_kept(cases, letter):
    text = (cases / "bfgs_n" / "weights.xml").read_text().replace('Type="F"', f'Type="{letter}"')
    assert load_string(text).to_xml() == text


def test_file_without_tmva_release_has_version_zero(cases):
    text = (cases / "bfgs_n" / "weights.xml").read_text().replace("TMVA Release", "Somebody")
    assert read_string(text).tmva_version == 0


def test_fast_tanh_is_used_if_asked_for(cases):
    exact, fast = (load(cases / "bfgs_n" / "weights.xml", tanh=tanh) for tanh in ("exact", "fast"))
    assert (exact.network.hidden, fast.network.hidden) == ("tanh", "fast tanh")
    difference = abs(exact.predict([[0.1, 0.2, 0.3, 0.4]]) - fast.predict([[0.1, 0.2, 0.3, 0.4]]))
    assert 0 < difference < 1e-6


@pytest.mark.parametrize(
    ("release", "hidden"),
    [("4.2.1 [262657]", "fast tanh"), ("4.2.0 [262656]", "tanh"), ("4.0.7 [262151]", "tanh"), ("", "tanh")],
)
def test_fast_tanh_is_not_for_files_before_tmva_4_2_1(cases, release, hidden):
    text = (cases / "bfgs_n" / "weights.xml").read_text()
    edited, n_changed = re.subn('"TMVA Release" value="[^"]*"', f'"TMVA Release" value="{release}"', text)
    assert n_changed == 1
    assert load_string(edited, tanh="fast").network.hidden == hidden


def test_fast_tanh_is_for_text_files_too_whose_version_is_not_looked_at(odd):
    assert load(odd / "text39_none.weights.txt", tanh="fast").network.hidden == "fast tanh"
