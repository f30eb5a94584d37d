"""ONNX graphs, run by onnxruntime, give the numbers of Model.predict."""

import json
import sys
from dataclasses import replace

import numpy as np
import pytest

from pytmva_bnn.convert import largest_difference, load_any, onnx_model, random_events, run_onnx, to_onnx
from pytmva_bnn.errors import InputError, MissingDependencyError
from pytmva_bnn.methods.mlp.network import Network
from pytmva_bnn.model import load, load_string
from pytmva_bnn.onnxio.graph import F64, Graph
from pytmva_bnn.options import OptionRecord
from pytmva_bnn.transform import Normalisation, PrincipalComponents, Quantity, Selection

pytest.importorskip("onnx", reason="ONNX output needs the extra onnx")
pytest.importorskip("onnxruntime", reason="running ONNX needs the extra onnx")


def compared(model, events, spectators=None):
    """Return the outputs of onnxruntime and those of predict."""
    found = run_onnx(onnx_model(model).SerializeToString(), events, spectators)
    expected = {"response": model.predict(events, spectators=spectators)}
    if model.has_errors:
        _, expected["lower"], expected["upper"] = model.predict(events, errors=True, spectators=spectators)
    return found, expected


def test_every_case_agrees_with_predict(case):
    model = load_any(case.weights)
    events = random_events(model.variables, 1000)
    events[1] *= 3  # beyond the ranges
    events[2, 0] = np.nan
    events[3, -1] = np.inf
    with np.errstate(all="ignore"):
        found, expected = compared(model, events)
    assert found.keys() == expected.keys()
    for name, values in expected.items():
        assert found[name].dtype == values.dtype
        assert found[name].shape == values.shape
    differences = np.abs(found["response"].astype(float) - expected["response"].astype(float))
    np.testing.assert_array_equal(np.isnan(found["response"]), np.isnan(expected["response"]))
    scale = np.nanmax(np.abs(np.delete(expected["response"], 3, axis=0)))
    assert np.nanmax(np.delete(differences, 3, axis=0)) <= 1e-12 * max(scale, 1.0)
    for name in expected.keys() - {"response"}:
        ordinary = np.delete(expected[name], [1, 2, 3], axis=0)
        # the matrices are ill-conditioned: the order of sums shows
        np.testing.assert_allclose(
            np.delete(found[name], [1, 2, 3], axis=0), ordinary, rtol=1e-5, atol=1e-6 * np.abs(ordinary).max()
        )


@pytest.mark.parametrize("case_name", ["trans_g", "trans_u", "trans_chain"])
def test_distributions_agree_on_real_events_and_far_in_the_tails(case_name, case_named):
    import uproot

    model = load_any(case_named(case_name).weights)
    with uproot.open("xml_fixtures/data/class.root:TreeB") as tree:
        events = np.stack([tree[one.expression].array(library="np") for one in model.variables], axis=1)
    events = np.concatenate([events, events[:200] * 2, -events[:200] * 3])
    found, expected = compared(model, events)
    np.testing.assert_allclose(found["response"], expected["response"], rtol=1e-12)


@pytest.mark.parametrize("factor", [1.0 - 2.6e-10, 1.0 + 1e-9, 1.0, 2.0])
@pytest.mark.parametrize("kind", ["Mul", "Div"])
def test_factors_that_are_one_in_float32_are_not_lost(kind, factor):
    # onnxruntime takes them for 1 and leaves the operation out
    graph = Graph()
    x = graph.input("variables", F64, ["events", 1])
    graph.output("response", graph.op(kind, x, graph.constant(factor)), F64, ["events", 1])
    events = np.array([[1.0], [3.0]])
    found = run_onnx(graph.model("test", "", {}).SerializeToString(), events)["response"]
    np.testing.assert_array_equal(found, events * factor if kind == "Mul" else events / factor)


@pytest.mark.parametrize(
    "path", ["scaled_rearranged", "tmva410_gauss", "multiclass_counted", "tmva407_pca", "tmva403_regression"]
)
def test_odd_files_agree_with_predict(path):
    model = load_any(f"xml_fixtures/odd/{path}.weights.xml")
    spectators = random_events(model.spectators, 200) if model.transformations.needs_spectators else None
    found, expected = compared(model, random_events(model.variables, 200), spectators)
    np.testing.assert_allclose(found["response"], expected["response"], rtol=1e-12)


def test_a_transformation_can_use_spectators(case_named, changed):
    model = load(case_named("expressions").weights)
    variable, spectator = model.variables[0], model.spectators[0]
    read_it = Quantity("Spectator", spectator.label, spectator.expression)
    write_it = Quantity("Variable", variable.label, variable.expression)
    step = Normalisation(Selection((read_it,), (write_it,)), np.float32([[0.0]]), np.float32([[3000.0]]))
    model = changed(model, file={"transformations": (step,)})
    spectators = random_events(model.spectators, 100)
    found, expected = compared(model, random_events(model.variables, 100), spectators)
    np.testing.assert_allclose(found["response"], expected["response"], rtol=1e-12)


