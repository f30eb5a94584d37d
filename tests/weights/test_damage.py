"""Damaged XML files are refused, and the message says in which file, element and line, and why."""

from __future__ import annotations

import gzip
import re

import pytest

from pytmva_bnn.errors import InputError, TMVAError, WeightFileError, WeightFileNotFoundError
from pytmva_bnn.model import load, load_string
from pytmva_bnn.weights import read, read_string

# case, regular expression, what it becomes, element named, part of the message
TABLE = [
    # the method
    (
        "bfgs_n",
        'Method="MLP::',
        'Method="PyKeras::',
        "MethodSetup",
        "the method is 'PyKeras::MLP'; only",
    ),
    ("bfgs_n", 'Method="MLP::MLP"', 'Method="MLP"', "MethodSetup", "which is not of the form <type>::<title>"),
    ("bfgs_n", ' Method="MLP::MLP"', "", "MethodSetup", "the attribute 'Method' is missing"),
    # general information and options
    (
        "bfgs_n",
        '"AnalysisType" value="Classification"',
        '"AnalysisType" value="Magic"',
        "GeneralInfo",
        "unknown analysis type 'Magic'",
    ),
    ("bfgs_n", 'value="Classification"', "", "Info", "the attribute 'value' is missing"),
    ("bfgs_n", '<Option name="NCycles"', "<Option", "Option", "the attribute 'name' is missing"),
    ("bfgs_n", '(name="NCycles") modified="Yes"', r'\1 size="x"', "Option", "size='x' is not a whole number"),
    # variables
    ("bfgs_n", r"(?s)  <Variables.*</Variables>\n", "", "MethodSetup", "the element <Variables> is missing"),
    ("bfgs_n", 'NVar="4"', 'NVar="5"', "Variables", "NVar=5, but 4 elements <Variable> are present"),
    ("bfgs_n", 'NVar="4"', 'NVar="four"', "Variables", "NVar='four' is not a whole number"),
    ("bfgs_n", 'NVar="4"', 'NVar="-4"', "Variables", "NVar=-4 is negative"),
    ("bfgs_n", 'VarIndex="2"', 'VarIndex="3"', "Variable", "VarIndex='3' found where 2 was expected"),
    ("bfgs_n", ' Expression="var2"', "", "Variable", "the attribute 'Expression' is missing"),
    ("bfgs_n", ' Unit=""', "", "Variable", "the attribute 'Unit' is missing"),
    ("bfgs_n", ' Min="[^"]*"', ' Min="low"', "Variable", "Min='low' is not a number"),
    ("bfgs_n", 'NSpec="0"', 'NSpec="1"', "Spectators", "NSpec=1, but 0 elements <Spectator> are present"),
    ("bfgs_n", r"(?s)(  <MVAPdfs/>\n)", r"\1\1", "MVAPdfs", "appears twice"),
    ("bfgs_n", 'NClass="2"', 'NClass="3"', "Classes", "NClass=3, but 2 elements <Class> are present"),
    (
        "bfgs_n",
        r'(?s)<Classes NClass="2">.*</Classes>',
        '<Classes NClass="10001"/>',
        "Classes",
        "NClass=10001 cannot be",
    ),
    ("bfgs_n", '<Class Name="Signal"', "<Class", "Class", "the attribute 'Name' is missing"),
    ("reg_n", 'NTrgt="1"', 'NTrgt="2"', "Targets", "NTrgt=2, but 1 elements <Target> are present"),
    # transformations
    (
        "bfgs_n",
        'NTransformations="1"',
        'NTransformations="0"',
        "Transformations",
        "but 1 elements <Transform> are present",
    ),
    (
        "bfgs_n",
        'Transform Name="Normalize"',
        'Transform Name="Magic"',
        "Transform",
        "transform 'Magic' is unknown; known:",
    ),
    ("bfgs_n", 'Transform Name="Normalize"', 'Transform Name="None"', "Transform", "transform 'None' is unknown"),
    ("bfgs_n", '"UseOffset"', '"Perhaps"', "Transform", "'Perhaps' is neither UseOffset nor NoOffset"),
    ("bfgs_n", 'NInputs="4"', 'NInputs="3"', "Input", "NInputs=3, but 4 are present"),
    ("bfgs_n", 'NOutputs="4"', 'NOutputs="3"', "Output", "NOutputs=3, but 4 are present"),
    ("bfgs_n", r'(?s)NOutputs="4">\s*<Output [^>]*>', 'NOutputs="3">', "Selection", "4 inputs cannot go to 3 outputs"),
    (
        "bfgs_n",
        r"(?s) *<Output .*</Output>\n",
        "",
        "Selection",
        "an input and an output list are expected, but there are 1",
    ),
    ("bfgs_n", r"(?s)( *<Selection>.*</Selection>\n)", r"\1\1", "Selection", "appears twice in <Transform>"),
    ("bfgs_n", r"(?s) *<Selection>.*</Selection>\n", "", "Class", "the element <Variables> is missing"),
    (
        "bfgs_n",
        'Input Type="Variable"',
        'Input Type="Thing"',
        "Input",
        "'Thing' is not one of Variable, Target, Spectator",
    ),
    ("bfgs_n", 'ClassIndex="1"', 'ClassIndex="2"', "Class", "ClassIndex='2' found where 1 was expected"),
    ("bfgs_n", 'Range Index="1"', 'Range Index="2"', "Range", "Index='2' found where 1 was expected"),
    ("bfgs_n", '<Range Index="3"[^>]*/>', "", "Class", "3 ranges for 4 inputs"),
    ("bfgs_n", '(<Range Index="0" Min=)"[^"]*"', r'\1"nan"', "Range", "Min='nan' is not a number"),
    ("bfgs_n", '(<Range Index="0" Min=)"[^"]*"', r'\1"1e400"', "Range", "not a number in range"),
    ("bfgs_n", '(<Range Index="0" Min=)"[^"]*"', r'\1"1e39"', "Range", "32-bit floats"),
    (
        "bfgs_n",
        r"(?s) *<Class ClassIndex.*</Class>\n(?=    </Trans)",
        "",
        "Transform",
        "the element <Class> with the ranges",
    ),
    ("trans_d", 'Matrix Rows="4"', 'Matrix Rows="3"', "Matrix", "the matrix is 3 x 4; 4 inputs need 4 x 4"),
    ("trans_d", r'(Columns="4">\s*)\S+', r"\1", "Matrix", "16 matrix elements are declared, but there are 15"),
    ("trans_d", r'(Columns="4">\s*)\S+', r"\1x1", "Matrix", "one of the matrix elements is not a number: 'x1'"),
    ("trans_d", r'(Columns="4">\s*)\S+', r"\g<1>1.0e5e", "Matrix", "one of the matrix elements is not a number"),
    ("trans_d", r'(Columns="4">\s*)\S+', r"\g<1>1e999", "Matrix", "too large for a double"),
    ("trans_d", r"(?s) *<Matrix.*</Matrix>\n", "", "Transform", "the element <Matrix> is missing"),
    ("trans_p", 'NRows="4">', 'NRows="5">', "Statistics", "NRows=5, but there are 4 inputs"),
    ("trans_p", 'NCols="4"', 'NCols="5"', "Eigenvectors", "the matrix is 4 x 5"),
    ("trans_p", r"(?s)<Statistics.*?</Statistics>", "", "Statistics", "ClassIndex='1' found where 0 was expected"),
    ("trans_p", r"(?s) *<Eigenvectors.*</Eigenvectors>\n", "", "Transform", "3 <Statistics> and 0 <Eigenvectors>"),
    ("trans_g", r"(?s)<Variable VarIndex=.{0,3}>.*?</Variable>", "", "Transform", "3 <Variable> elements for 4 inputs"),
    ("trans_g", '<PDF Name="GaussT', '<Bla/><PDF Name="GaussT', None, None),
    ("trans_g", r'(HistogramBinning NBins=)"\d+"', r'\1"1"', "PDF", "an element <HistogramBinning> with NBins="),
    ("trans_g", r"(?s)(<HistogramBinning[^>]*>\s*\S+ \S+) \S+", r"\1 -99.0", "PDF", "not in increasing order"),
    ("trans_g", 'HasEquidistantBins="0"', 'HasEquidistantBins="no"', "Histogram", "'no' is not a whole number"),
    (
        "trans_g",
        '<Variable VarIndex="1">',
        '<Variable VarIndex="2">',
        "Variable",
        "VarIndex='2' found where 1 was expected",
    ),
    (
        "trans_g",
        r'(?s)(<Variable VarIndex="1">).*?(</Variable>)',
        r"\1\2",
        "Variable",
        "the cumulative PDFs of the classes",
    ),
    ("trans_g", r"(?s)<CumulativePDF_cls2>.*?</CumulativePDF_cls2>", "", "Transform", "different numbers of classes"),
    ("bfgs_n", "</Transform>", "</Transform><Transform Name='Rearrange'/>", "Transform", "<Selection> is missing"),
    # densities of the response
    ("mvapdfs", r"(?s)<PDF.*?</PDF>", "", "MVAPdfs", "there are 1 PDFs"),
    ("mvapdfs", "<PDF (?s:(.*?))</PDF>", r"<FDP \1</FDP>", "FDP", "an element <PDF> is expected here"),
    ("mvapdfs", r"(?s)<Histogram.*?</Histogram>", "", "PDF", "the element <Histogram> is missing"),
    ("mvapdfs", r'NBins="\d+"', 'NBins="0"', "Histogram", "at least one bin"),
    ("mvapdfs", r'NBins="\d+"', 'NBins="39"', "Histogram", "39 bin contents are declared, but there are 40"),
    ("mvapdfs", r'XMin="[^"]*"', 'XMin="7"', "PDF", "the histogram goes from 7.0 to 0"),
    ("mvapdfs", r'XMin="[^"]*"', 'XMin="-1e39"', "PDF", "the histogram goes from -1e+39"),
    ("mvapdfs", r'InterpolMethod="2"', 'InterpolMethod="6"', "PDF", "InterpolMethod=6 is unknown"),
    ("mvapdfs", r'InterpolMethod="2"', 'InterpolMethod="-1"', "PDF", "InterpolMethod=-1 is unknown"),
    ("mvapdfs", 'MaxNSmooth="0"', 'MaxNSmooth="1001"', "PDF", "smoothing passes"),
    ("mvapdfs", 'MinNSmooth="0" ', "", "PDF", "the attribute 'MinNSmooth' is missing"),
    # the network
    ("bfgs_n", r"(?s)  <Weights>.*</Weights>\n", "", "MethodSetup", "the element <Weights> is missing"),
    ("bfgs_n", r"(?s)    <Layout.*</Layout>\n", "", "Weights", "the attribute 'NLayers' is missing"),
    ("bfgs_n", r"(?s)(    <Layout.*</Layout>\n)", r"\1\1", "Layout", "appears twice in <Weights>"),
    ("bfgs_n", 'NLayers="3"', 'NLayers="4"', "Layout", "NLayers=4, but 3 elements <Layer> are present"),
    ("bfgs_n", r'(?s)NLayers="3">.*</Layer>', 'NLayers="0">', "Layout", "at least 2 layers, not 0"),
    ("bfgs_n", '<Layer Index="1"', '<Layer Index="2"', "Layer", "Index='2' found where 1 was expected"),
    ("bfgs_n", 'NNeurons="5"', 'NNeurons="6"', "Layer", "NNeurons=6, but 5 elements <Neuron> are present"),
    (
        "bfgs_n",
        r'(?s)NNeurons="5">\s*<Neuron.*?</Neuron>',
        'NNeurons="4">',
        "Layer",
        "4 neurons; 4 variables and bias need 5",
    ),
    (
        "bfgs_n",
        r'(?s)(<Layer Index="1" )NNeurons="10">.*?</Layer>',
        r'\1NNeurons="0"/>',
        "Layer",
        "at least its bias neuron",
    ),
    ("bfgs_n", 'NSynapses="9"', 'NSynapses="8"', "Neuron", "NSynapses=8, but the next layer has 9 neurons"),
    ("bfgs_n", r'(NSynapses="9">\s*)\S+', r"\1", "Neuron", "9 weights are declared, but there are 8"),
    ("bfgs_n", r'(NSynapses="9">\s*)\S+', r"\1 1 2", "Neuron", "9 weights are declared, but there are 10"),
    ("bfgs_n", r'(NSynapses="9">\s*)\S+', r"\1 one", "Neuron", "one of the weights is not a number: 'one'"),
    ("bfgs_n", r'(NSynapses="9">\s*)\S+', r"\1 3.5e38", "Neuron", "a weight is too large"),
    (
        "bfgs_n",
        '<Neuron NSynapses="0"/>',
        '<Neuron NSynapses="1">1.0</Neuron>',
        "Neuron",
        "an output neuron has no synapses",
    ),
    ("bfgs_n", r'NNeurons="1">\s*<Neuron NSynapses="0"/>', 'NNeurons="0">', "Layer", "the output layer has no neuron"),
    ("bfgs_errors", r'NRows="(\d+)"', r'NRows="1\1"', "InverseHessian", "so it must be"),
    (
        "bfgs_errors",
        r'NCols="(\d+)"',
        r'NCols="1\1"',
        "Row",
        "elements of the inverse Hessian are declared, but there are",
    ),
    ("bfgs_errors", r"(?s)<Row Index=.{0,4}>.*?</Row>", "", "InverseHessian", "rows; the network has"),
    ("bfgs_errors", r'(<Row Index="1">\s*)\S+', r"\1 z", "Row", "is not a number: 'z'"),
    # outputs
    (
        "bfgs_n",
        'value="Classification"',
        'value="Multiclass"',
        "Layout",
        "multiclass needs at least two output neurons",
    ),
    ("bfgs_n", 'value="Classification"', 'value="Regression"', "Layout", "but 0 regression targets need 0"),
    ("multi_n", r'(?s)NClass="4">\s*<Class [^>]*>', 'NClass="3">', "Layout", "4 output neurons, but 3 classes need 3"),
    ("multi_n", 'value="Multiclass"', 'value="Classification"', "Layout", "4 output neurons, but classification has 1"),
]


