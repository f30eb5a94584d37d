"""What the fitters find, which points they look at, and how they end."""

import math

import numpy as np
import pytest

from pytmva_bnn.errors import InputError, OptionError
from pytmva_bnn.methods.fitters import (
    FITTERS,
    GeneticAlgorithm,
    Interval,
    MonteCarlo,
    SimulatedAnnealing,
    parse_fitter,
)
from pytmva_bnn.methods.fitters import minuit as minuit_module
from pytmva_bnn.methods.fitters.annealing import _Walk
from pytmva_bnn.methods.fitters.fitter import Best
from pytmva_bnn.methods.fitters.intervals import random_points
from pytmva_bnn.methods.fitters.minuit import Minuit
from pytmva_bnn.options import OptionSet
from pytmva_bnn.random import TRandom3

CENTRE = np.array([0.5, -1.25, 2.0])
RANGES = [Interval(-2, 2), Interval(-3, 3), Interval(2, 2)]


class Recorder:
    """A parabola that remembers what it was asked."""

    def __init__(self, function=lambda p: ((p - CENTRE) ** 2).sum(axis=1)):
        self.calls = []
        self.function = function

    def __call__(self, points):
        self.calls.extend(points.copy())
        return self.function(points)


SMALL = {
    "MC": MonteCarlo(3000),
    "GA": GeneticAlgorithm(population=40, steps=8, n_cycles=2),
    "SA": SimulatedAnnealing(3000),
    "MINUIT": Minuit(),
}


@pytest.mark.parametrize("name", SMALL)
def test_the_minimum_is_found_within_the_ranges(name):
    estimator = Recorder()
    found = SMALL[name].minimise(estimator, RANGES)
    np.testing.assert_allclose(found.point, CENTRE, atol=0.12 if name == "MC" else 0.05)
    assert found.value == estimator(found.point[np.newaxis])[0]
    assert found.value == min(estimator.function(np.array(estimator.calls)))
    calls = np.array(estimator.calls)
    assert ((calls >= [-2, -3, 2]) & (calls <= [2, 3, 2])).all()
    again = SMALL[name].minimise(Recorder(), RANGES)
    np.testing.assert_array_equal(found.point, again.point)


def test_monte_carlo_looks_at_tmvas_points():
    estimator = Recorder()
    MonteCarlo(2000, seed=5).minimise(estimator, RANGES)
    random = TRandom3(5)
    random.skip(1 + 2)  # a number thrown away, and a point that is not evaluated
    np.testing.assert_array_equal(estimator.calls, random_points(RANGES, random, 2000))


def test_monte_carlo_walks_away_from_the_best_point():
    estimator = Recorder()
    fitter = MonteCarlo(200, sigma=0.05)
    found = fitter.minimise(estimator, RANGES)
    random = TRandom3(100)
    random.skip(1)
    centre = random_points(RANGES, random, 1)[0]
    uniform, best = random.rndm, math.inf
    for call in estimator.calls:
        expected = [r.near(c, 0.05, uniform) for r, c in zip(RANGES, centre, strict=True)]
        np.testing.assert_array_equal(call, expected)
        value = ((call - CENTRE) ** 2).sum()
        if value < best:
            best, centre = value, call
    np.testing.assert_array_equal(found.point, centre)


def naive_annealing(fitter, function):
    """Increasing adaptive, step by step."""
    u = TRandom3(100).rndm
    widths = [r.width for r in RANGES]
    point = [u() * w + r.low for r, w in zip(RANGES, widths, strict=True)]
    yield point
    t, value, progress, equals = fitter.min_temperature, function(point), 0, 0

    def neighbour():
        result = []
        for old, r, w in zip(point, RANGES, widths, strict=True):
            v = math.inf
            while not r.low <= v <= r.high:
                n = u()
                v = old + w * 0.1 * (t * ((1 + 1 / t) ** abs(2 * n - 1) - 1) * (1.0 if n >= 0.5 else -1.0))
            result.append(v)
        return result

    last = fitter.max_calls // 100
    for _ in range(fitter.max_calls - last):
        new = neighbour()
        yield new
        f = function(new)
        if f < value or abs(f - value) < fitter.eps:
            if abs(f - value) < fitter.eps:
                equals += 1
                progress += equals >= 3
            else:
                progress = equals = 0
            point, value = new, f
        else:
            if u() < math.exp(-abs(f - value) / t):
                point, value = new, f
            progress, equals = progress + 1, 0
        t = fitter.min_temperature + fitter.scale * math.log(1 + progress * fitter.adaptive_speed)
    t = first = 2 * fitter.min_temperature * len(RANGES)
    for _ in range(last):
        new = neighbour()
        yield new
        f = function(new)
        if f < value:
            point, value = new, f
        t -= (first - fitter.eps) / last


