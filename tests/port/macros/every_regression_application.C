// Regression application: the deviation of each method from the true value
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
#include "TMVA/Tools.h"
#include "TMVA/Reader.h"

using namespace TMVA;
using namespace std;

void every_regression_application( TString myMethodList = "" )
{
   TMVA::Tools::Instance();
   std::map<std::string,int> Use;
   Use["PDERS"] = 1; Use["PDEFoam"] = 1; Use["KNN"] = 1; Use["LD"] = 1; Use["FDA_GA"] = 1;
   Use["MLP"] = 1; Use["SVM"] = 0; Use["BDT"] = 1; Use["BDTG"] = 1;

   TMVA::Reader *reader = new TMVA::Reader( "!Color:Silent" );
   Float_t var1, var2;
   reader->AddVariable( "var1", &var1 );
   reader->AddVariable( "var2", &var2 );
   Float_t spec1;
   reader->AddSpectator( "spec1:=var1*2", &spec1 );

   TString dir    = "datasetreg/weights/";
   TString prefix = "every_regression";

   // Book method(s)
   for (std::map<std::string,int>::iterator it = Use.begin(); it != Use.end(); it++) {
      if (it->second) {
         TString methodName = it->first + " method";
         TString weightfile = dir + prefix + "_" + TString(it->first) + ".weights.xml";
         reader->BookMVA( methodName, weightfile );
      }
   }

   // Book output histograms
   TH1* hists[100];
   Int_t nhists = -1;
   for (std::map<std::string,int>::iterator it = Use.begin(); it != Use.end(); it++) {
      if (!it->second) continue;
      TH1* h = new TH1F( it->first.c_str(), TString(it->first) + " method", 100, -100, 600 );
      hists[++nhists] = h;
   }
   nhists++;

   TFile *input(0);
   TString fname = "./tmva_reg_example.root";
   if (!gSystem->AccessPathName( fname )) {
      input = TFile::Open( fname );
   }
   if (!input) {
      std::cout << "ERROR: could not open data file" << std::endl;
      exit(1);
   }

   TTree* theTree = (TTree*)input->Get("TreeR");
   Float_t fvalue;
   theTree->SetBranchAddress( "var1", &var1 );
   theTree->SetBranchAddress( "var2", &var2 );
   theTree->SetBranchAddress( "fvalue", &fvalue );

   Int_t n = theTree->GetEntries() / 10;
   std::cout << "--- Processing: " << n << " events" << std::endl;
   std::vector<double> deviation(nhists, 0.);
   for (Long64_t ievt=0; ievt<n;ievt++) {
      if (ievt%25 == 0) {
         std::cout << "--- ... Processing event: " << ievt << std::endl;
      }
      theTree->GetEntry(ievt);
      // Retrieve the MVA target values (regression outputs) and fill into histograms
      // NOTE: EvaluateRegression(..) returns a vector for multi-target regression
      for (Int_t ih=0; ih<nhists; ih++) {
         TString title = hists[ih]->GetTitle();
         Float_t val = (reader->EvaluateRegression( title ))[0];
         hists[ih]->Fill( val );
         deviation[ih] += pow(val - fvalue, 2);
      }
   }

   for (Int_t ih=0; ih<nhists; ih++)
      cout << setw(8) << left << hists[ih]->GetName() << " : " << fixed << setprecision(2) << right << setw(8) << sqrt(deviation[ih] / n) << endl;

   TFile *target  = new TFile( "TMVARegApp.root","RECREATE" );
   for (Int_t ih=0; ih<nhists; ih++) hists[ih]->Write();
   target->Close();
   delete reader;
   std::cout << "==> every_regression_application is done!" << std::endl;
}
