import ROOT
from ROOT import TMVA

source = ROOT.TFile.Open("tmva_class_example.root")
output = ROOT.TFile.Open("TMVACV.root", "RECREATE")
loader = TMVA.DataLoader("datasetcv")
for name in ("var1", "var2", "var3"):
    loader.AddVariable(name, "F")
loader.AddSpectator("eventID := var4*1000", "I")
loader.AddSignalTree(source.Get("TreeS"), 1.0)
loader.AddBackgroundTree(source.Get("TreeB"), 1.0)
loader.PrepareTrainingAndTestTree("", "", "nTest_Signal=1:nTest_Background=1:SplitMode=Random:NormMode=NumEvents:!V")
cv = TMVA.CrossValidation(
    "crossvalidation", loader, output, "!V:Silent:ModelPersistence:AnalysisType=Classification:SplitType=Random:NumFolds=3"
)
cv.BookMethod(TMVA.Types.kFisher, "Fisher", "!H:!V:Fisher")
cv.BookMethod(TMVA.Types.kLD, "LD", "!H:!V")
cv.Evaluate()
for name, result in zip(("Fisher", "LD"), cv.GetResults()):
    print("Summary for method", name)
    for fold in range(cv.GetNumFolds()):
        print(f"\tFold {fold}: ROC int: {result.GetROCValues()[fold]:g}")
    print(f"average {result.GetROCAverage():.4f} +- {result.GetROCStandardDeviation():.4f}")
output.Close()