@pytest.mark.parametrize("step", [1e-9, 0.5], ids=["smooth", "plateaus"])
def test_annealing_looks_at_tmvas_points(step):
    fitter = SimulatedAnnealing(900, min_temperature=0.01, scale=0.05, adaptive_speed=0.7)

    def function(points):
        return np.floor(((points - CENTRE) ** 2).sum(axis=1) / step) * step

    estimator = Recorder(function)
    fitter.minimise(estimator, RANGES)
    expected = list(naive_annealing(fitter, lambda point: float(function(np.array([point]))[0])))
    assert len(expected) == len(estimator.calls) == 901
    np.testing.assert_array_equal(estimator.calls, expected)


@pytest.mark.parametrize(
    ("kernel", "expected"),
    [
        ("Sqrt", 8 / math.sqrt(5) * 0.5),
        ("Log", 8 / math.log(5) * 0.5),
        ("Homo", 8 / 5 * 0.5),
        ("Sin", (math.sin(3 / 0.5) + 1) / 4 * 8 + 1e-10),
        ("IncAdaptive", 0.1 + 0.5 * math.log(1 + 7 * 2.0)),
    ],
)
def test_temperatures(kernel, expected):
    fitter = SimulatedAnnealing(
        10, initial_temperature=8, min_temperature=0.1, scale=0.5, adaptive_speed=2.0, kernel=kernel
    )
    walk = _Walk(fitter, Recorder(), RANGES, Best())
    assert walk._temperatures()(3, 7) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("kernel", ["Sqrt", "Log", "Homo", "Sin", "IncAdaptive"])
def test_default_scales_and_temperatures(kernel):
    fitter = SimulatedAnnealing(2000, uses_default_scale=True, uses_default_temperature=True, kernel=kernel)
    assert fitter.minimise(Recorder(), RANGES).value < 2.0


# -- all of them


@pytest.mark.parametrize("name", SMALL)
def test_an_interrupt_leaves_the_best_so_far(name):
    values = []

    def function(points):
        if len(values) > (15 if name == "MINUIT" else 60):
            raise KeyboardInterrupt
        values.extend(((points - CENTRE) ** 2).sum(axis=1))
        return np.array(values[-len(points) :])

    fitter = SMALL[name] if name != "MC" else MonteCarlo(3000, sigma=0.1)
    if name == "GA":
        fitter = GeneticAlgorithm(population=10, steps=8, n_cycles=2)
    found = fitter.minimise(function, RANGES)
    assert found.interrupted_after.startswith(fitter.unit)
    assert found.value <= values[0]
    assert found.value in values


