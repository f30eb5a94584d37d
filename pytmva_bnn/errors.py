"""Every error the package raises on purpose, and the words they share.

All inherit from :class:`TMVAError`, and each from the built-in exception a Python user would expect as
well, so ``except ValueError`` keeps working.  A message says what is wrong, where, and what to do.

>>> from pytmva_bnn.errors import suggestion
>>> suggestion("UseRegulater", ["UseRegulator", "UpdateLimit"])
'did you mean UseRegulator?'
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class TMVAError(Exception):
    """Base of all errors of this package (where TMVA says FATAL)."""


class OptionError(TMVAError, ValueError):
    """An option string, or one of its values, is not acceptable."""


class WeightFileError(TMVAError, ValueError):
    """A weight file is damaged, incomplete or not a weight file of the MLP.

    ``file``, ``element`` and ``line`` tell where, as far as it is known.
    """

    def __init__(
        self, problem: str, *, file: str | None = None, element: str | None = None, line: int | None = None
    ) -> None:
        self.problem = problem
        self.file = file
        self.element = element
        self.line = line
        super().__init__(self.__str__())

    def __str__(self) -> str:
        place = self.file or "weight file"
        if self.line is not None:
            place += f", line {self.line}"
        if self.element is not None:
            place += f", element <{self.element}>"
        return f"{place}: {self.problem}"


class WeightFileNotFoundError(WeightFileError, FileNotFoundError):
    """The weight file does not exist or cannot be opened."""


class WeightFileWarning(UserWarning):
    """A weight file can be read, but something in it is wrong."""


class VariableMismatchError(TMVAError, ValueError):
    """Variables or spectators differ from those of the weight file in number, name or order."""


class InputError(TMVAError, ValueError):
    """Events were given in a form, or with columns, that do not fit the method."""


class TooLargeError(InputError, MemoryError):
    """What was asked for does not fit into memory."""


class OutputError(TMVAError, OSError):
    """A file cannot be written: ``OutputError(errno, strerror, filename)``, and ``advice`` on what to do."""

    advice = ""

    def __str__(self) -> str:
        return f"{self.filename} cannot be written: {self.strerror}" + (f"; {self.advice}" if self.advice else "")


class UnknownMethodError(TMVAError, KeyError):
    """No method is booked under that tag."""

    def __str__(self) -> str:
        # KeyError would show the message in quotes
        return str(self.args[0]) if self.args else ""


class ErrorsNotAvailableError(TMVAError, ValueError):
    """Error bars were asked of a network whose weight file has no inverse Hessian."""


class MissingDependencyError(TMVAError, ImportError):
    """A feature needs an optional dependency that is not installed."""

    @classmethod
    def of(cls, package: str, extra: str, purpose: str) -> MissingDependencyError:
        """Return the error for ``package``, which comes with the extra ``extra``."""
        return cls(f"{purpose} needs {package}: install it with  pip install 'pytmva-bnn[{extra}]'")


class LostJobError(TMVAError, RuntimeError):
    """The processes, or the workers of a cluster, that ran a job have ended before it was done."""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the name in ``known`` that ``name`` most likely meant, regardless of case, or None."""
    by_lower = {candidate.lower(): candidate for candidate in known}
    found = difflib.get_close_matches(name.lower(), by_lower, n=1, cutoff=0.6)
    return by_lower[found[0]] if found else None


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return ``'did you mean X?'`` for the nearest known name, or an empty string."""
    best = nearest(name, known)
    return f"did you mean {best}?" if best is not None else ""


class DatasetError(InputError):
    """Events cannot be read, or the training and test sets cannot be made from them with these options."""


class MacroError(TMVAError, RuntimeError):
    """A C++ macro cannot be run, or has stopped with an error."""


class MacroArgumentsError(MacroError, ValueError):
    """The arguments that a C++ macro was called with are not those that it takes."""
