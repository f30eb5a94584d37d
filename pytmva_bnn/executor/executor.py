"""What every engine does: it runs a function on items and gives the results in the order of these."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pytmva_bnn.bars import progress_bar
from pytmva_bnn.errors import LostJobError

Item = TypeVar("Item")
Result = TypeVar("Result")

ATTEMPTS = 3
"""How often a job is started before its workers' deaths count as its own fault."""


@dataclass(frozen=True)
class Failure:
    """A job that has raised an error, or whose workers were lost."""

    error: Exception


@dataclass(frozen=True)
class Jobs(Generic[Item]):
    """A function, the items to run it on, and the names of the jobs for messages."""

    function: Callable[[Item], Any]
    items: list[Item]
    names: list[str]

    def lost(self, index: int, how: str) -> Failure:
        """Return the failure of a job that has taken its workers with it."""
        return Failure(LostJobError(f"{self.names[index]}: {how}. The job may need more memory than is available"))


class Executor(ABC):
    """Runs jobs; :func:`open_executor` makes one."""

    def run(
        self,
        function: Callable[[Item], Result],
        items: Iterable[Item],
        *,
        progress: str = "",
        name: Callable[[Item], str] | None = None,
    ) -> Iterator[tuple[int, Result]]:
        """Yield ``(index, function(item))`` in the order of the items.

        What all jobs share belongs into the function (``functools.partial``), which is sent to each worker only once.
        The error of a job is raised when its turn comes, with a note that names the job; the jobs after it are then
        given up.  A job whose worker is lost is tried again, three times in all; then there is a LostJobError.

        ``progress`` is the title of a bar, ``name(item)`` what a job is called in messages.
        """
        for index, outcome in self.outcomes(function, items, progress=progress, name=name):
            if isinstance(outcome, Failure):
                raise outcome.error
            yield index, outcome

    def outcomes(
        self,
        function: Callable[[Item], Result],
        items: Iterable[Item],
        *,
        progress: str = "",
        name: Callable[[Item], str] | None = None,
    ) -> Iterator[tuple[int, Result | Failure]]:
        """Do as :meth:`run`, but give the failure of a job as its result and continue with the others."""
        listed = list(items)
        names = [name(item) if name else f"job {i + 1} of {len(listed)}" for i, item in enumerate(listed)]
        early: dict[int, Result | Failure] = {}
        following = 0
        with _bar(len(listed), progress) as advance:
            for index, outcome in self._finished(Jobs(function, listed, names)):
                advance()
                if isinstance(outcome, Failure) and not isinstance(outcome.error, LostJobError):
                    outcome.error.add_note(f"in {names[index]}")
                early[index] = outcome
                while following in early:
                    yield following, early.pop(following)
                    following += 1

    @abstractmethod
    def _finished(self, jobs: Jobs[Item]) -> Iterator[tuple[int, Any]]:
        """Yield index and result or Failure of each job, as they come; if closed early, stop what is running."""

    def close(self) -> None:  # noqa: B027 - some have none
        """End the workers."""


class Serial(Executor):
    """One job after the other, here."""

    def _finished(self, jobs: Jobs[Item]) -> Iterator[tuple[int, Any]]:
        for index, item in enumerate(jobs.items):
            try:
                outcome = jobs.function(item)
            except Exception as error:
                outcome = Failure(error)
            yield index, outcome


@contextmanager
def _bar(total: int, title: str) -> Iterator[Callable[[], object]]:
    """Give a function that moves a progress bar: at a terminal or in a notebook, and if it has a title."""
    bar_class = progress_bar() if title else None
    if bar_class is None:
        yield lambda: None
        return
    with bar_class(total=total, desc=title, unit="job", dynamic_ncols=True) as bar:
        yield bar.update
