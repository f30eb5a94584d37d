"""Weight files, responses and trainings of the real TMVA."""

import re

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.factory.training_run import train_method
from pytmva_bnn.weights import Dialect

OWN_INFO = ('"Creator"', '"Date"', '"Host"', '"Dir"', '"TrainingTime"')
NUMBER = re.compile(r"-?\d\.\d{16}e[-+]\d+")


def without_own_info(text):
    return [line for line in text.splitlines() if not any(word in line for word in OWN_INFO)]


def test_a_file_is_written_as_it_was_read(record):
    assert TMVA.load(record.weights).to_xml() == record.weights_text


def test_arrays_give_the_bits_of_tmvas_reader(record, mode):
    expected = record.expected
    np.testing.assert_array_equal(TMVA.load(record.weights).predict(expected["inputs"]), expected["mva"], err_msg=mode)


def test_the_event_loop_gives_the_bits_of_tmvas_reader(record):
    reader = TMVA.Reader("!V:Silent")
    memory = [reader.AddVariable(name) for name in record.booked["variables"]]
    reader.BookMVA("tag", record.weights)
    found = []
    for event in record.expected["inputs"]:
        for cell, value in zip(memory, event, strict=True):
            cell[0] = value
        found.append(reader.EvaluateMVA("tag"))
    np.testing.assert_array_equal(found, record.expected["mva"])
    assert reader.GetMVAErrorLower() == -1.0
    memory[0][0] = np.nan
    assert reader.EvaluateMVA("tag") == -999


def test_training_writes_tmvas_file(record, trained_case):
    """All words, cuts and supports are the same text; what the fit has found agrees to 12 digits."""
    factory, folder = trained_case(record)
    found = without_own_info((folder / factory.methods[0].weight_file).read_text())
    expected = without_own_info(record.weights_text)
    assert [NUMBER.sub("#", line) for line in found] == [NUMBER.sub("#", line) for line in expected]
    fitted = ("Importance", "Ref", "Coeff", "Offset", "AverageSupport", "AverageRuleSigma")
    for line, other in zip(found, expected, strict=True):
        for (name, value), (_, tmva) in zip(
            *(re.findall(r' (\w+)="([^"]*)"', one) for one in (line, other)), strict=True
        ):
            if name in fitted and value != tmva:
                assert float(value) == pytest.approx(float(tmva), rel=1e-12), name
            elif name == "Norm" and value != tmva:
                assert float(value) == pytest.approx(float(tmva), rel=1e-15)
            else:
                assert value == tmva, (name, other)


def test_the_roc_integral_is_tmvas(record, trained_case):
    found = trained_case(record)[0].GetROCIntegral("dataset", "RuleFit")
    assert found == pytest.approx(record.booked["roc_integral"], abs=1e-12)


@pytest.mark.parametrize("name", ["rulefit_linear", "rulefit_rule"])
def test_compiled_training_gives_the_same_bits(name, trained_case, method_case, both_ways):
    m = trained_case(method_case(name))[0].methods[0]
    one, other = both_ways(lambda: train_method(m.dataset, m.title, m.booked, m.analysis_type, quiet=True).fitted)
    assert list(one.write(Dialect())) == list(other.write(Dialect()))


def test_the_ranking(trained_case, method_case):
    ranking = trained_case(method_case("rulefit"))[0].methods[0].ranking
    assert ranking.discriminator == "Importance"
    assert [name for name, _ in ranking.entries] == ["var3", "var4", "var1", "var2"]
    assert ranking.entries[0][1] == 1.0
    assert ranking.entries[1][1] == pytest.approx(0.95696572721, rel=1e-10)
