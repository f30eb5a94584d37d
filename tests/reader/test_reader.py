import array
import ctypes
import logging

import numpy as np
import pandas as pd
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import InputError, UnknownMethodError, VariableMismatchError, WeightFileError

EVENT = [15.0, 80.0]


@pytest.fixture
def weights(case_named):
    return case_named("fakerate_bnn").weights


def reader_with_memory(weights, options="!Color:!Silent:Error=True", **kind):
    """A Reader as macros make it, with its two buffers."""
    reader = TMVA.Reader(options, **kind)
    pt, ht = array.array("f", [EVENT[0]]), array.array("f", [EVENT[1]])
    reader.AddVariable("pt", pt)
    reader.AddVariable("ht", ht)
    reader.BookMVA("mlp", weights)
    return reader, pt, ht


# -- constructors and declarations


@pytest.mark.parametrize(
    "make",
    [
        lambda: TMVA.Reader(["pt", "ht"]),
        lambda: TMVA.Reader(["pt", "ht"], "!Color:!Silent"),
        lambda: TMVA.Reader(("pt", "ht"), "!Color:!Silent", True),
        lambda: TMVA.Reader("pt:ht", "!Color:!Silent"),
        lambda: TMVA.Reader("pt:ht", "", False),
        lambda: TMVA.Reader(),
        lambda: TMVA.Reader("!Color:!Silent"),
        lambda: TMVA.Reader("V", True),
        lambda: TMVA.Reader(verbose=True),
    ],
)
def test_all_forms_of_the_constructor_evaluate_vectors(make, weights):
    reader = make()
    reader.BookMVA("mlp", weights)
    assert reader.EvaluateMVA(EVENT, "mlp") == pytest.approx(0.594121, abs=1e-6)


@pytest.mark.parametrize(
    "memory",
    [
        np.zeros(1, dtype=np.float32),
        np.zeros(1, dtype=np.float64),
        np.zeros((1, 1), dtype=np.float32),
        array.array("f", [0.0]),
        array.array("d", [0.0]),
        ctypes.c_float(0.0),
        (ctypes.c_float * 1)(0.0),
    ],
    ids=lambda memory: type(memory).__name__,
)
def test_any_writable_memory_of_one_float_can_be_linked(memory, weights):
    reader = TMVA.Reader()
    reader.AddVariable("pt", memory)
    ht = reader.AddVariable("ht")
    reader.BookMVA("mlp", weights)
    if isinstance(memory, ctypes.c_float):
        memory.value = EVENT[0]
    else:
        memory[0] = EVENT[0]
    ht[0] = EVENT[1]
    assert reader.EvaluateMVA("mlp") == pytest.approx(0.594121, abs=1e-6)


@pytest.mark.parametrize(
    ("memory", "message"),
    [
        (0.0, "float cannot be linked as memory.*array.array"),
        ([0.0], "list cannot be linked"),
        (np.zeros(2, dtype=np.float32), "2 elements, not one"),
        (array.array("i", [0]), "variables must be floats, the buffer holds integers"),
        (np.zeros(1, dtype=np.complex64), "not a float|not understood"),
        (b"abcd", "4 elements|not a float|cannot be written"),
        (np.frombuffer(b"\0\0\0\0", dtype=np.float32), "is read-only"),
    ],
)
def test_memory_that_cannot_serve_is_refused(memory, message):
    with pytest.raises(InputError, match=f"pt: .*({message})"):
        TMVA.Reader().AddVariable("pt", memory)


def test_spectators_may_be_integers(case_named):
    model = TMVA.load(case_named("expressions").weights)
    reader = TMVA.Reader()
    for variable in model.variables:
        reader.AddVariable(variable.expression, array.array("f", [1.0]))
    reader.AddSpectator("run", array.array("i", [7]))
    reader.AddSpectator("eta * 2", np.zeros(1, dtype=np.int32))
    reader.BookMVA("mlp", case_named("expressions").weights)
    assert 0 < reader.EvaluateMVA("mlp") < 1


