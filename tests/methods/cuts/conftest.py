"""The reference records of Cuts, and small samples to count."""

from __future__ import annotations

import numpy as np
import pytest

from pytmva_bnn.methods import MethodEvents

NAMES = ("cuts_mc", "cuts_mc_range", "cuts_mc_int", "cuts_mc_deco", "cuts_sa", "cuts_mcevents", "cuts_ga")


@pytest.fixture(scope="session", params=NAMES)
def record(request, method_case):
    """Each of TMVA's records in turn."""
    return method_case(request.param)


@pytest.fixture
def events():
    """Return ``events(n, weights)``: events of three variables, two of them with many equal values."""

    def make(n=300, weights=None, seed=1):
        random = np.random.default_rng(seed)
        x = random.normal(size=(n, 3)).astype(np.float32)
        x[:, 1] = np.round(x[:, 1], 1)
        x[:, 2] = np.round(3 * x[:, 2])
        classes = (np.arange(n) % 5 > 1).astype(np.int32)
        w = np.ones(n) if weights is None else weights(random, n)
        return MethodEvents(x, np.empty((n, 0), np.float32), classes, w)

    return make
