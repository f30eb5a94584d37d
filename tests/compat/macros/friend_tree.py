# Adds the response of classification.py to a copy of the tree, with event loops of both kinds, and fills histograms
import array

import numpy as np
import ROOT

reader = ROOT.TMVA.Reader("Silent")
inputs = {name: array.array("f", [0.0]) for name in ("myvar1", "myvar2", "var3", "var4")}
for name, buffer in inputs.items():
    reader.AddVariable({"myvar1": "myvar1 := var1+var2", "myvar2": "myvar2 := var1-var2"}.get(name, name), buffer)
spectators = [np.zeros(1, dtype=np.float32) for _ in range(2)]
reader.AddSpectator("spec1 := var1*2", spectators[0])
reader.AddSpectator("spec2 := var1*3", spectators[1])
reader.BookMVA("MLPBNN", "dataset/weights/TMVAClassification_MLPBNN.weights.xml")

infile = ROOT.TFile("tmva_class_example.root", "READ")
outfile = ROOT.TFile("scored.root", "RECREATE")
outfile.mkdir("plots")
for tree_name in ["TreeS", "TreeB"]:
    tree = infile.Get(tree_name)
    outfile.cd()
    tree.SetBranchStatus("*", 1)
    copy = tree.CloneTree(0)
    mva = array.array("f", [0])
    passed = np.zeros(1, dtype=np.int32)
    corners = np.zeros(2, dtype=np.float64)
    jets = ROOT.std.vector("float")()
    copy.Branch("mva", mva, "mva/F")
    copy.Branch("passed", passed, "passed/I")
    copy.Branch("corners", corners, "corners[2]/D")
    copy.Branch("jets", jets)
    outfile.cd("plots")
    h = ROOT.TH1F("mva_" + tree_name, "", 20, 0, 1)
    h.Sumw2()
    for i, event in enumerate(tree):
        inputs["myvar1"][0] = event.var1 + event.var2
        inputs["myvar2"][0] = event.var1 - event.var2
        inputs["var3"][0], inputs["var4"][0] = event.var3, event.var4
        mva[0] = reader.EvaluateMVA("MLPBNN")
        passed[0] = mva[0] > 0.5
        corners[:] = event.var1, event.var2
        jets.clear()
        for j in range(i % 3):
            jets.push_back(0.5 * j)
        h.Fill(mva[0], event.weight)
        if event.var3 > -1:
            copy.Fill()
    h.Scale(1.0 / h.Integral())
    outfile.cd()
    copy.Write()
outfile.Get("plots").cd()
outfile.Write()
outfile.Close()
