"""Multiclass=Softmax from booking to the Reader, the weight file and other formats."""

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import ErrorsNotAvailableError, InputError, OptionError
from pytmva_bnn.methods.mlp.multiclass import softmax
from pytmva_bnn.methods.mlp.network import output_sensitivities

COMMON = "TrainingMethod=BFGS:NeuronType=tanh:NCycles=80:HiddenLayers=2:VarTransform=N:UseRegulator:CalculateErrors"
GRID = np.random.default_rng(2).normal(size=(40, 2)).astype(np.float32)


def loader_of_classes():
    random = np.random.default_rng(1)
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    loader.AddVariable("y")
    for name, mean, n in (("a", -1.0, 150), ("b", 0.5, 250), ("c", 2.0, 100)):
        loader.AddTree({"x": random.normal(mean, 1, n), "y": random.normal(-mean / 2, 1, n)}, name)
    loader.PrepareTrainingAndTestTree("", "SplitMode=Random:NormMode=None")
    return loader


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("softmax")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        factory = TMVA.Factory("job", "Silent:!DrawProgressBar:AnalysisType=Multiclass")
        loader = loader_of_classes()
        softmax_form = factory.BookMethod(loader, "MLP", "Softmax", f"{COMMON}:Multiclass=Softmax")
        tmva = factory.BookMethod(loader, "MLP", "TMVA", COMMON)
        factory.TrainAllMethods()
        factory.TestAllMethods()
        factory.EvaluateAllMethods()
    return softmax_form, tmva, folder


def joint_draws(model, events, n=20_000, scale=1.0):
    """Probabilities for weights drawn from the covariance, the outputs being linear in them."""
    passed = model.propagate(events)
    g = np.stack([output_sensitivities(model.network, passed, k) for k in range(model.fitted.n_outputs)])
    shifts = np.random.default_rng(3).multivariate_normal(np.zeros(g.shape[2]), scale**2 * model.inverse_hessian, n)
    return softmax(np.moveaxis(passed.neuron_inputs[-1] + np.einsum("sw,kew->ske", shifts, g), 1, 0))


def test_probabilities_errors_quantiles_and_moderation_are_those_of_the_posterior(trained):
    model = trained[0].model
    found = model.predict(GRID, errors=True, quantiles=[0.025, 0.975], moderated=True)
    assert found.value.shape == found.lower.shape == found.moderated.shape == (40, 3)
    assert found.quantiles.shape == (40, 3, 2)
    draws = joint_draws(model, GRID)
    low, high = np.quantile(draws, [0.158655, 0.841345], axis=1).transpose(0, 2, 1)
    for end, of_draws in ((found.low, low), (found.high, high)):
        np.testing.assert_allclose(end, of_draws, atol=0.025)  # logits are not quite linear in the outputs
        assert np.abs(end - of_draws).mean() < 0.03 * (found.high - found.low).mean()
    np.testing.assert_allclose(found.moderated, draws.mean(axis=1).T, atol=0.005)
    np.testing.assert_allclose(found.moderated.sum(axis=1), 1.0, rtol=1e-12)
    assert ((found.quantiles > 0) & (found.quantiles < 1)).all()
    bars = model.predict(GRID, quantiles=[0.15865525393145707])
    np.testing.assert_allclose(found.low, bars[..., 0], atol=1e-6)
    assert not np.allclose(found.lower, found.upper, rtol=0.05)  # asymmetric


def test_compiled_and_plain_arithmetic_agree(trained):
    path = trained[0].weight_file
    quick, plain = (TMVA.load(trained[2] / path, compiled=compiled) for compiled in (True, False))
    for a, b in zip(
        quick.predict(GRID, errors=True, quantiles=[0.3]),
        plain.predict(GRID, errors=True, quantiles=[0.3]),
        strict=True,
    ):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-13)


def test_the_file_holds_all_of_it_in_a_form_that_tmva_reads(trained):
    method, tmva, folder = trained
    text = (folder / method.weight_file).read_text(encoding="utf-8")
    assert text.count("<InverseHessian") == 1
    assert "OutputInverseHessian" not in text
    assert '<Info name="Multiclass" value="Softmax"/>' in text
    options = text[text.index("<Options>") : text.index("</Options>")]
    assert "Softmax" not in options
    assert '<Option name="EstimatorType" modified="No">MSE</Option>' in options
    again = TMVA.load_string(TMVA.load(folder / method.weight_file).to_xml())
    for a, b in zip(method.model.predict(GRID, errors=True), again.predict(GRID, errors=True), strict=True):
        np.testing.assert_array_equal(a, b)
    # TMVA's softmax behind linear outputs
    h = method.model.propagate(GRID).values[-1]
    np.testing.assert_allclose(again.predict(GRID), softmax(h).T, rtol=1e-6)
    assert not tmva.model.has_errors


def test_tmvas_form_stays_as_it_is(trained):
    tmva = trained[1]
    with pytest.raises(ErrorsNotAvailableError, match="train with Multiclass=Softmax"):
        tmva.model.predict(GRID, errors=True)
    scores, probabilities = (one.model.predict(one.dataset.test.variables) for one in (tmva, trained[0]))
    classes = trained[0].dataset.test.class_index

    def entropy(p):
        return -np.log(p[np.arange(len(p)), classes]).mean()

    assert entropy(probabilities) < 0.9 * entropy(scores)  # scores are no probabilities


def test_classes_are_evaluated_and_the_training_is_judged(trained):
    method = trained[0]
    assert (method.evaluate().test.aucs > 0.75).all()
    assert method.convergence.distance is not None
    assert method.evidence.noise_variances.tolist() == [1.0]
    assert 3 < method.evidence.n_effective < method.result.network.n_weights - 3  # common shifts are undetermined


