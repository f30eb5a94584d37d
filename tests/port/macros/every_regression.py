# Regression with all methods
import ROOT

bookings = [
    ("kPDERS", "PDERS", "!H:!V:NormTree=T:VolumeRangeMode=Adaptive:KernelEstimator=Gauss:GaussSigma=0.3:NEventsMin=20:NEventsMax=30:VarTransform=None"),
    ("kPDEFoam", "PDEFoam", "!H:!V:MultiTargetRegression=F:TargetSelection=Mpv:TailCut=0.001:VolFrac=0.0666:nActiveCells=30:nSampl=100:nBin=5:Compress=T:Kernel=None:Nmin=10:VarTransform=None"),
    ("kKNN", "KNN", "nkNN=20:ScaleFrac=0.8:SigmaFact=1.0:Kernel=Gaus:UseKernel=F:UseWeight=T:!Trim"),
    ("kLD", "LD", "!H:!V:VarTransform=None"),
    ("kFDA", "FDA_GA", "!H:!V:Formula=(0)+(1)*x0+(2)*x1:ParRanges=(-100,100);(-100,100);(-100,100):FitMethod=GA:PopSize=20:Cycles=1:Steps=3:Trim=True:SaveBestGen=1:VarTransform=Norm"),
    ("kMLP", "MLP", "!H:!V:VarTransform=Norm:NeuronType=tanh:NCycles=6:HiddenLayers=N+5:TestRate=6:TrainingMethod=BFGS:Sampling=0.3:SamplingEpoch=0.8:ConvergenceImprove=1e-6:ConvergenceTests=15:!UseRegulator"),
    ("kBDT", "BDT", "!H:!V:NTrees=5:MinNodeSize=1.0%:BoostType=AdaBoostR2:SeparationType=RegressionVariance:nCuts=20:PruneMethod=CostComplexity:PruneStrength=30"),
    ("kBDT", "BDTG", "!H:!V:NTrees=10::BoostType=Grad:Shrinkage=0.1:UseBaggedBoost:BaggedSampleFraction=0.5:nCuts=20:MaxDepth=3"),
]
output = ROOT.TFile.Open("TMVAReg.root", "RECREATE")
factory = ROOT.TMVA.Factory("every_regression", output, "!V:Silent:!Color:!DrawProgressBar:AnalysisType=Regression")
loader = ROOT.TMVA.DataLoader("datasetreg")
loader.AddVariable("var1", "Variable 1", "units", "F")
loader.AddVariable("var2", "Variable 2", "units", "F")
loader.AddSpectator("spec1:=var1*2", "Spectator 1", "units", "F")
loader.AddTarget("fvalue")
source = ROOT.TFile.Open("./tmva_reg_example.root")
print("--- every_regression           : Using input file: ./tmva_reg_example.root")
loader.AddRegressionTree(source.Get("TreeR"), 1.0)
loader.SetWeightExpression("var1", "Regression")
loader.PrepareTrainingAndTestTree(
    ROOT.TCut(""), "nTrain_Regression=200:nTest_Regression=100:SplitMode=Random:NormMode=NumEvents:!V"
)
for kind, title, options in bookings:
    factory.BookMethod(loader, getattr(ROOT.TMVA.Types, kind), title, options)
factory.TrainAllMethods()
factory.TestAllMethods()
factory.EvaluateAllMethods()
output.Close()
print("==> Wrote root file: TMVAReg.root")
print("==> every_regression is done!")
