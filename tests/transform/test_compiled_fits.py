"""Transformations fitted and applied by compiled code are those of numpy, to the last bit."""

import numpy as np
import pytest

from pytmva_bnn.options import parse_var_transform
from pytmva_bnn.transform import Quantity, TransformationChain, fit_step
from pytmva_bnn.transform.error_function import LARGEST, SMALLEST, gaussianise
from pytmva_bnn.transform.fit_chain import TrainingEvents, fit_chain

CLASSES = ["Signal", "Background", "Third"]
CHAINS = ["N", "S", "D", "P", "G", "U", "N,D", "G,D", "G_Signal,P", "U,N"]


def events_of(kind, n_events=3000, n_inputs=3, n_classes=2):
    rng = np.random.default_rng(n_events + n_inputs)
    x = rng.normal(size=(n_events, n_inputs)) @ (np.eye(n_inputs) + 0.2 * rng.normal(size=(n_inputs, n_inputs)))
    w = rng.uniform(0.5, 2.0, n_events)
    match kind:
        case "one weight":
            w[:] = 1.0
        case "negative weights":
            w = rng.normal(0.5, 1.0, n_events)
        case "equal values":
            x = np.round(3 * x)
            x[x == 0] = -0.0
        case "long tails":
            x *= np.exp(3 * rng.normal(size=x.shape))
        case "far away":
            x = 1e4 * x + 1e6
        case "constant":
            x[:, 0] = 2.5
        case "half of the weights 0":
            w[::2] = 0.0
    return TrainingEvents(x.astype(np.float32), rng.integers(0, n_classes, n_events), w)


def numbers_of(step):
    """All parameters of a step."""
    if hasattr(step, "cumulatives"):
        records = [record for sets in step.cumulatives for record in sets]
        return [array for one in records for array in (one.histogram.axis.edges, one.histogram.values)]
    names = ("minima", "maxima", "matrices", "means", "eigenvectors")
    return [np.array(getattr(step, name)) for name in names if hasattr(step, name)]


def assert_same_bits(a, b):
    assert a.dtype == b.dtype
    assert a.shape == b.shape
    missing = np.isnan(a)
    np.testing.assert_array_equal(missing, np.isnan(b))
    kind = f"u{a.itemsize}"
    np.testing.assert_array_equal(a[~missing].view(kind), b[~missing].view(kind))


KINDS = [
    "one weight", "varied", "negative weights", "equal values", "long tails", "far away", "constant",
    "half of the weights 0",
]  # fmt: skip


@pytest.mark.parametrize("definition", CHAINS)
@pytest.mark.parametrize("kind", KINDS)
def test_chains_of_two_classes(both_ways, kind, definition):
    compare(both_ways, events_of(kind), 2, definition)


@pytest.mark.parametrize("n_classes", [1, 3])
@pytest.mark.parametrize("definition", ["N", "D", "P", "G"])
@pytest.mark.parametrize("n_events", [40, 9000])
def test_other_numbers_of_classes_and_events(both_ways, n_events, definition, n_classes):
    compare(both_ways, events_of("varied", n_events, 2, n_classes), n_classes, definition)


@pytest.mark.parametrize("definition", ["D", "P", "G,D"])
def test_many_inputs(both_ways, definition):
    compare(both_ways, events_of("varied", 2000, 24), 2, definition)


def compare(both_ways, events, n_classes, definition):
    n_inputs = events.variables.shape[1]
    quantities = [Quantity("Variable", f"x{i}", f"x{i}") for i in range(n_inputs)]
    outside = np.random.default_rng(1).normal(size=(500, n_inputs)).astype(np.float32) * 10
    outside[:4, 0] = [np.nan, np.inf, -np.inf, -0.0]

    def run():
        names = CLASSES[:n_classes]
        chain = fit_chain(parse_var_transform(definition), events, class_names=names, variables=quantities)
        return [
            *(array for step in chain.steps for array in numbers_of(step)),
            chain.forward_training(events.variables)[0],
            TransformationChain(chain.steps, quantities).forward(outside),
        ]

    for a, b in zip(*both_ways(run), strict=True):
        assert_same_bits(a, b)


@pytest.mark.parametrize("flat", [True, False])
def test_all_probabilities_give_the_same_float32(both_ways, flat):
    # a distribution that is a straight line, so that the probabilities are dense everywhere
    x = np.linspace(0, 1, 4001, dtype=np.float32)[:, None]
    step = fit_step("U" if flat else "G", x, np.zeros(4001), 1)
    rng = np.random.default_rng(0)
    many = np.concatenate([rng.uniform(-0.01, 1.01, 200_000), np.logspace(-12, 0, 5000), 1 - np.logspace(-7, 0, 5000)])
    a, b = both_ways(lambda: step.apply(many.astype(np.float32)[:, None]))
    assert_same_bits(a, b)
    assert len(np.unique(a)) > 10_000


def test_the_table_gives_what_the_iteration_gives():
    pytest.importorskip("numba")
    from pytmva_bnn.transform import gauss_kernels as kernels

    rng = np.random.default_rng(5)
    c = np.concatenate([rng.uniform(0, 1, 300_000), np.linspace(0, 1, 8193), 0.5 + np.logspace(-12, -1, 20_000)])
    c = np.clip(c, SMALLEST, LARGEST)
    y = np.empty((len(c), 1), np.float32)
    certain = ~kernels.gaussianise(c, *kernels.table(), y, 0)
    assert certain[:300_000].mean() > 0.999
    assert_same_bits(y[certain, 0], gaussianise(c[certain]))
