"""The names of ROOT: those that work, those that do nothing, and those that are refused."""

import importlib
import subprocess
import sys

import numpy as np
import pytest

from pytmva_bnn.compat.errors import NotInCompatError, RefusedError
from pytmva_bnn.methods.fitters.normal import standard_normal


def test_all_forms_of_the_import_give_the_same(root):
    module = importlib.import_module("pytmva_bnn.compat.ROOT")
    assert module is root
    from pytmva_bnn.compat.ROOT import TMVA, RooRealVar, TCanvas, TCut, TFile, kRed

    assert TMVA is root.TMVA
    assert TFile is root.TFile
    assert TCut("x").GetTitle() == "x"
    assert kRed == 632
    assert TCanvas is root.TCanvas
    with pytest.raises(RefusedError, match=r"ROOT\.RooRealVar does not exist"):
        RooRealVar("x", "x", 0, 1)


def test_a_star_import_has_constants_and_graphics():
    names: dict[str, object] = {}
    exec("from pytmva_bnn.compat.ROOT import *", names)  # noqa: S102
    assert (names["kRed"], names["kTRUE"], names["kFullCircle"]) == (632, True, 20)
    assert {"TCanvas", "TLegend", "TF1", "Form", "TMVA", "gStyle"} <= set(names)


@pytest.mark.parametrize("name", importlib.import_module("pytmva_bnn.compat.ROOT").__all__)
def test_every_listed_name_is_there(root, name):
    assert getattr(root, name) is not None or name == "nullptr"
    assert name in dir(root)


