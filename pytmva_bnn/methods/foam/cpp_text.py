"""The C++ of foams: finding a cell, kernels, and the methods of the class."""

from __future__ import annotations

from string import Template

CELL = """\
   // A cell of a foam. Its daughters are -1 if it is active; a point goes to the first one if its coordinate is at most
   // the threshold. Corner and edges are in foam coordinates: 0 to 1 over the range of the foam.
   struct Cell {
      int first, second, dimension;
      float threshold, value, error, density;
      double corner[kDimensions], edge[kDimensions];
   };

   using Point = std::array<float, kDimensions>;"""

FIND_CELL = """\
   static Point Coordinates(const Event& event)
   {
      Point t{};
      for (std::size_t k = 0; k < kVariables; ++k)
         t[k] = static_cast<float>((static_cast<double>(event[k]) - kLower[k]) / (kUpper[k] - kLower[k]));
      return t;
   }

   template <std::size_t N>
   static const Cell& CellAt(const Cell (&cells)[N], const Point& t)
   {
      const Cell* cell = cells;
      while (cell->first >= 0)
         cell = cells + (t[cell->dimension] <= cell->threshold ? cell->first : cell->second);
      return *cell;
   }"""

NEIGHBOUR = """\
   // The cell beyond the lower or upper face of a cell, seen from a point in it.
   template <std::size_t N>
   static const Cell& Neighbour(const Cell (&cells)[N], Point t, const Cell& cell, std::size_t k, bool upper)
   {
      const double step = static_cast<double>(1.0e-6f);
      t[k] = static_cast<float>(upper ? cell.corner[k] + cell.edge[k] + step : cell.corner[k] - step);
      return CellAt(cells, t);
   }

   static bool IsEmpty(const Cell& cell) { return kMarksEmptyCells && cell.error == -1.0f; }

   // The mean of the neighbours that saw training events.
   template <std::size_t N>
   static float AverageAround(const Cell (&cells)[N], const Point& t, float Cell::*what)
   {
      const Cell& cell = CellAt(cells, t);
      float sum = 0.0f, n = 0.0f;
      for (std::size_t k = 0; k < kDimensions; ++k) {
         for (int side = 0; side < 2; ++side) {
            const Cell& beside = Neighbour(cells, t, cell, k, side == 1);
            if (!IsEmpty(beside)) {
               sum += beside.*what;
               n += 1.0f;
            }
         }
      }
      return n > 0.0f ? sum / n : 0.0f;
   }"""

_EVALUATED = """\
   // $comment
   template <std::size_t N>
   static float Evaluated(const Cell (&cells)[N], const Event& event, float Cell::*what)
   {
      const Point t = Coordinates(event);
$body
   }"""

_EMPTY = """\
      const Cell& cell = CellAt(cells, t);
      if (IsEmpty(cell))
         return AverageAround(cells, t, what);
"""

_PLAIN = "      return cell.*what;"

_LIN_NEIGHBORS = """\
      float sum = 0.0f;
      int n = 0;
      for (std::size_t k = 0; k < kDimensions; ++k) {
         float distance = static_cast<float>((static_cast<double>(t[k]) - cell.corner[k]) / cell.edge[k]);
         const bool upper = !(distance < 0.5f);
         if (upper)
            distance = 1.0f - distance;
         const Cell& beside = Neighbour(cells, t, cell, k, upper);
         if (IsEmpty(beside))
            continue;
         const double d = distance;
         sum = static_cast<float>(static_cast<double>(sum) + static_cast<double>(cell.*what) * (0.5 + d));
         sum = static_cast<float>(static_cast<double>(sum) + static_cast<double>(beside.*what) * (0.5 - d));
         ++n;
      }
      return n > 0 ? sum / static_cast<float>(n) : cell.*what;"""

_GAUSS = """\
      float sum = 0.0f, norm = 0.0f;
      for (const Cell& cell : cells) {
         if (cell.first >= 0)
            continue;
         float squares = 0.0f;
         for (std::size_t k = 0; k < kDimensions; ++k) {
            const float inside = std::clamp(t[k], 0.0f, 1.0f);
            const float lower = static_cast<float>(cell.corner[k]);
            const float upper = static_cast<float>(cell.corner[k] + cell.edge[k]);
            const float difference = inside - std::clamp(inside, lower, upper);
            squares += difference * difference;
         }
         const double distance = static_cast<double>(std::sqrt(squares)) / kSigma;
         const float weight = distance > 39.0 ? 0.0f : static_cast<float>(std::exp(-0.5 * distance * distance));
         sum += weight * (IsEmpty(cell) ? AverageAround(cells, t, what) : cell.*what);
         norm += weight;
      }
      return norm == 0.0f ? 0.0f : sum / norm;"""

EVALUATED = {
    "None": Template(_EVALUATED).substitute(comment="What the cell of an event holds.", body=_EMPTY + _PLAIN),
    "LinNeighbors": Template(_EVALUATED).substitute(
        comment="What a cell holds, interpolated to the nearer neighbour in each dimension.",
        body=_EMPTY + _LIN_NEIGHBORS,
    ),
    "Gauss": Template(_EVALUATED).substitute(
        comment="The mean of what all cells hold, weighted by a Gaussian of their distance.", body=_GAUSS
    ),
}