@pytest.mark.parametrize(("case", "pattern", "new", "element", "message"), TABLE)
def test_damage_is_named(cases, tmp_path, case, pattern, new, element, message):
    text = (cases / case / "weights.xml").read_text()
    damaged = re.sub(pattern, new, text, count=1)
    assert damaged != text
    path = tmp_path / "damaged.weights.xml"
    path.write_text(damaged)
    if message is None:
        load(path)
        return
    with pytest.raises(WeightFileError) as caught:
        load(path)
    error = caught.value
    assert message in error.problem
    assert (error.file, error.element) == (str(path), element)
    assert str(error).startswith(str(path))
    if "output neurons" not in message and "targets need" not in message:
        assert error.line is not None
        assert f"<{element}" in damaged.split("\n")[error.line - 1]


@pytest.mark.parametrize(
    ("old", "new", "element", "message"),
    [
        (">tanh<", ">tamh<", "Options", "NeuronType"),
        (">sum<", ">product<", "Options", "NeuronInputType"),
        (">CE<", ">XE<", "Options", "EstimatorType"),
        (">CE<", ">ce <", "Options", "EstimatorType='ce' defines no output activation"),
        (">60<", ">many<", "Options", "NCycles"),
        (
            '"Variable" Label="var1" Expression="var1"',
            '"Variable" Label="" Expression=""',
            "Transformations",
            "does not exist",
        ),
        ('Input Type="Variable" Label="var1"', 'Input Type="Target" Label="var1"', "Transformations", "does not exist"),
    ],
)
def test_what_cannot_be_evaluated_is_refused_at_loading(cases, tmp_path, old, new, element, message):
    text = (cases / "bfgs_n" / "weights.xml").read_text()
    assert old in text
    (tmp_path / "w.xml").write_text(text.replace(old, new, 1))
    with pytest.raises(WeightFileError) as caught:
        load(tmp_path / "w.xml")
    assert message in str(caught.value)
    assert (caught.value.file, caught.value.element) == (str(tmp_path / "w.xml"), element)


