{
  // Histograms straight from trees:  root -b -q draw_histograms.C
  gROOT->Reset();
  gROOT->SetStyle("Plain");
  TFile *f = new TFile("tmva_class_example.root");
  TTree *TreeS = (TTree*)f->Get("TreeS");
  TTree *TreeB = (TTree*)f->Get("TreeB");

  TH1F *hs = new TH1F("hs", "signal", 20, -5, 5);
  TH1F *hb = new TH1F("hb", "background", 20, -5, 5);
  TCanvas *c1 = new TCanvas("c1", "c1", 600, 400);
  TreeS->Draw("var1+var2>>hs", "var3>0", "goff");
  TreeB->Draw("var1+var2>>hb", "weight*(var3>0)");
  hs->SetLineColor(kBlue); hs->SetFillStyle(3004);
  hb->SetLineColor(kRed);
  hs->Draw("hist");
  hb->Draw("hist same");
  c1->Update();

  Int_t nsel = TreeS->GetEntries("var1>0 && var2>0");
  printf("%d selected, means %.4f and %.4f, max %.3f\n", nsel, hs->GetMean(), hb->GetMean(), TreeS->GetMaximum("var4"));
  for (int i = 1; i <= hs->GetNbinsX(); i++) {
    if (hs->GetBinContent(i) < 20) continue;
    printf("%2d %6.1f %6.2f %5.2f\n", i, hs->GetBinContent(i), hb->GetBinContent(i), hs->GetBinCenter(i));
  }

  TFile out("draw_histograms.root", "RECREATE");
  hs->Write();
  hb->Write("background");
  TH1F *ratio = (TH1F*)hs->Clone("ratio");
  ratio->Divide(hb);
  ratio->Write();
  out.Close();
}
