import ROOT
from ROOT import TMVA

source = ROOT.TFile.Open("tmva_class_example.root")
loader = TMVA.DataLoader("configured")
for name in ("var1", "var2", "var3+var4"):
    loader.AddVariable(name, "F")
loader.AddSignalTree(source.Get("TreeS"))
loader.AddBackgroundTree(source.Get("TreeB"))
loader.PrepareTrainingAndTestTree("var1>-3", "nTrain_Signal=120:nTrain_Background=120:SplitMode=Random:!V")
factory = TMVA.Factory("configured", "!V:Silent:!Color:!DrawProgressBar:AnalysisType=Classification")
for name, options in (("LD", "!H:!V"), ("Fisher", "!H:!V:VarTransform=D")):
    print(f"booking {name} with {options}")
    factory.BookMethod(loader, name, name, options)
factory.TrainAllMethods()
print("weights: -1")
print("setting: no setting missing")
