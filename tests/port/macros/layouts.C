// Scan of network layouts: which number of neurons is enough?
//   a student's macro, ROOT 6
#include "TMVA/Factory.h"
#include "TMVA/DataLoader.h"
#include "TChain.h"
#include "TStopwatch.h"
#include <vector>
using std::cout; using std::endl;

// number of weights of a layout n-h-1
int nWeights(int nvar, int h) {
  return (nvar + 1) * h + (h + 1);
}

void layouts(int nmax = 4, TString dir = "./") {
  TStopwatch watch;
  watch.Start();

  TChain *sig = new TChain("TreeS");
  sig->Add(dir + "toy.root");
  TChain bkg("TreeB");
  bkg.Add(TString::Format("%stoy.root", dir.Data()));
  cout << "signal events: " << sig->GetEntries() << endl;

  TMVA::DataLoader *loader = new TMVA::DataLoader("scan");
  loader->AddVariable("var1"); loader->AddVariable("var2");
  loader->AddVariable("var3", "third", "GeV", 'F');
  loader->AddSignalTree(sig, 1.0);
  loader->AddBackgroundTree(&bkg, 1.0);
  TCut cut = "var1 > -5";
  cut += "var2 < 5";
  loader->PrepareTrainingAndTestTree(cut, "nTrain_Signal=100:nTrain_Background=100:nTest_Signal=50:nTest_Background=50:SplitMode=Random:!V");

  TMVA::Factory *factory = new TMVA::Factory("layouts", "!V:Silent:!Color:!DrawProgressBar:AnalysisType=Classification");

  std::vector<int> sizes;
  for (int n = 2; n <= nmax; n += 2) sizes.push_back(n);
  double total = 0;
  int i = 0;
  while (i < (int)sizes.size()) {
    int h = sizes[i];
    TString opt = Form("!H:!V:NeuronType=tanh:VarTransform=N,G_Signal:NCycles=%d:HiddenLayers=%d:TrainingMethod=%s", 3, h, i % 2 ? "BP" : "BFGS");
    factory->BookMethod(loader, "MLP", Form("MLP_%02d", h), opt);
    total += nWeights(3, h) / 2.;
    i++;
  }
  printf("%d layouts, on average %.1f half weights (%s)\n", (int)sizes.size(), total/sizes.size(), "all");

  for (Int_t k = 0, m = 10; k < m; k++, m--) {
    if (k == 2) continue;
    if (k > 3) break;
    cout << "k = " << k << ", m = " << m << endl;
  }

  factory->TrainAllMethods();
  watch.Stop();
  cout << "took " << (watch.RealTime() >= 0 ? "some" : "no") << " time" << endl;
  delete factory;
}
