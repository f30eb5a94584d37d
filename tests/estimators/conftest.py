"""Events of two classes, and quiet trainings: these are too short to converge, and say so."""

import logging

import numpy as np
import pytest

pytest.importorskip("sklearn")


@pytest.fixture(autouse=True)
def _quiet(caplog):
    caplog.set_level(logging.ERROR, logger="pytmva_bnn")


@pytest.fixture(scope="session")
def two_classes():
    """Return events (400, 2) in float32 and their labels, 0 or 1, in no order."""
    rng = np.random.default_rng(5)
    x = rng.normal(size=(400, 2)).astype(np.float32)
    y = (x[:, 0] + 0.5 * x[:, 1] ** 2 + rng.normal(size=400) > 0.5).astype(int)
    return x, y


@pytest.fixture(scope="session")
def three_classes():
    rng = np.random.default_rng(6)
    x = rng.normal(size=(300, 2)).astype(np.float32)
    return x, np.digitize(x[:, 0] + 0.3 * rng.normal(size=300), [-0.4, 0.4])
