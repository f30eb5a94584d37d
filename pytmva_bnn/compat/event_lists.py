"""TEventList and TEntryList: numbers of entries, which ``Draw(">>list", cut)`` finds."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pytmva_bnn.compat.messages import show
from pytmva_bnn.compat.named import Named
from pytmva_bnn.compat.session import SESSION


class TEventList(Named):
    """Numbers of entries in ascending order.

    >>> entries = TEventList("list", "some entries")
    >>> entries.Enter(7), entries.Enter(3), entries.Enter(7)
    (True, True, False)
    >>> entries.GetN(), entries.GetEntry(0), entries.GetEntry(5), entries.Contains(7), entries.GetIndex(7)
    (2, 3, -1, True, 1)
    """

    def __init__(self, name: str = "", title: str = "", *_: Any) -> None:
        self._name = str(name)
        self._title = str(title)
        self._entries: list[int] = []
        if self._name:
            SESSION.directory.attach(self._name, self)

    def Enter(self, entry: int, *_: Any) -> bool:
        """Take an entry; False if it is there already."""
        if int(entry) in self._entries:
            return False
        self.take([entry])
        return True

    def take(self, entries: Iterable[int]) -> None:
        """Take entries."""
        self._entries = sorted({*self._entries, *map(int, entries)})

    def Add(self, other: TEventList) -> None:
        self.take(other)

    def GetN(self) -> int:
        return len(self._entries)

    def GetEntry(self, index: int) -> int:
        return self._entries[index] if 0 <= index < len(self._entries) else -1

    def GetIndex(self, entry: int) -> int:
        return self._entries.index(entry) if entry in self._entries else -1

    def GetList(self) -> list[int]:
        return list(self._entries)

    def Contains(self, entry: int, *_: Any) -> bool:
        return entry in self._entries

    def Reset(self, *_: Any) -> None:
        self._entries = []

    def Print(self, option: str = "") -> None:
        """Show the list; all its numbers with the option ``all``."""
        show(f"EventList:{self._name}/{self._title}, number of entries ={self.GetN()}")
        if "all" in str(option).lower():
            show(" ".join(map(str, self._entries)))

    def __iter__(self) -> Iterator[int]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __bool__(self) -> bool:
        return True  # a pointer to an empty list is not null


class TEntryList(TEventList):
    """The same for chains and trees; ``TEntryList(tree)`` is one without a name too."""

    def __init__(self, name: Any = "", title: str = "", *others: Any) -> None:
        super().__init__(name if isinstance(name, str) else "", title, *others)
