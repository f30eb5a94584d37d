# All of TMVA's methods on one sample, compared in one report
import ROOT

bookings = [
    ("kCuts", "Cuts", "FitMethod=MC:EffSel:SampleSize=20000:VarProp=FSmart"),
    ("kLikelihood", "Likelihood", "TransformOutput:PDFInterpol=Spline2:NSmoothSig[0]=20:NSmoothBkg[0]=20:NAvEvtPerBin=50"),
    ("kPDERS", "PDERS", "NormTree=T:VolumeRangeMode=Adaptive:KernelEstimator=Gauss:GaussSigma=0.3:NEventsMin=40:NEventsMax=80"),
    ("kPDEFoam", "PDEFoam", "SigBgSeparate=F:TailCut=0.001:nActiveCells=200:nSampl=500:nBin=5:Nmin=50:Kernel=None:Compress=T"),
    ("kKNN", "KNN", "nkNN=20:ScaleFrac=0.8:SigmaFact=1.0:Kernel=Gaus:UseKernel=F:UseWeight=T:!Trim"),
    ("kHMatrix", "HMatrix", "VarTransform=None"),
    ("kFisher", "Fisher", "Fisher:VarTransform=None:CreateMVAPdfs:PDFInterpolMVAPdf=Spline2:NbinsMVAPdf=50:NsmoothMVAPdf=10"),
    ("kFisher", "BoostedFisher", "Boost_Num=10:Boost_Transform=log:Boost_Type=AdaBoost:Boost_AdaBoostBeta=0.2"),
    ("kLD", "LD", "VarTransform=None"),
    ("kFDA", "FDA_MC", "Formula=(0)+(1)*x0+(2)*x1+(3)*x2+(4)*x3:ParRanges=(-1,1);(-10,10);(-10,10);(-10,10);(-10,10):FitMethod=MC:SampleSize=2000:Sigma=0.1"),
    ("kMLP", "MLPBNN", "NeuronType=tanh:VarTransform=N:NCycles=60:HiddenLayers=N+5:TestRate=5:TrainingMethod=BFGS:UseRegulator"),
    ("kCFMlpANN", "CFMlpANN", "NCycles=50:HiddenLayers=N+1,N"),
    ("kTMlpANN", "TMlpANN", "NCycles=50:HiddenLayers=N+1,N:LearningMethod=BFGS:ValidationFraction=0.3"),
    ("kSVM", "SVM", "Gamma=0.25:Tol=0.001:VarTransform=Norm"),
    ("kBDT", "BDT", "NTrees=100:MinNodeSize=2.5%:MaxDepth=3:BoostType=AdaBoost:AdaBoostBeta=0.5:UseBaggedBoost:BaggedSampleFraction=0.5:SeparationType=GiniIndex:nCuts=20"),
    ("kRuleFit", "RuleFit", "RuleFitModule=RFTMVA:Model=ModRuleLinear:MinImp=0.001:RuleMinDist=0.001:NTrees=20:fEventsMin=0.01:fEventsMax=0.5:GDTau=-1.0:GDTauPrec=0.01:GDStep=0.01:GDNSteps=1000:GDErrScale=1.02"),
]  # fmt: skip

source = ROOT.TFile.Open("tmva_class_example.root")
output = ROOT.TFile.Open("TMVA.root", "RECREATE")
factory = ROOT.TMVA.Factory("Every", output, "!V:!Silent:!Color:!DrawProgressBar:AnalysisType=Classification")
loader = ROOT.TMVA.DataLoader("dataset")
for name in ("var1", "var2", "var3", "var4"):
    loader.AddVariable(name, "F")
loader.AddSpectator("eta", "F")
loader.AddSignalTree(source.Get("TreeS"), 1.0)
loader.AddBackgroundTree(source.Get("TreeB"), 1.0)

category = factory.BookMethod(loader, ROOT.TMVA.Types.kCategory, "Category", "")
category.AddMethod(ROOT.TCut("abs(eta)<1.2"), "var1:var2:var3:var4", ROOT.TMVA.Types.kFisher, "Category_Fisher", "!H:!V")
category.AddMethod(ROOT.TCut("abs(eta)>=1.2"), "var1:var2:var3", ROOT.TMVA.Types.kLD, "Category_LD", "!H:!V")

loader.PrepareTrainingAndTestTree(
    ROOT.TCut(""), "nTrain_Signal=1000:nTrain_Background=1000:nTest_Signal=1000:nTest_Background=1000:SplitMode=Random:!V"
)
for kind, title, options in bookings:
    factory.BookMethod(loader, getattr(ROOT.TMVA.Types, kind), title, "!H:!V:" + options)

factory.TrainAllMethods()
factory.TestAllMethods()
factory.EvaluateAllMethods()
output.Close()
ROOT.TMVA.TMVAGui("TMVA.root")
