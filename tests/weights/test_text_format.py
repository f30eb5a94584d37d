"""The text format of TMVA 3.9: every kind of transformation, against a plain evaluation by hand."""

from __future__ import annotations

import gzip
import re

import numpy as np
import pytest

from pytmva_bnn.errors import WeightFileError
from pytmva_bnn.model import load, load_string
from pytmva_bnn.weights import read_string

EVENTS = [[10.0, 1.0], [50.0, -2.0], [0.0, 0.0], [95.0, 3.0], [-1.0, 0.25]]
MATRICES = [
    [[0.51, -1.25], [0.75, 0.31], [-0.1, 0.2]],
    [[1.5], [-0.8], [0.1]],
    [[1.123456789012], [-0.4]],
]
RANGES = [(0.5, 94.5), (-2.5, 2.25)]
SIGNAL = [[0.125, -0.03125], [-0.0312, 1.00123]]
BACKGROUND = [[0.25, 0.0625], [0.0625, 0.75]]
EDGES = [[0.0, 10.0, 25.5, 60.0, 95.0], [-2.5, -1.0, 0.25, 1.0, 2.25]]
CUMULATIVE = {"signal": [0.1, 0.5, 0.75, 1.0], "background": [0.2, 0.3, 0.8, 1.0]}


def old_cumulative(x, edges, contents):
    n = len(contents)
    epsilon = 0.5 / (n * 25)
    if x <= edges[0]:
        return epsilon
    if x >= edges[-1]:
        return 1 - epsilon
    b = next(k for k in range(n) if edges[k] <= x < edges[k + 1])
    below = epsilon if b == 0 else contents[b - 1]
    above = 1 - epsilon if b == n - 1 else contents[b]
    return below + (above - below) * (x - edges[b]) / (edges[b + 1] - edges[b])


def uniform(plain, x, kind):
    return [
        plain.float32(old_cumulative(value, edges, CUMULATIVE[kind])) for value, edges in zip(x, EDGES, strict=True)
    ]


def gaussian(plain, x, kind):
    return [plain.gauss(old_cumulative(value, edges, CUMULATIVE[kind])) for value, edges in zip(x, EDGES, strict=True)]


TRANSFORMATIONS = {
    "none": lambda _, x: x,
    "normalise": lambda plain, x: plain.normalised(x, RANGES),
    "mvapdfs": lambda plain, x: plain.normalised(x, RANGES),
    "flag_d": lambda plain, x: plain.matrix_times(x, SIGNAL),
    "decorrelate_background": lambda plain, x: plain.matrix_times(plain.normalised(x, RANGES), BACKGROUND),
    "pca": lambda plain, x: plain.matrix_times([x[0] - 20.25, x[1] + 0.125], [[0.6, 0.8], [-0.8, 0.6]]),
    "gauss": lambda plain, x: gaussian(plain, x, "signal"),
    "uniform_background": lambda plain, x: uniform(plain, x, "background"),
    "gaussdecorr": lambda plain, x: plain.matrix_times(gaussian(plain, x, "signal"), SIGNAL),
}


@pytest.fixture
def text(odd):
    return (odd / "text39_normalise.weights.txt").read_text()


@pytest.mark.parametrize("name", TRANSFORMATIONS)
def test_response_is_that_of_the_time(odd, plain, name):
    model = load(odd / f"text39_{name}.weights.txt")
    expected = [plain.network(TRANSFORMATIONS[name](plain, x), MATRICES, plain.linear)[0] for x in EVENTS]
    np.testing.assert_allclose(model.predict(EVENTS), expected, rtol=1e-6 if "gauss" in name else 1e-14)


@pytest.mark.parametrize("name", [name for name in TRANSFORMATIONS if name != "none"])
def test_strict_does_what_current_root_does(odd, plain, name):
    """A sigmoid at the end, and of the transformations only the normalisation."""
    model = load(odd / f"text39_{name}.weights.txt", strict=True)
    first = TRANSFORMATIONS["normalise" if name in ("normalise", "mvapdfs", "decorrelate_background") else "none"]
    expected = [plain.network(first(plain, x), MATRICES, plain.sigmoid)[0] for x in EVENTS]
    np.testing.assert_allclose(model.predict(EVENTS), expected, rtol=1e-14)


