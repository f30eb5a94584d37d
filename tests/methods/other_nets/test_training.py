"""The trainings of TMlpANN and CFMlpANN: what is drawn, which events count, what is refused."""

import logging
from types import SimpleNamespace

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import InputError, OptionError
from pytmva_bnn.methods import MethodEvents, instead_of, method_of
from pytmva_bnn.methods.other_nets import cfmlpann_training, tmlpann_training
from pytmva_bnn.methods.other_nets.hidden_layers import hidden_sizes
from pytmva_bnn.methods.training_errors import TrainingError


def naive_numbers(n):
    """The generator with its three words, one number after the other."""
    i, j = [3823, 4006, 2903], (3823, 4006, 2903)
    found = []
    for _ in range(n):
        k3 = i[2] * j[2]
        k2 = i[1] * j[2] + i[2] * j[1] + k3 // 4096
        k1 = i[0] * j[2] + i[1] * j[1] + i[2] * j[0] + k2 // 4096
        i = [k1 % 4096, k2 % 4096, k3 % 4096]
        found.append(2.44140625e-4 * i[0] + 5.96046448e-8 * i[1] + 1.45519152e-11 * i[2])
    return found


def test_the_generator_of_clermont_ferrand():
    generator = cfmlpann_training.Generator()
    found = [*generator.numbers(5), *generator.numbers(5), *generator.numbers(90)]
    assert found == naive_numbers(100)
    assert 0.0 < min(found) < max(found) < 1.0


def events(n=300, n_variables=3, seed=1):
    random = np.random.default_rng(seed)
    classes = (random.uniform(size=n) < 0.5).astype(np.int32)
    x = random.normal(size=(n, n_variables)) + 0.8 * classes[:, np.newaxis]
    return MethodEvents(x.astype(np.float32), np.zeros((n, 0), np.float32), classes, random.uniform(0.5, 2.0, n))


def job_of(kind, text, sample):
    method = method_of(kind)
    from pytmva_bnn.methods.booking import Booking

    booked = Booking.parse(method, text, TMVA.tmva_types.AnalysisType.CLASSIFICATION, "net")
    names = [SimpleNamespace(label=f"x{i}", internal=f"x{i}") for i in range(sample.inputs.shape[1])]
    dataset = SimpleNamespace(variables=names, class_names=["Signal", "Background"])
    return SimpleNamespace(
        title="net", dataset=dataset, training=sample, test=sample, options=booked.options, quiet=True, settings=None
    )


def train(kind, text, sample):
    return method_of(kind).train(job_of(kind, text, sample))


@pytest.mark.parametrize("hidden", ["N,N-1", "5", "9,3,2", ""])
def test_both_ways_train_cfmlpann_to_the_same_bits(hidden, both_ways):
    plain, compiled = both_ways(lambda: train("CFMlpANN", f"NCycles=3:HiddenLayers={hidden}", events()))
    for one, two in zip(plain.layers, compiled.layers, strict=True):
        np.testing.assert_array_equal(one, two)
    assert np.ptp(plain.layers[-1]) > 0.0


def test_saturated_neurons_are_trained_alike(both_ways, monkeypatch):
    """Beyond a sum of 170 the value is not quite 1, so that the slope is not quite 0."""
    random = cfmlpann_training.Net.random

    def large(sizes, generator):
        net = random(sizes, generator)
        for weights in net.weights:
            weights *= 2000.0
        return net

    monkeypatch.setattr(cfmlpann_training.Net, "random", large)
    plain, compiled = both_ways(lambda: train("CFMlpANN", "NCycles=2:HiddenLayers=4", events()))
    for one, two in zip(plain.layers, compiled.layers, strict=True):
        np.testing.assert_array_equal(one, two)


def test_cfmlpann_ignores_weights_and_starts_anew_each_time():
    first = train("CFMlpANN", "NCycles=2", events())
    sample = events()
    again = train(
        "CFMlpANN", "NCycles=2", MethodEvents(sample.inputs, sample.targets, sample.class_index, sample.weights * 3)
    )
    np.testing.assert_array_equal(first.layers[0], again.layers[0])


def test_cfmlpann_learns_with_enough_cycles():
    sample = events(2000)
    before, after = (
        train("CFMlpANN", f"NCycles={n}:HiddenLayers=4", sample).respond(sample.inputs)[:, 0] for n in (1, 600)
    )
    gaps = [y[sample.is_signal].mean() - y[~sample.is_signal].mean() for y in (before, after)]
    assert gaps[1] > 0.2 > gaps[0]


def test_a_constant_variable_has_no_effect_on_cfmlpann():
    sample = events()
    sample.inputs[:, 1] = 7.0
    fitted = train("CFMlpANN", "NCycles=2", sample)
    assert np.isfinite(np.concatenate([layer.ravel() for layer in fitted.layers])).all()
    changed = sample.inputs.copy()
    changed[:, 1] = 9.0
    np.testing.assert_array_equal(fitted.respond(changed), fitted.respond(sample.inputs))


