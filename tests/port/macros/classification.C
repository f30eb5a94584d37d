/***************************************************************************
 * Project : search for toys in the toy channel                            *
 * Macro   : classification.C                                              *
 *                                                                         *
 * Trains the networks of the analysis note.  Usage:                       *
 *     root -l classification.C                                            *
 *     root -l 'classification.C("MLP,MLPBNN")'                            *
 ***************************************************************************/

#include <cstdlib>
#include <iostream>
#include <map>
#include <string>

#include "TChain.h"
#include "TFile.h"
#include "TTree.h"
#include "TString.h"
#include "TSystem.h"
#include "TROOT.h"

#include "TMVA/Factory.h"
#include "TMVA/DataLoader.h"
#include "TMVA/Tools.h"
#include "TMVA/TMVAGui.h"

int classification( TString myMethodList = "" )
{
   // load the library
   TMVA::Tools::Instance();

   // the methods to be used, by name
   std::map<std::string,int> Use;

   // --- cuts
   Use["PyKeras"]         = 1; // a bridge
   Use["PyKerasD"]           = 0;
   // --- networks
   Use["MLP"]             = 1; // the recommended one
   Use["MLPBFGS"]         = 1; // quasi-Newton
   Use["MLPBNN"]          = 0; // with a regulator
   // --- trees
   Use["BDT"]             = 1; // adaptive boost

   std::cout << std::endl;
   std::cout << "==> Start classification" << std::endl;

   if (myMethodList != "") {
      for (std::map<std::string,int>::iterator it = Use.begin(); it != Use.end(); it++) it->second = 0;

      std::vector<TString> mlist = TMVA::gTools().SplitString( myMethodList, ',' );
      for (UInt_t i=0; i<mlist.size(); i++) {
         std::string regMethod(mlist[i]);

         if (Use.find(regMethod) == Use.end()) {
            std::cout << "Method \"" << regMethod << "\" is not known. Choose among:" << std::endl;
            for (std::map<std::string,int>::iterator it = Use.begin(); it != Use.end(); it++) std::cout << it->first << " ";
            std::cout << std::endl;
            return 1;
         }
         Use[regMethod] = 1;
      }
   }

   // --------------------------------------------------------------------------------------------------
   // the input
   TFile *input(0);
   TString fname = "./toy.root";
   if (!gSystem->AccessPathName( fname )) {
      input = TFile::Open( fname ); // a local file
   }
   else {
      TFile::SetCacheFileDir(".");
      input = TFile::Open("http://example.org/files/toy.root", "CACHEREAD");
   }
   if (!input) {
      std::cout << "ERROR: could not open data file" << std::endl;
      exit(1);
   }
   std::cout << "--- classification      : Using input file: " << input->GetName() << std::endl;

   TTree *signalTree     = (TTree*)input->Get("TreeS");
   TTree *background     = (TTree*)input->Get("TreeB");

   // the output
   TString outfileName( "TMVA.root" );
   TFile* outputFile = TFile::Open( outfileName, "RECREATE" );

   TMVA::Factory *factory = new TMVA::Factory( "classification", outputFile,
                                               "!V:Silent:!Color:!DrawProgressBar:Transformations=I;D:AnalysisType=Classification" );

   TMVA::DataLoader *dataloader=new TMVA::DataLoader("dataset");
   // (TMVA::gConfig().GetVariablePlotting()).fTimesRMS = 8.0;
   (TMVA::gConfig().GetVariablePlotting()).fTimesRMS = 5.0;

   dataloader->AddVariable( "myvar1 := var1+var2", 'F' );
   dataloader->AddVariable( "myvar2 := var1-var2", "Expression 2", "", 'F' );
   dataloader->AddVariable( "var3",                "Variable 3", "units", 'F' );
   dataloader->AddVariable( "var4",                "Variable 4", "units", 'F' );

   dataloader->AddSpectator( "spec1 := var1*2",  "Spectator 1", "units", 'F' );

   // global event weights per tree
   Double_t signalWeight     = 1.0;
   Double_t backgroundWeight = 1.0;

   dataloader->AddSignalTree    ( signalTree,     signalWeight );
   dataloader->AddBackgroundTree( background, backgroundWeight );

   dataloader->SetBackgroundWeightExpression( "weight" );

   TCut mycuts = ""; // for example: TCut mycuts = "abs(var1)<0.5 && abs(var2-0.5)<1";
   TCut mycutb = "var1 > -4";

   dataloader->PrepareTrainingAndTestTree( mycuts, mycutb,
                                        "nTrain_Signal=200:nTrain_Background=200:SplitMode=Random:NormMode=NumEvents:!V" );

   // Cut optimisation
   if (Use["PyKeras"])
      factory->BookMethod( dataloader, TMVA::Types::kPyKeras, "PyKeras",
                           "!H:!V:FitMethod=MC:EffSel:SampleSize=200000:VarProp=FSmart" );

   // if (Use["Likelihood"])
   //    factory->BookMethod( dataloader, TMVA::Types::kLikelihood, "Likelihood", "H:!V" );

   // networks
   if (Use["MLP"])
      factory->BookMethod( dataloader, TMVA::Types::kMLP, "MLP", "!H:!V:NeuronType=tanh:VarTransform=N:NCycles=5:HiddenLayers=N+1:TestRate=5:!UseRegulator" );

   if (Use["MLPBFGS"])
      factory->BookMethod( dataloader, TMVA::Types::kMLP, "MLPBFGS", "!H:!V:NeuronType=tanh:VarTransform=N:NCycles=5:HiddenLayers=3:TestRate=5:TrainingMethod=BFGS:!UseRegulator" );

   if (Use["MLPBNN"])
      factory->BookMethod( dataloader, TMVA::Types::kMLP, "MLPBNN", "!H:!V:NeuronType=tanh:VarTransform=N:NCycles=5:HiddenLayers=3:TestRate=5:TrainingMethod=BFGS:UseRegulator" ); // BFGS with bayesian regulators

   if (Use["BDT"])  // Adaptive Boost
      factory->BookMethod( dataloader, TMVA::Types::kBDT, "BDT",
                           "!H:!V:NTrees=30:MinNodeSize=2.5%:MaxDepth=3:BoostType=AdaBoost" );

   // --------------------------------------------------------------------------------------------------
   // For an example of the optimisation see the note
   //     factory->OptimizeAllMethods("SigEffAtBkg0.01","Scan");

   // Train MVAs using the set of training events
   factory->TrainAllMethods();

   // Evaluate all MVAs using the set of test events
   factory->TestAllMethods();

   // Evaluate and compare performance of all configured MVAs
   factory->EvaluateAllMethods();

   // --------------------------------------------------------------

   // Save the output
   outputFile->Close();

   std::cout << "==> Wrote root file: " << outputFile->GetName() << std::endl;
   std::cout << "==> classification is done!" << std::endl;

   delete factory;
   delete dataloader;

   // Launch the GUI for the root macros
   if (!gROOT->IsBatch()) TMVA::TMVAGui( outfileName );

   return 0;
}

int main( int argc, char** argv )
{
   // Select methods (don't look at this code - not of interest)
   TString methodList;
   for (int i=1; i<argc; i++) {
      TString regMethod(argv[i]);
      if(regMethod=="-b" || regMethod=="--batch") continue;
      if (!methodList.IsNull()) methodList += TString(",");
      methodList += regMethod;
   }
   return classification(methodList);
}
