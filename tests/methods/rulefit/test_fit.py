"""The fit of the coefficients: compared with the gradient written out event by event."""

from types import SimpleNamespace

import numpy as np
import pytest

from pytmva_bnn.methods.progress import ignore_progress
from pytmva_bnn.methods.rulefit.training import path
from pytmva_bnn.methods.rulefit.training.job import linear_terms
from pytmva_bnn.methods.rulefit.training.path import Fit, Tried, follow, scan_tau
from pytmva_bnn.methods.rulefit.training.walk import FitEvents, Walk


def fit_events(n=300, n_rules=12, n_lines=2, seed=1, compiled=False):
    random = np.random.default_rng(seed)
    y = np.where(random.uniform(size=n) < 0.6, 1.0, -1.0)
    holds = (random.uniform(size=(n_rules, n)) < 0.25 + 0.3 * (y > 0) * random.uniform(size=(n_rules, 1))).astype(
        np.uint8
    )
    lines = 0.5 * y + random.normal(size=(n_lines, n))
    return FitEvents(random.uniform(0.3, 2.0, n), y, holds, lines, compiled)


def written_out(events, norms, tau, step, n_steps):
    """Offset and coefficients by the formulas of the method, all events at every step."""
    x = np.vstack([events.holds, events.lines])
    total = events.w.sum()
    a, offset = np.zeros(len(x)), -(events.w * events.y).sum() / total
    averages = (events.w * events.holds).sum(axis=1) / total
    for _ in range(n_steps):
        f = offset + a @ x
        r = np.where(np.abs(f) < 1.0, 2.0 / total * (events.y - f) * events.w, 0.0)
        g = x @ r
        moves = np.abs(g) >= tau * np.abs(g).max()
        a += np.where(moves, step * g / np.concatenate([np.ones(len(averages)), norms]), 0.0)
        offset = -(a[: len(averages)] * averages).sum()
    return np.concatenate([[offset], a])


@pytest.mark.parametrize(("n_rules", "n_lines"), [(12, 2), (12, 0), (0, 3), (1, 0)])
@pytest.mark.parametrize("tau", [0.0, 0.4, 1.0])
def test_the_walk_follows_the_gradient(tau, n_rules, n_lines, mode):
    events = fit_events(n_rules=n_rules, n_lines=n_lines, compiled=mode == "numba")
    norms = np.linspace(0.5, 1.5, n_lines)
    walk = Walk(events, 0.2, norms)
    position = walk.start()
    walk.go(position, tau, 150)
    expected = written_out(events, norms, tau, 0.2, 150)
    np.testing.assert_allclose(position.a, expected, rtol=1e-11, atol=1e-13)
    f = np.abs(events.responses(position.a))
    if n_rules > 1:
        assert np.count_nonzero(f >= 1.0) > 0  # events have left the sums
    assert position.active.tolist() == (f < 1.0).tolist()


def test_both_ways_have_the_same_bits():
    pytest.importorskip("numba")
    found = []
    for compiled in (False, True):
        walk = Walk(fit_events(compiled=compiled), 0.2, np.array([0.8, 1.2]))
        position = walk.start()
        walk.go(position, 0.3, 120)
        found.append([*position.a, *position.c, *position.gram.ravel(), walk.events.risk(position.a)])
    assert found[0] == found[1]


def test_sums_that_are_made_anew_change_nothing_but_rounding(mode):
    walk = Walk(fit_events(compiled=mode == "numba"), 0.2, np.array([0.8, 1.2]))
    one, other = walk.start(), walk.start()
    walk.go(one, 0.3, 60)
    for _ in range(3):
        other.gram = None
        walk.go(other, 0.3, 20)
    np.testing.assert_allclose(one.a, other.a, rtol=1e-12)


def test_the_risk_cuts_the_response_off():
    events = FitEvents(np.array([1.0, 3.0]), np.array([1.0, -1.0]), np.uint8([[1, 0]]), np.empty((0, 2)), False)
    # responses 5 (cut off at 1) and 0.5
    assert events.risk(np.array([0.5, 4.5])) == pytest.approx((1.0 * 0.0 + 3.0 * 1.5**2) / 4.0)


SETTINGS = SimpleNamespace(tau_precision=0.05, n_steps=350, error_scale=1.5)


def scan_written_out(path_events, validation, norms, precision, step):
    n = int(1.0 / precision) + 1
    race = {k: k / (n - 1) for k in range(n)}
    for done in (1, *range(100, 1001, 100)):
        walked = {k: written_out(path_events, norms, tau, step, done) for k, tau in race.items()}
        errors = {k: validation.risk(a) for k, a in walked.items()}
        best = min(errors, key=lambda k: (errors[k], k))
        spread = np.std(list(errors.values()), ddof=1)
        choice = race[best], walked[best]
        race = {k: tau for k, tau in race.items() if errors[k] <= errors[best] + spread}
        if len(race) <= 3:
            break
    return choice


