"""Graphs that the macro makes, canvases that are saved, and small classes: vectors, matrices, macros, dates."""

import math
import sys
from array import array
from pathlib import Path

import numpy as np
import pytest
import uproot

from pytmva_bnn.compat.errors import MacroError, RefusedError
from pytmva_bnn.compat.graphs import graph_of

pytest.importorskip("matplotlib")


@pytest.fixture(autouse=True)
def no_pad():
    from pytmva_bnn.compat.session import SESSION

    SESSION.pad = None
    yield
    SESSION.pad = None


def test_points_are_set_added_sorted_and_removed(root):
    graph = root.TGraph()
    graph.SetPoint(1, 2.0, 20.0)
    graph.AddPoint(1.0, 10.0)
    assert list(graph.GetX()) == [0.0, 2.0, 1.0]
    graph.Sort()
    assert (list(graph.GetX()), list(graph.GetY())) == ([0, 1, 2], [0, 10, 20])
    assert graph.Eval(1.5) == 15
    graph.RemovePoint(0)
    assert graph.GetN() == 2
    graph.Set(1)
    assert list(graph.GetY()) == [10]
    x, y = array("d", [0]), array("d", [0])
    graph.GetPoint(0, x, y)
    assert (x[0], y[0]) == (1.0, 10.0)


def test_all_constructors(root):
    x, y = array("f", [1, 2, 3]), array("f", [4, 5, 6])
    assert list(root.TGraph(2, x, y).GetY()) == [4, 5]
    assert list(root.TGraph(x, y).GetX()) == [1, 2, 3]
    assert root.TGraph(4).GetN() == 4
    histogram = root.TH1F("h", "", 2, 0, 2)
    histogram.Fill(1.5)
    assert list(root.TGraph(histogram).GetY()) == [0, 1]
    with pytest.raises(MacroError, match="same length; got 3, 2"):
        root.TGraph([1, 2, 3], [1, 2])


