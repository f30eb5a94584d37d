"""Deep networks: every kind of layer against plain loops, files written as they were, and what is refused."""

import copy
import json
import math
import pickle
import re

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.cli import main
from pytmva_bnn.convert import convert, load_any
from pytmva_bnn.errors import InputError, WeightFileError

RANDOM = np.random.default_rng(7)
ACTIVATIONS = [
    lambda z: z,
    lambda z: max(z, 0.0),
    lambda z: 1.0 / (1.0 + math.exp(-z)),
    math.tanh,
    abs,
    lambda z: z / (1.0 + abs(z)),
    lambda z: math.exp(-z * z),
    math.tanh,
]


def sigmoid(z):
    return 1.0 / (1.0 + math.exp(-z))


def numbers(*shape):
    """Numbers that the nine decimals of a file hold exactly enough: those of float32."""
    return RANDOM.normal(size=shape).astype(np.float32).astype(float)


def events(n, count=5):
    return RANDOM.normal(size=(count, n)).astype(np.float32)


def dense(width, n_inputs, code=0):
    return (
        "DenseLayer",
        {"Width": width, "ActivationFunction": code},
        {"Weights": numbers(width, n_inputs), "Biases": numbers(width, 1)},
    )


def by_loops(layer, x):
    """The layer on one event ``[depth][height][width]``, one number after the other."""
    tag, n, m = layer
    flat = [float(v) for channel in x for row in channel for v in row]
    if tag == "DenseLayer":
        f, w, b = ACTIVATIONS[n["ActivationFunction"]], m["Weights"], m["Biases"]
        return [[[f(sum(w[i][j] * flat[j] for j in range(len(flat))) + b[i][0]) for i in range(n["Width"])]]]
    if tag in ("ConvLayer", "MaxPoolLayer"):
        return by_windows(tag, n, m, x)
    if tag == "ReshapeLayer":
        d, h, w = (1, 1, len(flat)) if n["Flattening"] else (n["Depth"], n["Height"], n["Width"])
        return [[[flat[(k * h + i) * w + j] for j in range(w)] for i in range(h)] for k in range(d)]
    size, steps, state = n["InputSize"], n["TimeSteps"], n["StateSize"]
    sequence = [flat[t * size : (t + 1) * size] for t in range(steps)]
    states = {"RNNLayer": by_rnn, "LSTMLayer": by_lstm, "GRULayer": by_gru}[tag](n, m, sequence, state)
    return [[h] for h in (states if n["ReturnSequence"] else states[-1:])]


def by_windows(tag, n, m, x):
    p, q = n.get("PaddingHeight", 0), n.get("PaddingWidth", 0)
    height, width, fh, fw = len(x[0]), len(x[0][0]), n["FilterHeight"], n["FilterWidth"]

    def at(k, i, j):
        return x[k][i][j] if 0 <= i < height and 0 <= j < width else 0.0

    def one(d, i, j):
        window = [
            (k, a, b, at(k, i * n["StrideRows"] + a - p, j * n["StrideCols"] + b - q))
            for k in range(len(x))
            for a in range(fh)
            for b in range(fw)
        ]
        if tag == "MaxPoolLayer":
            return max(v for k, _, _, v in window if k == d)
        total = sum(m["Weights"][d][(k * fh + a) * fw + b] * v for k, a, b, v in window)
        return ACTIVATIONS[n["ActivationFunction"]](total + m["Biases"][d][0])

    rows = (height - fh + 2 * p) // n["StrideRows"] + 1
    columns = (width - fw + 2 * q) // n["StrideCols"] + 1
    depth = n.get("Depth", len(x))
    return [[[one(d, i, j) for j in range(columns)] for i in range(rows)] for d in range(depth)]


def gate(m, name, x, h, i, weights=None, state=None):
    w, u = m[weights or f"{name}Weights"], m[state or f"{name}StateWeights"]
    return sum(w[i][j] * v for j, v in enumerate(x)), sum(u[i][j] * v for j, v in enumerate(h))


