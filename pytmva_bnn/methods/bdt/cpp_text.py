"""The way through the trees, and what becomes of their answers, in C++."""

from __future__ import annotations

from string import Template

NODE = """\
   // An event at or above the cut goes to the right daughter, jump nodes further, one below it to the next node, which
   // is the left one; if jump is negative, it is the other way round. A leaf has no jump, and its answer as cut.
   struct Node {
      float cut;
      int jump;
      unsigned variable;
   };"""

PASSES = """\
   static bool Passes(const Node& node, const Event& event) { return event[node.variable] >= node.cut; }"""

PASSES_WITH_FISHER = """\
   // Numbers of variables beyond the last stand for rows of kCoefficients: linear combinations of all variables.
   static bool Passes(const Node& node, const Event& event)
   {
      if (node.variable < kVariables)
         return event[node.variable] >= node.cut;
      const auto& coefficients = kCoefficients[node.variable - kVariables];
      double value = coefficients[kVariables];
      for (std::size_t i = 0; i < kVariables; ++i)
         value += coefficients[i] * static_cast<double>(event[i]);
      return value > static_cast<double>(node.cut);
   }"""

ANSWER = """\
   // What a tree answers.
   static double Answer(std::size_t tree, const Event& event)
   {
      const Node* node = kNodes + kFirstNodes[tree];
      while (node->jump != 0) {
         const bool isUpward = node->jump > 0;
         const int jump = isUpward ? node->jump : -node->jump;
         node += Passes(*node, event) == isUpward ? jump : 1;
      }
      return static_cast<double>(node->cut);
   }"""

ARE_NUMBERS = """\
   static bool AreNumbers(const std::vector<double>& inputValues)
   {
      return std::all_of(inputValues.begin(), inputValues.end(),
                         [](double value) { return std::isfinite(static_cast<float>(value)); });
   }"""

WEIGHTED_MEAN = """\
   static double WeightedMean(const Event& event)
   {
      double sum = 0.0;
      for (std::size_t tree = 0; tree < kTrees; ++tree)
         sum += kTreeWeights[tree] * Answer(tree, event);
      return kSumOfWeights > std::numeric_limits<double>::epsilon() ? sum / kSumOfWeights : 0.0;
   }"""

SUM = """\
   // The sum of the answers of every step-th tree.
   static double Sum(const Event& event, std::size_t first = 0, std::size_t step = 1)
   {
      double sum = 0.0;
      for (std::size_t tree = first; tree < kTrees; tree += step)
         sum += Answer(tree, event);
      return sum;
   }"""

LOGISTIC = """\
   static double Logistic(const Event& event) { return 2.0 / (1.0 + std::exp(-2.0 * Sum(event))) - 1.0; }"""

SHIFTED_SUM = """\
   static double ShiftedSum(const Event& event) { return Sum(event) + kOffset; }"""

MEAN_AROUND_MEDIAN = """\
   // The mean of the answers around the weighted median: of a sixth of the trees on either side.
   static double MeanAroundMedian(const Event& event)
   {
      std::vector<std::pair<double, double>> answers(kTrees); // with the weights of the trees
      for (std::size_t tree = 0; tree < kTrees; ++tree)
         answers[tree] = {Answer(tree, event), kTreeWeights[tree]};
      std::stable_sort(answers.begin(), answers.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
      std::size_t middle = 0;
      for (double below = 0.0; middle < kTrees && below <= kSumOfWeights / 2.0; ++middle)
         below += answers[middle].second;
      constexpr std::size_t side = kTrees / 6;
      const std::size_t begin = middle > side + 1 ? middle - side - 1 : 0;
      const std::size_t end = std::min(middle + side, kTrees);
      double sum = 0.0;
      for (std::size_t i = begin; i < end; ++i)
         sum += answers[i].first;
      return sum / static_cast<double>(end - begin);
   }"""

PROBABILITIES = Template(
    """\
   static std::array<double, $n_classes> Probabilities(const Event& event)
   {
      std::array<double, $n_classes> powers{};
      double norm = 0.0;
      for (std::size_t i = 0; i < powers.size(); ++i) {
         powers[i] = std::exp(Sum(event, i, powers.size()));
         norm += powers[i];
      }
      for (double& power : powers)
         power /= norm;
      return powers;
   }"""
)

PRESELECTED = Template(
    """\
   // Where the cuts that were made before the training leave one class only they decide, the last one if several do.
   struct PreselectionCut {
      std::size_t variable;
      bool isUpper;
      double cut;
      double answer;
   };

   static double Preselected(const Event& event)
   {
      double answer = 0.0;
      for (const PreselectionCut& one : kPreselection) {
         const double x = static_cast<double>(event[one.variable]);
         if (one.isUpper ? x > one.cut : x < one.cut)
            answer = one.answer;
      }
      return answer != 0.0 ? answer : $response(event);
   }"""
)

GET_MVA_VALUE = Template(
    """\
   // $meaning
   double GetMvaValue(const std::vector<double>& inputValues) const override
   {
      if (!CanEvaluate(inputValues))
         return 0.0;
      return AreNumbers(inputValues) ? $response(Prepared(inputValues))$element
                                     : std::numeric_limits<double>::quiet_NaN();
   }"""
)

GET_REGRESSION_VALUES = Template(
    """\
   // The target.
   std::vector<double> GetRegressionValues(const std::vector<double>& inputValues) const
   {
      if (!CanEvaluate(inputValues))
         return {0.0};
      if (!AreNumbers(inputValues))
         return {std::numeric_limits<double>::quiet_NaN()};
      const std::array<float, 1> output = {static_cast<float>($response(Prepared(inputValues)))};
      return {static_cast<double>(Targets(output)[0])};
   }"""
)

GET_MULTICLASS_VALUES = Template(
    """\
   // The probabilities of the classes, one after the other.
   std::vector<double> GetMulticlassValues(const std::vector<double>& inputValues) const
   {
      std::vector<double> values($n_classes, 0.0);
      if (!CanEvaluate(inputValues))
         return values;
      const bool areNumbers = AreNumbers(inputValues);
      const auto probabilities = Probabilities(Prepared(inputValues));
      for (std::size_t i = 0; i < values.size(); ++i)
         values[i] = areNumbers ? static_cast<double>(static_cast<float>(probabilities[i]))
                                : std::numeric_limits<double>::quiet_NaN();
      return values;
   }"""
)
