// TMVA of ROOT 5: no DataLoader, the Factory does everything
#include "TMVAGui.C"

#if not defined(__CINT__) || defined(__MAKECINT__)
#include "TMVA/Factory.h"
#include "TMVA/Tools.h"
#endif

Bool_t ReadDataFromAsciiIFormat = kFALSE;

void old_style( TString fin = "tmva_class_example.root", Double_t sw = 1.0, Double_t bw = 2.0 )
{
   TMVA::Tools::Instance();
   TFile* outputFile = TFile::Open( "old_style.root", "RECREATE" );
   TMVA::Factory *factory = new TMVA::Factory( "old_style", outputFile,
      "!V:Silent:!Color:!DrawProgressBar:Transformations=I;D;P;G,D:AnalysisType=Classification" );
   factory->AddVariable( "var1", 'F' );
   factory->AddVariable( "var2", 'F' );
   factory->AddVariable( "sum := var3+var4", "sum of two", "GeV", 'F' );
   factory->AddSpectator( "var4" );

   if (ReadDataFromAsciiIFormat) {
      // never here
      factory->SetInputTrees( "signal.dat", "background.dat", sw, bw );
   }
   else {
      TFile* input = 0;
      if (!gSystem->AccessPathName( fin )) input = TFile::Open( fin );
      else exit(1);
      TTree *signal     = (TTree*)input->Get("TreeS");
      TTree *background = (TTree*)input->Get("TreeB");
      factory->AddSignalTree    ( signal,     sw );
      factory->AddBackgroundTree( background, bw );
   }
   factory->SetBackgroundWeightExpression("weight");
   TCut mycuts = "var1<3", mycutb = "var1<3 && var2>-4";
   factory->PrepareTrainingAndTestTree( mycuts, mycutb, "nTrain_Signal=100:nTrain_Background=120:SplitMode=Block:NormMode=EqualNumEvents:!V" );

   factory->BookMethod( TMVA::Types::kLikelihood, "Likelihood", "!H:!V:NSmooth=2:NAvEvtPerBin=20" );
   factory->BookMethod( TMVA::Types::kLD, "LD", "!H:!V" );
   factory->BookMethod( TMVA::Types::kHMatrix, "HMatrix", "!H:!V" );
   factory->TrainAllMethods();
   factory->TestAllMethods();
   factory->EvaluateAllMethods();
   outputFile->Close();
   delete factory;
   if (!gROOT->IsBatch()) TMVAGui( "old_style.root" );
}