def by_rnn(n, m, sequence, size):
    del n
    h, states = [0.0] * size, []
    for x in sequence:
        h = [
            math.tanh(sum(gate(m, "", x, h, i, "InputWeights", "StateWeights")) + m["Biases"][i][0])
            for i in range(size)
        ]
        states.append(h)
    return states


def by_lstm(n, m, sequence, size):
    del n
    h, c, states = [0.0] * size, [0.0] * size, []
    for x in sequence:
        new_h, new_c = [], []
        for k in range(size):
            z = {
                name: sum(gate(m, name, x, h, k, "OuputWeights" if name == "Output" else None))
                + m[f"{name}Biases"][k][0]
                for name in ("Input", "Forget", "Candidate", "Output")
            }
            cell = sigmoid(z["Forget"]) * c[k] + sigmoid(z["Input"]) * math.tanh(z["Candidate"])
            new_c.append(cell)
            new_h.append(sigmoid(z["Output"]) * math.tanh(cell))
        h, c = new_h, new_c
        states.append(h)
    return states


def by_gru(n, m, sequence, size):
    h, states = [0.0] * size, []
    for x in sequence:
        r, u = (
            [sigmoid(sum(gate(m, name, x, h, k)) + m[f"{name}Biases"][k][0]) for k in range(size)]
            for name in ("Reset", "Update")
        )
        new = []
        for k in range(size):
            if n["ResetGateAfter"]:
                of_x, of_h = gate(m, "Candidate", x, h, k)
                z = of_x + r[k] * of_h
            else:
                z = sum(gate(m, "Candidate", x, [r[j] * h[j] for j in range(size)], k))
            new.append(u[k] * h[k] + (1.0 - u[k]) * math.tanh(z + m["CandidateBiases"][k][0]))
        h = new
        states.append(h)
    return states


def expected_outputs(shape, layers, x):
    outputs = []
    for event in x:
        v = event.reshape(shape).astype(float).tolist()
        for layer in layers:
            v = by_loops(layer, v)
        outputs.append([one for channel in v for row in channel for one in row])
    return np.array(outputs)


def conv(depth, n_from, code=3, size=(3, 2), stride=(1, 1), padding=(0, 0)):
    attributes = {
        "Depth": depth, "FilterHeight": size[0], "FilterWidth": size[1], "StrideRows": stride[0],
        "StrideCols": stride[1], "PaddingHeight": padding[0], "PaddingWidth": padding[1], "ActivationFunction": code,
    }  # fmt: skip
    matrices = {"Weights": numbers(depth, n_from * size[0] * size[1]), "Biases": numbers(depth, 1)}
    return "ConvLayer", attributes, matrices


def pool(height, width, rows, columns):
    return (
        "MaxPoolLayer",
        {"FilterHeight": height, "FilterWidth": width, "StrideRows": rows, "StrideCols": columns},
        {},
    )


def reshape(depth, height, width, flattening):
    return "ReshapeLayer", {"Depth": depth, "Height": height, "Width": width, "Flattening": flattening}, {}


def recurrent(tag, state, size, steps, sequence, **more):
    attributes = {"StateSize": state}
    if tag == "LSTMLayer":
        attributes["CellSize"] = state
    attributes |= {"InputSize": size, "TimeSteps": steps, "RememberState": 0, "ReturnSequence": sequence, **more}
    names = {
        "RNNLayer": [("InputWeights", "StateWeights", "Biases")],
        "LSTMLayer": [
            ("InputWeights", "InputStateWeights", "InputBiases"),
            ("ForgetWeights", "ForgetStateWeights", "ForgetBiases"),
            ("CandidateWeights", "CandidateStateWeights", "CandidateBiases"),
            ("OuputWeights", "OutputStateWeights", "OutputBiases"),
        ],
        "GRULayer": [(f"{g}Weights", f"{g}StateWeights", f"{g}Biases") for g in ("Reset", "Update", "Candidate")],
    }[tag]
    shapes = ((state, size), (state, state), (state, 1))
    matrices = {name: numbers(*s) for three in names for name, s in zip(three, shapes, strict=True)}
    return tag, attributes, matrices


