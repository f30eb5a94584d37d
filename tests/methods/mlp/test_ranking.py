"""The importance of the inputs of a network."""

import numpy as np
import pytest

from pytmva_bnn.methods.mlp.ranking import importance_ranking


def test_importance_is_that_of_a_loop():
    rng = np.random.default_rng(1)
    x, w, signal = rng.normal(size=(50, 3)), rng.uniform(0.5, 1.5, 50), rng.random(50) < 0.5
    synapses = rng.normal(size=(3, 4))
    found = dict(importance_ranking(x, w, signal, synapses, ["a", "b", "c"]).entries)
    for i, name in enumerate("abc"):
        means = [np.average(x[c, i], weights=w[c]) for c in (signal, ~signal)]
        rms = [
            np.sqrt(np.average((x[c, i] - m) ** 2, weights=w[c])) for c, m in zip((signal, ~signal), means, strict=True)
        ]
        size = max(sum(map(abs, means)) / 2, sum(rms) / 2)
        assert found[name] == pytest.approx(size**2 * np.sum(synapses[i] ** 2))
