// Scan of options in a loop, ROC integrals, a canvas with the curves
#include "TFile.h"
#include "TCanvas.h"
#include "TLegend.h"
#include "TStopwatch.h"
#include "TMVA/Factory.h"
#include "TMVA/DataLoader.h"
#include "TMVA/MethodBase.h"

using std::cout; using std::endl;

void roc_curves(Bool_t draw = kTRUE)
{
  TStopwatch timer;
  timer.Start();
  gStyle->SetOptStat(0);
  gErrorIgnoreLevel = kWarning;

  TFile* in = TFile::Open("tmva_class_example.root", "READ");
  TFile* out = TFile::Open("roc_curves.root", "RECREATE");
  auto factory = new TMVA::Factory("roc", out, "!V:Silent:!Color:!DrawProgressBar:ROC:AnalysisType=Classification");
  auto loader = new TMVA::DataLoader("roc");
  for (int i = 1; i <= 4; ++i) loader->AddVariable(TString("var") + TString::Itoa(i, 10), 'F');
  loader->SetInputTrees(in->Get<TTree>("TreeS"), in->Get<TTree>("TreeB"), 1.0, 1.0);
  loader->PrepareTrainingAndTestTree("", 200, 200, 150, 150, "SplitMode=Random:!V");

  std::vector<TString> titles;
  const int depths[] = {1, 2, 3};
  for (int depth : depths) {
    for (const TString& boost : {"AdaBoost", "Grad"}) {
      if (depth == 3 && boost == "Grad") continue;
      TString title; title.Form("BDT_%s_%d", boost.Data(), depth);
      TString options = "!H:!V:NTrees=6:nCuts=8:MaxDepth=";
      options += depth;
      options += ":BoostType=" + boost;
      TMVA::MethodBase* m = factory->BookMethod(loader, TMVA::Types::kBDT, title, options);
      cout << "booked " << m->GetMethodName() << endl;
      titles.push_back(title);
    }
  }
  factory->TrainAllMethods();
  factory->TestAllMethods();
  factory->EvaluateAllMethods();

  Double_t best = -1; TString winner;
  for (UInt_t i = 0; i < titles.size(); i++) {
    Double_t roc = factory->GetROCIntegral(loader, titles[i]);
    cout << Form("%-16s %.5f", titles.at(i).Data(), roc) << endl;
    if (roc > best) { best = roc; winner = titles[i]; }
  }
  cout << "best: " << winner << endl;

  if (draw) {
    TCanvas* c = factory->GetROCCurve(loader);
    c->Draw();
    auto curve = factory->GetROCCurve(loader, winner);
    cout << "the curve has " << (curve->GetN() > 2 ? "many" : "no") << " points" << endl;
    TCanvas* own = new TCanvas("own", "curves", 800, 600);
    own->Divide(2, 1);
    own->cd(1);
    curve->SetLineColor(kRed);
    curve->Draw("AL");
    TLegend* legend = new TLegend(0.2, 0.2, 0.5, 0.4);
    legend->AddEntry(curve, winner, "l");
    legend->SetBorderSize(0);
    legend->Draw();
    own->Update();
  }
  out->Close();
  timer.Stop();
  delete factory;
  delete loader;
}
