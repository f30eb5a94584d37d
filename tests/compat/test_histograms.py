"""TH1 and TH2: bins, numbers and errors as ROOT computes them, and the way through a file."""

from array import array

import numpy as np
import pytest
import uproot
from scipy import stats

from pytmva_bnn.compat.errors import MacroError

RNG = np.random.default_rng(3)
X, Y, W = RNG.normal(0, 1, 500), RNG.normal(1, 2, 500), RNG.uniform(0.5, 2, 500)


def filled(root, kind="TH1D", *, weights=W, bins=(20, -2, 2)):
    histogram = getattr(root, kind)("h", "title;x axis;y axis", *bins)
    for x, w in zip(X, weights, strict=True):
        histogram.Fill(x, w)
    return histogram


def test_contents_and_errors_are_those_of_numpy(root):
    histogram = filled(root)
    values, edges = np.histogram(X, bins=20, range=(-2, 2), weights=W)
    squares, _ = np.histogram(X, bins=20, range=(-2, 2), weights=W**2)
    found = [histogram.GetBinContent(i) for i in range(1, 21)]
    np.testing.assert_allclose(found, values)
    np.testing.assert_allclose([histogram.GetBinError(i) for i in range(1, 21)], np.sqrt(squares))
    np.testing.assert_allclose(histogram.to_numpy()[1], edges)
    assert histogram.GetBinContent(0) == pytest.approx(W[X < -2].sum())
    assert histogram.GetBinContent(21) == pytest.approx(W[X >= 2].sum())


def test_single_values_and_arrays_fill_the_same_bins(root):
    edges = np.linspace(-1.1, 2.3, 35)
    points = [*edges, *np.nextafter(edges, 9), *np.nextafter(edges, -9), np.nan, np.inf, -np.inf, *X[:100]]
    for binning in ((34, -1.1, 2.3), (34, edges)):
        one, many = root.TH1D("one", "", *binning), root.TH1D("many", "", *binning)
        found = [one.Fill(x) for x in points]
        many.FillN(len(points), points, None)
        assert found == many.GetXaxis().find(points).tolist()
        np.testing.assert_array_equal(one.to_numpy()[0], many.to_numpy()[0])
        assert (one.GetMean(), one.GetRMS()) == (many.GetMean(), many.GetRMS())


def test_mean_and_width_are_those_of_the_values_in_range(root):
    histogram = filled(root)
    inside = (X >= -2) & (X < 2)
    mean = np.average(X[inside], weights=W[inside])
    assert histogram.GetMean() == pytest.approx(mean)
    width = np.sqrt(np.average(X[inside] ** 2, weights=W[inside]) - mean**2)
    assert histogram.GetRMS() == histogram.GetStdDev() == pytest.approx(width)
    effective = W[inside].sum() ** 2 / (W[inside] ** 2).sum()
    assert histogram.GetEffectiveEntries() == pytest.approx(effective)
    assert histogram.GetMeanError() == pytest.approx(width / np.sqrt(effective))
    assert histogram.GetEntries() == 500


def test_integrals_take_bins_and_widths(root):
    histogram = filled(root)
    values, _ = np.histogram(X, bins=20, range=(-2, 2), weights=W)
    assert histogram.Integral() == pytest.approx(values.sum())
    assert histogram.Integral(3, 5) == pytest.approx(values[2:5].sum())
    assert histogram.Integral(0, 21) == histogram.Integral(0, -1) == pytest.approx(W.sum())
    assert histogram.Integral("width") == pytest.approx(values.sum() * 0.2)
    assert histogram.GetMaximum() == pytest.approx(values.max())
    assert histogram.GetMaximumBin() == np.argmax(values) + 1


def test_float_contents_add_up_in_float(root):
    single, double = root.TH1F("f", "", 1, 0, 1), root.TH1D("d", "", 1, 0, 1)
    for histogram in (single, double):
        histogram.SetBinContent(1, 2.0**24)
        histogram.Fill(0.5)
    assert single.GetBinContent(1) == 2.0**24
    assert double.GetBinContent(1) == 2.0**24 + 1


