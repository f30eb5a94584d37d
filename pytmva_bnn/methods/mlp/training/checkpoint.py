"""Checkpoints: the state of a training in a file, from which it goes on to the same result, bit by bit.

The file (npz) also holds a fingerprint of the network, the settings and the events, so that it is not taken for another
training's.
"""

from __future__ import annotations

import hashlib
import json
import logging
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import Enum
from pathlib import Path
from typing import Any, cast, get_args

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.files import atomic_writer, expanded
from pytmva_bnn.methods.mlp.network import Network
from pytmva_bnn.methods.mlp.training.backprop import BPState
from pytmva_bnn.methods.mlp.training.bfgs import BFGSState
from pytmva_bnn.methods.mlp.training.convergence import Convergence
from pytmva_bnn.methods.mlp.training.errors import CheckpointError
from pytmva_bnn.methods.mlp.training.samples import Sample
from pytmva_bnn.methods.mlp.training.settings import TrainingSettings
from pytmva_bnn.methods.mlp.training.state import Monitored, RunState, StoppedBy

log = logging.getLogger("pytmva_bnn.MLP")

FORMAT = 2
SETTINGS = "settings"
_STEPS = {"BFGS": BFGSState, "BP": BPState}
Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True)
class Seeds:
    """The seeds as they were resolved (RandomSeed=0 gives new ones in each run)."""

    shuffling: int
    sampling: int


@dataclass(frozen=True)
class Checkpoint:
    """Where, and after how many epochs each time, the state of a training is kept.

    A training that finds the file goes on from there.
    """

    path: str | Path
    every: int = 10

    def save(self, state: RunState, seeds: Seeds, fingerprint: Mapping[str, str]) -> None:
        """Write the state; the file is replaced only when it is complete."""
        arrays: dict[str, Any] = {"format": FORMAT}
        arrays |= {f"fingerprint/{key}": value for key, value in fingerprint.items()}
        arrays |= {f"seeds/{key}": value for key, value in vars(seeds).items()}
        arrays |= _arrays_of(state)
        with atomic_writer(self.path) as stream:
            # without pickled objects; np.savez wants a plain file interface, which the stream has
            np.savez(stream, **arrays)

    def load(self, fingerprint: Mapping[str, str]) -> tuple[RunState, Seeds] | None:
        """Return what the file holds, or None if there is none; raise CheckpointError if it is of no use."""
        path = Path(expanded(self.path))
        if not path.exists():
            return None
        try:
            # opened here, because numpy leaves a damaged file open
            with path.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
                arrays = dict(file)
            if int(arrays["format"]) != FORMAT:
                raise CheckpointError(
                    str(path), f"its format is {int(arrays['format'])}, not {FORMAT}", "delete it to start anew"
                )
            self._compare(arrays, fingerprint)
            seeds = Seeds(int(arrays["seeds/shuffling"]), int(arrays["seeds/sampling"]))
            return _state_of(arrays), seeds
        except (OSError, EOFError, KeyError, zipfile.BadZipFile, ValueError) as error:
            if isinstance(error, CheckpointError):
                raise
            # what numpy advises to do with a file that it does not know is not for this one
            reason = "it is no checkpoint" if "pickle" in str(error) else f"it cannot be read ({error})"
            raise CheckpointError(str(path), reason, "delete it to start anew") from error

    def _compare(self, arrays: Arrays, fingerprint: Mapping[str, str]) -> None:
        kept = {key: str(arrays[f"fingerprint/{key}"]) for key in fingerprint}
        other = [key for key, value in fingerprint.items() if kept[key] != value and key != SETTINGS]
        other += _changed_settings(kept[SETTINGS], fingerprint[SETTINGS])
        if other:
            raise CheckpointError(
                str(self.path),
                f"it belongs to another training: different {' and '.join(other)}",
                "delete it to start anew, or give this training another checkpoint file",
            )


def fingerprint_of(network: Network, training: Sample, test: Sample, settings: TrainingSettings) -> dict[str, str]:
    """Return what identifies a training, by the words that an error message uses."""
    layout = repr((network.layer_sizes, network.hidden, network.output, network.neuron_input)).encode()
    # RandomSeed=0 draws other initial weights in each run; those of the checkpoint count then
    start = network.flat_weights().tobytes() if settings.random_seed else b""
    return {
        "network": _digest(layout, start),
        SETTINGS: json.dumps({name: _plain(value) for name, value in vars(settings).items()}),
        "training events": _digest_of_sample(training),
        "test events": _digest_of_sample(test),
    }


def _plain(value: object) -> object:
    return value.value if isinstance(value, Enum) else value


def _changed_settings(kept: str, given: str) -> list[str]:
    """Return the settings of two trainings that differ, with their values."""
    then, now = json.loads(kept), json.loads(given)
    return [
        f"{name} ({then.get(name)} then, {now.get(name)} now)"
        for name in sorted(then.keys() | now.keys())
        if then.get(name) != now.get(name)
    ]


def _digest_of_sample(sample: Sample) -> str:
    arrays = (sample.inputs, sample.desired, sample.weights)
    return _digest(*(np.ascontiguousarray(array).tobytes() for array in arrays))


def _digest(*parts: bytes) -> str:
    total = hashlib.sha256()
    for part in parts:
        total.update(str(len(part)).encode())
        total.update(part)
    return total.hexdigest()


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
        raise ValueError(f"it does not say why it stopped: {stopped_by!r}")
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
