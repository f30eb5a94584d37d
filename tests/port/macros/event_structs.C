// Events in structs: selected, sorted, copied, then given to the DataLoader one by one
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <vector>
#include "TChain.h"
#include "TLorentzVector.h"
#include "TMVA/DataLoader.h"
#include "TMVA/Factory.h"

struct Event {
  Long64_t number;
  float pt, eta;
  double met;
  bool signal;
  double mt() const { return sqrt(2 * pt * met); }
  bool operator<(const Event &other) const { return pt > other.pt; }
};

typedef std::vector<Event> Events;
using Selection = std::function<bool(const Event &)>;

Events read(const char *files, int nmax)
{
  TChain chain("events");
  chain.Add(files);
  Event e;
  Int_t isSignal;
  chain.SetBranchAddress("eventNumber", &e.number);
  chain.SetBranchAddress("pt", &e.pt);
  chain.SetBranchAddress("eta", &e.eta);
  chain.SetBranchAddress("met", &e.met);
  chain.SetBranchAddress("isSignal", &isSignal);
  Events all;
  for (Long64_t i = 0; i < chain.GetEntries() && i < nmax; i++) {
    chain.GetEntry(i);
    e.signal = isSignal;
    all.push_back(e);      // a copy
  }
  return all;
}

Events select(Events all, std::map<std::string, Selection> cuts)
{
  for (auto &cut : cuts) {
    auto last = std::remove_if(all.begin(), all.end(), [&](const Event &e) { return !cut.second(e); });
    all.erase(last, all.end());
    std::cout << "after " << cut.first << ": " << all.size() << std::endl;
  }
  return all;
}

void event_structs()
{
  const Events all = read("runs/run_1.root", 400);
  double ptMin = 12;
  std::map<std::string, Selection> cuts;
  cuts["pt"] = [ptMin](const Event &e) { return e.pt > ptMin; };
  cuts["eta"] = [](const Event &e) { return fabs(e.eta) < 2.4; };
  Events good = select(all, cuts);
  std::cout << all.size() << " read, " << good.size() << " kept" << std::endl;

  Events sorted = good;
  std::sort(sorted.begin(), sorted.end());
  for (int i = 0; i < 3; i++) printf("%lld %.3f %.3f\n", sorted[i].number, sorted[i].pt, sorted[i].mt());
  std::set<Long64_t> seen;
  for (const Event &e : good) seen.insert(e.number % 10);
  std::cout << seen.size() << " last digits, first event " << good.front().number << std::endl;

  TMVA::DataLoader *loader = new TMVA::DataLoader("structs");
  loader->AddVariable("pt", 'F');
  loader->AddVariable("mt", 'F');
  std::vector<Double_t> values(2);
  int count[2][2] = {{0, 0}, {0, 0}};
  for (size_t i = 0; i < good.size(); ++i) {
    const Event &e = good[i];
    values[0] = e.pt;
    values[1] = e.mt();
    bool train = i % 2 == 0;
    count[e.signal][train]++;
    if (e.signal) {
      if (train) loader->AddSignalTrainingEvent(values, 1.);
      else       loader->AddSignalTestEvent(values, 1.);
    } else {
      if (train) loader->AddBackgroundTrainingEvent(values, 1.);
      else       loader->AddBackgroundTestEvent(values, 1.);
    }
  }
  std::cout << count[0][0] << " " << count[0][1] << " " << count[1][0] << " " << count[1][1] << std::endl;
  loader->PrepareTrainingAndTestTree("", "SplitMode=Block:NormMode=None:!V");
  TMVA::Factory factory("structs", "!V:Silent:!Color:!DrawProgressBar:AnalysisType=Classification");
  factory.BookMethod(loader, TMVA::Types::kLD, "LD", "!H:!V");
  factory.BookMethod(loader, TMVA::Types::kKNN, "KNN", "!H:!V:nkNN=10");
  factory.TrainAllMethods();
  delete loader;
}