def test_bins_of_different_widths(root):
    histogram = root.TH1F("h", "", 3, np.array([0.0, 1.0, 3.0, 7.0]))
    histogram.FillN(3, [0.5, 2.9, 3.0], None)
    assert [histogram.GetBinContent(i) for i in range(5)] == [0, 1, 1, 1, 0]
    assert (histogram.GetBinWidth(3), histogram.GetBinCenter(3), histogram.FindBin(6.9)) == (4, 5, 3)
    assert histogram.GetXaxis().GetBinUpEdge(2) == 3
    histogram.Scale(1.0, "width")
    assert histogram.GetBinContent(3) == 0.25


def test_unit_weights_keep_no_squared_errors_unless_asked(root):
    histogram = filled(root, weights=np.ones(500))
    assert histogram.GetBinError(10) == pytest.approx(np.sqrt(histogram.GetBinContent(10)))
    histogram.Scale(2.0)
    assert histogram.GetBinError(10) == pytest.approx(np.sqrt(2 * histogram.GetBinContent(10)))


def test_scaling_and_adding_are_done_in_double_precision_before_they_are_rounded(root):
    one, two = (root.TH1F(name, "", 1, 0, 1) for name in ("one", "two"))
    for histogram, content in ((one, 3.0), (two, 7.0)):
        histogram.SetBinContent(1, content)
    one.Scale(0.1)
    assert one.GetBinContent(1) == np.float32(3 * 0.1)
    two.Add(one, 0.3)
    assert two.GetBinContent(1) == np.float32(7 + 0.3 * float(np.float32(3 * 0.1)))


def test_contents_set_by_hand_give_mean_and_entries(root):
    histogram = root.TH1I("h", "", 4, 0, 4)
    for number, content in enumerate((1, 0, 0, 3), start=1):
        histogram.SetBinContent(number, content)
    histogram.SetBinError(4, 2.0)
    histogram.AddBinContent(1)
    assert histogram.GetEntries() == 4
    assert histogram.GetMean() == pytest.approx((2 * 0.5 + 3 * 3.5) / 5)
    assert histogram.GetBinError(4) == 2.0


def test_sums_ratios_and_copies(root):
    one, two = filled(root), filled(root, weights=np.ones(500))
    copy = one.Clone("copy")
    copy.Add(two, -0.5)
    copy.GetXaxis().SetTitle("another")
    assert one.GetXaxis().GetTitle() == "x axis"
    assert copy.GetBinContent(9) == pytest.approx(one.GetBinContent(9) - 0.5 * two.GetBinContent(9))
    assert copy.GetBinError(9) ** 2 == pytest.approx(one.GetBinError(9) ** 2 + 0.25 * two.GetBinContent(9))
    weights = W[(X >= -2) & (X < 2)] - 0.5
    assert copy.GetMean() == pytest.approx(np.average(X[(X >= -2) & (X < 2)], weights=weights))
    ratio = one.Clone("ratio")
    ratio.Divide(two)
    a, b = one.GetBinContent(9), two.GetBinContent(9)
    assert ratio.GetBinContent(9) == pytest.approx(a / b)
    assert ratio.GetBinError(9) == pytest.approx(np.sqrt(one.GetBinError(9) ** 2 * b**2 + b * a**2) / b**2)
    with pytest.raises(MacroError, match="different bins"):
        one.Add(root.TH1D("o", "", 3, 0, 1))
    one.Reset()
    assert (one.GetEntries(), one.Integral(), one.GetMean()) == (0, 0, 0)


