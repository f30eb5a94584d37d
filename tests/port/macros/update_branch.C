// Adds the response to a stored tree.  Needs the weights of old_style.C.
#include "TFile.h"
#include "TTree.h"
#include "TMVA/Reader.h"

void update_branch(TString treeName = "TreeS", TString fileName = "tmva_class_example.root")
{
  // the original stays as it is
  TFile *original = TFile::Open(fileName);
  TTree *from = (TTree*)original->Get(treeName);
  TFile *copy = new TFile("updated.root", "RECREATE");
  TTree *cloned = from->CloneTree(100);
  cloned->Write();
  copy->Close();
  original->Close();

  TFile *file = new TFile("updated.root", "UPDATE");
  TTree *tree = (TTree*)file->Get(treeName);
  Float_t var1, var2, var3, var4, sum;
  tree->SetBranchAddress("var1", &var1);
  tree->SetBranchAddress("var2", &var2);
  tree->SetBranchAddress("var3", &var3);
  tree->SetBranchAddress("var4", &var4);
  TMVA::Reader *reader = new TMVA::Reader("!Color:Silent");
  reader->AddVariable("var1", &var1);
  reader->AddVariable("var2", &var2);
  reader->AddVariable("sum := var3+var4", &sum);
  reader->AddSpectator("var4", &var4);
  reader->BookMVA("LD method", "weights/old_style_LD.weights.xml");

  Float_t response;
  Int_t passed;
  TBranch *b_response = tree->Branch("LD", &response, "LD/F");
  TBranch *b_passed = tree->Branch("passed", &passed, "passed/I");
  Int_t npassed = 0;
  const Long64_t n = tree->GetEntries();
  for (Long64_t i = 0; i < n; i++) {
    tree->GetEntry(i);
    sum = var3 + var4;
    response = reader->EvaluateMVA("LD method");
    passed = response > 0.1 ? 1 : 0;
    npassed += passed;
    b_response->Fill();
    b_passed->Fill();
  }
  tree->Write("", TObject::kOverwrite);
  file->Close();
  std::cout << npassed << " of " << n << " pass" << std::endl;
  delete reader;
}
