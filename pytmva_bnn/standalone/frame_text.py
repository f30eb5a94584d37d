"""The file and the class around everything else."""

from __future__ import annotations

from string import Template

FILE = Template(
    """\
$description

#ifndef $guard
#define $guard

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iostream>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#ifndef IClassifierReader__def // the same as in the classes of TMVA: both kinds can be in one program
#define IClassifierReader__def

// What all classifiers have in common.
class IClassifierReader {
public:
   IClassifierReader() = default;
   virtual ~IClassifierReader() = default;
   virtual double GetMvaValue(const std::vector<double>& inputValues) const = 0;
   bool IsStatusClean() const { return fStatusIsClean; }

protected:
   bool fStatusIsClean = true;
};

#endif

$code
#endif // $guard
"""
)

CLASS = Template(
    """\
class $name : public IClassifierReader {
public:
   // The names must be the expressions of the training, in the same order; otherwise the status is not clean.
   explicit $name(const std::vector<std::string>& theInputVars)
   {
      if (theInputVars.empty())
         Refuse("empty input vector");
      else if (theInputVars.size() != kVariables)
         Refuse("mismatch in number of input values: " + std::to_string(theInputVars.size()) +
                " != " + std::to_string(kVariables));
      for (std::size_t i = 0; i < theInputVars.size() && i < kVariables; ++i) {
         if (theInputVars[i] != kExpressions[i])
            Refuse("mismatch in input variable names\\n for variable [" + std::to_string(i) +
                   "]: " + theInputVars[i] + " != " + kExpressions[i]);
      }
   }

$methods

private:
   static constexpr std::size_t kVariables = $n_variables;

   using Event = std::array<float, kVariables>;

   static void Complain(const std::string& problem)
   {
      std::cout << "Problem in class \\"" << kClassName << "\\": " << problem << std::endl;
   }

   void Refuse(const std::string& problem)
   {
      Complain(problem);
      fStatusIsClean = false;
   }

   bool CanEvaluate(const std::vector<double>& inputValues) const
   {
      if (!fStatusIsClean)
         Complain("cannot return classifier response because status is dirty");
      else if (inputValues.size() != kVariables)
         Complain("Input vector needs to be of size " + std::to_string(kVariables));
      else
         return true;
      return false;
   }

$functions

   static constexpr const char* kClassName = $name_string;

   static constexpr const char* kExpressions[kVariables] = {
$expressions
   };

$constants
};
"""
)

GET_PROBA_AND_RARITY = """\
   // The probability that an event of this response is signal, if signal is this fraction of all events.
   double GetProba(double mvaValue, double signalFraction = 0.5) const
   {
      const double signal = Density(kSignalResponse, mvaValue) * signalFraction;
      const double all = signal + Density(kBackgroundResponse, mvaValue) * (1.0 - signalFraction);
      return std::isnan(mvaValue) ? mvaValue : all > 0.0 ? signal / all : -1.0;
   }

   // The fraction of background below this response.
   double GetRarity(double mvaValue) const
   {
      const Distribution& d = kBackgroundResponse;
      const int first = std::max(FindBin(d, d.lower), 1);
      const int last = std::min(FindBin(d, mvaValue), NumberOfBins(d));
      double sum = 0.0;
      for (int bin = first; bin <= last; ++bin) {
         double width = Width(d);
         if (bin == first)
            width = LowEdge(d, bin + 1) - d.lower;
         else if (bin == last)
            width = mvaValue - LowEdge(d, bin);
         sum += Content(d, bin) * static_cast<double>(static_cast<float>(width < 0.0 ? 0.0 : width));
      }
      return sum;
   }"""
