"""Checkpoints of a network's training."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import Enum
from pathlib import Path
from typing import Any, cast, get_args

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.methods.checkpoint import SETTINGS, Arrays, digest, load_state, save_state, unreadable
from pytmva_bnn.methods.mlp.network import Network
from pytmva_bnn.methods.mlp.training.backprop import BPState
from pytmva_bnn.methods.mlp.training.bfgs import BFGSState
from pytmva_bnn.methods.mlp.training.convergence import Convergence
from pytmva_bnn.methods.mlp.training.samples import Sample
from pytmva_bnn.methods.mlp.training.settings import TrainingSettings
from pytmva_bnn.methods.mlp.training.state import Monitored, RunState, StoppedBy

FORMAT = 3
_STEPS = {"BFGS": BFGSState, "BP": BPState}


@dataclass(frozen=True)
class Seeds:
    """The seeds as they were resolved (RandomSeed=0 gives new ones in each run)."""

    shuffling: int
    sampling: int


@dataclass(frozen=True)
class Checkpoint:
    """Where, and after how many epochs each time, the state of a training is kept.

    A training that finds the file resumes from it.
    """

    path: str | Path
    every: int = 10

    def save(self, state: RunState, seeds: Seeds, fingerprint: Mapping[str, str]) -> None:
        """Write the state; the file is replaced only when it is complete."""
        own = {f"seeds/{key}": value for key, value in vars(seeds).items()}
        save_state(self.path, FORMAT, fingerprint, own | _arrays_of(state))

    def load(self, fingerprint: Mapping[str, str]) -> tuple[RunState, Seeds] | None:
        """Return what the file holds, or None if there is no file; raise CheckpointError if it is unusable."""
        arrays = load_state(self.path, FORMAT, fingerprint)
        if arrays is None:
            return None
        try:
            seeds = Seeds(int(arrays["seeds/shuffling"]), int(arrays["seeds/sampling"]))
            return _state_of(arrays), seeds
        except (KeyError, ValueError, TypeError, IndexError) as error:
            raise unreadable(self.path, error) from error


def fingerprint_of(network: Network, training: Sample, test: Sample, settings: TrainingSettings) -> dict[str, str]:
    """Return what identifies a training, by the words that an error message uses."""
    layout = repr((network.layer_sizes, network.hidden, network.output, network.neuron_input)).encode()
    # RandomSeed=0 draws other initial weights in each run; those of the checkpoint count then
    start = network.flat_weights().tobytes() if settings.random_seed else b""
    return {
        "network": digest(layout, start),
        SETTINGS: json.dumps({name: _plain(value) for name, value in vars(settings).items()}),
        "training events": digest(training.inputs, training.desired, training.weights),
        "test events": digest(test.inputs, test.desired, test.weights),
    }


def _plain(value: object) -> object:
    return value.value if isinstance(value, Enum) else value


def _arrays_of(state: RunState) -> dict[str, Any]:
    method = "BFGS" if isinstance(state.step, BFGSState) else "BP"
    arrays: dict[str, Any] = {
        "method": method,
        "epoch": state.epoch,
        "n_epochs": state.n_epochs,
        "n_sampled": state.n_sampled,
        "stopped_by": state.stopped_by or "",
        "history": np.array([(p.epoch, p.training, p.test) for p in state.history]).reshape(-1, 3),
    }
    arrays |= {f"step/{key}": value for key, value in vars(state.step).items()}
    arrays |= {f"convergence/{key}": value for key, value in vars(state.convergence).items()}
    for name in ("training_events", "test_events"):
        events = getattr(state, name)
        if events is not None:
            arrays[name] = events
    return arrays


def _state_of(arrays: Arrays) -> RunState:
    stopped_by = str(arrays["stopped_by"])
    if stopped_by and stopped_by not in get_args(StoppedBy):
        raise ValueError(f"it does not say why the training stopped: {stopped_by!r}")
    return RunState(
        step=_rebuilt(_STEPS[str(arrays["method"])], "step", arrays),
        convergence=_rebuilt(Convergence, "convergence", arrays),
        epoch=int(arrays["epoch"]),
        n_epochs=int(arrays["n_epochs"]),
        history=tuple(Monitored(int(e), float(a), float(b)) for e, a, b in arrays["history"]),
        training_events=_events(arrays, "training_events"),
        test_events=_events(arrays, "test_events"),
        n_sampled=int(arrays["n_sampled"]),
        stopped_by=cast("StoppedBy", stopped_by) if stopped_by else None,
    )


def _events(arrays: Arrays, name: str) -> NDArray[np.intp] | None:
    return arrays[name].astype(np.intp) if name in arrays else None


def _rebuilt(kind: type[Any], prefix: str, arrays: Arrays) -> Any:
    """Return the flat dataclass whose fields are stored under ``prefix``; scalars become plain numbers again."""
    values = {one.name: arrays[f"{prefix}/{one.name}"] for one in fields(kind)}
    return kind(**{name: value if value.ndim else value.item() for name, value in values.items()})
