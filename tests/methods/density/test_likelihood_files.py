"""Weight files of Likelihood: old ones, odd ones, damaged ones, and other formats."""

import copy
import gzip
import json
import logging
import pickle
import re
import shutil

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.cli import main
from pytmva_bnn.convert import convert, load_any
from pytmva_bnn.convert.onnx_format import to_onnx
from pytmva_bnn.errors import ErrorsNotAvailableError, WeightFileError
from pytmva_bnn.standalone import class_source

EVENTS = np.float32([[0.3, 1.0], [-0.4, 2.5], [1.9, 0.2]])
OLD_XML = """\
<?xml version="1.0"?>
<MethodSetup Method="Likelihood::Old">
  <GeneralInfo>
    <Info name="TMVA Release" value="4.0.4 [262148]"/>
    <Info name="ROOT Release" value="5.26/00 [334336]"/>
  </GeneralInfo>
  <Options>
    <Option name="V" modified="No">False</Option>
    <Option name="TransformOutput" modified="No">False</Option>
    <Option name="NSmooth" modified="Yes">1</Option>
    <Option name="NSmoothSig" size="2" modified="No">10 0 </Option>
    <Option name="PDFInterpol" size="2" modified="No">Spline2 Spline2 </Option>
    <Option name="KDEborder" modified="No">None</Option>
  </Options>
  <Variables NVar="2">
    <Variable VarIndex="0" Expression="a" Label="a" Title="a" Unit="" Internal="a" Type="F" Min="-2" Max="2"/>
    <Variable VarIndex="1" Expression="b" Label="b" Title="b" Unit="" Internal="b" Type="F" Min="0" Max="4"/>
  </Variables>
  <Spectators NSpec="0"/>
  <Transformations NTransformations="1">
    <Transform Name="Normalize" NVariables="2" NTargets="0">
      <Class ClassIndex="0">
        <Variables>
          <Variable VarIndex="0" Min="-2.0000000000000000e+00" Max="2.0000000000000000e+00"/>
          <Variable VarIndex="1" Min="0.0000000000000000e+00" Max="4.0000000000000000e+00"/>
        </Variables>
        <Targets/>
      </Class>
      <Class ClassIndex="1">
        <Variables>
          <Variable VarIndex="0" Min="-1.0000000000000000e+00" Max="3.0000000000000000e+00"/>
          <Variable VarIndex="1" Min="0.0000000000000000e+00" Max="8.0000000000000000e+00"/>
        </Variables>
        <Targets/>
      </Class>
      <Class ClassIndex="2">
        <Variables>
          <Variable VarIndex="0" Min="-9.0000000000000000e+00" Max="9.0000000000000000e+00"/>
          <Variable VarIndex="1" Min="0.0000000000000000e+00" Max="9.0000000000000000e+00"/>
        </Variables>
        <Targets/>
      </Class>
    </Transform>
  </Transformations>
  <MVAPdfs/>
  <Weights NVariables="2" NClasses="2">
$pdfs  </Weights>
</MethodSetup>
"""
PDF = """\
    <PDFDescriptor VarIndex="{i}" ClassIndex="{c}">
      <PDF Name="Old PDF {name}[{i}]" MinNSmooth="0" MaxNSmooth="0" InterpolMethod="{kind}" KDE_type="1" KDE_iter="1" \
KDE_border="1" KDE_finefactor="1.0000000000000000e+00">
        <Histogram Name="{label}_{end}_original" NBins="4" XMin="-1.0000000000000000e+00" \
XMax="1.0000000000000000e+00" HasEquidistantBins="1">
          {contents}\x20
        </Histogram>
      </PDF>
    </PDFDescriptor>
"""
CONTENTS = {(0, 0): "1 3 4 2.5", (0, 1): "4 3 2 1", (1, 0): "2 2 1 0.5", (1, 1): "1 1 2 6"}


def old_xml(kinds=(2, 2, 2, 2)):
    pdfs = [
        PDF.format(i=i, c=c, name="SB"[c], label="ab"[i], end=("sig", "bgd")[c], contents=CONTENTS[i, c], kind=kind)
        for (i, c), kind in zip(CONTENTS, kinds, strict=True)
    ]
    return OLD_XML.replace("$pdfs", "".join(pdfs))


