// Selection with RDataFrame, then a training on the snapshot
#include "ROOT/RDataFrame.hxx"
#include "TMVA/Factory.h"
#include "TMVA/DataLoader.h"

void rdataframe()
{
  ROOT::RDataFrame df("events", "runs/run_2.root");
  auto selected = df.Filter("pt > 15 && abs(eta) < 2.4", "acceptance")
                    .Define("mt", "sqrt(2*pt*met)")
                    .Define("central", "abs(eta) < 1");
  auto n = selected.Count();
  auto h = selected.Histo1D({"h_mt", "transverse mass", 20, 0., 200.}, "mt");
  auto mean = selected.Mean("mt");
  std::cout << *n << " selected, mean " << *mean << ", " << h->GetEntries() << " in the histogram" << std::endl;

  for (auto isSignal : {1, 0}) {
    auto part = selected.Filter(isSignal ? "isSignal == 1" : "isSignal == 0");
    std::cout << (isSignal ? "signal " : "background ") << part.Count().GetValue() << std::endl;
    part.Snapshot(isSignal ? "sig" : "bkg", Form("snapshot_%d.root", isSignal), {"pt", "mt", "njets"});
  }

  auto fs = TFile::Open("snapshot_1.root");
  auto fb = TFile::Open("snapshot_0.root");
  auto loader = new TMVA::DataLoader("frame");
  for (std::string name : {"pt", "mt", "njets"}) loader->AddVariable(name);
  loader->AddSignalTree((TTree*)fs->Get("sig"));
  loader->AddBackgroundTree((TTree*)fb->Get("bkg"));
  loader->PrepareTrainingAndTestTree("", "SplitMode=Random:!V");
  TMVA::Factory factory{"frame", "!V:Silent:!Color:!DrawProgressBar:AnalysisType=Classification"};
  factory.BookMethod(loader, TMVA::Types::kLD, "LD", "!H:!V");
  factory.TrainAllMethods();
}
