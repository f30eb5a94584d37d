// All of TMVA's methods on one sample
#include <iostream>
#include <map>
#include <string>

#include "TCut.h"
#include "TFile.h"
#include "TTree.h"
#include "TString.h"

#include "TMVA/Factory.h"
#include "TMVA/DataLoader.h"
#include "TMVA/MethodCategory.h"
#include "TMVA/Tools.h"
#include "TMVA/TMVAGui.h"

int every_method()
{
   TMVA::Tools::Instance();
   std::map<std::string,int> Use;
   Use["Cuts"] = 1;
   Use["CutsD"] = 1;
   Use["CutsGA"] = 1;
   Use["CutsSA"] = 1;
   Use["Likelihood"] = 1;
   Use["LikelihoodPCA"] = 1;
   Use["LikelihoodKDE"] = 1;
   Use["PDERS"] = 1;
   Use["PDEFoam"] = 1;
   Use["KNN"] = 1;
   Use["HMatrix"] = 1;
   Use["Fisher"] = 1;
   Use["BoostedFisher"] = 1;
   Use["LD"] = 1;
   Use["FDA_MC"] = 1;
   Use["FDA_GA"] = 1;
   Use["MLP"] = 1;
   Use["MLPBNN"] = 1;
   Use["CFMlpANN"] = 1;
   Use["TMlpANN"] = 1;
   Use["SVM"] = 1;
   Use["BDT"] = 1;
   Use["BDTG"] = 1;
   Use["BDTF"] = 1;
   Use["RuleFit"] = 1;
   Use["DNN_CPU"] = 1;  // only read here

   TFile *input = TFile::Open("tmva_class_example.root");
   TTree *signalTree = (TTree*)input->Get("TreeS");
   TTree *background = (TTree*)input->Get("TreeB");
   TString outfileName("TMVA.root");
   TFile *outputFile = TFile::Open(outfileName, "RECREATE");

   TMVA::Factory *factory = new TMVA::Factory("Every", outputFile, "!V:!Silent:!Color:!DrawProgressBar:AnalysisType=Classification");
   TMVA::DataLoader *dataloader = new TMVA::DataLoader("dataset");
   dataloader->AddVariable("var1", 'F');
   dataloader->AddVariable("var2", 'F');
   dataloader->AddVariable("var3", 'F');
   dataloader->AddVariable("var4", 'F');
   dataloader->AddSpectator("eta", "eta", "", 'F');
   dataloader->AddSignalTree(signalTree, 1.0);
   dataloader->AddBackgroundTree(background, 1.0);

   TMVA::MethodCategory *mcat = 0;
   TMVA::MethodBase *category = factory->BookMethod(dataloader, TMVA::Types::kCategory, "Category", "");
   mcat = dynamic_cast<TMVA::MethodCategory*>(category);
   mcat->AddMethod("abs(eta)<1.2", "var1:var2:var3:var4", TMVA::Types::kFisher, "Category_Fisher", "!H:!V");
   mcat->AddMethod("abs(eta)>=1.2", "var1:var2:var3", TMVA::Types::kLD, "Category_LD", "!H:!V");

   TCut mycuts = "";
   TCut mycutb = "";
   dataloader->PrepareTrainingAndTestTree(mycuts, mycutb,
      "nTrain_Signal=1000:nTrain_Background=1000:nTest_Signal=1000:nTest_Background=1000:SplitMode=Random:!V");

   if (Use["Cuts"])
      factory->BookMethod(dataloader, TMVA::Types::kCuts, "Cuts",
         "!H:!V:FitMethod=MC:EffSel:SampleSize=20000:VarProp=FSmart");
   if (Use["CutsD"])
      factory->BookMethod(dataloader, TMVA::Types::kCuts, "CutsD",
         "!H:!V:FitMethod=MC:EffSel:SampleSize=20000:VarProp=FSmart:VarTransform=Decorrelate");
   if (Use["CutsGA"])
      factory->BookMethod(dataloader, TMVA::Types::kCuts, "CutsGA",
         "!H:!V:FitMethod=GA:CutRangeMin[0]=-10:CutRangeMax[0]=10:VarProp[1]=FMax:Steps=10:Cycles=2:PopSize=100");
   if (Use["CutsSA"])
      factory->BookMethod(dataloader, TMVA::Types::kCuts, "CutsSA",
         "!H:!V:FitMethod=SA:EffSel:MaxCalls=2000:KernelTemp=IncAdaptive:InitialTemp=1e+6:MinTemp=1e-6");
   if (Use["Likelihood"])
      factory->BookMethod(dataloader, TMVA::Types::kLikelihood, "Likelihood",
         "!H:!V:TransformOutput:PDFInterpol=Spline2:NSmoothSig[0]=20:NSmoothBkg[0]=20:NAvEvtPerBin=50");
   if (Use["LikelihoodPCA"])
      factory->BookMethod(dataloader, TMVA::Types::kLikelihood, "LikelihoodPCA",
         "!H:!V:!TransformOutput:PDFInterpol=Spline2:NSmooth=5:NAvEvtPerBin=50:VarTransform=PCA");
   if (Use["LikelihoodKDE"])
      factory->BookMethod(dataloader, TMVA::Types::kLikelihood, "LikelihoodKDE",
         "!H:!V:!TransformOutput:PDFInterpol=KDE:KDEtype=Gauss:KDEiter=Nonadaptive:NAvEvtPerBin=50");
   if (Use["PDERS"])
      factory->BookMethod(dataloader, TMVA::Types::kPDERS, "PDERS",
         "!H:!V:NormTree=T:VolumeRangeMode=Adaptive:KernelEstimator=Gauss:GaussSigma=0.3:NEventsMin=40:NEventsMax=80");
   if (Use["PDEFoam"])
      factory->BookMethod(dataloader, TMVA::Types::kPDEFoam, "PDEFoam",
         "!H:!V:SigBgSeparate=F:TailCut=0.001:nActiveCells=200:nSampl=500:nBin=5:Nmin=50:Kernel=None:Compress=T");
   if (Use["KNN"])
      factory->BookMethod(dataloader, TMVA::Types::kKNN, "KNN",
         "!H:!V:nkNN=20:ScaleFrac=0.8:SigmaFact=1.0:Kernel=Gaus:UseKernel=F:UseWeight=T:!Trim");
   if (Use["HMatrix"])
      factory->BookMethod(dataloader, TMVA::Types::kHMatrix, "HMatrix",
         "!H:!V:VarTransform=None");
   if (Use["Fisher"])
      factory->BookMethod(dataloader, TMVA::Types::kFisher, "Fisher",
         "!H:!V:Fisher:VarTransform=None:CreateMVAPdfs:PDFInterpolMVAPdf=Spline2:NbinsMVAPdf=50:NsmoothMVAPdf=10");
   if (Use["BoostedFisher"])
      factory->BookMethod(dataloader, TMVA::Types::kFisher, "BoostedFisher",
         "!H:!V:Boost_Num=10:Boost_Transform=log:Boost_Type=AdaBoost:Boost_AdaBoostBeta=0.2");
   if (Use["LD"])
      factory->BookMethod(dataloader, TMVA::Types::kLD, "LD",
         "!H:!V:VarTransform=None");
   if (Use["FDA_MC"])
      factory->BookMethod(dataloader, TMVA::Types::kFDA, "FDA_MC",
         "!H:!V:Formula=(0)+(1)*x0+(2)*x1+(3)*x2+(4)*x3:ParRanges=(-1,1);(-10,10);(-10,10);(-10,10);(-10,10):FitMethod=MC:SampleSize=2000:Sigma=0.1");
   if (Use["FDA_GA"])
      factory->BookMethod(dataloader, TMVA::Types::kFDA, "FDA_GA",
         "!H:!V:Formula=(0)+(1)*x0+(2)*x1+(3)*x2+(4)*x3:ParRanges=(-1,1);(-10,10);(-10,10);(-10,10);(-10,10):FitMethod=GA:PopSize=40:Cycles=2:Steps=5:Trim=True");
   if (Use["MLP"])
      factory->BookMethod(dataloader, TMVA::Types::kMLP, "MLP",
         "!H:!V:NeuronType=tanh:VarTransform=N:NCycles=60:HiddenLayers=N+5:TestRate=5:!UseRegulator");
   if (Use["MLPBNN"])
      factory->BookMethod(dataloader, TMVA::Types::kMLP, "MLPBNN",
         "!H:!V:NeuronType=tanh:VarTransform=N:NCycles=60:HiddenLayers=N+5:TestRate=5:TrainingMethod=BFGS:UseRegulator");
   if (Use["CFMlpANN"])
      factory->BookMethod(dataloader, TMVA::Types::kCFMlpANN, "CFMlpANN",
         "!H:!V:NCycles=50:HiddenLayers=N+1,N");
   if (Use["TMlpANN"])
      factory->BookMethod(dataloader, TMVA::Types::kTMlpANN, "TMlpANN",
         "!H:!V:NCycles=50:HiddenLayers=N+1,N:LearningMethod=BFGS:ValidationFraction=0.3");
   if (Use["SVM"])
      factory->BookMethod(dataloader, TMVA::Types::kSVM, "SVM",
         "!H:!V:Gamma=0.25:Tol=0.001:VarTransform=Norm");
   if (Use["BDT"])
      factory->BookMethod(dataloader, TMVA::Types::kBDT, "BDT",
         "!H:!V:NTrees=100:MinNodeSize=2.5%:MaxDepth=3:BoostType=AdaBoost:AdaBoostBeta=0.5:UseBaggedBoost:BaggedSampleFraction=0.5:SeparationType=GiniIndex:nCuts=20");
   if (Use["BDTG"])
      factory->BookMethod(dataloader, TMVA::Types::kBDT, "BDTG",
         "!H:!V:NTrees=100:MinNodeSize=2.5%:BoostType=Grad:Shrinkage=0.10:UseBaggedBoost:BaggedSampleFraction=0.5:nCuts=20:MaxDepth=2");
   if (Use["BDTF"])
      factory->BookMethod(dataloader, TMVA::Types::kBDT, "BDTF",
         "!H:!V:NTrees=20:MinNodeSize=2.5%:UseFisherCuts:MaxDepth=3:BoostType=AdaBoost:SeparationType=GiniIndex:nCuts=20");
   if (Use["RuleFit"])
      factory->BookMethod(dataloader, TMVA::Types::kRuleFit, "RuleFit",
         "!H:!V:RuleFitModule=RFTMVA:Model=ModRuleLinear:MinImp=0.001:RuleMinDist=0.001:NTrees=20:fEventsMin=0.01:fEventsMax=0.5:GDTau=-1.0:GDTauPrec=0.01:GDStep=0.01:GDNSteps=1000:GDErrScale=1.02");
   if (Use["DNN_CPU"])
      factory->BookMethod(dataloader, TMVA::Types::kDL, "DNN_CPU", "!H:!V:Layout=TANH|128,LINEAR");

   factory->TrainAllMethods();
   factory->TestAllMethods();
   factory->EvaluateAllMethods();
   outputFile->Close();
   std::cout << "==> wrote root file " << outputFile->GetName() << std::endl;
   delete factory;
   delete dataloader;
   if (!gROOT->IsBatch()) TMVA::TMVAGui(outfileName);
   return 0;
}