@pytest.mark.parametrize("name", SMALL)
def test_an_interrupt_before_the_first_value_is_one(name):
    def function(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        SMALL[name].minimise(function, RANGES)


@pytest.mark.parametrize("name", SMALL)
def test_values_that_are_not_numbers_lose(name):
    def function(points):
        values = ((points - CENTRE) ** 2).sum(axis=1)
        return np.where(points[:, 0] > 1.0, np.nan, values)

    found = SMALL[name].minimise(function, RANGES)
    assert found.point[0] <= 1.0
    assert found.value < 0.5


@pytest.mark.parametrize("name", SMALL)
def test_nothing_to_fit(name):
    with pytest.raises(InputError, match="no parameters"):
        SMALL[name].minimise(Recorder(), [])


@pytest.mark.parametrize("name", SMALL)
def test_progress_goes_up(name):
    steps = []
    SMALL[name].minimise(Recorder(), RANGES, None, lambda step, value, point: steps.append((step, value, point.copy())))
    if name != "MINUIT":  # a parabola takes few calls
        assert steps[-1][0] == SMALL[name].n_steps
    numbers, values = [s[0] for s in steps], [s[1] for s in steps]
    assert numbers == sorted(numbers)
    assert values == sorted(values, reverse=True)
    for _, value, point in steps:
        assert value == pytest.approx(((point - CENTRE) ** 2).sum(), rel=1e-12)


# -- MINUIT


def test_minuit_starts_where_it_is_told(monkeypatch):
    pytest.importorskip("iminuit")
    estimator = Recorder(lambda p: np.cos(p[:, 0]))  # minima at -pi and pi
    ranges = [Interval(-5, 5)]
    for start, expected in ((2.0, math.pi), (-2.0, -math.pi)):
        found = Minuit().minimise(estimator, ranges, np.array([start]))
        assert found.point[0] == pytest.approx(expected, abs=1e-3)


def test_without_iminuit_scipy_does_it(monkeypatch):
    monkeypatch.setattr(minuit_module, "find_spec", lambda _: None)
    found = Minuit().minimise(Recorder(), RANGES)
    np.testing.assert_allclose(found.point, CENTRE, atol=1e-4)


def test_all_parameters_fixed():
    for fitter in SMALL.values():
        found = fitter.minimise(Recorder(lambda p: p[:, 0]), [Interval(1, 1)])
        assert (found.point.tolist(), found.value) == ([1.0], 1.0)


# -- options


def parsed(text, name):
    options = OptionSet(owner="Cuts")
    options.parse(text)
    fitter = parse_fitter(options, name)
    options.check_unused()
    return fitter


def test_options():
    assert parsed("", "GA") == GeneticAlgorithm()
    assert parsed("", "MC") == MonteCarlo()
    assert parsed("", "SA") == SimulatedAnnealing()
    assert parsed("", "MINUIT") == Minuit()
    assert parsed(
        "PopSize=11:Steps=12:Cycles=13:SC_steps=14:SC_rate=15:SC_factor=0.5:ConvCrit=0.25:SaveBestGen=16:Trim:Seed=17",
        "GA",
    ) == GeneticAlgorithm(11, 12, 13, 14, 15, 0.5, 0.25, 16, True, 17)
    assert parsed("SampleSize=5:Sigma=0.5:Seed=7", "MC") == MonteCarlo(5, 0.5, 7)
    assert parsed(
        "MaxCalls=9:InitialTemp=2:MinTemp=3:Eps=4:TempScale=5:AdaptiveSpeed=6:TempAdaptiveStep=7:UseDefaultScale:"
        "UseDefaultTemp:KernelTemp=Log",
        "SA",
    ) == SimulatedAnnealing(9, 2, 3, 4, 5, 6, 7, True, True, "Log")
    assert parsed("ErrorLevel=2:FitStrategy=1:MaxCalls=3:Tolerance=4:!UseMinos", "MINUIT") == Minuit(2, 1, 3, 4)


@pytest.mark.parametrize("kernel", ["DecAdaptive", "Geo"])
def test_kernels_that_tmva_does_not_recognise(kernel):
    assert parsed(f"KernelTemp={kernel}", "SA").kernel == "IncAdaptive"


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("GA", "PopSize=1", "PopSize=1: it must be at least 2"),
        ("GA", "SC_factor=0", "SC_factor=0"),
        ("MC", "SampleSize=0", "SampleSize=0"),
        ("SA", "MaxCalls=0", "MaxCalls=0"),
        ("SA", "MinTemp=0", "MinTemp=0: it must be positive"),
        ("MINUIT", "FitStrategy=3", "FitStrategy=3: it must be 0, 1 or 2"),
        ("MC", "PopSize=3", "could not be interpreted: 'PopSize=3'"),
        ("SA", "KernelTemp=Foo", "does not have predefined value"),
    ],
)
def test_wrong_options(name, text, words):
    with pytest.raises(OptionError, match=words) as error:
        parsed(text, name)
    assert str(error.value).count("Cuts: ") == 1


def test_every_fitter_has_a_name_and_options():
    assert {name: fitter.name for name, fitter in FITTERS.items()} == {
        "MC": "Monte Carlo",
        "GA": "Genetic Algorithm",
        "SA": "Simulated Annealing",
        "MINUIT": "Minuit",
    }