def test_labels_and_blanks_do_not_matter_for_the_comparison(case_named):
    model = TMVA.load(case_named("expressions").weights)
    reader = TMVA.Reader()
    reader.AddVariable("other := var1 + var2")
    for variable in model.variables[1:]:
        reader.AddVariable(variable.expression)
    for spectator in model.spectators:
        reader.AddSpectator(spectator.expression)
    reader.BookMVA("mlp", case_named("expressions").weights)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["pt"], "1 variables are declared in the Reader, 2 in the file"),
        (["ht", "pt"], "a different order"),
        (["pt", "HT"], r"not those of the file[\s\S]*\* 1 HT\s+ht[\s\S]*Call AddVariable"),
    ],
)
def test_variables_that_differ_from_the_file_are_shown_side_by_side(names, message, weights):
    with pytest.raises(VariableMismatchError, match=message):
        TMVA.Reader(names).BookMVA("mlp", weights)


def test_missing_spectators_are_told(case_named):
    model = TMVA.load(case_named("expressions").weights)
    reader = TMVA.Reader([v.expression for v in model.variables])
    with pytest.raises(VariableMismatchError, match=r"0 spectators .* 2 in the file[\s\S]*Call AddSpectator"):
        reader.BookMVA("mlp", case_named("expressions").weights)


def test_strict_reader_does_not_take_the_variables_from_the_file(weights):
    with pytest.raises(VariableMismatchError, match="0 variables are declared"):
        TMVA.Reader(compat="strict").BookMVA("mlp", weights)


def test_an_unknown_option_is_told_but_ignored(caplog):
    with caplog.at_level(logging.WARNING):
        TMVA.Reader("!Color:Errors=True")
    assert "Errors" in caplog.text
    assert "did you mean Error?" in caplog.text


def test_wrong_arguments_are_refused():
    with pytest.raises(InputError, match="Reader takes"):
        TMVA.Reader("x:y", "", True, 5)
    with pytest.raises(InputError, match="must be 'extended' or 'strict'"):
        TMVA.Reader(compat="tmva")


# -- booking


def test_a_tag_is_booked_once(weights):
    reader, *_ = reader_with_memory(weights)
    with pytest.raises(InputError, match='method tag "mlp" already exists'):
        reader.BookMVA("mlp", weights)


def test_several_files_share_the_variables(case_named):
    reader = TMVA.Reader(["var1", "var2", "var3", "var4"])
    for name in ("bfgs_n", "trans_g"):
        reader.BookMVA(name, case_named(name).weights)
    event = case_named("bfgs_n").expected["inputs"][0]
    for name in ("bfgs_n", "trans_g"):
        expected = TMVA.load(case_named(name).weights).predict(event[np.newaxis])[0]
        assert reader.EvaluateMVA(event, name) == expected


def test_variables_must_be_declared_before_booking(weights):
    reader, *_ = reader_with_memory(weights)
    with pytest.raises(InputError, match="before BookMVA"):
        reader.AddVariable("eta")


def test_booking_from_xml_text_has_no_tag(weights):
    reader = TMVA.Reader(["pt", "ht"])
    method = reader.BookMVA(TMVA.Types.kMLP, weights.read_text())
    assert reader.EvaluateMVA(EVENT, method) == pytest.approx(0.594121, abs=1e-6)
    assert reader.FindMVA("MLP") is None


def test_other_methods_do_not_exist(weights):
    with pytest.raises(InputError, match=r"PyKeras is not available here; available: .*MLP"):
        TMVA.Reader(["pt", "ht"]).BookMVA(TMVA.Types.kPyKeras, weights.read_text())


def test_a_file_that_is_not_there_is_told():
    with pytest.raises(WeightFileError, match=r"nowhere\.xml: unable to open"):
        TMVA.Reader(["x"]).BookMVA("mlp", "nowhere.xml")
    with pytest.raises(FileNotFoundError):
        TMVA.Reader(["x"]).BookMVA("mlp", "nowhere.xml")