NETWORKS = {
    "dense": ((1, 1, 3), [dense(4, 3, 3), dense(1, 4)]),
    **{f"activation {code}": ((1, 1, 3), [dense(4, 3, code), dense(1, 4)]) for code in range(8)},
    "convolution": ((2, 5, 4), [conv(3, 2), reshape(0, 0, 0, 1), dense(1, 3 * 3 * 3)]),
    "strides and padding": (
        (2, 5, 4),
        [conv(3, 2, code=1, size=(3, 2), stride=(2, 2), padding=(1, 2)), dense(1, 3 * 3 * 4)],
    ),
    "pooling": ((2, 5, 4), [pool(3, 2, 2, 1), dense(1, 2 * 2 * 3)]),
    "reshape": ((1, 1, 12), [reshape(2, 3, 2, 0), conv(1, 2, size=(2, 2)), dense(1, 2)]),
    "rnn": ((4, 1, 3), [recurrent("RNNLayer", 2, 3, 4, 0), dense(1, 2)]),
    "rnn, sequence": ((4, 1, 3), [recurrent("RNNLayer", 2, 3, 4, 1), dense(1, 8)]),
    "lstm": ((4, 1, 3), [recurrent("LSTMLayer", 2, 3, 4, 0), dense(1, 2)]),
    "lstm, sequence": ((4, 1, 3), [recurrent("LSTMLayer", 2, 3, 4, 1), dense(1, 8)]),
    "gru": ((4, 1, 3), [recurrent("GRULayer", 2, 3, 4, 0, ResetGateAfter=0), dense(1, 2)]),
    "gru, reset after": ((4, 1, 3), [recurrent("GRULayer", 2, 3, 4, 0, ResetGateAfter=1), dense(1, 2)]),
    "two recurrent layers": (
        (4, 1, 3),
        [recurrent("GRULayer", 2, 3, 4, 1, ResetGateAfter=1), recurrent("RNNLayer", 3, 2, 4, 0), dense(1, 3)],
    ),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_layers_do_what_plain_loops_do(name, dl_file, tmp_path):
    shape, layers = NETWORKS[name]
    text = dl_file(shape, layers)
    model, x = TMVA.load_string(text), events(math.prod(shape))
    expected = [sigmoid(z) for (z,) in expected_outputs(shape, layers, x)]
    np.testing.assert_allclose(model.predict(x), expected, rtol=1e-13)
    assert model.to_xml() == text
    reader = TMVA.Reader("!V:Silent")
    memory = [reader.AddVariable(f"x{i}") for i in range(x.shape[1])]
    (tmp_path / "net.weights.xml").write_text(text)
    reader.BookMVA("net", tmp_path / "net.weights.xml")
    for cell, value in zip(memory, x[2].tolist(), strict=True):
        cell[0] = value
    assert reader.EvaluateMVA("net") == pytest.approx(expected[2], rel=1e-13)


def norm(n):
    names = ("Training-mu", "Training-variance", "Gamma", "Beta")
    values = (numbers(1, n), np.abs(numbers(1, n)), numbers(1, n), numbers(1, n))
    return "BatchNormLayer", {"Momentum": "-1.0", "Epsilon": "1.0e-04"}, dict(zip(names, values, strict=True))


def test_batch_normalisation_of_every_number(dl_file):
    layers = [norm(3), dense(1, 3)]
    x = events(3)
    mu, variance, gamma, beta = (matrix[0] for matrix in layers[0][2].values())
    changed = gamma * (x.astype(float) - mu) / np.sqrt(variance + 1e-4) + beta
    expected = [sigmoid(z) for (z,) in expected_outputs((1, 1, 3), layers[1:], changed)]
    np.testing.assert_allclose(TMVA.load_string(dl_file((1, 1, 3), layers)).predict(x), expected, rtol=1e-12)


@pytest.mark.parametrize("first", [conv(3, 2), pool(3, 2, 2, 1)], ids=["convolution", "pooling"])
def test_batch_normalisation_of_channels(first, dl_file):
    shape = (2, 5, 4)
    x = events(40)
    before = expected_outputs(shape, [first], x)
    depth = first[1].get("Depth", 2)
    layers = [first, norm(depth), dense(1, before.shape[1])]
    mu, variance, gamma, beta = (matrix[0][:, np.newaxis] for matrix in layers[1][2].values())
    channels = before.reshape(len(x), depth, -1)
    changed = (gamma * (channels - mu) / np.sqrt(variance + 1e-4) + beta).reshape(len(x), 1, 1, -1)
    expected = [sigmoid(z) for (z,) in expected_outputs((1, 1, before.shape[1]), layers[2:], changed)]
    np.testing.assert_allclose(TMVA.load_string(dl_file(shape, layers)).predict(x), expected, rtol=1e-12)


def test_regression_has_the_values_and_multiclass_their_softmax(dl_file):
    layers = [dense(4, 2, 3), dense(3, 4)]
    x = events(2)
    z = expected_outputs((1, 1, 2), layers, x)
    regression = TMVA.load_string(dl_file((1, 1, 2), layers, "Regression", "I", n_targets=3))
    found = regression.predict(x)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, z, rtol=1e-6)
    multiclass = TMVA.load_string(dl_file((1, 1, 2), layers, "Multiclass", "M"))
    expected = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(multiclass.predict(x), expected, rtol=1e-6)


