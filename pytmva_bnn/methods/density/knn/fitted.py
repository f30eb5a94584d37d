"""A trained KNN as the rest of the package sees it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray, IntArray
from pytmva_bnn.methods.density.kept_events import FittedEvents
from pytmva_bnn.methods.density.knn.evaluation import NeighbourVotes
from pytmva_bnn.methods.density.knn.option_table import KNNSettings
from pytmva_bnn.methods.density.knn.xml import Events, weights_lines
from pytmva_bnn.weights import Dialect

_SECONDS = 1.5e-5
"""What numpy and scipy take for an event."""


@dataclass(frozen=True, eq=False)
class FittedKNN(FittedEvents):
    """The training events ``(n_events, n_variables)`` and how to look for neighbours among them.

    ``types`` are 1 for signal, 2 for background.  ``as_tmva`` is False for the responses without TMVA's defects.
    """

    variables: Float32Array
    targets: Float32Array
    types: IntArray
    weights: FloatArray
    settings: KNNSettings
    is_regression: bool = False
    as_tmva: bool = True

    noun = "nearest-neighbours method"

    @cached_property
    def neighbour_votes(self) -> NeighbourVotes:
        """Return the events ready to be searched."""
        return NeighbourVotes(self.settings, *self.events, scales_places=not self.as_tmva)

    @property
    def events(self) -> Events:
        """Return the training events."""
        return Events(self.variables, self.targets, self.types, self.weights)

    @property
    def n_outputs(self) -> int:  # type: ignore[override]
        """Return one, or the number of targets."""
        return self.targets.shape[1] if self.is_regression else 1

    @property
    def targets_are_transformed(self) -> bool:  # type: ignore[override]
        """Tell whether the targets are transformed back."""
        # TMVA: forgets it, so that the results are transformed targets
        return not self.as_tmva

    def seconds(self, n_events: int) -> float:
        """Return approximately how long numpy takes for this number of events."""
        return _SECONDS * n_events

    def outputs(self, x: Float32Array, *, compiled: bool) -> FloatArray:
        """Return the fraction of signal among the neighbours, or their mean targets."""
        return self.neighbour_votes.responses(x, "means" if self.is_regression else "fractions", compiled=compiled)

    def mva_values(self, x: Float32Array) -> FloatArray:
        """Return the fraction of events of type 1 among the neighbours."""
        # TMVA: in regression too, where all are of type 1
        compiled = self.is_compiled(len(x), errors=False, compiled=None)
        return self.neighbour_votes.responses(x, "fractions", compiled=compiled)[:, 0]

    def single(self, row: Float32Array) -> Callable[[], float]:
        """Return what evaluates the event in ``row``."""
        return self.neighbour_votes.single(row)

    # -- weight file, people

    def write(self, dialect: Dialect) -> Iterator[str]:
        """Yield the element <Weights>."""
        del dialect
        return weights_lines(self.events)

    def corrected(self) -> FittedKNN:
        """Return the method with a kernel of scaled distances, and targets that are transformed back."""
        return replace(self, as_tmva=False)

    @property
    def summary(self) -> str:
        """Return how many neighbours of how many events."""
        return f"{self.settings.n_neighbours} neighbours of {len(self.variables)} events"

    def describe(self) -> list[tuple[str, str]]:
        """Return events, neighbours and how they are counted."""
        settings, votes = self.settings, self.neighbour_votes
        numbers = f"{len(self.variables)}"
        if not self.is_regression:
            numbers += f" ({np.count_nonzero(self.types == 1)} signal, {np.count_nonzero(self.types != 1)} background)"
        if settings.trims:
            numbers += f", of which {len(votes.types)} are used (Trim)"
        width = "not scaled" if votes.widths is None else " ".join(f"{one:.3g}" for one in votes.widths)
        rows = [
            ("training events", numbers),
            ("neighbours", str(settings.n_neighbours)),
            ("widths of variables", width),
        ]
        if not self.is_regression:
            rows.append(("kernel", votes.votes.kernel or "none"))
        return [*rows, ("neighbours count", "by event weight" if settings.uses_weights else "one each")]
