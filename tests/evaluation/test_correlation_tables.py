"""The tables of the Factory's option Correlations."""

import numpy as np
import pytest

from pytmva_bnn.evaluation import correlation_tables, matrix_table, value_list

PREFIX = "Dataset[d] : "


@pytest.fixture
def sample():
    """Responses of two methods, two variables, and which events are signal."""
    rng = np.random.default_rng(1)
    signal = np.arange(500) % 3 == 0
    x = rng.normal(signal[:, np.newaxis], 1.0, (500, 2)).astype(np.float32)
    v = np.column_stack([x[:, 0] + rng.normal(0, 1, 500), x.sum(axis=1)]).astype(np.float32)
    return v, x, signal


def test_two_methods_have_all_tables_in_tmvas_order(sample):
    v, x, signal = sample
    titles, labels, cuts = ["A", "B"], ["x", "a long name"], [0.5, -0.25]
    correlated, with_variables, overlaps = [], [], []
    for name, of in (("signal", signal), ("background", ~signal)):
        rho = np.corrcoef(np.column_stack([v[of], x[of]]).T.astype(np.float64))
        above = v[of] > cuts
        agree = np.array([[np.mean(above[:, i] == above[:, j]) for j in range(2)] for i in range(2)])
        correlated += [f"{PREFIX}Inter-MVA correlation matrix ({name}):", *matrix_table(rho[:2, :2], titles)]
        with_variables.append(f"{PREFIX}Correlations between input variables and MVA response ({name}):")
        with_variables += matrix_table(rho[2:, :2], titles, labels)
        overlaps += [f"Inter-MVA overlap matrix ({name}):", *matrix_table(agree, titles)]
    assert correlation_tables("d", list(zip(titles, cuts, strict=True)), v, labels, x, signal) == [
        *correlated,
        *with_variables,
        f'{PREFIX}The following "overlap" matrices contain the fraction of events for which ',
        f"{PREFIX}the MVAs 'i' and 'j' have returned conform answers about \"signal-likeness\"",
        f"{PREFIX}An event is signal-like, if its MVA output exceeds the following value:",
        *value_list(("Method", "Cut value"), titles, cuts),
        f"{PREFIX}which correspond to the working point: eff(signal) = 1 - eff(background)",
        *overlaps,
    ]


def test_a_single_method_has_nothing_to_agree_with(sample):
    v, x, signal = sample
    text = "\n".join(correlation_tables("d", [("A", 0.5)], v[:, :1], ["x", "y"], x, signal))
    assert "Inter-MVA" not in text
    assert text.count("Correlations between input variables and MVA response") == 2
    assert text.endswith("which correspond to the working point: eff(signal) = 1 - eff(background)")
