"""The machinery of tools/coverage; what it measures is on the page about uncertainty."""

import sys
from pathlib import Path

import numpy as np
import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"


@pytest.fixture
def study(monkeypatch):
    monkeypatch.syspath_prepend(str(TOOLS))
    for name in ("coverage_study", "coverage_problems"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    import coverage_study

    return coverage_study


def test_a_quick_study_trains_every_kind_and_prints_a_table(study, capsys):
    rows = study.main(["--quick", "--executor", "serial", "--problems", "weights"])
    assert [row.kind for row in rows] == list(study.KINDS)
    assert {row.toys for row in rows} == {3}
    printed = capsys.readouterr().out
    assert "| weights | 300 | 3 | " in printed
    assert all(f"`{kind}`" in printed for kind in study.KINDS)
    # a 95% band contains the 68% band
    assert all(row.coverage[1] >= row.coverage[0] for row in rows)
    assert len({row.width for row in rows}) == len(rows)


def test_coverage_is_the_mean_of_the_toys_and_its_error_their_spread(study):
    toys = [study.Toy("sine", 10, 3, seed, ("Bias",)) for seed in range(2)]
    places = np.linspace(-1, 1, study.BINS)
    inside = [np.array([np.full(study.BINS, 0.6), np.full(study.BINS, 0.9)]) + shift for shift in (0.0, 0.1)]
    inside[0][0, 3] = 0.0
    results = [{"Bias": (hit, places, width)} for hit, width in zip(inside, (0.2, 0.4), strict=True)]
    (row,) = study.summary(toys, results)
    assert row.coverage == pytest.approx((0.62, 0.95))
    assert row.error == pytest.approx((0.08, 0.05))
    assert row.lowest == pytest.approx(0.35)
    assert row.width == pytest.approx(0.3)
    assert study.table([row]).splitlines()[-1] == "| sine | 10 | 3 | 62% ± 8 / 95% ± 5 |"


def test_every_problem_has_probabilities_and_its_shape(study):
    for problem in study.EVERY_PROBLEM.values():
        random = np.random.default_rng(1)
        x = problem.draw(random, 200)
        p = problem.truth(x)
        assert p.shape == (200,)
        assert ((p > 0) & (p < 1)).all()
