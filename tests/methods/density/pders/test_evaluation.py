"""Volumes, kernels and responses against TMVA's steps written out for one event."""

import logging
from dataclasses import replace

import numpy as np
import pytest

from pytmva_bnn.methods.density.pders.boxes import DOUBTFUL, AdaptiveBoxes, BoxSearch
from pytmva_bnn.methods.density.pders.evaluation import DensityEstimate
from pytmva_bnn.methods.density.pders.fitted import FittedPDERS
from pytmva_bnn.methods.density.pders.option_table import KERNELS, PDERSSettings
from pytmva_bnn.methods.density.pders.tree import SearchTree

SETTINGS = PDERSSettings(n_min=20.0, n_max=30.0, initial_scale=float(np.float32(0.99)))


def fitted_of(settings=SETTINGS, kind="continuous", *, n=300, weights=None, n_targets=0, **more):
    random = np.random.default_rng(12)
    x = random.normal(size=(n, 2)) * [1.0, 30.0]
    if kind == "integers":
        x = random.integers(0, 6, size=(n, 2))
    elif kind == "constant":
        x[:, 1] = 4.0
    elif kind == "far":
        x += 1e4
    classes = random.integers(0, 2, n) if not n_targets else np.zeros(n, dtype=int)
    if weights is None:
        weights = random.uniform(0.3, 3.0, n)
    elif weights == "any size":
        weights = 10.0 ** random.uniform(-12, 1, n)
    elif weights == "negative":
        weights = random.normal(1.0, 1.0, n)
    targets = random.normal(size=(n, n_targets)).astype(np.float32)
    tree = SearchTree.grown(x.astype(np.float32), targets, weights, classes, balanced=True)
    return FittedPDERS(tree, settings, is_regression=n_targets > 0, **more)


def queries(fitted, n=30):
    random = np.random.default_rng(13)
    x = fitted.tree.variables
    q = x[random.integers(0, len(x), n)] + random.normal(size=(n, 2)) * [0.5, 10.0]
    return np.concatenate([q, x[:5], x[:3] * 20]).astype(np.float32)


@pytest.mark.parametrize(
    ("kind", "weights"),
    [
        *((kind, weights) for kind in ("continuous", "integers", "far") for weights in (None, "any size")),
        ("continuous", "negative"),
    ],
)
def test_adaptive_boxes(kind, weights, mode, naive_box, naive_ratio):
    fitted = fitted_of(replace(SETTINGS, n_min=8.0, n_max=12.0), kind, weights=weights)
    estimate = fitted.estimate
    assert (estimate._search.slack > 0) == (weights == "any size")
    q = queries(fitted)
    found = fitted.outputs(q, compiled=mode == "numba")[:, 0]
    for number, one in enumerate(q):
        members = naive_box(fitted.tree, fitted.settings, estimate.delta, one)[2]
        assert found[number] == naive_ratio(fitted.tree, estimate.scales, 0, members)


def test_sums_whose_rounding_depends_on_the_order_are_added_in_tmvas(mode, naive_box, naive_ratio, monkeypatch):
    """The sum of all weights lies between two float32 numbers, as close as the order of adding decides."""
    fitted = fitted_of(replace(SETTINGS, n_min=8.0, n_max=12.0), weights="any size")
    calls = []
    original = SearchTree.ordered_sums
    monkeypatch.setattr(SearchTree, "ordered_sums", lambda self, inside: calls.append(1) or original(self, inside))
    monkeypatch.setattr(BoxSearch, "slack", 1e-6)  # as if every sum were doubtful
    q = queries(fitted)
    found = fitted.outputs(q, compiled=mode == "numba")[:, 0]
    assert calls
    for number, one in enumerate(q):
        members = naive_box(fitted.tree, fitted.settings, fitted.estimate.delta, one)[2]
        assert found[number] == naive_ratio(fitted.tree, fitted.estimate.scales, 0, members)


def test_a_ratio_that_depends_on_the_order_of_adding_is_doubtful():
    estimate = fitted_of(weights="any size").estimate
    estimate._search.__dict__["slack"] = 1e-7
    sums = np.array([[1.0, 1 / 3], [5e5, 4e5], [0.0, 0.0]])
    assert estimate._ratios(sums, np.zeros(3, dtype=int), ordered=False)[1].tolist() == [DOUBTFUL, 0, DOUBTFUL]
    assert not estimate._ratios(sums, np.zeros(3, dtype=int), ordered=True)[1].any()


