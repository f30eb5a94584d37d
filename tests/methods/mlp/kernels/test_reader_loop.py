import array
import re
from dataclasses import replace

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.methods.mlp import linked_event


def reader_for(model, path, kind="f", **how):
    reader = TMVA.Reader("!Color:!Silent:Error=True", **how)
    memory = [array.array(kind, [0.0]) for _ in model.variables]
    for variable, one in zip(model.variables, memory, strict=True):
        reader.AddVariable(variable.expression, one)
    for spectator in model.spectators:
        reader.AddSpectator(spectator.expression)
    reader.BookMVA("mlp", path)
    return reader, memory


def loop(reader, memory, events, tag="mlp"):
    found = []
    for event in events:
        for one, value in zip(memory, event, strict=True):
            one[0] = value
        found.append((reader.EvaluateMVA(tag), reader.GetMVAErrorLower(), reader.GetMVAErrorUpper()))
    return np.array(found)


@pytest.mark.parametrize("compat", ["strict", "extended"])
def test_golden_responses_event_by_event(mode, case, compat):
    model = TMVA.load(case.weights)
    if model.analysis_type == "Multiclass" or (compat == "extended" and not model.options.flag("CalculateErrors")):
        return
    reader, memory = reader_for(model, case.weights, compat=compat)
    found = loop(reader, memory, case.expected["inputs"])
    np.testing.assert_allclose(found[:, 0], case.expected["mva"], rtol=1e-12)
    np.testing.assert_allclose(found[:, 1], case.expected["err_lower"], rtol=2e-7)
    np.testing.assert_allclose(found[:, 2], case.expected["err_upper"], rtol=2e-7)


@pytest.mark.parametrize("kind", ["f", "d"])
@pytest.mark.parametrize(
    "name", ["fakerate_bnn", "bp_sigmoid", "relu_two_layers", "radial", "trans_d", "reg_two_targets"]
)
def test_the_loop_gives_the_very_numbers_of_predict(mode, case_named, name, kind):
    model = TMVA.load(case_named(name).weights)
    events = case_named(name).expected["inputs"][:30]
    reader, memory = reader_for(model, case_named(name).weights, kind)
    found = loop(reader, memory, events)
    if model.analysis_type != "Classification":
        np.testing.assert_allclose(found[:, 0], model.propagate(events).values[-1][0], rtol=1e-13)
    elif model.has_errors:
        np.testing.assert_array_equal(found, np.stack(list(model.predict(events, errors=True))[:3], axis=1))
    else:
        np.testing.assert_array_equal(found[:, 0], model.predict(events))


def test_saturated_responses_have_errors_of_nan_as_in_tmva_only_in_strict_mode(mode, case_named, tmp_path):
    model = TMVA.load(case_named("fakerate_bnn").weights)
    steep = replace(model.fitted, matrices=(*model.matrices[:-1], 100.0 * model.matrices[-1]))
    path = tmp_path / "steep.weights.xml"
    TMVA.Model(model.file, steep).save(path)
    events = [[13.0, 90.0], [13.0, 60.0], [70.0, 90.0]]
    strict = loop(*reader_for(model, path, compat="strict"), events)
    usual = loop(*reader_for(model, path), events)
    np.testing.assert_array_equal(strict[:, 0], usual[:, 0])
    saturated = np.isin(strict[:, 0], (0.0, 1.0))
    assert saturated.tolist() == [True, True, False]
    assert np.isnan(strict[saturated, 1:]).all()
    np.testing.assert_array_equal(strict[~saturated], usual[~saturated])
    assert np.isfinite(usual).all()
    long_way = reader_for(model, path, compat="strict")[0].FindMVA("mlp").errors
    np.testing.assert_array_equal(np.isnan(long_way(model.transformations.forward(np.float32(events)))[0]), saturated)


def test_compiled_code_takes_over_in_a_long_loop(monkeypatch, case_named):
    pytest.importorskip("numba")
    monkeypatch.setenv("PYTMVA_BNN_FAST", "auto")
    assert linked_event.EVENTS_BY_NUMPY > 10  # compiling pays in a long loop only
    monkeypatch.setattr(linked_event, "EVENTS_BY_NUMPY", 10)
    record = case_named("fakerate_bnn")
    model = TMVA.load(record.weights)
    reader, memory = reader_for(model, record.weights)
    found = loop(reader, memory, record.expected["inputs"])
    assert reader._linked["mlp"]._compiled is not None
    np.testing.assert_allclose(found[:, 0], record.expected["mva"], rtol=1e-13)
    np.testing.assert_allclose(found[:, 1], record.expected["err_lower"], rtol=2e-7)


