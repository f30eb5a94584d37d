"""The reference records of Fisher, LD and HMatrix, and small samples to train on."""

from __future__ import annotations

import numpy as np
import pytest

from pytmva_bnn.methods import MethodEvents

NAMES = ("fisher", "fisher_g", "fisher_mahal", "ld", "ld_neg", "ld_reg", "ld_reg_n", "hmatrix", "hmatrix_d")


@pytest.fixture(scope="session", params=NAMES)
def record(request, method_case):
    """Each of TMVA's records in turn."""
    return method_case(request.param)


@pytest.fixture(scope="session")
def record_names():
    """The names of all records."""
    return NAMES


@pytest.fixture
def events():
    """Training events of three correlated variables with weights, some of them negative, and two targets."""
    random = np.random.default_rng(3)
    x = random.normal(size=(400, 3)) @ random.normal(size=(3, 3)) + 2.0
    classes = (np.arange(400) % 3 > 0).astype(np.int32)
    x[classes == 0] += [0.7, -0.4, 0.1]
    targets = np.column_stack([x @ [1.0, 2.0, -1.0], x[:, 0] ** 2]) + random.normal(size=(400, 2))
    weights = random.uniform(-0.1, 2.0, 400)
    return MethodEvents(x.astype(np.float32), targets.astype(np.float32), classes, weights)
