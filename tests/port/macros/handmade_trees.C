// Trees made by hand: numbers, arrays, vectors; then a training on them
#include "TFile.h"
#include "TTree.h"
#include "TRandom3.h"
#include "TMVA/Factory.h"
#include "TMVA/DataLoader.h"
#include <vector>

struct Event_t {
  Float_t mass;
  Int_t n;
  Double_t hits[3];
};

Event_t ev;                       // filled by fill()
std::vector<float> *jets = new std::vector<float>();

void fill(TTree *tree, TRandom3 &rnd, int n, float shift)
{
  for (int i = 0; i < n; i++) {
    ev.mass = rnd.Uniform(0, 1) + shift;
    ev.n = rnd.Integer(5);
    for (int j = 0; j < 3; j++) ev.hits[j] = rnd.Rndm() * (j + 1) - shift;
    jets->clear();
    for (int j = 0; j < ev.n; j++) jets->push_back(10.f * j + i % 7);
    tree->Fill();
  }
}

void handmade_trees(const char *name = "handmade.root", UInt_t seed = 12)
{
  TRandom3 rnd(seed);
  TFile *f = new TFile(name, "RECREATE");
  const char *names[2] = {"sig", "bkg"};
  for (int k = 0; k < 2; k++) {
    TTree *t = new TTree(names[k], "made by hand");
    t->Branch("mass", &ev.mass, "mass/F");
    t->Branch("n", &ev.n, "n/I");
    TBranch *b = t->Branch("hits", ev.hits, "hits[3]/D");
    if (!b) std::cout << "no branch" << std::endl;
    t->Branch("jets", &jets);
    fill(t, rnd, 120, k == 0 ? 0.4 : 0.0);
    std::cout << t->GetName() << " " << t->GetEntries() << " " << t->GetNbranches() << std::endl;
    t->Write();
  }
  f->Close();

  auto in = TFile::Open(name);
  TMVA::DataLoader loader("handmade");
  loader.AddVariable("mass");
  loader.AddVariable("hits[1]", "second hit", "", 'F');
  loader.AddVariable("h2 := hits[2]-hits[0]");
  loader.AddSignalTree(in->Get<TTree>("sig"));
  loader.AddBackgroundTree(in->Get<TTree>("bkg"));
  loader.PrepareTrainingAndTestTree("n < 5", "SplitMode=Random:!V");
  TMVA::Factory factory("handmade", "!V:Silent:!Color:!DrawProgressBar:AnalysisType=Classification");
  factory.BookMethod(&loader, TMVA::Types::kFisher, "Fisher", "!H:!V");
  factory.TrainAllMethods();
}
