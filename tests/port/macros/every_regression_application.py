# The application of every_regression
import array
import math

import numpy as np
import ROOT

methods = sorted(["PDERS", "PDEFoam", "KNN", "LD", "FDA_GA", "MLP", "BDT", "BDTG"])
reader = ROOT.TMVA.Reader("!Color:Silent")
var1, var2, spec1, fvalue = (array.array("f", [0.0]) for _ in range(4))
reader.AddVariable("var1", var1)
reader.AddVariable("var2", var2)
reader.AddSpectator("spec1:=var1*2", spec1)
for name in methods:
    reader.BookMVA(name + " method", f"datasetreg/weights/every_regression_{name}.weights.xml")
histograms = [ROOT.TH1F(name, name + " method", 100, -100, 600) for name in methods]
source = ROOT.TFile.Open("./tmva_reg_example.root")
tree = source.Get("TreeR")
for name, cell in (("var1", var1), ("var2", var2), ("fvalue", fvalue)):
    tree.SetBranchAddress(name, cell)
n = tree.GetEntries() // 10
print(f"--- Processing: {n} events")
deviation = [0.0] * len(methods)
for event in range(n):
    if event % 25 == 0:
        print(f"--- ... Processing event: {event}")
    tree.GetEntry(event)
    for i, name in enumerate(methods):
        value = np.float32(reader.EvaluateRegression(name + " method")[0])
        histograms[i].Fill(float(value))
        deviation[i] += float(value - np.float32(fvalue[0])) ** 2
for name, total in zip(methods, deviation):
    print(f"{name:<8} : {math.sqrt(total / n):8.2f}")
target = ROOT.TFile("TMVARegApp.root", "RECREATE")
for histogram in histograms:
    histogram.Write()
target.Close()
print("==> every_regression_application is done!")