def test_the_reader_gives_the_error_of_the_class_that_was_asked_for(trained):
    method, _, folder = trained
    expected = method.model.predict(GRID[:1], errors=True)
    reader = TMVA.Reader("Silent")
    memory = [np.array([value]) for value in GRID[0]]
    for name, one in zip("xy", memory, strict=True):
        reader.AddVariable(name, one)
    reader.BookMVA("MLP", str(folder / method.weight_file))
    np.testing.assert_array_equal(reader.EvaluateMulticlass("MLP"), expected.value[0])
    for number in (2, 0, 1):
        assert reader.EvaluateMulticlass(number, "MLP") == expected.value[0, number]
        assert reader.GetMVAErrorLower() == pytest.approx(expected.lower[0, number], rel=1e-9)
        assert reader.GetMVAErrorUpper() == pytest.approx(expected.upper[0, number], rel=1e-9)


def test_it_says_what_it_is(trained):
    method, tmva, _ = trained
    assert repr(method.model) == "<Model 'Softmax': Multiclass, 2-2-3, with error bars>"
    assert dict(method.model.fitted.describe())["output neurons"] == "linear, trained with a softmax"
    axes = [TMVA.plots.response_along(one.model, "x", {"y": 0.0}, output=1) for one in (method, tmva)]
    assert [ax.get_ylabel() for ax in axes] == ["P(b)", "TMVA response for b"]


@pytest.mark.parametrize("ending", ["json", "npz"])
def test_other_formats_keep_it(trained, tmp_path, ending):
    from pytmva_bnn.convert import convert, load_any

    convert(trained[2] / trained[0].weight_file, tmp_path / f"model.{ending}")
    found = load_any(tmp_path / f"model.{ending}").predict(GRID, errors=True)
    np.testing.assert_array_equal(found.upper, trained[0].model.predict(GRID, errors=True).upper)


def test_numbers_of_events_of_each_class_are_correlated(trained):
    model = trained[0].model
    sums = model.predict_sum(GRID, np.linspace(1, 2, 40))
    assert sums.labels == ("a", "b", "c")
    np.testing.assert_allclose(sums.values.sum(), 60.0)
    np.testing.assert_allclose(sums.covariance.sum(axis=1), 0.0, atol=1e-10 * np.abs(sums.covariance).max())
    draws = joint_draws(model, GRID, scale=0.01) @ np.linspace(1, 2, 40)
    np.testing.assert_allclose(sums.covariance, 1e4 * np.cov(draws), rtol=0.03, atol=0.03 * sums.errors.min() ** 2)
    by = model.predict_sum(GRID, by="x", bins=[-10, 0, 10])
    assert by.values.shape == (2, 3)
    np.testing.assert_allclose(by.of("b").values[0], model.predict(GRID)[GRID[:, 0] < 0, 1].sum(), rtol=1e-6)


def test_onnx_has_the_errors(trained, tmp_path):
    runtime = pytest.importorskip("onnxruntime")
    from pytmva_bnn.convert.onnx_format import to_onnx

    model = trained[0].model
    to_onnx(model, tmp_path / "model.onnx")
    found = runtime.InferenceSession(tmp_path / "model.onnx").run(None, {"variables": GRID.astype(np.float64)})
    for a, b in zip(found, model.predict(GRID, errors=True), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-14)


def test_without_a_matrix_there_are_probabilities_only():
    factory = TMVA.Factory("job", "Silent:!DrawProgressBar:!ModelPersistence:AnalysisType=Multiclass")
    options = "TrainingMethod=BFGS:NCycles=5:HiddenLayers=2:Multiclass=Softmax"
    loader = loader_of_classes()
    method = factory.BookMethod(loader, "MLP", "MLP", options)
    per_output = factory.BookMethod(
        loader, "MLP", "one", options + ":CalculateErrors:HessianPerOutput:Hessian=Sandwich"
    )
    factory.TrainAllMethods()
    assert per_output.model.info["Hessian"] == "Sandwich"
    assert len(per_output.model.inverse_hessians) == 1  # one for all classes, whatever is asked for
    assert per_output.model.has_errors
    with pytest.raises(ErrorsNotAvailableError, match="train with CalculateErrors=True"):
        method.model.predict(GRID, errors=True)
    assert method.model.fitted.is_probability


def test_the_evidence_chooses_a_network():
    choice = TMVA.select_architecture(
        loader_of_classes(), [1, 2], "NCycles=40:NeuronType=tanh:VarTransform=N:Multiclass=Softmax", quiet=True
    )
    assert all(np.isfinite(one.log_evidence) for one in choice)


def test_what_has_no_meaning_is_said(trained, caplog):
    factory = TMVA.Factory("job", "Silent:!DrawProgressBar:!ModelPersistence:AnalysisType=Classification")
    loader = TMVA.DataLoader("two")
    loader.AddVariable("x")
    loader.AddSignalTree({"x": np.arange(10.0)})
    loader.AddBackgroundTree({"x": np.arange(10.0)})
    method = factory.BookMethod(loader, "MLP", "MLP", "Multiclass=Softmax")
    assert "MLP: Multiclass=Softmax has no effect in Classification" in caplog.text
    assert method.booked.settings.training.estimator.value == "CE"
    with pytest.raises(OptionError, match="Multiclass"):
        factory.BookMethod(loader, "MLP", "other", "Multiclass=Squares")
    with pytest.raises(InputError, match="trained with Multiclass=Softmax cannot be sampled"):
        TMVA.sample_posterior(trained[0])