def test_importing_it_loads_neither_uproot_nor_matplotlib():
    script = (
        "import sys; from pytmva_bnn.compat import ROOT; "
        "print([m for m in ('uproot', 'awkward', 'matplotlib', 'hist', 'pandas') if m in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)  # noqa: S603
    assert result.stdout.strip() == "[]"


def test_unknown_names_are_attribute_errors_with_a_hint(root):
    assert not hasattr(root, "TNoSuchClass")
    with pytest.raises(NotInCompatError, match="did you mean TChain"):
        root.TChian  # noqa: B018
    with pytest.raises(ImportError):
        from pytmva_bnn.compat.ROOT import TNoSuchClass  # noqa: F401


@pytest.mark.parametrize("name", ["RooFit", "TH3F", "TPython"])
def test_refused_names_can_be_imported_and_tell_what_to_do_when_used(root, name):
    refused = getattr(root, name)
    for use in (refused, lambda: refused.Declare("int i;")):
        with pytest.raises(NotImplementedError, match=rf"ROOT\.{name} does not exist in pytmva_bnn\.compat: \w+"):
            use()


def test_graphics_are_accepted(root, caplog):
    canvas = root.TCanvas("c", "title", 800, 600)
    canvas.Divide(2, 2)
    canvas.cd(1).SetLogy()
    legend = root.TLegend(0.1, 0.1, 0.5, 0.5)
    legend.AddEntry(None, "x", "l").SetTextColor(root.kBlue)
    root.gStyle.SetOptStat(0)
    root.gPad.Update()
    root.TGaxis.SetMaxDigits(3)
    root.TBrowser().Draw()
    assert caplog.text == ""
    canvas.SaveAs("plot.png")
    assert "plot.png is not written" in caplog.text


def test_groot(root, monkeypatch):
    monkeypatch.setattr(root, "gErrorIgnoreLevel", -1)
    root.gROOT.SetBatch(True)
    root.gROOT.SetStyle("Plain")
    assert root.gROOT.IsBatch()
    assert root.gROOT.GetVersionInt() == 64000
    assert root.gROOT.GetVersionCode() == (6 << 16) + (40 << 8)
    assert root.gROOT.LoadMacro("./TMVAGui.C") == root.gROOT.ProcessLine("gErrorIgnoreLevel = 2001;") == 0
    root.gROOT.GetStyle("Plain").SetOptTitle(0)
    with pytest.raises(RefusedError, match=r"gROOT\.LoadMacro\('mine\.C'\): C\+\+ cannot be run"):
        root.gROOT.LoadMacro("mine.C")
    with pytest.raises(RefusedError, match="write it in Python"):
        root.gROOT.ProcessLine("struct Event { float x; };")
    with pytest.raises(NotInCompatError, match="did you mean SetBatch"):
        root.gROOT.SetBtach()
    assert root.gROOT.GetTutorialDir().endswith("tutorials")
    file = root.TFile("out.root", "RECREATE")
    assert root.gROOT.GetListOfFiles().GetSize() == 1
    file.Close()


def test_gsystem(root, tmp_path, monkeypatch):
    monkeypatch.setenv("DATA", str(tmp_path))
    assert root.gSystem.AccessPathName("nowhere")
    assert not root.gSystem.AccessPathName("$DATA")
    assert root.gSystem.mkdir("a/b", True) == 0
    assert root.gSystem.mkdir("a/b", True) == -1
    assert root.gSystem.Load("libTMVA") == 0
    assert root.gSystem.Getenv("DATA") == root.gSystem.WorkingDirectory() == str(tmp_path)
    assert (root.gSystem.BaseName("a/b.root"), root.gSystem.DirName("a/b.root")) == ("b.root", "a")
    with pytest.raises(NotInCompatError, match="pathlib"):
        root.gSystem.Quux("x")


def test_strings(root):
    text = root.TString("dataset") + "/weights"
    assert isinstance(text, root.TString)
    assert ("x_" + text).Data() == "x_dataset/weights"
    assert text.EndsWith("weights")
    assert text.BeginsWith("data")
    assert text.Index("/") == 7
    assert text.ToUpper().ToLower() == text
    assert not text.IsNull()
    assert root.TString("2.5").Atof() == root.TString("2").Atoi() + 0.5
    assert root.TString.Format("%s_%03d", "h", 7) == "h_007"
    assert root.Form("%s_%03d_%.1f_%lu_%5lld|%%", "h", 7, 2.5, 3, 4) == "h_007_2.5_3_    4|%"
    assert root.std.string("abc").c_str() == root.string("abc")


def test_cuts(root):
    a, b = root.TCut("a > 1"), root.TCut("name", "b > 2")
    assert b.GetName() == "name"
    assert str(a + b) == str(a & b) == str(a + "b > 2") == "(a > 1)&&(b > 2)"
    assert str("a > 1" + b) == str("a > 1" & b) == "(a > 1)&&(b > 2)"
    assert str(a | b) == str("a > 1" | b) == "(a > 1)||(b > 2)"
    assert str(2 * a) == "(2)*(a > 1)"
    assert str(-a) == str(~a) == "!(a > 1)"
    assert str(~root.TCut()) == ""
    assert root.TCut(a) == a == "a > 1"
    assert len({a, root.TCut("a > 1")}) == 1
    a *= "w"
    assert a.GetTitle() == "(a > 1)*(w)"
    a.SetTitle("c")
    a.SetName("n")
    assert (a.GetTitle(), a.GetName()) == ("c", "n")
    with pytest.raises(TypeError, match="TCut takes"):
        root.TCut("a", "b", "c")


def test_vectors(root):
    vector = root.vector["float"](3, 1.5)
    vector.push_back(2)
    vector.resize(5)
    vector.pop_back()
    assert (vector.size(), vector.front(), vector.back(), vector.empty()) == (4, 1.5, 2.0, False)
    assert vector.data().dtype == np.float32
    with pytest.raises(IndexError, match=r"which is 9\) >= this->size\(\) \(which is 4"):
        vector.at(9)
    assert root.std.vector(float)([1]) == root.std.vector("Double_t")([1.0])
    assert root.std.vector("TString")(["a"])[0] == "a"


def test_tmath(root):
    assert root.TMath.Sqrt(2) == np.sqrt(2)
    assert root.TMath.Pi() == np.pi
    assert root.TMath.Nint(2.6) == 3
    assert root.TMath.Mean(3, [1.0, 2.0, 6.0]) == 3.0
    assert root.TMath.MaxElement(3, [1, 5, 2]) == 5
    assert np.isnan(root.TMath.Log(-1))
    with pytest.raises(NotInCompatError, match="did you mean Sqrt"):
        root.TMath.Sqtr(2)
    with pytest.raises(TypeError, match=r"TMath\.Sqrt takes 1 to 1 arguments"):
        root.TMath.Sqrt(1, 2)


def test_random_numbers(root):
    random = root.TRandom3(100)
    assert random.Rndm() == 0.5434049386531115
    random.SetSeed(100)
    assert random.Uniform(2) == 2 * 0.5434049386531115
    assert random.GetSeed() == 100
    uniform = root.TRandom3(100)
    normal = standard_normal(uniform.Rndm)
    random.SetSeed(100)
    assert random.Gaus(3, 2) == 3 + 2 * normal
    values = np.array([random.Gaus(3, 2) for _ in range(4000)])
    assert values.mean() == pytest.approx(3, abs=0.15)
    assert values.std() == pytest.approx(2, abs=0.15)
    assert np.mean([random.Exp(2) for _ in range(4000)]) == pytest.approx(2, abs=0.2)
    assert np.mean([random.Poisson(4) for _ in range(2000)]) == pytest.approx(4, abs=0.3)
    assert np.median([random.Landau(2, 0.5) for _ in range(3000)]) == pytest.approx(2 + 0.5 * 1.3558, abs=0.08)
    a, b = [0.0], [0.0]
    random.Rannor(a, b)
    assert a[0] != b[0]
    assert np.mean([random.Binomial(10, 0.3) for _ in range(2000)]) == pytest.approx(3, abs=0.3)
    assert np.median([random.BreitWigner(5, 1) for _ in range(2000)]) == pytest.approx(5, abs=0.2)
    assert 0 <= root.gRandom.Integer(5) < 5


def test_stopwatches(root, capsys):
    watch = root.TStopwatch()
    watch.Stop()
    first = watch.RealTime()
    watch.Continue()
    assert watch.RealTime() >= first
    watch.Print()
    watch.Reset()
    assert watch.RealTime() == watch.CpuTime() == 0
    root.gBenchmark.Start("job")
    root.gBenchmark.Show("job")
    assert root.gBenchmark.GetCpuTime("job") >= 0
    shown = capsys.readouterr().out
    assert "Real time 0:00:00, CP time" in shown
    assert "job        : Real Time" in shown


def test_things_that_change_nothing(root):
    root.EnableImplicitMT()
    root.SetOwnership(object(), True)
    root.gApplication.Run()
    root.PyConfig.IgnoreCommandLineOptions = True
    assert (root.kTRUE, root.kFALSE) == (True, False)
    assert not root.nullptr
    assert not root.gFile
    with pytest.raises(SystemExit):
        root.gApplication.Terminate(0)
