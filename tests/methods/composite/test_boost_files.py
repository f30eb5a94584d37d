"""Weight files of boosted methods: old and damaged ones, and those that are read piece by piece."""

import re

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import WeightFileWarning
from pytmva_bnn.methods.bdt.xml import TreeStream
from pytmva_bnn.weights import Source, read_source, source


@pytest.fixture
def text(method_case):
    return method_case("boost_fisher").weights_text


def old(text):
    """Return the file as TMVA 4.0 and 4.1 wrote it."""
    return re.sub(r' (MethodSigCutOrientation|UseMainMethodTransformation)="[^"]*"', "", text)


def test_old_files_have_signal_above_the_cut(text, method_case):
    inputs = method_case("boost_fisher").expected["inputs"]
    model = TMVA.load_string(old(text))
    np.testing.assert_array_equal(model.predict(inputs), TMVA.load_string(text).predict(inputs))
    assert model.to_xml() == old(text)
    assert model.modernised().to_xml() == text
    with pytest.raises(TMVA.TMVAError, match=r"MethodSigCutOrientation.* is missing; current TMVA does not read"):
        TMVA.load_string(old(text), strict=True)


def test_old_options_are_let_through(text):
    more = '<Option name="Boost_MethodWeightType" modified="No">ByROC</Option>'
    again = text.replace("</Options>", f"  {more}\n  </Options>")
    assert TMVA.load_string(again).summary == "8 boosted Fisher classifiers"


@pytest.mark.parametrize(
    ("wrong", "right", "problem"),
    [
        ('NMethods="8"', 'NMethods="9"', "NMethods=9, but 8 elements <Method>"),
        ('Index="1" Weight', 'Index="2" Weight', "Index=2 found where 1 was expected"),
        ('MethodTypeName="Fisher"', 'MethodTypeName="Fishy"', "the boosted method is a Fishy, which cannot be read"),
        (' JobName="job"', "", "the attribute 'JobName' is missing"),
        ('Weight="1.9', 'Weight="x1.9', "is not a number"),
        ('NCoeff="5"', 'NCoeff="6"', "NCoeff=6, but 5"),
        (
            ">log</Option>",
            ">arctan</Option>",
            "unknown Boost_Transform=arctan; known: step, ",
        ),
        ('Options="~H', 'Options="~Method=Fishy:~H', "Options: .*does not have predefined value"),
    ],
)
def test_damage_is_told(text, wrong, right, problem):
    assert wrong in text
    with pytest.raises(TMVA.WeightFileError, match=problem):
        TMVA.load_string(text.replace(wrong, right, 1))


def test_classifiers_of_two_kinds_are_refused(text):
    first, second = text.split('MethodTypeName="Fisher"', 1)
    with pytest.raises(TMVA.WeightFileError, match="a classifier of type LD among those of type Fisher"):
        TMVA.load_string(first + 'MethodTypeName="Fisher"' + second.replace('"Fisher"', '"LD"', 1))


def test_transformations_of_single_classifiers_are_refused(method_case):
    bagging = method_case("boost_bagging").weights_text
    other = bagging.replace('UseMainMethodTransformation="true"', 'UseMainMethodTransformation="false"')
    with pytest.raises(TMVA.WeightFileError, match="a transformation of its own, which the file does not hold"):
        TMVA.load_string(other)


def test_weights_that_add_up_to_0(text):
    nothing = re.sub(r' Weight="[^"]*"', ' Weight="0.0000000000000000e+00"', text)
    with pytest.warns(WeightFileWarning, match="add up to 0, so every response is NaN"):
        model = TMVA.load_string(nothing)
    assert np.isnan(model.predict(np.zeros((1, 4), np.float32))).all()


@pytest.mark.parametrize("chunk", [300, 1 << 20])
@pytest.mark.parametrize("kind", ["BDT", "KNN", "PDERS", "MLP"])
def test_large_parts_are_taken_while_the_file_streams_in(kind, chunk, boost, monkeypatch):
    quick = {"BDT": "NTrees=3", "KNN": "nkNN=5", "MLP": "NCycles=2:HiddenLayers=2", "PDERS": "NEventsMin=20"}
    model = boost(kind, f"{quick[kind]}:Boost_Num=3:Boost_Transform=linear").methods[0].model
    monkeypatch.setattr(source, "CHUNK", chunk)
    x = np.random.default_rng(1).normal(size=(50, 2)).astype(np.float32)
    again = TMVA.load_string(model.to_xml())
    np.testing.assert_array_equal(again.predict(x), model.predict(x))
    assert again.to_xml() == model.to_xml()


def test_the_trees_of_each_classifier_go_to_its_own_stream(boost):
    model = boost("BDT", "NTrees=3:Boost_Num=2").methods[0].model
    _, section = read_source(Source(text=model.to_xml()), lambda _: model.method.stream())
    streams = [section.stream.stream_of(number) for number in (0, 1, 2)]
    assert [type(stream) for stream in streams] == [TreeStream, TreeStream, type(None)]
    assert [len(stream.trees) for stream in streams[:2]] == [3, 3]
    assert all(not len(tree) for tree in section.element.iter("BinaryTree"))  # cleared


def test_lines_of_damage_in_a_nested_tree(boost):
    text = boost("PDERS", "NEventsMin=20:NEventsMax=30:Boost_Num=2").methods[0].model.to_xml()
    lines = text.splitlines()
    number = max(n for n, line in enumerate(lines) if "<Node" in line)
    lines[number] = lines[number].replace("NVars", "NVers")
    with pytest.raises(TMVA.WeightFileError, match="NVars") as error:
        TMVA.load_string("\n".join(lines))
    assert error.value.line == number + 1
