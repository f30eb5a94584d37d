{
  // ROOT 5 style: type  .x root5_factory.C
  gROOT->Reset();
  gROOT->LoadMacro("./TMVAGui.C");
  gSystem->Load("libTMVA");
  gStyle->SetOptStat(0);

  TFile *f = new TFile("toy.root");
  TTree *sig = (TTree*) f->Get("TreeS");
  TTree *bkg = (TTree*) gDirectory->Get("TreeB");
  bkg = (TTree*) f->Get("TreeB");

  TFile *out = new TFile("tmva_old.root","RECREATE");
  TMVA::Factory *factory = new TMVA::Factory("old", out, Form("!V:Silent:%sColor:!DrawProgressBar", gROOT->IsBatch() ? "!" : ""));

  char name[50];
  for (Int_t i=1;i<=4;i++) {
    sprintf(name,"var%d",i);
    factory->AddVariable(name,'F');
  }

  factory->SetInputTrees(sig, bkg, 1.0, 0.5);
  factory->SetWeightExpression("weight");
  TCut cut1("var1>-3"), cut2("second","var2<3");
  TCut presel = cut1 && cut2;
  factory->PrepareTrainingAndTestTree(presel, 150, 150, 100, 100, "SplitMode=Alternate:!V");

  factory->BookMethod(TMVA::Types::kMLP,"MLP","!H:!V:NeuronType=sigmoid:VarTransform=N:NCycles=4:HiddenLayers=4:TestRate=2");
  factory->BookMethod(TMVA::Types::kFisher,"Fisher","!H:!V");
  factory->TrainAllMethods();
  factory->TestAllMethods();
  factory->EvaluateAllMethods();
  out->Close();
  delete factory;
  // TMVAGui("tmva_old.root");
}