def test_an_output_far_below_zero_is_no_overflow(mode, case_named, tmp_path):
    # the last number of the last layer with synapses is the weight of its bias
    text = case_named("fakerate_bnn").weights.read_text()
    text, n = re.subn(r'(?s)(.*<Neuron NSynapses="1">)[^<]*', r"\1\n-750 ", text)
    (tmp_path / "w.xml").write_text(text)
    reader, memory = reader_for(TMVA.load(tmp_path / "w.xml"), tmp_path / "w.xml")
    assert n == 1
    assert loop(reader, memory, [[15.0, 80.0]] * 3)[:, 0] == pytest.approx(0.0, abs=1e-300)


def test_nan_and_extreme_events_are_treated_as_always(mode, case_named, caplog):
    record = case_named("fakerate_bnn")
    model = TMVA.load(record.weights)
    reader, memory = reader_for(model, record.weights)
    good = record.expected["inputs"][0]
    loop(reader, memory, [good, good])
    assert np.isnan(loop(reader, memory, [[np.nan, 1.0]])[0]).tolist() == [False, True, True]
    assert reader.EvaluateMVA("mlp") == -999.0
    assert "0-th variable of the event is NaN" in caplog.text
    assert np.isnan(reader.EvaluateMVA(reader.FindMVA("mlp")))
    extreme = loop(reader, memory, [[np.inf, 1.0], [1e30, -np.inf], [3e38, 3e38]])
    expected = model.predict([[np.inf, 1.0], [1e30, -np.inf], [3e38, 3e38]])
    np.testing.assert_allclose(extreme[:, 0], np.where(np.isnan(expected), -999.0, expected), rtol=1e-12)
    assert np.isnan(expected).tolist() == np.isnan(extreme[:, 1]).tolist() == [True, True, False]
    assert "1-th variable of the event is infinite" in caplog.text
    memory[0][0] = np.inf
    assert np.isnan(reader.EvaluateMVA(reader.FindMVA("mlp")))
    assert loop(reader, memory, [good])[0, 0] == model.predict([good])[0]


def test_errors_are_those_of_the_event_that_was_evaluated(mode, case_named):
    record = case_named("fakerate_bnn")
    reader, memory = reader_for(TMVA.load(record.weights), record.weights)
    expected = loop(reader, memory, record.expected["inputs"][:4])
    loop(reader, memory, record.expected["inputs"][2:3])
    reader.EvaluateMVA("mlp")
    memory[0][0] = 1.0  # not evaluated yet
    reader.GetProba("mlp", 0.5, 0.3)  # of a response that is given: nothing is evaluated
    np.testing.assert_array_equal([reader.GetMVAErrorLower(), reader.GetMVAErrorUpper()], expected[2, 1:])
    reader.GetProba("mlp")
    found = reader.GetMVAErrorLower(), reader.GetMVAErrorUpper()
    reader.EvaluateMVA("mlp")
    np.testing.assert_allclose(found, [reader.GetMVAErrorLower(), reader.GetMVAErrorUpper()], rtol=1e-9)
    assert found[0] != expected[2, 1]


def test_methods_given_as_objects_and_several_methods(mode, case_named):
    record = case_named("bfgs_n")
    reader, memory = reader_for(TMVA.load(record.weights), record.weights)
    reader.BookMVA("other", case_named("bfgs_errors").weights)
    events = record.expected["inputs"][:3]
    by_tag = loop(reader, memory, events)
    other = loop(reader, memory, events, "other")
    np.testing.assert_array_equal(loop(reader, memory, events, reader.FindMVA("mlp"))[:, 0], by_tag[:, 0])
    assert (other[:, 0] != by_tag[:, 0]).all()
    assert (other[:, 1] > 0).all()
    assert not by_tag[:, 1].any()  # a file without inverse Hessian


def linked(model, memory):
    return model.fitted.linked_event(model.transformations, memory)


def test_chains_that_only_numpy_knows_and_odd_memory_take_the_long_way(case_named):
    model = TMVA.load(case_named("trans_g").weights)
    assert linked(model, [np.zeros(1)] * 4) is None
    model = TMVA.load(case_named("bfgs_n").weights)
    assert linked(model, [np.zeros(1, dtype=">f4")] * 4) is None
    assert linked(model, [None] * 4) is None
    assert linked(model, [np.zeros(1)] * 4) is not None