def test_find_mva_returns_the_method_or_none(weights, caplog):
    reader, *_ = reader_with_memory(weights)
    assert reader.FindMVA("mlp").GetMethodName() == "MLP"
    assert reader.FindMVA("mpl") is None
    assert "Method mpl not found!" in caplog.text
    assert reader.FindCutsMVA("mlp") is None


def test_banners_go_through_the_logger_unless_silent(weights, caplog, capsys):
    with caplog.at_level(logging.INFO):
        reader_with_memory(weights)
    assert f'Booking "mlp" of type "MLP" from {weights}.' in caplog.text
    caplog.clear()
    with caplog.at_level(logging.INFO):
        reader_with_memory(weights, "Silent")
    assert not caplog.text
    assert capsys.readouterr() == ("", "")


# -- evaluation


def test_the_three_ways_to_evaluate_one_event_agree(weights):
    reader, *_ = reader_with_memory(weights)
    method = reader.FindMVA("mlp")
    value = reader.EvaluateMVA("mlp")
    assert reader.EvaluateMVA(method) == value
    assert reader.EvaluateMVA(EVENT, "mlp") == value
    assert reader.EvaluateMVA(np.array(EVENT), "mlp", 0.0) == value
    assert reader.GetMvaValue("mlp") == value
    assert reader.EvaluateMVA("mlp", 0.0) == value


def test_arrays_are_evaluated_at_once(weights, case_named):
    reader, *_ = reader_with_memory(weights)
    expected = case_named("fakerate_bnn").expected
    x = expected["inputs"]
    for events in (x, {"pt": x[:, 0], "ht": x[:, 1]}, pd.DataFrame({"ht": x[:, 1], "pt": x[:, 0]})):
        np.testing.assert_allclose(reader.EvaluateMVA(events, "mlp"), expected["mva"], rtol=1e-13)
        np.testing.assert_allclose(reader.GetMVAErrorUpper(), expected["err_upper"], rtol=2e-7)
        np.testing.assert_allclose(reader.GetMVAError(), expected["err_lower"], rtol=2e-7)


def test_vectors_are_rounded_to_float32_and_surplus_values_ignored(weights, caplog):
    reader, pt, ht = reader_with_memory(weights)
    pt[0], ht[0] = 15.1, 80.2
    assert reader.EvaluateMVA([15.1, 80.2, 7.0], "mlp") == reader.EvaluateMVA("mlp")
    assert "the last ones are ignored" in caplog.text


def test_short_vectors_are_refused(weights):
    reader, *_ = reader_with_memory(weights)
    with pytest.raises(InputError, match="1 values, but the method needs 2: pt, ht"):
        reader.EvaluateMVA([1.0], "mlp")


def test_unknown_tags_name_the_booked_ones(weights):
    reader, *_ = reader_with_memory(weights)
    for call in (reader.EvaluateMVA, reader.EvaluateRegression, reader.GetProba, reader.GetRarity):
        with pytest.raises(UnknownMethodError, match=r'"mpl": did you mean mlp\? \(booked: "mlp"\)'):
            call("mpl")
    with pytest.raises(KeyError):
        reader.EvaluateMVA(EVENT, "mpl")


def test_names_only_means_no_memory_to_read(weights):
    reader = TMVA.Reader(["pt", "ht"])
    reader.BookMVA("mlp", weights)
    with pytest.raises(InputError, match=r"variable pt has no memory.*EvaluateMVA\(\[...\], tag\)"):
        reader.EvaluateMVA("mlp")


# -- NaN


