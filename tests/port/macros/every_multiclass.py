# Multiclass with all methods that can do it
import ROOT

bookings = [
    ("kBDT", "BDTG", "!H:!V:NTrees=5:BoostType=Grad:Shrinkage=0.10:UseBaggedBoost:BaggedSampleFraction=0.50:nCuts=20:MaxDepth=2"),
    ("kMLP", "MLP", "!H:!V:NeuronType=tanh:NCycles=6:HiddenLayers=N+5,5:TestRate=5:EstimatorType=MSE"),
    ("kFDA", "FDA_GA", "H:!V:Formula=(0)+(1)*x0+(2)*x1+(3)*x2+(4)*x3:ParRanges=(-1,1);(-10,10);(-10,10);(-10,10);(-10,10):FitMethod=GA:PopSize=20:Cycles=1:Steps=3"),
    ("kPDEFoam", "PDEFoam", "!H:!V:TailCut=0.001:VolFrac=0.3:nActiveCells=30:nSampl=300:nBin=5:Nmin=20:Kernel=None:Compress=T"),
]
print("\n==> Start every_multiclass")
output = ROOT.TFile.Open("TMVAMulticlass.root", "RECREATE")
factory = ROOT.TMVA.Factory("every_multiclass", output, "!V:Silent:!Color:!DrawProgressBar:AnalysisType=multiclass")
loader = ROOT.TMVA.DataLoader("dataset")
loader.AddVariable("var1", "F")
loader.AddVariable("var2", "Variable 2", "", "F")
loader.AddVariable("var3", "Variable 3", "units", "F")
loader.AddVariable("var4", "Variable 4", "units", "F")
source = ROOT.TFile.Open("./tmva_multiclass_example.root")
trees = [source.Get(name) for name in ("TreeS", "TreeB0", "TreeB1", "TreeB2")]
for tree, name in zip(trees, ("Signal", "bg0", "bg1", "bg2")):
    loader.AddTree(tree, name)
counts = [f"n{kind}_{name}={n}" for kind, n in (("Train", 80), ("Test", 50)) for name in ("Signal", "bg0", "bg1", "bg2")]
loader.PrepareTrainingAndTestTree("", ":".join(counts) + ":SplitMode=Random:NormMode=NumEvents:!V")
for kind, title, options in bookings:
    factory.BookMethod(loader, getattr(ROOT.TMVA.Types, kind), title, options)
factory.TrainAllMethods()
factory.TestAllMethods()
factory.EvaluateAllMethods()
output.Close()
print("==> Wrote root file: TMVAMulticlass.root")
print("==> every_multiclass is done!")