def test_errors_are_read_and_lost_with_a_warning_when_written(root, caplog):
    graph = root.TGraphErrors(3, [1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [0.1, 0.1, 0.1], [0.5, 0.5, 0.5])
    graph.SetPointError(1, 0.2, 0.7)
    assert (graph.GetErrorX(1), graph.GetErrorY(1), list(graph.GetEY())) == (0.2, 0.7, [0.5, 0.7, 0.5])
    with root.TFile("out.root", "RECREATE"):
        graph.Write("g")
    assert "a TGraphErrors is written as a TGraph, without its errors" in caplog.text
    assert list(root.TFile("out.root").Get("g").GetY()) == [2, 4, 6]
    columns = {"x": [1.0], "y": [2.0], "x_errors": [0.1], "y_errors": [0.3]}
    read = graph_of(uproot.as_TGraph({name: np.array(values) for name, values in columns.items()}))
    assert (type(read).__name__, read.GetErrorX(0), read.GetErrorY(0)) == ("TGraphErrors", 0.1, 0.3)
    asymmetric = root.TGraphAsymmErrors(1, [1.0], [2.0], [0.1], [0.2], [0.3], [0.4])
    assert (asymmetric.GetErrorXhigh(0), asymmetric.Clone().GetErrorYlow(0)) == (0.2, 0.3)
    with pytest.raises(MacroError, match="SetPointError takes 2 errors; got 1"):
        graph.SetPointError(0, 1.0)


def test_a_line_is_fitted_to_points(root):
    graph = root.TGraph(4, [0.0, 1.0, 2.0, 3.0], [1.0, 3.0, 5.0, 7.0])
    graph.Fit("pol1", "Q")
    found = graph.GetFunction("pol1")
    assert list(found.GetParameters()) == pytest.approx([1.0, 2.0])
    weighted = root.TGraphErrors(3, [0.0, 1.0, 2.0], [1.0, 1.0, 4.0], [0, 0, 0], [1.0, 1.0, 2.0])
    weighted.Fit("pol0", "Q")
    assert weighted.GetFunction("pol0").GetParameter(0) == pytest.approx((1 + 1 + 1) / (1 + 1 + 0.25))
    assert weighted.GetFunction("pol0").GetParError(0) == pytest.approx(1 / math.sqrt(2.25))


def test_multi_graphs_collect(root):
    several = root.TMultiGraph("m", "all")
    several.Add(root.TGraph([0, 1], [0, 1]), "lp")
    assert (several.GetName(), several.GetTitle(), several.GetListOfGraphs().GetSize()) == ("m", "all", 1)


def painted(root, monkeypatch):
    """Return the axes of the figure that the next SaveAs writes."""
    from matplotlib.figure import Figure

    figures = []
    monkeypatch.setattr(Figure, "savefig", lambda self, name: figures.append((self, name)))
    return figures


def test_a_saved_canvas_shows_what_was_drawn(root, monkeypatch):
    figures = painted(root, monkeypatch)
    canvas = root.TCanvas("c", "title", 800, 400)
    first, second = (root.TH1F(name, f"{name};x of it;events", 4, 0, 4) for name in ("first", "second"))
    old = root.TH1F("old", "", 4, 0, 4)
    first.Fill(1.5, 3)
    second.Fill(2.5, 2)
    old.Draw()
    first.Draw("hist")
    second.Draw("hist same")
    function = root.TF1("f", "x", 0, 4)
    function.Draw("same")
    legend = root.TLegend(0.1, 0.1, 0.4, 0.4)
    legend.AddEntry(first, "signal", "l")
    legend.AddEntry("second", "background", "l")
    legend.Draw()
    root.gPad.SetLogy()
    canvas.SaveAs("plot.png")
    ((figure, name),) = figures
    (ax,) = figure.axes
    assert Path(name).name == "plot.png"
    assert tuple(figure.get_size_inches()) == (8, 4)
    assert [patch.get_data().values.tolist() for patch in ax.patches] == [[0, 3, 0, 0], [0, 0, 2, 0]]
    assert ax.lines[0].get_ydata()[-1] == 4
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["signal", "background", "x"]
    assert (ax.get_yscale(), ax.get_xlabel()) == ("log", "x of it")


def test_pads_stand_side_by_side(root, monkeypatch):
    figures = painted(root, monkeypatch)
    canvas = root.TCanvas("c")
    canvas.Divide(2, 1)
    canvas.cd(2)
    root.TGraph([0.0, 1.0], [5.0, 6.0]).Draw("AP")
    canvas.cd(1)
    both = root.TH2F("h2", "", 2, 0, 2, 2, 0, 2)
    both.Fill(0.5, 1.5, 4)
    both.Draw("colz")
    canvas.Print("both.pdf(")
    ((figure, name),) = figures
    assert Path(name).name == "both.pdf"
    left, right = sorted(figure.axes, key=lambda ax: ax.get_subplotspec().colspan.start)
    assert left.collections[0].get_array().reshape(2, 2).tolist() == [[0, 0], [4, 0]]
    assert right.lines[0].get_ydata().tolist() == [5, 6]


def test_pads_of_their_own_stand_where_they_are_put(root, monkeypatch):
    figures = painted(root, monkeypatch)
    canvas = root.TCanvas("c")
    pads = [root.TPad("upper", "", 0, 0.3, 1, 1), root.TPad("lower", "", 0, 0, 1, 0.3)]
    for pad in pads:
        pad.Draw()
    for height, pad in enumerate(pads):
        pad.cd()
        root.TGraph([0.0, 1.0], [height, height]).Draw("AL")
    canvas.SaveAs("ratio.pdf")
    ((figure, _),) = figures
    upper, lower = figure.axes
    assert (upper.lines[0].get_ydata()[0], lower.lines[0].get_ydata()[0]) == (0, 1)
    assert upper.get_position().y0 > lower.get_position().y1


def test_a_picture_is_really_written(root, tmp_path):
    canvas = root.TCanvas()
    histogram = root.TH1F("h", "", 4, 0, 4)
    histogram.Fill(1)
    copy = histogram.DrawNormalized("E")
    assert copy.Integral() == 1
    canvas.SaveAs("plots/new/plot.png")
    assert (tmp_path / "plots/new/plot.png").read_bytes().startswith(b"\x89PNG")


def test_canvases_that_cannot_be_painted_warn(root, caplog, monkeypatch):
    canvas = root.TCanvas("c")
    canvas.SaveAs("plot.png")
    assert "nothing is painted here, so plot.png is not written" in caplog.text
    root.TH1F("h", "", 1, 0, 1).Draw()
    canvas.SaveAs("plot.C")
    assert "plot.C is not written" in caplog.text
    canvas.Write()
    assert "a canvas cannot be written to a ROOT file" in caplog.text
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    canvas.SaveAs("plot.png")
    assert "plot.png is not written: install matplotlib" in caplog.text


def test_margins_and_sizes_are_numbers(root):
    canvas = root.TCanvas("c", "", 10, 20, 300, 200)
    assert (canvas.GetWw(), canvas.GetWh()) == (300, 200)
    canvas.SetLeftMargin(0.2)
    assert canvas.GetLeftMargin() + canvas.GetTopMargin() == pytest.approx(0.3)
    root.gStyle.SetPadRightMargin(0.15)
    assert root.gStyle.GetPadRightMargin() == 0.15


def test_momenta(root):
    one, two = root.TLorentzVector(), root.TLorentzVector()
    one.SetPtEtaPhiM(30.0, 1.0, 3.0, 0.1)
    two.SetPtEtaPhiM(20.0, -0.5, -3.0, 0.1)
    assert (one.Pt(), one.Eta(), one.Phi(), one.M()) == pytest.approx((30.0, 1.0, 3.0, 0.1))
    assert one.DeltaPhi(two) == pytest.approx(6.0 - 2 * math.pi)
    assert one.DeltaR(two) == pytest.approx(math.hypot(1.5, 6.0 - 2 * math.pi))
    mass = math.sqrt(2 * 30 * 20 * (math.cosh(1.5) - math.cos(6.0)))
    assert (one + two).M() == pytest.approx(mass, rel=1e-3)
    assert (one - one).E() == 0
    two.SetPxPyPzE(3.0, 4.0, 0.0, 13.0)
    assert (two.P(), two.M(), two.Vect().Mag(), two.Dot(two)) == (5.0, 12.0, 5.0, 144.0)
    assert (2 * root.TVector3(1, 2, 3)).Z() == 6
    with pytest.raises(MacroError, match="takes 4 numbers; got 3"):
        root.TLorentzVector(1, 2, 3)


def test_matrices(root, capsys):
    matrix = root.TMatrixD(2, 2)
    matrix[0][0], matrix[0][1], matrix[1][0], matrix[1][1] = 2, 1, 1, 3
    copy = root.TMatrixD(matrix)
    determinant = array("d", [0])
    copy.Invert(determinant)
    assert determinant[0] == pytest.approx(5)
    np.testing.assert_allclose(matrix * copy, np.eye(2), atol=1e-12)
    assert (matrix(1, 1), matrix.GetNrows(), matrix.GetNcols()) == (3, 2, 2)
    vector = root.TVectorD(2, array("d", [1, 2]))
    assert list(matrix * vector) == [4, 7]
    vector[0] = 5
    assert vector * vector == 29
    matrix.Print()
    assert capsys.readouterr().out.split() == ["0", "|", "2", "1", "1", "|", "1", "3"]
    numbers = root.TArrayI(3)
    numbers.SetAt(7, 2)
    assert (numbers[2], numbers.GetSize()) == (7, 3)
    with pytest.raises(MacroError, match="singular"):
        root.TMatrixD(2, 2).Invert()


def test_macros_as_objects(root, tmp_path, capsys):
    macro = root.TMacro("code", "title")
    macro.AddLine("int main() {")
    macro.AddLine("}")
    macro.SaveSource("code.C")
    assert (tmp_path / "code.C").read_text() == "int main() {\n}\n"
    assert [line.GetString() for line in root.TMacro("code.C").GetListOfLines()] == ["int main() {", "}"]
    with root.TFile("out.root", "RECREATE"):
        macro.Write()
    assert str(uproot.open("out.root")["code"]) == "int main() {\n}"
    macro.Print()
    assert capsys.readouterr().out == "int main() {\n}\n"
    with pytest.raises(RefusedError, match="pytmva-bnn port"):
        macro.Exec()


def test_dates(root):
    date = root.TDatime(20200131, 123456)
    assert (date.GetDate(), date.GetTime(), date.GetYear(), date.GetMonth()) == (20200131, 123456, 2020, 1)
    assert date.AsString() == "Fri Jan 31 12:34:56 2020"
    assert root.TDatime("2021-02-03 04:05:06").GetTime() == 40506
    assert root.TDatime().GetYear() >= 2024
