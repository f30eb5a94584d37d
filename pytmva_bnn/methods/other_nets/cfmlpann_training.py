"""The training of CFMlpANN: steps of back-propagation with momentum, one for each event drawn at random."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from operator import add, mul
from typing import Any

import numpy as np

from pytmva_bnn import fast
from pytmva_bnn._typing import FloatArray, IntArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.mlp.option_table import check_network_size
from pytmva_bnn.methods.other_nets.cfmlpann import N_OUTPUTS, FittedCFMlpANN, log
from pytmva_bnn.methods.other_nets.hidden_layers import hidden_sizes
from pytmva_bnn.methods.progress import show_progress
from pytmva_bnn.methods.protocol import TrainingJob

MOMENTUM = 0.5
FIRST_RATE, LAST_RATE = 1e-4, 1e-10
LARGEST, BEYOND = 170.0, 0.9999999999
"""Where the function of the neurons is cut off in training, and its value there."""
GOOD_ENOUGH = 1e-6
COST_EVERY = 1000
MOST_EVENTS, MOST_VARIABLES, MOST_LAYERS, MOST_NEURONS = 200_000, 200, 6, 200
NOTHING_TRAINED = "interrupted before the first cycle: nothing is written"


class Generator:
    """Random numbers of the Clermont-Ferrand code: products modulo 2^36, in three words of 12 bits.

    >>> Generator().numbers(2).round(6)
    array([0.391828, 0.232551])
    """

    # TMVA: the state lives on from one training to the next of a process; here each training starts from the beginning
    _FACTOR = (3823 << 24) + (4006 << 12) + 2903

    def __init__(self) -> None:
        self._state = np.uint64(self._FACTOR)
        self._powers = np.zeros(0, dtype=np.uint64)

    def numbers(self, n: int) -> FloatArray:
        """Return the next numbers, from 0 to 1."""
        if len(self._powers) != n:
            self._powers = np.cumprod(np.full(n, self._FACTOR, dtype=np.uint64), dtype=np.uint64)
        # what is lost beyond 2^64 does not matter modulo 2^36
        states = self._powers * self._state & np.uint64((1 << 36) - 1)
        self._state = states[-1]
        first, second, third = (states >> np.uint64(shift) & np.uint64(4095) for shift in (24, 12, 0))
        result: FloatArray = 2.44140625e-4 * first + 5.96046448e-8 * second + 1.45519152e-11 * third
        return result


@dataclass(frozen=True, eq=False)
class Net:
    """The network in training: ``weights[l]`` is ``(n_l, n_{l+1})``, ``biases[l]`` ``(n_{l+1},)``, with the changes of
    the last step."""

    weights: tuple[FloatArray, ...]
    biases: tuple[FloatArray, ...]
    weight_changes: tuple[FloatArray, ...]
    bias_changes: tuple[FloatArray, ...]

    @classmethod
    def random(cls, sizes: tuple[int, ...], generator: Generator) -> Net:
        """Return the initial network."""
        weights, biases = [], []
        for n_from, n_to in pairwise(sizes):
            numbers = 0.2 * (2.0 * generator.numbers(2 * n_from * n_to) - 1.0)
            drawn = numbers.reshape(n_from, n_to, 2)
            weights.append(np.ascontiguousarray(drawn[:, :, 0]))
            # TMVA: a bias is drawn again with every weight, and the last one stays
            biases.append(drawn[-1, :, 1].copy())
        return cls(tuple(weights), tuple(biases), tuple(map(np.zeros_like, weights)), tuple(map(np.zeros_like, biases)))


@dataclass(frozen=True, eq=False)
class Schedule:
    """The learning rate slope·t + first of step t = 1, 2, ..., falling from 1e-4 to 1e-10."""

    slope: float
    first: float

    @classmethod
    def of(cls, n_steps: int) -> Schedule:
        """Return the rates of this number of steps."""
        slope = (LAST_RATE - FIRST_RATE) / (n_steps - 1)
        return cls(slope, FIRST_RATE - slope)


Cycle = Callable[[IntArray, int], None]
"""Does the steps of the events with these numbers, counted from 1; the second argument are the steps done before."""


def train_cfmlpann(job: TrainingJob) -> FittedCFMlpANN:
    """Train a network as the options of the job say."""
    x, is_signal = job.training.inputs.astype(np.float64), job.training.is_signal
    n_cycles = job.options.integer("NCycles")
    sizes = (x.shape[1], *hidden_sizes(job.options.string("HiddenLayers"), x.shape[1], least=2), N_OUTPUTS)
    _check(job, sizes)
    check_network_size(job.options.string("HiddenLayers"), sizes, 0, job.title)
    ranges = np.column_stack([x.min(axis=0), x.max(axis=0)])
    unit = FittedCFMlpANN(ranges, (), np.ones(1))
    scaled = np.ascontiguousarray(unit.scaling(np.ascontiguousarray(x.T)).T)
    n = len(x)
    generator = Generator()
    net = Net.random(sizes, generator)
    # TMVA: event weights have no effect
    targets = np.where(is_signal[:, np.newaxis], [1.0, -1.0], [-1.0, 1.0])
    cycle = _cycle(net, scaled, targets, Schedule.of(n_cycles * n), n_cycles * n)
    done, interrupted = 0, ""
    with show_progress(n_cycles, log, quiet=job.quiet, unit="cycle") as progress:
        try:
            while done < n_cycles:
                cycle((n * generator.numbers(n)).astype(np.int64), done * n)
                done += 1
                progress(done)
                is_watched = done == 1 or done % COST_EVERY == 0 or done == n_cycles
                if is_watched and _cost(net, scaled, targets) < GOOD_ENOUGH:
                    break
        except KeyboardInterrupt:
            if not done:
                raise KeyboardInterrupt(NOTHING_TRAINED) from None
            interrupted = f"cycle {done}"
            log.warning("%s: interrupted after %d cycles; the weights so far are kept", job.title, done)
    layers = tuple(np.column_stack([bias, weights.T]) for weights, bias in zip(net.weights, net.biases, strict=True))
    return FittedCFMlpANN(ranges, layers, np.ones(len(sizes)), interrupted)


def _check(job: TrainingJob, sizes: tuple[int, ...]) -> None:
    n = len(job.training)
    if n < 2:
        raise InputError(f"{job.title}: a CFMlpANN needs at least two training events")
    # TMVA: prints an error and exits beyond these numbers
    limits = (
        (n, MOST_EVENTS, "training events"),
        (sizes[0], MOST_VARIABLES, "variables"),
        (len(sizes), MOST_LAYERS, "layers"),
        (max(sizes), MOST_NEURONS, "neurons in a layer"),
    )
    for number, most, what in limits:
        if number > most:
            log.warning("%s: %d %s: TMVA exits above %d", job.title, number, what, most)


def _cost(net: Net, inputs: FloatArray, targets: FloatArray) -> float:
    """Return the mean square of the outputs' errors over four."""
    a = inputs
    for weights, bias in zip(net.weights, net.biases, strict=True):
        a = np.tanh(0.5 * (a @ weights + bias))
    return float(np.square(a - targets).sum() / (4.0 * len(a)))


