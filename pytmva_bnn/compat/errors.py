"""What is raised where a macro asks for more of ROOT than there is here."""

from __future__ import annotations

from collections.abc import Iterable

from pytmva_bnn.errors import InputError, TMVAError, suggestion


class NotInCompatError(TMVAError, AttributeError, NotImplementedError):
    """A name or call of ROOT that does not exist here."""

    @classmethod
    def of(cls, owner: str, name: str, known: Iterable[str], advice: str) -> NotInCompatError:
        """Return the error for ``owner.name``, with the nearest known name and what to do."""
        problem = f"{owner}.{name} does not exist in pytmva_bnn.compat"
        hint = suggestion(name, known)
        return cls(": ".join(part for part in (problem, hint or advice) if part))


class RefusedError(TMVAError, NotImplementedError):
    """A call of ROOT that is refused on purpose; the message says what to do instead."""


class RootFileError(TMVAError, OSError):
    """A ROOT file cannot be opened, read or written."""


class MacroError(InputError, TypeError):
    """A call has arguments that the function does not take."""


def public_names(thing: object) -> list[str]:
    """Return the names of ``thing`` that a macro may use."""
    return [name for name in dir(type(thing)) if not name.startswith("_")]