def test_cfmlpann_beyond_tmvas_limits_says_so(caplog, monkeypatch):
    monkeypatch.setattr(cfmlpann_training, "MOST_EVENTS", 200)
    train("CFMlpANN", "NCycles=1", events(300))
    assert "300 training events: TMVA exits above 200" in caplog.text


def interrupt_after(monkeypatch, module, n):
    class Interrupting:
        def __init__(self, *_, **__):
            pass

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return False

        def __call__(self, step, *_):
            if step == n:
                raise KeyboardInterrupt

    monkeypatch.setattr(module, "show_progress", Interrupting)


@pytest.mark.parametrize(
    ("kind", "module", "word"),
    [("CFMlpANN", cfmlpann_training, "cycle"), ("TMlpANN", tmlpann_training, "epoch")],
)
def test_ctrl_c_keeps_what_was_trained(kind, module, word, monkeypatch, caplog):
    interrupt_after(monkeypatch, module, 3)
    fitted = train(kind, "NCycles=7", events())
    assert fitted.interrupted_after == f"{word} 3"
    assert f"interrupted after 3 {word}s" in caplog.text
    interrupt_after(monkeypatch, module, 10)
    assert train(kind, "NCycles=3", events()).interrupted_after == ""

    def now(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "_cycle" if kind == "CFMlpANN" else "_check_finite", now)
    if kind == "CFMlpANN":
        with pytest.raises(KeyboardInterrupt):
            train(kind, "NCycles=7", events())


# -- TMlpANN

METHODS = ("Stochastic", "Batch", "SteepestDescent", "RibierePolak", "FletcherReeves", "BFGS")


def error_of(fitted, sample):
    return float(
        (sample.weights * (fitted.respond(sample.inputs)[:, 0] - sample.is_signal) ** 2).sum() / sample.weights.sum()
    )


@pytest.mark.parametrize("how", METHODS)
def test_learning_methods_lower_the_error(how):
    sample = events(400)
    options = f"HiddenLayers=4:ValidationFraction=0:LearningMethod={how}"
    start, end = (error_of(train("TMlpANN", f"NCycles={n}:{options}", sample), sample) for n in (1, 60))
    assert end < start
    if how in ("BFGS", "RibierePolak", "FletcherReeves"):
        assert end < 0.21  # a linear fit has 0.194, the mean 0.25
    again = train("TMlpANN", f"NCycles=60:{options}", sample)
    assert error_of(again, sample) == end  # no clock


def test_one_step_of_batch_learning_by_finite_differences():
    """Minus a tenth of the gradient of the mean weighted half squares."""
    sample = events(60)
    options = "HiddenLayers=3:ValidationFraction=0:LearningMethod=Batch"
    job = job_of("TMlpANN", f"NCycles=1:{options}", sample)
    normalisation = tmlpann_training._six_digits(
        np.column_stack([sample.inputs.astype(float).std(axis=0), sample.inputs.astype(float).mean(axis=0)])
    )
    start = tmlpann_training._random_start("@x0,@x1,@x2:3:type", normalisation, (3, 3, 1), job)
    trained = train("TMlpANN", f"NCycles=1:{options}", sample)
    n_signal = int(sample.is_signal.sum())
    used = np.arange(60) != n_signal  # TMVA: never trains with it

    def cost(synapses):
        y = type(start)(start.build_options, start.normalisation, start.neurons, synapses).respond(sample.inputs)[:, 0]
        return float((sample.weights * (y - sample.is_signal) ** 2 / 2)[used].sum() / used.sum())

    for i in (0, 5, 11):
        step = np.zeros(12)
        step[i] = 1e-5
        gradient = (cost(start.synapses + step) - cost(start.synapses - step)) / 2e-5
        assert trained.synapses[i] == pytest.approx(start.synapses[i] - 0.1 * gradient, abs=2e-6)


def test_seeds_give_other_networks():
    first, second = (train("TMlpANN", f"NCycles=2:RandomSeed={seed}", events()) for seed in (1, 2))
    assert not np.array_equal(first.synapses, second.synapses)
    assert np.abs(first.neurons[:3]).max() < 0.5  # those of the inputs stay as they were drawn


def test_which_events_train():
    classes = np.array([0, 1] * 5 + [1] * 10, dtype=np.int32)  # 5 of signal, 15 of background
    sample = MethodEvents(np.zeros((20, 1), np.float32), np.zeros((20, 0), np.float32), classes, np.ones(20))
    chosen = np.flatnonzero(tmlpann_training._training_part(sample, 0.4))
    # numbers below 0.6 * 5, and between 5 and int(5 + 0.6 * 15)
    assert chosen.tolist() == [0, 1, 2, *range(6, 14)]


def test_numbers_have_six_digits():
    fitted = train("TMlpANN", "NCycles=2", events())
    for values in (fitted.normalisation, fitted.neurons, fitted.synapses):
        assert all(float(f"{value:g}") == value for value in values.ravel())