def test_pairs_of_values(root):
    histogram = root.TH2D("h2", "t;x;y", 4, -2, 2, 5, -4, 6)
    histogram.FillN(500, X, Y, W)
    expected, _, _ = np.histogram2d(X, Y, bins=(4, 5), range=((-2, 2), (-4, 6)), weights=W)
    np.testing.assert_allclose(histogram.to_numpy()[0], expected)
    assert histogram.GetBinContent(2, 3) == histogram.GetBinContent(histogram.GetBin(2, 3))
    assert histogram.Integral(1, 2, 3, 4) == pytest.approx(expected[:2, 2:4].sum())
    inside = (X >= -2) & (X < 2) & (Y >= -4) & (Y < 6)
    assert histogram.GetMean(2) == pytest.approx(np.average(Y[inside], weights=W[inside]))
    covariance = np.cov(X[inside], Y[inside], aweights=W[inside], ddof=0)
    assert histogram.GetCovariance() == pytest.approx(covariance[0, 1])
    correlation = covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1])
    assert histogram.GetCorrelationFactor() == pytest.approx(correlation)
    assert histogram.GetYaxis().GetTitle() == "y"
    projected = histogram.ProjectionY()
    assert projected.GetName() == "h2_py"
    assert (projected.GetMean(), projected.GetRMS()) == (histogram.GetMean(2), histogram.GetRMS(2))
    assert histogram.ProjectionX().GetMean() == histogram.GetMean(1)
    assert projected.GetBinContent(2) == pytest.approx(W[(Y >= -2) & (Y < 0)].sum())


@pytest.mark.parametrize("kind", ["TH1F", "TH1D", "TH1I"])
def test_the_way_through_a_file_changes_nothing(root, kind):
    weights = np.ones(500) if kind == "TH1I" else W
    with root.TFile("out.root", "RECREATE"):
        original = filled(root, kind, weights=weights)
        original.Write("other name")
    read = root.TFile("out.root").Get("other name")
    assert type(read) is type(original)
    assert read.GetTitle() == "title"
    assert (read.GetXaxis().GetTitle(), read.GetYaxis().GetTitle()) == ("x axis", "y axis")
    for number in range(22):
        assert read.GetBinContent(number) == original.GetBinContent(number)
        assert read.GetBinError(number) == original.GetBinError(number)
    assert (read.GetMean(), read.GetRMS(), read.GetEntries()) == (
        original.GetMean(), original.GetRMS(), original.GetEntries(),
    )  # fmt: skip


def test_a_histogram_of_pairs_goes_through_a_file_the_right_way_round(root):
    with root.TFile("out.root", "RECREATE"):
        original = root.TH2F("h2", "t;x;y", 3, np.array([0.0, 1.0, 5.0, 6.0]), 2, 0, 1)
        original.Fill(2.0, 0.7, 3.0)
        original.Fill(9.0, 0.2, 0.5)
        original.Write()
    stored = uproot.open("out.root")["h2"]
    assert stored.values()[1, 1] == 3.0
    read = root.TFile("out.root").Get("h2")
    assert read.GetBinContent(2, 2) == 3.0
    assert read.GetBinContent(4, 1) == 0.5
    assert read.GetBinError(2, 2) == 3.0
    assert read.GetXaxis().GetBinUpEdge(2) == 5.0
    assert read.GetYaxis().GetTitle() == "y"


def test_painting_is_accepted_and_unknown_calls_are_told(root):
    histogram = filled(root)
    histogram.SetLineColor(root.kRed + 1)
    histogram.SetStats(0)
    histogram.Draw("hist")
    histogram.GetXaxis().SetLabelSize(0.05)
    histogram.GetXaxis().SetBinLabel(1, "first")
    assert histogram.GetXaxis().GetBinLabel(1) == "first"
    with pytest.raises(AttributeError, match="did you mean GetMean"):
        histogram.GetMaen()
    with pytest.raises(AttributeError, match=r"TAxis\.Rotten"):
        histogram.GetXaxis().Rotten()


@pytest.mark.parametrize(
    "arguments",
    [(0, 0, 1), (5, 1, 1), (2, [0.0, 1.0]), (5, 0.0), (5, 0, 1, 7), ("x",)],
    ids=str,
)
def test_axes_that_make_no_sense_are_refused(root, arguments):
    with pytest.raises(ValueError):  # noqa: PT011 - the message depends on what is wrong
        root.TH1F("h", "", *arguments)