def text_file(transformation="None", matrix=""):
    """The same densities in the form of TMVA 3.9, with a transformation."""
    pdfs = ""
    for (i, c), contents in CONTENTS.items():
        pdfs += (
            "MinNSmooth 0\nMaxNSmooth 0\nInterpolMethod 2\nKDE_type 1\nKDE_iter 1\nKDE_border 1\nKDE_finefactor 1\n"
            f"Histogram {'ab'[i]}_{('sig', 'bgd')[c]} 4 -1 1\nWeights\n{contents}\n"
        )
    return f"""\
#GEN -*- general info -*-

Method         : Likelihood::Old
TMVA Release   : 3.9.5         [198917]
ROOT Release   : 5.22/00       [333312]

#OPT -*- options -*-

# Set by User:
TransformOutput: "True" [Transform likelihood output by inverse sigmoid function]
VarTransform: "{transformation}" [Variable transformation method]
VarTransformType: "Signal" [Use signal or background events]
# Default:
D: "False" [Use-decorrelated-variables flag]
Normalise: "False" [Normalise input variables]
CreateMVAPdfs: "False" [Create PDFs for classifier outputs]
##

#VAR -*- variables -*-

NVar 2
a                             a                                 'F'    [-2,2]
b                             b                                 'F'    [0,4]

#MAT -*- transformation data -*-

{matrix}
#WGT -*- weights -*-

{pdfs}"""


def response(model, signal_inputs, background_inputs):
    """The ratio of the products of the densities themselves, for events inside the range."""
    s, b = 1.0, 1.0
    for i, (of_signal, of_background) in enumerate(model.fitted.pdfs):
        s = s * of_signal.value(np.float32(signal_inputs)[:, i])
        b = b * of_background.value(np.float32(background_inputs)[:, i])
    return s / (s + b)


# -- old files


def test_an_old_file_is_read_and_written_as_it_was():
    model = TMVA.load_string(old_xml())
    assert model.to_xml() == old_xml()
    assert model.fitted.records[0][0].histogram.name == "a_sig_original"
    assert model.fitted.records[1][1].histogram.values.tolist() == [1.0, 1.0, 2.0, 6.0]


def test_each_class_has_its_own_transformation():
    model = TMVA.load_string(old_xml())
    as_signal = np.column_stack([EVENTS[:, 0] / 2, EVENTS[:, 1] / 2 - 1])
    as_background = np.column_stack([(EVENTS[:, 0] - 1) / 2, EVENTS[:, 1] / 4 - 1])
    np.testing.assert_allclose(model.predict(EVENTS), response(model, as_signal, as_background), rtol=1e-6)


def test_current_root_takes_the_first_class_for_both_in_a_file_without_classes():
    found = TMVA.load_string(old_xml(), strict=True).predict(EVENTS)
    as_signal = np.column_stack([EVENTS[:, 0] / 2, EVENTS[:, 1] / 2 - 1])
    np.testing.assert_allclose(found, response(TMVA.load_string(old_xml()), as_signal, as_signal), rtol=1e-6)


@pytest.mark.parametrize(
    ("names", "release", "sets", "strict"),
    [
        (("Signal", "Background"), "6.40/00 [403456]", (0, 1), (0, 1)),
        (("Background", "Signal"), "6.40/00 [403456]", (1, 0), (1, 0)),
        (("Background", "Signal"), "5.26/00 [334336]", (0, 1), (1, 0)),
        (("good", "bad"), "6.40/00 [403456]", (0, 1), (0, 1)),
    ],
)
def test_which_class_is_signal(names, release, sets, strict):
    classes = "".join(f'<Class Name="{name}" Index="{i}"/>' for i, name in enumerate(names))
    text = old_xml().replace("5.26/00 [334336]", release)
    text = text.replace("  <Transformations", f'  <Classes NClass="2">{classes}</Classes>\n  <Transformations')
    assert TMVA.load_string(text).transformations.sets == sets
    assert TMVA.load_string(text, strict=True).transformations.sets == strict


def test_an_old_file_in_the_form_of_today():
    model = TMVA.load_string(old_xml())
    modern = TMVA.load_string(model.modernised().to_xml())
    np.testing.assert_array_equal(modern.predict(EVENTS), model.predict(EVENTS))
    assert [option.name for option in modern.file.options][-1] == "TransformOutput"
    assert "NSmoothSig" not in modern.to_xml()


def test_a_text_file(tmp_path):
    model = TMVA.load_string(text_file())
    x = np.float32([[0.3, -0.2], [-0.4, 0.6]])
    r = response(model, x, x)
    np.testing.assert_allclose(model.predict(x), -np.log(1 / r - 1) / 15, rtol=1e-12)
    model.save(tmp_path / "new.weights.xml")
    np.testing.assert_array_equal(TMVA.load(tmp_path / "new.weights.xml").predict(x), model.predict(x))


