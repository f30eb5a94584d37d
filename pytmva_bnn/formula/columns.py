"""The columns an expression is evaluated on: finding them by name, and bringing them to one form.

A column may be a numpy array (one dimension: a number an entry; more: a fixed-size array an entry), an
awkward array, a pandas series, or a sequence with one sequence an entry.

>>> column_of([[1, 2], [], [3]])
Column(content=array([1., 2., 3.]), offsets=(array([0, 2, 2, 3]),))
>>> column_of(np.zeros((4, 3, 2))).offsets[0].tolist()
[0, 3, 6, 9, 12]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from numpy.typing import NDArray


MAX_FIELDS = 8
"""How deep in a structured column a field is looked for."""


@dataclass(frozen=True, slots=True)
class Column:
    """Numbers in one flat array, and for each array dimension where its lists begin and end.

    List ``i`` of dimension ``d`` has the members ``offsets[d][i]`` to ``offsets[d][i+1]`` of the next
    dimension, or of ``content`` if it is the last one.  A scalar branch has no offsets.
    """

    content: NDArray[Any]
    offsets: tuple[NDArray[np.int64], ...] = ()

    @property
    def n_events(self) -> int:
        """The number of entries."""
        return len(self.offsets[0]) - 1 if self.offsets else len(self.content)


def resolve(name: str, available: Container[str], tree: str = "") -> tuple[str, tuple[str, ...]] | None:
    """Return the column that ``name`` means and the fields to take of it, or None if there is none.

    The name of the tree in front is dropped; ``branch.leaf`` may be a field of the column ``branch``.
    """
    names = [name]
    if tree and name.startswith(f"{tree}."):
        names.append(name.removeprefix(f"{tree}."))
    for candidate in names:
        parts = candidate.split(".")
        for length in range(len(parts), max(len(parts) - MAX_FIELDS, 0), -1):
            column = ".".join(parts[:length])
            if column in available:
                return column, tuple(parts[length:])
    return None


def field_of(values: Any, fields: Sequence[str]) -> Any:
    """Return the field of a structured numpy or awkward array; raise KeyError if it has none such."""
    for name in fields:
        known = _field_names(values)
        if name not in known:
            raise KeyError(name)
        values = values[name]
    return values


def _field_names(values: Any) -> Sequence[str]:
    if isinstance(values, np.ndarray):
        return values.dtype.names or ()
    return tuple(getattr(values, "fields", ()))


def column_of(values: Any) -> Column:
    """Return ``values`` as a :class:`Column`; raise TypeError if they are not numbers."""
    if type(values).__module__.partition(".")[0] == "awkward":
        return _column_of_awkward(values)
    if isinstance(values, list | tuple) and _has_lists(values):
        return _column_of_lists(values)
    array = np.asarray(values)
    if array.dtype == object:
        return _column_of_lists(list(array)) if _has_lists(array) else Column(_floats(array))
    if array.ndim == 0:
        raise TypeError("it is a single value, not one per entry")
    if array.dtype.names is not None:
        raise TypeError(f"it has the fields {', '.join(array.dtype.names)}")
    if array.dtype.kind not in "biuf":
        raise TypeError(f"its values are of type {array.dtype}")
    offsets = []
    total = array.shape[0]
    for size in array.shape[1:]:
        offsets.append(np.arange(total + 1, dtype=np.int64) * size)
        total *= size
    return Column(array.reshape(-1), tuple(offsets))


def _has_lists(entries: Any) -> bool:
    return any(hasattr(entry, "__len__") and not isinstance(entry, str | bytes) for entry in entries)


def _floats(entries: Any) -> NDArray[np.float64]:
    try:
        return np.asarray(entries, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError("its values are not numbers") from None


def _column_of_lists(entries: Sequence[Any]) -> Column:
    """Return the column of a sequence with a sequence an entry, nested as deeply as it may be."""
    offsets: list[NDArray[np.int64]] = []
    members: list[Any] = list(entries)
    while members and _has_lists(members):
        try:
            counts = [len(entry) for entry in members]
        except TypeError:
            raise TypeError("some of its entries are numbers and some are arrays") from None
        offsets.append(_offsets(counts))
        if all(_is_flat(entry) for entry in members):
            return Column(_floats(np.concatenate(members)), tuple(offsets))
        members = [member for entry in members for member in entry]
    return Column(_floats(members), tuple(offsets))


def _is_flat(entry: Any) -> bool:
    return isinstance(entry, np.ndarray) and entry.ndim == 1 and entry.dtype.kind in "biuf"


def _column_of_awkward(array: Any) -> Column:
    import awkward as ak  # the caller has it loaded already

    if array.fields:
        raise TypeError(f"it has the fields {', '.join(array.fields)}")
    offsets: list[NDArray[np.int64]] = []
    # a missing value is not a number; a missing list has no members
    while array.ndim > 1:
        array = ak.fill_none(array, [], axis=0)
        offsets.append(_offsets(ak.to_numpy(ak.num(array, axis=1))))
        array = ak.flatten(array, axis=1)
    content = ak.to_numpy(ak.fill_none(array, np.nan))
    if content.dtype.kind not in "biuf":
        raise TypeError(f"its values are of type {content.dtype}")
    return Column(content, tuple(offsets))


def _offsets(counts: Any) -> NDArray[np.int64]:
    return np.concatenate(([0], np.cumsum(counts, dtype=np.int64)))