def test_fill_needs_the_right_number_of_values(root):
    with pytest.raises(MacroError, match="takes 1 value"):
        root.TH1F("h", "", 1, 0, 1).Fill(1, 2, 3)
    with pytest.raises(MacroError, match="takes 2 value"):
        root.TH2F("h", "", 1, 0, 1, 1, 0, 1).Fill(1)


def test_histograms_attach_to_the_current_directory_unless_told_not_to(root):
    first = root.TH1F("first", "", 1, 0, 1)
    assert root.gDirectory.Get("first") is first
    first.SetName("renamed")
    assert root.gDirectory.Get("renamed") is first
    assert not root.gDirectory.Get("first")
    root.TH1.AddDirectory(False)
    try:
        root.TH1F("second", "", 1, 0, 1)
        assert not root.gDirectory.Get("second")
    finally:
        root.TH1.AddDirectory(True)


def test_bins_above_a_threshold(root):
    histogram = root.TH1F("h", "", 5, 0, 5)
    for number, content in enumerate((0, 2, 5, 1, 0), start=1):
        histogram.SetBinContent(number, content)
    assert (histogram.FindFirstBinAbove(), histogram.FindLastBinAbove()) == (2, 4)
    assert (histogram.FindFirstBinAbove(1.5), histogram.FindLastBinAbove(1.5)) == (2, 3)
    assert histogram.FindLastBinAbove(9) == -1


def test_rebinning_joins_bins_and_errors(root):
    histogram = filled(root)
    fine, edges = histogram.to_numpy()
    squares = [histogram.GetBinError(i) ** 2 for i in range(1, 21)]
    mean = histogram.GetMean()
    joined = histogram.Rebin(3, "joined")
    assert joined.GetNbinsX() == 6
    assert joined.GetXaxis().GetXmax() == pytest.approx(edges[18])
    np.testing.assert_allclose(joined.to_numpy()[0], fine[:18].reshape(6, 3).sum(axis=1))
    assert joined.GetBinContent(7) == pytest.approx(fine[18:].sum() + histogram.GetBinContent(21))
    assert joined.GetBinError(2) ** 2 == pytest.approx(sum(squares[3:6]))
    assert histogram.GetNbinsX() == 20
    variable = histogram.Rebin(2, "variable", array("d", [-2.0, 0.0, 2.0]))
    np.testing.assert_allclose(variable.to_numpy()[0], [fine[:10].sum(), fine[10:].sum()])
    assert histogram.Rebin(4) is histogram
    assert (histogram.GetNbinsX(), histogram.GetMean()) == (5, mean)
    assert histogram.GetXaxis().GetTitle() == "x axis"


def test_cumulative_contents_and_quantiles(root):
    histogram = filled(root)
    values, edges = histogram.to_numpy()
    np.testing.assert_allclose(histogram.GetCumulative().to_numpy()[0], np.cumsum(values))
    np.testing.assert_allclose(histogram.GetCumulative(False).to_numpy()[0], np.cumsum(values[::-1])[::-1])
    found = array("d", [0.0, 0.0])
    assert histogram.GetQuantiles(2, found, array("d", [0.5, 1.0])) == 2
    sums = np.concatenate([[0], np.cumsum(values)]) / values.sum()
    assert found[0] == pytest.approx(np.interp(0.5, sums, edges))
    assert found[1] == pytest.approx(2.0)