def test_large_values_do_not_overflow_the_softmax(dl_file):
    layer = (
        "DenseLayer",
        {"Width": 3, "ActivationFunction": 0},
        {"Weights": 1e3 * np.ones((3, 1)), "Biases": np.array([[0.0], [1.0], [0.0]])},
    )
    model = TMVA.load_string(dl_file((1, 1, 1), [layer], "Multiclass", "M"))
    np.testing.assert_allclose(
        model.predict(np.float32([[2.0]]))[0], np.array([1, math.e, 1]) / (2 + math.e), rtol=1e-6
    )


def test_what_is_not_a_number_is_tmvas_answer(dl_file):
    variance = norm(1)
    variance[2]["Training-variance"] = np.array([[-1.0]])
    model = TMVA.load_string(dl_file((1, 1, 1), [variance, dense(1, 1)]))
    assert model.predict(np.float32([[0.3]])).tolist() == [-999.0]
    assert np.isnan(model.predict(np.float32([[np.nan]]))[0])


def test_blocks_of_events_make_no_difference(dl_file, monkeypatch):
    from pytmva_bnn.methods.other_nets.deep import fitted

    shape, layers = NETWORKS["convolution"]
    model, x = TMVA.load_string(dl_file(shape, layers)), events(40, 50)
    expected = model.predict(x)
    monkeypatch.setattr(fitted, "_BLOCK_NUMBERS", 7 * 3 * 3 * 12)
    np.testing.assert_allclose(model.predict(x), expected, rtol=1e-14)


def test_a_state_that_is_remembered_is_reported(dl_file, caplog):
    layer = recurrent("RNNLayer", 2, 3, 4, 0)
    layer[1]["RememberState"] = 1
    TMVA.load_string(dl_file((4, 1, 3), [layer, dense(1, 2)]))
    assert "here each event is independent" in caplog.text


