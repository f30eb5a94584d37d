/// Application of the methods that every_classification.C has trained, as in the tutorial

#include <cstdlib>
#include <vector>
#include <iostream>
#include <map>
#include <string>

#include "TFile.h"
#include "TTree.h"
#include "TString.h"
#include "TSystem.h"
#include "TROOT.h"
#include "TStopwatch.h"

#include "TMVA/Tools.h"
#include "TMVA/Reader.h"
#include "TMVA/MethodCuts.h"

using namespace TMVA;

void every_application( TString myMethodList = "" )
{
   TMVA::Tools::Instance();

   std::map<std::string,int> Use;
   Use["CutsGA"]          = 1;
   Use["Likelihood"]      = 1;
   Use["LikelihoodPCA"]   = 1;
   Use["PDERS"]           = 1;
   Use["PDEFoam"]         = 1;
   Use["KNN"]             = 1;
   Use["LD"]              = 1;
   Use["Fisher"]          = 1;
   Use["HMatrix"]         = 1;
   Use["FDA_GA"]          = 1;
   Use["MLP"]             = 1;
   Use["MLPBNN"]          = 1;
   Use["CFMlpANN"]        = 1;
   Use["TMlpANN"]         = 1;
   Use["SVM"]             = 1;
   Use["BDT"]             = 1;
   Use["BDTG"]            = 1;
   Use["RuleFit"]         = 1;
   Use["Nothing"]         = 0;

   std::cout << std::endl;
   std::cout << "==> Start every_application" << std::endl;

   // Select methods (don't look at this code - not of interest)
   if (myMethodList != "") {
      for (std::map<std::string,int>::iterator it = Use.begin(); it != Use.end(); it++) it->second = 0;
      std::vector<TString> mlist = gTools().SplitString( myMethodList, ',' );
      for (UInt_t i=0; i<mlist.size(); i++) {
         std::string regMethod(mlist[i]);
         if (Use.find(regMethod) == Use.end()) {
            std::cout << "Method \"" << regMethod << "\" not known" << std::endl;
            return;
         }
         Use[regMethod] = 1;
      }
   }

   // Create the Reader object
   TMVA::Reader *reader = new TMVA::Reader( "!Color:Silent" );

   // Create a set of variables and declare them to the reader
   // - the variable names MUST corresponds in name and type to those given in the weight file(s) used
   Float_t var1, var2;
   Float_t var3, var4;
   reader->AddVariable( "myvar1 := var1+var2", &var1 );
   reader->AddVariable( "myvar2 := var1-var2", &var2 );
   reader->AddVariable( "var3",                &var3 );
   reader->AddVariable( "var4",                &var4 );

   // Spectator variables declared in the training have to be added to the reader, too
   Float_t spec1;
   reader->AddSpectator( "spec1 := var1*2",   &spec1 );

   // Book the MVA methods
   TString dir    = "dataset/weights/";
   TString prefix = "every_classification";

   for (std::map<std::string,int>::iterator it = Use.begin(); it != Use.end(); it++) {
      if (it->second) {
         TString methodName = TString(it->first) + TString(" method");
         TString weightfile = dir + prefix + TString("_") + TString(it->first) + TString(".weights.xml");
         reader->BookMVA( methodName, weightfile );
      }
   }

   // Book output histograms
   UInt_t nbin = 100;
   TH1F *histLk(0), *histLkPCA(0), *histNn(0), *histNnbnn(0), *histFi(0), *histBdt(0);
   TH1F *histProbFi(0), *histRarityFi(0);
   if (Use["Likelihood"])    histLk    = new TH1F( "MVA_Likelihood",    "MVA_Likelihood",    nbin, -1, 1 );
   if (Use["LikelihoodPCA"]) histLkPCA = new TH1F( "MVA_LikelihoodPCA", "MVA_LikelihoodPCA", nbin, -1, 1 );
   if (Use["MLP"])           histNn    = new TH1F( "MVA_MLP",           "MVA_MLP",           nbin, -1.25, 1.5 );
   if (Use["MLPBNN"])        histNnbnn = new TH1F( "MVA_MLPBNN",        "MVA_MLPBNN",        nbin, -1.25, 1.5 );
   if (Use["BDT"])           histBdt   = new TH1F( "MVA_BDT",           "MVA_BDT",           nbin, -0.8, 0.8 );
   if (Use["Fisher"]) {
      histFi       = new TH1F( "MVA_Fisher",        "MVA_Fisher",        nbin, -4, 4 );
      histProbFi   = new TH1F( "MVA_Fisher_Proba",  "MVA_Fisher_Proba",  nbin, 0, 1 );
      histRarityFi = new TH1F( "MVA_Fisher_Rarity", "MVA_Fisher_Rarity", nbin, 0, 1 );
   }
   std::map<std::string, TH1F*> others;
   const char* more[] = { "PDERS", "PDEFoam", "KNN", "LD", "HMatrix", "FDA_GA", "CFMlpANN", "TMlpANN", "SVM", "BDTG", "RuleFit" };
   for (UInt_t i = 0; i < sizeof(more)/sizeof(more[0]); i++)
      if (Use[more[i]]) others[more[i]] = new TH1F( Form("MVA_%s", more[i]), more[i], nbin, -2, 2 );

   // Prepare input tree
   TFile *input(0);
   TString fname = "./tmva_class_example.root";
   if (!gSystem->AccessPathName( fname )) input = TFile::Open( fname );
   if (!input) {
      std::cout << "ERROR: could not open data file" << std::endl;
      exit(1);
   }

   // Event loop
   std::cout << "--- Select signal sample" << std::endl;
   TTree* theTree = (TTree*)input->Get("TreeS");
   Float_t userVar1, userVar2;
   theTree->SetBranchAddress( "var1", &userVar1 );
   theTree->SetBranchAddress( "var2", &userVar2 );
   theTree->SetBranchAddress( "var3", &var3 );
   theTree->SetBranchAddress( "var4", &var4 );

   // Efficiency calculator for cut method
   Int_t    nSelCutsGA = 0;
   Double_t effS       = 0.7;

   std::vector<Float_t> vecVar(4); // vector for EvaluateMVA tests
   Double_t sumVec = 0;

   const Long64_t nEvents = TMath::Min( theTree->GetEntries(), (Long64_t)80 );
   std::cout << "--- Processing: " << nEvents << " events" << std::endl;
   TStopwatch sw;
   sw.Start();
   for (Long64_t ievt=0; ievt<nEvents; ievt++) {

      if (ievt%40 == 0) std::cout << "--- ... Processing event: " << ievt << std::endl;

      theTree->GetEntry(ievt);

      var1 = userVar1 + userVar2;
      var2 = userVar1 - userVar2;

      // Return the MVA outputs and fill into histograms
      if (Use["CutsGA"]) {
         // Cuts is a special case: give the desired signal efficienciy
         Bool_t passed = reader->EvaluateMVA( "CutsGA method", effS );
         if (passed) nSelCutsGA++;
      }

      if (Use["Likelihood"   ])   histLk     ->Fill( reader->EvaluateMVA( "Likelihood method"    ) );
      if (Use["LikelihoodPCA"])   histLkPCA  ->Fill( reader->EvaluateMVA( "LikelihoodPCA method" ) );
      if (Use["MLP"          ])   histNn     ->Fill( reader->EvaluateMVA( "MLP method"           ) );
      if (Use["MLPBNN"       ])   histNnbnn  ->Fill( reader->EvaluateMVA( "MLPBNN method"        ) );
      if (Use["BDT"          ])   histBdt    ->Fill( reader->EvaluateMVA( "BDT method"           ) );
      for (auto & entry : others) entry.second->Fill( reader->EvaluateMVA( entry.first + " method" ) );

      // Retrieve also per-event probability and rarity
      if (Use["Fisher"]) {
         histFi      ->Fill( reader->EvaluateMVA( "Fisher method" ) );
         histProbFi  ->Fill( reader->GetProba ( "Fisher method" ) );
         histRarityFi->Fill( reader->GetRarity( "Fisher method" ) );
      }

      vecVar[0] = var1;
      vecVar[1] = var2;
      vecVar[2] = var3;
      vecVar[3] = var4;
      if (Use["LD"]) sumVec += reader->EvaluateMVA( vecVar, "LD method" );
   }

   // Get elapsed time
   sw.Stop();
   std::cout << "--- End of event loop: "; sw.Print();

   // Get efficiency for cuts classifier
   if (Use["CutsGA"]) std::cout << "--- Efficiency for CutsGA method: " << double(nSelCutsGA)/nEvents
                                << " (for a required signal efficiency of " << effS << ")" << std::endl;

   if (Use["CutsGA"]) {
      // test: retrieve cuts for particular signal efficiency
      TMVA::MethodCuts* mcuts = reader->FindCutsMVA( "CutsGA method" ) ;

      if (mcuts) {
         std::vector<Double_t> cutsMin;
         std::vector<Double_t> cutsMax;
         mcuts->GetCuts( 0.7, cutsMin, cutsMax );
         std::cout << "--- -------------------------------------------------------------" << std::endl;
         std::cout << "--- Retrieve cut values for signal efficiency of 0.7 from Reader" << std::endl;
         for (UInt_t ivar=0; ivar<cutsMin.size(); ivar++) {
            std::cout << "... Cut: "
                      << cutsMin[ivar]
                      << " < \""
                      << mcuts->GetInputVar(ivar)
                      << "\" <= "
                      << cutsMax[ivar] << std::endl;
         }
         std::cout << "--- -------------------------------------------------------------" << std::endl;
      }
   }

   // Write histograms
   TFile *target  = new TFile( "TMVApp.root","RECREATE" );
   if (Use["Likelihood"   ])   histLk     ->Write();
   if (Use["LikelihoodPCA"])   histLkPCA  ->Write();
   if (Use["MLP"          ])   histNn     ->Write();
   if (Use["MLPBNN"       ])   histNnbnn  ->Write();
   if (Use["BDT"          ])   histBdt    ->Write();
   if (Use["Fisher"       ]) { histFi->Write(); histProbFi->Write(); histRarityFi->Write(); }
   for (auto it = others.begin(); it != others.end(); ++it) it->second->Write();
   target->Close();

   std::cout << "--- Created root file: \"TMVApp.root\" containing the MVA output histograms" << std::endl;
   std::cout << "mean of LD " << sumVec / nEvents << std::endl;

   delete reader;

   std::cout << "==> every_application is done!" << std::endl << std::endl;
}

int main( int argc, char** argv )
{
   TString methodList;
   for (int i=1; i<argc; i++) {
      TString regMethod(argv[i]);
      if(regMethod=="-b" || regMethod=="--batch") continue;
      if (!methodList.IsNull()) methodList += TString(",");
      methodList += regMethod;
   }
   every_application(methodList);
   return 0;
}
