# All methods of TMVA on one sample
import ROOT

TMVA = ROOT.TMVA
off = ["CutsPCA", "MLPBFGS"]
bookings = [
    ("kCuts", "Cuts", "!H:!V:FitMethod=MC:EffSel:SampleSize=2000:VarProp=FSmart"),
    ("kCuts", "CutsD", "!H:!V:FitMethod=MC:EffSel:SampleSize=2000:VarProp=FSmart:VarTransform=Decorrelate"),
    ("kCuts", "CutsPCA", "!H:!V:FitMethod=MC:EffSel:SampleSize=2000:VarProp=FSmart:VarTransform=PCA"),
    ("kCuts", "CutsGA", "H:!V:FitMethod=GA:CutRangeMin[0]=-10:CutRangeMax[0]=10:VarProp[1]=FMax:EffSel:Steps=5:Cycles=1:PopSize=30:SC_steps=5:SC_rate=5:SC_factor=0.95"),
    ("kCuts", "CutsSA", "!H:!V:FitMethod=SA:EffSel:MaxCalls=500:KernelTemp=IncAdaptive:InitialTemp=1e+6:MinTemp=1e-6:Eps=1e-10:UseDefaultScale"),
    ("kLikelihood", "Likelihood", "H:!V:TransformOutput:PDFInterpol=Spline2:NSmoothSig[0]=20:NSmoothBkg[0]=20:NSmoothBkg[1]=10:NSmooth=1:NAvEvtPerBin=50"),
    ("kLikelihood", "LikelihoodPCA", "!H:!V:!TransformOutput:PDFInterpol=Spline2:NSmoothSig[0]=20:NSmoothBkg[0]=20:NSmooth=5:NAvEvtPerBin=50:VarTransform=PCA"),
    ("kLikelihood", "LikelihoodKDE", "!H:!V:!TransformOutput:PDFInterpol=KDE:KDEtype=Gauss:KDEiter=Nonadaptive:KDEFineFactor=0.3:KDEborder=None:NAvEvtPerBin=50"),
    ("kPDERS", "PDERS", "!H:!V:NormTree=T:VolumeRangeMode=Adaptive:KernelEstimator=Gauss:GaussSigma=0.3:NEventsMin=20:NEventsMax=40"),
    ("kPDEFoam", "PDEFoam", "!H:!V:SigBgSeparate=F:TailCut=0.001:VolFrac=0.0666:nActiveCells=30:nSampl=100:nBin=5:Nmin=20:Kernel=None:Compress=T"),
    ("kKNN", "KNN", "H:nkNN=20:ScaleFrac=0.8:SigmaFact=1.0:Kernel=Gaus:UseKernel=F:UseWeight=T:!Trim"),
    ("kHMatrix", "HMatrix", "!H:!V:VarTransform=None"),
    ("kFisher", "Fisher", "H:!V:Fisher:VarTransform=None:CreateMVAPdfs:PDFInterpolMVAPdf=Spline2:NbinsMVAPdf=50:NsmoothMVAPdf=10"),
    ("kFisher", "BoostedFisher", "H:!V:Boost_Num=5:Boost_Transform=log:Boost_Type=AdaBoost:Boost_AdaBoostBeta=0.2:!Boost_DetailedMonitoring"),
    ("kLD", "LD", "H:!V:VarTransform=None"),
    ("kFDA", "FDA_MC", "H:!V:Formula=(0)+(1)*x0+(2)*x1+(3)*x2+(4)*x3:ParRanges=(-1,1);(-10,10);(-10,10);(-10,10);(-10,10):FitMethod=MC:SampleSize=500:Sigma=0.1"),
    ("kFDA", "FDA_GA", "H:!V:Formula=(0)+(1)*x0+(2)*x1+(3)*x2+(4)*x3:ParRanges=(-1,1);(-10,10);(-10,10);(-10,10);(-10,10):FitMethod=GA:PopSize=20:Cycles=1:Steps=3:Trim=True:SaveBestGen=1"),
    ("kMLP", "MLP", "H:!V:NeuronType=tanh:VarTransform=N:NCycles=6:HiddenLayers=N+5:TestRate=5:!UseRegulator"),
    ("kMLP", "MLPBFGS", "H:!V:NeuronType=tanh:VarTransform=N:NCycles=6:HiddenLayers=N+5:TestRate=5:TrainingMethod=BFGS:!UseRegulator"),
    ("kMLP", "MLPBNN", "H:!V:NeuronType=tanh:VarTransform=N:NCycles=6:HiddenLayers=N+5:TestRate=5:TrainingMethod=BFGS:UseRegulator"),
    ("kCFMlpANN", "CFMlpANN", "!H:!V:NCycles=20:HiddenLayers=N+1,N"),
    ("kTMlpANN", "TMlpANN", "!H:!V:NCycles=10:HiddenLayers=N+1,N:LearningMethod=BFGS:ValidationFraction=0.3"),
    ("kSVM", "SVM", "Gamma=0.25:Tol=0.001:VarTransform=Norm"),
    ("kBDT", "BDTG", "!H:!V:NTrees=10:MinNodeSize=2.5%:BoostType=Grad:Shrinkage=0.10:UseBaggedBoost:BaggedSampleFraction=0.5:nCuts=20:MaxDepth=2"),
    ("kBDT", "BDT", "!H:!V:NTrees=10:MinNodeSize=2.5%:MaxDepth=3:BoostType=AdaBoost:AdaBoostBeta=0.5:UseBaggedBoost:BaggedSampleFraction=0.5:SeparationType=GiniIndex:nCuts=20"),
    ("kBDT", "BDTF", "!H:!V:NTrees=5:MinNodeSize=2.5%:UseFisherCuts:MaxDepth=3:BoostType=AdaBoost:AdaBoostBeta=0.5:SeparationType=GiniIndex:nCuts=20"),
    ("kRuleFit", "RuleFit", "H:!V:RuleFitModule=RFTMVA:Model=ModRuleLinear:MinImp=0.001:RuleMinDist=0.001:NTrees=5:fEventsMin=0.01:fEventsMax=0.5:GDTau=-1.0:GDTauPrec=0.01:GDStep=0.01:GDNSteps=200:GDErrScale=1.02"),
]

