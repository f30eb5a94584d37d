"""Boosted methods in C++, ONNX, JSON and npz, in copies, and for people."""

import copy
import json
import pickle
from dataclasses import replace

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.cli import main
from pytmva_bnn.convert import convert, load_any
from pytmva_bnn.model import Model
from pytmva_bnn.show import plots
from pytmva_bnn.show.plots.content import drawings, tabulated
from pytmva_bnn.standalone import class_source

TRANSFORMS = ("step", "linear", "log", "gauss")


@pytest.fixture
def model(method_case):
    return TMVA.load(method_case("boost_fisher").weights)


@pytest.fixture
def inputs(method_case):
    return method_case("boost_fisher").expected["inputs"]


def with_transform(model, transform):
    """Return the model with another transform, and with a cut that points downwards."""
    first, *others = model.fitted.classifiers
    classifiers = (replace(first, orientation=-1.0), *others)
    return Model(model.file, replace(model.fitted, transform=transform, classifiers=classifiers))


def test_cpp_of_every_transform(model, inputs, method_case, cpp_responses):
    models = [with_transform(model, transform) for transform in TRANSFORMS]
    models += [model, TMVA.load(method_case("boost_bagging").weights)]
    x = np.vstack([inputs, np.full((1, 4), np.nan)]).astype(np.float32)
    responses = cpp_responses({str(number): (one, x) for number, one in enumerate(models)})
    for one, found in zip(models, responses.values(), strict=True):
        np.testing.assert_allclose(found, one.predict(x), rtol=0, atol=1e-15)


@pytest.mark.parametrize(
    ("kind", "options"), [("BDT", "NTrees=3"), ("MLP", "NCycles=2:HiddenLayers=2"), ("HMatrix", "VarTransform=D")]
)
def test_cpp_and_onnx_of_other_classifiers(kind, options, boost, cpp_responses):
    model = boost(kind, f"{options}:Boost_Num=3:Boost_Transform=log").methods[0].model
    x = np.random.default_rng(2).normal(size=(40, 2)).astype(np.float32)
    np.testing.assert_allclose(cpp_responses({kind: (model, x)})[kind], model.predict(x), rtol=1e-13, atol=1e-13)
    if kind == "HMatrix":
        return
    pytest.importorskip("onnxruntime")
    from pytmva_bnn.convert.onnx_check import run_onnx

    convert("dataset/weights/job_B.weights.xml", "method.onnx")
    found = run_onnx("method.onnx", x)["response"]
    np.testing.assert_allclose(found, model.predict(x), rtol=1e-6, atol=1e-6)


def test_what_cannot_be_written_says_so(boost):
    model = boost("KNN", "nkNN=5:Boost_Num=2").methods[0].model
    with pytest.raises(TMVA.TMVAError, match="KNN consists of its training events"):
        class_source(model)


@pytest.mark.parametrize("transform", TRANSFORMS)
def test_onnx_gives_the_same_responses(model, inputs, tmp_path, transform):
    pytest.importorskip("onnxruntime")
    from pytmva_bnn.convert.onnx_check import run_onnx
    from pytmva_bnn.convert.onnx_format import to_onnx

    other = with_transform(model, transform)
    to_onnx(other, tmp_path / "method.onnx")
    found = run_onnx(tmp_path / "method.onnx", inputs)["response"]
    np.testing.assert_allclose(found, other.predict(inputs), rtol=0, atol=1e-13)


@pytest.mark.parametrize("transform", TRANSFORMS)
def test_event_loops_of_every_transform(model, inputs, mode, tmp_path, transform):
    other = with_transform(model, transform)
    text = other.to_xml().replace(">log</Option>", f">{transform}</Option>")
    (tmp_path / "method.xml").write_text(text)
    reader = TMVA.Reader("!V:Silent")
    cells = [reader.AddVariable(name) for name in ("var1", "var2", "var3", "var4")]
    reader.BookMVA("tag", tmp_path / "method.xml")
    for event, response in zip(inputs, other.predict(inputs), strict=True):
        for cell, value in zip(cells, event, strict=True):
            cell[0] = value
        assert reader.EvaluateMVA("tag") == pytest.approx(response, rel=0, abs=2e-15)
    assert mode