def test_strict_refuses_verbose_level_as_current_root_does(odd):
    with pytest.raises(WeightFileError, match="VerboseLevel"):
        load(odd / "text39_none.weights.txt", strict=True)


def test_content(odd):
    model = load(odd / "text39_decorrelate_background.weights.txt")
    file = model.file
    assert (file.source, file.title, file.analysis_type) == ("text", "OldMLP", "Classification")
    assert (file.tmva_version, file.root_version) == (198917, 333312)
    assert file.general_info["Training events"] == "100"
    assert file.classes == ("Signal", "Background")
    assert [(v.expression, v.internal, v.type, v.minimum, v.maximum) for v in file.variables] == [
        ("pt/2", "pt_D_2", "F", 0.5, 94.5),
        ("eta", "eta", "F", -2.5, 2.25),
    ]
    assert [(o.name, o.value, o.modified) for o in file.options][3:6] == [
        ("VarTransform", "Decorrelate", True),
        ("VarTransformType", "Background", True),
        ("D", "False", False),
    ]
    assert [m.tolist() for m in model.matrices] == MATRICES  # not rounded to float32


def test_pdfs_of_the_response(odd):
    model = load(odd / "text39_mvapdfs.weights.txt")
    signal, background = model.file.mva_pdfs
    assert (signal.min_n_smooth, signal.max_n_smooth, signal.interpolation) == (1, 1, 2)
    assert (background.min_n_smooth, background.max_n_smooth, background.interpolation) == (0, 0, 1)
    assert signal.histogram.values.tolist() == [0.1, 0.2, 0.4, 0.9, 1.4, 0.6]
    assert background.histogram.name == "MVA_bkg"
    built = model.response_pdfs
    assert built is not None
    # linear between the bin centres -1.25, -0.75, ..., of area (0.7+1.2+0.8+0.3+0.2+0.1)/2 and more at the ends
    values = built[1].value([-0.75, -0.5, 0.25])
    np.testing.assert_allclose(values / values[0], [1.0, 1.0 / 1.2, 0.3 / 1.2], rtol=1e-3)
    assert built[1].integral(-1.5, 1.4999999) == pytest.approx(1.0, abs=1e-3)


def test_pdf_before_373_has_its_numbers_at_once(odd):
    text = (odd / "text39_mvapdfs.weights.txt").read_text()
    old = text.replace("Histogram MVA_sig 6", "6").replace("Histogram MVA_bkg 6", "6").replace("\nWeights\n0", "\n0")
    assert old != text
    file = read_string(old)
    assert [p.histogram.values.tolist() for p in file.mva_pdfs] == [
        p.histogram.values.tolist() for p in read_string(text).mva_pdfs
    ]


def test_negative_smoothing_means_kde(odd):
    text = (odd / "text39_mvapdfs.weights.txt").read_text()
    file = read_string(text.replace("MinNSmooth 1\nMaxNSmooth 1", "MinNSmooth -1\nMaxNSmooth -1"))
    assert file.mva_pdfs[0].interpolation == 5


def test_a_pdf_that_names_no_interpolation_is_a_spline_of_degree_2(odd):
    text = (odd / "text39_mvapdfs.weights.txt").read_text()
    file = read_string(text.replace("InterpolMethod 2\n", "").replace("InterpolMethod 1\n", ""))
    assert [pdf.interpolation for pdf in file.mva_pdfs] == [2, 2]


def test_compressed_windows_latin_1_and_marked_files_are_read(text, tmp_path):
    expected = load_string(text).predict(EVENTS)
    for data in (
        text.replace("\n", "\r\n").encode(),
        gzip.compress(text.encode()),
        text.replace("nobody", "n\xf6body\x85").encode("latin-1"),
        b"\xef\xbb\xbf" + text.replace("nobody", "nöbody").encode(),
    ):
        (tmp_path / "w.txt").write_bytes(data)
        np.testing.assert_array_equal(load(tmp_path / "w.txt").predict(EVENTS), expected)


