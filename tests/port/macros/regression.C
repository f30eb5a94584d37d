// ---------------------------------------------------------------------
// regression.C: estimates fvalue from var1 and var2
// ---------------------------------------------------------------------
#include <iostream>
#include "TFile.h"
#include "TMVA/Factory.h"
#include "TMVA/DataLoader.h"

#define NTRAIN 300

using namespace std;
using namespace TMVA;

/// Trains a network on TreeR.
/// \param fin  the input
void regression(const char* fin = "toy.root", const char *jobName = "regression", Bool_t sampling = kTRUE) {

  TFile* target = new TFile("reg.root", "RECREATE");
  Factory factory(jobName, target, "!V:Silent:!Color:!DrawProgressBar:AnalysisType=Regression");
  DataLoader loader("datareg");

  const Int_t nvar = 2;
  const char* vars[nvar] = {"var1", "var2"};
  for (int i = 0; i < nvar; ++i) loader.AddVariable(vars[i], Form("Variable %d", i+1), "units", 'F');

  /* the spectators are
     only kept */
  loader.AddSpectator("spec1:=var1*2", "Spectator 1", "units", 'F');
  loader.AddTarget("fvalue");
  //loader.AddTarget("fvalue2 := sqrt(fvalue)");

  auto input = TFile::Open(fin);
  TTree *regTree = nullptr;
  input->GetObject("TreeR", regTree);
  loader.AddRegressionTree(regTree, 1.0);
  loader.SetWeightExpression("var1", "Regression");
  TCut mycut = "var2 < 4.9";
  loader.PrepareTrainingAndTestTree(mycut, TString::Format("nTrain_Regression=%d:nTest_Regression=0:SplitMode=Random:NormMode=NumEvents:!V", NTRAIN));

  TString options("!H:!V:VarTransform=Norm:NeuronType=tanh:NCycles=6:HiddenLayers=4:TestRate=6:TrainingMethod=BFGS");
  if (sampling) options += ":Sampling=0.3:SamplingEpoch=0.8";
  options.Append(":ConvergenceImprove=1e-6:ConvergenceTests=15:!UseRegulator");
  factory.BookMethod(&loader, Types::kMLP, "MLP", options);
  // boosted trees
  factory.BookMethod(&loader, Types::kBDT, "BDTG", "!H:!V:NTrees=10");

  factory.TrainAllMethods();
  factory.TestAllMethods();
  factory.EvaluateAllMethods();
  target->Close();
}
