"""ONNX graphs, run by onnxruntime, give the numbers of Model.predict."""

import numpy as np
import pytest

from pytmva_bnn.convert import largest_difference, onnx_model, run_onnx, to_onnx

pytest.importorskip("onnx", reason="ONNX output needs the extra onnx")
pytest.importorskip("onnxruntime", minversion="1.22", reason="running trees in ONNX needs onnxruntime 1.22")

#: cuts are exact; onnxruntime adds the trees of some events in another order, and has an exp of its own
TOLERANCE = 2e-15


def onnx_response(model, events):
    return run_onnx(onnx_model(model).SerializeToString(), events)["response"]


@pytest.mark.parametrize("n_events", [None, 1, 20])
def test_responses_agree_with_predict(subject, n_events):
    events = subject.events[:n_events]
    with np.errstate(over="ignore"):
        expected = subject.model.predict(events)
    found = onnx_response(subject.model, events)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    if subject.model.analysis_type == "Classification":
        np.testing.assert_allclose(found, expected, rtol=0, atol=TOLERANCE)
    else:  # float32, where the last digits of float64 are rounded away: all but always
        np.testing.assert_allclose(found, expected, rtol=1.2e-7, atol=0)


def test_sums_of_weights_and_medians_have_the_very_bits(subjects):
    # 20 events are not shared between threads
    for name in ("bdt_ada", "bdt_fisher2", "bdt_presel", "bdt_reg", "bdt_yesno", "several_preselections"):
        model, events = subjects[name].model, subjects[name].events[-40:-20]
        np.testing.assert_array_equal(onnx_response(model, events), model.predict(events))


def test_what_is_below_a_root_has_two_numbers(subject):
    """Releases of onnxruntime take the root for a leaf otherwise, and give the wrong response without a word."""
    (trees,) = (node for node in onnx_model(subject.model).graph.node if node.op_type == "TreeEnsemble")
    numbers = {one.name: np.array(one.ints) for one in trees.attribute}
    roots = numbers["tree_roots"]
    assert len(roots) == subject.model.fitted.forest.n_trees
    assert (numbers["nodes_truenodeids"][roots] != numbers["nodes_falsenodeids"][roots]).all()


def test_no_events_give_no_responses(subjects):
    assert onnx_response(subjects["bdt_ada"].model, np.empty((0, 4))).shape == (0,)
    assert onnx_response(subjects["bdt_reg"].model, np.empty((0, 2))).shape == (0, 1)


def test_the_file_says_which_operations_it_needs(subjects, tmp_path):
    import onnx

    to_onnx(subjects["bdt_ada"].model, tmp_path / "bdt.onnx")
    model = onnx.load(tmp_path / "bdt.onnx")
    assert {one.domain: one.version for one in model.opset_import} == {"": 17, "ai.onnx.ml": 5}
    assert [node.op_type for node in model.graph.node].count("TreeEnsemble") == 1
    assert largest_difference(tmp_path / "bdt.onnx", subjects["bdt_ada"].model) <= TOLERANCE
