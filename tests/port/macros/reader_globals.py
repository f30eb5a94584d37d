import array

import numpy as np
import ROOT

reader = ROOT.TMVA.Reader("Silent:!Color")
cells = [array.array("f", [0.0]) for _ in range(4)]
total = array.array("f", [0.0])
reader.AddVariable("var1", cells[0])
reader.AddVariable("var2", cells[1])
reader.AddVariable("sum := var3+var4", total)
reader.AddSpectator("var4", cells[3])
for name in ("LD", "HMatrix", "Likelihood"):
    reader.BookMVA(name, f"weights/old_style_{name}.weights.xml")
source = ROOT.TFile.Open("tmva_class_example.root")
out = ROOT.TFile("reader_globals.root", "RECREATE")
plots = out.mkdir("plots")
read = 0
for name, weight in (("TreeS", 2.0), ("TreeB", 0.5)):
    plots.cd()
    h = ROOT.TH1D("ld_" + name, "LD;response;events", 40, -1, 1)
    h.Sumw2()
    h2 = ROOT.TH2F("map_" + name, ";var1;likelihood", 10, -4, 4, 10, 0, 1)
    tree = source.Get(name)
    for i, cell in enumerate(cells, 1):
        tree.SetBranchAddress(f"var{i}", cell)
    mean, n = 0.0, 0
    for i in range(0, 150, 2):
        tree.GetEntry(i)
        read += 1
        total[0] = np.float32(cells[2][0]) + np.float32(cells[3][0])
        if total[0] <= -2:
            continue
        h.Fill(reader.EvaluateMVA("LD"), weight)
        h2.Fill(cells[0][0], reader.EvaluateMVA("Likelihood"))
        mean += reader.EvaluateMVA("HMatrix") * weight
        n += 1
    print(f"{name}: {n} events, mean {mean / n:g}, integral {h.Integral():g}")
    h.Scale(1.0 / h.Integral())
    print(f"bin {h.GetMaximumBin()} of {h.GetNbinsX()}, {h2.GetEntries():g} entries")
out.Write()
out.Close()
print(read, "events read")
