import itertools

import numpy as np
import pytest

from pytmva_bnn.fast.compiler import numba
from pytmva_bnn.methods.mlp.kernels.functions import sigmoid, tanh
from pytmva_bnn.methods.mlp.kernels.lanes import WIDTHS, apply_sigmoid, apply_tanh

SPECIAL = [0.0, -0.0, np.nan, np.inf, -np.inf, 1e-320, -1e308, 709.0, -709.0, 745.0, -750.0, 20.0, 1e-9]


@pytest.mark.parametrize(("apply", "formula"), [(apply_tanh, tanh), (apply_sigmoid, sigmoid)])
@pytest.mark.parametrize("n", [0, 1, 3, 4, 5, *(WIDTHS[0] + i for i in range(-1, 7)), 3 * WIDTHS[0] + 7])
@pytest.mark.parametrize("skipped", [0, 1])
def test_rows_have_the_values_of_single_numbers_to_the_last_bit(apply, formula, n, skipped):
    x = np.random.default_rng(n).normal(size=n + skipped + 8) * 10.0
    result = x.copy()
    apply(result[skipped : skipped + n])
    expected = x.copy()
    expected[skipped : skipped + n] = [formula(one) for one in x[skipped : skipped + n]]
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize(("apply", "formula"), [(apply_tanh, tanh), (apply_sigmoid, sigmoid)])
def test_special_values_are_treated_alike(apply, formula):
    for place in range(WIDTHS[0]):
        rows = np.roll(np.tile(SPECIAL, 3), place)
        expected = [formula(one) for one in rows]
        apply(rows)
        np.testing.assert_array_equal(rows, expected)
        np.testing.assert_array_equal(np.signbit(rows), np.signbit(expected))


def test_several_vectors_are_computed_side_by_side():
    if numba is None or "x86" not in __import__("platform").machine():
        pytest.skip("looks at the machine code of x86")
    fresh = numba.njit(apply_tanh.py_func, error_model="numpy")  # code from the disk cannot be looked at
    fresh(np.zeros(8))
    code = [line.split()[0] for line in fresh.inspect_asm(fresh.signatures[0]).splitlines() if line.startswith("\t")]
    if not any(name.startswith("vfmadd") for name in code):
        pytest.skip("a processor without AVX2")
    divisions = [number for number, name in enumerate(code) if name.endswith("divpd")]
    pairs = [b - a for a, b in itertools.pairwise(divisions)]
    assert min(pairs) < 16  # a formula has some 30 instructions
