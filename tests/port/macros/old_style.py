import ROOT
from ROOT import TMVA

output = ROOT.TFile.Open("old_style.root", "RECREATE")
factory = TMVA.Factory(
    "old_style", output, "!V:Silent:!Color:!DrawProgressBar:Transformations=I;D;P;G,D:AnalysisType=Classification"
)
factory.AddVariable("var1", "F")
factory.AddVariable("var2", "F")
factory.AddVariable("sum := var3+var4", "sum of two", "GeV", "F")
factory.AddSpectator("var4")
source = ROOT.TFile.Open("tmva_class_example.root")
factory.AddSignalTree(source.Get("TreeS"), 1.0)
factory.AddBackgroundTree(source.Get("TreeB"), 2.0)
factory.SetBackgroundWeightExpression("weight")
factory.PrepareTrainingAndTestTree(
    ROOT.TCut("var1<3"), ROOT.TCut("var1<3 && var2>-4"),
    "nTrain_Signal=100:nTrain_Background=120:SplitMode=Block:NormMode=EqualNumEvents:!V",
)
factory.BookMethod(TMVA.Types.kLikelihood, "Likelihood", "!H:!V:NSmooth=2:NAvEvtPerBin=20")
factory.BookMethod(TMVA.Types.kLD, "LD", "!H:!V")
factory.BookMethod(TMVA.Types.kHMatrix, "HMatrix", "!H:!V")
factory.TrainAllMethods()
factory.TestAllMethods()
factory.EvaluateAllMethods()
output.Close()
