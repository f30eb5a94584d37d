"""Training of Likelihood: options, histograms against plain sums, errors, and what a training leaves behind."""

import logging
import re

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import InputError, OptionError
from pytmva_bnn.histograms import Interpolation
from pytmva_bnn.methods import MethodEvents, method_of
from pytmva_bnn.methods.booking import Booking
from pytmva_bnn.methods.density.likelihood_fitted import FittedLikelihood
from pytmva_bnn.methods.density.likelihood_ranking import delta_separation
from pytmva_bnn.tmva_types import AnalysisType

f = np.float32


def settings(options, n_variables=2):
    booked = Booking.parse(method_of("Likelihood"), options, AnalysisType.CLASSIFICATION, "L", n_variables)
    return booked.settings


def train(columns, signal, weights=None, options="", types=(), **more):
    """Return a booked method trained on all of these events, each of which is in the test sample too."""
    names = list(columns)
    table = {name: np.asarray(values, f) for name, values in columns.items()}
    table["w"] = np.ones(len(signal)) if weights is None else np.asarray(weights, float)
    loader = TMVA.DataLoader("data")
    for name, kind in zip(names, types or "F" * len(names), strict=True):
        loader.AddVariable(name, kind)
    for label, chosen in (("Signal", signal), ("Background", ~signal)):
        part = {name: values[chosen] for name, values in table.items()}
        loader.AddTree(part, label, 1.0, "", "Training")
        loader.AddTree(part, label, 1.0, "", "Test")
    loader.SetWeightExpression("w")
    loader.PrepareTrainingAndTestTree("", "SplitMode=Block:NormMode=None:!V")
    factory = TMVA.Factory("job", "!V:Silent:!DrawProgressBar:!ModelPersistence:AnalysisType=Classification")
    method = factory.BookMethod(loader, TMVA.Types.kLikelihood, "L", options, **more)
    factory.TrainAllMethods()
    return method


@pytest.fixture(scope="module")
def sample():
    random = np.random.default_rng(7)
    signal = np.arange(400) % 5 < 2
    a = random.normal(size=400) + 0.8 * signal
    b = random.exponential(size=400) * (1.0 + signal)
    return {"a": a.astype(f), "b": b.astype(f)}, signal, random.uniform(0.2, 2.0, 400)


# -- options


def test_options_for_all_for_a_class_and_for_a_variable():
    (s0, b0), (s1, b1) = settings(
        "NSmooth=3:NSmoothSig[0]=20:PDFInterpolBkg[1]=KDE:KDEborderBkg[1]=Mirror:NAvEvtPerBin=30:NbinsSig[1]=12"
    ).pdfs
    assert [one.max_n_smooth for one in (s0, b0, s1, b1)] == [20, 3, 3, 3]
    assert [one.min_n_smooth for one in (s0, b0)] == [20, 3]
    assert [one.interpolation for one in (s1, b1)] == [Interpolation.SPLINE2, Interpolation.KDE]
    assert (b1.kde_border, s1.kde_border) == (3, 1)
    assert [one.bins_for(300) for one in (s0, b0, s1, b1)] == [10, 10, 12, 50]


def test_bare_values_hold_for_all():
    pdfs = settings("KDE:Adaptive:Renorm:TransformOutput").pdfs
    for one in (pdf for pair in pdfs for pdf in pair):
        assert (one.interpolation, one.kde_iter, one.kde_border) == (Interpolation.KDE, 2, 2)
    assert settings("TransformOutput").transform_output
    assert not settings("!TransformOutput").transform_output


def test_smoothing_limits_come_before_the_number_of_passes():
    (signal, background), _ = settings("NSmooth=1:MinNSmoothSig[0]=2:MaxNSmoothSig[0]=5").pdfs
    assert (signal.min_n_smooth, signal.max_n_smooth) == (2, 5)
    assert (background.min_n_smooth, background.max_n_smooth) == (1, 1)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ("NSmoothSig=5", "NSmoothSig: did you mean NSmooth"),
        ("NSmoothSig[2]=5", r"NSmoothSig\[2\]: did you mean NSmoothSig\[[01]\]"),
        ("PDFInterpolSig[0]=Spline4", 'Option PDFInterpolSig[0] does not have predefined value: "Spline4"'),
        ("MinNSmoothBkg[1]=4:MaxNSmoothBkg[1]=2", "MaxNSmoothBkg[1]=2 is smaller than MinNSmoothBkg[1]=4"),
        ("NAvEvtPerBin=0", "NAvEvtPerBin must be positive"),
        ("NSmooth[0]=3", "Option NSmooth is not an array"),
    ],
)
def test_wrong_options(options, problem):
    pattern = problem if "\\" in problem else re.escape(problem)
    with pytest.raises(OptionError, match=pattern):
        settings(options)


