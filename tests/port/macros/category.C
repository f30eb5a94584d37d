// Different classifiers for barrel and endcap by the method Category
#include "TChain.h"
#include "TCut.h"
#include "TMVA/Factory.h"
#include "TMVA/DataLoader.h"
#include "TMVA/MethodCategory.h"
#include "TMVA/Tools.h"

void category(const Double_t etaSplit = 1.3, const char *pattern = "runs/run_*.root")
{
  TMVA::Tools::Instance();
  TChain *events = new TChain("events");
  Int_t nfiles = events->Add(pattern);
  std::cout << "files: " << nfiles << std::endl;

  TFile *out = TFile::Open("category.root", "recreate");
  TMVA::Factory *factory = new TMVA::Factory("category", out, "!V:Silent:!Color:!DrawProgressBar:AnalysisType=Classification");
  TMVA::DataLoader *loader = new TMVA::DataLoader("cat");
  loader->AddVariable("pt", 'F');
  loader->AddVariable("met", "missing E_{T}", "GeV", 'F');
  loader->AddVariable("njets", 'I');
  loader->AddSpectator("eta");

  loader->AddSignalTree(events, 1.0);
  loader->AddBackgroundTree(events, 1.0);
  TCut isSignal("isSignal == 1"), isBackground("isSignal == 0");
  loader->PrepareTrainingAndTestTree(isSignal, isBackground,
      "nTrain_Signal=150:nTrain_Background=150:nTest_Signal=100:nTest_Background=100:SplitMode=Random:!V");

  // the sub-methods
  TString theCat1Vars = "pt:met", theCat2Vars = "pt:met:njets";
  TCut barrel = Form("abs(eta)<%.1f", etaSplit);
  TCut endcap = TString::Format("abs(eta)>=%.1f", etaSplit).Data();
  TMVA::MethodBase *fiCat = factory->BookMethod(loader, TMVA::Types::kCategory, "FisherCat", "");
  TMVA::MethodCategory *mcategory = dynamic_cast<TMVA::MethodCategory*>(fiCat);
  mcategory->AddMethod(barrel, theCat1Vars, TMVA::Types::kFisher, "Category_Fisher_1", "!H:!V:Fisher");
  mcategory->AddMethod(endcap, theCat2Vars, TMVA::Types::kFisher, "Category_Fisher_2", "!H:!V:Fisher");
  factory->BookMethod(loader, TMVA::Types::kFisher, "Fisher", "!H:!V:Fisher");

  factory->TrainAllMethods();
  factory->TestAllMethods();
  factory->EvaluateAllMethods();
  out->Close();
  delete factory;
  delete loader;
}
