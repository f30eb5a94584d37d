#ifndef NTUPLE_MAKER_C
#define NTUPLE_MAKER_C
// adds the network's output to the events of a chain and writes a small tree
#include <TChain.h>
#include <TFile.h>
#include <TTree.h>
#include "TMVA/Reader.h"

const Int_t kNVars = 2;
Float_t gVars[kNVars];
Int_t   nPassed = 0;

TMVA::Reader* makeReader(const TString& weights) {
   TMVA::Reader* r = new TMVA::Reader("!Color:Silent");
   for (Int_t i = 0; i < kNVars; i++) r->AddVariable(Form("var%d", i+1), &gVars[i]);
   Float_t spec;
   r->AddSpectator("spec1:=var1*2", &spec);
   r->BookMVA("MLP", weights);
   return r;
}

void ntuple_maker(TString files = "toy.root", double cut = 50.)
{
   TMVA::Reader* reader = makeReader("datareg/weights/regression_MLP.weights.xml");

   TChain* chain = new TChain("TreeR");
   chain->Add(files);
   chain->Add("toy.root/TreeR");
   for (Int_t i = 0; i < kNVars; i++)
      chain->SetBranchAddress(Form("var%d", i+1), &gVars[i]);

   TFile out("friend.root", "RECREATE");
   TTree* tree = new TTree("friend", "network");
   Float_t target; Int_t iev; Bool_t pass;
   tree->Branch("target", &target, "target/F");
   tree->Branch("iev", &iev, "iev/I");
   tree->Branch("pass", &pass, "pass/O");

   std::vector<float> x(kNVars);
   Long64_t n = chain->GetEntries();
   for (Long64_t i = 0; i < n; ++i) {
      chain->GetEntry(i);
      target = reader->EvaluateRegression("MLP")[0];
      for (size_t j = 0; j < x.size(); j++) x[j] = gVars[j];
      Double_t mean = 0.;
      for (float v : x) mean += v / x.size();
      iev  = i;
      pass = target > cut && mean >= 0;
      if (pass) nPassed++;
      else if (i == 0) std::cout << "first event fails" << std::endl;
      tree->Fill();
   }
   tree->Write();
   out.Close();
   Double_t eff = n > 0 ? Double_t(nPassed)/n : 0;
   Printf("%d of %lld events pass: %.3f", nPassed, n, eff);
}
#endif
