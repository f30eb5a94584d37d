"""TTrees and RNTuples, read with uproot block by block.

Only names of branches are ever passed to uproot, no expressions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np

from pytmva_bnn.errors import DatasetError, TMVAError, suggestion
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
            with readable(self.where, "its branches"):
                self._n_entries = int(tree.num_entries)
                leaves = leaves_of(tree)
                self._columns = tuple(leaves)
                stored = [getattr(leaf.branch, "num_entries", self._n_entries) for leaf in leaves.values()]
                if not 0 <= self._n_entries <= max(stored, default=self._n_entries):  # before room is made for them
                    raise ValueError(f"it declares {self._n_entries} entries, but has {max(stored, default=0)}")

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
            with readable(self.where, "its branches"):
                leaves = leaves_of(tree)
                wanted = {name: leaves[name] for name in branches}
                windows = {
                    id(leaf.branch): _Window(leaf.branch, _boundaries(tree, leaf), self.where)
                    for leaf in wanted.values()
                }
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
    for _, branch in branches:  # ROOT: a member of an object, event.x, may be called x
        names.setdefault(branch.name.rpartition(".")[2] or branch.name, Leaf(branch))
    return names


def _several_leaves(branch: Any) -> list[Any]:
    leaves = list(branch.member("fLeaves"))
    return leaves if len(leaves) > 1 else []


class _Window:
    """The part of a branch that is in memory: whole baskets, dropped when the reading has passed them."""

    def __init__(self, branch: Any, boundaries: list[int], where: str) -> None:
        self._branch, self._where = branch, where
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
        with readable(self._where, f"the branch {self._branch.name!r}"):
            values = self._branch.array(entry_start=start, entry_stop=stop, library=self._library, array_cache=None)
            if len(values) != stop - start:
                raise ValueError(f"it has {len(values)} values for {stop - start} entries")
            return values if self._library == "np" else plain_numbers(values)

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
def readable(where: str, what: str, kind: type[TMVAError] = DatasetError) -> Iterator[None]:
    """Turn the many ways in which uproot fails on a damaged file into one error, of this kind."""
    try:
        yield
    except (TMVAError, ImportError):  # what is said already; uproot names the package that unpacks a file
        raise
    except Exception as error:
        words = " ".join(str(error).encode("ascii", "replace").decode().split())
        # uproot's words for bytes that are not there
        reason = "" if not words or "expected Chunk" in words else f" ({words[:200]})"
        problem = f"{where}: {what} cannot be read, the file is truncated or damaged{reason}"
        raise kind(problem) from error


@contextmanager
def _open_tree(path: str, name: str) -> Iterator[Any]:
    import uproot  # lazy: heavy, and not needed for events in memory

    # a mapped file needs no threads to be read; what is no path of this machine is left to uproot
    options = {} if "://" in path else {"handler": uproot.source.file.MemmapSource}
    try:
        with readable(path, "it"):
            file = uproot.open(path, **options)
    except DatasetError as error:
        if isinstance(error.__cause__, FileNotFoundError):
            raise DatasetError(f"the file {path} does not exist") from None
        if isinstance(error.__cause__, (OSError, ValueError)):
            raise DatasetError(f"{path} cannot be opened as a ROOT file: {error.__cause__}") from error.__cause__
        raise
    with file:
        yield _tree_in(file, path, name)


def _tree_in(file: Any, path: str, name: str) -> Any:
    with readable(path, "its list of objects"):
        trees = trees_in(file)
    if not name:
        if len(trees) != 1:
            known = ", ".join(trees) or "none"
            raise DatasetError(f"{path}: several trees; write {path}:<tree>. It has {known}.")
        name = trees[0]
    with readable(path, f"the tree {name!r}"):
        try:
            found = file[name]
        except KeyError:
            hint = suggestion(name, trees)
            problem = f"{path} has no tree {name!r}" + (f": {hint}" if hint else ".")
            raise DatasetError(f"{problem} It has {', '.join(trees) or 'none'}.") from None
        if not hasattr(found, "num_entries"):
            kind = getattr(found, "classname", type(found).__name__)
            raise DatasetError(f"{path}: {name!r} is a {kind}, not a tree. Trees there: {', '.join(trees) or 'none'}.")
    return found


def trees_in(file: Any) -> list[str]:
    """Return the names of the trees in a file or folder."""
    classes = file.classnames(recursive=True, cycle=False)
    return [key for key, class_name in classes.items() if class_name in TREE_CLASSES]