def test_nan_gives_minus_999(weights, caplog):
    reader, pt, _ = reader_with_memory(weights)
    pt[0] = float("nan")
    assert reader.EvaluateMVA("mlp") == -999.0
    assert "0-th variable of the event is NaN --> return MVA value -999" in caplog.text
    assert np.isnan(reader.GetMVAError())
    assert reader.EvaluateMVA([1.0, float("nan")], "mlp") == -999.0
    np.testing.assert_array_equal(reader.EvaluateMVA([[1.0, np.nan]], "mlp"), [-999.0])
    assert reader.GetProba("mlp") == -999.0
    assert reader.GetRarity("mlp") == -999.0
    # by the method object there is no test
    assert np.isnan(reader.EvaluateMVA(reader.FindMVA("mlp")))


def test_gauss_transformation_hides_nan_from_the_test_by_tag_only(case_named):
    record = case_named("trans_g")
    reader = TMVA.Reader()
    memory = [reader.AddVariable(f"var{i}") for i in (1, 2, 3, 4)]
    reader.BookMVA("mlp", record.weights)
    for one in memory:
        one[0] = np.nan
    assert 0 < reader.EvaluateMVA("mlp") < 1
    assert reader.EvaluateMVA([np.nan] * 4, "mlp") == -999.0


def test_nan_in_regression_is_told_and_goes_on(case_named, caplog):
    reader = TMVA.Reader()
    var1, var2 = reader.AddVariable("var1"), reader.AddVariable("var2")
    reader.BookMVA("mlp", case_named("reg_n").weights)
    var1[0], var2[0] = np.nan, 1.0
    assert np.isnan(reader.EvaluateRegression("mlp")).all()
    assert "NaN" in caplog.text


# -- regression and multiclass


def test_regression_in_all_forms(case_named):
    record = case_named("reg_two_targets")
    expected = record.expected["regression"]
    reader = TMVA.Reader()
    var1, var2 = reader.AddVariable("var1"), reader.AddVariable("var2")
    method = reader.BookMVA("mlp", record.weights)
    var1[0], var2[0] = record.expected["inputs"][0]
    assert np.float32(reader.EvaluateRegression("mlp")).tolist() == expected[0].tolist()
    assert np.float32(reader.EvaluateRegression(method)).tolist() == expected[0].tolist()
    assert np.float32(reader.EvaluateRegression(1, "mlp")) == expected[0, 1]
    np.testing.assert_array_equal(reader.EvaluateRegression(record.expected["inputs"], "mlp"), expected)
    assert np.float32(reader.EvaluateRegression(record.expected["inputs"][3], "mlp")).tolist() == expected[3].tolist()
    with pytest.raises(InputError, match="target-number 2: there are 2"):
        reader.EvaluateRegression(2, "mlp")
    assert reader.EvaluateMVA("mlp") == pytest.approx(record.expected["mva"][0], rel=1e-12)
    np.testing.assert_allclose(reader.EvaluateMVA(record.expected["inputs"], "mlp"), record.expected["mva"], rtol=1e-12)


def test_multiclass_in_all_forms(case_named):
    record = case_named("multi_n")
    expected = record.expected["multiclass"]
    reader = TMVA.Reader()
    memory = [reader.AddVariable(f"var{i}") for i in (1, 2, 3, 4)]
    reader.BookMVA("mlp", record.weights)
    for one, value in zip(memory, record.expected["inputs"][5], strict=True):
        one[0] = value
    np.testing.assert_allclose(reader.EvaluateMulticlass("mlp"), expected[5], rtol=2e-7)
    assert reader.EvaluateMulticlass(2, "mlp") == pytest.approx(expected[5, 2], rel=2e-7)
    np.testing.assert_allclose(reader.EvaluateMulticlass(record.expected["inputs"], "mlp"), expected, rtol=2e-7)


def test_a_number_out_of_range_gives_zero_in_strict_mode(case_named, caplog):
    reader = TMVA.Reader(compat="strict")
    reader.AddVariable("var1")
    reader.AddVariable("var2")
    reader.BookMVA("mlp", case_named("reg_n").weights)
    assert reader.EvaluateRegression(5, "mlp") == 0.0
    assert "Regression could not be evaluated for target-number 5" in caplog.text


