"""The types of the branches of trees, also of trees without entries, and the type that holds several of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.events.sources import Block, EventSource, RootSource
from pytmva_bnn.events.sources.memory import plain_numbers
from pytmva_bnn.events.sources.root_files import leaves_of
from pytmva_bnn.formula import TreeInfo

Type: TypeAlias = Any
"""A numpy type, with a shape for arrays of fixed size, or an awkward type for lists of different lengths."""


def empty_block(source: EventSource, branches: Collection[str]) -> Block:
    """Return no entries of a tree: the columns have the types of the branches.

    >>> from pytmva_bnn.events.sources import source_of
    >>> empty_block(source_of("xml_fixtures/data/class.root:TreeS"), ["nj"]).columns
    {'nj': array([], dtype=int32)}
    """
    columns: dict[str, Any] = dict.fromkeys(branches, np.empty(0))  # a text file without lines has no types
    if isinstance(source, RootSource):
        with source._opened() as tree:
            leaves = leaves_of(tree)
            for name in branches:
                values = _nothing_of(leaves[name].branch)
                member = leaves[name].member
                columns[name] = values if member is None else values[member]
    return Block(columns, 0, TreeInfo(source.name))


def _nothing_of(branch: Any) -> Any:
    if type(getattr(branch, "interpretation", None)).__name__ == "AsDtype":
        return branch.array(entry_start=0, entry_stop=0, library="np")
    return plain_numbers(branch.array(entry_start=0, entry_stop=0, library="ak"))


def rectangular(values: Any) -> Any:
    """Return an awkward array whose lists all have the same length by their type as a numpy array, any other as it is.

    >>> import awkward as ak
    >>> rectangular(ak.to_regular(ak.Array([[1.0, 2.0], [3.0, 4.0]]))).shape
    (2, 2)
    """
    inner: Any = None if isinstance(values, np.ndarray) else values.type.content
    while type(inner).__name__ == "RegularType":
        inner = inner.content
        if type(inner).__name__ == "NumpyType":
            return values.to_numpy()
    return values


def type_of(values: Any) -> Type:
    """Return the type of one entry of a column.

    >>> type_of(np.empty((5, 3), dtype=np.int32))
    dtype(('<i4', (3,)))
    """
    if isinstance(values, np.ndarray):
        return np.dtype((values.dtype, values.shape[1:]))
    return values.type.content  # awkward: lists of different lengths


def common_types(files: Sequence[tuple[str, Mapping[str, Any]]]) -> dict[str, Type]:
    """Return the types that hold the columns of all files without loss; the order is that of the first file.

    >>> common_types([("a.root", {"n": np.empty(0, np.int32)}), ("b.root", {"n": np.empty(0, np.int64)})])
    {'n': dtype('int64')}
    """
    first, columns = files[0]
    for other, others in files[1:]:
        for one, having, two, lacking in ((first, columns, other, others), (other, others, first, columns)):
            missing = [name for name in having if name not in lacking]
            if missing:
                raise InputError(
                    f"the files cannot be merged: {two} has no {missing[0]!r}, {one} has it; keep only what all have"
                )
    return {name: _common(name, [(file, type_of(found[name])) for file, found in files]) for name in columns}


def _common(name: str, types: Sequence[tuple[str, Type]]) -> Type:
    common = types[0][1]
    for _, other in types[1:]:
        common = wider_type(common, other)
        if common is None:
            files = {words(kind): file for file, kind in reversed(types)}  # the first file of each type
            told = " and ".join(f"{kind} in {file}" for kind, file in reversed(files.items()))
            raise InputError(
                f"the files cannot be merged: {name!r} is {told}, and no type holds all without loss; "
                f"--keep '{name} := {name}*1.0' makes it a double, -o FOLDER writes a file for each"
            )
    return common


def wider_type(one: Type, two: Type) -> Type | None:
    """Return the type that holds the values of both, None if there is none.

    >>> wider_type(np.dtype("i4"), np.dtype("f4")), wider_type(np.dtype("i8"), np.dtype("f8"))
    (dtype('float64'), None)
    """
    if one == two:
        return one
    if isinstance(one, np.dtype) and isinstance(two, np.dtype):
        base = _wider_number(one.base, two.base)
        return np.dtype((base, one.shape)) if base is not None and one.shape == two.shape else None
    numbers = [_number_in_list(kind) for kind in (one, two)]
    if numbers[0] is None or numbers[1] is None:
        return None
    base = _wider_number(numbers[0], numbers[1])
    if base is None:
        return None
    import awkward as ak  # lists of numbers; uproot has it loaded already

    return ak.types.ListType(ak.types.NumpyType(base.name))


def _wider_number(one: np.dtype[Any], two: np.dtype[Any]) -> np.dtype[Any] | None:
    if one.kind not in "biuf" or two.kind not in "biuf":
        return None
    wider = np.result_type(one, two)
    # for numpy, a double is good enough for integers of 64 bits; it holds those of 53
    lossy = wider.kind == "f" and any(kind.kind in "iu" and kind.itemsize >= wider.itemsize for kind in (one, two))
    return None if lossy else wider


def _number_in_list(kind: Type) -> np.dtype[Any] | None:
    """Return the type of the numbers in an awkward list of numbers, None for anything else."""
    inner = getattr(kind, "content", None)
    primitive = getattr(inner, "primitive", None)
    return np.dtype(primitive) if type(kind).__name__ == "ListType" and isinstance(primitive, str) else None


def as_type(values: Any, kind: Type) -> Any:
    """Return a column with a type that :func:`wider_type` found.

    >>> as_type(np.array([1, 2]), np.dtype("f8"))
    array([1., 2.])
    """
    if isinstance(kind, np.dtype):
        return np.asarray(values, dtype=kind.base)
    number = _number_in_list(kind)
    if number is None or type_of(values) == kind:
        return values
    import awkward as ak  # lists of numbers; uproot has it loaded already

    return ak.values_astype(values, number)


def words(kind: Type) -> str:
    """Return the name of a type.

    >>> words(np.dtype("i4")), words(np.dtype(("f8", (3,))))
    ('int32', 'float64[3]')
    """
    if not isinstance(kind, np.dtype):
        return str(kind)
    return kind.base.name + "".join(f"[{size}]" for size in kind.shape)
