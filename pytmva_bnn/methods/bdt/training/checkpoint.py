"""Checkpoints of a forest's training."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.methods.bdt.forest import Forest
from pytmva_bnn.methods.bdt.training.sample import Samples
from pytmva_bnn.methods.bdt.training.settings import BDTSettings
from pytmva_bnn.methods.checkpoint import SETTINGS, digest, load_state, save_state, unreadable

FORMAT = 2


@dataclass(frozen=True, eq=False)
class TrainingState:
    """A training after some trees: the forest, the weights of events, and what boosting and monitoring have noted."""

    forest: Forest
    boost_weights: FloatArray
    noted: Mapping[str, NDArray[Any]]
    gradient: Mapping[str, NDArray[Any]]


def fingerprint_of(samples: Samples, settings: BDTSettings) -> dict[str, str]:
    """Return what identifies a training, by the words that an error message uses."""
    plain = asdict(settings)
    plain.pop("checkpoint")
    training = samples.training
    events: list[NDArray[Any]] = [training.inputs, training.targets, training.class_index, training.event_weights]
    if samples.validation is not None:
        events += [samples.validation.inputs, samples.validation.event_weights]
    return {SETTINGS: json.dumps(plain | plain.pop("tree")), "training events": digest(*events)}


def save(path: str, state: TrainingState, fingerprint: Mapping[str, str]) -> None:
    """Write the state; the file is replaced only when it is complete."""
    arrays: dict[str, Any] = {f"forest/{one.name}": getattr(state.forest, one.name) for one in fields(Forest)}
    arrays |= {f"noted/{name}": values for name, values in state.noted.items()}
    arrays |= {f"gradient/{name}": values for name, values in state.gradient.items()}
    save_state(path, FORMAT, fingerprint, arrays | {"boost_weights": state.boost_weights})


def load(path: str, fingerprint: Mapping[str, str]) -> TrainingState | None:
    """Return what the file holds, or None if there is no file; raise CheckpointError if it is unusable."""
    arrays = load_state(path, FORMAT, fingerprint)
    if arrays is None:
        return None
    try:
        forest = Forest(**{one.name: arrays[f"forest/{one.name}"] for one in fields(Forest)})
        return TrainingState(forest, arrays["boost_weights"], _part(arrays, "noted"), _part(arrays, "gradient"))
    except (KeyError, ValueError, TypeError, IndexError) as error:
        raise unreadable(path, error) from error


def _part(arrays: Mapping[str, NDArray[Any]], name: str) -> dict[str, NDArray[Any]]:
    start = f"{name}/"
    return {key.removeprefix(start): np.array(values) for key, values in arrays.items() if key.startswith(start)}
