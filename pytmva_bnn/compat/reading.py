"""The calls that read a tree: counting, entry by entry into memory, and ``for event in tree``."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

import fnmatch
from collections.abc import Iterator
from functools import lru_cache, partial
from typing import Any

import numpy as np

from pytmva_bnn.compat.branches import TBranch
from pytmva_bnn.compat.cuts import text_of
from pytmva_bnn.compat.entries import ColumnCursor, Memory, memory_of
from pytmva_bnn.compat.errors import MacroError, NotInCompatError, public_names
from pytmva_bnn.compat.event_lists import TEventList
from pytmva_bnn.compat.filling import joined
from pytmva_bnn.compat.joined import Derived, DerivedSource, SelectedSource, entries_of, own_names, whole_column
from pytmva_bnn.compat.lists import ObjectList
from pytmva_bnn.compat.messages import LOGGER, show
from pytmva_bnn.compat.named import Named
from pytmva_bnn.compat.null_pointer import NullPointer
from pytmva_bnn.errors import suggestion
from pytmva_bnn.events.sources import EventSource
from pytmva_bnn.events.sources.chain import passing_entries
from pytmva_bnn.formula import Formula

REFUSED = {
    "MakeClass": "read the branches with SetBranchAddress or 'for event in tree'",
    "Process": "loop over the entries with 'for event in tree'",
    "BuildIndex": "sort the entries with numpy",
}
"""Calls that do not exist here, and what to do instead."""

NO_OPS = frozenset(
    {
        "AddBranchToCache", "DropBaskets", "DropBuffers", "FlushBaskets", "LoadBaskets", "OptimizeBaskets",
        "SetAutoFlush", "SetAutoSave", "SetCacheSize", "SetEstimate", "SetFillColor", "SetFillStyle", "SetImplicitMT",
        "SetLineColor", "SetLineStyle", "SetLineWidth", "SetMakeClass", "SetMarkerColor", "SetMarkerSize",
        "SetCacheEntryRange", "SetCircular", "SetMarkerStyle", "SetParallelUnzip", "SetPerfStats",
        "SetScanField", "StopCacheLearningPhase",
    }
)  # fmt: skip
"""Calls that change nothing here."""


class ReadableTree(Named):
    """A tree that can be read; ``_source()`` gives its entries.

    All names that are not ROOT's begin with an underscore: any other may be a branch.

    >>> from pytmva_bnn.compat import ROOT
    >>> tree = ROOT.TFile.Open("xml_fixtures/data/class.root").Get("TreeS")
    >>> tree.GetEntries(), tree.GetEntries("var1 > 0"), tree.GetListOfBranches().At(0).GetName()
    (2500, 1581, 'var1')
    >>> _ = tree.GetEntry(7)
    >>> round(tree.var1, 3)
    -0.449
    """

    def __init__(self) -> None:
        self._entry = -1
        self._bound: dict[str, Memory] = {}
        self._cursors: dict[str, tuple[EventSource, ColumnCursor]] = {}
        self._inactive: set[str] = set()
        self._friends: dict[str, ReadableTree] = {}
        self._aliases: dict[str, str] = {}
        self._weight = 1.0
        self._chosen: TEventList | None = None
        self._whole: tuple[Any, EventSource] | None = None

    # -- where its values are

    def _own(self, name: str = "") -> EventSource:
        """Return the entries without friends; with the name of a branch, a source that has at least that one."""
        raise NotImplementedError

    def _own_columns(self) -> tuple[str, ...]:
        return self._own().columns

    def _n_values(self, name: str) -> int:
        """Return the number of entries that a branch has."""
        del name
        return self.GetEntries()

    def _fill_branch(self, name: str) -> int:
        raise MacroError(f"the branch {name} of {self._name} has no memory to be filled from")

    def _source(self) -> EventSource:
        """Return the entries with the branches of friends, and aliases."""
        own = self._own()
        if not self._friends and not self._aliases:
            return own
        friends = {alias: tree._source() for alias, tree in self._friends.items()}
        state = (own, friends, dict(self._aliases))
        if self._whole is None or self._whole[0] != state:
            self._whole = (state, self._joined(own, friends))
        return self._whole[1]

    def _joined(self, own: EventSource, friends: dict[str, EventSource]) -> EventSource:
        columns: dict[str, Derived] = {}
        for alias, friend in friends.items():
            for name in friend.columns:
                column = Derived.of_column(
                    lru_cache(1)(partial(whole_column, friend, name)), f"the friend {alias} ({friend.where})"
                )
                columns[f"{alias}.{name}"] = column
                if name not in own.columns:  # ROOT: the tree's own branches come first
                    columns.setdefault(name, column)
        joined: EventSource = DerivedSource(own, columns) if columns else own
        for alias, expression in self._aliases.items():
            joined = DerivedSource(joined, {alias: Derived.of_formula(expression, joined)})
        return joined

    def __event_source__(self) -> EventSource:
        """Return the entries: this makes a tree good wherever the library takes events."""
        return self._source()

    def _selected(self, cut: str = "") -> EventSource:
        """Return the entries of the entry list that pass a cut."""
        source = self._source()
        if self._chosen is not None:
            source = entries_of(source, list(self._chosen))
        if not cut:
            return source
        formula = Formula(cut)
        needs = formula.branches_of(source.columns, tree=source.name)
        return SelectedSource(source, partial(passing_entries, formula), needs)

    # -- what it is

    def IsZombie(self) -> bool:
        return False

    def GetEntries(self, cut: Any = "") -> int:
        text = text_of(cut)
        return self._selected(text).n_entries if text else self._own().n_entries

    def GetEntriesFast(self) -> int:
        return self.GetEntries()

    def __len__(self) -> int:
        return self.GetEntries()

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._name}: {self.GetEntries()} entries>"

    # -- branches

    def GetListOfBranches(self) -> ObjectList[TBranch]:
        """Return the branches; each has GetName()."""
        return ObjectList(TBranch(self, name) for name in own_names(self._own_columns()))

    GetListOfLeaves = GetListOfBranches

    def GetNbranches(self) -> int:
        return len(own_names(self._own_columns()))

    def GetBranch(self, name: str, *_: Any) -> TBranch | NullPointer:
        """Return a branch; one that does not exist is a null pointer."""
        if self._has(str(name)):
            return TBranch(self, str(name))
        hint = suggestion(name, self._own_columns())
        return NullPointer(f"the tree {self._name} has no branch {name!r}" + (f": {hint}" if hint else ""))

    FindBranch = GetBranch
    FindLeaf = GetBranch

    def GetLeaf(self, name: str, leaf: str = "") -> TBranch | NullPointer:
        """Return a leaf, by its name or by those of its branch and its own."""
        joined = f"{name}.{leaf}"
        return self.GetBranch(joined if leaf and self._has(joined) else name)

    def _has(self, name: str) -> bool:
        return name in self._own_columns() or self._friend_of(name) is not None or bool(self._members(name))

    def _members(self, name: str) -> list[str]:
        """Return the branches ``name.x``, ``name.y``, that a branch with several leaves is in a file."""
        return [one for one in self._own_columns() if one.startswith(f"{name}.")]

    def _friend_of(self, name: str) -> tuple[ReadableTree, str] | None:
        """Return the friend that has a branch, and its name there."""
        alias, _, rest = name.partition(".")
        if alias in self._friends and self._friends[alias]._has(rest):
            return self._friends[alias], rest
        return next(((tree, name) for tree in self._friends.values() if tree._has(name)), None)

    def SetBranchStatus(self, pattern: str, status: bool | int = True, *_: Any) -> None:
        """Switch branches on or off; it matters to CloneTree and CopyTree only, as others read what they need."""
        named = set(fnmatch.filter(self._own_columns(), str(pattern)))
        self._inactive = self._inactive - named if status else self._inactive | named

    def GetBranchStatus(self, name: str) -> bool:
        return name not in self._inactive

    def _active(self) -> list[str]:
        """Return the branches that are switched on."""
        return [name for name in own_names(self._own_columns()) if name not in self._inactive]

    def SetBranchAddress(self, name: str, buffer: Any, branch: Any = None, *_: Any) -> int:
        """Let GetEntry fill ``buffer`` with the values of a branch; a cell ``branch`` gets the branch itself."""
        name = str(name)
        if not self._has(name):
            known = self._source().columns
            raise MacroError(
                f"SetBranchAddress: the tree {self._name} has no branch {name!r}"
                + (f": {hint}" if (hint := suggestion(name, known)) else f"; it has {', '.join(known)}")
            )
        self._bound[name] = memory_of(name, buffer)
        if isinstance(branch, list):
            branch[:] = [TBranch(self, name)]
        return 0

    def ResetBranchAddresses(self) -> None:
        self._bound.clear()

    def ResetBranchAddress(self, branch: Any) -> None:
        branch.ResetAddress()

    # -- entries

    def GetEntry(self, entry: int = 0, getall: int = 0) -> int:
        """Go to an entry and fill the memory of SetBranchAddress; 0 is returned if there is no such entry."""
        del getall
        return self._read_entry(int(entry), self._bound)

    def _read_entry(self, entry: int, names: Any) -> int:
        if not 0 <= entry < self.GetEntries():
            return 0
        self._entry = entry
        for name in names:
            if name in self._bound and entry < self._n_values(name):  # ROOT: what is not there yet is not read
                self._bound[name].set(self._value(name))
        for friend in self._friends.values():  # ROOT: friends go along
            friend.GetEntry(entry)
        return 8 * max(1, len(self._bound))

    def LoadTree(self, entry: int) -> int:
        """Go to an entry without reading anything; a negative number is returned if there is no such entry."""
        if not 0 <= entry < self.GetEntries():
            return -2
        self._entry = entry
        return entry

    def GetEntryNumber(self, entry: int) -> int:
        """Return the number of an entry of the entry list; without one, the entry itself."""
        if self._chosen is not None:
            return self._chosen.GetEntry(entry)
        return entry if 0 <= entry < self.GetEntries() else -1

    def SetEntryList(self, entries: Any, *_: Any) -> None:
        """Restrict Draw, CopyTree and GetEntries(cut) to some entries; 0 or None means all."""
        self._chosen = entries if isinstance(entries, TEventList) else None

    SetEventList = SetEntryList

    def GetEntryList(self) -> Any:
        return self._chosen or NullPointer(f"the tree {self._name} has no entry list")

    GetEventList = GetEntryList

    def GetReadEntry(self) -> int:
        return self._entry

    def __iter__(self) -> Iterator[ReadableTree]:
        for entry in range(self.GetEntries()):
            self.GetEntry(entry)
            yield self

    def _value(self, name: str) -> Any:
        # ROOT: before the first GetEntry the values are those of the memory at the start
        entry = max(self._entry, 0)
        if name in self._own_columns():
            source = self._own(name)
        elif (friend := self._friend_of(name)) is not None:
            friend[0]._entry = entry
            return friend[0]._value(friend[1])
        elif members := self._members(name):
            return tuple(self._value(one) for one in members)
        else:
            source = self._source()
        if name not in self._cursors or self._cursors[name][0] is not source:
            source.check_columns([name])
            self._cursors[name] = (source, ColumnCursor(source, name))
        return self._cursors[name][1].at(entry)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if self._has(name) or name in self._aliases:
            return self._value(name)
        if name in NO_OPS:
            return lambda *_, **__: LOGGER.debug("TTree.%s has no effect", name)
        known = [*self._source().columns, *public_names(self)]
        raise NotInCompatError.of(f"the tree {self._name}", name, known, REFUSED.get(name, ""))

    # -- what belongs to it

    def SetAlias(self, alias: str, expression: str) -> bool:
        """Give an expression a name that other expressions may use."""
        self._aliases[str(alias)] = str(expression)
        return True

    def GetAlias(self, alias: str) -> str:
        """Return the expression that a name stands for, empty if it stands for none."""
        return self._aliases.get(alias, "")

    def SetWeight(self, weight: float = 1.0, option: str = "") -> None:
        """Set the weight that Draw multiplies with."""
        del option
        self._weight = float(weight)

    def GetWeight(self) -> float:
        return self._weight

    def GetFriend(self, alias: str) -> Any:
        return self._friends.get(alias) or NullPointer(f"the tree {self._name} has no friend {alias!r}")

    # -- columns as a whole

    def _column(self, name: str) -> Any:
        """Return all values of a branch."""
        return whole_column(self._source(), name)

    def GetMinimum(self, name: str) -> float:
        return float(np.min(self._column(name)))

    def GetMaximum(self, name: str) -> float:
        return float(np.max(self._column(name)))

    def AsNumpy(self, *names: str) -> dict[str, Any]:
        wanted = list(names) or self._active()
        blocks = list(self._source().blocks(wanted))
        return {name: joined([block.columns[name] for block in blocks]) for name in wanted}

    def Print(self, option: str = "") -> None:
        del option
        show(f"*Tree    :{self._name:10}: {self._title}\n*Entries :{self.GetEntries():9}")
        for number, name in enumerate(own_names(self._own_columns())):
            show(f"*Br {number:4} :{name:10}: {TBranch(self, name).GetTypeName()}")

    def Show(self, entry: int = -1) -> None:
        self.LoadTree(entry if entry >= 0 else max(self._entry, 0))
        show(f"======> EVENT:{self._entry}")
        for name in self._active():
            show(f" {name:15} = {self._value(name)}")
