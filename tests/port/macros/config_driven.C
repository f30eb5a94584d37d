// A training that a text file describes; errors are exceptions
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <map>
#include <vector>
#include <string>
#include <memory>
#include "TFile.h"
#include "TMVA/Factory.h"
#include "TMVA/DataLoader.h"

namespace config {

struct Method {
  std::string name;
  std::string options;
};

class Settings {
public:
  explicit Settings(const std::string &file);
  const std::string &text(const std::string &key) const;
  int number(const std::string &key, int otherwise = 0) const;
  std::vector<Method> methods;
  std::vector<std::pair<std::string, char>> variables;

private:
  std::map<std::string, std::string> values;
};

Settings::Settings(const std::string &file)
{
  std::ifstream in(file.c_str());
  if (!in.is_open()) throw std::runtime_error("cannot open " + file);
  std::string line;
  int n = 0;
  while (std::getline(in, line)) {
    ++n;
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string key, value;
    words >> key >> value;
    if (key == "method") {
      Method m;
      m.name = value;
      if (!(words >> m.options)) throw std::invalid_argument(Form("line %d: a method needs options", n));
      methods.push_back(m);
    }
    else if (key == "variable") {
      char type = 'F';
      words >> type;
      variables.push_back(std::make_pair(value, type));
    }
    else values[key] = value;
  }
}

const std::string &Settings::text(const std::string &key) const
{
  std::map<std::string, std::string>::const_iterator it = values.find(key);
  if (it == values.end()) throw std::out_of_range("no setting " + key);
  return it->second;
}

int Settings::number(const std::string &key, int otherwise) const
{
  return values.count(key) ? std::stoi(values.at(key)) : otherwise;
}

}  // namespace config

int config_driven(std::string file = "training.cfg")
{
  try {
    config::Settings settings(file);
    std::unique_ptr<TFile> input{TFile::Open("tmva_class_example.root")};
    auto loader = std::make_unique<TMVA::DataLoader>("configured");
    for (const auto &v : settings.variables) loader->AddVariable(v.first, v.second);
    TTree *sig = nullptr, *bkg = nullptr;
    input->GetObject(settings.text("tree.signal").c_str(), sig);
    input->GetObject(settings.text("tree.background").c_str(), bkg);
    loader->AddSignalTree(sig);
    loader->AddBackgroundTree(bkg);
    const int n = settings.number("events", 50);
    std::stringstream split;
    split << "nTrain_Signal=" << n << ":nTrain_Background=" << n << ":SplitMode=Random:!V";
    loader->PrepareTrainingAndTestTree(settings.text("cut").c_str(), split.str());
    TMVA::Factory factory("configured", "!V:Silent:!Color:!DrawProgressBar:AnalysisType=Classification");
    for (auto &m : settings.methods) {
      std::cout << "booking " << m.name << " with " << m.options << std::endl;
      factory.BookMethod(loader.get(), m.name, m.name, m.options);
    }
    factory.TrainAllMethods();
    std::cout << "weights: " << settings.number("none", -1) << std::endl;
    settings.text("missing");
  } catch (const std::out_of_range &e) {
    std::cout << "setting: " << e.what() << std::endl;
  } catch (const std::exception &e) {
    std::cerr << "error: " << e.what() << std::endl;
    return 1;
  }
  return 0;
}