def test_evaluation_of_the_wrong_kind_is_refused(weights):
    reader, *_ = reader_with_memory(weights)
    with pytest.raises(InputError, match="was trained for Classification, so EvaluateMulticlass does not apply"):
        reader.EvaluateMulticlass("mlp")


# -- errors: what TMVA does, and what is better


def test_errors_are_there_for_vectors_and_without_the_option(weights):
    reader, *_ = reader_with_memory(weights, "!Error")
    reader.EvaluateMVA("mlp")
    lower, upper = reader.GetMVAErrorLower(), reader.GetMVAErrorUpper()
    assert lower == reader.GetMVAError() == pytest.approx(0.0315, abs=1e-3)
    assert upper != lower
    reader.EvaluateMVA([20.0, 100.0], "mlp")
    assert reader.GetMVAErrorLower() != lower


def test_strict_errors_need_the_option(weights):
    reader, *_ = reader_with_memory(weights, "!Error", compat="strict")
    reader.EvaluateMVA("mlp")
    assert (reader.GetMVAErrorLower(), reader.GetMVAErrorUpper()) == (0.0, 0.0)


def test_strict_vectors_leave_the_errors_of_the_last_event(weights):
    reader, *_ = reader_with_memory(weights, compat="strict")
    reader.EvaluateMVA("mlp")
    stale = reader.GetMVAError()
    assert stale > 0
    reader.EvaluateMVA([20.0, 100.0], "mlp")
    assert reader.GetMVAError() == stale
    reader.EvaluateMVA([[20.0, 100.0]], "mlp")
    assert reader.GetMVAError() == stale


@pytest.mark.parametrize(("name", "option"), [("foam", "Error"), ("fisher", "Error"), ("foam", "!Error")])
def test_strict_vectors_set_the_lower_error_of_other_methods_than_the_mlp(name, option, method_case):
    record = method_case(name)
    names = [f"var{i}" for i in range(1, 1 + record.expected["inputs"].shape[1])]
    reader = TMVA.Reader(names, option, compat="strict")
    reader.BookMVA("m", record.weights)
    reader.EvaluateMVA(record.expected["inputs"][0].tolist(), "m")
    lower = record.expected["err_lower"][0] if option == "Error" else 0.0
    assert (reader.GetMVAErrorLower(), reader.GetMVAErrorUpper()) == (lower, 0.0)


def test_a_file_with_the_matrix_but_without_calculate_errors(case_named):
    for compat, has_errors in (("extended", True), ("strict", False)):
        reader = TMVA.Reader("Error", compat=compat)
        for i in (1, 2, 3, 4):
            reader.AddVariable(f"var{i}")
        reader.BookMVA("mlp", case_named("regulator_only").weights)
        reader.EvaluateMVA("mlp")
        assert (reader.GetMVAError() > 0) == has_errors


def test_without_the_matrix_errors_are_zero_and_it_is_told(case_named, caplog):
    reader = TMVA.Reader("Error")
    for i in (1, 2, 3, 4):
        reader.AddVariable(f"var{i}")
    for tag in ("mlp", "other"):
        reader.BookMVA(tag, case_named("bfgs_n").weights)
    for tag in ("mlp", "mlp", "other", "mlp", "other"):
        reader.EvaluateMVA(tag)
        assert (reader.GetMVAErrorLower(), reader.GetMVAErrorUpper()) == (0.0, 0.0)
    assert caplog.text.count("no inverse Hessian") == 2  # once for each booked method


@pytest.fixture
def regression(case_named):
    """A Reader of a regression with errors, its two numbers in memory, the model, and events."""

    def made(case="reg_bnn", **kind):
        record = case_named(case)
        reader = TMVA.Reader("Error", **kind)
        memory = [reader.AddVariable(name) for name in ("var1", "var2")]
        return reader, memory, reader.BookMVA("mlp", record.weights).model, record.expected["inputs"][:3]

    return made


def last_errors(reader):
    return reader.GetMVAErrorLower(), reader.GetMVAErrorUpper()