def test_a_text_file_with_decorrelation_for_each_class():
    matrix = "signal 2 x 2\n1 0.5\n0.5 2\nbackground 2 x 2\n0.5 0\n0 1\n##\n"
    model = TMVA.load_string(text_file("Decorrelate", matrix))
    x = np.float32([[0.3, 0.1], [-0.2, 0.3]])
    r = response(model, x @ np.float32([[1, 0.5], [0.5, 2]]), x @ np.float32([[0.5, 0], [0, 1]]))
    np.testing.assert_allclose(model.predict(x), -np.log(1 / r - 1) / 15, rtol=1e-6)


@pytest.mark.parametrize(
    ("kinds", "words"),
    [
        ((0, 2, 2, 2), r"densities of a is interpolated \(Spline0 and Spline2\)"),
        ((2, 2, 3, 0), r"densities of b is interpolated \(Spline3 and Spline0\)"),
    ],
)
def test_a_mixture_of_interpolations_is_reported(kinds, words, caplog):
    TMVA.load_string(old_xml(kinds))
    assert re.search(words, caplog.text)


def test_a_range_too_large_for_its_end_is_reported(caplog):
    large = old_xml().replace('XMax="1.0000000000000000e+00"', 'XMax="2.0000000000000000e+06"')
    TMVA.load_string(large)
    assert "for events with a = 2e+06 or more TMVA takes half of the density or none" in caplog.text
    caplog.clear()
    TMVA.load_string(old_xml((0, 0, 3, 5)))
    assert not caplog.records


# -- damage


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('NVariables="2"', 'NVariables="3"', "NVariables=3, but the file has 2 variables"),
        ('    <PDFDescriptor VarIndex="1" ClassIndex="1">', "", "not well-formed"),
        ('NBins="4"', 'NBins="5"', "5 bin contents are declared, but there are 4"),
        ("4 3 2 1", "4 3 two 1", "one of the bin contents is not a number: 'two'"),
        ('InterpolMethod="2"', 'InterpolMethod="7"', "InterpolMethod=7 is unknown"),
        ('XMax="1.0', 'XMax="-1.0', "the histogram goes from -1.0 to -1.0"),
        ("1 3 4 2.5", "-1 -3 -4 -2.5", None),
        ("4 3 2 1", "-4 -3 -2 -1", None),
        ('InterpolMethod="2" KDE_type="1"', 'KDE_type="1"', "the attribute 'InterpolMethod' is missing"),
        ("TransformOutput", "TransformOutputs", None),
        ("<PDF Name", "<PDV Name", "not well-formed"),
        ('TransformOutput" modified="No">False', 'TransformOutput" modified="No">maybe', "value 'maybe' can not be"),
    ],
)
def test_damaged_files(old, new, problem):
    text = old_xml().replace(old, new)
    if problem is None:  # odd, but TMVA reads it too
        assert np.isfinite(TMVA.load_string(text).predict(EVENTS)).all()
    else:
        with pytest.raises(WeightFileError, match=re.escape(problem)):
            TMVA.load_string(text)


def test_a_missing_density_is_damage():
    text = old_xml()
    start, stop = text.index('    <PDFDescriptor VarIndex="1" ClassIndex="1">'), text.index("  </Weights>")
    with pytest.raises(WeightFileError, match=r"line \d+.*2 variables need 4 PDFs, but there are 3"):
        TMVA.load_string(text[:start] + text[stop:])
    with pytest.raises(WeightFileError, match="the element <PDF> is missing"):
        TMVA.load_string(re.sub(r"<PDF N.*?</PDF>", "", text, count=1, flags=re.DOTALL))


def test_a_density_that_cannot_be_made_is_damage():
    text = old_xml((5, 2, 2, 2)).replace("1 3 4 2.5", "0 0 0 0")
    with pytest.raises(WeightFileError, match="kernel density needs a positive width"):
        TMVA.load_string(text)


def test_a_truncated_text_file_is_damage():
    text = text_file()
    with pytest.raises(WeightFileError, match=r"#WGT.*ends where a bin content is expected"):
        TMVA.load_string(text[: text.index("1 1 2 6") + 4])


def test_a_file_may_be_compressed_or_not(method_case, tmp_path):
    record = method_case("likelihood")
    (tmp_path / "plain.xml").write_bytes(gzip.decompress(record.weights.read_bytes()))
    x = record.expected["inputs"]
    np.testing.assert_array_equal(TMVA.load(tmp_path / "plain.xml").predict(x), record.expected["mva"])


# -- other formats


