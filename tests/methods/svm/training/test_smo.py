"""The optimisation, in both ways, against the same without any short cut."""

import numpy as np
import pytest

from pytmva_bnn.methods.svm.kernel import Kernel
from pytmva_bnn.methods.svm.option_table import SVMSettings
from pytmva_bnn.methods.svm.training import job, multipliers
from pytmva_bnn.methods.svm.training.estimates import Estimates
from pytmva_bnn.methods.svm.training.multipliers import Multipliers, Sample
from pytmva_bnn.methods.svm.training.smo import Optimiser

KERNELS = [Kernel(gamma=0.5), Kernel(("Polynomial",), order=2), Kernel(("RBF", "Polynomial"), order=1, theta=-0.2)]


def toy(kernel, n=90, seed=1, cost=1.0, doubles=False):
    random = np.random.default_rng(seed)
    flags = np.where(random.random(n) < 0.4, -1, 1).astype(np.float32)
    x = (random.normal(size=(n, 3)) - 0.5 * flags[:, np.newaxis]).astype(np.float32)
    if doubles:
        x[1::2] = x[::2]
    costs = (cost * random.uniform(0.2, 2.0, n)).astype(np.float32)
    return Sample(x, flags, costs, kernel)


@pytest.fixture(params=["numpy", "numba"])
def optimiser(request):
    if request.param == "numpy":
        return Optimiser
    pytest.importorskip("numba")
    from pytmva_bnn.methods.svm.training.compiled_smo import CompiledOptimiser

    return CompiledOptimiser


def check_sweeps(sample, optimiser, naive_smo, tolerance=0.001, n_sweeps=14):
    state = Multipliers.start(sample.flags)
    low, up = map(int, state.places)
    matrix = sample.kernel.values(sample.x, sample.x)
    naive = naive_smo(matrix, sample.flags, sample.costs, tolerance, low, up)
    ours = optimiser(sample, state, tolerance)
    total = 0
    for number in range(n_sweeps):
        everything = number % 3 == 0
        with np.errstate(all="ignore"):
            expected = naive.sweep(everything)
        assert ours.sweep(everything=everything) == expected
        np.testing.assert_array_equal(state.alpha, naive.alpha)
        np.testing.assert_array_equal(state.index, naive.index)
        np.testing.assert_array_equal(state.thresholds, [naive.b_low, naive.b_up])
        assert state.places.tolist() == [naive.low, naive.up]
        total += expected
    assert total > 30
    return state


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda one: one.formula)
@pytest.mark.parametrize("cost", [0.05, 20.0])
def test_every_pass_leaves_the_multipliers_of_tmva(kernel, cost, optimiser, naive_smo):
    state = check_sweeps(toy(kernel, cost=cost), optimiser, naive_smo)
    assert 0 < np.count_nonzero(state.alpha) < len(state.alpha) + 1


def test_equal_events(optimiser, naive_smo):
    check_sweeps(toy(KERNELS[0], doubles=True), optimiser, naive_smo)


def test_infinite_kernels_do_no_harm(optimiser, naive_smo):
    sample = toy(Kernel(("Polynomial",), order=3), n=40)
    sample.x[7] = 1e20
    check_sweeps(sample, optimiser, naive_smo)


def test_without_a_matrix_the_numbers_are_the_same(optimiser, naive_smo, monkeypatch):
    monkeypatch.setattr(multipliers, "LARGEST_MATRIX", 1000)
    sample = toy(KERNELS[2], n=300)
    assert not sample.fits_into_matrix
    check_sweeps(sample, optimiser, naive_smo, n_sweeps=6)


def test_the_first_pair_is_of_signal_and_background():
    flags = np.array([1, 1, -1, 1, -1, 1, 1, 1], np.float32)
    state = Multipliers.start(flags)
    low, up = state.places
    assert (flags[low], flags[up]) == (-1, 1)
    # numbers of ROOT's generator times 8: 7.99, 1.30, 2.26, 7.57
    assert (low, up) == (2, 7)
    assert state.thresholds.tolist() == [1, -1]
    np.testing.assert_array_equal(state.index, flags)
    state.thresholds[:] = 0.25, -1.0
    assert state.b == np.float32(-0.375)