def test_dnn(dnn_file):
    layers = [
        (5, RANDOM.normal(size=(4, 3)), RANDOM.normal(size=(4, 1))),
        (0, RANDOM.normal(size=(1, 4)), RANDOM.normal(size=(1, 1))),
    ]
    text = dnn_file(layers)
    model, x = TMVA.load_string(text), events(3)
    assert model.to_xml() == text
    (_, w, b), (_, v, c) = [(code, *(one.astype(np.float32).astype(float) for one in both)) for code, *both in layers]
    z = x.astype(float) @ w.T + b[:, 0]
    expected = 1.0 / (1.0 + np.exp(-(z / (1.0 + np.abs(z)) @ v.T + c[:, 0])))
    np.testing.assert_allclose(model.predict(x), expected[:, 0], rtol=1e-13)
    assert dict(model.describe())["layer 1"] == "Dense, 4, softsign"


@pytest.mark.parametrize("how", [{}, {"form": "%.16e", "separator": " "}, {"form": "%.6e", "separator": "  "}])
def test_files_are_written_with_the_digits_they_had(how, dl_file):
    text = dl_file(*NETWORKS["dense"], **how)
    assert TMVA.load_string(text).to_xml() == text


def test_a_row_on_a_line_of_its_own(dl_file):
    text = dl_file(*NETWORKS["dense"])
    lines = text.splitlines(keepends=True)
    at = next(i for i, line in enumerate(lines) if "<Weights Rows" in line) + 1
    tokens = lines[at].split()
    lines[at : at + 1] = ["        " + "".join(f"{t}  " for t in tokens[i : i + 3]) + "\n" for i in range(0, 12, 3)]
    for i, line in enumerate(lines):
        if "<Biases" in line and '"1" Columns' not in line:
            lines[i + 1 : i + 2] = [f"        {t}  \n" for t in lines[i + 1].split()]
            break
    assert TMVA.load_string("".join(lines)).to_xml() == "".join(lines)


@pytest.mark.parametrize("name", ["dense", "lstm", "convolution"])
@pytest.mark.parametrize("ending", ["json", "npz"])
def test_other_formats_and_copies(name, ending, dl_file, tmp_path):
    shape, layers = NETWORKS[name]
    text = dl_file(shape, layers)
    (tmp_path / "net.weights.xml").write_text(text)
    convert(tmp_path / "net.weights.xml", tmp_path / f"net.{ending}")
    model, x = TMVA.load_string(text), events(math.prod(shape))
    for again in (load_any(tmp_path / f"net.{ending}"), copy.deepcopy(model), pickle.loads(pickle.dumps(model))):  # noqa: S301
        assert again.to_xml() == text
        np.testing.assert_array_equal(again.predict(x), model.predict(x))


@pytest.mark.parametrize("code", range(8))
def test_onnx_of_dense_networks(code, dl_file, tmp_path):
    pytest.importorskip("onnxruntime")
    from pytmva_bnn.convert.onnx_check import run_onnx

    layers = [norm(3), dense(4, 3, code), reshape(0, 0, 0, 1), dense(3, 4)]
    multiclass = code % 2 == 1
    model = TMVA.load_string(
        dl_file((1, 1, 3), layers, *(("Multiclass", "M") if multiclass else ("Classification", "S")))
    )
    model.save(tmp_path / "net.weights.xml")
    convert(tmp_path / "net.weights.xml", tmp_path / "net.onnx")
    x = events(3)
    found = run_onnx(tmp_path / "net.onnx", x)["response"]
    np.testing.assert_allclose(np.ravel(found), np.ravel(model.predict(x)), rtol=1e-6)


def test_onnx_of_other_layers_is_refused(dl_file, tmp_path):
    pytest.importorskip("onnx")
    (tmp_path / "net.weights.xml").write_text(dl_file(*NETWORKS["rnn"]))
    with pytest.raises(InputError, match="RNNLayer cannot be written as ONNX"):
        convert(tmp_path / "net.weights.xml", tmp_path / "net.onnx")