@pytest.mark.parametrize("keeps_sums", [True, False])
def test_the_scan_of_tau_drops_what_is_worse(keeps_sums, mode, monkeypatch):
    if not keeps_sums:
        monkeypatch.setattr(path, "_MOST_BYTES", 0)
    compiled = mode == "numba"
    events, validation = fit_events(compiled=compiled), fit_events(seed=2, compiled=compiled)
    norms = np.array([0.8, 1.2])
    found = scan_tau(Fit(Walk(events, 0.05, norms), validation, SETTINGS))
    tau, a = scan_written_out(events, validation, norms, 0.05, 0.05)
    assert found.tau == tau
    np.testing.assert_allclose(found.position.a, a, rtol=1e-11)


def test_the_path_remembers_the_least_validation_error():
    everything = fit_events(n_rules=25)
    events, validation = everything.part(slice(0, 60)), everything.part(slice(60, None))
    norms = np.array([0.8, 1.2])
    fit = Fit(Walk(events, 0.05, norms), validation, SETTINGS)
    steps = []
    found = follow(fit, Tried(0.0, fit.walk.start()), lambda step, *_: steps.append(step))
    walked = {done: written_out(events, norms, 0.0, 0.05, done) for done in (1, 100, 200, 300)}
    errors = {done: validation.risk(a) for done, a in walked.items()}
    assert steps == [1, 100, 200, 300]
    assert found.step == min(errors, key=errors.get) == 100
    assert found.error == pytest.approx(errors[found.step])
    np.testing.assert_allclose(found.a, walked[found.step], rtol=1e-11)


def test_the_path_ends_when_the_validation_error_has_grown():
    events = fit_events()
    opposite = FitEvents(events.w, -events.y, events.holds, events.lines, False)
    fit = Fit(Walk(events, 0.2, np.ones(2)), opposite, SETTINGS)
    steps = []
    assert follow(fit, Tried(0.0, fit.walk.start()), lambda step, *_: steps.append(step)).step == 1
    assert steps == [1, 100]


def test_the_path_ends_when_the_error_on_its_own_events_has_risen_four_times():
    risks = iter([0.9, 0.8, 0.81, 0.82, 0.7, 0.71, 0.72, 0.5])
    walk = SimpleNamespace(go=lambda *_: None, events=SimpleNamespace(risk=lambda _: next(risks)))
    validation = SimpleNamespace(risk=lambda _: 0.5)
    fit = Fit(walk, validation, SimpleNamespace(n_steps=10_000, error_scale=1.5))
    steps = []
    found = follow(fit, Tried(0.0, SimpleNamespace(a=np.zeros(1))), lambda step, *_: steps.append(step))
    assert steps == [1, *range(100, 601, 100)]
    assert found.step == 600  # the last of equal validation errors


def test_few_steps_are_checked_at_the_first_and_the_last(caplog):
    fit = Fit(Walk(fit_events(), 0.2, np.ones(2)), fit_events(), SimpleNamespace(n_steps=7, error_scale=1.1))
    steps = []
    follow(fit, Tried(0.0, fit.walk.start()), lambda step, *_: steps.append(step))
    assert steps == [1, 7]
    one = SimpleNamespace(n_steps=1, error_scale=1.1)
    assert follow(Fit(fit.walk, fit.validation, one), Tried(0.0, fit.walk.start()), ignore_progress).step == 1


def test_ctrl_c_keeps_the_best_so_far(caplog):
    fit = Fit(Walk(fit_events(), 0.2, np.ones(2)), fit_events(), SETTINGS)

    def interrupt(step, *_):
        if step == 200:
            raise KeyboardInterrupt

    found = follow(fit, Tried(0.0, fit.walk.start()), interrupt)
    assert found.step == 100
    assert "interrupted after 200 steps of the fit" in caplog.text


def test_ctrl_c_before_the_first_step(monkeypatch):
    fit = Fit(Walk(fit_events(), 0.2, np.ones(2)), fit_events(), SETTINGS)
    start = Tried(0.0, fit.walk.start())

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(fit.walk, "go", interrupt)
    with pytest.raises(KeyboardInterrupt, match="nothing is written"):
        follow(fit, start, ignore_progress)


def test_linear_terms_are_cut_off_at_the_quantile():
    x = np.float32([[5, 1, 4, 2, 3], [7, 7, 7, 7, 7]])
    w = np.array([1.0, 1.0, 2.0, 1.0, 1.0])
    terms, values = linear_terms(x, w, np.zeros(5, np.int32), 0.25)  # a sum of 1.5
    assert terms.low.tolist() == [2.0, 7.0]
    assert terms.high.tolist() == [4.0, 7.0]
    lx = np.array([4.0, 2.0, 4.0, 2.0, 3.0])
    mean = (w * lx).sum() / 6.0
    width = np.sqrt((w * (lx - mean) ** 2).sum() / (6.0 - 6.0 / 5.0))
    assert terms.norm == pytest.approx([0.4 / width, 1.0])
    np.testing.assert_allclose(values, [lx * 0.4 / width, [7.0] * 5])
    assert linear_terms(x, w, np.zeros(5, np.int32), 0.0)[0].low.tolist() == [1.0, 7.0]