@pytest.mark.parametrize("name", ["normalise", "flag_d", "decorrelate_background", "pca", "mvapdfs"])
def test_written_as_xml_it_predicts_the_same(odd, name):
    model = load(odd / f"text39_{name}.weights.txt")
    again = load_string(model.to_xml())
    np.testing.assert_allclose(again.predict(EVENTS), model.predict(EVENTS), rtol=1e-6)  # weights become float32


@pytest.mark.parametrize(
    ("old", "new", "message", "at"),
    [
        ("Method         : MLP", "Method         : PyKeras", r"the method is 'PyKeras::OldMLP'", "PyKeras::"),
        (
            "Method         : MLP::OldMLP",
            "Method         : MLP",
            r"which is not of the form <type>::<title>",
            "Method  ",
        ),
        ("Method ", "Mess ", r"the line 'Method : <type>::<title>' is missing", None),
        ("Creator        :", "Analysis type  : [Regression]\nCreator        :", "unknown in text files", "Analysis"),
        ("Creator        :", "AnalysisType   : Sorting\nCreator        :", "unknown analysis type 'Sorting'", None),
        ("#OPT", "#OPP", "the section #OPT is missing", None),
        ("#VAR", "#VAX", "the section #VAR is missing", None),
        ("#WGT", "#WGX", "the section #WGT is missing", None),
        ('NeuronType: "tanh"', "NeuronType tanh", "element <#OPT>: not of the form", "NeuronType"),
        ("##\n", "\n", "the list of options has no end", None),
        ("NVar 2", "NVar 3", "NVar is 3, but 2 variables are present", None),
        ("NVar 2", "NVar x", "the line 'NVar <n>' is missing", None),
        ("NVar 2", "NVar 9999999", "the line 'NVar <n>' is missing", None),
        ("[-2.5,2.25]", "[-2.5,x]", "element <#VAR>: not of the form", "eta   "),
        ("[-2.5,2.25]", "[-2.5,1e39]", "fit into 32-bit floats", None),
        ("[-2.5,2.25]", "[nan,1]", "fit into 32-bit floats", None),
        ('VarTransform: "None"', 'VarTransform: "Magic"', "the variable transform 'Magic' is unknown", None),
        (
            'HiddenLayers: "N,1"',
            'HiddenLayers: "N,2"',
            "the network 2-2-2-1 has 15 weights, but the file has 11",
            "Weights",
        ),
        ('HiddenLayers: "N,1"', 'HiddenLayers: "1"', "is expected, not", "(layer0,neuron0)-(layer1,neuron1)"),
        ("(layer2,neuron1)-(layer3,neuron0): -0.4\n", "", "11 weights, but the file has 10", None),
        ("-0.4\n", "-0.4\n(layer9,neuron9)-(layer9,neuron9): 1\n", "more weights than the network has", None),
        ("neuron0): 0.51", "neuron0): nan", "element <#WGT>: a weight is expected, not 'nan'", "nan"),
        ("neuron0): 0.51", "neuron0): 0.5.1", "element <#WGT>: a weight is expected, not '0.5.1'", "0.5.1"),
        (
            "(layer0,neuron1)-(layer1,neuron0)",
            "(layer0,neuron2)-(layer1,neuron0)",
            "is expected, not '(layer0,neuron2)",
            None,
        ),
        ("Weights\n", "Waits\n", "the word 'Weights' is expected, not 'Waits'", "Waits"),
    ],
)
def test_damaged_file_is_refused_with_place(text, tmp_path, old, new, message, at):
    damaged = text.replace(old, new, 1)
    assert damaged != text
    (tmp_path / "w.txt").write_text(damaged)
    with pytest.raises(WeightFileError, match=re.escape(message).replace(r"\ ", " ")) as caught:
        load(tmp_path / "w.txt")
    assert caught.value.file == str(tmp_path / "w.txt")
    if at is not None:
        assert caught.value.line is not None
        lines = damaged.split("\n")
        assert at in lines[caught.value.line - 1] or at in lines[caught.value.line]


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("flag_d", "signal 2 x 2", "signal 3 x 2", "the size is 3 x 2, but there are 2 variables"),
        ("flag_d", "signal 2 x 2", "sgnal 2 x 2", "the word 'signal' is expected"),
        ("flag_d", "2 x 2", "2 y 2", "the word 'x' is expected"),
        ("flag_d", "2 x 2", "2 x -2", "a number of columns is expected, not '-2'"),
        ("flag_d", "-0.0312 1.00123\n", "", "a matrix element is expected, not 'background'"),
        ("flag_d", "0.0625 0.75\n", "", "the section ends where a matrix element is expected"),
        ("pca", "signal 2\n", "signal 1\n", "the size is 1, but there are 2 variables"),
        ("pca", "30.5\n", "a\n", "a matrix element is expected, not 'a'"),
        ("gauss", "cumul_0_0 4 25", "cumul_0_0 0 25", "at least one bin"),
        ("gauss", "cumul_0_0 4 25", "cumul_0_0 4 0", "a bin has no elements"),
        ("gauss", "cumul_0_0 4 25", "cumul_0_0 5 25", "a bin edge is expected, not 'BinContent'"),
        ("gauss", "0 10 25.5", "0 99 25.5", "not in increasing order"),
        ("gauss", "CumulativeHistogram 0 1", "CumulativeHistogram 0 2", "a variable number is expected, not '2'"),
        ("gauss", "CumulativeHistogram 0 1", "CumulativeHistogram 1 1", "histogram of variable 1 is missing"),
        ("mvapdfs", "#MVAPDFS", "#MVAPDFX", "the section ends where a number of bins is expected"),
        ("mvapdfs", "MVA_sig 6 -1.5 1.5", "MVA_sig 6 1.5 1.5", "the histogram goes from 1.5 to 1.5"),
        ("mvapdfs", "MVA_sig 6 -1.5 1.5", "MVA_sig 0 -1.5 1.5", "at least one bin"),
        ("mvapdfs", "MVA_sig 6 -1.5 1.5", "MVA_sig 6000000 -1.5 1.5", "a number of bins is expected"),
        ("mvapdfs", "InterpolMethod 2", "InterpolMethod 9", "InterpolMethod=9 is unknown"),
        ("mvapdfs", "MaxNSmooth 1", "MaxNSmooth 1e9", "smoothing passes"),
        ("mvapdfs", "0.1 0.2 0.4", "0.1 1e39 0.4", "32-bit floats"),
        ("mvapdfs", "0.1 0.2 0.4 0.9 1.4 0.6", "-0.1 -0.2 -0.4 -0.9 -1.4 -0.6", "None"),
    ],
)
def test_damaged_block_of_numbers_is_refused(odd, name, old, new, message):
    text = (odd / f"text39_{name}.weights.txt").read_text()
    damaged = text.replace(old, new, 1)
    assert damaged != text
    if message == "None":  # negative contents become the smallest density, as in TMVA
        assert load_string(damaged).response_pdfs is not None
        return
    with pytest.raises(WeightFileError) as caught:
        load_string(damaged)
    assert message in str(caught.value)
    assert "#MAT" in str(caught.value) or "#MVAPDFS" in str(caught.value)
    if name != "mvapdfs" or "MVAPDFX" not in new:
        assert caught.value.line is not None


def test_every_truncation_is_refused_with_the_file_name(odd, tmp_path):
    for name in ("mvapdfs", "gaussdecorr"):
        data = (odd / f"text39_{name}.weights.txt").read_bytes()
        for length in range(0, len(data) - 6, 11):  # the last number is long enough to be cut unnoticed
            (tmp_path / "w.txt").write_bytes(data[:length])
            with pytest.raises(WeightFileError, match=r"w\.txt"):
                load(tmp_path / "w.txt")