def _cycle(net: Net, inputs: FloatArray, targets: FloatArray, schedule: Schedule, n_steps: int) -> Cycle:
    """Return what does the steps of a cycle: both ways change the arrays of the network, and give the same bits."""
    if not fast.in_steps(n_steps):
        return _plain_cycle(net, inputs.tolist(), targets.tolist(), schedule)
    from pytmva_bnn.methods.other_nets import cfmlpann_kernels  # lazy: numba

    sizes = [len(net.weights[0]), *map(len, net.biases)]
    room = -(-max(sizes) // 4) * 4  # the kernel works on four neurons at a time
    padded = [np.zeros((len(parts), *[room] * parts[0].ndim)) for parts in vars(net).values()]
    pairs = [
        (part, block[tuple(map(slice, part.shape))])
        for parts, blocks in zip(vars(net).values(), padded, strict=True)
        for part, block in zip(parts, blocks, strict=True)
    ]
    for part, block in pairs:
        block[:] = part
    memory = [np.zeros(len(sizes) * room) for _ in range(2)]
    of_net: tuple[Any, ...] = (np.array(sizes, dtype=np.uint64), *(one.reshape(-1) for one in padded), *memory)

    def cycle(events: IntArray, before: int) -> None:
        cfmlpann_kernels.steps(events, before, schedule.slope, schedule.first, inputs, targets, *of_net)
        for part, block in pairs:
            part[:] = block

    return cycle


def _plain_cycle(net: Net, inputs: list[list[float]], targets: list[list[float]], schedule: Schedule) -> Cycle:
    """Return the cycle by plain numbers: numpy's calls take longer than the few sums of a layer."""
    exp, slope, first = math.exp, schedule.slope, schedule.first

    def value(u: float) -> float:
        if abs(u) > LARGEST:
            return math.copysign(BEYOND, u)
        e = exp(-u)
        return (1.0 - e) / (1.0 + e)

    def cycle(events: IntArray, before: int) -> None:
        # a row for each neuron, its bias last: that is the weight of a neuron of value 1
        rows_of, changes_of = (
            [np.vstack([matrix, bias]).T.tolist() for matrix, bias in zip(matrices, biases, strict=True)]
            for matrices, biases in ((net.weights, net.biases), (net.weight_changes, net.bias_changes))
        )
        backwards = range(len(rows_of) - 1, -1, -1)
        for step, event in enumerate(events.tolist(), start=before + 1):
            if event == 0:
                continue
            rate = slope * step + first
            a = inputs[event - 1]
            values = []
            for rows in rows_of:
                a = [*a, 1.0]
                values.append(a)
                a = [value(reduce(add, map(mul, row, a))) for row in rows]
            delta = [(f + 1.0) * (1.0 - f) / 2.0 * (t - f) for f, t in zip(a, targets[event - 1], strict=True)]
            for layer in backwards:
                a, rows, changes = values[layer], rows_of[layer], changes_of[layer]
                below: list[float] = []
                if layer:
                    by_source = zip(a[:-1], *rows, strict=False)  # without the biases
                    below = [(f + 1.0) * (1.0 - f) / 2.0 * reduce(add, map(mul, w, delta)) for f, *w in by_source]
                for j, d in enumerate(delta):
                    scaled = rate * d
                    change = [scaled * one + MOMENTUM * last for one, last in zip(a, changes[j], strict=True)]
                    changes[j] = change
                    rows[j] = list(map(add, rows[j], change))
                delta = below
        for matrices, biases, lists in (
            (net.weights, net.biases, rows_of),
            (net.weight_changes, net.bias_changes, changes_of),
        ):
            for matrix, bias, rows in zip(matrices, biases, lists, strict=True):
                columns = np.array(rows).T
                matrix[:], bias[:] = columns[:-1], columns[-1]

    return cycle
