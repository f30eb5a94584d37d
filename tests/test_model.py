import logging

import awkward as ak
import numpy as np
import pandas as pd
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn import convert
from pytmva_bnn.errors import ErrorsNotAvailableError, InputError, WeightFileError
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.methods.mlp.network import forward
from pytmva_bnn.transform import Quantity, Rearrangement, Selection


@pytest.fixture
def fake_rate(case_named):
    return TMVA.load(case_named("fakerate_bnn").weights)


@pytest.fixture
def inputs(case_named):
    return case_named("fakerate_bnn").expected["inputs"]


def test_a_model_tells_what_is_in_the_file(case_named):
    model = TMVA.load(case_named("expressions").weights)
    assert [v.expression for v in model.variables][:2] == ["var1+var2", "var1-var2"]
    assert model.variables[0].label == "v12"
    assert model.variables[1].unit == "GeV"
    assert [s.expression for s in model.spectators] == ["run", "eta*2"]
    assert model.classes == ("Signal", "Background")
    assert model.analysis_type == "Classification"
    assert model.options["NCycles"] == 25
    assert model.options["HiddenLayers"] == "6"
    assert model.info["Training events"] == "2000"
    assert model.network.layer_sizes == (6, 6, 1)
    assert model.has_errors
    assert repr(model) == "<Model 'MLP': Classification, 6-6-1, with error bars>"


def test_named_columns_in_any_form_give_the_same_as_the_matrix(fake_rate, inputs):
    expected = fake_rate.predict(inputs)
    columns = {"ht": inputs[:, 1], "pt": inputs[:, 0]}
    for events in (columns, pd.DataFrame(columns), ak.zip(columns), ak.Array(columns)):
        np.testing.assert_array_equal(fake_rate.predict(events), expected)


def test_results_do_not_depend_on_the_blocks(fake_rate, inputs, monkeypatch):
    many = np.tile(inputs, (130, 1))
    whole = fake_rate.predict(many, errors=True, quantiles=[0.1, 0.9], moderated=True)
    monkeypatch.setattr("pytmva_bnn.methods.mlp.fitted._BLOCK_EVENTS", (16, 48))
    blocks = fake_rate.predict(many, errors=True, quantiles=[0.1, 0.9], moderated=True)
    for one, other in zip(whole, blocks, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-15)


def test_prediction_unpacks_and_has_the_ends_of_the_bars(fake_rate, inputs):
    prediction = fake_rate.predict(inputs, errors=True)
    value, lower, upper = prediction
    np.testing.assert_array_equal(prediction.low, value - lower)
    np.testing.assert_array_equal(prediction.high, value + upper)
    assert (lower > 0).all()
    assert not np.allclose(lower, upper)
    assert ((prediction.low >= 0) & (prediction.high <= 1)).all()


def test_quantiles_and_moderated_alone_are_arrays(fake_rate, inputs):
    levels = [0.025, 0.5, 0.975]
    quantiles = fake_rate.predict(inputs, quantiles=levels)
    assert quantiles.shape == (len(inputs), 3)
    assert (np.diff(quantiles, axis=1) > 0).all()
    np.testing.assert_allclose(quantiles[:, 1], fake_rate.predict(inputs), rtol=1e-12)
    moderated = fake_rate.predict(inputs, moderated=True)
    assert moderated.shape == (len(inputs),)
    # averaging over the weights pulls probabilities towards one half
    value = fake_rate.predict(inputs)
    assert (np.abs(moderated - 0.5) <= np.abs(value - 0.5) + 1e-12).all()
    everything = fake_rate.predict(inputs, errors=True, quantiles=levels, moderated=True)
    np.testing.assert_array_equal(everything.quantiles, quantiles)
    np.testing.assert_array_equal(everything.moderated, moderated)
    assert len(list(everything)) == 5


def test_nan_in_an_event_gives_nan_for_that_event_alone(case_named):
    for name in ("fakerate_bnn", "trans_g", "trans_u"):  # G and U would map a NaN into their range
        model = TMVA.load(case_named(name).weights)
        events = case_named(name).expected["inputs"][:3].copy()
        events[1, 0] = np.nan
        prediction = model.predict(events, errors=True)
        for array in prediction:
            np.testing.assert_array_equal(np.isnan(array), [False, True, False])