@pytest.mark.parametrize("name", ["method.json", "method.npz"])
def test_json_and_npz_hold_everything(method_case, tmp_path, name):
    record = method_case("boost_bagging")
    convert(record.weights, tmp_path / name)
    again = load_any(tmp_path / name)
    assert again.to_xml() == record.weights_text
    np.testing.assert_array_equal(again.predict(record.expected["inputs"]), record.expected["mva"])


def test_json_of_classifiers_with_companions(boost):
    model = boost("PDEFoam", "nActiveCells=20:nSampl=100:TailCut=0:Boost_Num=2:Boost_Transform=linear").methods[0].model
    convert("dataset/weights/job_B.weights.xml", "method.npz")
    x = np.random.default_rng(2).normal(size=(40, 2)).astype(np.float32)
    np.testing.assert_array_equal(load_any("method.npz").predict(x), model.predict(x))


def test_copies_give_the_same_numbers(model, inputs):
    for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):  # noqa: S301
        np.testing.assert_array_equal(again.predict(inputs), model.predict(inputs))


def test_inspect_shows_the_classifiers(method_case, capsys):
    path = str(method_case("boost_fisher").weights)
    assert main(["inspect", path]) == 0
    text = capsys.readouterr().out
    assert "BoostedFisher: Classification, 8 boosted Fisher classifiers" in text
    assert "     0    0.196395    +0.152812  above     0.2725  linear in 4 variables" in text
    assert main(["inspect", "--json", path]) == 0
    rows = json.loads(capsys.readouterr().out)["classifiers"]
    assert [row["weight"] for row in rows[:2]] == [1.9639507698846975e-01, 1.8844494788436456e-01]
    assert main(["inspect", "--part", "1", path]) == 0
    text = capsys.readouterr().out
    assert "BoostedFisher_B0001: weight 0.188445" in text
    assert "var1      +0.123233" in text
    assert main(["inspect", "--part", "8", path]) == 1
    assert "has no classifier 8: there are 8, counted from 0" in capsys.readouterr().err


def test_compare_finds_another_weight(method_case, tmp_path, capsys):
    record = method_case("boost_fisher")
    (tmp_path / "other.xml").write_text(record.weights_text.replace('Weight="1.9639', 'Weight="1.8639'))
    assert main(["compare", str(record.weights), str(record.weights)]) == 0
    assert main(["compare", str(record.weights), str(tmp_path / "other.xml")]) == 4
    assert "[0].weight: 0.196395 | 0.186395" in capsys.readouterr().out


def test_weights_and_errors_are_drawn(model):
    pytest.importorskip("matplotlib")
    fitted = model.fitted
    figure = plots.boosting(model)
    weights, errors = (ax.lines[0].get_ydata() for ax in figure.axes)
    np.testing.assert_array_equal(weights, [one.weight for one in fitted.classifiers])
    np.testing.assert_allclose(np.log((1.0 - errors) / errors) * 0.2, weights)
    assert figure.axes[0].get_ylabel() == "Weight of the classifier"
    assert figure.axes[1].get_xlabel() == "Classifier"
    (table,) = tabulated(fitted)
    assert table.rows[0] == (0, "0.1964", "0.2725", "0.1528", "above")


def test_equal_weights_are_not_drawn(method_case):
    model = TMVA.load(method_case("boost_bagging").weights)
    assert not list(tabulated(model.fitted))
    assert not list(drawings(model.fitted, None, None))
    with pytest.raises(TMVA.TMVAError, match="every classifier has the same weight"):
        plots.boosting(model)


def test_errors_of_the_training_are_those_of_the_file(trained_case, method_case):
    method = trained_case(method_case("boost_fisher"))[0].methods[0]
    np.testing.assert_allclose(method.trained.fitted.errors, method.model.fitted.errors, rtol=1e-12)
    assert method.result.ended_by == "number"
    assert method.ranking is None