def test_events_on_the_edges_of_a_box(mode):
    """The lower edge does not belong to it, the upper one does."""
    x = np.stack(np.meshgrid(np.arange(9.0), np.arange(9.0)), axis=-1).reshape(-1, 2).astype(np.float32)
    classes = ((x[:, 0] + 2 * x[:, 1]) % 5 > 1).astype(int)
    tree = SearchTree.grown(x, np.zeros((81, 0), np.float32), np.ones(81), classes, balanced=True)
    settings = PDERSSettings(n_min=1.0, n_max=50.0, initial_scale=1.0)
    estimate = DensityEstimate(tree, settings, 0, (np.float32(1), np.float32(1)), np.float32([4.0, 2.0]))
    found = estimate.responses(np.float32([[4, 4], [5, 3]]), "densities", compiled=mode == "numba")
    for (a, b), response in zip([(4, 4), (5, 3)], found, strict=True):
        members = [(i, j) for i in range(a - 1, a + 3) for j in range(b, b + 2)]
        assert response == pytest.approx(np.mean([(i + 2 * j) % 5 <= 1 for i, j in members]))


def test_means_of_targets(mode, naive_box):
    fitted = fitted_of(n_targets=1)
    q = queries(fitted)
    found = fitted.outputs(q, compiled=mode == "numba")[:, 0]
    for number, one in enumerate(q):
        above = below = np.float32(0)
        for member in naive_box(fitted.tree, fitted.settings, fitted.estimate.delta, one)[2]:
            w = float(fitted.tree.weights[member])
            above = np.float32(float(above) + w * float(fitted.tree.targets[member, 0]))
            below = np.float32(float(below) + w)
        assert found[number] == np.float32(above / below)
    np.testing.assert_array_equal(fitted.mva_values(q), 1.0)  # the classification of a sample of one class


def test_many_training_events_and_few_are_searched_alike(both_ways):
    fitted = fitted_of(n=9000)  # more than of which numpy forgets those far away
    q = queries(fitted, 200)
    by_numpy, by_kernels = (fitted.outputs(q, compiled=compiled) for compiled in (False, True))
    np.testing.assert_array_equal(by_numpy, by_kernels)
    assert 0.2 < by_numpy.mean() < 0.8


def test_too_few_events_end_the_search_with_a_warning(mode, caplog):
    fitted = fitted_of(replace(SETTINGS, n_min=1000.0, n_max=2000.0))
    q = queries(fitted)
    found = fitted.outputs(q, compiled=mode == "numba")[:, 0]
    assert "38 of 38 events: all training events together weigh less than NEventsMin=1000" in caplog.text
    sums = fitted.tree.statistics.sums
    assert np.abs(found - 0.5).max() < 0.1  # nearly all events of both classes, normalised
    assert sums[0] != pytest.approx(sums[1], rel=1e-3)


def test_a_box_without_width_holds_nothing(mode, caplog):
    fitted = fitted_of(kind="constant")
    np.testing.assert_array_equal(fitted.outputs(queries(fitted), compiled=mode == "numba"), 0.5)
    assert "weigh less than NEventsMin" in caplog.text


def test_both_ways_agree_where_nothing_is_found(both_ways, caplog):
    for settings in (replace(SETTINGS, n_min=1000.0), replace(SETTINGS, n_min=25.0, n_max=25.0, max_iterations=20.0)):
        fitted = fitted_of(settings)
        q = np.concatenate([queries(fitted, 100), [[1e5, -1e7], [3e30, 0.0]]]).astype(np.float32)
        np.testing.assert_array_equal(*(fitted.outputs(q, compiled=compiled) for compiled in (False, True)))
    assert "volume adjustment reached max. #iterations: no volume of NEventsMin=25 to NEventsMax=25" in caplog.text


def test_events_that_are_not_finite_have_no_response(mode):
    fitted = fitted_of()
    x = np.float32([[0.0, 1.0], [np.nan, 0.0], [0.0, np.inf]])
    found = fitted.outputs(x, compiled=mode == "numba")[:, 0]
    assert np.isnan(found).tolist() == [False, True, True]


# -- as booked

FORMULAS = {
    "Sphere": lambda _: 1.0,
    "Teepee": lambda r: 1.0 - r,
    "Gauss": lambda r: np.exp(-0.5 * (r / 0.3) ** 2),
    "Sinc3": lambda r: abs(np.sinc(2 * r)) * np.sinc(2 * r),
    "Sinc5": lambda r: abs(np.sinc(3 * r)) * np.sinc(3 * r),
    "Sinc7": lambda r: abs(np.sinc(4 * r)) * np.sinc(4 * r),
    "Sinc9": lambda r: abs(np.sinc(5 * r)) * np.sinc(5 * r),
    "Sinc11": lambda r: abs(np.sinc(6 * r)) * np.sinc(6 * r),
    **{
        f"Lanczos{m}": lambda r, m=m: abs(np.sinc(r) * np.sinc(m * r)) * np.sinc(r) * np.sinc(m * r)
        for m in (2, 3, 5, 8)
    },
}