def test_errors_of_a_regression_are_those_of_the_event_in_units_of_the_target(regression):
    reader, memory, model, events = regression()
    for event in events:
        memory[0][0], memory[1][0] = event
        _, lower, upper = model.predict(event[np.newaxis], errors=True)
        reader.EvaluateRegression("mlp")
        memory[0][0] = 0.0  # the event counts, not what is in the memory when the errors are asked for
        assert last_errors(reader) == (lower[0, 0], upper[0, 0])
        assert lower[0, 0] > 0
        reader.EvaluateRegression([0.5, 0.5], "mlp")
        assert last_errors(reader) != (lower[0, 0], upper[0, 0])
        reader.EvaluateRegression(event, "mlp")
        assert last_errors(reader) == (lower[0, 0], upper[0, 0])
    _, lower, upper = model.predict(events, errors=True)
    reader.EvaluateRegression(events, "mlp")
    np.testing.assert_array_equal(last_errors(reader), (lower[:, 0], upper[:, 0]))


def test_errors_are_those_of_the_target_that_was_asked_for(case_named, tmp_path, caplog, changed):
    record = case_named("reg_two_targets")
    model = TMVA.load(record.weights)
    n = sum(matrix.size for matrix in model.matrices)
    changed(model, fitted={"inverse_hessians": (0.01 * np.eye(n), 0.09 * np.eye(n))}).save(tmp_path / "both.xml")
    reader = TMVA.Reader("Error")
    memory = [reader.AddVariable(name) for name in ("var1", "var2")]
    model = reader.BookMVA("mlp", tmp_path / "both.xml").model
    event = record.expected["inputs"][0]
    memory[0][0], memory[1][0] = event
    _, lower, upper = model.predict(event[np.newaxis], errors=True)
    for target in (0, 1):
        reader.EvaluateRegression(target, "mlp")
        assert last_errors(reader) == (lower[0, target], upper[0, target])
    assert lower[0, 1] > 0
    reader.EvaluateMVA("mlp")
    assert last_errors(reader)[0] > 0
    assert "meaningless" not in caplog.text


def test_a_regression_without_errors_has_nan_and_not_those_of_another_event(regression):
    reader, memory, _, events = regression("reg_n")
    reader.EvaluateMVA("mlp")
    memory[0][0], memory[1][0] = events[0]
    reader.EvaluateRegression(0, "mlp")
    assert np.isnan(last_errors(reader)).all()
    reader.EvaluateRegression(events, "mlp")
    assert np.isnan(last_errors(reader)).all()
    assert reader.GetMVAError().shape == (3,)


def test_errors_of_a_regression_event_with_nan_are_nan(regression):
    reader, memory, *_ = regression()
    memory[0][0] = np.nan
    reader.EvaluateRegression("mlp")
    assert np.isnan(last_errors(reader)).all()


def test_strict_regression_leaves_the_errors_of_the_last_event(regression):
    reader, memory, _, events = regression(compat="strict")
    reader.EvaluateMVA("mlp")
    stale = last_errors(reader)
    assert stale[0] > 0
    memory[0][0], memory[1][0] = events[0]
    for event in (("mlp",), (events[0], "mlp"), (events, "mlp")):
        reader.EvaluateRegression(*event)
        assert last_errors(reader) == stale


def test_probabilities_of_classes_have_no_errors(case_named):
    reader = TMVA.Reader("Error")
    for i in (1, 2, 3, 4):
        reader.AddVariable(f"var{i}")
    reader.BookMVA("mlp", case_named("multi_n").weights)
    reader.EvaluateMulticlass("mlp")
    assert np.isnan(last_errors(reader)).all()


