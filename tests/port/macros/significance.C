// The best cut on a response, by two formulas.  Needs the weights of old_style.C.
#include <iomanip>
#include <iostream>
#include "TFile.h"
#include "TTree.h"
#include "TMVA/Reader.h"
#include "significance_tools.h"

using namespace std;
using tools::Scan;

int usage(const char* program)
{
  cerr << "usage: " << program << " [events]" << endl;
  return 2;
}

int main(int argc, char* argv[])
{
  if (argc > 2) return usage(argv[0]);
  const Long64_t nmax = argc == 2 ? atol(argv[1]) : 90;

  TMVA::Reader reader("!Color:Silent");
  Float_t v[4], sum;
  reader.AddVariable("var1", &v[0]);
  reader.AddVariable("var2", &v[1]);
  reader.AddVariable("sum := var3+var4", &sum);
  reader.AddSpectator("var4", &v[3]);
  reader.BookMVA("LD", "weights/old_style_LD.weights.xml");

  TFile file("tmva_class_example.root");
  Scan scan(20, -1, 1);
  for (int k = 0; k < 2; ++k) {
    TTree* tree = (TTree*)file.Get(k ? "TreeB" : "TreeS");
    Float_t weight = 1;
    for (int i = 0; i < 4; ++i) tree->SetBranchAddress(Form("var%d", i + 1), &v[i]);
    tree->SetBranchAddress("weight", &weight);
    Long64_t i = 0;
    while (i < nmax && i < tree->GetEntries()) {
      tree->GetEntry(i++);
      sum = v[2] + v[3];
      scan.add(reader.EvaluateMVA("LD"), weight, k == 0);
    }
  }

  tools::Formula formulas[] = {tools::kSimple, tools::kAsimov};
  cout << setw(10) << "formula" << setw(8) << "cut" << setw(12) << "Z" << endl;
  for (auto f : formulas) {
    auto result = scan.best(f);
    cout << setw(10) << f << setw(8) << setprecision(2) << fixed << scan.cut(result.first) << setw(12) << setprecision(4)
         << result.second << endl;
  }
  return 0;
}
