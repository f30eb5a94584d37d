// Selected events of a chain are copied to a file and train a BDT; only main()
#include <cstdlib>
#include <iostream>
#include "TChain.h"
#include "TFile.h"
#include "TSystem.h"
#include "TMVA/Factory.h"
#include "TMVA/DataLoader.h"

using namespace std;

static const TString kTreeName = "events";

TTree* skim(TTree* from, TFile* to, const TCut& cut, TString name)
{
  to->cd();
  TTree* copy = from->CopyTree(cut);
  copy->SetName(name);
  copy->Write();
  cout << name << ": " << copy->GetEntries() << " of " << from->GetEntries() << endl;
  return copy;
}

int main(int argc, char** argv)
{
  int nTrees = 8;
  if (argc > 1) nTrees = atoi(argv[1]);

  TChain chain(kTreeName);
  for (int run = 1; run < 10; run++) {
    TString file = Form("runs/run_%d.root", run);
    if (gSystem->AccessPathName(file)) {   // true if it is not there
      cerr << "no " << file << endl;
      break;
    }
    chain.Add(file);
  }
  cout << chain.GetNtrees() << " files" << endl;

  TFile* skimmed = new TFile("skim.root", "RECREATE");
  TCut base = "pt > 15 && abs(eta) < 2.5";
  base += "met > 5";
  TTree* sig = skim(&chain, skimmed, base && "isSignal", "sig");
  TTree* bkg = skim(&chain, skimmed, base && "!isSignal", "bkg");

  TMVA::Factory factory("skim", "!V:Silent:!Color:!DrawProgressBar:AnalysisType=Classification");
  TMVA::DataLoader loader("skimmed");
  const char* vars[] = {"pt", "abs(eta)", "met", "njets"};
  for (auto v : vars) loader.AddVariable(v);
  loader.AddSignalTree(sig);
  loader.AddBackgroundTree(bkg);
  loader.SetWeightExpression("genWeight");
  loader.PrepareTrainingAndTestTree("", "nTrain_Signal=200:nTrain_Background=200:SplitMode=Alternate:!V");
  factory.BookMethod(&loader, TMVA::Types::kBDT, "BDT", Form("!H:!V:NTrees=%d:MaxDepth=3:nCuts=10", nTrees));
  factory.TrainAllMethods();
  skimmed->Close();
  return 0;
}
