// Functions, graphs, canvases: nothing of TMVA
#include "TF1.h"
#include "TGraph.h"
#include "TGraphErrors.h"
#include "TH1F.h"
#include "TCanvas.h"
#include "TLatex.h"
#include "TLine.h"
#include "TMath.h"

void shapes(int n = 500)
{
  TF1 *gaus = new TF1("g", "[0]*exp(-0.5*((x-[1])/[2])^2)", -5, 5);
  gaus->SetParameters(2, 0.5, 1.5);
  printf("%.4f %.4f %.4f\n", gaus->Eval(0.5), gaus->Eval(2), gaus->GetParameter(2));

  gRandom->SetSeed(1);
  TH1F *h = new TH1F("h", "toys;x;events", 50, -5, 5);
  h->FillRandom("g", n);
  std::cout << h->GetEntries() << " toys, mean is " << (fabs(h->GetMean() - 0.5) < 0.3 ? "right" : "wrong") << std::endl;

  const Int_t np = 5;
  Double_t x[np], y[np], ey[np] = {0.1, 0.1, 0.2, 0.2, 0.3};
  for (Int_t i = 0; i < np; i++) {
    x[i] = i * 0.5;
    y[i] = TMath::Power(x[i], 2) - TMath::Abs(x[i] - 1);
  }
  TGraph *graph = new TGraph(np, x, y);
  graph->SetTitle("a curve;x;y");
  graph->SetPoint(graph->GetN(), 3, 7);
  TGraphErrors errors(np, x, y, 0, ey);
  Double_t px, py;
  graph->GetPoint(5, px, py);
  std::cout << graph->GetN() << " " << px << " " << py << " " << graph->Eval(0.75) << " " << errors.GetN() << " "
            << errors.GetErrorY(4) << std::endl;

  TCanvas *c = new TCanvas("c", "shapes", 900, 400);
  c->Divide(2, 1);
  c->cd(1);
  gPad->SetLogy();
  h->SetMarkerStyle(20);
  h->Draw("E1");
  c->cd(2);
  graph->Draw("ALP");
  TLatex *text = new TLatex(0.2, 0.8, "#sqrt{s} = 13 TeV");
  text->SetNDC();
  text->Draw();
  TLine *line = new TLine(0, 0, 3, 7);
  line->SetLineStyle(2);
  line->Draw("same");
  c->Update();

  TFile *f = TFile::Open("shapes.root", "RECREATE");
  graph->Write("curve");
  f->Close();
}
