"""Damaged weight files of TMlpANN and CFMlpANN are refused with a sentence; odd ones are read as they should be."""

import re

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import WeightFileError

DAMAGE = [
    ("tmlpann", ":type", ":type!", "is not of the form '@var1,@var2:5:4:type'"),
    ("tmlpann", ":5:4:", ":5:x:", "is not of the form"),
    ("tmlpann", "@var1,@var2,", "@var1,", "has 3 inputs for 4 variables"),
    ("tmlpann", ":5:4:", ":5:3:", "13 numbers are declared, but there are 14"),
    ("tmlpann", "<output>\n      1 0", "<output>\n      2 0", "an output other than '1 0' is not supported"),
    ("tmlpann", "1.05947 -", "0 -", "the rms of an input must be positive"),
    ("tmlpann", r"(?s)<synapses>.*</synapses>", "", "<synapses> is missing"),
    ("cfmlpann", 'NVars="4"', 'NVars="5"', "NVars=5 for 4 variables"),
    ("cfmlpann", 'NClasses="2"', 'NClasses="3"', "NClasses=2"),
    ("cfmlpann", 'NLayers="4"', 'NLayers="5"', "NLayers=5 needs 7 elements, there are 6"),
    ("cfmlpann", "4 5 4 2 ", "4 5 4 3 ", "must begin with 4 neurons and end with 2"),
    ("cfmlpann", "4 5 4 2 ", "4 5 5 2 ", "weights are declared|4 neurons where"),
    ("cfmlpann", "4 5 4 2 ", "4 6 4 2 ", "weights are declared|5 neurons where"),
    ("cfmlpann", 'Layer2 NNeurons="4"', 'Layer2 NNeurons="3"', "NNeurons=3, but there are 4 neurons"),
    ("cfmlpann", r"(<Neuron2>\n\s*)\S+", r"\1", "weights are declared"),
    ("cfmlpann", r"(<VarMinMax>\n\s*)\S+", r"\g<1>9.0", "a maximum is below its minimum"),
    ("cfmlpann", r"(<LayerTemp>\n\s*\S+ )\S+", r"\g<1>0.0", "temperatures must be positive"),
]


@pytest.mark.parametrize(("name", "old", "new", "problem"), DAMAGE)
def test_damage_is_named(name, old, new, problem, method_case):
    text = method_case(name).weights_text
    changed = re.sub(old, new, text)
    assert changed != text
    with pytest.raises(WeightFileError, match=problem) as caught:
        TMVA.load_string(changed)
    assert caught.value.line is not None


@pytest.mark.parametrize("kind", ["TMlpANN", "CFMlpANN", "DL"])
def test_text_files_are_refused(kind):
    text = (
        f"#GEN -*-\nMethod : {kind}::x\nTMVA Release : 3.9.5 [198917]\n#OPT -*-\n# Set by User:\n# Default:\n##\n"
        "#VAR -*-\nNVar 1\na a 'F' [-1,1]\n#MAT -*-\n#WGT -*-\n1 2 3\n"
    )
    with pytest.raises(WeightFileError, match="text files"):
        TMVA.load_string(text)


def naive_cfmlpann(text, event):
    """The response of a file, one number after the other; the temperature of a layer divides its sums."""
    low_high = [float(t) for t in re.search(r"<VarMinMax>(.*?)<", text, re.DOTALL)[1].split()]
    temperatures = [float(t) for t in re.search(r"<LayerTemp>(.*?)<", text, re.DOTALL)[1].split()]
    a = []
    for i, x in enumerate(event):
        low, high = low_high[2 * i : 2 * i + 2]
        x = min(max(float(x), low), high)
        a.append((x - (high + low) / 2) / ((high - low) / 2) if high > low else 0.0)
    for number, temperature in enumerate(temperatures[1:], start=1):
        layer = re.search(rf"<Layer{number} .*?</Layer{number}>", text, re.DOTALL)[0]
        rows = [[float(t) for t in row.split()] for row in re.findall(r"<Neuron\d+>(.*?)<", layer, re.DOTALL)]
        u = [(bias + sum(w * v for w, v in zip(weights, a, strict=True))) / temperature for bias, *weights in rows]
        a = [(1 - np.exp(-one)) / (1 + np.exp(-one)) if abs(one) <= 170 else np.sign(one) for one in u]
    return 0.5 * (1 + a[0])


@pytest.mark.parametrize(
    "change",
    [
        (r"(<LayerTemp>\n\s*)(\S+ \S+) \S+ \S+", r"\g<1>\2 2.0000000000000000e+00 5.0000000000000000e-01"),
        (r"(<VarMinMax>\n\s*)\S+ \S+", r"\g<1>0.0000000000000000e+00 0.0000000000000000e+00"),
        (r"(<Layer2(.|\n)*?<Neuron0>\n\s*)\S+", r"\g<1>4.0000000000000000e+02"),
    ],
    ids=["temperatures", "constant variable", "saturated"],
)
def test_odd_files_of_cfmlpann(change, method_case, caplog):
    record = method_case("cfmlpann")
    text = re.sub(*change, record.weights_text, count=1)
    assert text != record.weights_text
    x = record.expected["inputs"][:30]
    model = TMVA.load_string(text)
    assert model.to_xml() == text
    np.testing.assert_allclose(model.predict(x), [naive_cfmlpann(text, event) for event in x], rtol=1e-14)
    assert ("var1 was constant in the training" in caplog.text) == ("0.0000000000000000e+00 0.0" in text)


def test_inputs_are_limited_to_the_range_of_the_training(method_case):
    model = TMVA.load(method_case("cfmlpann").weights)
    low, high = model.fitted.ranges.T.astype(np.float32)
    inside, outside = np.stack([high, low]), np.stack([high + 1000, low - 1000])
    np.testing.assert_array_equal(model.predict(outside), model.predict(inside))


def test_a_tmlpann_without_hidden_layers(method_case):
    text = method_case("tmlpann").weights_text
    text = text.replace(":5:4:type", ":type")
    text = re.sub(r"(<neurons>\n).*\n", r"\1      0.1 0.2 0.3 0.4 0.5 \n", text)
    text = re.sub(r"(<synapses>\n).*\n", r"\1      1 2 -3 0.25 \n", text)
    model = TMVA.load_string(text)
    assert model.to_xml() == text
    rms, mean = np.float32([[1.05947, 1.04076, 3.15747, 1.3459], [-0.0143224, 0.00101536, 1.01125, 0.0199633]]).astype(
        float
    )
    x = np.float32([[0.5, 1.5, -2.0, 3.0]])
    expected = 0.5 + ((x[0].astype(float) - mean) / rms) @ [1.0, 2.0, -3.0, 0.25]
    assert model.predict(x)[0] == pytest.approx(expected, rel=1e-14)
