#ifndef SIGNIFICANCE_TOOLS_H
#define SIGNIFICANCE_TOOLS_H
// what significance.C uses
#include <cmath>
#include <string>
#include <vector>

namespace tools {

enum Formula { kSimple, kAsimov = 5 };

const double kTiny = 1e-9;

inline double significance(double s, double b, Formula formula = kAsimov)
{
  if (b < kTiny) return 0;
  switch (formula) {
    case kSimple:
      return s / sqrt(b);
    case kAsimov:
      return sqrt(2 * ((s + b) * log(1 + s / b) - s));
  }
  return -1;
}

class Scan {
public:
  Scan(int n, double low, double high) : n_(n), low_(low), high_(high), signal_(n, 0.), background_(n, 0.) {}
  virtual ~Scan() {}
  void add(double response, double weight, bool isSignal);
  double cut(int i) const { return low_ + i * (high_ - low_) / n_; }
  std::pair<int, double> best(Formula formula) const;

protected:
  int n_;
  double low_, high_;
  std::vector<double> signal_, background_;
};

void Scan::add(double response, double weight, bool isSignal)
{
  std::vector<double>& yields = isSignal ? signal_ : background_;
  for (int i = 0; i < n_ && response > cut(i); i++) yields[i] += weight;
}

std::pair<int, double> Scan::best(Formula formula) const
{
  std::pair<int, double> found(-1, 0);
  for (int i = 0; i < n_; i++) {
    double z = significance(signal_[i], background_[i], formula);
    if (z > found.second) found = std::make_pair(i, z);
  }
  return found;
}

}  // namespace tools
#endif