DAMAGE = [
    ('NetDepth="2"', 'NetDepth="3"', "NetDepth=3, but there are 2 layers"),
    ('OutputFunction="S"', 'OutputFunction="X"', "OutputFunction='X' is not one of I, S, M"),
    ('InputWidth="3"', 'InputWidth="4"', "the matrix is 4 x 3; 4 x 4 is expected here"),
    ('ActivationFunction="3"', 'ActivationFunction="8"', "ActivationFunction=8 is unknown; known: 0 to 7"),
    ('ActivationFunction="3"', "", "the attribute 'ActivationFunction' is missing"),
    ('Width="4" ', 'Width="5" ', "the matrix is 4 x 3; 5 x 3 is expected here"),
    ("DenseLayer", "SparseLayer", "unknown kind of layer; known: DenseLayer"),
    ("Biases", "Biasses", "its matrices must be Weights, Biases, not Weights, Biasses"),
    ('Rows="4" Columns="3">\n        ', 'Rows="4" Columns="3">\n        1.0 ', "12 matrix elements are declared, but"),
    (r"(Rows=\"4\" Columns=\"3\">\n        )\S+", r"\g<1>1e39", "32-bit floats"),
]


@pytest.mark.parametrize(("old", "new", "problem"), DAMAGE)
def test_damage_is_named(old, new, problem, dl_file):
    text = dl_file(*NETWORKS["dense"])
    changed = re.sub(old, new, text)
    assert changed != text
    with pytest.raises(WeightFileError, match=problem) as caught:
        TMVA.load_string(changed)
    assert caught.value.line is not None


@pytest.mark.parametrize(
    ("shape", "layers", "problem"),
    [
        (
            (2, 5, 4),
            [conv(3, 2, stride=(2, 3)), dense(1, 6)],
            "the width 4 is not covered by windows of 2 with stride 3",
        ),
        ((2, 5, 4), [pool(6, 1, 1, 1), dense(1, 6)], "the height 5 is not covered by windows of 6"),
        ((1, 1, 12), [reshape(2, 3, 3, 0), dense(1, 18)], "12 numbers cannot be reshaped to 2 x 3 x 3"),
        ((4, 1, 3), [recurrent("RNNLayer", 2, 2, 4, 0), dense(1, 2)], "12 numbers are not 4 time steps of 2 numbers"),
        ((1, 1, 3), [norm(2), dense(1, 3)], "the matrix is 1 x 2; 1 x 3 is expected here"),
    ],
)
def test_layers_that_do_not_fit(shape, layers, problem, dl_file):
    with pytest.raises(WeightFileError, match=problem):
        TMVA.load_string(dl_file(shape, layers))


def test_outputs_that_do_not_fit(dl_file):
    layers = [dense(2, 3)]
    with pytest.raises(WeightFileError, match="2 outputs for 3 classes"):
        TMVA.load_string(dl_file((1, 1, 3), layers, "Multiclass", "M"))
    with pytest.raises(WeightFileError, match="2 outputs for 1 targets"):
        TMVA.load_string(dl_file((1, 1, 3), layers, "Regression", "I"))
    text = dl_file((1, 1, 3), layers).replace('NVar="3"', 'NVar="2"').replace('    <Variable VarIndex="2"', "    <!--")
    text = re.sub(r"    <!--.*\n", "", text)
    with pytest.raises(WeightFileError, match="3 inputs for 2 variables"):
        TMVA.load_string(text)


def test_inspection(dl_file, tmp_path, capsys):
    (tmp_path / "net.weights.xml").write_text(dl_file(*NETWORKS["convolution"]))
    assert main(["inspect", str(tmp_path / "net.weights.xml")]) == 0
    shown = capsys.readouterr().out
    assert "layer 1       Conv, 3 x 3 x 3, tanh" in shown
    assert "layer 3       Dense, 1, identity" in shown
    assert "trained with  cross-entropy" in shown
    assert main(["inspect", "--json", str(tmp_path / "net.weights.xml")]) == 0
    network = json.loads(capsys.readouterr().out)["network"]
    assert network["layers"][0] == {"kind": "ConvLayer", "shape": [3, 3, 3], "activation": "tanh"}
    assert network["weights"] == 3 * 12 + 3 + 27 + 1
