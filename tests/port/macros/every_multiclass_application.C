// Multiclass application: one histogram for each method and class
#include <iostream>
#include <map>
#include <vector>
#include "TFile.h"
#include "TTree.h"
#include "TH1F.h"
#include "TMVA/Reader.h"

enum Class { kSignal = 0, kBg0, kBg1, kBg2, kNClasses };
const char* classNames[kNClasses] = {"Signal", "bg0", "bg1", "bg2"};

// which class wins?
Class winner(const std::vector<Float_t>& response)
{
   int best = kSignal;
   for (UInt_t i = 1; i < response.size(); ++i)
      if (response[i] > response[best]) best = i;
   return static_cast<Class>(best);
}

void every_multiclass_application( int nmax = 60 )
{
   TMVA::Reader *reader = new TMVA::Reader( "!Color:Silent" );
   Float_t vars[4];
   for (int i = 0; i < 4; i++) reader->AddVariable( TString::Format("var%d", i + 1), &vars[i] );

   std::map<std::string, std::vector<TH1F*> > hists;
   std::vector<std::string> methods = {"BDTG", "MLP", "FDA_GA", "PDEFoam"};
   for (const auto& method : methods) {
      reader->BookMVA( method + " method", "dataset/weights/every_multiclass_" + method + ".weights.xml" );
      for (int c = 0; c < kNClasses; c++)
         hists[method].push_back( new TH1F( Form("MVA_%s_%s", method.c_str(), classNames[c]), "response", 50, -0.5, 1.5 ) );
   }

   TFile* input = TFile::Open( "tmva_multiclass_example.root" );
   std::map<std::string, int> correct;
   int confusion[kNClasses][kNClasses] = {{0}};
   for (int c = 0; c < kNClasses; c++) {
      TTree* tree = (TTree*)input->Get( c == kSignal ? "TreeS" : Form("TreeB%d", c - 1) );
      for (int i = 0; i < 4; i++) tree->SetBranchAddress( Form("var%d", i + 1), &vars[i] );
      for (Long64_t ievt = 0; ievt < nmax; ievt++) {
         tree->GetEntry( ievt );
         for (auto& entry : hists) {
            const std::vector<Float_t>& response = reader->EvaluateMulticlass( entry.first + " method" );
            entry.second[c]->Fill( response[c] );
            Class found = winner( response );
            if (found == c) correct[entry.first]++;
            if (entry.first == "MLP") confusion[c][found]++;
         }
      }
   }

   for (std::map<std::string, int>::const_iterator it = correct.begin(); it != correct.end(); ++it)
      printf( "%-8s %5.1f%% correct\n", it->first.c_str(), 100. * it->second / (kNClasses * nmax) );
   for (int row = 0; row < kNClasses; row++) {
      std::cout << std::setw(8) << classNames[row];
      for (int column = 0; column < kNClasses; column++) std::cout << std::setw(5) << confusion[row][column];
      std::cout << std::endl;
   }

   TFile target( "TMVAMultiClassApp.root", "RECREATE" );
   for (auto& entry : hists)
      for (auto h : entry.second) h->Write();
   target.Close();
   delete reader;
}