@pytest.mark.parametrize("call", ["GetProba", "GetRarity"])
def test_proba_and_rarity_have_the_errors_of_the_event_they_evaluate(weights, call):
    reader, pt, _ = reader_with_memory(weights)
    reader.EvaluateMVA("mlp")
    first = last_errors(reader)
    pt[0] = 30.0
    getattr(reader, call)("mlp", mvaVal=0.5)  # evaluates nothing
    assert last_errors(reader) == first
    getattr(reader, call)("mlp")
    found = last_errors(reader)
    reader.EvaluateMVA("mlp")
    assert found == pytest.approx(last_errors(reader), rel=1e-9)
    assert found != first
    pt[0] = np.nan
    assert getattr(reader, call)("mlp") == -999.0
    assert np.isnan(last_errors(reader)).all()


def test_strict_proba_leaves_the_errors_of_the_last_event(weights):
    reader, pt, _ = reader_with_memory(weights, compat="strict")
    reader.EvaluateMVA("mlp")
    stale = last_errors(reader)
    for pt[0] in (30.0, np.nan):
        reader.GetProba("mlp")
        assert last_errors(reader) == stale


def test_strict_vector_with_unknown_tag_gives_zero(weights, caplog):
    reader, *_ = reader_with_memory(weights, compat="strict")
    assert reader.EvaluateMVA(EVENT, "mpl") == 0.0
    assert "Method mpl not found!" in caplog.text


# -- probability and rarity


def test_proba_and_rarity_of_a_given_response(case_named):
    record = case_named("mvapdfs")
    reader = TMVA.Reader()
    for i in (1, 2, 3, 4):
        reader.AddVariable(f"var{i}")
    reader.BookMVA("mlp", record.weights)
    mva = float(record.expected["mva"][0])
    assert reader.GetProba("mlp", 0.3, mva) == pytest.approx(record.expected["proba_03"][0], rel=1e-7)
    assert reader.GetRarity("mlp", mva) == pytest.approx(record.expected["rarity"][0], rel=1e-7)


def test_proba_and_rarity_of_an_event_with_nan_are_minus_999(case_named, caplog):
    record = case_named("mvapdfs")
    reader = TMVA.Reader()
    memory = [reader.AddVariable(f"var{i}") for i in (1, 2, 3, 4)]
    reader.BookMVA("mlp", record.weights)
    for one, value in zip(memory, record.expected["inputs"][0], strict=True):
        one[0] = value
    memory[1][0] = memory[2][0] = np.nan
    mva = float(record.expected["mva"][0])
    # also of a given response: TMVA looks at the event first
    assert reader.GetProba("mlp", 0.3) == reader.GetProba("mlp", 0.3, mva) == -999.0
    assert reader.GetRarity("mlp") == reader.GetRarity("mlp", mva) == -999.0
    assert caplog.text.count("1-th variable of the event is NaN") == 4
    memory[1][0], memory[2][0] = record.expected["inputs"][0][1:3]
    assert reader.GetProba("mlp", 0.3) == pytest.approx(record.expected["proba_03"][0], rel=1e-7)
    assert reader.GetRarity("mlp") == pytest.approx(record.expected["rarity"][0], rel=1e-7)


def test_without_pdfs_proba_is_minus_one_and_rarity_zero(weights, caplog):
    reader, *_ = reader_with_memory(weights)
    for _ in range(2):
        assert reader.GetProba("mlp") == -1.0
        assert reader.GetRarity("mlp") == 0.0
    assert caplog.text.count("CreateMVAPdfs") == 2


@pytest.mark.parametrize("event", [[15.0, 80.0], np.float32([15.0, 80.0]), "zzz", True])
def test_an_event_behind_the_tag_is_not_overlooked(event):
    reader = TMVA.Reader("!Color:Silent")
    for name in ("pt", "ht"):
        reader.AddVariable(name, np.float32([20.0]))
    reader.BookMVA("MLP", "xml_fixtures/cases/fakerate_bnn/weights.xml")
    with pytest.raises(InputError, match=r"EvaluateMVA takes .* \(events, tag\)"):
        reader.EvaluateMVA("MLP", event)
    assert reader.EvaluateMVA("MLP", 0.5) == reader.EvaluateMVA("MLP")
