"""Chains: which columns each step reads and writes, old files, and the inverse for targets."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytmva_bnn.errors import InputError
from pytmva_bnn.histograms import PDFRecord, from_contents
from pytmva_bnn.transform import (
    Decorrelation,
    Gaussianisation,
    Normalisation,
    OldCumulative,
    OldGaussianisation,
    PrincipalComponents,
    Quantity,
    Rearrangement,
    Selection,
    TransformationChain,
)
from pytmva_bnn.transform.normalise import denormalise, normalise
from pytmva_bnn.transform.principal import from_principal_components


def decorrelate(x, matrix):
    return Decorrelation(None, (matrix,)).apply(x)


def principal_components(x, means, vectors):
    return PrincipalComponents(None, (means,), (vectors,)).apply(x)


def quantity(name):
    return Quantity({"t": "Target", "s": "Spectator"}.get(name[0], "Variable"), name, name)


A, B, C, T, U, S = (quantity(name) for name in ("a", "b", "c", "t0", "t1", "s0"))
VARIABLES, TARGETS, SPECTATORS = (A, B, C), (T, U), (S,)


def select(*inputs, outputs=None):
    return Selection(inputs, inputs if outputs is None else outputs)


def norm(*inputs, low=0.0, outputs=None, selection=True, offset=True):
    n = len(inputs)
    minima = np.float32([np.zeros(n), low + np.arange(n)])
    chosen = select(*inputs, outputs=outputs) if selection else None
    return Normalisation(chosen, minima, minima + np.float32(4), offset)


def record(contents=(0.1, 0.4, 0.8, 1.0)):
    return PDFRecord("c", 0, 0, 1, 0, 1, 1, 0.0, from_contents(np.float32(contents), -2.0, 6.0, name="h"))


def gauss(*inputs, flat=False):
    return Gaussianisation(select(*inputs), tuple((record(),) for _ in inputs), flat)


def chain(*steps, **options):
    return TransformationChain(steps, VARIABLES, TARGETS, SPECTATORS, **options)


MATRIX = np.array([[1.0, 0.2, -0.1], [0.2, 2.0, 0.3], [-0.1, 0.3, 0.5]])
MEANS = np.array([0.5, -1.0, 2.0])
VECTORS = np.linalg.qr(MATRIX)[0]
DECO = Decorrelation(select(A, B, C), (np.eye(3), MATRIX))
PCA = PrincipalComponents(select(A, B, C), (np.zeros(3), MEANS), (np.eye(3), VECTORS))
X = np.random.default_rng(2).normal(1.0, 2.0, size=(20, 3)).astype(np.float32)
Z = np.random.default_rng(3).normal(size=(20, 1)).astype(np.float32)


def columns(parameters, *positions):
    return tuple(p[list(positions)] for p in parameters)


def test_an_empty_chain_copies():
    y = chain().forward(X)
    np.testing.assert_array_equal(y, X)
    assert not np.shares_memory(y, X)


def test_steps_act_one_after_the_other_in_float32():
    n = norm(A, B, C)
    expected = principal_components(decorrelate(normalise(X, n.minima[-1], n.maxima[-1]), MATRIX), MEANS, VECTORS)
    result = chain(n, DECO, PCA).forward(X)
    assert result.dtype == np.float32
    np.testing.assert_array_equal(result, expected)


def test_values_not_selected_are_copied():
    n = norm(A, C, low=0.5)
    y = chain(n).forward(X)
    np.testing.assert_array_equal(y[:, [0, 2]], normalise(X[:, [0, 2]], n.minima[-1], n.maxima[-1]))
    np.testing.assert_array_equal(y[:, 1], X[:, 1])


def test_parameters_belong_to_the_inputs_and_results_go_to_the_outputs():
    n = norm(C, A, low=0.5, outputs=(A, C))
    y = chain(n).forward(X)
    np.testing.assert_array_equal(y[:, [0, 2]], normalise(X[:, [2, 0]], n.minima[-1], n.maxima[-1]))


def test_fewer_outputs_than_inputs_leave_the_rest_out():
    y = chain(norm(B, A, outputs=(A,))).forward(X)
    assert y[:, 1:].tolist() == X[:, 1:].tolist()
    assert y[:, 0].tolist() == chain(norm(B, A)).forward(X)[:, 1].tolist()


@pytest.mark.parametrize(
    "step",
    [
        norm(A, B, C),
        norm(A),
        DECO,
        PCA,
        gauss(A, B),
        gauss(A, flat=True),
        Rearrangement(select(B, A, outputs=(A, B))),
    ],
    ids=["N", "N(a)", "D", "P", "G", "U", "Rearrange"],
)
def test_the_input_stays_as_it_is(step):
    x = X.copy()
    y = chain(step).forward(x)
    y[:] = 0
    np.testing.assert_array_equal(x, X)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(*[st.floats(width=32)] * 3), min_size=1, max_size=12))
def test_one_event_gives_the_same_bits_as_many(rows):
    long = chain(norm(A, B, C), DECO, gauss(A, B, C), PCA)
    x = np.float32(rows)
    np.testing.assert_array_equal(long.forward(x), np.vstack([long.forward(row[None]) for row in x]))


def test_no_events_give_no_events():
    assert chain(norm(A), DECO, gauss(B), PCA).forward(X[:0]).shape == (0, 3)


def test_float64_input_is_rounded_to_float32():
    np.testing.assert_array_equal(chain(DECO).forward(X.astype(np.float64) + 1e-12), chain(DECO).forward(X))


def test_targets_are_left_out_of_forward():
    with_targets, without = norm(A, B, C, T, U), norm(A, B, C)
    np.testing.assert_array_equal(chain(with_targets).forward(X), chain(without).forward(X))


def test_entries_behind_a_dropped_one_take_its_parameters():
    unknown = quantity("x")
    step = norm(A, unknown, B, low=0.5)
    y = chain(step, drop_unmatched=True).forward(X)
    np.testing.assert_array_equal(y[:, :2], normalise(X[:, :2], step.minima[-1][:2], step.maxima[-1][:2]))
    np.testing.assert_array_equal(y[:, 2], X[:, 2])
    with pytest.raises(InputError, match="names the variable 'x'"):
        chain(step)


@pytest.mark.parametrize("number", [0, 1, 2])
def test_matrices_without_all_their_inputs_are_refused_and_without_any_do_nothing(number):
    chosen = (A, B)[:number] + (quantity("x"), quantity("y"))[number:]
    for step in (
        Decorrelation(select(*chosen), (2.0 * np.eye(2),)),
        PrincipalComponents(select(*chosen), (np.ones(2),), (np.eye(2),)),
    ):
        if number == 1:
            with pytest.raises(InputError, match="only 1 of the 2 entries of its selection are known"):
                chain(step, drop_unmatched=True)
        else:
            y = chain(step, drop_unmatched=True).forward(X)
            assert np.array_equal(y, X) == (number == 0)


def test_storing_stops_at_the_first_absent_target():
    y = chain(norm(A, T, B, outputs=(A, B, T))).forward(X)
    assert y[:, 0].tolist() == chain(norm(A)).forward(X)[:, 0].tolist()
    np.testing.assert_array_equal(y[:, 1:], X[:, 1:])
    np.testing.assert_array_equal(chain(norm(T, A)).forward(X), X)


def test_steps_on_targets_alone_leave_variables():
    only_targets = Decorrelation(select(T, U), (np.eye(2) * 2,))
    np.testing.assert_array_equal(chain(only_targets).forward(X), X)


def test_spectators_are_read_and_written():
    swap = Rearrangement(select(S, A, outputs=(A, S)))
    chained = chain(swap, norm(A, S))
    y = chained.forward(X, Z)
    np.testing.assert_array_equal(y[:, 0], normalise(Z, *np.float32([[0.0], [4.0]]))[:, 0])
    assert chained.needs_spectators
    assert not chain(norm(A)).needs_spectators
    assert not chain(norm(T, S)).needs_spectators
    again = chain(swap, swap)
    np.testing.assert_array_equal(again.forward(X, Z), X)


def test_results_for_absent_targets_are_dropped():
    y = chain(norm(A, S, T, outputs=(A, T, S))).forward(X, Z)
    np.testing.assert_array_equal(y, chain(norm(A)).forward(X))


def test_missing_or_wrong_spectators_are_refused():
    with pytest.raises(InputError, match="spectators are needed: give the values of s0"):
        chain(norm(S)).forward(X)
    with pytest.raises(InputError, match="variables of 20 events but spectators of 3"):
        chain(norm(S)).forward(X, Z[:3])
    with pytest.raises(InputError, match=r"spectators must have the shape \(n_events, 1\), got \(20, 3\)"):
        chain(norm(S)).forward(X, X)


@pytest.mark.parametrize("bad", [X[:, :2], X[0], np.zeros((1, 2, 3))])
def test_the_number_of_variables_is_checked(bad):
    with pytest.raises(InputError, match=r"variables must have the shape \(n_events, 3\)"):
        chain().forward(bad)


# ------------------------------------------------------------------ what is refused when a chain is made


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (norm(quantity("x")), "transformation Normalize: its selection names the variable 'x'"),
        (Rearrangement(select(A, outputs=(quantity("x"),))), "transformation Rearrange: .* 'x'"),
        (Decorrelation(select(A, B), (MATRIX,)), r"transformation Decorrelation: matrices must .* \(2, 2\)"),
        (Decorrelation(None, (np.eye(2),)), r"transformation Decorrelation: matrices must .* \(3, 3\)"),
        (PrincipalComponents(select(A, B), (MEANS,), (VECTORS,)), "transformation PCA: means must"),
        (Gaussianisation(select(A), (), flat=True), "transformation Gauss: 0 inputs"),
        (
            norm(A, B, C, selection=False),
            r"transformation Normalize: minima must have the shape \(n_sets, 5\)",
        ),
        (Decorrelation(select(A, T), (np.eye(2),)), "transformation Decorrelation: its selection mixes"),
        (
            PrincipalComponents(select(A, T), (MEANS[:2],), (np.eye(2),)),
            "transformation PCA: its selection mixes",
        ),
        (Rearrangement(select(T)), "transformation Rearrange: its selection has a target"),
    ],
)
def test_a_chain_that_cannot_work_is_refused(step, message):
    with pytest.raises(InputError, match=message):
        chain(step)


# ------------------------------------------------------------------ old files without selections


def old_gauss(flat):
    histogram = from_contents(np.float32([0.4, 1.0]), 0.0, 0.0, np.array([-1.0, 1.0, 3.0]), name="c")
    return OldGaussianisation(None, ((OldCumulative(histogram, 10),),) * 3, flat)


OLD = {
    "D": Decorrelation(None, DECO.matrices),
    "P": PrincipalComponents(None, PCA.means, PCA.eigenvectors),
    "G": Gaussianisation(None, gauss(A, B, C).cumulatives, flat=False),
    "U": Gaussianisation(None, gauss(A, B, C).cumulatives, flat=True),
    "text G": old_gauss(flat=False),
    "text U": old_gauss(flat=True),
}


@pytest.mark.parametrize("name", OLD)
def test_old_steps_act_on_all_variables_or_as_in_current_root_not_at_all(name):
    step = OLD[name]
    np.testing.assert_array_equal(chain(step).forward(X), step.apply(X))
    np.testing.assert_array_equal(chain(step, ignore_unselected_old_steps=True).forward(X), X)


@pytest.mark.parametrize("ignore", [True, False])
def test_an_old_normalisation_acts_on_variables_and_targets_in_any_case(ignore):
    old = norm(A, B, C, T, U, selection=False, low=1.0)
    chained = chain(old, ignore_unselected_old_steps=ignore)
    new = chain(norm(A, B, C, T, U, low=1.0))
    np.testing.assert_array_equal(chained.forward(X), new.forward(X))
    assert chained.transforms_targets
    y = X[:, :2]
    np.testing.assert_array_equal(chained.inverse_targets(y), new.inverse_targets(y))


def test_new_steps_are_never_ignored():
    np.testing.assert_array_equal(chain(DECO, ignore_unselected_old_steps=True).forward(X), decorrelate(X, MATRIX))


# ------------------------------------------------------------------ the inverse for targets

OUTPUTS = np.random.default_rng(4).uniform(-1, 1, size=(10, 2)).astype(np.float32)


def test_without_target_steps_outputs_are_copied():
    chained = chain(norm(A, B), DECO)
    y = chained.inverse_targets(OUTPUTS)
    assert not chained.transforms_targets
    np.testing.assert_array_equal(y, OUTPUTS)
    assert not np.shares_memory(y, OUTPUTS)


def test_targets_use_the_parameters_at_their_place_in_the_selection():
    n = norm(A, B, C, T, U, low=2.0)
    chained = chain(n)
    assert chained.transforms_targets
    expected = denormalise(OUTPUTS, n.minima[-1][3:], n.maxima[-1][3:])
    result = chained.inverse_targets(OUTPUTS)
    assert result.dtype == np.float32
    np.testing.assert_array_equal(result, expected)


def test_one_selected_target_leaves_the_other():
    y = chain(norm(A, U, low=2.0)).inverse_targets(OUTPUTS)
    np.testing.assert_array_equal(y[:, 0], OUTPUTS[:, 0])
    np.testing.assert_array_equal(y[:, 1:], denormalise(OUTPUTS[:, 1:], np.float32([3.0]), np.float32([7.0])))


def test_the_inverse_reads_outputs_and_writes_inputs():
    y = chain(norm(U, T, low=2.0, outputs=(T, U))).inverse_targets(OUTPUTS)
    expected = denormalise(OUTPUTS, np.float32([2.0, 3.0]), np.float32([6.0, 7.0]))
    np.testing.assert_array_equal(y, expected[:, ::-1])


def test_only_the_first_step_with_targets_counts():
    first, second = norm(A, T, U, low=5.0), norm(T, low=-7.0)
    expected = chain(first).inverse_targets(OUTPUTS)
    np.testing.assert_array_equal(chain(DECO, first, second, gauss(A)).inverse_targets(OUTPUTS), expected)
    np.testing.assert_array_equal(chain(second, first).inverse_targets(OUTPUTS), chain(second).inverse_targets(OUTPUTS))


@pytest.mark.parametrize("flat", [True, False])
def test_gauss_and_uniform_have_an_inverse(flat):
    step = gauss(A, T, U, flat=flat)
    targets = np.float32([[-0.5, 0.0], [1.0, 2.5]])
    transformed = step.apply(np.column_stack([targets[:, 0], targets]))[:, 1:]
    np.testing.assert_allclose(chain(step).inverse_targets(transformed), targets, atol=2e-3)


def test_principal_components_of_targets_are_inverted_in_the_odd_way():
    step = PrincipalComponents(select(T, U), (MEANS[:2],), (np.array([[0.6, -0.8], [0.8, 0.6]]),))
    np.testing.assert_array_equal(
        chain(step).inverse_targets(OUTPUTS),
        from_principal_components(OUTPUTS, step.means[0], step.eigenvectors[0]),
    )


@pytest.mark.parametrize("position", [0, 1])
def test_decorrelated_targets_cannot_be_inverted_wherever_the_step_is(position):
    steps = [norm(T)]
    steps.insert(position, Decorrelation(select(T, U), (np.eye(2),)))
    with pytest.raises(
        InputError, match="transformation Decorrelation: it has targets in its selection but no inverse"
    ):
        chain(*steps).inverse_targets(OUTPUTS)


def test_targets_exchanged_with_variables_cannot_be_inverted():
    with pytest.raises(InputError, match="transformation Normalize: it exchanges targets with variables"):
        chain(norm(T, A, outputs=(A, T))).inverse_targets(OUTPUTS)


def test_the_number_of_targets_is_checked():
    with pytest.raises(InputError, match=r"targets must have the shape \(n_events, 2\), got \(20, 3\)"):
        chain().inverse_targets(X)


@pytest.mark.parametrize(
    "step",
    [norm(A, T, U, low=2.0), norm(T, U, offset=False), gauss(T, U), gauss(T, U, flat=True)],
    ids=["N", "S", "G", "U"],
)
def test_the_float64_inverse_is_the_same_without_rounding(step):
    outputs = OUTPUTS.astype(np.float64) / 2 + 0.4
    exact = chain(step).inverse_targets64(outputs)
    assert exact.dtype == np.float64
    rounded = chain(step).inverse_targets(outputs.astype(np.float32))
    np.testing.assert_allclose(exact, rounded, rtol=1e-5, atol=1e-5)
    assert np.any(exact != rounded)


def test_steps_stay_available():
    assert chain(DECO, PCA).steps == (DECO, PCA)
