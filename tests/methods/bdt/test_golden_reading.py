"""Weight files of the real TMVA: the same responses to the last bit, the same text when written again."""

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.convert import convert, load_any


def test_responses_are_tmvas_bit_for_bit(mode, bdt_case):
    model, expected = TMVA.load(bdt_case.weights), bdt_case.expected
    key = next(key for key in ("multiclass", "regression", "mva") if key in expected)
    np.testing.assert_array_equal(model.predict(expected["inputs"]), expected[key])


def test_reader_gives_tmvas_numbers_event_by_event(mode, bdt_case):
    expected, model = bdt_case.expected, TMVA.load(bdt_case.weights)
    reader = TMVA.Reader("!Color:!Silent:Error=True", compat="strict")
    memory = [reader.AddVariable(variable.expression) for variable in model.variables]
    reader.BookMVA("bdt", bdt_case.weights)
    for number, event in enumerate(expected["inputs"]):
        for cell, value in zip(memory, event, strict=True):
            cell[0] = value
        if "multiclass" in expected:
            np.testing.assert_array_equal(np.float32(reader.EvaluateMulticlass("bdt")), expected["multiclass"][number])
            continue
        if "regression" in expected:
            np.testing.assert_array_equal(np.float32(reader.EvaluateRegression("bdt")), expected["regression"][number])
        assert reader.EvaluateMVA("bdt") == expected["mva"][number]
        assert (reader.GetMVAErrorLower(), reader.GetMVAErrorUpper()) == (-1.0, -1.0)
        if "proba_03" in expected:
            assert reader.GetProba("bdt", 0.3) == pytest.approx(expected["proba_03"][number], rel=1e-7)
            assert reader.GetRarity("bdt") == pytest.approx(expected["rarity"][number], rel=1e-7)


def test_files_are_written_again_as_they_were(bdt_case):
    assert TMVA.load(bdt_case.weights).to_xml() == bdt_case.weights_text


@pytest.mark.parametrize("ending", ["json", "npz"])
def test_other_formats_hold_all_of_it(bdt_case, ending, tmp_path):
    convert(bdt_case.weights, tmp_path / f"model.{ending}")
    assert load_any(tmp_path / f"model.{ending}").to_xml() == bdt_case.weights_text


def test_text_file(method_case):
    case = method_case("bdt_text39")
    model = TMVA.load(case.folder / "weights.txt")
    np.testing.assert_array_equal(model.predict(case.expected["inputs"]), case.expected["mva"])
