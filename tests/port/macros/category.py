import ROOT
from ROOT import TMVA, TChain, TCut

events = TChain("events")
print("files:", events.Add("runs/run_*.root"))
out = ROOT.TFile.Open("category.root", "recreate")
factory = TMVA.Factory("category", out, "!V:Silent:!Color:!DrawProgressBar:AnalysisType=Classification")
loader = TMVA.DataLoader("cat")
loader.AddVariable("pt", "F")
loader.AddVariable("met", "missing E_{T}", "GeV", "F")
loader.AddVariable("njets", "I")
loader.AddSpectator("eta")
loader.AddSignalTree(events, 1.0)
loader.AddBackgroundTree(events, 1.0)
loader.PrepareTrainingAndTestTree(
    TCut("isSignal == 1"), TCut("isSignal == 0"),
    "nTrain_Signal=150:nTrain_Background=150:nTest_Signal=100:nTest_Background=100:SplitMode=Random:!V",
)
method = factory.BookMethod(loader, TMVA.Types.kCategory, "FisherCat", "")
method.AddMethod(TCut("abs(eta)<1.3"), "pt:met", TMVA.Types.kFisher, "Category_Fisher_1", "!H:!V:Fisher")
method.AddMethod(TCut("abs(eta)>=1.3"), "pt:met:njets", TMVA.Types.kFisher, "Category_Fisher_2", "!H:!V:Fisher")
factory.BookMethod(loader, TMVA.Types.kFisher, "Fisher", "!H:!V:Fisher")
factory.TrainAllMethods()
factory.TestAllMethods()
factory.EvaluateAllMethods()
out.Close()
