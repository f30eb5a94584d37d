"""How a network is shown: its layers, convergence, evidence and relevance of the inputs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.methods.mlp.fitted import FittedMLP
from pytmva_bnn.methods.mlp.training import ConvergenceVerdict, Evidence, History, TrainingResult
from pytmva_bnn.show.plots.content import (
    Content,
    Facts,
    MethodContent,
    Numbers,
    described,
    drawings,
    tabulated,
    training_facts,
)
from pytmva_bnn.show.plots.plot import Plot
from pytmva_bnn.show.plots.training import convergence, network, relevance

if TYPE_CHECKING:
    from pytmva_bnn.show.report.root_file import Directory

Matrices = list[NDArray[np.float64]]
"""The weights of a network layer by layer, which is all that an output file has of it."""

NETWORK, CONVERGENCE = "Network", "Convergence"
ENDED_BY = {
    "cycles": "all cycles done",
    "convergence": "converged",
    "interrupt": "interrupted",
    "floor": "nothing left to gain",
}


@described.register
def _(fitted: FittedMLP) -> Facts:
    neurons = f"{fitted.hidden}, output {fitted.output}"
    return [("Layers", fitted.summary), ("Weights", fitted.network.n_weights), ("Neurons", neurons)]


@described.register(list)
def _(fitted: Matrices) -> Facts:
    layers = [len(fitted[0]) - 1, *(matrix.shape[1] for matrix in fitted)]
    return [("Layers", "-".join(map(str, layers))), ("Weights", sum(matrix.size for matrix in fitted))]


@training_facts.register
def _(result: TrainingResult) -> Facts:
    return [
        ("Epochs", result.n_epochs),
        ("Ended", ENDED_BY.get(result.stopped_by, result.stopped_by)),
        *_verdict(result.convergence),
        ("Estimator (training)", float(result.training_estimator)),
        ("Estimator (test)", float(result.test_estimator)),
    ]


def _verdict(found: ConvergenceVerdict | None) -> Iterator[tuple[str, object]]:
    if found is not None:
        yield "Convergence", ". ".join([found.headline, *found.problems])
        for name, value in found.facts():
            yield name[0].upper() + name[1:], value


@tabulated.register
def _(result: TrainingResult, names: Sequence[str] = ()) -> Iterator[Numbers]:
    if result.evidence is not None:
        yield from tabulated(result.evidence, names)


@tabulated.register
def _(e: Evidence, names: Sequence[str] = ()) -> Iterator[Numbers]:
    del names  # it has those of its training
    facts = [
        ("Log evidence", f"{e.log_evidence:.2f}"),
        ("Log likelihood", f"{e.log_likelihood:.2f}"),
        ("Prior", f"{e.log_prior:.2f}"),
        ("Occam factor", f"{e.log_occam:.2f}"),
        ("Effective parameters", f"{e.n_effective:.1f} of {int(e.group_sizes.sum())}"),
    ]
    rows = [
        (name, float(alpha), int(n), float(gamma))
        for name, alpha, n, gamma in zip(e.group_names(), e.regulators, e.group_sizes, e.effective, strict=True)
    ]
    yield Numbers(facts, ("Regulator of", "Value", "Weights", "Effective"), rows)


# ---- plots --------------------------------------------------------------------------------------------------


@drawings.register(FittedMLP)
@drawings.register(list)
def _(fitted: FittedMLP | Matrices, content: Content, m: MethodContent) -> Iterator[tuple[str, Plot]]:
    drawn = fitted.network if isinstance(fitted, FittedMLP) else fitted
    draw = partial(network, drawn, inputs=content.input_names, outputs=content.output_names, title=m.title)
    caption = f"Architecture of {m.title}; colour and width of the lines show the weights"
    yield NETWORK, Plot(_name("network", content, m), caption, draw)


@drawings.register
def _(result: TrainingResult, content: Content, m: MethodContent) -> Iterator[tuple[str, Plot]]:
    if result.evidence is not None:
        draw = partial(relevance, result.evidence, content.input_names, title=m.title)
        words = f"Relevance of the inputs of {m.title}, from its regulators"
        yield NETWORK, Plot(f"relevance_{m.title}", words, draw)
    yield from drawings(result.history, content, m)


@drawings.register
def _(history: History, content: Content, m: MethodContent) -> Iterator[tuple[str, Plot]]:
    if len(history.epochs):
        draw = partial(convergence, history, title=m.title)
        yield CONVERGENCE, Plot(_name("annconvergencetest", content, m), f"Estimators of {m.title} by epoch", draw)


def _name(name: str, content: Content, m: MethodContent) -> str:
    return name if len(content.methods) == 1 else f"{name}_{m.title}"


# ---- output file --------------------------------------------------------------------------------------------


def read_folder(folder: Directory, title: str) -> tuple[Matrices | None, History | None]:
    """Return the weights and the estimators by epoch; what is not there goes into the notes."""
    matrices, history = _matrices(folder), _history(folder)
    if any(name.startswith(("estimatorHist", "weights_hist")) for name in folder.names):
        monitored = (("estimators by epoch", history is not None), ("weights of the network", matrices))
        folder.notes += [f"{title}: there are no {what}" for what, there in monitored if not there]
    return matrices or None, history


def _history(folder: Directory) -> History | None:
    train, test = folder.histogram("estimatorHistTrain"), folder.histogram("estimatorHistTest")
    if train is None or test is None or train.n_bins != test.n_bins:
        return None
    # bins of epochs that were not reached are empty
    filled = (train.values != 0) | (test.values != 0)
    if not filled.any():
        return None
    epochs = np.ceil(train.centres - 1e-6).astype(np.int64)[filled]
    return History(epochs, train.values[filled].astype(np.float64), test.values[filled].astype(np.float64))


def _matrices(folder: Directory) -> Matrices:
    names = sorted((n for n in folder.names if re.fullmatch(r"weights_hist\d+", n)), key=lambda n: (len(n), n))
    found = [h.values.astype(np.float64) for n in names if (h := folder.histogram_2d(n)) is not None]
    # the row of the bias neuron of the next layer stays empty
    made = [m[:, :-1] if layer < len(found) - 1 else m for layer, m in enumerate(found)]
    fits = all(a.shape[1] + 1 == b.shape[0] for a, b in pairwise(made))
    if not fits or len(found) < len(names):
        folder.notes.append(f"{folder.path}: the histograms of the weights do not fit each other")
        return []
    return made
