import ROOT
from ROOT import TMVA

chain = ROOT.TChain("events")
for run in (1, 2, 3):
    chain.Add(f"runs/run_{run}.root")
print("3 files")
skimmed = ROOT.TFile("skim.root", "RECREATE")
trees = []
for name, cut in (("sig", "isSignal"), ("bkg", "!isSignal")):
    copy = chain.CopyTree(ROOT.TCut("((pt > 15 && abs(eta) < 2.5)&&(met > 5))") + ROOT.TCut(cut))
    copy.SetName(name)
    copy.Write()
    print(f"{name}: {copy.GetEntries()} of {chain.GetEntries()}")
    trees.append(copy)
factory = TMVA.Factory("skim", "!V:Silent:!Color:!DrawProgressBar:AnalysisType=Classification")
loader = TMVA.DataLoader("skimmed")
for name in ("pt", "abs(eta)", "met", "njets"):
    loader.AddVariable(name)
loader.AddSignalTree(trees[0])
loader.AddBackgroundTree(trees[1])
loader.SetWeightExpression("genWeight")
loader.PrepareTrainingAndTestTree("", "nTrain_Signal=200:nTrain_Background=200:SplitMode=Alternate:!V")
factory.BookMethod(loader, TMVA.Types.kBDT, "BDT", "!H:!V:NTrees=8:MaxDepth=3:nCuts=10")
factory.TrainAllMethods()
skimmed.Close()
