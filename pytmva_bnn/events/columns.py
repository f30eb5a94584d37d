"""Events in whatever form the user has them → a float32 matrix with one column per variable.

Understood are 2-D arrays (columns in the order of the variables), mappings of names to arrays, pandas data frames and
awkward record arrays.  Named columns are matched by a variable's expression, label or internal name; if there is none,
the expression is evaluated from the columns it names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import Float32Array
from pytmva_bnn.errors import InputError, suggestion
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.formula import Formula, FormulaError, TreeInfo


class Columns:
    """Events as named columns or as a matrix, from which blocks of float32 rows can be taken.

    >>> import numpy as np
    >>> x = VariableRecord.define("x"); y = VariableRecord.define("sum := x + y")
    >>> Columns({"sum": [1.0, 2.0], "x": [3.0, 4.0]}, [x, y]).block(0, 2)
    array([[3., 1.],
           [4., 2.]], dtype=float32)
    """

    def __init__(self, events: Any, variables: Sequence[VariableRecord], what: str = "variables") -> None:
        self._matrix: NDArray[Any] | None = None
        self._columns: list[_Given | _Computed] = []
        names, column = _named_columns(events)
        if names is None:
            self._matrix = _as_matrix(events, variables, what)
            self.n_events = len(self._matrix)
            return
        self._columns = _matched(names, column, variables, what)
        lengths = {len(one) for one in self._columns}
        if len(lengths) > 1:
            described = ", ".join(f"{v.expression}: {len(c)}" for v, c in zip(variables, self._columns, strict=True))
            raise InputError(f"the columns have different lengths ({described})")
        self.n_events = lengths.pop() if lengths else 0

    def block(self, start: int, stop: int) -> Float32Array:
        """Return the events ``start`` to ``stop`` as ``(n_events, n_variables)`` in float32."""
        if self._matrix is not None and self._matrix.dtype == np.float32:
            return np.ascontiguousarray(self._matrix[start:stop])
        # events hold 32-bit floats in TMVA; a double beyond their range becomes inf
        with np.errstate(over="ignore"):
            if self._matrix is not None:
                return np.ascontiguousarray(self._matrix[start:stop], dtype=np.float32)
            result = np.empty((min(stop, self.n_events) - start, len(self._columns)), dtype=np.float32)
            for number, column in enumerate(self._columns):
                result[:, number] = column.block(start, stop)
            return result


class _Given:
    """A column that is there."""

    def __init__(self, values: NDArray[Any]) -> None:
        self._values = values

    def __len__(self) -> int:
        return len(self._values)

    def block(self, start: int, stop: int) -> NDArray[Any]:
        return self._values[start:stop]


class _Computed:
    """A column that follows from others by an expression."""

    def __init__(self, formula: Formula, columns: Mapping[str, Any]) -> None:
        self._formula = formula
        self._columns = columns
        lengths = {name: len(column) for name, column in columns.items()}
        if len(set(lengths.values())) != 1:
            raise InputError(f"the columns of {formula.expression} have different lengths: {lengths}")
        self._length = next(iter(lengths.values()))

    def __len__(self) -> int:
        return self._length

    def block(self, start: int, stop: int) -> NDArray[Any]:
        columns = {name: column[start:stop] for name, column in self._columns.items()}
        values = self._formula.evaluate(columns, tree=TreeInfo(first_entry=start, entries=self._length))
        if not isinstance(values, np.ndarray):
            raise InputError(f"{self._formula.expression} has several values per event: name an element, as in x[0]")
        return values


def has_names(events: Any) -> bool:
    """Tell whether the events have named columns, and are not a matrix.

    >>> has_names({"x": [1.0]}), has_names([[1.0]])
    (True, False)
    """
    return _named_columns(events)[0] is not None


def _named_columns(events: Any) -> tuple[list[str] | None, Callable[[str], Any]]:
    """Return the names and a way to a column by its name; None for things without names."""
    if isinstance(events, Mapping):
        return [str(name) for name in events], lambda name: events[name]
    if isinstance(events, np.ndarray):
        if events.dtype.names is not None:
            return list(events.dtype.names), lambda name: events[name]
        return None, _no_column
    if hasattr(events, "columns") and hasattr(events, "iloc"):  # a pandas data frame
        if not any(isinstance(name, str) for name in events.columns):
            return None, _no_column
        return [str(name) for name in events.columns], lambda name: events[name].to_numpy()
    fields = getattr(events, "fields", None)
    if isinstance(fields, list) and hasattr(events, "layout"):  # an awkward array
        return (list(fields), lambda name: events[name]) if fields else (None, _no_column)
    return None, _no_column


def _no_column(name: str) -> Any:
    raise AssertionError(f"no column {name} in an array without names")


def _matched(
    names: Sequence[str], column: Callable[[str], Any], variables: Sequence[VariableRecord], what: str
) -> list[_Given | _Computed]:
    by_squeezed = {name.replace(" ", ""): name for name in names}
    found: list[_Given | _Computed] = []
    missing: list[str] = []
    for variable in variables:
        if _is_element(variable) and variable.internal not in by_squeezed and variable.expression in by_squeezed:
            found.append(_Given(_element(column(by_squeezed[variable.expression]), variable)))
            continue
        # expression and label of an element are those of the whole array
        whole = () if _is_element(variable) else (variable.expression, variable.label)
        candidates = (*whole, variable.internal)
        name = next((by_squeezed[c] for c in candidates if c in by_squeezed), None)
        if name is not None:
            found.append(_Given(_numeric(column(name), name)))
            continue
        try:
            formula = Formula(variable.expression)
            needed = formula.branches_of(names)
        except FormulaError:
            needed = frozenset()
        if needed:
            found.append(_Computed(formula, {name: column(name) for name in needed}))
        else:
            hint = suggestion(variable.expression, names)
            missing.append(variable.expression + (f" ({hint})" if hint else ""))
    if missing:
        known = ", ".join(names) or "none"
        raise InputError(f"missing {what}: {', '.join(missing)}. The columns given are: {known}")
    return found


def _is_element(variable: VariableRecord) -> bool:
    """Tell whether the variable is an element of an array (AddVariablesArray): all of them have one expression."""
    return variable.type.endswith("[]")


def _element(column: Any, variable: VariableRecord) -> NDArray[Any]:
    array = np.asarray(column.to_numpy() if hasattr(column, "layout") else column)
    number = int(variable.internal.rpartition("[")[2].rstrip("]"))
    if array.ndim != 2 or number >= array.shape[1]:
        raise InputError(
            f"the column {variable.expression!r} is an array of the event: give it as a 2-D array with at least "
            f"{number + 1} columns, or its elements as columns {variable.internal} …; it has the shape {array.shape}"
        )
    return _numeric(array[:, number], variable.internal)


def _numeric(column: Any, name: str) -> NDArray[Any]:
    try:
        # an awkward array says which values are missing only if asked this way
        values = column.to_numpy() if hasattr(column, "layout") else np.asanyarray(column)
    except (TypeError, ValueError) as error:
        raise InputError(f"the column {name!r} cannot be made an array of numbers: {error}") from error
    if values.ndim != 1 or values.dtype.kind not in "fiub":
        raise InputError(
            f"the column {name!r} must be a 1-D array of numbers, it is {values.ndim}-D of type {values.dtype}"
        )
    return np.asarray(np.ma.filled(values.astype(np.float64), np.nan) if np.ma.isMaskedArray(values) else values)


def _as_matrix(events: Any, variables: Sequence[VariableRecord], what: str) -> NDArray[Any]:
    try:
        matrix = np.asanyarray(events)
        # a masked value is missing, and so NaN
        matrix = np.asarray(np.ma.filled(matrix.astype(np.float64), np.nan) if np.ma.isMaskedArray(matrix) else matrix)
    except (TypeError, ValueError) as error:
        raise InputError(f"the events cannot be made a 2-D array: {error}") from error
    if matrix.ndim != 2 or matrix.shape[1] != len(variables):
        expected = ", ".join(v.expression for v in variables)
        hint = " For one event use [[...]]." if matrix.ndim == 1 and len(matrix) == len(variables) else ""
        raise InputError(
            f"events are expected as an array of shape (n_events, {len(variables)}), one column for each of the {what} "
            f"{expected}; got shape {matrix.shape}.{hint}"
        )
    if matrix.dtype.kind not in "fiub":
        raise InputError(f"events must be numbers, the array is of type {matrix.dtype}")
    return matrix
