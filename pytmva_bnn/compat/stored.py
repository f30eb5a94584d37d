"""Objects of ROOT files as the macro sees them: trees, histograms and text, read with uproot."""

from __future__ import annotations

from typing import Any

from pytmva_bnn.compat.errors import RefusedError, RootFileError
from pytmva_bnn.compat.graphs import GRAPHS, TGraph, graph_of
from pytmva_bnn.compat.histogram_files import histogram_of, profile_of
from pytmva_bnn.compat.histograms import TH1
from pytmva_bnn.compat.null_pointer import NullPointer
from pytmva_bnn.compat.strings import TObjString
from pytmva_bnn.compat.trees import TTree, tree_of
from pytmva_bnn.events.sources import RootSource
from pytmva_bnn.events.sources.root_files import readable

TREES = ("TTree", "TNtuple", "TNtupleD", "ROOT::RNTuple")


def opened(path: str) -> Any:
    """Return the file opened by uproot."""
    import uproot  # lazy: heavy, and not needed for events in memory

    try:
        return uproot.open(path)
    except FileNotFoundError:
        raise RootFileError(f"the file {path} does not exist") from None
    except Exception as error:  # a damaged file makes uproot fail in many ways
        raise RootFileError(f"{path} cannot be opened as a ROOT file: {error}") from error


def object_of(file: Any, kind: str, where: str, path: str) -> Any:
    """Return the object ``path`` of the class ``kind`` in a file opened by uproot; other classes are left to uproot."""
    with readable(where, repr(path), RootFileError):
        return _object_of(file, kind, where, path)


def _object_of(file: Any, kind: str, where: str, path: str) -> Any:
    if kind in TREES:
        # the file is opened again whenever the tree is read: closing it does not matter
        stored = file[path]
        return tree_of(RootSource.of_file(where, path), str(getattr(stored, "title", "")))
    if kind.startswith(("TH1", "TH2")):
        return histogram_of(file[path])
    if kind == "TProfile":
        return profile_of(file[path])
    if kind in GRAPHS:
        return graph_of(file[path])
    if kind == "TObjString":
        return TObjString(str(file[path]))
    found = file[path]
    if type(found).__name__.startswith("Unknown_"):  # uproot's name for a class that the file does not describe
        return NullPointer(f"{where}: {path!r} is of the class {kind}, which the file does not describe")
    return found


def snapshot(thing: Any, path: str) -> Any:
    """Return what is to be written: histograms as they are now, trees with all that is filled later."""
    if isinstance(thing, TH1):
        return thing.copied(thing.GetName())
    if isinstance(thing, TGraph):
        return thing.Clone()
    if isinstance(thing, TTree | str):
        return thing
    raise RefusedError(
        f"{path}: a {type(thing).__name__} cannot be written to a file here, only trees, histograms, graphs and text"
    )