@pytest.mark.parametrize(
    ("kind", "text", "problem"),
    [
        ("TMlpANN", "ValidationFraction=1", "ValidationFraction=1 must be at least 0 and below 1"),
        ("TMlpANN", "NCycles=0", "NCycles=0: it must be at least 1"),
        ("TMlpANN", "LearningMethod=Newton", "allowed: Stochastic"),
        ("CFMlpANN", "NCycles=-1", "NCycles=-1: it must be at least 1"),
    ],
)
def test_wrong_options(kind, text, problem):
    with pytest.raises(OptionError, match=problem):
        job_of(kind, text, events())


def test_trainings_that_cannot_be():
    sample = events()
    sample.inputs[:, 1] = 7.0
    with pytest.raises(InputError, match="x1 is constant in all training events"):
        train("TMlpANN", "", sample)
    for kind in ("TMlpANN", "CFMlpANN"):
        with pytest.raises(InputError, match="cannot do AnalysisType=Regression"):
            method_of(kind).check_analysis(TMVA.tmva_types.AnalysisType.REGRESSION)


def test_small_hidden_layers_are_enlarged(caplog):
    assert hidden_sizes("N-3,1", 3, least=2) == (2, 2)
    assert "at least 2 neurons here: 2, 2" in caplog.text
    caplog.clear()
    assert hidden_sizes("N+1,N", 4, least=2) == (5, 4)
    assert not caplog.records


def test_cfmlpann_may_have_transformations(tmp_path, monkeypatch):
    """TMVA refuses them, because it copies the events before they are transformed."""
    monkeypatch.chdir(tmp_path)
    sample = events()
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    for name, chosen in (("Signal", sample.is_signal), ("Background", ~sample.is_signal)):
        loader.AddTree({"x": np.exp(sample.inputs[chosen, 0])}, name)
    factory = TMVA.Factory("job", "!V:Silent:!DrawProgressBar:AnalysisType=Classification")
    method = factory.BookMethod(loader, "CFMlpANN", "net", "NCycles=2:VarTransform=N")
    factory.TrainAllMethods()
    np.testing.assert_allclose(method.model.fitted.ranges, [[-1.0, 1.0]], atol=1e-6)


# -- methods that are not trained here


@pytest.mark.parametrize("kind", ["DL", "DNN"])
def test_deep_networks_are_refused_at_booking(kind):
    loader = TMVA.DataLoader("dataset")
    factory = TMVA.Factory("job", "!V:Silent:!DrawProgressBar:AnalysisType=Classification")
    with pytest.raises(
        InputError, match=rf"net: deep networks \({kind}\) are read and evaluated here, but not trained"
    ):
        factory.BookMethod(loader, kind, "net", "Layout=TANH|128,LINEAR")
    assert not factory.methods


def test_macros_can_leave_out_deep_networks(monkeypatch, caplog):
    from pytmva_bnn import compat
    from pytmva_bnn.compat import ROOT

    caplog.set_level(logging.INFO)
    monkeypatch.setattr(compat, "skip_unknown_methods", False)
    factory = ROOT.TMVA.Factory("job", "Silent:!DrawProgressBar")
    loader = ROOT.TMVA.DataLoader("dataset")
    with pytest.raises(InputError, match=r"cannot be trained here; available: BDT.* book an MLP instead.*To skip"):
        factory.BookMethod(loader, ROOT.TMVA.Types.kDL, "DNN_CPU", "")
    monkeypatch.setattr(compat, "skip_unknown_methods", True)
    assert not factory.BookMethod(loader, ROOT.TMVA.Types.kDL, "DNN_CPU", "")
    assert "this method cannot be trained here and is left out" in caplog.text


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("PyKeras", "Keras.*MLP"),
        ("PyTorch", "PyTorch.*MLP"),
        ("PyRandomForest", "BDT.*Bagging"),
        ("PyGTB", "BDT.*Grad"),
        ("PyAdaBoost", "BDT.*AdaBoost"),
        ("C50", "R: book a BDT"),
        ("RSNNS", "R: book an MLP"),
        ("RSVM", "R: book an SVM"),
        ("RXGB", "R: book a BDT.*Grad"),
    ],
)
def test_bridges_say_what_to_use_instead(kind, words):
    with pytest.raises(InputError, match=rf"the method {kind} is not available here; available: .*; it runs .*{words}"):
        method_of(kind)
    assert instead_of("MLP") == instead_of("Nonsense") == ""


def test_event_weights_that_are_too_large_end_a_training_with_advice():
    sample = events(50)
    sample = MethodEvents(sample.inputs, sample.targets, sample.class_index, np.full(50, 1e6))
    with pytest.raises(TrainingError, match=r"the weights are no longer finite; look for extreme .* event weights"):
        train("TMlpANN", "NCycles=2:HiddenLayers=2", sample)
