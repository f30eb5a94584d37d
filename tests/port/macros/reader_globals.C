// A Reader with globals: set up in one function, read in another, evaluated in a third.  Needs old_style's weights.
#include "TMVA/Reader.h"
#include "TTree.h"
#include "TH1D.h"
#include "TH2F.h"

TMVA::Reader *gReader = 0;
Float_t gVar[4], gSum;
Double_t gWeight = 1;
Int_t nRead = 0;

void setUp()
{
  gReader = new TMVA::Reader("Silent:!Color");
  gReader->AddVariable("var1", &gVar[0]);
  gReader->AddVariable("var2", gVar + 1);
  gReader->AddVariable("sum := var3+var4", &gSum);
  gReader->AddSpectator("var4", &gVar[3]);
  const TString names[3] = {"LD", "HMatrix", "Likelihood"};
  for (const auto &n : names) gReader->BookMVA(n, "weights/old_style_" + n + ".weights.xml");
}

TTree *connect(TFile *f, const char *name)
{
  TTree *t = dynamic_cast<TTree*>(f->Get(name));
  if (t == nullptr) {
    Error("connect", "no tree %s", name);
    return nullptr;
  }
  t->SetBranchStatus("*", 0);
  for (int i = 0; i < 4; i++) {
    t->SetBranchStatus(Form("var%d", i + 1), 1);
    t->SetBranchAddress(Form("var%d", i + 1), gVar + i);
  }
  return t;
}

bool next(TTree *t, Long64_t i)
{
  if (i >= t->GetEntries()) return false;
  t->GetEntry(i);
  gSum = gVar[2] + gVar[3];
  ++nRead;
  return gSum > -2;
}

void loop(TTree *t, TH1 *h, TH2 *h2, double &sum, int &n)
{
  for (Long64_t i = 0; i < 150; i += 2) {
    if (!next(t, i)) continue;
    double ld = gReader->EvaluateMVA("LD");
    h->Fill(ld, gWeight);
    h2->Fill(gVar[0], gReader->EvaluateMVA("Likelihood"));
    sum += gReader->EvaluateMVA("HMatrix") * gWeight;
    n++;
  }
}

void reader_globals()
{
  setUp();
  TFile *f = TFile::Open("tmva_class_example.root");
  TFile out("reader_globals.root", "RECREATE");
  TDirectory *plots = out.mkdir("plots");
  for (TString name : {"TreeS", "TreeB"}) {
    plots->cd();
    TH1D *h = new TH1D("ld_" + name, "LD;response;events", 40, -1, 1);
    h->Sumw2();
    TH2F *h2 = new TH2F("map_" + name, ";var1;likelihood", 10, -4, 4, 10, 0, 1);
    gWeight = name == "TreeS" ? 2 : 0.5;
    double sum = 0;
    int n = 0;
    TTree *t = connect(f, name);
    if (!t) return;
    loop(t, h, h2, sum, n);
    cout << name << ": " << n << " events, mean " << sum / n << ", integral " << h->Integral() << endl;
    h->Scale(1. / h->Integral());
    cout << "bin " << h->GetMaximumBin() << " of " << h->GetNbinsX() << ", " << h2->GetEntries() << " entries" << endl;
  }
  out.Write();
  out.Close();
  cout << nRead << " events read" << endl;
}