def test_all_kernels_are_tested():
    assert set(FORMULAS) == set(KERNELS) - {"Box", "Trim"}


@pytest.mark.parametrize("kernel", FORMULAS)
@pytest.mark.parametrize("mode", ["RMS", "Adaptive"])
def test_kernels(kernel, mode, naive_box, naive_ratio, box_distance):
    settings = replace(SETTINGS, mode=mode, kernel=kernel, gauss_sigma=0.3, delta_fraction=2.0)
    fitted = fitted_of(settings, as_booked=True)
    q, tree = queries(fitted, 15), fitted.tree
    found = fitted.outputs(q, compiled=False)[:, 0]
    for number, one in enumerate(q):
        lower, upper = fitted.estimate._search.first_boxes(one[None])
        lower, upper = lower[0], upper[0]
        if mode == "Adaptive":
            lower, upper, _ = naive_box(tree, settings, fitted.estimate.delta, one)
        members = np.flatnonzero(((tree.variables > lower) & (tree.variables <= upper)).all(axis=1))
        distances = [box_distance(tree.variables[member], one, lower, upper) for member in members]
        near = [(member, r) for member, r in zip(members, distances, strict=True) if r <= 1]
        expected = naive_ratio(
            tree, fitted.estimate.scales, 0, [m for m, _ in near], [FORMULAS[kernel](r) for _, r in near]
        )
        assert found[number] == pytest.approx(expected, abs=1e-6)


def test_a_kernel_in_three_variables_is_an_odd_power():
    random = np.random.default_rng(1)
    tree = SearchTree.grown(
        random.normal(size=(300, 3)).astype(np.float32),
        np.zeros((300, 0), np.float32),
        np.ones(300),
        np.arange(300) % 2,
        balanced=False,
    )
    fitted = FittedPDERS(tree, replace(SETTINGS, mode="RMS", kernel="Sinc3"), as_booked=True)
    q = np.zeros((1, 3), np.float32)
    half = fitted.estimate.delta.astype(float) / 2
    inside = (np.abs(tree.variables) <= half).all(axis=1)
    r = np.sqrt(((tree.variables[inside] / half) ** 2).mean(axis=1))
    kernel = np.where(r <= 1, np.sinc(2 * r) ** 3, 0.0)
    signal, background = (kernel[tree.classes[inside] == one].sum() for one in (0, 1))
    assert fitted.outputs(q, compiled=False)[0, 0] == pytest.approx(signal / (signal + background), rel=1e-6)


def test_gaussian_kernel_far_out_and_without_width(caplog):
    for sigma, expected in ((1e-4, 0.5), (0.0, None)):
        fitted = fitted_of(replace(SETTINGS, mode="RMS", kernel="Gauss", gauss_sigma=sigma), as_booked=True)
        sphere = fitted_of(replace(SETTINGS, mode="RMS", kernel="Sphere"), as_booked=True)
        q = np.float32([[0.7123, 11.3]])
        found = fitted.outputs(q, compiled=False)[0, 0]
        assert found == pytest.approx(sphere.outputs(q, compiled=False)[0, 0] if expected is None else expected)


def test_the_kernel_trim_without_a_distance_to_trim_at_is_infinite():
    """Sums of minus infinity count as 0; a training event has the distance 0/0 from itself: its class wins."""
    fitted = fitted_of(replace(SETTINGS, mode="RMS", kernel="Trim"), as_booked=True)
    found = fitted.outputs(np.concatenate([np.float32([[0.7123, 11.3]]), fitted.tree.variables[:9]]), compiled=False)
    np.testing.assert_array_equal(found[:, 0], [0.5, *(fitted.tree.classes[:9] == 0)])
    assert 0 < found[1:].mean() < 1


@pytest.mark.parametrize(("mode", "expected"), [("Unscaled", 2.5), ("MinMax", None), ("RMS", None)])
def test_first_boxes_of_the_modes(mode, expected):
    fitted = fitted_of(replace(SETTINGS, mode=mode, delta_fraction=2.5), as_booked=True)
    x = fitted.tree.variables
    rms = fitted.tree.statistics.rms
    wanted = {"Unscaled": [2.5, 2.5], "MinMax": np.ptp(x, axis=0) * 2.5, "RMS": rms.mean(axis=0) * 2.5}[mode]
    np.testing.assert_allclose(fitted.estimate.delta, wanted, rtol=1e-6)
    assert fitted.estimate.delta.dtype == np.float32
    regression = fitted_of(replace(SETTINGS, delta_fraction=2.5), n_targets=1)
    np.testing.assert_allclose(regression.estimate.delta, regression.tree.statistics.rms[0] * 2.5, rtol=1e-6)


