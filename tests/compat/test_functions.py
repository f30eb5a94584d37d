"""TF1 and TF2, random numbers with their densities, and fits."""

from array import array

import numpy as np
import pytest
from scipy import stats

from pytmva_bnn.compat.errors import MacroError, NotInCompatError
from pytmva_bnn.formula.errors import FormulaError


@pytest.mark.parametrize(
    ("formula", "parameters", "x", "expected"),
    [
        ("x*x - 2", (), 3.0, 7.0),
        ("sin(x)/x", (), 0.5, np.sin(0.5) / 0.5),
        ("[0]*exp(-x/[1])", (2.0, 4.0), 4.0, 2 * np.exp(-1)),
        ("[a]*x + [b]", (2.0, 1.0), 3.0, 7.0),
        ("x[0]^2 + [0]", (1.0,), 3.0, 10.0),
        ("gaus", (2.0, 1.0, 0.5), 1.5, 2 * np.exp(-0.5)),
        ("gausn", (2.0, 1.0, 0.5), 1.5, 2 * stats.norm.pdf(1.5, 1.0, 0.5)),
        ("expo", (1.0, -2.0), 0.5, 1.0),
        ("pol2", (1.0, 2.0, 3.0), 2.0, 17.0),
        ("pol0", (4.0,), 2.0, 4.0),
        ("gaus(0) + expo(3)", (2.0, 1.0, 0.5, 0.0, 0.0), 1.0, 3.0),
        ("gaus + pol1", (2.0, 1.0, 0.5, 5.0, 1.0), 1.0, 8.0),
        ("breitwigner", (1.0, 0.0, 2.0), 0.0, 1 / np.pi),
        ("x > 1 ? [0] : 0", (5.0,), 2.0, 5.0),
        ("TMath::Pi()*max(x, 2)", (), 1.0, 2 * np.pi),
        ("crystalball", (1.0, 0.0, 1.0, 1.5, 3.0), -4.0, np.exp(-1.125) * 2.0**3 / (2.0 - 1.5 + 4.0) ** 3),
        ("crystalball", (1.0, 0.0, 1.0, 1.5, 3.0), 1.0, np.exp(-0.5)),
    ],
)
def test_formulas(root, formula, parameters, x, expected):
    function = root.TF1("f", formula, -5, 5)
    assert function.GetNpar() == len(parameters)
    function.SetParameters(*parameters)
    assert function.Eval(x) == function(x) == function([x]) == pytest.approx(expected)


def test_python_functions_take_lists_as_in_pyroot(root):
    function = root.TF1("f", lambda x, p: p[0] * x[0] + p[1], 0, 4, 2)
    function.SetParameters(array("d", [2.0, 1.0]))
    assert function.Eval(3) == 7
    assert function.Integral(0, 4) == pytest.approx(20)
    assert function.EvalPar([1.0], [10.0, 0.0]) == 10


def test_parameters_have_names_limits_and_errors(root):
    function = root.TF1("f", "[norm]*exp(-x/[tau])", 0, 10)
    function.SetParameter("tau", 3.0)
    function.SetParameter(0, 2.0)
    assert (function.GetParameter("norm"), function.GetParameter(1)) == (2.0, 3.0)
    assert function.GetParNumber("tau") == 1
    cells = array("d", [0.0, 0.0])
    function.GetParameters(cells)
    assert list(cells) == [2.0, 3.0] == list(function.GetParameters())
    function.SetParNames("N", "T")
    assert function.GetParName(1) == "T"
    with pytest.raises(MacroError, match="f has no parameter 'tau'; it has N, T"):
        function.GetParameter("tau")
    with pytest.raises(NotInCompatError, match="did you mean SetParameter"):
        function.SetParametre(0, 1)
    with pytest.raises(FormulaError):
        root.TF1("g", "[0]*(x", 0, 1)
    with pytest.raises(MacroError, match="lower and an upper end"):
        root.TF1("g", "x", 0)