print("\n==> Start every_classification")
source = ROOT.TFile.Open("./tmva_class_example.root")
print("--- every_classification    : Using input file: ./tmva_class_example.root")
output = ROOT.TFile.Open("TMVA.root", "RECREATE")
factory = TMVA.Factory(
    "every_classification", output, "!V:Silent:!Color:!DrawProgressBar:Transformations=I:AnalysisType=Classification"
)
loader = TMVA.DataLoader("dataset")
loader.AddVariable("myvar1 := var1+var2", "F")
loader.AddVariable("myvar2 := var1-var2", "Expression 2", "", "F")
loader.AddVariable("var3", "Variable 3", "units", "F")
loader.AddVariable("var4", "Variable 4", "units", "F")
loader.AddSpectator("spec1 := var1*2", "Spectator 1", "units", "F")
loader.AddSignalTree(source.Get("TreeS"), 1.0)
loader.AddBackgroundTree(source.Get("TreeB"), 1.0)
loader.SetBackgroundWeightExpression("weight")
loader.PrepareTrainingAndTestTree(
    ROOT.TCut(""), ROOT.TCut(""),
    "nTrain_Signal=150:nTrain_Background=150:nTest_Signal=100:nTest_Background=100:SplitMode=Random:NormMode=NumEvents:!V",
)
for kind, title, options in bookings:
    if title not in off:
        factory.BookMethod(loader, getattr(TMVA.Types, kind), title, options)
factory.TrainAllMethods()
factory.TestAllMethods()
factory.EvaluateAllMethods()
output.Close()
print("==> Wrote root file: TMVA.root")
print("==> every_classification is done!")
