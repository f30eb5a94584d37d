# Everything that TMVA had, booked in one go
import ROOT

TMVA = ROOT.TMVA
Use = {
    "Cuts": 1, "Likelihood": 1, "PDERS": 1, "KNN": 1, "Fisher": 1, "LD": 1, "FDA_GA": 1, "MLP": 1, "MLPBNN": 1,
    "SVM": 1, "BDT": 1, "BDTG": 1, "RuleFit": 1, "DNN": 1,
}

out = ROOT.TFile.Open("TMVA12.root", "RECREATE")
factory = TMVA.Factory("Twelve", out, "!V:!Silent:!Color:!DrawProgressBar:AnalysisType=Classification")
loader = TMVA.DataLoader("dataset")
for i in range(4):
    loader.AddVariable("var%d" % (i + 1), "F")
f = ROOT.TFile.Open("tmva_class_example.root", "CACHEREAD")
loader.AddSignalTree(f.Get("TreeS"), 1.0)
loader.AddBackgroundTree(f.Get("TreeB"), 1.0)
loader.PrepareTrainingAndTestTree(ROOT.TCut(""), "nTrain_Signal=200:nTrain_Background=200:SplitMode=Random:!V")

options = "!H:!V:NeuronType=tanh:VarTransform=N:NCycles=6:HiddenLayers=3:TestRate=5"
if Use["Cuts"]:
    factory.BookMethod(loader, TMVA.Types.kCuts, "Cuts", "!H:!V:FitMethod=MC:EffSel:SampleSize=200000:VarProp=FSmart")
if Use["Likelihood"]:
    factory.BookMethod(loader, TMVA.Types.kLikelihood, "Likelihood", "H:!V:TransformOutput:PDFInterpol=Spline2")
if Use["PDERS"]:
    factory.BookMethod(loader, TMVA.Types.kPDERS, "PDERS", "!H:!V:NormTree=T:VolumeRangeMode=Adaptive")
if Use["KNN"]:
    factory.BookMethod(loader, TMVA.Types.kKNN, "KNN", "H:nkNN=20:ScaleFrac=0.8")
if Use["Fisher"]:
    factory.BookMethod(loader, TMVA.Types.kFisher, "Fisher", "H:!V:Fisher:VarTransform=None:CreateMVAPdfs")
if Use["LD"]:
    factory.BookMethod(loader, TMVA.Types.kLD, "LD", "H:!V:VarTransform=None")
if Use["FDA_GA"]:
    factory.BookMethod(loader, TMVA.Types.kFDA, "FDA_GA", "H:!V:Formula=(0)+(1)*x0:ParRanges=(-1,1);(-10,10)")
if Use["MLP"]:
    factory.BookMethod(loader, TMVA.Types.kMLP, "MLP", options)
if Use["MLPBNN"]:
    factory.BookMethod(loader, TMVA.Types.kMLP, "MLPBNN", options + ":TrainingMethod=BFGS:UseRegulator")
if Use["SVM"]:
    factory.BookMethod(loader, TMVA.Types.kSVM, "SVM", "Gamma=0.25:Tol=0.001:VarTransform=Norm")
if Use["BDT"]:
    factory.BookMethod(loader, TMVA.Types.kBDT, "BDT", "!H:!V:NTrees=20:MaxDepth=3")
if Use["BDTG"]:
    factory.BookMethod(loader, TMVA.Types.kBDT, "BDTG", "!H:!V:NTrees=20:BoostType=Grad")
if Use["RuleFit"]:
    factory.BookMethod(loader, TMVA.Types.kRuleFit, "RuleFit", "H:!V:RuleFitModule=RFTMVA")
if Use["DNN"]:
    factory.BookMethod(loader, TMVA.Types.kDL, "DNN_CPU", "!H:V:Architecture=CPU")

factory.TrainAllMethods()
factory.TestAllMethods()
factory.EvaluateAllMethods()
out.Close()