def test_properties_of_a_curve(root):
    function = root.TF1("f", "[0]*exp(-0.5*((x-[1])/[2])^2)", -10, 10)
    function.SetParameters(2.0, 1.3, 0.7)
    assert function.Integral(-10, 10) == pytest.approx(2 * np.sqrt(2 * np.pi) * 0.7)
    assert function.GetMaximumX() == pytest.approx(1.3, abs=1e-4)
    assert function.GetMaximum() == pytest.approx(2.0)
    assert function.GetMinimum(0, 2) == pytest.approx(function.Eval(0))
    assert function.GetX(1.0, 1.3, 10) == pytest.approx(1.3 + 0.7 * np.sqrt(2 * np.log(2)))
    assert function.Derivative(2.0) == pytest.approx(-(2.0 - 1.3) / 0.49 * function.Eval(2.0), rel=1e-5)
    low, high = [0.0], [0.0]
    function.SetRange(-1, 4)
    function.GetRange(low, high)
    assert (low[0], high[0], function.GetXmin(), function.GetXmax()) == (-1, 4, -1, 4)
    copy = function.Clone("copy")
    copy.SetParameter(0, 5)
    assert function.GetParameter(0) == 2.0
    function.SetLineColor(root.kRed)
    function.Draw("same")
    root.gRandom.SetSeed(5)
    function.SetRange(-10, 10)
    drawn = [function.GetRandom() for _ in range(500)]
    assert stats.kstest(drawn, "norm", args=(1.3, 0.7)).pvalue > 1e-3


def test_functions_of_two_variables(root):
    function = root.TF2("f2", "xygaus", -5, 5, -5, 5)
    function.SetParameters(1.0, 0.5, 1.0, -1.0, 2.0)
    assert function.Eval(0.5, -1.0) == 1.0
    assert function(1.5, 1.0) == pytest.approx(np.exp(-1.0))
    assert root.TF2("g", "x*y", 0, 1, 0, 1).Integral(0, 2, 0, 3) == pytest.approx(9.0)
    root.gRandom.SetSeed(3)
    x, y = array("d", [0]), array("d", [0])
    pairs = []
    for _ in range(300):
        function.GetRandom2(x, y)
        pairs.append((x[0], y[0]))
    assert np.mean(pairs, axis=0) == pytest.approx([0.5, -1.0], abs=0.4)


def test_histograms_are_filled_with_random_values(root):
    root.gRandom.SetSeed(11)
    by_name = root.TH1F("h", "", 50, -4, 4)
    by_name.FillRandom("gaus", 20000)
    assert by_name.GetEntries() == by_name.Integral() == 20000
    assert by_name.GetMean() == pytest.approx(0, abs=0.03)
    assert by_name.GetStdDev() == pytest.approx(1, abs=0.03)
    function = root.TF1("line", "x", 0, 1)
    by_function = root.TH1D("line_h", "", 20, 0, 1)
    by_function.FillRandom(function, 5000)
    by_function.FillRandom("line", 5000)
    expected = np.diff(np.linspace(0, 1, 21) ** 2) * 10000
    assert np.all(np.abs(by_function.to_numpy()[0] - expected) < 5 * np.sqrt(expected) + 3)
    by_histogram = root.TH1D("copy", "", 10, 0, 1)
    by_histogram.FillRandom(by_function, 5000)
    assert by_histogram.GetMean() == pytest.approx(2 / 3, abs=0.02)
    root.gRandom.SetSeed(1)
    assert np.mean([by_function.GetRandom() for _ in range(2000)]) == pytest.approx(2 / 3, abs=0.03)
    with pytest.raises(MacroError, match="no positive integral"):
        root.TH1D("empty", "", 1, 0, 1).GetRandom()
    with pytest.raises(MacroError, match="must have 1 variable"):
        by_name.FillRandom(root.TF2("two", "x*y", 0, 1, 0, 1), 5)


def test_filling_at_random_takes_one_number_an_entry_from_groots_generator(root):
    root.TF1("flat", "pol0", 0, 1).SetParameters(1.0)
    histogram = root.TH1D("h", "", 4, 0, 2)
    root.gRandom.SetSeed(4357)
    histogram.FillRandom("flat", 100)
    numbers = root.TRandom3(4357)
    expected = root.TH1D("e", "", 4, 0, 2)
    for _ in range(100):
        expected.Fill(2 * numbers.Rndm())
    np.testing.assert_array_equal(histogram.to_numpy()[0], expected.to_numpy()[0])
    assert histogram.GetMean() == pytest.approx(expected.GetMean())


