"""Trainings from several initial weights: the best by the evidence, or the mixture of all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from pytmva_bnn.errors import OptionError
from pytmva_bnn.executor import Engine
from pytmva_bnn.posterior.candidates import Candidate, Choice, train_candidates

if TYPE_CHECKING:
    from pytmva_bnn.dataset import DataLoader


@dataclass(frozen=True, eq=False)
class Restart(Candidate):
    """A training from the initial weights of a seed."""

    @property
    def seed(self) -> int:
        """Return the value of the option RandomSeed."""
        return int(self.label)


@dataclass(frozen=True, eq=False, repr=False)
class Restarts(Choice[Restart]):
    """Trainings that differ in their initial weights; print it for a table.

    ``best`` is the one with the highest evidence, and ``best.model`` the network, whose ``save`` writes TMVA's weight
    file.  ``mixture`` averages over the networks: its bands also contain what differs between the minima.  Trainings
    that have not converged take part only if none has.
    """

    heading: ClassVar[str] = "RandomSeed"


def train_restarts(
    loader: DataLoader,
    options: str = "",
    restarts: int = 5,
    *,
    seeds: Iterable[int] | None = None,
    quiet: bool = False,
    executor: Engine = None,
    workers: int | None = None,
) -> Restarts:
    """Train the same MLP from several initial weights and compare their evidence.

    BFGS, the regulators and the error bars of ``Hessian=Posterior`` are switched on.  No file is written.

    Parameters
    ----------
    options
        the option string, without RandomSeed
    restarts, seeds
        how many trainings, with the seeds 1, 2, ...; or their seeds
    quiet
        no messages and no bar
    executor, workers
        who trains them, as for :func:`~pytmva_bnn.executor.open_executor`: ``workers=4`` in four processes at a time

    >>> import pytmva_bnn as TMVA
    >>> loader = TMVA.DataLoader("dataset")
    >>> loader.AddVariable("pt")
    >>> loader.AddSignalTree("xml_fixtures/data/fakerate.root:pass")
    >>> loader.AddBackgroundTree("xml_fixtures/data/fakerate.root:fail")
    >>> found = TMVA.train_restarts(loader, "HiddenLayers=2:NCycles=100:VarTransform=N", 3, quiet=True)
    >>> [one.seed for one in found], found.best.log_evidence == max(one.log_evidence for one in found.eligible)
    ([1, 2, 3], True)
    >>> value, lower, upper = found.mixture.predict({"pt": [15.0]}, errors=True)
    """
    values = list(range(1, restarts + 1)) if seeds is None else list(seeds)
    if not values:
        raise OptionError(f"train_restarts needs at least one training, got restarts={restarts}")
    if min(values) < 1 or len(set(values)) < len(values):
        raise OptionError(f"seeds must be positive and different from each other, got {values}")
    found = train_candidates(
        loader,
        "RandomSeed",
        [str(seed) for seed in values],
        options,
        quiet=quiet,
        executor=executor,
        workers=workers,
        caller="train_restarts",
    )
    return Restarts(tuple(Restart(*one) for one in found))
