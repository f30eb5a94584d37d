"""Whole trainings, from the ROOT file to the weight file, against what the real TMVA wrote."""

import numpy as np
import pytest

from pytmva_bnn.model import load

OWN_INFO = ('"Creator"', '"Date"', '"Host"', '"Dir"', '"TrainingTime"')
FIRST_TREE_IS_RANDOM = {"bdt_rf", "bdt_rf_full"}  # TMVA's seed of tree 0 differs from run to run
ROUNDED = {"bdt_fisher2", "bdt_fisher_excl", "bdt_reg_ls"}  # matrix inversion; a sum in the order of memory addresses


@pytest.fixture(scope="module", params=["numpy", "numba"])
def trained(bdt_case, request, tmp_path_factory, train_as):
    """TMVA's weight file, and ours by each way of computing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp(bdt_case.name))
        patch.setenv("PYTMVA_BNN_FAST", "0" if request.param == "numpy" else "1")
        if request.param != "numpy":
            pytest.importorskip("numba")
        (method,) = train_as(bdt_case).methods
        return bdt_case.weights_text, method.weight_file.read_text(), method


def parts(text):
    """The lines in front of the weights, without those that tell who trained when and where; and the weights."""
    lines = text.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("  <Weights"))
    return [line for line in lines[:first] if not any(word in line for word in OWN_INFO)], lines[first:]


def test_the_weight_file_is_tmvas(bdt_case, trained):
    theirs, ours = map(parts, trained[:2])
    assert ours[0] == theirs[0]
    if bdt_case.name in FIRST_TREE_IS_RANDOM:
        start = ' itree="1">'
        ours, theirs = (
            lines[next(n for n, line in enumerate(lines) if line.endswith(start)) :] for lines in (ours[1], theirs[1])
        )
        assert ours == theirs
    elif bdt_case.name not in ROUNDED:
        assert ours[1] == theirs[1]


def test_linear_cuts_and_offsets_are_tmvas_up_to_rounding(bdt_case, trained):
    if bdt_case.name not in ROUNDED:
        return
    theirs, ours = load(bdt_case.weights).forest, trained[2].trained.fitted.forest
    for name in ("starts", "variable", "cut", "cut_type", "right", "node_type", "response", "purity", "fisher_nodes"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name), err_msg=name)
    np.testing.assert_allclose(ours.boost_weights, theirs.boost_weights, rtol=1e-15)
    np.testing.assert_allclose(ours.coefficients, theirs.coefficients, rtol=1e-11)