def test_matrices_that_do_not_fit_are_refused(cases, changed):
    model = load(cases / "bfgs_n" / "weights.xml")
    bad = changed(model, fitted={"matrices": (model.matrices[0][:, 1:], *model.matrices[1:])})
    with pytest.raises(InputError, match="weight matrix 1 has"):
        bad.predict([[0.0] * 4])


def test_unknown_option_is_refused_only_if_strict(cases):
    text = (cases / "bfgs_n" / "weights.xml").read_text().replace('name="Tau"', 'name="Tao"')
    load_string(text)
    with pytest.raises(WeightFileError, match="Tao: did you mean Tau"):
        load_string(text, strict=True)


def test_decorrelated_target_has_no_way_back(cases):
    """TMVA stops at the first event; here the file is refused."""
    text = (cases / "reg_n" / "weights.xml").read_text()
    target = re.search(r'<Input Type="Target"[^>]*/>', text)[0]
    one = f"<Selection><Input NInputs='1'>{target}</Input><Output NOutputs='1'>{target}</Output></Selection>"
    step = f"<Transform Name='Decorrelation'>{one}<Matrix Rows='1' Columns='1'>1.0 </Matrix></Transform>"
    with pytest.raises(WeightFileError, match="no inverse"):
        load_string(
            text.replace("</Transform>", f"</Transform>{step}").replace('NTransformations="1"', 'NTransformations="2"')
        )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('NBins="12"', 'NBins="2"', "Spline5 needs"),
        ('InterpolMethod="4"', 'InterpolMethod="5"', "positive width"),
    ],
)
def test_density_that_cannot_be_built_is_refused_at_loading(odd, old, new, message):
    text = (odd / "mvapdfs_splines.weights.xml").read_text()
    head, tail = text.split('<PDF Name="MLP_PDFBkg"')
    assert old in tail
    numbers = tail[tail.index("\n", tail.index("<Histogram")) : tail.index("</Histogram>")]
    short = "\n1.0 0.0 " + ("0.0 " * 10 if new != 'NBins="2"' else "")
    with pytest.raises(WeightFileError, match=message) as caught:
        read_string(head + '<PDF Name="MLP_PDFBkg"' + tail.replace(numbers, short).replace(old, new))
    assert caught.value.element == "MVAPdfs"


