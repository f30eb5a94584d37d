// k-fold cross validation
#include "TMVA/CrossValidation.h"
#include "TMVA/DataLoader.h"
#include "TMVA/Tools.h"

int crossvalidation(UInt_t numFolds = 3)
{
   TMVA::Tools::Instance();
   TFile *inputFile = TFile::Open("tmva_class_example.root");
   TFile *outputFile = TFile::Open("TMVACV.root", "RECREATE");
   TMVA::DataLoader *dataloader = new TMVA::DataLoader("datasetcv");
   for (auto name : std::vector<TString>{"var1", "var2", "var3"}) dataloader->AddVariable(name, 'F');
   dataloader->AddSpectator("eventID := var4*1000", 'I');
   dataloader->AddSignalTree((TTree*)inputFile->Get("TreeS"), 1.0);
   dataloader->AddBackgroundTree((TTree*)inputFile->Get("TreeB"), 1.0);
   dataloader->PrepareTrainingAndTestTree("", "", "nTest_Signal=1:nTest_Background=1:SplitMode=Random:NormMode=NumEvents:!V");

   TString analysisType = "Classification";
   TString splitType = "Random";
   TString cvOptions = Form("!V:Silent:ModelPersistence:AnalysisType=%s:SplitType=%s:NumFolds=%i", analysisType.Data(), splitType.Data(), numFolds);
   TMVA::CrossValidation cv{"crossvalidation", dataloader, outputFile, cvOptions};
   cv.BookMethod(TMVA::Types::kFisher, "Fisher", "!H:!V:Fisher");
   cv.BookMethod(TMVA::Types::kLD, "LD", "!H:!V");
   cv.Evaluate();

   size_t iMethod = 0;
   for (auto && result : cv.GetResults()) {
      std::cout << "Summary for method " << cv.GetMethods()[iMethod++].GetValue<TString>("MethodName") << std::endl;
      for (UInt_t iFold = 0; iFold < cv.GetNumFolds(); ++iFold) {
         std::cout << "\tFold " << iFold << ": " << "ROC int: " << result.GetROCValues()[iFold] << std::endl;
      }
      printf("average %.4f +- %.4f\n", result.GetROCAverage(), result.GetROCStandardDeviation());
   }
   outputFile->Close();
   return 0;
}