MULTI_TARGET = Template(
    """\
   // All active cells with the variables of an event, whatever the targets.
   template <std::size_t N, typename Function>
   static void ForCells(const Cell (&cells)[N], const Point& t, int number, Function visit)
   {
      const Cell& cell = cells[number];
      if (cell.first < 0)
         return visit(cell);
      const bool isTarget = static_cast<std::size_t>(cell.dimension) >= kVariables;
      const bool isFirst = !isTarget && t[cell.dimension] <= cell.threshold;
      if (isTarget || isFirst)
         ForCells(cells, t, cell.first, visit);
      if (isTarget || !isFirst)
         ForCells(cells, t, cell.second, visit);
   }

   static float TargetOf(const Cell& cell, std::size_t k)
   {
      const float centre = static_cast<float>(cell.corner[k] + 0.5 * cell.edge[k]);
      return static_cast<float>(static_cast<double>(centre) * (kUpper[k] - kLower[k]) + kLower[k]);
   }

   static std::array<float, $n_outputs> Outputs(Event event)
   {
      const double step = static_cast<double>(1.1920929e-07f);
      for (std::size_t k = 0; k < kVariables; ++k) {
         if (static_cast<double>(event[k]) <= kLower[k])
            event[k] = static_cast<float>(kLower[k] + step);
         if (static_cast<double>(event[k]) >= kUpper[k])
            event[k] = static_cast<float>(kUpper[k] - step);
      }
      std::array<float, $n_outputs> targets{};
      float norm = 0.0f;
      ForCells(kFoam0, Coordinates(event), 0, [&](const Cell& cell) {
$visit
      });
$finish
      return targets;
   }"""
)

VISIT_MPV = """\
         if (cell.density > norm) {
            norm = cell.density;
            for (std::size_t i = 0; i < targets.size(); ++i)
               targets[i] = TargetOf(cell, kVariables + i);
         }"""

VISIT_MEAN = """\
         const double density = cell.density;
         norm = static_cast<float>(static_cast<double>(norm) + density);
         for (std::size_t i = 0; i < targets.size(); ++i)
            targets[i] = static_cast<float>(static_cast<double>(targets[i]) +
                                            density * static_cast<double>(TargetOf(cell, kVariables + i)));"""

FINISH_MEAN = """\
      for (std::size_t i = 0; i < targets.size(); ++i) {
         const std::size_t k = kVariables + i;
         targets[i] = norm > 1.1920929e-07f ? targets[i] / norm : static_cast<float>((kUpper[k] - kLower[k]) / 2.0);
      }"""

OUTPUTS = Template(
    """\
   static std::array<$type, $n_outputs> Outputs(const Event& event)
   {
$body
   }"""
)

RATIO = """\
      const double s = Evaluated(kFoam0, event, &Cell::density);
      const double b = Evaluated(kFoam1, event, &Cell::density);
      const double ratio = s + b == 0.0 ? 0.5 : s / (s + b);
      return {$ratio};"""

IS_FINITE = """\
   static bool IsFinite(const Event& event)
   {
      for (float x : event) {
         if (!std::isfinite(x))
            return false;
      }
      return true;
   }"""

GET_MVA_VALUE = Template(
    """\
   // $meaning
   double GetMvaValue(const std::vector<double>& inputValues) const override
   {
      if (!CanEvaluate(inputValues))
         return 0.0;
      const Event event = Prepared(inputValues);
      return IsFinite(event) ? static_cast<double>(Outputs(event)[0]) : std::numeric_limits<double>::quiet_NaN();
   }"""
)

ERROR = "      return Evaluated(kFoam0, event, &Cell::error);"

RATIO_ERROR = """\
      const double s = Evaluated(kFoam0, event, &Cell::value);
      const double b = Evaluated(kFoam1, event, &Cell::value);
      if (s <= 1.0e-10 && b <= 1.0e-10)
         return 1.0;
      const double squares = (s + b) * (s + b);
      const double fromSignal = b / squares * (s == 0.0 ? 1.0 : std::sqrt(s));
      const double fromBackground = s / squares * (b == 0.0 ? 1.0 : std::sqrt(b));
      return std::sqrt(fromSignal * fromSignal + fromBackground * fromBackground);"""

ERROR_OF = Template(
    """\
   static double ErrorOf(const Event& event)
   {
$body
   }"""
)

GET_MVA_ERRORS = """\
   // The error of what GetMvaValue returns, from the number of training events; lower and upper error are the same.
   std::pair<double, double> GetMvaErrors(const std::vector<double>& inputValues) const
   {
      std::pair<double, double> errors{0.0, 0.0};
      GetMvaValue(inputValues, errors.first, errors.second);
      return errors;
   }

   double GetMvaError(const std::vector<double>& inputValues) const { return GetMvaErrors(inputValues).first; }

   // Response and errors at once.
   double GetMvaValue(const std::vector<double>& inputValues, double& errorLower, double& errorUpper) const
   {
      errorLower = errorUpper = 0.0;
      if (!CanEvaluate(inputValues))
         return 0.0;
      const Event event = Prepared(inputValues);
      errorLower = errorUpper = IsFinite(event) ? ErrorOf(event) : std::numeric_limits<double>::quiet_NaN();
      return GetMvaValue(inputValues);
   }"""

GET_MULTICLASS_VALUES = Template(
    """\
   // The shares of the classes, one after the other.
   std::vector<double> GetMulticlassValues(const std::vector<double>& inputValues) const
   {
      std::vector<double> shares($n_outputs, 0.0);
      if (!CanEvaluate(inputValues))
         return shares;
      const Event event = Prepared(inputValues);
      if (!IsFinite(event))
         return std::vector<double>($n_outputs, std::numeric_limits<double>::quiet_NaN());
      const auto v = Outputs(event);
      for (std::size_t i = 0; i < v.size(); ++i) {
         float others = 0.0f;
         for (std::size_t j = 0; j < v.size(); ++j) {
            if (j != i)
               others = static_cast<float>(static_cast<double>(others) + std::exp(static_cast<double>(v[j] - v[i])));
         }
         shares[i] = static_cast<float>(1.0 / (1.0 + static_cast<double>(others)));
      }
      return shares;
   }"""
)
