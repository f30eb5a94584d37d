"""The types of the branches of trees, also of trees without entries, and the type that holds several of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from pytmva_bnn.errors import InputError

Type: TypeAlias = Any
"""A numpy type, with a shape for arrays of fixed size, or an awkward type for lists of different lengths."""


def rectangular(values: Any) -> Any:
    """Return an awkward array whose lists all have one length by their type as a numpy array, any other as it is."""
    inner: Any = None if isinstance(values, np.ndarray) else values.type.content
    while type(inner).__name__ == "RegularType":
        inner = inner.content
        if type(inner).__name__ == "NumpyType":
            return values.to_numpy()
    return values


def type_of(values: Any) -> Type:
    """Return the type of one entry of a column."""
    if isinstance(values, np.ndarray):
        return np.dtype((values.dtype, values.shape[1:]))
    return values.type.content  # awkward: lists of different lengths


def common_types(files: Sequence[tuple[str, Mapping[str, Any]]]) -> dict[str, Type]:
    """Return the types that hold the columns of all files without loss; the order is that of the first file."""
    first, columns = files[0]
    for other, others in files[1:]:
        for one, having, two, lacking in ((first, columns, other, others), (other, others, first, columns)):
            missing = [name for name in having if name not in lacking]
            if missing:
                raise InputError(
                    f"the files cannot be merged: {two} has no {missing[0]!r}, but {one} does; keep only branches "
                    "that all files have"
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
                f"the files cannot be merged: {name!r} is {told}, and no type holds all values; "
                f"--keep '{name} := {name}*1.0' makes it a double, -o FOLDER writes one file per input"
            )
    return common


def wider_type(one: Type, two: Type) -> Type | None:
    """Return the type that holds the values of both, None if there is none."""
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
    """Return a column with a type that :func:`wider_type` found."""
    if isinstance(kind, np.dtype):
        return np.asarray(values, dtype=kind.base)
    number = _number_in_list(kind)
    if number is None or type_of(values) == kind:
        return values
    import awkward as ak  # lists of numbers; uproot has it loaded already

    return ak.values_astype(values, number)


def words(kind: Type) -> str:
    """Return the name of a type."""
    if not isinstance(kind, np.dtype):
        return str(kind)
    return kind.base.name + "".join(f"[{size}]" for size in kind.shape)
