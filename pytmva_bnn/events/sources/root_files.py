"""TTrees and RNTuples, read with uproot block by block.

Only names of branches are ever passed to uproot, no expressions.
"""

from __future__ import annotations

import lzma
import re
import zlib
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np

from pytmva_bnn.errors import DatasetError, suggestion
from pytmva_bnn.events.sources.memory import plain_numbers
from pytmva_bnn.events.sources.source import BLOCK_SIZE, Block, EventSource
from pytmva_bnn.formula import TreeInfo

TREE_CLASSES = ("TTree", "TNtuple", "TNtupleD", "ROOT::RNTuple")


class RootSource(EventSource):
    """A TTree or RNTuple; ``opened`` gives access to it for as long as it is needed."""

    def __init__(self, opened: Callable[[], AbstractContextManager[Any]], where: str = "") -> None:
        self._opened = opened
        with opened() as tree:
            self.name = str(tree.name)
            self.where = where or f"{tree.file.file_path}:{self.name}"
            self._n_entries = int(tree.num_entries)
            self._columns = tuple(leaves_of(tree))

    @classmethod
    def of_file(cls, path: str, tree: str = "") -> RootSource:
        """Return the source of a tree in a file; without a name it is the only tree there."""
        return cls(lambda: _open_tree(path, tree), f"{path}:{tree}" if tree else "")

    @classmethod
    def of_object(cls, tree: Any) -> RootSource:
        """Return the source of a tree that the user has opened with uproot, and keeps open."""
        return cls(lambda: nullcontext(tree))

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of branches, and of leaves where a branch has several."""
        return self._columns

    @property
    def n_entries(self) -> int:
        """The number of entries of the tree."""
        return self._n_entries

    def blocks(self, branches: Collection[str], block_size: int = BLOCK_SIZE) -> Iterator[Block]:
        """Read the branches; no basket is unpacked twice."""
        self.check_columns(branches)
        with self._opened() as tree:
            leaves = leaves_of(tree)
            wanted = {name: leaves[name] for name in branches}
            windows = {id(leaf.branch): _Window(leaf.branch, _boundaries(tree, leaf)) for leaf in wanted.values()}
            for start in range(0, max(self.n_entries, 1), block_size):
                stop = min(start + block_size, self.n_entries)
                read = {key: window.take(start, stop) for key, window in windows.items()}
                columns = {}
                for name, leaf in wanted.items():
                    values = read[id(leaf.branch)]
                    columns[name] = values if leaf.member is None else values[leaf.member]
                yield Block(columns, stop - start, TreeInfo(self.name, start, self.n_entries))


@dataclass(frozen=True)
class Leaf:
    """Where a name's values are: a branch (or field of an RNTuple), and which of its members."""

    branch: Any
    member: str | None = None


def leaves_of(tree: Any) -> dict[str, Leaf]:
    """Return the names that expressions may use and what they stand for.

    A branch can be called by its name, or by the path to it with dots; a leaf of a branch with several of them
    as ``branch.leaf``, or by its name alone if nothing else is called so.
    """
    if not hasattr(tree, "branches"):  # an RNTuple
        # "_0" is uproot's name for the elements of a collection, which the collection itself gives
        return {name: Leaf(field) for name, field in tree.items() if not re.search(r"(^|\.)_[0-9]+($|\.)", name)}
    branches = [(path, branch) for path, branch in tree.items(recursive=True, full_paths=True) if not branch.branches]
    names: dict[str, Leaf] = {}
    for _, branch in branches:
        names.setdefault(branch.name, Leaf(branch))
    for path, branch in branches:
        names.setdefault(path.replace("/", "."), Leaf(branch))
    structured = [(branch, leaf.member("fName")) for _, branch in branches for leaf in _several_leaves(branch)]
    for branch, leaf in structured:
        names.setdefault(f"{branch.name}.{leaf}", Leaf(branch, leaf))
    for branch, leaf in structured:
        names.setdefault(leaf, Leaf(branch, leaf))
    return names


def _several_leaves(branch: Any) -> list[Any]:
    leaves = list(branch.member("fLeaves"))
    return leaves if len(leaves) > 1 else []


