"""Files of old releases, written in the form of current TMVA: the same responses, nothing that TMVA would refuse."""

import re

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.methods.bdt.method import BDT
from pytmva_bnn.tmva_types import AnalysisType

NODE = re.compile(r"<Node ([a-zA-Z0-9]+=\"[^\"]*\"\s*)+")


def as_of_release(text, release, *options):
    """Return a weight file with the name of an old release and with its options."""
    text = re.sub(r'(name="TMVA Release" value=)"[^"]*"', rf'\1"{release}"', text)
    for option in ("MinNodeSize", "DoPreselection", "SkipNormalization", "HuberQuantile", "RegressionLossFunctionBDTG"):
        text = re.sub(rf' *<Option name="{option}".*\n', "", text)
    more = "".join(f'    <Option name="{name}" modified="Yes">{value}</Option>\n' for name, value in options)
    return text.replace("  </Options>", f"{more}  </Options>")


def as_tmva_403(text):
    """Return the form of TMVA 4.0: sums of weights instead of purities, no classes."""
    text = as_of_release(text, "4.0.3 [262147]", ("UseWeightedTrees", "False"), ("PruneBeforeBoost", "False"))
    text = re.sub(r"(?s) *<Classes.*</Classes>\n", "", text)
    text = re.sub(r'(<Weights NTrees="\d+") AnalysisType=', r"\1 TreeType=", text)

    def old_node(match):
        signal = 1000.0 * float(match[3])
        sums = f'nS="{signal:.5e}" nB="{1000.0 - signal:.5e}" nEv="1.0e+03" sepI="1.0e-01" sepG="1.0e+00"'
        return f'{match[1]}Seq="0" {match[2]} {sums}'

    return re.sub(r'(<Node pos="." depth="\d+" )NCoef="0" (.*) purity="([^"]*)"', old_node, text)


def assert_is_current(text, analysis):
    """Check that the file has TMVA's elements and attributes, and no others."""
    names = re.findall(r'<Option name="([^"]*)"', text)
    assert names == [option.name for option in BDT().options_for(analysis)]
    assert re.search(r'<Weights NTrees="\d+" AnalysisType="[01]">', text)
    attributes = ["pos", "depth", "NCoef", "IVar", "Cut", "cType", "res", "rms", "purity", "nType"]
    for line in re.findall(r"<Node [^>]*>", text):
        assert re.findall(r' (\w+)="', line) == attributes
    assert "<Classes NClass=" in text


@pytest.mark.parametrize("name", ["bdt_ada", "bdt_yesno", "bdt_grad", "bdt_reg_ada"])
def test_tmva_403(name, method_case):
    case = method_case(name)
    old = TMVA.load_string(as_tmva_403(case.weights_text))
    inputs, key = case.expected["inputs"], "regression" if "regression" in case.expected else "mva"
    assert not old.file.classes
    # purities have six digits
    np.testing.assert_allclose(old.predict(inputs), case.expected[key], rtol=1e-5)
    text = old.modernised().to_xml()
    assert_is_current(text, old.analysis_type)
    np.testing.assert_array_equal(TMVA.load_string(text, strict=True).predict(inputs), old.predict(inputs))


def test_defaults_of_missing_options_are_those_of_the_analysis(method_case):
    text = re.sub(r' *<Option name="(BoostType|UseYesNoLeaf)".*\n', "", method_case("bdt_reg_linear").weights_text)
    modern = TMVA.load_string(text).modernised()
    values = {record.name: record.value for record in modern.file.options}
    assert (values["BoostType"], values["UseYesNoLeaf"]) == ("AdaBoostR2", "False")
    expected = method_case("bdt_reg_linear").expected
    np.testing.assert_array_equal(modern.predict(expected["inputs"]), expected["regression"])


@pytest.mark.parametrize(
    ("value", "modern"), [("IgnoreNegWeights", "IgnoreNegWeights"), ("PairNegWeightsInNode", "PairNegWeightsGlobal")]
)
def test_values_of_tmva_412(value, modern, method_case):
    case = method_case("bdt_ada")
    text = as_of_release(case.weights_text, "4.1.2 [262402]", ("RenormByClass", "False"))
    text = re.sub(r'(<Option name="NegWeightTreatment"[^>]*>)[^<]*', rf"\1{value}", text)
    old = TMVA.load_string(text)
    new = old.modernised()
    assert {record.name: record.value for record in new.file.options}["NegWeightTreatment"] == modern
    assert_is_current(new.to_xml(), AnalysisType.CLASSIFICATION)
    again = TMVA.load_string(new.to_xml())
    np.testing.assert_array_equal(again.predict(case.expected["inputs"]), case.expected["mva"])


def test_a_text_file_becomes_xml_with_weights_rounded_to_float32(method_case, tmp_path):
    case = method_case("bdt_text39")
    old = TMVA.load(case.folder / "weights.txt")
    old.save(tmp_path / "new.xml")
    new = TMVA.load(tmp_path / "new.xml", strict=True)
    assert_is_current((tmp_path / "new.xml").read_text(), AnalysisType.CLASSIFICATION)
    np.testing.assert_array_equal(old.fitted.tree_weights, [0.7, 0.3])
    np.testing.assert_array_equal(new.fitted.tree_weights, np.float32([0.7, 0.3]))
    found, before = new.predict(case.expected["inputs"]), old.predict(case.expected["inputs"])
    np.testing.assert_array_equal(found, old.modernised().predict(case.expected["inputs"]))
    np.testing.assert_allclose(found, before, atol=1e-7)
    assert (found != before).any()


def test_current_files_stay_as_they_are(bdt_case):
    model = TMVA.load(bdt_case.weights)
    text = model.modernised().to_xml()
    _, _, weights = bdt_case.weights_text.partition("<Weights ")
    assert text.partition("<Weights ")[2] == weights
