"""Several networks trained on the same events, one to be chosen by the evidence, or all to be averaged."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

import numpy as np

from pytmva_bnn.displays import Displayed
from pytmva_bnn.errors import OptionError
from pytmva_bnn.executor import Engine, Failure, open_executor
from pytmva_bnn.factory import MethodBase
from pytmva_bnn.factory.factory import LEAST_TRAINING_EVENTS, Factory
from pytmva_bnn.factory.training_run import Trained, train_method
from pytmva_bnn.methods.booking import Booking
from pytmva_bnn.methods.training_errors import TrainingError
from pytmva_bnn.model import Model
from pytmva_bnn.options import split_tokens
from pytmva_bnn.posterior.mixture import Mixture

if TYPE_CHECKING:
    from pytmva_bnn.dataset import DataLoader
    from pytmva_bnn.dataset.dataset import DataSet
    from pytmva_bnn.tmva_types import AnalysisType

log = logging.getLogger("pytmva_bnn.posterior")


@dataclass(frozen=True, eq=False)
class Candidate:
    """A trained network and what speaks for it; ``label`` is the value of the option that was varied."""

    label: str
    method: MethodBase

    @property
    def model(self) -> Model:
        """Return the network for predictions; its ``save`` writes TMVA's weight file."""
        return self.method.model

    @property
    def log_evidence(self) -> float:
        """Return the log evidence; higher is better."""
        return float(self.method.evidence.log_evidence)

    @property
    def n_effective(self) -> float:
        """Return the effective number of parameters."""
        return float(self.method.evidence.n_effective)

    @property
    def is_converged(self) -> bool:
        """Return whether nothing speaks against the training having reached its minimum."""
        return bool(self.method.convergence.is_converged)


C = TypeVar("C", bound=Candidate)


@dataclass(frozen=True, eq=False)
class Choice(Displayed, Generic[C]):
    """Candidates in the order they were asked for; print it for a table."""

    candidates: tuple[C, ...]
    heading: ClassVar[str] = ""

    def __iter__(self) -> Iterator[C]:
        return iter(self.candidates)

    def __len__(self) -> int:
        return len(self.candidates)

    @property
    def eligible(self) -> tuple[C, ...]:
        """Return the candidates that have converged; all of them if none has."""
        return tuple(one for one in self.candidates if one.is_converged) or self.candidates

    @property
    def best(self) -> C:
        """Return the candidate with the highest evidence among the :attr:`eligible` ones."""
        return max(self.eligible, key=lambda one: -np.inf if np.isnan(one.log_evidence) else one.log_evidence)

    @property
    def mixture(self) -> Mixture:
        """Return the equal mixture of the :attr:`eligible` candidates."""
        return Mixture(tuple(one.model for one in self.eligible))

    def __repr__(self) -> str:
        tried = ", ".join(one.label for one in self.candidates)
        return f"<{type(self).__name__}: best {self.best.label} of {tried}>"

    def __str__(self) -> str:
        numbers = f"{'log evidence':>14}{'weights':>9}{'effective':>11}{'training':>11}{'test':>11}"
        lines = [f"{self.heading:<14}{numbers}  convergence"]
        for one in self.candidates:
            result = one.method.result
            lines.append(
                f"{one.label:<14}{one.log_evidence:>14.2f}{result.network.n_weights:>9}{one.n_effective:>11.1f}"
                f"{result.training_estimator:>11.5f}{result.test_estimator:>11.5f}"
                f"  {'converged' if one.is_converged else 'not converged'}{'  <-- best' if one is self.best else ''}"
            )
        return "\n".join(lines)


def train_candidates(
    loader: DataLoader,
    option: str,
    values: Sequence[str],
    options: str,
    *,
    quiet: bool,
    executor: Engine,
    workers: int | None,
    caller: str,
) -> list[tuple[str, MethodBase]]:
    """Train a network for each value of an option of the MLP, at the maximum of its posterior; no file is written.

    A training that diverges is left out with a warning, unless all do.
    """
    given = {token.split("=")[0].lstrip("~!").lower() for token in split_tokens(options)}
    if option.lower() in given:
        raise OptionError(f"{option} is varied by {caller}; leave it out of the options")
    needed = (
        ("TrainingMethod", "BFGS"),
        ("UseRegulator", "True"),
        ("Hessian", "Posterior"),
        ("CalculateErrors", "True"),
    )
    added = [f"{name}={value}" for name, value in needed if name.lower() not in given]
    rest = ":".join([*added, options] if options else added)
    # targets alone do not make a regression in TMVA
    is_regression = loader.description.targets and len(loader.description.classes) < 2
    silence, analysis = "Silent:" if quiet else "", "AnalysisType=Regression:" if is_regression else ""
    factory = Factory(caller, f"{silence}{analysis}!DrawProgressBar:!ModelPersistence")
    methods = [factory.BookMethod(loader, "MLP", f"MLP {value}", f"{option}={value}:{rest}") for value in values]
    dataset = loader.built(ignore_negative_weights=methods[-1].booked.ignores_negative_weights)
    if len(dataset.training) < LEAST_TRAINING_EVENTS:
        raise OptionError(
            f"{caller}: there are {len(dataset.training)} training events, but at least {LEAST_TRAINING_EVENTS} are "
            "needed"
        )
    done: list[tuple[str, MethodBase]] = []
    failed: list[Exception] = []
    train = partial(_train, dataset, methods[0].analysis_type)
    with open_executor(executor, workers) as opened:
        jobs = [(one.title, one.booked) for one in methods]
        for index, trained in opened.outcomes(train, jobs, progress="" if quiet else caller, name=lambda job: job[0]):
            if isinstance(trained, Failure):
                if not isinstance(trained.error, TrainingError):
                    raise trained.error
                log.warning("%s is left out: %s", methods[index].title, trained.error)
                failed.append(trained.error)
                continue
            methods[index].adopt(dataset, trained)
            done.append((values[index], methods[index]))
    if not done:
        raise failed[0]
    return done


def _train(dataset: DataSet, analysis: AnalysisType, job: tuple[str, Booking]) -> Trained:
    title, booked = job
    # bars of trainings side by side would overwrite each other: the executor has one for all
    return train_method(dataset, title, booked, analysis, quiet=True)
