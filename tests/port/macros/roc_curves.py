import ROOT
from ROOT import TMVA

source = ROOT.TFile.Open("tmva_class_example.root", "READ")
out = ROOT.TFile.Open("roc_curves.root", "RECREATE")
factory = TMVA.Factory("roc", out, "!V:Silent:!Color:!DrawProgressBar:ROC:AnalysisType=Classification")
loader = TMVA.DataLoader("roc")
for i in range(1, 5):
    loader.AddVariable(f"var{i}", "F")
loader.SetInputTrees(source.Get("TreeS"), source.Get("TreeB"), 1.0, 1.0)
loader.PrepareTrainingAndTestTree("", 200, 200, 150, 150, "SplitMode=Random:!V")
titles = []
for depth, boost in ((1, "AdaBoost"), (1, "Grad"), (2, "AdaBoost"), (2, "Grad"), (3, "AdaBoost")):
    titles.append(f"BDT_{boost}_{depth}")
    factory.BookMethod(
        loader, TMVA.Types.kBDT, titles[-1], f"!H:!V:NTrees=6:nCuts=8:MaxDepth={depth}:BoostType={boost}"
    )
    print("booked", titles[-1])
factory.TrainAllMethods()
factory.TestAllMethods()
factory.EvaluateAllMethods()
integrals = {title: factory.GetROCIntegral(loader, title) for title in titles}
for title, integral in integrals.items():
    print(f"{title:<16} {integral:.5f}")
print("best:", max(integrals, key=integrals.get))
print("the curve has many points")
out.Close()
