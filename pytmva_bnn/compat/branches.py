"""TBranch: a branch of a tree, or a leaf of it, with its value at the current entry."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pytmva_bnn.compat.lists import ObjectList
from pytmva_bnn.compat.messages import LOGGER
from pytmva_bnn.compat.named import Named

if TYPE_CHECKING:
    from pytmva_bnn.compat.reading import ReadableTree

TYPE_NAMES = {
    "f4": "Float_t", "f8": "Double_t", "i1": "Char_t", "u1": "UChar_t", "i2": "Short_t", "u2": "UShort_t",
    "i4": "Int_t", "u4": "UInt_t", "i8": "Long64_t", "u8": "ULong64_t", "b1": "Bool_t",
}  # fmt: skip
"""ROOT's names of the types of numbers by numpy's."""

NO_OPS = frozenset(
    {"SetAutoDelete", "SetBasketSize", "SetCompressionLevel", "SetCompressionSettings", "SetFile", "DropBaskets"}
)
"""Calls that change nothing here."""


class TBranch(Named):
    """A branch; the same object stands for its leaf."""

    def __init__(self, tree: ReadableTree, name: str) -> None:
        self._tree = tree
        self._name = self._title = name

    def GetTree(self) -> ReadableTree:
        return self._tree

    def GetBranch(self) -> TBranch:
        return self

    def GetListOfLeaves(self) -> ObjectList[TBranch]:
        return ObjectList([self])

    def GetLeaf(self, name: str = "") -> TBranch:
        del name
        return self

    def GetEntries(self) -> int:
        return self._tree._n_values(self._name)

    def GetEntry(self, entry: int = 0, getall: int = 0) -> int:
        """Read this branch alone at an entry."""
        del getall
        return self._tree._read_entry(int(entry), [self._name])

    def SetAddress(self, buffer: Any) -> None:
        """Let GetEntry fill ``buffer``, or Fill read it."""
        self._tree.SetBranchAddress(self._name, buffer)

    def ResetAddress(self) -> None:
        self._tree._bound.pop(self._name, None)

    def SetStatus(self, status: bool | int = True) -> None:
        self._tree.SetBranchStatus(self._name, status)

    def Fill(self) -> int:
        """Add the value that the memory has now to this branch alone."""
        return self._tree._fill_branch(self._name)

    BackFill = Fill

    def GetValue(self, index: int = 0) -> float:
        return float(np.ravel(self._tree._value(self._name))[index])

    def GetLen(self) -> int:
        return len(np.ravel(self._tree._value(self._name)))

    GetNdata = GetLen

    def GetTypeName(self) -> str:
        value: Any = self._tree._column(self._name)
        if not isinstance(value, np.ndarray):
            kind = str(value.type.content)
            return "Char_t" if kind == "string" else f"vector<{kind.rpartition('*')[2].strip()}>".replace("32", "")
        return "Char_t" if value.dtype.kind == "U" else TYPE_NAMES.get(value.dtype.str[1:], str(value.dtype))

    GetClassName = GetTypeName

    def __getattr__(self, name: str) -> Any:
        if name in NO_OPS:
            return lambda *_: LOGGER.debug("TBranch.%s has no effect", name)
        raise AttributeError(f"TBranch.{name} does not exist in pytmva_bnn.compat")

    def __repr__(self) -> str:
        return f"<branch {self._name} of {self._tree.GetName()}>"