def test_regression_errors_are_in_units_of_the_target(case_named):
    record = case_named("reg_bnn")
    model = TMVA.load(record.weights)
    inputs = record.expected["inputs"]
    value, lower, upper = model.predict(inputs, errors=True)
    assert value.shape == lower.shape == upper.shape == (80, 1)
    target = model.targets[0]
    # N maps the target's range to [-1, 1]: an error of the network's output is half a range per unit
    scale = (target.maximum - target.minimum) / 2
    np.testing.assert_allclose(lower[:, 0], record.expected["err_lower"] * scale, rtol=1e-5)
    np.testing.assert_allclose(upper[:, 0], record.expected["err_upper"] * scale, rtol=1e-5)
    quantiles = model.predict(inputs, quantiles=[0.5, 0.8413447460685429])
    assert quantiles.shape == (80, 1, 2)
    np.testing.assert_allclose(quantiles[..., 0], value, rtol=1e-3)
    np.testing.assert_allclose(quantiles[..., 1] - quantiles[..., 0], upper, rtol=1e-9)
    with pytest.raises(InputError, match="classification only"):
        model.predict(inputs, moderated=True)


def test_errors_of_files_that_have_none_are_refused_with_the_reason(case_named):
    with pytest.raises(ErrorsNotAvailableError, match=r"no inverse Hessian.*CalculateErrors=True"):
        TMVA.load(case_named("bfgs_n").weights).predict(np.zeros((1, 4)), errors=True)
    with pytest.raises(ErrorsNotAvailableError, match="several classes"):
        TMVA.load(case_named("multi_n").weights).predict(np.zeros((1, 4)), quantiles=[0.5])


def test_multiclass_probabilities_add_up_to_one(case_named):
    record = case_named("multi_n")
    result = TMVA.load(record.weights).predict(record.expected["inputs"])
    assert result.dtype == np.float32
    np.testing.assert_allclose(result.sum(axis=1), 1.0, rtol=1e-6)


def test_no_events_give_empty_results(fake_rate):
    assert fake_rate.predict(np.empty((0, 2))).shape == (0,)
    assert [array.shape for array in fake_rate.predict({"pt": [], "ht": []}, errors=True)] == [(0,)] * 3


def test_missing_variables_are_named(fake_rate):
    with pytest.raises(InputError, match=r"missing variables: ht"):
        fake_rate.predict({"pt": [1.0]})


@pytest.mark.parametrize(("name", "call"), [("m.onnx", "to_onnx"), ("m.json", "to_json"), ("m.npz", "to_npz")])
def test_save_writes_xml_only_where_the_name_says_so(fake_rate, tmp_path, name, call):
    with pytest.raises(InputError, match=rf"save writes XML; call pytmva_bnn\.convert\.{call}\(model, path\)"):
        fake_rate.save(tmp_path / name)
    assert not list(tmp_path.iterdir())
    assert hasattr(convert, call)


def test_save_writes_the_file_it_came_from(fake_rate, case_named, tmp_path):
    fake_rate.save(tmp_path / "copy.xml")
    assert (tmp_path / "copy.xml").read_bytes() == case_named("fakerate_bnn").weights.read_bytes()
    fake_rate.save(tmp_path / "copy.xml.gz")
    again = TMVA.load(tmp_path / "copy.xml.gz")
    np.testing.assert_array_equal(again.network.flat_weights(), fake_rate.network.flat_weights())


def test_load_string_reads_the_text(case_named):
    record = case_named("bfgs_n")
    model = TMVA.load_string(record.weights.read_text())
    np.testing.assert_allclose(model.predict(record.expected["inputs"]), record.expected["mva"], rtol=1e-13)


def test_unknown_options_in_a_file_are_accepted_unless_strict(case_named, tmp_path):
    text = case_named("bfgs_n").weights.read_text()
    path = tmp_path / "new.xml"
    path.write_text(text.replace('name="NCycles"', 'name="NCyclesOfTheFuture"'))
    assert TMVA.load(path).options["NCycles"] == 500
    with pytest.raises(WeightFileError, match=r"new\.xml.*<Options>.*NCyclesOfTheFuture"):
        TMVA.load(path, strict=True)


