"""Fitting chains: which events, which set, which columns, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from pytmva_bnn.errors import InputError, OptionError
from pytmva_bnn.options import TransformationSpec, parse_var_transform
from pytmva_bnn.transform import (
    Decorrelation,
    FittedChain,
    Gaussianisation,
    Normalisation,
    Quantity,
    Selection,
    TrainingEvents,
    TransformationChain,
    fit_chain,
    fit_step,
)
from pytmva_bnn.transform.normalise import normalise

A, B, C = (Quantity("Variable", name, name) for name in "abc")
T, U, S = Quantity("Target", "t", "t"), Quantity("Target", "u", "u"), Quantity("Spectator", "s", "s")
CLASSES = ["Signal", "Background"]
RNG = np.random.default_rng(11)
N = 300
X = (RNG.normal(size=(N, 3)) @ RNG.normal(size=(3, 3)) + 2).astype(np.float32)
Y = RNG.normal(size=(N, 2)).astype(np.float32)
SPECTATORS = RNG.normal(size=(N, 1)).astype(np.float32)
KLASS = RNG.integers(0, 2, N)
WEIGHTS = RNG.uniform(0.5, 2, N)


def decorrelate(x, matrix):
    return Decorrelation(None, (matrix,)).apply(x)


def fit(text, class_names=CLASSES, targets=False):
    classes = KLASS % len(class_names)
    y = Y if targets else np.empty((0, 0))
    events = TrainingEvents(X, classes, WEIGHTS, y, SPECTATORS)
    return fit_chain(
        parse_var_transform(text),
        events,
        class_names=class_names,
        variables=(A, B, C),
        targets=(T, U) if targets else (),
        spectators=(S,),
    )


def transformed(chain, targets=False):
    return chain.forward_training(X, Y if targets else None, SPECTATORS)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("N", lambda: fit_step("N", X, KLASS, 2)),
        ("S", lambda: fit_step("S", X, KLASS, 2)),
        ("D", lambda: fit_step("D", X, KLASS, 2, WEIGHTS)),
        ("P", lambda: fit_step("P", X, KLASS, 2)),
        ("G", lambda: fit_step("G", X, KLASS, 2, WEIGHTS)),
        ("U", lambda: fit_step("U", X, KLASS, 2, WEIGHTS)),
    ],
)
def test_a_single_step_is_fitted_to_the_events_as_they_are(text, expected):
    chain, step = fit(text), expected()
    (fitted,) = chain.steps
    assert type(fitted) is type(step)
    assert fitted.selection == Selection((A, B, C), (A, B, C))
    np.testing.assert_array_equal(transformed(chain)[0], step.apply(X))
    np.testing.assert_array_equal(fitted.apply(X), step.apply(X))


def test_each_step_is_fitted_to_what_the_step_before_gave():
    chain = fit("D,N,G")
    first = fit_step("D", X, KLASS, 2, WEIGHTS).apply(X)
    second = fit_step("N", first, KLASS, 2).apply(first)
    third = fit_step("G", second, KLASS, 2, WEIGHTS).apply(second)
    np.testing.assert_array_equal(transformed(chain)[0], third)


def test_training_uses_the_set_of_the_reference_class_but_files_the_last():
    chain = fit("D_Signal,N_Background")
    first, step = chain.steps
    signal = decorrelate(X, first.matrices[0])
    ranges = fit_step("N", signal, KLASS, 2)
    np.testing.assert_array_equal(step.minima, ranges.minima)  # built from events of the signal's matrix
    y = normalise(signal, ranges.minima[1], ranges.maxima[1])
    np.testing.assert_array_equal(transformed(chain)[0], y)
    np.testing.assert_array_equal(chain.training_chain().forward(X), y)
    read_back = TransformationChain(chain.steps, (A, B, C))
    np.testing.assert_array_equal(read_back.forward(X), step.apply(first.apply(X)))
    assert len(first.matrices) == len(step.minima) == 3


@pytest.mark.parametrize("text", ["N_Signal", "G_Signal", "P_Signal", "U_Background", "S_Background"])
def test_every_kind_of_step_knows_its_reference_class(text):
    chain = fit(text)
    number = CLASSES.index(text[2:])
    alone = TrainingEvents(X[number == KLASS], np.zeros(np.sum(number == KLASS)), WEIGHTS[number == KLASS])
    same = fit_chain(parse_var_transform(text[0]), alone, class_names=["x"], variables=(A, B, C))
    np.testing.assert_array_equal(transformed(chain)[0], same.forward_training(X)[0])


def test_targets_are_transformed_in_training():
    chain = fit("N", ["Regression"], targets=True)
    variables, targets = transformed(chain, targets=True)
    (step,) = chain.steps
    assert step.selection.inputs == (A, B, C, T, U)
    assert step.minima.shape == (1, 5)
    for values in (variables, targets):
        np.testing.assert_allclose([values.min(), values.max()], [-1, 1], rtol=1e-6)
    np.testing.assert_allclose(chain.training_chain().inverse_targets(targets), Y, atol=1e-5)


def test_a_second_step_sees_the_transformed_targets():
    chain = fit("N+U(_T_)", ["Regression"], targets=True)
    first = fit_step("N", np.hstack([X, Y]), np.zeros(N), 1).apply(np.hstack([X, Y]))
    second = fit_step("U", first[:, 3:], np.zeros(N), 1, WEIGHTS).apply(first[:, 3:])
    variables, targets = transformed(chain, targets=True)
    np.testing.assert_array_equal(variables, first[:, :3])
    np.testing.assert_array_equal(targets, second)


def test_selected_columns_are_transformed_and_the_others_stay():
    chain = fit("N(c,a)")
    (step,) = chain.steps
    assert step.selection == Selection((A, C), (A, C))
    y = transformed(chain)[0]
    np.testing.assert_array_equal(y[:, 1], X[:, 1])
    np.testing.assert_array_equal(y[:, [0, 2]], fit_step("N", X[:, [0, 2]], KLASS, 2).apply(X[:, [0, 2]]))


def test_a_rearranging_selection_exchanges_the_places():
    chain = fit("N(_R_,c,a)")
    assert chain.steps[0].selection == Selection((C, A), (A, C))
    y = transformed(chain)[0]
    np.testing.assert_array_equal(y[:, [2, 0]], fit_step("N", X[:, [0, 2]], KLASS, 2).apply(X[:, [0, 2]]))


def test_an_input_taken_twice_is_stored_as_far_as_there_is_place():
    y = transformed(fit("N(_R_,c,a,b,c)"))[0]
    assert y.shape == X.shape
    np.testing.assert_array_equal(y[:, [1, 2, 0]], fit_step("N", X, KLASS, 2).apply(X))


def test_spectators_can_be_transformed_too():
    chain = fit("N(_S_,a)")
    assert chain.steps[0].selection.inputs == (A, S)
    np.testing.assert_array_equal(transformed(chain)[0][:, 1:], X[:, 1:])


def test_a_selection_of_nothing_changes_nothing():
    chain = fit("N(_T_)")
    np.testing.assert_array_equal(transformed(chain)[0], X)


@pytest.mark.parametrize(("text", "n", "steps"), [("None", 0, 0), ("", 0, 0), ("I", 1, 0), ("I,N,I", 3, 1)])
def test_identities_count_but_leave_no_step(text, n, steps):
    chain = fit(text)
    assert (chain.n_transformations, len(chain.steps)) == (n, steps)
    assert transformed(fit("I"))[0].tolist() == X.tolist()


def test_input_arrays_stay_as_they_are():
    before = X.copy()
    y, _ = transformed(fit("None"))
    y[:] = 0
    transformed(fit("N(a),D"))
    np.testing.assert_array_equal(X, before)


def test_training_keeps_digits_that_a_file_loses():
    chain = fit("P")
    rounded = [float(f"{value:.8e}") for value in chain.steps[0].means[-1]]
    assert rounded != chain.steps[0].means[-1].tolist()


@pytest.mark.parametrize(
    ("text", "targets", "message"),
    [
        ("D(_V_,_T_)", True, "mixed variables and targets in the decorrelation transformation.*targets, variables"),
        ("D(_T_)", True, "it selects targets"),
        ("P(_V_,_S_)", False, "it selects spectators, variables"),
        ("P(_T_)", False, "it selects nothing"),
        ("P(a)", False, "Cannot perform PCA transformation for 1 variable only"),
        ("I(a)", False, "Identity transform does not allow for a selection of input variables"),
    ],
)
def test_what_tmva_refuses_is_refused(text, targets, message):
    with pytest.raises(InputError, match=message):
        fit(text, targets=targets)


def test_an_unknown_reference_class_is_refused():
    with pytest.raises(OptionError, match=r"Class Sginal not known for variable transformation D.*did you mean Signal"):
        fit("D_Sginal")


def test_an_unknown_step_is_refused():
    events = TrainingEvents(X, KLASS, WEIGHTS)
    with pytest.raises(InputError, match="'X' cannot be fitted"):
        fit_chain([TransformationSpec("X", None, ("_V_",))], events, class_names=CLASSES, variables=(A, B, C))


def test_names_and_columns_must_agree():
    events = TrainingEvents(X, KLASS, WEIGHTS)
    with pytest.raises(InputError, match="3 columns of variables were given for 2 names"):
        fit_chain([], events, class_names=CLASSES, variables=(A, B))
    with pytest.raises(InputError, match=r"targets must have the shape \(300, 0\), got \(300, 2\)"):
        fit("N").forward_training(X, Y, SPECTATORS)
    with pytest.raises(InputError, match="shape"):
        TrainingEvents(X, KLASS[1:], WEIGHTS)


def test_more_than_200_variables_are_refused():
    many = [Quantity("Variable", f"v{i}", f"v{i}") for i in range(201)]
    events = TrainingEvents(np.zeros((5, 201)), np.zeros(5), np.ones(5))
    with pytest.raises(InputError, match="More than 200 variables"):
        fit_chain(parse_var_transform("D"), events, class_names=["x"], variables=many)


def test_the_kinds_of_steps_are_those_of_the_weight_file():
    assert [type(step) for step in fit("N,D,U").steps] == [Normalisation, Decorrelation, Gaussianisation]
    assert isinstance(fit("N"), FittedChain)


# -- the parameters of several sets side by side


@pytest.mark.parametrize("text", ["D", "D_Signal", "N,D", "P_Background,N"])
def test_sets_stand_side_by_side_in_training_and_from_the_file(text):
    chain = fit(text)
    found, _ = chain.forward_training(X, None, SPECTATORS, sets=(1, 0))
    for columns, index in ((slice(0, 3), 1), (slice(3, 6), 0)):
        expected = X
        for step in chain.steps:
            expected = step.only_set(index).apply(expected)
        np.testing.assert_array_equal(found[:, columns], expected)
    for read in (chain.training_chain((1, 0)), TransformationChain(chain.steps, (A, B, C), (), (S,), sets=(1, 0))):
        np.testing.assert_array_equal(read.forward(X, SPECTATORS), found)
        np.testing.assert_array_equal(read.parts[1].forward(X, SPECTATORS), found[:, 3:])


def test_a_chain_without_steps_gives_the_variables_once_whatever_the_sets():
    np.testing.assert_array_equal(fit("None").forward_training(X, None, SPECTATORS, sets=(0, 1))[0], X)
    np.testing.assert_array_equal(TransformationChain((), (A, B, C), sets=(0, 1)).forward(X), X)


def test_a_set_that_is_not_there_is_the_last():
    step = fit("D").steps[0]
    for index in (-1, 2, 3, 99):
        np.testing.assert_array_equal(step.only_set(index).matrices, step.matrices[2:])
    np.testing.assert_array_equal(step.only_set(1).matrices, step.matrices[1:2])
