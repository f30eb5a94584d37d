import ROOT
from ROOT import TFile

# (an author who never removed what he did not need)
ROOT.gStyle.SetOptStat(0)
ROOT.gROOT.SetStyle("Plain")
ROOT.gErrorIgnoreLevel = ROOT.kWarning
ROOT.EnableImplicitMT(4)

with TFile.Open("tmva_multiclass_example.root") as data, TFile.Open("TMVAMulticlass.root", "recreate") as out:
    factory = ROOT.TMVA.Factory(
        "TMVAMulticlass", out, ":".join(["!V", "!Silent", "Color", "!DrawProgressBar", "AnalysisType=multiclass"])
    )
    loader = ROOT.TMVA.DataLoader("dataset")
    for name in ["var1", "var2", "var3", "var4"]:
        loader.AddVariable(name, "F")
    for tree, name in [("TreeS", "Signal"), ("TreeB0", "bg0"), ("TreeB1", "bg1"), ("TreeB2", "bg2")]:
        loader.AddTree(data.Get(tree), name)
    loader.PrepareTrainingAndTestTree(ROOT.TCut(), "SplitMode=Random:NormMode=NumEvents:!V")
    factory.BookMethod(
        loader, ROOT.TMVA.Types.kMLP, "MLP",
        "!H:!V:NeuronType=tanh:NCycles=10:HiddenLayers=N+2,4:TestRate=5:EstimatorType=MSE",
    )
    factory.TrainAllMethods()
    factory.TestAllMethods()
    factory.EvaluateAllMethods()

if not ROOT.gROOT.IsBatch():
    ROOT.TMVA.TMVAMultiClassGui("TMVAMulticlass.root")