def test_only_known_forms_of_tanh_are_taken(case_named):
    with pytest.raises(InputError, match="must be 'exact' or 'fast'"):
        TMVA.load(case_named("bfgs_n").weights, tanh="quick")


def test_loading_and_predicting_print_nothing(case_named, capsys, caplog):
    with caplog.at_level(logging.WARNING):
        TMVA.load(case_named("bfgs_n").weights).predict(np.zeros((1, 4)))
    assert capsys.readouterr() == ("", "")
    assert not caplog.records


def test_errors_of_sums_have_the_correlations_of_the_events(fake_rate, inputs):
    events = inputs[:40]
    weights = np.linspace(0.5, 2.0, 40)
    value, error = fake_rate.predict_sum(events, weights)
    assert value == pytest.approx(weights @ fake_rate.predict(events), rel=1e-12)
    # the covariance of all pairs of events, by shifting every weight of the network
    network, step = fake_rate.network, 1e-6
    x = fake_rate.transformations.forward(events)
    flat = network.flat_weights()
    jacobian = np.empty((40, network.n_weights))
    for k in range(network.n_weights):
        shift = np.zeros_like(flat)
        shift[k] = step
        high, low = (forward(network.with_flat_weights(flat + s), x)[:, 0] for s in (shift, -shift))
        jacobian[:, k] = (high - low) / (2 * step)
    covariance = jacobian @ fake_rate.inverse_hessian @ jacobian.T
    assert error == pytest.approx(np.sqrt(weights @ covariance @ weights), rel=1e-4)
    # independent errors would be far off
    assert error > 1.5 * np.sqrt((weights**2) @ np.diag(covariance))


def test_sums_that_make_no_sense_are_refused(fake_rate, inputs, case_named):
    with pytest.raises(InputError, match="as many weights"):
        fake_rate.predict_sum(inputs, [1.0])
    with pytest.raises(InputError, match="NaN"):
        fake_rate.predict_sum([[np.nan, 1.0]])
    with pytest.raises(ErrorsNotAvailableError, match="train with Multiclass=Softmax"):
        TMVA.load(case_named("multi_n").weights).predict_sum(np.zeros((1, 4)))
    assert fake_rate.predict_sum(np.empty((0, 2))).value == 0.0


@pytest.fixture
def with_spectators(fake_rate, changed):
    """A model whose first variable comes from a spectator, of which there are as many as of variables."""
    spectators = tuple(VariableRecord.define(name) for name in ("run", "lumi"))
    run, pt = Quantity("Spectator", "run", "run"), Quantity("Variable", "pt", "pt")
    steps = (Rearrangement(Selection((run,), (pt,))), *fake_rate.file.transformations)
    content = {"spectators": spectators, "transformations": steps, "n_transformations": 2}
    return TMVA.load_string(changed(fake_rate, file=content).to_xml())


def test_missing_spectators_are_asked_for_by_the_argument(with_spectators, fake_rate, inputs):
    spectators = np.stack([inputs[:, 0], inputs[:, 0]], axis=1)
    zeros = {"pt": np.zeros(len(inputs)), "ht": inputs[:, 1]}
    expected = fake_rate.predict(inputs)
    np.testing.assert_array_equal(with_spectators.predict(zeros, spectators=spectators), expected)
    named = zeros | {"run": inputs[:, 0], "lumi": inputs[:, 0]}
    np.testing.assert_array_equal(with_spectators.predict(named), expected)
    # two columns for two spectators, but they are the variables
    with pytest.raises(InputError, match=r"use the spectators \(run, lumi\), but the events are .* with spectators="):
        with_spectators.predict(inputs)
    with pytest.raises(InputError, match=r"but missing spectators: run, lumi\. The columns .* with spectators="):
        with_spectators.predict(zeros)
    with pytest.raises(InputError, match=rf"{len(inputs)} events, but 1 rows of spectators"):
        with_spectators.predict(inputs, spectators=spectators[:1])
