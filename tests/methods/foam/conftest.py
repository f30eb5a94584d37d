"""TMVA's records of PDEFoam."""

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.methods.foam.tree import Foam, FoamKind

CASES = ("foam", "foam_dt", "foam_lin", "foam_mt", "foam_multi", "foam_reg", "foam_sep")


@pytest.fixture(params=CASES)
def foam_case(request, method_case):
    """Each record in turn."""
    return method_case(request.param)


@pytest.fixture
def model_of(method_case):
    return lambda name: TMVA.load(method_case(name).weights)


@pytest.fixture
def assert_same_foams():
    """Compare foams, all numbers of them."""

    def compare(found, expected, leave_out=()):
        for a, b in zip(found, expected, strict=True):
            for name in Foam.__dataclass_fields__:
                if name not in leave_out:
                    np.testing.assert_array_equal(getattr(a, name), getattr(b, name), err_msg=f"{b.name}: {name}")

    return compare


@pytest.fixture
def small_foam():
    """Return a foam of two dimensions, [0, 10] x [-1, 1], by the values of its three active cells.

    The root is divided at x = 4; what lies above it, at y = 0.
    """

    def make(elements=((0.25, 0.1), (0.5, 0.2), (0.75, 0.3)), kind=FoamKind.DISCRIMINANT, name="DiscrFoam", **more):
        first = np.array([1, -1, 3, -1, -1])
        values = np.zeros((5, 2))
        values[[1, 3, 4]] = elements
        return Foam(
            name,
            kind,
            np.array([0.0, -1.0]),
            np.array([10.0, 1.0]),
            first,
            np.where(first < 0, -1, first + 1),
            np.array([0, 0, 1, 0, 0]),
            np.array([0.4, 0.0, 0.5, 0.0, 0.0]),
            values,
            np.array([1.0, 0.4, 0.6, 0.3, 0.3]),
            np.zeros(5),
            np.zeros(5),
            **more,
        )

    return make