@pytest.mark.parametrize("kernel", ["Box", "Teepee", "Trim"])
@pytest.mark.parametrize("is_corrected", [False, True])
def test_nearest_neighbours(kernel, is_corrected, naive_ratio, box_distance):
    most_rounds = 29 + is_corrected  # ends with too few or with too many
    settings = replace(
        SETTINGS, mode="kNN", kernel=kernel, delta_fraction=0.5, max_iterations=float(most_rounds), n_max=22.0
    )
    fitted = fitted_of(settings, as_booked=True, is_corrected=is_corrected)
    tree, q = fitted.tree, queries(fitted)
    found = fitted.outputs(q, compiled=False)[:, 0]
    level_by_level = sorted(range(len(tree)), key=lambda node: (tree.depths[node], node))
    rounds = set()
    for number, one in enumerate(q):
        lower, upper = (one.astype(float) + sign * fitted.estimate.delta.astype(float) / 2 for sign in (-1, 1))
        for n_rounds in range(most_rounds + 1):
            inside = [
                node
                for node in level_by_level
                if (tree.variables[node] > lower).all() and (tree.variables[node] <= upper).all()
            ]
            if 20 <= len(inside) <= 22 or n_rounds == most_rounds:
                break
            f = 2.0 if len(inside) < 20 else float(np.float32(0.1))
            lower, upper = 0.5 * (lower * (1 + f) + upper * (1 - f)), 0.5 * (lower * (1 - f) + upper * (1 + f))
        rounds.add(n_rounds)
        if len(inside) < 20:
            assert found[number] == 0.5
            continue
        inside = inside[:23]  # where 2 and 0.1 miss the interval again and again
        r = {node: box_distance(tree.variables[node], one, lower, upper) for node in inside}
        reach = sorted(r.values())[19]
        members = [node for node in inside if r[node] <= reach]
        unit = reach if is_corrected else reach / 2  # TMVA: measures it in units twice as large
        kernels = {
            "Box": [1.0 for node in members],
            "Teepee": [1 - r[node] for node in members],
            "Trim": [(1 - (r[node] / unit) ** 3) ** 3 for node in members],
        }[kernel]
        if kernel != "Box":
            members, kernels = zip(*((m, k) for m, k in zip(members, kernels, strict=True) if r[m] <= 1), strict=True)
        expected = naive_ratio(tree, fitted.estimate.scales, 0, members, kernels)
        assert found[number] == pytest.approx(expected, abs=1e-6)
    assert {1, most_rounds} <= rounds


def test_scales_of_exchanged_classes():
    fitted = fitted_of(signal_class=1)
    sums = fitted.tree.statistics.sums
    assert fitted.estimate.scales == (np.float32(1 / sums[0]), np.float32(1 / sums[1]))
    assert fitted.corrected().estimate.scales == (np.float32(1 / sums[1]), np.float32(1 / sums[0]))
    assert fitted_of().corrected().estimate.scales == (np.float32(1 / sums[0]), np.float32(1 / sums[1]))


def test_memory_is_bounded_by_blocks(monkeypatch):
    rows = []
    original = AdaptiveBoxes.__init__
    monkeypatch.setattr(
        AdaptiveBoxes,
        "__init__",
        lambda self, search, q, **how: rows.append(len(q)) or original(self, search, q, **how),
    )
    fitted = fitted_of(n=2000)
    fitted.outputs(queries(fitted, 600), compiled=False)
    assert sum(rows) == 608
    assert max(rows) * 2000 <= 1 << 18


def test_one_warning_for_many_events(caplog):
    fitted = fitted_of(replace(SETTINGS, n_min=1000.0, n_max=2000.0))
    fitted.outputs(queries(fitted, 3000), compiled=False)
    assert [record.levelno for record in caplog.records] == [logging.WARNING, logging.WARNING]
    assert isinstance(fitted.estimate, DensityEstimate)


def test_trim_is_for_the_mode_knn_only():
    # TMVA: in other modes the kernel is infinite, and a mean with it NaN or 0
    fitted = fitted_of(replace(SETTINGS, kernel="Trim"), n_targets=1).corrected()
    assert not np.isfinite(fitted.respond(queries(fitted))).any()
    fitted = fitted_of(replace(SETTINGS, kernel="Trim", mode="kNN"), n_targets=1).corrected()
    assert np.isfinite(fitted.respond(queries(fitted))).all()
