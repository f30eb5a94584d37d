/**********************************************************************************
 * Application of the trained networks                                            *
 **********************************************************************************/
#include <cstdlib>
#include <vector>
#include <iostream>
#include <map>
#include <string>

#include "TFile.h"
#include "TTree.h"
#include "TString.h"
#include "TH1F.h"
#include "TStopwatch.h"
#include "TMVA/Reader.h"

using namespace TMVA;

void application( TString myMethodList = "" )
{
   TMVA::Tools::Instance();

   // Default MVA methods
   std::map<std::string,int> Use;
   Use["MLP"]     = 1;
   Use["MLPBFGS"] = 0;
   Use["PyKeras"]     = 1; // uses Adaptive Boost

   std::cout << "==> Start application" << std::endl;

   // Create the Reader object
   TMVA::Reader *reader = new TMVA::Reader( "!Color:Silent" );

   // the names MUST correspond to those of the weight files
   Float_t var1, var2;
   Float_t var3, var4;
   reader->AddVariable( "myvar1 := var1+var2", &var1 );
   reader->AddVariable( "myvar2 := var1-var2", &var2 );
   reader->AddVariable( "var3",                &var3 );
   reader->AddVariable( "var4",                &var4 );

   // Spectator variables declared in the training have to be added to the reader, too
   Float_t spec1,spec2;
   reader->AddSpectator( "spec1 := var1*2",   &spec1 );

   // Book the MVA methods
   TString dir    = "dataset/weights/";
   TString prefix = "classification";
   for (std::map<std::string,int>::iterator it = Use.begin(); it != Use.end(); it++) {
      if (it->second) {
         TString methodName = TString(it->first) + TString(" method");
         TString weightfile = dir + prefix + TString("_") + TString(it->first) + TString(".weights.xml");
         reader->BookMVA( methodName, weightfile );
      }
   }

   // Book output histograms
   UInt_t nbin = 20;
   TH1F *histNn(0), *histBfgs(0);
   TH1F *histBdt(0);
   if (Use["MLP"])     histNn   = new TH1F( "MVA_MLP",     "MVA_MLP",     nbin, -1.25, 1.5 );
   if (Use["MLPBFGS"]) histBfgs = new TH1F( "MVA_MLPBFGS", "MVA_MLPBFGS", nbin, -1.25, 1.5 );
   if (Use["PyKeras"])     histBdt  = new TH1F( "MVA_PyKeras",     "MVA_PyKeras",     nbin, -0.8, 0.8 );
   TH1F *errHist = new TH1F("var3", "a variable; x; events", 10, -4., 4.);

   // Prepare input tree
   TString fname = "./toy.root";
   TFile *input = TFile::Open( fname );
   std::cout << "--- Select signal sample" << std::endl;
   TTree* theTree = (TTree*)input->Get("TreeS");
   Float_t userVar1, userVar2;
   theTree->SetBranchAddress( "var1", &userVar1 );
   theTree->SetBranchAddress( "var2", &userVar2 );
   theTree->SetBranchAddress( "var3", &var3 );
   theTree->SetBranchAddress( "var4", &var4 );

   TStopwatch sw;
   sw.Start();
   for (Long64_t ievt=0; ievt<theTree->GetEntries();ievt++) {

      if (ievt%1000 == 0) std::cout << "--- ... Processing event: " << ievt << std::endl;

      theTree->GetEntry(ievt);

      var1 = userVar1 + userVar2;
      var2 = userVar1 - userVar2;

      // Return the MVA outputs and fill into histograms
      if (Use["MLP"    ])   histNn  ->Fill( reader->EvaluateMVA( "MLP method"     ) );
      if (Use["MLPBFGS"])   histBfgs->Fill( reader->EvaluateMVA( "MLPBFGS method" ) );
      if (Use["PyKeras"    ])   histBdt ->Fill( reader->EvaluateMVA( "PyKeras method"     ) );
      errHist->Fill( var3, 2.0 );
   }
   // Get elapsed time
   sw.Stop();
   std::cout << "--- End of event loop: "; sw.Print();

   // Write histograms
   TFile *target  = new TFile( "TMVApp.root","RECREATE" );
   if (Use["MLP"    ]) histNn   ->Write();
   if (Use["MLPBFGS"]) histBfgs ->Write();
   if (Use["PyKeras"    ]) histBdt  ->Write();
   errHist->Write();
   target->Close();

   std::cout << "--- Created root file: \"TMVApp.root\" containing the MVA output histograms" << std::endl;
   delete reader;
   std::cout << "==> application is done!" << std::endl << std::endl;
}

int main( int argc, char** argv )
{
   TString methodList;
   for (int i=1; i<argc; i++) {
      TString regMethod(argv[i]);
      if (!methodList.IsNull()) methodList += TString(",");
      methodList += regMethod;
   }
   application(methodList);
   return 0;
}
