// A smaller copy of a tree with new branches, and an ntuple
#include "TFile.h"
#include "TTree.h"
#include "TNtuple.h"
#include "TMath.h"

int clone_ntuple(Double_t minimum = 0.5)
{
  TFile *oldfile = TFile::Open("tmva_class_example.root", "READ");
  TTree *oldtree = nullptr;
  oldfile->GetObject("TreeB", oldtree);
  oldtree->SetBranchStatus("*", 0);
  for (auto name : {"var1", "var2", "weight"}) oldtree->SetBranchStatus(name, 1);

  Float_t var1 = 0, var2 = 0, weight = 0;
  oldtree->SetBranchAddress("var1", &var1);
  oldtree->SetBranchAddress("var2", &var2);
  oldtree->SetBranchAddress("weight", &weight);

  TFile *newfile = new TFile("clone.root", "RECREATE");
  TTree *newtree = oldtree->CloneTree(0);
  Double_t radius;
  Int_t quadrant;
  Bool_t heavy;
  newtree->Branch("radius", &radius, "radius/D");
  newtree->Branch("quadrant", &quadrant);
  newtree->Branch("heavy", &heavy, "heavy/O");
  TNtuple *ntuple = new TNtuple("nt", "small", "r:phi:w");

  Long64_t nentries = oldtree->GetEntriesFast();
  for (Long64_t i = 0; i < nentries; i++) {
    oldtree->GetEntry(i);
    if (weight < minimum) continue;
    radius = TMath::Sqrt(var1 * var1 + var2 * var2);
    quadrant = (var1 > 0) + 2 * (var2 > 0);
    heavy = weight > 1;
    newtree->Fill();
    if (i % 10 == 0) ntuple->Fill(radius, TMath::ATan2(var2, var1), weight);
  }
  std::cout << newtree->GetEntries() << " kept, " << ntuple->GetEntries() << " in the ntuple" << std::endl;
  newtree->AutoSave();
  ntuple->Write();
  newfile->Close();
  return 0;
}