def test_the_known_options_are_named_once_not_for_every_variable():
    with pytest.raises(OptionError) as raised:
        settings("Quark=3", n_variables=50)
    known = str(raised.value).splitlines()[-1]
    assert "TransformOutput, NSmooth, " in known
    assert "[" not in known


def test_only_classification_is_possible():
    loader = TMVA.DataLoader("data")
    loader.AddVariable("x")
    with pytest.raises(InputError, match="Likelihood cannot do AnalysisType=Regression; it can do Classification"):
        TMVA.Factory("job", "AnalysisType=Regression").BookMethod(loader, "Likelihood", "L", "")


# -- histograms


def test_reference_histograms_are_the_sums_of_weights(sample):
    columns, signal, weights = sample
    method = train(columns, signal, weights, "NAvEvtPerBin=20:NbinsBkg[1]=7")
    for number, (name, x) in enumerate(columns.items()):
        low, high = float(x.min()), float(x.max())
        for record, chosen, end in zip(method.trained.fitted.records[number], (signal, ~signal), "sb", strict=True):
            h = record.histogram
            assert (h.x_min, h.x_max) == (low, high)
            assert h.n_bins == (7 if (number, end) == (1, "b") else 160 // 20)
            width = (high - low) / h.n_bins
            expected = np.zeros(h.n_bins, f)
            for value, weight in zip(x[chosen], weights[chosen], strict=True):
                expected[min(int((float(value) - low) / width), h.n_bins - 1)] += f(weight)  # the largest is inside
            np.testing.assert_array_equal(h.values, expected)
            assert h.name == f"data_L_{name}_{'sig' if end == 's' else 'bgd'}_original"
            assert record.name == f"L PDF {'Sig' if end == 's' else 'Bkg'}[{number}]"


def test_each_class_fills_its_own_decorrelated_values(sample):
    columns, signal, weights = sample
    method = train(columns, signal, weights, "VarTransform=D_Signal:NAvEvtPerBin=20")
    chain = method.trained.chain
    x = np.column_stack(list(columns.values()))
    order = np.concatenate([np.flatnonzero(signal), np.flatnonzero(~signal)])
    by_class = [chain.steps[0].only_set(k).apply(x) for k in (0, 1)]
    for number, pair in enumerate(method.trained.fitted.records):
        values = np.concatenate([one[:, number] for one in by_class])
        for record, chosen, one in zip(pair, (signal, ~signal), by_class, strict=True):
            h = record.histogram
            assert (h.x_min, h.x_max) == (float(values.min()), float(values.max()))
            expected = np.histogram(one[chosen, number], h.n_bins, (h.x_min, h.x_max), weights=weights[chosen])[0]
            np.testing.assert_allclose(h.values, expected, rtol=1e-5)
    assert method.trained.training.inputs.shape == (400, 4)
    np.testing.assert_array_equal(np.sort(method.trained.training.inputs[:, 0]), np.sort(by_class[0][order, 0]))


def test_an_integer_variable_has_a_bin_for_each_number():
    signal = np.arange(60) % 2 == 0
    n = np.arange(60) % 7 - 2
    method = train({"n": n, "x": np.linspace(0, 1, 60)}, signal, types="IF", options="Nbins=5:Spline0")
    h = method.trained.fitted.records[0][0].histogram
    assert (h.n_bins, h.x_min, h.x_max, h.name) == (7, -2.0, 5.0, "L_n_sig_original")
    assert h.values.tolist() == [int(np.sum((n == k) & signal)) for k in range(-2, 5)]
    assert method.trained.fitted.records[1][0].histogram.n_bins == 5


@pytest.mark.parametrize("ignore", [False, True])
def test_negative_weights(sample, ignore):
    columns, signal, weights = sample
    weights = weights.copy()
    weights[::9] *= -0.5
    # the events at the ends have negative weights
    columns = {"a": columns["a"].copy(), "b": columns["b"]}
    columns["a"][0], columns["a"][9] = 30.0, -30.0
    method = train(columns, signal, weights, "IgnoreNegWeightsInTraining" if ignore else "")
    h = method.trained.fitted.records[0][0].histogram
    used = weights > 0 if ignore else np.ones(400, bool)
    assert (h.x_min, h.x_max) == (float(columns["a"][used].min()), float(columns["a"][used].max()))
    assert h.values.sum() == pytest.approx(weights[used & signal].sum(), rel=1e-5)


def test_check_hist_warns_of_empty_bins(sample, caplog):
    columns, signal, _ = sample
    outlier = {"a": columns["a"].copy(), "b": columns["b"]}
    outlier["a"][0] = 1e4
    train(outlier, signal, options="CheckHistSig[0]:NAvEvtPerBin=10")
    assert "More than half of the bins of the histogram of PDF 'L PDF Sig[0]' are empty" in caplog.text
    assert "Sig[1]" not in caplog.text
    assert "Bkg[0]" not in caplog.text


def test_values_beyond_2_to_the_20_fall_out(caplog):
    signal = np.arange(40) % 2 == 0
    x = np.linspace(0.0, 4e6, 40)
    method = train({"x": x}, signal, options="Nbins=4")
    assert "L: 1 background events (e.g. at 4000000) are outside the reference histogram of x" in caplog.text
    assert method.trained.fitted.records[0][1].histogram.values.sum() == 19


@pytest.mark.parametrize(
    ("columns", "options", "problem"),
    [
        ({"x": np.ones(40)}, "", r"L: the variable x is constant in the training events \(1\); remove it"),
        ({"x": np.linspace(0, 1, 40)}, "Spline5", "L: .*at least 3 bins"),
        ({"x": np.linspace(0, 1, 40)}, "KDE:Nbins=1:NAvEvtPerBin=9", None),
    ],
)
def test_what_cannot_be_trained(columns, options, problem):
    signal = np.arange(40) % 2 == 0
    if problem is None:
        assert np.isfinite(train(columns, signal, options=options).respond().test).all()
    else:
        with pytest.raises(InputError, match=problem):
            train(columns, signal, options=options)


def test_a_class_that_only_has_negative_weights_cannot_be_trained(sample):
    columns, signal, _ = sample
    for options in ("IgnoreNegWeightsInTraining", "Spline0"):
        with pytest.raises(InputError, match="240 training events of class Background add up to -240"):
            train(columns, signal, np.where(signal, 1.0, -1.0), options)


def test_the_trained_width_of_kernels_is_that_of_the_events(sample, tmp_path):
    columns, signal, _ = sample
    method = train(columns, signal, options="KDE")
    trained, reread = method.trained.fitted, TMVA.load_string(method.model.to_xml()).fitted
    x = np.column_stack(list(columns.values()))
    difference = np.abs(trained.respond(x) - reread.respond(x)).max()
    assert 1e-7 < difference < 0.02
    splines = train(columns, signal, options="Spline3")
    again = TMVA.load_string(splines.model.to_xml()).fitted
    np.testing.assert_array_equal(splines.trained.fitted.respond(x), again.respond(x))


# -- what a training leaves behind


def test_ranking_is_the_loss_of_separation(sample):
    columns, signal, weights = sample
    method = train(columns, signal, weights, "NAvEvtPerBin=20")
    fitted, events = method.trained.fitted, method.trained.training
    w = method.dataset.training.weights

    def separation(numbers):
        part = FittedLikelihood(tuple(fitted.records[i] for i in numbers))
        r = part.respond(events.inputs[:, numbers])[:, 0]
        s, b = (
            np.histogram(r[chosen], 80, (0, 1), weights=w[chosen])[0]
            for chosen in (events.is_signal, ~events.is_signal)
        )
        s, b = s / s.sum(), b / b.sum()
        return 0.5 * np.sum((s - b)[s + b > 0] ** 2 / (s + b)[s + b > 0])

    expected = {"a": separation([0, 1]) - separation([1]), "b": separation([0, 1]) - separation([0])}
    found = dict(method.ranking.entries)
    assert found == pytest.approx(expected, rel=1e-5)
    assert list(found) == sorted(expected, key=expected.get, reverse=True)
    names = delta_separation(events, w, ["p+q", "b"], fitted.pdfs, transformed=False).entries
    assert {name for name, _ in names} == {"p_P_q", "b"}


def test_ranking_with_transformed_output_says_what_it_sees(caplog):
    caplog.set_level(logging.INFO)
    events = MethodEvents(np.zeros((4, 0), f), np.zeros((4, 0), f), np.array([0, 1, 0, 1], np.int32), np.ones(4))
    delta_separation(events, np.ones(4), [], (), transformed=True)
    assert "only the events whose output is between 0 and 1" in caplog.text


def test_log_of_a_training(sample, caplog):
    caplog.set_level(logging.INFO)
    columns, signal, _ = sample
    train(columns, signal)
    said = [record.message for record in caplog.records if record.name == "pytmva_bnn.Likelihood"]
    assert said[:2] == ["Filling reference histograms", "Building PDF out of reference histograms"]


def test_histograms_of_the_output_file(sample):
    columns, signal, weights = sample
    method = train(columns, signal, weights, "MinNSmoothSig[0]=1:MaxNSmoothSig[0]=4:NAvEvtPerBin=20:NbinsBkg[1]=203")
    fitted = method.trained.fitted
    made = {one.name: one for one in fitted.monitoring(method.booked.options, 0, "dataset")}
    assert list(made) == [
        "data_L_a_sig",
        "data_L_a_sig_smoothed",
        "data_L_a_sig_smoothed_hist_from_spline2",
        "data_L_a_sig_smoothed_Nsmooth",
        "data_L_a_bgd",
        "data_L_a_bgd_smoothed",
        "data_L_a_bgd_smoothed_hist_from_spline2",
        "a_additional_check",
        "data_L_a_sig_nice",
        "data_L_a_bgd_nice",
        *(
            f"data_L_b_{end}{more}"
            for end in ("sig", "bgd")
            for more in ("", "_smoothed", "_smoothed_hist_from_spline2")
        ),
        "b_additional_check",
        "data_L_b_sig_nice",
        "data_L_b_bgd_nice",
    ]
    (signal_pdf, _), (_, background_pdf) = fitted.pdfs
    np.testing.assert_array_equal(made["data_L_a_sig"].histogram.values, signal_pdf.record.histogram.values)
    assert made["data_L_a_sig"].title == "a signal training"
    fine = made["data_L_a_sig_smoothed_hist_from_spline2"].histogram
    np.testing.assert_array_equal(fine.cells, signal_pdf.histogram.cells)
    assert fine.sumw2 is not None
    assert set(made["data_L_a_sig_smoothed_Nsmooth"].histogram.values) <= {1, 2, 3, 4}
    check = made["a_additional_check"].histogram
    assert check.n_bins == 15000
    np.testing.assert_array_equal(check.values, signal_pdf.value(check.centres).astype(f))
    few, nice = background_pdf.record.histogram, made["data_L_b_bgd_nice"].histogram
    assert (few.n_bins, nice.n_bins) == (203, 40)
    np.testing.assert_allclose(nice.values, few.values[:200].reshape(40, 5).mean(axis=1), rtol=1e-6)
    np.testing.assert_allclose(nice.cells[-1], few.values[200:].sum() / 5, rtol=1e-6)
    assert nice.x_max == few.axis.low_edge(201)
    np.testing.assert_allclose(nice.sumw2[1:-1], few.sumw2[1:201].reshape(40, 5).sum(axis=1) / 25)


def test_trained_methods_in_the_output_file(sample, tmp_path, monkeypatch):
    import uproot

    monkeypatch.chdir(tmp_path)
    columns, signal, _ = sample
    loader = TMVA.DataLoader("data")
    for name in columns:
        loader.AddVariable(name)
    for label, chosen in (("Signal", signal), ("Background", ~signal)):
        loader.AddTree({name: values[chosen] for name, values in columns.items()}, label)
    loader.PrepareTrainingAndTestTree("", "!V")
    factory = TMVA.Factory("job", "out.root", "!V:Silent:!DrawProgressBar:AnalysisType=Classification")
    method = factory.BookMethod(loader, "Likelihood", "L", "VarTransform=D:KDE:Mirror:CreateMVAPdfs")
    factory.TrainAllMethods()
    factory.TestAllMethods()
    factory.EvaluateAllMethods()
    with uproot.open("out.root") as file:
        folder = file["data/Method_Likelihood/L"]
        stored = folder["data_L_a_sig_smoothed_hist_from_KDE"]
        np.testing.assert_array_equal(stored.values(), method.trained.fitted.pdfs[0][0].histogram.values)
        np.testing.assert_array_equal(file["data/TestTree"]["L"].array(library="np"), method.respond().test[:, 0])
    assert (tmp_path / "data/weights/job_L.class.C").exists()


def test_cross_validation(sample, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    columns, signal, _ = sample
    loader = TMVA.DataLoader("data")
    for name in columns:
        loader.AddVariable(name)
    for label, chosen in (("Signal", signal), ("Background", ~signal)):
        loader.AddTree({name: values[chosen] for name, values in columns.items()}, label)
    loader.PrepareTrainingAndTestTree("", "nTest_Signal=1:nTest_Background=1:!V")
    cv = TMVA.CrossValidation("cv", loader, "!V:Silent:NumFolds=2:AnalysisType=Classification")
    cv.BookMethod("Likelihood", "L", "NSmoothSig[1]=2:NAvEvtPerBin=20")
    with pytest.raises(OptionError, match=r"NSmoothSig\[2\]"):
        cv.BookMethod("Likelihood", "M", "NSmoothSig[2]=2")
    cv.Evaluate()
    assert len(cv.GetResults()[0].folds) == 2
    again = TMVA.load(tmp_path / "data/weights/cv_L_fold2.weights.xml")
    assert again.fitted.records[1][0].max_n_smooth == 2