def test_negative_density_is_refused_at_loading(odd):
    text = (odd / "mvapdfs_lines.weights.xml").read_text()
    head, _, tail = text.partition("1.00000000e-02")
    with pytest.raises(WeightFileError, match="the integral is negative"):
        read_string(head + "-1.00000000e+09" + tail)


@pytest.mark.parametrize("name", ["bfgs_n", "bfgs_errors", "mvapdfs"])
def test_every_truncation_is_refused(cases, tmp_path, name):
    data = (cases / name / "weights.xml").read_bytes()
    whole = data.rindex(b"</MethodSetup>") + len(b"</MethodSetup>")
    for length in [*range(0, whole, len(data) // 60), *range(whole - 20, whole)]:
        (tmp_path / "w.xml").write_bytes(data[:length])
        with pytest.raises(WeightFileError, match=r"w\.xml"):
            load(tmp_path / "w.xml")


def test_truncation_says_line_and_likely_cause(cases, tmp_path):
    text = (cases / "bfgs_n" / "weights.xml").read_text()
    (tmp_path / "w.xml").write_text(text[: text.index("  <Weights>")])
    with pytest.raises(WeightFileError, match="the file is truncated, damaged or not a weight file") as caught:
        read(tmp_path / "w.xml")
    assert caught.value.line == text[: text.index("  <Weights>")].count("\n") + 1


def test_truncated_gzip_is_refused(cases, tmp_path):
    packed = gzip.compress((cases / "bfgs_errors" / "weights.xml").read_bytes())
    for length in (3, 12, 100, len(packed) // 2, len(packed) - 9, len(packed) - 1):
        (tmp_path / "w.xml.gz").write_bytes(packed[:length])
        with pytest.raises(WeightFileError, match=r"w\.xml\.gz.*(truncated|empty)"):
            load(tmp_path / "w.xml.gz")


def test_damaged_gzip_is_refused(cases, tmp_path):
    packed = bytearray(gzip.compress((cases / "bfgs_errors" / "weights.xml").read_bytes()))
    for position in (3, 50, len(packed) // 2, len(packed) - 6):
        damaged = packed.copy()
        damaged[position] ^= 0xFF
        (tmp_path / "w.xml.gz").write_bytes(damaged)
        with pytest.raises(WeightFileError, match=r"w\.xml\.gz"):
            load(tmp_path / "w.xml.gz")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b" \n\t\r\n", "the file is empty"),
        (b"\xef\xbb\xbf", "the file is empty"),
        (b"\x00" * 100, "the section #OPT is missing"),
        (bytes(range(256)) * 20, "the section #OPT is missing"),
        (b"<\x00\x01\x02", "NUL bytes"),
        (b"<html><body>404</body></html>", "the attribute 'Method' is missing"),
        (b"<MethodSetup/>", "the attribute 'Method' is missing"),
        (b"hello, world", "not a text weight file of TMVA"),
        (b"PK\x03\x04zip", "not a text weight file of TMVA"),
        ("<?xml version='1.0'?><MethodSetup/>".encode("utf-16"), "not a text weight file"),
        ("<?xml version='1.0'?><MethodSetup/>".encode("utf-16-le"), "NUL bytes"),
    ],
)
def test_files_of_other_kinds_are_refused(tmp_path, content, message):
    (tmp_path / "w.xml").write_bytes(content)
    with pytest.raises(WeightFileError, match=re.escape(message)) as caught:
        load(tmp_path / "w.xml")
    assert caught.value.file == str(tmp_path / "w.xml")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("missing.xml", "No such file"),
        (".", "this is a folder"),
        ("x" * 300, "unable to open"),
        ("w\0.xml", "unable to open"),
        ("no/such/folder.xml", "No such file"),
    ],
)
def test_files_that_cannot_be_opened(tmp_path, name, message):
    with pytest.raises(WeightFileNotFoundError, match=message) as caught:
        load(f"{tmp_path}/{name}")
    assert isinstance(caught.value, FileNotFoundError | ValueError | TMVAError)
    assert str(tmp_path) in str(caught.value)


def test_errors_of_a_string_say_so():
    with pytest.raises(WeightFileError, match="XML string, line 1, element <a>"):
        read_string("<a/>")
    with pytest.raises(WeightFileError, match="XML string: the file is empty"):
        read_string("")
    with pytest.raises(WeightFileError):
        read_string("<a \ud800/>")
