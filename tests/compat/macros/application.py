# Application of the weight files of classification.py: SetBranchAddress, Reader, histograms, TMVApp.root
from array import array

import ROOT

ROOT.TMVA.Tools.Instance()
reader = ROOT.TMVA.Reader("!Color:!Silent")

var1, var2, var3, var4 = (array("f", [0.0]) for _ in range(4))
reader.AddVariable("myvar1 := var1+var2", var1)
reader.AddVariable("myvar2 := var1-var2", var2)
reader.AddVariable("var3", var3)
reader.AddVariable("var4", var4)
spec1, spec2 = array("f", [0.0]), array("f", [0.0])
reader.AddSpectator("spec1 := var1*2", spec1)
reader.AddSpectator("spec2 := var1*3", spec2)

dir = "dataset/weights/"
prefix = "TMVAClassification"
for method in ("MLP", "MLPBNN"):
    methodName = ROOT.TString(method) + " method"
    weightfile = dir + prefix + "_" + method + ROOT.TString(".weights.xml")
    reader.BookMVA(methodName, weightfile)

nbin = 100
histNn = ROOT.TH1F("MVA_MLP", "MVA_MLP", nbin, -1.25, 1.5)
histNnbnn = ROOT.TH1F("MVA_MLPBNN", "MVA_MLPBNN;response;events", nbin, -1.25, 1.5)
scatter = ROOT.TH2D("both", "one against the other", 20, -1.25, 1.5, 20, -1.25, 1.5)
histNn.SetLineColor(ROOT.kBlue + 2)

input = ROOT.TFile.Open("tmva_class_example.root")
theTree = input.Get("TreeS")
userVar1, userVar2 = array("f", [0]), array("f", [0])
theTree.SetBranchAddress("var1", userVar1)
theTree.SetBranchAddress("var2", userVar2)
theTree.SetBranchAddress("var3", var3)
theTree.SetBranchAddress("var4", var4)

print("--- Processing: %i events" % theTree.GetEntries())
sw = ROOT.TStopwatch()
sw.Start()
for ievt in range(theTree.GetEntries()):
    if ievt % 200 == 0:
        print("--- ... Processing event: %i" % ievt)
    theTree.GetEntry(ievt)
    var1[0] = userVar1[0] + userVar2[0]
    var2[0] = userVar1[0] - userVar2[0]
    nn, bnn = reader.EvaluateMVA("MLP method"), reader.EvaluateMVA("MLPBNN method")
    histNn.Fill(nn)
    histNnbnn.Fill(bnn)
    scatter.Fill(nn, bnn)
sw.Stop()
print("--- End of event loop: ", end="")
sw.Print()

target = ROOT.TFile("TMVApp.root", "RECREATE")
histNn.Write()
histNnbnn.Write()
scatter.Write()
target.Close()

canvas = ROOT.TCanvas("c", "responses", 800, 600)
histNn.Draw("hist")
histNnbnn.Draw("hist same")
legend = ROOT.TLegend(0.6, 0.7, 0.9, 0.9)
legend.AddEntry(histNn, "MLP", "l")
legend.Draw()
print("mean %.6f rms %.6f integral %g" % (histNn.GetMean(), histNn.GetRMS(), histNn.Integral()))
