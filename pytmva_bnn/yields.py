"""Sums of predictions over groups of events: what they are, and how correlated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pytmva_bnn._typing import AnyArray, FloatArray, IntArray
from pytmva_bnn.displays import Displayed
from pytmva_bnn.errors import InputError, suggestion
from pytmva_bnn.events.columns import Quantity
from pytmva_bnn.events.sources import BLOCK_SIZE, EventSource, open_events
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.methods.latent import PredictedSum

MOST_GROUPS = 1000


@dataclass(frozen=True, eq=False)
class Groups:
    """Which group each event is in: ``number`` counts from 0, -1 is in none.

    ``edges`` are those of bins, if the groups are such; ``by`` is the name of what was grouped by, if it has one.
    """

    number: IntArray
    labels: tuple[str, ...]
    edges: FloatArray | None = None
    by: str = ""

    @classmethod
    def of(cls, values: AnyArray, bins: ArrayLike | None = None, by: str = "") -> Groups:
        """Return the groups of equal values or, with ``bins`` (their edges, or how many), of values in the same bin.

        As in :func:`numpy.histogram`, a bin holds its lower edge, the last one its upper edge too.

        >>> groups = Groups.of(np.array([3.0, 1.0, 3.0, 9.0]), bins=[0, 2, 4])
        >>> groups.labels, groups.number
        (('[0, 2)', '[2, 4]'), array([ 1,  0,  1, -1]))
        """
        what = by or "the array given as by="
        if values.dtype.kind == "f" and np.isnan(values).any():
            raise InputError(f"{what} has NaN for {np.count_nonzero(np.isnan(values))} events: remove such events")
        if bins is None:
            found, number = np.unique(values, return_inverse=True)
            if found.size > MOST_GROUPS:
                raise InputError(f"{what} has {found.size} different values: give bins=, their edges or how many")
            labels = [f"{value:g}" if found.dtype.kind in "fiu" else str(value) for value in found]
            return cls(number.astype(np.int64).reshape(-1), tuple(labels), by=by)
        if values.dtype.kind not in "fiub":
            raise InputError(f"bins are for numbers: {what} is of type {values.dtype}")
        try:
            edges = np.histogram_bin_edges(values, bins).astype(np.float64)
        except (TypeError, ValueError) as error:
            raise InputError(f"bins= takes the edges of the bins in rising order, or their number: {error}") from None
        if edges.size < 2 or not (np.isfinite(edges).all() and (np.diff(edges) > 0.0).all()):
            raise InputError(f"bins= takes finite edges in rising order, at least two, got {bins}")
        number = np.searchsorted(edges, values, side="right").astype(np.int64) - 1
        number[values == edges[-1]] = edges.size - 2
        number[number == edges.size - 1] = -1
        ends = [")"] * (edges.size - 2) + ["]"]
        names = (f"[{a:g}, {b:g}{end}" for a, b, end in zip(edges[:-1], edges[1:], ends, strict=True))
        return cls(number, tuple(names), edges, by)


def grouping_values(by: Any, events: Any, variables: Sequence[VariableRecord], n_events: int) -> tuple[AnyArray, str]:
    """Return what events are grouped by, and its name if ``by`` is one.

    A name is that of one of the ``variables``, of a column of the events, or an expression of columns.
    """
    if not isinstance(by, str):
        values = np.asarray(by)
        if values.shape != (n_events,):
            raise InputError(f"{n_events} events need as many values to group by, got an array of shape {values.shape}")
        return values, ""
    squeezed = by.replace(" ", "")
    names = [(one.label, one.expression, one.internal) for one in variables]
    known = next((number for number, own in enumerate(names) if squeezed in own), None)
    opened = open_events(events)
    if not isinstance(opened, EventSource):
        if known is None:
            hint = suggestion(by, [one.label for one in variables])
            raise InputError(
                f"by={by!r} is not one of the variables ({hint or ', '.join(one.label for one in variables)}), and an "
                "array has no other columns: give the values themselves, or events with names"
            )
        return np.asarray(opened[:, known]), by
    if by in opened.columns:
        quantity: Quantity | None = Quantity.column(by)
    else:
        quantity = Quantity.of(VariableRecord.define(by) if known is None else variables[known], opened)
    if quantity is None:
        hint = suggestion(by, opened.columns)
        raise InputError(
            f"by={by!r} is neither a column of the events nor a function of columns{': ' + hint if hint else ''}"
        )
    parts = []
    for block in opened.blocks(quantity.branches, BLOCK_SIZE):
        values = np.asarray(quantity.values(block)) if quantity.formula is None else quantity.numbers(block)
        parts.append(values if values.dtype.kind in "OUS" else quantity.numbers(block))
    return np.concatenate(parts) if parts else np.empty(0), by


@dataclass(frozen=True, eq=False)
class PredictedSums(Displayed):
    """Sums of responses over groups of events, with their covariance; unpacks as ``values, errors``.

    Parameters
    ----------
    values
        the sums: ``(n_groups,)``, for several classes or targets ``(n_groups, n_outputs)``; without groups
        ``(n_outputs,)``
    covariance
        that of all sums in the order of ``values.ravel()`` and ``labels``, from the method's parameters.  NaN between
        targets that have each a matrix of their own (``Hessian=TMVA``)
    groups, outputs
        names of the groups, and of the classes or targets; empty if there are none
    n_events
        events in each group
    edges, by
        edges of the bins, if the groups are bins, and the name of what they are bins of
    n_outside
        events in none of the bins: they are not in the sums
    """

    values: FloatArray
    covariance: FloatArray
    groups: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    n_events: IntArray | None = None
    edges: FloatArray | None = None
    by: str = ""
    n_outside: int = 0

    @property
    def errors(self) -> FloatArray:
        """Return the standard deviations, in the shape of ``values``."""
        return np.sqrt(np.maximum(np.diag(self.covariance), 0.0)).reshape(self.values.shape)

    @cached_property
    def correlation(self) -> FloatArray:
        """Return the correlations between all sums; 0 with a sum that has no error."""
        sigma = self.errors.ravel()
        norms = np.outer(sigma, sigma)
        found = np.divide(self.covariance, norms, out=np.zeros_like(norms), where=norms > 0.0)
        np.fill_diagonal(found, 1.0)
        return found

    @property
    def labels(self) -> tuple[str, ...]:
        """Return a name for each sum, in the order of ``values.ravel()``."""
        if not self.groups or not self.outputs:
            return self.groups or self.outputs
        return tuple(f"{group} {output}" for group in self.groups for output in self.outputs)

    def of(self, output: str | int) -> PredictedSums:
        """Return the sums of one class or target, in all groups."""
        if not self.groups or not self.outputs:
            raise InputError("these sums have no groups with several classes or targets")
        if isinstance(output, str):
            if output not in self.outputs:
                raise InputError(f"{output!r} is not one of {', '.join(self.outputs)}")
            output = self.outputs.index(output)
        own = slice(output, None, len(self.outputs))
        return PredictedSums(
            self.values[:, output],
            self.covariance[own, own],
            self.groups,
            n_events=self.n_events,
            edges=self.edges,
            by=self.by,
            n_outside=self.n_outside,
        )

    @property
    def total(self) -> PredictedSum | PredictedSums:
        """Return the sum over all groups, with the correlations between them."""
        if not self.groups:
            raise InputError("these sums have no groups to add up")
        n_outputs = max(len(self.outputs), 1)
        adding = np.tile(np.eye(n_outputs), len(self.groups))
        values, covariance = adding @ self.values.ravel(), adding @ self.covariance @ adding.T
        if self.outputs:
            return PredictedSums(values, covariance, outputs=self.outputs)
        return PredictedSum(float(values[0]), float(np.sqrt(max(covariance[0, 0], 0.0))))

    def chi2(self, observed: ArrayLike, variances: ArrayLike | None = None) -> float:
        """Return χ² of observed numbers, with the covariance of the sums and the ``variances`` of the numbers.

        The latter are by default those of counting, the sums themselves.
        """
        difference = np.asarray(observed, dtype=np.float64) - self.values
        counting = self.values if variances is None else np.broadcast_to(variances, self.values.shape)
        matrix = self.covariance + np.diag(np.ravel(counting))
        return float(difference.ravel() @ np.linalg.solve(matrix, difference.ravel()))

    def __iter__(self) -> Iterator[FloatArray]:
        yield from (self.values, self.errors)

    def __repr__(self) -> str:
        parts = [
            f"{len(names)} {what}" for names, what in ((self.groups, "groups"), (self.outputs, "outputs")) if names
        ]
        return f"<PredictedSums: {' of '.join(parts)}, {self.values.sum():.6g} in all>"

    def rows(self) -> list[tuple[str, float, float, int | None]]:
        """Return label, value, error and number of events of each sum."""
        counts: Sequence[int | None] = [None] * self.values.size
        if self.n_events is not None:
            counts = np.repeat(self.n_events, max(len(self.outputs), 1) if self.groups else self.values.size).tolist()
        return list(zip(self.labels, self.values.ravel().tolist(), self.errors.ravel().tolist(), counts, strict=True))

    def __str__(self) -> str:
        rows = self.rows()
        head = self.by or ("group" if self.groups else "output")
        width = max(len(head), *(len(label) for label, *_ in rows))
        lines = [f"{head:{width}}  {'sum':>12}  {'error':>10}  {'events':>8}"]
        lines += [
            f"{label:{width}}  {value:12.6g}  {error:10.4g}  {'' if count is None else count:>8}"
            for label, value, error, count in rows
        ]
        return "\n".join([*lines, *self.remarks()])

    def remarks(self) -> Iterator[str]:
        """Yield what else is to be said: the error of the sum over groups, and events outside."""
        if self.groups and not self.outputs:
            value, error = self.total
            yield f"all: {value:.6g} ± {error:.4g} with the correlations between them"
        if self.n_outside:
            yield f"{self.n_outside} events are outside the bins"


def predicted_sums(
    values: FloatArray, covariance: FloatArray, groups: Groups, outputs: Sequence[str], *, grouped: bool
) -> PredictedSum | PredictedSums:
    """Return the sums ``(n_groups, n_outputs)`` as users see them; ``grouped``: they asked for groups."""
    n_outputs = values.shape[1]
    if values.size == 1 and not grouped:
        return PredictedSum(float(values[0, 0]), float(np.sqrt(max(covariance[0, 0], 0.0))))
    inside = groups.number[groups.number >= 0]
    return PredictedSums(
        values[:, 0] if n_outputs == 1 else values if grouped else values[0],
        covariance,
        groups.labels if grouped else (),
        tuple(outputs) if n_outputs > 1 else (),
        np.bincount(inside, minlength=len(groups.labels)).astype(np.int64),
        groups.edges,
        groups.by,
        int(groups.number.size - inside.size),
    )