def test_estimates_bound_the_rounding():
    """However multipliers move, the float32 sum stays within the margin of the estimate."""
    random = np.random.default_rng(5)
    n = 200
    matrix = random.uniform(0, 1, (n, n)).astype(np.float32)
    matrix = (matrix + matrix.T) / np.float32(2)
    a = np.zeros(n, np.float32)
    estimates = Estimates.start(n)
    largest = 0.0
    for number in range(400):
        i, j = random.choice(n, 2, replace=False)
        changes = []
        for k in (i, j):
            new = np.float32(0 if random.random() < 0.3 else random.normal() * 100)
            if k == j and number % 2:  # as in a training: the second change takes back the first
                new = np.float32(a[j] - changes[0][1])
            changes.append((int(k), float(new) - float(a[k]), matrix[k]))
            a[k] = new
        estimates.move(changes)
        active = np.flatnonzero(a)
        terms = a[active][:, np.newaxis] * matrix[active]
        sums = np.add.accumulate(terms, axis=0)
        gaps = np.diff(active, append=n + 1)[:, np.newaxis]
        assert (estimates.paths >= (np.abs(terms) + np.abs(sums) * gaps).sum(axis=0) * 0.9999).all()
        off = np.abs(sums[-1] - estimates.sums)
        margins = estimates.margins(0, n)
        assert (off < margins).all()
        largest = max(largest, float((off / margins).max()))
        noted = number % n
        estimates.note(noted, active, terms[:, noted].copy(), sums[:, noted].copy())
        assert off[noted] < estimates.margins(noted, noted + 1)[0]
    assert largest > 0.003  # the bound is of the order of the rounding


def test_compiled_estimates_are_those_of_numpy():
    pytest.importorskip("numba")
    from pytmva_bnn.methods.svm.kernels import smo

    random = np.random.default_rng(6)
    rows = random.uniform(0, 1, (2, 50)).astype(np.float32)
    alpha, flags = random.uniform(0, 3, 50).astype(np.float32), random.choice([-1, 1], 50).astype(np.float32)
    alpha[::3] = 0
    ours, compiled = Estimates.start(50), Estimates.start(50)
    ours.move(((31, 0.75, rows[0]), (8, -0.5, rows[1])))
    smo.move_estimates(8, 31, -0.5, 0.75, rows[1], rows[0], compiled.sums, compiled.paths)
    active = np.flatnonzero(alpha)
    terms = alpha[active] * flags[active] * rows[0][active]
    sums = np.add.accumulate(terms)
    ours.note(7, active, terms, sums)
    total, compiled.paths[7] = smo.summed(rows[0], active, (flags, flags), alpha)
    assert total == sums[-1]
    np.testing.assert_array_equal(compiled.sums, ours.sums)
    np.testing.assert_allclose(compiled.paths, ours.paths, rtol=1e-12)


class Script:
    """Says that so many multipliers were changed in each pass."""

    def __init__(self, counts):
        self.counts = list(counts)
        self.passes = []

    def sweep(self, *, everything):
        self.passes.append("all" if everything else "some")
        return self.counts[len(self.passes) - 1]


@pytest.mark.parametrize(
    ("counts", "passes"),
    [
        ([0], ["all"]),
        ([50, 0, 0], ["all", "some", "all"]),
        ([50, 20, 9, 12, 0, 0], ["all", "some", "some", "all", "some", "all"]),
        # the same number five times in a row, and all are examined again
        ([50, 20, 20, 20, 20, 20, 20, 0], ["all", *["some"] * 6, "all"]),
        ([50, 20, 20, 20, 20, 21, 20, 9, 0], ["all", *["some"] * 7, "all"]),
    ],
)
def test_which_events_a_pass_examines(counts, passes, monkeypatch):
    script = Script(counts)
    monkeypatch.setenv("PYTMVA_BNN_FAST", "0")
    monkeypatch.setattr(job, "Optimiser", lambda *_: script)
    settings = SVMSettings(("RBF",), False, 1.0, "", 1.0, 3, 1.0, 0.01, 100)
    shown = []
    job.optimise(toy(KERNELS[0]), settings, "SVM", lambda step, *_: shown.append(step))
    assert script.passes == passes
    assert shown == list(range(1, len(passes) + 1))
