//
//   Fake rate as a function of pt and eta with error bars
//   (Bayesian network: cross entropy, regulator, inverse Hessian)
//
#include "TMVA/Factory.h"
#include "TMVA/Reader.h"
#include "TMVA/DataLoader.h"
#include "TMath.h"
using namespace std;

// ---------------- training
void train(TString job, const vector<TString>& vars, Int_t ntrain)
{
  TFile* fin = new TFile("toy.root", "READ");
  TTree *pass, *fail;
  fin->GetObject("TreeS", pass);
  fin->GetObject("TreeB", fail);

  TMVA::Factory factory(job, "!V:Silent:!Color:!DrawProgressBar:AnalysisType=Classification");
  TMVA::DataLoader loader("fakes");
  for (unsigned int i = 0; i < vars.size(); ++i)
    loader.AddVariable(vars.at(i), 'F');
  loader.AddTree(pass, "Signal",     1., "var3 > -3", "Training and Testing");
  loader.AddTree(fail, "Background", 1.);
  if (ntrain <= 0) ntrain = 100;
  TString split; split.Form("nTrain_Signal=%d:nTrain_Background=%d:SplitMode=Block:NormMode=None:!V", ntrain, ntrain);
  loader.PrepareTrainingAndTestTree(TCut(""), TCut("var4<10"), split);
  TMVA::MethodBase* bnn = factory.BookMethod(&loader, TMVA::Types::kMLP, "BNN",
    "!H:!V:NeuronType=tanh:VarTransform=N:NCycles=20:HiddenLayers=3"
    ":TrainingMethod=BFGS:EstimatorType=CE:UseRegulator"   // P(pass)
    ":CalculateErrors");
  factory.TrainAllMethods();
}

// ---------------- application at a few points
int main(int argc, char **argv)
{
  vector<TString> vars;
  vars.push_back("var1");
  vars.push_back("var2");
  Int_t n = argc > 1 ? atoi(argv[1]) : 120;
  train("fakerate", vars, n);

  TMVA::Reader reader("!Color:Silent:Error=True");
  Float_t pt = 0, eta = 0;
  reader.AddVariable("var1", &pt);
  reader.AddVariable("var2", &eta);
  reader.BookMVA("BNN", "fakes/weights/fakerate_BNN.weights.xml");

  ofstream table("fakerate.txt");
  const double points[3] = {-1.0, 0., 1.5};
  for (int i = 0; i < 3; i++) {
    pt  = points[i];
    eta = TMath::Abs(points[i]) / 2;
    Double_t p = reader.EvaluateMVA("BNN");
    table << setw(8) << setprecision(4) << fixed << p << " " << reader.GetMVAErrorLower() << " " << reader.GetMVAErrorUpper() << endl;
  }
  table.close();

  vector<Double_t> event(2);
  event[0] = 0.5; event[1] = -0.25;
  cout << "P = " << reader.EvaluateMVA(event, "BNN") << endl;
  return 0;
}
