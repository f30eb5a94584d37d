"""The transformations of events and of targets."""

from __future__ import annotations

from string import Template

PREPARED = Template(
    """\
   // The inputs of the network: the event in float32, transformed. One NaN in the event makes all of them NaN.
   static Event Prepared(const std::vector<double>& inputValues)
   {
      Event event{};
      bool isNumber = true;
      for (std::size_t i = 0; i < kVariables; ++i) {
         event[i] = static_cast<float>(inputValues[i]);
         isNumber = isNumber && !std::isnan(event[i]);
      }
$transformations      if (!isNumber)
         event.fill(std::numeric_limits<float>::quiet_NaN());
      return event;
   }"""
)

SELECTED_AND_STORED = """\
   template <std::size_t N>
   static std::array<float, N> Selected(const Event& event, const std::size_t (&places)[N])
   {
      std::array<float, N> x{};
      for (std::size_t i = 0; i < N; ++i)
         x[i] = event[places[i]];
      return x;
   }

   // Places beyond the variables belong to nothing that the network sees.
   template <std::size_t N>
   static void Store(Event& event, const std::size_t (&places)[N], const std::array<float, N>& x)
   {
      for (std::size_t i = 0; i < N; ++i) {
         if (places[i] < kVariables)
            event[places[i]] = x[i];
      }
   }"""

TRANSFORM = Template(
    """\
   $summary
   static void Transform$number(Event& event)
   {
      auto x = Selected(event, kRead$number);
$statements
      Store(event, kWritten$number, x);
   }"""
)

FOR_EACH_INPUT = Template(
    """\
      for (std::size_t i = 0; i < x.size(); ++i)
         x[i] = $value;"""
)

CENTRED_PRODUCT = Template(
    """\
      std::array<double, $n> centred{};
      for (std::size_t i = 0; i < x.size(); ++i)
         centred[i] = static_cast<double>(x[i]) - kMeans$number[i];
      x = Product(kComponents$number, centred);"""
)

NORMALISED = """\
   static float Normalised(float x, float minimum, float maximum)
   {
      const float scale = static_cast<float>(1.0 / static_cast<double>(maximum - minimum));
      return (x - minimum) * scale * 2.0f - 1.0f;
   }"""

DENORMALISED = """\
   static float Denormalised(float y, float minimum, float maximum)
   {
      const float scale = static_cast<float>(1.0 / static_cast<double>(maximum - minimum));
      return minimum + (y + 1.0f) / (scale * 2.0f);
   }

   static double Denormalised(double y, float minimum, float maximum)
   {
      const double low = minimum;
      const double high = maximum;
      return low + (y + 1.0) / (1.0 / (high - low) * 2.0);
   }"""

PRODUCT = """\
   template <class Real, std::size_t N>
   static std::array<float, N> Product(const double (&matrix)[N][N], const std::array<Real, N>& x)
   {
      std::array<float, N> y{};
      for (std::size_t i = 0; i < N; ++i) {
         double sum = 0.0;
         for (std::size_t j = 0; j < N; ++j)
            sum += matrix[i][j] * static_cast<double>(x[j]);
         y[i] = static_cast<float>(sum);
      }
      return y;
   }"""

UNIFORMISED = """\
   static double Limited(double c)
   {
      const double largest = 1.0 - 1e-9;
      c = c <= largest ? c : largest;
      return c >= 1e-9 ? c : 1e-9;
   }

   static float Uniformised(double c) { return static_cast<float>(Limited(c)); }"""

GAUSSIANISED = """\
   // The inverse of the error function, by the secant method.
   static double ErfInverse(double x)
   {
      const double slope = 0.8862269254527579;
      const double precision = 1e-14;
      const double size = std::fabs(x);
      if (size <= precision)
         return slope * x;
      double e = slope * size;
      double before = std::erf(0.9 * e);
      double step = 0.1 * e;
      for (int iteration = 0; iteration < 50; ++iteration) {
         const double now = 1.0 - std::erfc(e);
         const double rest = size - now;
         if (std::fabs(rest) < precision)
            return std::copysign(e, x);
         step *= rest / (now - before);
         before = now;
         e += step;
         if (std::fabs(step / e) < precision)
            return std::copysign(e, x);
      }
      return 0.0;
   }

   static float Gaussianised(double c)
   {
      double a = 2.0 * Limited(c) - 1.0;
      a = a >= 0.99999999 ? 0.99999999 : a;
      a = a <= -0.99999999 ? -0.99999999 : a;
      return static_cast<float>(1.414213562 * ErfInverse(a));
   }"""

GAUSS_TO_UNIFORM = """\
   static double GaussToUniform(double y) { return (std::erf(y / 1.414213562) + 1.0) / 2.0; }"""

TARGETS = Template(
    """\
   // What the outputs of the network stand for.
   template <class Real>
   static std::array<Real, $n_targets> Targets(const std::array<Real, $n_targets>& outputs)
   {
      auto targets = outputs;
$statements
      return targets;
   }"""
)

TARGETS_FROM_COMPONENTS = Template(
    """\
      const std::size_t places[] = {$places};
      const std::size_t sources[] = {$sources};
      for (std::size_t i = 0; i < $n; ++i) {
         double sum = 0.0;
         for (std::size_t j = 0; j < $n; ++j)
            sum += static_cast<double>(outputs[sources[j]]) * kTargetComponents[i][j] + kTargetMeans[j]; // all means
         targets[places[i]] = static_cast<Real>(sum);
      }"""
)
