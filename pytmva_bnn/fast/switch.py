"""Whether compiled code is used."""

from __future__ import annotations

import os
from functools import cache
from importlib.util import find_spec

from pytmva_bnn.errors import InputError, MissingDependencyError

#: multiplications from which on a job uses compiled code: some 500,000 responses of a small network
_TO_CALL = 20_000_000
#: events times weights from which on a training uses compiled code
_TO_TRAIN = 200_000
#: steps of back-propagation, one for each event and epoch, from which on they are compiled: numpy needs 1.5 s for them
_STEPS = 50_000


def _mode() -> str:
    mode = os.environ.get("PYTMVA_BNN_FAST", "auto")
    if mode not in ("0", "1", "auto"):
        raise InputError(f"the environment variable PYTMVA_BNN_FAST must be 0, 1 or auto, got {mode!r}")
    return mode


@cache
def _installed() -> bool:
    return find_spec("numba") is not None


def _is_usable(mode: str) -> bool:
    if mode == "1" and not _installed():
        raise MissingDependencyError.of("numba", "fast", "PYTMVA_BNN_FAST=1")
    return mode != "0" and _installed()


def available() -> bool:
    """Tell whether compiled code may be used: numba is installed and not switched off."""
    return _is_usable(_mode())


def is_forced() -> bool:
    """Tell whether compiled code is used however small the job is."""
    return _decided(0.0, 1.0)


def _decided(size: float, least: float, wanted: bool | None = None) -> bool:
    mode = _mode()
    if wanted and mode == "auto" and not _installed():
        raise MissingDependencyError.of("numba", "fast", "compiled=True or precision='float32'")
    if not _is_usable(mode):
        return False
    return mode == "1" or (size >= least if wanted is None else wanted)


def pays(multiplications: float, wanted: bool | None = None) -> bool:
    """Tell whether a job of so many multiplications is to be done by compiled code.

    This depends on nothing else: the last bits of a result do not depend on what the process has done before.
    ``wanted`` is what the user said for this job; the environment variable comes before it.
    """
    return _decided(multiplications, _TO_CALL, wanted)


def in_training(n_events: int, n_weights: int) -> bool:
    """Tell whether a training on so many events uses compiled code.

    This depends on nothing else, so that a training that is interrupted goes on in the same way.
    """
    return _decided(n_events * n_weights, _TO_TRAIN)


def in_steps(n_steps: int) -> bool:
    """Tell whether a back-propagation of so many steps, one for each event and epoch, uses compiled code."""
    return _decided(n_steps, _STEPS)
