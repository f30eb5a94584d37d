"""A name and a title, as most objects of ROOT have them."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations


class Named:
    """The calls of ROOT's TNamed."""

    _name: str
    _title: str

    def GetName(self) -> str:
        """Return the name."""
        return self._name

    def SetName(self, name: str) -> None:
        """Set the name."""
        self._name = str(name)

    def GetTitle(self) -> str:
        """Return the title; of a TCut it is the expression."""
        return self._title

    def SetTitle(self, title: str) -> None:
        """Set the title."""
        self._title = str(title)
