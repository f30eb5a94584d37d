#include "TMVA/Factory.h"
#include "TMVA/DataLoader.h"

#ifdef __CINT__
#include "TMVAMultiClassGui.C"
#else
#include "TMVA/TMVAMultiClassGui.h"
#endif

// train against three backgrounds
int multiclass(int ncycles = 5)
{
   auto outputFile = TFile::Open("TMVAMulticlass.root", "RECREATE");
   auto factory = new TMVA::Factory("multi", outputFile,
      "!V:Silent:!Color:!DrawProgressBar:Transformations=I;D;P;G,D:AnalysisType=multiclass");
   auto loader = new TMVA::DataLoader("multidata");

   for (auto & v : std::vector<TString>{"var1", "var2", "var3", "var4"}) {
      loader->AddVariable(v, 'F');
   }

   TFile *input = TFile::Open("toy.root");
   if (!input || input->IsZombie()) { std::cerr << "cannot open toy.root\n"; return 1; }

   std::vector<std::pair<TString, double> > unused;
   const std::vector<std::string> classes = {"Signal", "bg0", "bg1", "bg2"};
   std::map<std::string, std::string> treeOf = {{"Signal", "TreeS"}, {"bg0", "TreeB0"}, {"bg1", "TreeB1"}, {"bg2", "TreeB2"}};
   for (const auto &c : classes) {
      TTree *t = (TTree*)input->Get(treeOf[c].c_str());
      loader->AddTree(t, c);
   }

   gROOT->cd( outputFile->GetName() );
   loader->PrepareTrainingAndTestTree("", "SplitMode=Random:NormMode=NumEvents:!V");

   std::string layers;
   switch (ncycles) {
      case 0:
      case 1:
         layers = "3";
         break;
      case 5: layers = "N,3"; break;
      default:
         layers = "N+5,5";
         break;
   }
   factory->BookMethod(loader, TMVA::Types::kMLP, "MLP",
      "!H:!V:NeuronType=tanh:NCycles=" + std::to_string(ncycles) + ":HiddenLayers=" + layers + ":TestRate=5:EstimatorType=MSE");
#if ROOT_VERSION_CODE >= ROOT_VERSION(6,8,0)
   factory->BookMethod(loader, TMVA::Types::kBDT, "BDTG", "!H:!V:NTrees=10:BoostType=Grad");
#else
   factory->BookMethod(TMVA::Types::kBDT, "BDTG", "!H:!V:NTrees=10:BoostType=Grad");
#endif

   factory->TrainAllMethods();
   factory->TestAllMethods();
   factory->EvaluateAllMethods();
   outputFile->Close();
   delete factory;
   delete loader;
   if (!gROOT->IsBatch()) TMVAMultiClassGui("TMVAMulticlass.root");
   return 0;
}