def test_comparisons_of_histograms(root):
    one, two = filled(root, weights=np.ones(500)), root.TH1D("two", "", 20, -2, 2)
    two.FillN(500, RNG.normal(0, 1, 500), None)
    a, b = one.to_numpy()[0], two.to_numpy()[0]
    distance = np.max(np.abs(np.cumsum(a) / a.sum() - np.cumsum(b) / b.sum()))
    assert one.KolmogorovTest(two, "M") == pytest.approx(distance)
    z = distance * np.sqrt(a.sum() * b.sum() / (a.sum() + b.sum()))
    assert one.KolmogorovTest(two) == pytest.approx(stats.kstwobign.sf(z), rel=1e-3)
    chi2, p, ndf, _ = stats.chi2_contingency([a, b], correction=False)
    assert one.Chi2Test(two, "UU CHI2") == pytest.approx(chi2)
    assert one.Chi2Test(two) == pytest.approx(p)
    assert one.Chi2Test(two, "CHI2/NDF") == pytest.approx(chi2 / ndf)


def test_ratios_with_binomial_errors_and_products(root):
    passed, total = root.TH1D("p", "", 2, 0, 2), root.TH1D("t", "", 2, 0, 2)
    passed.SetBinContent(1, 20)
    total.SetBinContent(1, 80)
    ratio = passed.Clone("ratio")
    ratio.Divide(passed, total, 1, 1, "B")
    assert ratio.GetBinContent(1) == 0.25
    assert ratio.GetBinError(1) == pytest.approx(np.sqrt(0.25 * 0.75 / 80))
    assert ratio.GetBinContent(2) == 0
    product = passed.Clone("product")
    product.Multiply(total)
    assert product.GetBinContent(1) == 1600
    assert product.GetBinError(1) == pytest.approx(1600 * np.sqrt(1 / 20 + 1 / 80))
    both = passed.Clone("both")
    both.Add(passed, total, 2.0, 0.5)
    assert both.GetBinContent(1) == 80
    error = array("d", [0])
    assert total.IntegralAndError(1, 2, error) == 80
    assert error[0] == pytest.approx(np.sqrt(80))


def test_squared_errors_can_be_kept_from_the_start(root):
    assert root.TH1F("before", "", 1, 0, 1).GetSumw2N() == 0
    root.TH1.SetDefaultSumw2()
    try:
        assert root.TH1F("after", "", 1, 0, 1).GetSumw2N() == 3
    finally:
        root.TH1.SetDefaultSumw2(False)


def test_a_profile_has_means_and_their_errors(root):
    profile = root.TProfile("p", "t;x;mean of y", 4, -2, 2)
    for x, y, w in zip(X, Y, W, strict=True):
        profile.Fill(x, y, w)
    chosen = (X >= -1) & (X < 0)
    y, w = Y[chosen], W[chosen]
    mean = np.average(y, weights=w)
    assert profile.GetBinContent(2) == pytest.approx(mean)
    width = np.sqrt(np.average((y - mean) ** 2, weights=w))
    assert profile.GetBinError(2) == pytest.approx(width / np.sqrt(w.sum() ** 2 / (w**2).sum()))
    assert profile.GetBinEntries(2) == pytest.approx(w.sum())
    assert profile.GetEntries() == 500
    with root.TFile("out.root", "RECREATE"):
        profile.Write()
    stored = uproot.open("out.root")["p"]
    assert stored.classname == "TProfile"
    np.testing.assert_allclose(stored.values(), profile.to_numpy()[0])
    np.testing.assert_allclose(stored.errors(), [profile.GetBinError(i) for i in range(1, 5)])
    limited = root.TProfile("l", "", 1, 0, 1, 0.0, 5.0)
    assert (limited.Fill(0.5, 9.0), limited.Fill(0.5, 2.0), limited.GetBinContent(1)) == (-1, 1, 2.0)


def test_a_stack_adds_up(root):
    stack = root.THStack("s", "title")
    for content in (1, 2, 4):
        histogram = root.TH1F(f"h{content}", "", 1, 0, 1)
        histogram.SetBinContent(1, content)
        stack.Add(histogram)
    assert [one.GetBinContent(1) for one in stack.GetStack()] == [1, 3, 7]
    assert [one.GetBinContent(1) for one in stack.GetHists()] == [1, 2, 4]
    stack.SetMaximum(10)
    stack.Draw("nostack")
