"""The responses of KNN: training events trimmed and scaled, the search among them, and their votes."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from functools import cached_property
from typing import Any, Literal

import numpy as np

from pytmva_bnn._typing import BoolArray, Float32Array, FloatArray, IntArray
from pytmva_bnn.errors import InputError
from pytmva_bnn.fast.threads import in_parts
from pytmva_bnn.methods.density.knn.metric import scaled, trimmed, widths
from pytmva_bnn.methods.density.knn.neighbours import NeighbourSearch
from pytmva_bnn.methods.density.knn.option_table import KNNSettings
from pytmva_bnn.methods.density.knn.visits import check_balance
from pytmva_bnn.methods.density.knn.votes import EXTRA_NEIGHBOURS, Votes
from pytmva_bnn.reductions.summation import blocks

log = logging.getLogger("pytmva_bnn.KNN")

What = Literal["fractions", "means"]

_QUERIES_IN_BLOCK = 4096
_TO_SEARCH = 30_000.0
"""Multiplications that take as long as the search for an event."""


class NeighbourVotes:
    """All that an evaluation needs.

    ``scales_places``: the kernel sees events scaled as their neighbours are, which TMVA forgets.
    """

    def __init__(
        self,
        settings: KNNSettings,
        x: Float32Array,
        targets: Float32Array,
        types: IntArray,
        weights: FloatArray,
        *,
        scales_places: bool = False,
    ) -> None:
        if settings.trims:
            kept = trimmed(types)
            x, targets, types, weights = x[kept], targets[kept], types[kept], weights[kept]
        self.types = types
        self.widths = widths(x, settings.scale_fraction)
        self._scales_places = scales_places
        x = scaled(x, self.widths)
        check_balance(x, settings.balance_depth)
        candidates = np.flatnonzero(weights > 0)
        needed = settings.n_neighbours + EXTRA_NEIGHBOURS
        if len(candidates) < needed:
            raise InputError(
                f"kNN result list is empty: nkNN={settings.n_neighbours} needs {needed} training events of positive "
                f"weight, but there are {len(candidates)}; set a smaller nkNN"
            )
        self.votes = Votes.of(settings, x, targets, types, weights)
        self.search = NeighbourSearch(x, candidates, settings.balance_depth)

    def responses(self, x: Float32Array, what: What, *, compiled: bool) -> FloatArray:
        """Return the fraction of signal among the neighbours, or their mean targets, ``(n_events, n_outputs)``.

        The result is NaN where an event is NaN or infinite, and where no neighbour has a weight.
        """
        q = scaled(x, self.widths)
        places = q if self._scales_places else x
        finite = np.isfinite(q)
        if not finite.all():
            good = finite.all(axis=1)
            found = self.responses(x[good], what, compiled=compiled)
            result = np.full((len(x), found.shape[1]), np.nan)
            result[good] = found
            return result
        result = self._by_kernels(q, places, what) if compiled else self._by_numpy(q, places, what)
        if self.votes.kernel and np.isnan(result).any():
            # TMVA: stops with "kNN result total weight is not positive"
            text = "%d of %d events: no neighbour has a kernel above 0, so the response is NaN"
            log.warning(text, int(np.isnan(result).sum()), len(x))
        return result

    def _n_outputs(self, what: What) -> int:
        return 1 if what == "fractions" else self.votes.targets.shape[1]

    def _by_numpy(self, q: Float32Array, places: Float32Array, what: What) -> FloatArray:
        votes = self.votes
        n_found = votes.settings.n_neighbours + (EXTRA_NEIGHBOURS if votes.kernel else 0)
        result = np.empty((len(q), self._n_outputs(what)))
        for part in blocks(len(q), _QUERIES_IN_BLOCK):
            index, distance = self.search.nearest(q[part], n_found)
            if what == "means":
                result[part] = votes.mean_targets(index)
            else:
                result[part, 0] = votes.signal_fractions(index, distance, places[part])
        return result

    def _by_kernels(self, q: Float32Array, places: Float32Array, what: What) -> FloatArray:
        result, tied = self._run(q, places, what, None)
        if tied.any():
            result[tied] = self._run(q[tied], places[tied], what, self.search.visits.arrays)[0]
        return result

    def _run(self, q: Float32Array, places: Float32Array, what: What, tree: Any) -> tuple[FloatArray, BoolArray]:
        from pytmva_bnn.methods.density.knn import knn_kernels  # lazy: numba

        function = knn_kernels.means if what == "means" else knn_kernels.fractions
        result, tied = np.empty((len(q), self._n_outputs(what))), np.empty(len(q), dtype=np.bool_)
        boxes, voters, settings = self.compiled_parts

        def run(start: int, stop: int) -> None:
            part = slice(start, stop)
            function(q[part], places[part], boxes, tree, voters, settings, result[part], tied[part])

        in_parts(run, len(q), 64, len(q) * _TO_SEARCH)
        return result, tied

    @cached_property
    def compiled_parts(self) -> tuple[Any, Any, Any]:
        """Return buckets, voters and settings as compiled code takes them."""
        from pytmva_bnn.methods.density.knn.knn_kernels import KERNELS  # lazy: numba

        votes = self.votes
        return (
            self.search.buckets.arrays,
            (votes.x, votes.is_signal, votes.weights, votes.targets),
            (votes.settings.n_neighbours, KERNELS[votes.kernel], votes.settings.sigma_factor),
        )

    def single(self, row: Float32Array) -> Callable[[], float]:
        """Return what gives the fraction of signal for the event in ``row`` ``(1, n_variables)``, by compiled code.

        It is NaN where the ordinary way has to be taken.
        """
        from pytmva_bnn.methods.density.knn.knn_kernels import fractions  # lazy: numba

        q = row if self.widths is None else np.empty_like(row)
        result, tied = np.empty((1, 1)), np.empty(1, dtype=np.bool_)
        boxes, voters, settings = self.compiled_parts
        given = (q, q if self._scales_places else row, boxes, None, voters, settings, result, tied)
        divide, variable_widths, value, is_tied = np.divide, self.widths, result.item, tied.item

        def evaluate() -> float:
            if variable_widths is not None:
                divide(row, variable_widths, out=q, casting="same_kind")
            fractions(*given)
            return math.nan if is_tied() else value()

        return evaluate
