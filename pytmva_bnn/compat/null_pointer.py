"""The null pointer: what ROOT gives where there is no object."""

from __future__ import annotations

from typing import NoReturn

from pytmva_bnn.errors import DatasetError, InputError


class NullPointerError(InputError, ReferenceError, AttributeError):
    """Something was asked of an object that does not exist."""


class NullPointer:
    """No object.  It is false, equals None, and tells why it is null as soon as it is used.

    >>> tree = NullPointer("class.root has no object 'TreeX': did you mean TreeS?")
    >>> bool(tree), tree == None
    (False, True)
    >>> tree.GetEntries()
    Traceback (most recent call last):
    pytmva_bnn.compat.null_pointer.NullPointerError: GetEntries of a null pointer: class.root has no object 'TreeX':
    did you mean TreeS?
    """

    def __init__(self, reason: str = "there is no object") -> None:
        self._reason = reason

    @property
    def reason(self) -> str:
        """Why there is no object."""
        return self._reason

    def __event_source__(self) -> NoReturn:
        """Raise where events are expected."""
        raise DatasetError(f"Tree does not exist (empty pointer): {self._reason}")

    def __bool__(self) -> bool:
        return False

    def __eq__(self, other: object) -> bool:
        return other is None or isinstance(other, NullPointer)

    def __hash__(self) -> int:
        return hash(None)

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        raise NullPointerError(f"{name} of a null pointer: {self._reason}")

    def __repr__(self) -> str:
        return f"<null pointer: {self._reason}>"


nullptr = NullPointer("it is nullptr")