@pytest.mark.parametrize("neuron_input", ["sum", "sqsum", "abssum"])
@pytest.mark.parametrize("neuron", ["linear", "sigmoid", "tanh", "ReLU", "radial"])
def test_all_kinds_of_neurons(neuron, neuron_input, case_named, changed):
    model = load(case_named("bfgs_errors").weights)
    values = {"NeuronType": neuron, "NeuronInputType": neuron_input}
    options = [replace(one, value=values.get(one.name, one.value)) for one in model.file.options]
    model = load_string(changed(model, file={"options": tuple(options)}).to_xml())
    assert (model.network.hidden, model.network.neuron_input) == (neuron, neuron_input)
    found, expected = compared(model, random_events(model.variables, 100))
    np.testing.assert_allclose(found["response"], expected["response"], rtol=1e-12)
    np.testing.assert_allclose(found["lower"], expected["lower"], rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(found["upper"], expected["upper"], rtol=1e-6, atol=1e-9)


def test_the_fast_tanh_of_root_6_04(case_named):
    model = load(case_named("bfgs_errors").weights, tanh="fast")
    found, expected = compared(model, random_events(model.variables, 500) * 3)
    # it works in float32, where the order of sums shows
    np.testing.assert_allclose(found["response"], expected["response"], rtol=1e-6)
    assert np.count_nonzero(found["response"] != expected["response"]) < 500


def targets_of(model):
    return tuple(Quantity("Target", one.label, one.expression) for one in model.targets)


@pytest.mark.parametrize("kind", ["scale", "pca"])
def test_other_transformations_of_two_targets(kind, case_named, changed):
    model = load(case_named("reg_two_targets").weights)
    both = Selection(targets_of(model), targets_of(model))
    step = {
        "scale": Normalisation(both, np.float32([[-3.0, 1.0]]), np.float32([[2.0, 7.0]]), offset=False),
        "pca": PrincipalComponents(both, (np.array([1.0, 2.0]),), (np.array([[0.6, -0.8], [0.8, 0.6]]),)),
    }[kind]
    unit = np.eye(model.network.n_weights)
    model = changed(model, file={"transformations": (step,)}, fitted={"inverse_hessians": (unit * 1e-2, unit * 2e-2)})
    assert model.has_errors
    found, expected = compared(model, random_events(model.variables, 100))
    np.testing.assert_allclose(found["response"], expected["response"], rtol=1e-12)
    np.testing.assert_allclose(found["lower"], expected["lower"], rtol=1e-9)
    np.testing.assert_allclose(found["upper"], expected["upper"], rtol=1e-9)


def test_gauss_of_targets_is_refused(case_named, changed):
    model = load(case_named("reg_n").weights)
    gauss = load(case_named("trans_g").weights).file.transformations[0]
    targets = targets_of(model)
    step = replace(gauss, selection=Selection(targets, targets), cumulatives=gauss.cumulatives[:1])
    with pytest.raises(InputError, match="Gauss of a regression's targets has no ONNX form"):
        onnx_model(changed(model, file={"transformations": (step,)}))


def test_gauss_of_old_text_files_is_refused():
    with pytest.raises(InputError, match="has no ONNX form"):
        onnx_model(load_any("xml_fixtures/odd/text39_gauss.weights.txt"))


def test_no_events_give_no_responses(case_named):
    model = load_any(case_named("fakerate_bnn").weights)
    found, _ = compared(model, np.empty((0, 2)))
    assert {name: values.shape for name, values in found.items()} == {"response": (0,), "lower": (0,), "upper": (0,)}


def test_the_file_tells_what_it_is(tmp_path, case_named):
    import onnx

    to_onnx(load_any(case_named("multi_n").weights), tmp_path / "w.onnx")
    model = onnx.load(tmp_path / "w.onnx")
    properties = {one.key: one.value for one in model.metadata_props}
    assert json.loads(properties["variables"]) == ["var1", "var2", "var3", "var4"]
    assert json.loads(properties["classes"]) == ["Signal", "bg0", "bg1", "bg2"]
    assert properties["analysis_type"] == "Multiclass"
    assert model.producer_name == "pytmva_bnn"


def test_error_bars_can_be_left_out(tmp_path, case_named):
    model = load_any(case_named("fakerate_bnn").weights)
    to_onnx(model, tmp_path / "with.onnx")
    to_onnx(model, tmp_path / "without.onnx", errors=False)
    assert list(run_onnx(tmp_path / "without.onnx", [[20.0, 100.0]])) == ["response"]
    assert (tmp_path / "without.onnx").stat().st_size < (tmp_path / "with.onnx").stat().st_size / 3
    assert largest_difference(tmp_path / "with.onnx", model) < 1e-12


def test_a_matrix_beyond_the_limit_of_onnx_is_refused_before_it_is_written(case_named, monkeypatch):
    model = load_any(case_named("fakerate_bnn").weights)
    monkeypatch.setattr(Network, "n_weights", 20_000)
    with pytest.raises(InputError, match="too large for ONNX"):
        onnx_model(model)


def test_without_onnx_the_message_tells_what_to_install(case_named, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(MissingDependencyError, match=r"ONNX output needs onnx.*pytmva-bnn\[onnx\]"):
        to_onnx(load_any(case_named("bfgs_n").weights), tmp_path / "w.onnx")
    assert not list(tmp_path.iterdir())


def test_options_that_a_file_lacks_have_tmvas_defaults(case_named, changed):
    options = (OptionRecord("EstimatorType", "CE", True),)
    model = load_string(changed(load(case_named("bfgs_n").weights), file={"options": options}).to_xml())
    found, expected = compared(model, random_events(model.variables, 10))
    np.testing.assert_allclose(found["response"], expected["response"], rtol=1e-12)