class _Window:
    """The part of a branch that is in memory: whole baskets, dropped when the reading has passed them."""

    def __init__(self, branch: Any, boundaries: list[int]) -> None:
        self._branch = branch
        self._boundaries = np.asarray(boundaries, dtype=np.int64)
        self._library = _library_for(branch)
        self._start = self._stop = 0
        self._values: Any = None

    def take(self, start: int, stop: int) -> Any:
        """Return the entries ``start`` to ``stop``; each call begins where the last one ended."""
        kept = None if self._values is None or start >= self._stop else self._values[start - self._start :]
        if stop > self._stop or kept is None:
            end = int(self._boundaries[np.searchsorted(self._boundaries, stop)])
            fresh = self._read(max(start, self._stop), end)
            self._values = fresh if kept is None else self._joined(kept, fresh)
            self._stop = end
        else:
            self._values = kept
        self._start = start
        return self._values[: stop - start]

    def _read(self, start: int, stop: int) -> Any:
        try:
            values = self._branch.array(entry_start=start, entry_stop=stop, library=self._library, array_cache=None)
            return values if self._library == "np" else plain_numbers(values)
        except (ValueError, NotImplementedError, TypeError, OSError, zlib.error, lzma.LZMAError) as error:
            where = getattr(self._branch.file, "file_path", "the file")
            raise DatasetError(f"{where}: the branch {self._branch.name!r} cannot be read, {_damage(error)}") from error

    def _joined(self, kept: Any, fresh: Any) -> Any:
        if isinstance(kept, np.ndarray):
            return np.concatenate((kept, fresh))
        import awkward as ak  # uproot has it loaded already

        return ak.concatenate((kept, fresh))


def _library_for(branch: Any) -> str:
    """Numbers and arrays of fixed size as numpy arrays, all else as awkward arrays."""
    interpretation = getattr(branch, "interpretation", None)
    return "np" if type(interpretation).__name__ == "AsDtype" else "ak"


def _boundaries(tree: Any, leaf: Leaf) -> list[int]:
    """Return the entries at which what is compressed in one piece begins, and the number of entries."""
    if hasattr(leaf.branch, "entry_offsets"):
        offsets = [int(offset) for offset in leaf.branch.entry_offsets]
    else:
        offsets = [int(cluster.num_first_entry) for cluster in tree.cluster_summaries]
    return sorted({0, *offsets, int(tree.num_entries)})


@contextmanager
def _open_tree(path: str, name: str) -> Iterator[Any]:
    import uproot  # lazy: heavy, and not needed for events in memory

    # a mapped file needs no threads to be read; what is no path of this machine is left to uproot
    options = {} if "://" in path else {"handler": uproot.source.file.MemmapSource}
    try:
        file = uproot.open(path, **options)
    except FileNotFoundError:
        raise DatasetError(f"the file {path} does not exist") from None
    except (OSError, ValueError) as error:
        raise DatasetError(f"{path} cannot be opened as a ROOT file: {error}") from error
    with file:
        yield _tree_in(file, path, name)


def _tree_in(file: Any, path: str, name: str) -> Any:
    import uproot  # lazy: heavy

    if not name:
        trees = trees_in(file)
        if len(trees) == 1:
            return file[trees[0]]
        known = ", ".join(trees) or "none"
        raise DatasetError(f"{path}: which tree? Write {path}:<tree>; it has {known}.")
    try:
        return file[name]
    except KeyError:
        trees = trees_in(file)
        hint = suggestion(name, trees)
        problem = f"{path} has no tree {name!r}" + (f": {hint}" if hint else ".")
        raise DatasetError(f"{problem} It has {', '.join(trees) or 'none'}.") from None
    except (OSError, NotImplementedError, uproot.DeserializationError) as error:
        raise DatasetError(f"{path}: the tree {name!r} cannot be read, {_damage(error)}") from error


def trees_in(file: Any) -> list[str]:
    """Return the names of the trees in a file or folder."""
    classes = file.classnames(recursive=True, cycle=False)
    return [key for key, class_name in classes.items() if class_name in TREE_CLASSES]


def _damage(error: Exception) -> str:
    words = " ".join(str(error).split())
    # uproot's words for bytes that are not there
    reason = "" if "expected Chunk" in words else f" ({words[:200]})"
    return f"the file is truncated or damaged{reason}"