def test_pairs_are_filled_with_random_values(root):
    root.gRandom.SetSeed(2)
    root.TF2("f2", "xygaus", -5, 5, -5, 5).SetParameters(1.0, 0.5, 1.0, -1.0, 0.5)
    histogram = root.TH2F("h2", "", 40, -5, 5, 30, -5, 5)
    histogram.FillRandom("f2", 10000)
    assert (histogram.GetMean(1), histogram.GetMean(2)) == pytest.approx((0.5, -1.0), abs=0.05)
    assert (histogram.GetStdDev(1), histogram.GetStdDev(2)) == pytest.approx((1.0, 0.5), rel=0.05)


def test_a_gaussian_is_fitted(root, capsys):
    root.gRandom.SetSeed(7)
    histogram = root.TH1F("h", "", 60, 0, 10)
    histogram.FillN(4000, np.random.default_rng(1).normal(4.0, 0.8, 4000), None)
    assert histogram.Fit("gaus") == 0
    assert "Mean" in capsys.readouterr().out
    found = histogram.GetFunction("gaus")
    assert found.GetParameter("Mean") == pytest.approx(4.0, abs=0.05)
    assert found.GetParameter(2) == pytest.approx(0.8, abs=0.04)
    assert found.GetParError(1) == pytest.approx(0.8 / np.sqrt(4000), rel=0.1)
    used = histogram.to_numpy()[0] > 0
    assert found.GetNDF() == np.count_nonzero(used) - 3
    values, edges = histogram.to_numpy()
    expected = np.array([found.Eval(x) for x in (edges[1:] + edges[:-1]) / 2])
    assert found.GetChisquare() == pytest.approx(np.sum((values - expected)[used] ** 2 / values[used]), rel=1e-5)
    assert found.GetProb() == pytest.approx(stats.chi2.sf(found.GetChisquare(), found.GetNDF()))
    likelihood = histogram.Fit("gaus", "LQS")
    assert likelihood.IsValid()
    assert likelihood.Parameter(1) == pytest.approx(np.mean(np.random.default_rng(1).normal(4.0, 0.8, 4000)), abs=0.02)
    assert capsys.readouterr().out == ""
    assert histogram.GetListOfFunctions().GetSize() == 1
    other = root.TH1F("other", "", 60, 0, 10)
    other.FillN(500, np.random.default_rng(2).normal(7.0, 0.8, 500), None)
    other.Fit("gaus", "Q")
    assert other.GetFunction("gaus").GetParameter(1) == pytest.approx(7.0, abs=0.2)
    assert histogram.GetFunction("gaus").GetParameter(1) == likelihood.Parameter(1) == pytest.approx(4.0, abs=0.05)
    with pytest.raises(MacroError, match="no free parameters"):
        histogram.Fit(root.TF1("fixed", "x", 0, 1))
    assert not histogram.GetFunction("expo")


def test_fits_respect_ranges_limits_and_fixed_parameters(root):
    histogram = root.TH1D("h", "", 50, 0, 5)
    for number in range(1, 51):
        x = histogram.GetBinCenter(number)
        histogram.SetBinContent(number, 100 * np.exp(-x) if x < 3 else 50)
        histogram.SetBinError(number, 1.0)
    function = root.TF1("f", "[0]*exp(-[1]*x)", 0, 3)
    function.SetParameters(80, 0.5)
    histogram.Fit(function, "RQ")
    assert list(function.GetParameters()) == pytest.approx([100, 1.0], rel=1e-5)
    histogram.Fit(function, "Q", "", 0.0, 2.9)
    assert function.GetParameter(1) == pytest.approx(1.0, rel=1e-5)
    function.FixParameter(1, 0.9)
    histogram.Fit(function, "RQ")
    assert (function.GetParameter(1), function.GetParError(1)) == (0.9, 0.0)
    function.ReleaseParameter(1)
    function.SetParLimits(1, 0.5, 0.8)
    histogram.Fit("f", "RQN")
    assert function.GetParameter(1) == pytest.approx(0.8, rel=1e-3)
    with pytest.raises(MacroError, match="0 points for 3 parameters; fill it first"):
        root.TH1D("empty", "", 10, 0, 1).Fit("gaus", "Q")
