"""Which files ``apply`` reads, and the names of those it writes."""

from __future__ import annotations

import glob
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from pytmva_bnn.cli.event_writers import WRITERS
from pytmva_bnn.errors import InputError
from pytmva_bnn.events.sources.opening import split_path


def input_files(given: Sequence[str], tree: str) -> list[str]:
    """Return ``file:tree`` of each file; patterns are expanded in alphabetical order.

    >>> input_files(["xml_fixtures/data/cl*.root"], "TreeS")
    ['xml_fixtures/data/class.root:TreeS']
    """
    found = []
    for text in given:
        path, own_tree = split_path(text)
        wanted = own_tree or tree
        names = [path]
        if "://" not in path and not Path(path).exists() and glob.has_magic(path):
            names = sorted(glob.glob(path, recursive=True))  # noqa: PTH207 - Path.glob wants the folder apart
            if not names:
                raise InputError(f"no file matches {path}")
        found += [f"{name}:{wanted}" if wanted else name for name in names]
    return found


def is_folder(output: str) -> bool:
    """Tell whether an output is a folder of files: it exists as one, ends in a slash, or has no ending.

    >>> is_folder("responses/"), is_folder("responses"), is_folder("v1.2/responses"), is_folder("responses.root")
    (True, True, True, False)
    >>> is_folder("responses.csv")
    Traceback (most recent call last):
    pytmva_bnn.errors.InputError: responses.csv: the end of the name must be one of .root, .parquet, .npz; write
    responses.csv/ if it is to be a folder
    """
    if output.endswith("/") or Path(output).is_dir():
        return True
    ending = Path(output).suffix
    if ending and ending not in WRITERS:
        raise InputError(
            f"{output}: the end of the name must be one of {', '.join(WRITERS)}; "
            f"write {output}/ if it is to be a folder"
        )
    return not ending


def output_files(sources: Sequence[str], folder: str, ending: str) -> list[str]:
    """Return a name in ``folder`` for each source; files of the same name get those of their folders in front.

    >>> output_files(["a/x.root:t", "b/x.root:t", "b/y.root"], "out", ".npz")
    ['out/a_x.npz', 'out/b_x.npz', 'out/y.npz']
    """
    paths = [Path(split_path(source)[0]) for source in sources]
    trees = [split_path(source)[1].replace("/", "_") for source in sources]
    names = [path.stem for path in paths]
    names = _told_apart(names, [f"{path.parent.name}_{path.stem}" for path in paths])
    names = _told_apart(names, [f"{name}_{tree}" for name, tree in zip(names, trees, strict=True)])
    names = _told_apart(names, [f"{name}_{number}" for number, name in enumerate(names, start=1)])
    return [str(Path(folder) / f"{name}{ending}") for name in names]


def _told_apart(names: list[str], longer: list[str]) -> list[str]:
    counts = Counter(names)
    return [name if counts[name] == 1 else other for name, other in zip(names, longer, strict=True)]


def check_not_overwritten(sources: Sequence[str], targets: Sequence[str]) -> None:
    """Raise if an output is one of the inputs.

    >>> check_not_overwritten(["a.root:t"], ["./a.root"])
    Traceback (most recent call last):
    pytmva_bnn.errors.InputError: ./a.root is an input file: choose another name for the output
    """
    inputs = {Path(split_path(source)[0]).resolve() for source in sources if "://" not in source}
    for target in targets:
        if Path(target).resolve() in inputs:
            raise InputError(f"{target} is an input file: choose another name for the output")
