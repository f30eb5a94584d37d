// Looks whether all inputs are there, and ends with a code: main alone
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>
#include "TFile.h"
#include "TSystem.h"
#include "TTree.h"

using namespace std;

class MissingInput : public runtime_error {
public:
  MissingInput(const string &file, int severity) : runtime_error("missing " + file), severity_(severity) {}
  int severity() const { return severity_; }
private:
  int severity_;
};

Long64_t entries(const string &file, const string &tree) noexcept(false)
{
  if (gSystem->AccessPathName(file.c_str())) throw MissingInput(file, 3);
  TFile *f = TFile::Open(file.c_str());
  if (!f || f->IsZombie()) throw MissingInput(file, 4);
  TTree *t = (TTree*)f->Get(tree.c_str());
  if (!t) {
    f->Close();
    throw string(tree);
  }
  Long64_t n = t->GetEntries();
  f->Close();
  return n;
}

int main()
{
  vector<pair<string, string>> inputs = {
    {"tmva_class_example.root", "TreeS"}, {"tmva_reg_example.root", "TreeX"}, {"nothing.root", "t"}, {"never.root", "t"}};
  Long64_t total = 0;
  int code = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    try {
      total += entries(inputs[i].first, inputs[i].second);
      cout << inputs[i].first << " is fine" << endl;
    } catch (const MissingInput &e) {
      cout << e.what() << " (" << e.severity() << ")" << endl;
      code = max(code, e.severity());
      break;
    } catch (const string &tree) {
      cout << "no tree " << tree << " in " << inputs[i].first << endl;
      continue;
    }
  }
  cout << total << " events" << endl;
  return code;
}