@pytest.mark.parametrize("name", ["likelihood_kdeb", "likelihood_p"])
def test_json_npz_and_copies(method_case, name, tmp_path):
    record = method_case(name)
    x = record.expected["inputs"]
    for end in ("json", "npz", "xml.gz"):
        convert(record.weights, tmp_path / f"model.{end}")
        again = load_any(tmp_path / f"model.{end}")
        assert again.to_xml() == record.weights_text
        np.testing.assert_array_equal(again.predict(x), record.expected["mva"])
    assert json.loads((tmp_path / "model.json").read_text())["method"]["class"] == "FittedLikelihood"
    model = TMVA.load(record.weights)
    model.predict(x)
    for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):  # noqa: S301
        np.testing.assert_array_equal(again.predict(x), record.expected["mva"])


@pytest.mark.parametrize("name", ["likelihood", "likelihood_d", "likelihood_int", "likelihood_mix"])
def test_onnx_gives_the_same_responses(method_case, name, tmp_path):
    pytest.importorskip("onnxruntime")
    from pytmva_bnn.convert.onnx_check import run_onnx

    record = method_case(name)
    convert(record.weights, tmp_path / "model.onnx")
    x = np.vstack([record.expected["inputs"], np.full((1, 4), np.nan)]).astype(np.float64)
    found = run_onnx(tmp_path / "model.onnx", x)["response"]
    assert np.isnan(found[-1])
    # the logarithm of TransformOutput is another one
    tolerance = 0.0 if name == "likelihood_mix" else 1e-14
    np.testing.assert_allclose(found[:-1], record.expected["mva"], rtol=tolerance, atol=1e-15 if tolerance else 0)


def test_onnx_goes_by_the_signal_too(tmp_path):
    pytest.importorskip("onnxruntime")
    from pytmva_bnn.convert.onnx_check import run_onnx

    model = TMVA.load_string(old_xml((0, 2, 3, 0)))
    to_onnx(model, tmp_path / "model.onnx")
    x = np.random.default_rng(3).normal(size=(300, 2)).astype(np.float32) * [2.0, 3.0]
    np.testing.assert_array_equal(run_onnx(tmp_path / "model.onnx", x)["response"], model.predict(x))


def test_the_cpp_class_gives_the_bits_of_tmvas_reader(method_case, cpp_responses):
    record = method_case("likelihood_d")
    mixed = TMVA.load_string(old_xml((0, 2, 3, 0)))
    x = np.random.default_rng(3).normal(size=(300, 2)).astype(np.float32) * [2.0, 3.0]
    cases = {
        "decorrelated": (TMVA.load(record.weights), record.expected["inputs"], record.expected["mva"]),
        "mixed": (mixed, x, mixed.predict(x)),
    }
    with_nan = {name: (model, np.vstack([x, np.full_like(x[:1], np.nan)])) for name, (model, x, _) in cases.items()}
    for name, (*found, of_nan) in cpp_responses(with_nan).items():
        np.testing.assert_array_equal(found, cases[name][2], err_msg=name)
        assert np.isnan(of_nan)


def test_the_cpp_class_has_the_densities_of_each_variable(method_case):
    source = class_source(TMVA.load(method_case("likelihood_int").weights))
    assert 'ReadLikelihood: the response of the likelihood "Likelihood" in plain C++17' in source
    assert source.count("static constexpr float kSignal_") == source.count("static constexpr float kBackground_") == 4
    # the integer variable keeps its bins
    assert "kSignal_1_contents[10]" in source
    assert "kBackground_0_contents[10000]" in source


def test_inspect(method_case, capsys, tmp_path):
    path = tmp_path / "mix.weights.xml.gz"
    shutil.copy(method_case("likelihood_mix").weights, path)
    assert main(["inspect", str(path)]) == 0
    text = capsys.readouterr().out
    assert re.search(r"var3 +signal +Spline3 +33 +0 +-8\.61\d+ to 11\.\d+\n +var3 +background +Spline5 +25", text)
    assert "p_S / (p_S + p_B)" in text
    assert main(["inspect", "--json", str(path)]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["densities"][2]["bins"] == 25
    assert data["densities"][1]["class"] == "background"


def test_there_are_no_error_bars(method_case):
    model = TMVA.load(method_case("likelihood").weights)
    assert repr(model) == "<Model 'Likelihood': Classification, Spline2 of 4 variables, without error bars>"
    assert dict(model.fitted.describe())["output"] == "-ln(1/r - 1)/15 of r = p_S / (p_S + p_B)"
    with pytest.raises(ErrorsNotAvailableError, match="this method has none"):
        model.predict(method_case("likelihood").expected["inputs"], errors=True)


def test_no_warnings_for_a_usual_file(method_case, caplog):
    caplog.set_level(logging.WARNING)
    TMVA.load(method_case("likelihood_mix").weights)
    assert not caplog.records
