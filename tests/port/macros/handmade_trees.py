import array

import numpy as np
import ROOT
from ROOT import TMVA

random = ROOT.TRandom3(12)
file = ROOT.TFile("handmade.root", "RECREATE")
mass, n, hits = array.array("f", [0.0]), array.array("i", [0]), array.array("d", [0.0] * 3)
jets = ROOT.std.vector("float")()
for name, shift in (("sig", float(np.float32(0.4))), ("bkg", 0.0)):
    tree = ROOT.TTree(name, "made by hand")
    tree.Branch("mass", mass, "mass/F")
    tree.Branch("n", n, "n/I")
    tree.Branch("hits", hits, "hits[3]/D")
    tree.Branch("jets", jets)
    for i in range(120):
        mass[0] = random.Uniform(0, 1) + shift
        n[0] = random.Integer(5)
        for j in range(3):
            hits[j] = random.Rndm() * (j + 1) - shift
        jets.clear()
        for j in range(n[0]):
            jets.push_back(10.0 * j + i % 7)
        tree.Fill()
    print(name, tree.GetEntries(), 4)
    tree.Write()
file.Close()
source = ROOT.TFile.Open("handmade.root")
loader = TMVA.DataLoader("handmade")
loader.AddVariable("mass")
loader.AddVariable("hits[1]", "second hit", "", "F")
loader.AddVariable("h2 := hits[2]-hits[0]")
loader.AddSignalTree(source.Get("sig"))
loader.AddBackgroundTree(source.Get("bkg"))
loader.PrepareTrainingAndTestTree("n < 5", "SplitMode=Random:!V")
factory = TMVA.Factory("handmade", "!V:Silent:!Color:!DrawProgressBar:AnalysisType=Classification")
factory.BookMethod(loader, TMVA.Types.kFisher, "Fisher", "!H:!V")
factory.TrainAllMethods()
