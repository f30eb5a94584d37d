"""The variables (or spectators) declared to a Reader, and their comparison with those of a weight file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.errors import InputError, VariableMismatchError
from pytmva_bnn.events.variables import VariableRecord


class DeclaredVariables:
    """An ordered list of declared variables with the memory their values are taken from."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._records: list[VariableRecord] = []
        self._memory: list[NDArray[Any] | None] = []

    def __len__(self) -> int:
        return len(self._records)

    def add(self, record: VariableRecord, memory: NDArray[Any] | None) -> None:
        """Append a variable; ``memory`` is a view of one number, or None if there is none."""
        self._records.append(record)
        self._memory.append(memory)

    @property
    def memory(self) -> tuple[NDArray[Any] | None, ...]:
        """Return the memory of each variable."""
        return tuple(self._memory)

    def event(self) -> NDArray[np.float32]:
        """Return the present values as an array of one row."""
        result = np.empty((1, len(self._memory)), dtype=np.float32)
        with np.errstate(over="ignore"):
            for number, memory in enumerate(self._memory):
                if memory is None:
                    raise InputError(
                        f"the {self._what} {self._records[number].expression} has no memory linked to it: declare it "
                        "with AddVariable(name, buffer), or give the event: EvaluateMVA([...], tag)"
                    )
                result[0, number] = memory[0]
        return result

    def check_against(self, in_file: Sequence[VariableRecord], file: str) -> None:
        """Raise a VariableMismatchError unless the file has the same expressions in the same order."""
        declared = [record.expression for record in self._records]
        expected = [record.expression for record in in_file]
        if declared == expected:
            return
        if len(declared) != len(expected):
            problem = f"{len(declared)} {self._what}s are declared in the Reader, {len(expected)} in the file"
        elif sorted(declared) == sorted(expected):
            problem = f"the {self._what}s are declared in another order than in the file"
        else:
            problem = f"the {self._what}s declared in the Reader are not those of the file"
        raise VariableMismatchError(f"{file}: {problem}.\n{self._table(declared, expected)}")

    def _table(self, declared: list[str], expected: list[str]) -> str:
        width = max(len("in the Reader"), *map(len, declared or [""]))
        lines = [f"      {'in the Reader':<{width}}   in the file"]
        for number in range(max(len(declared), len(expected))):
            left = declared[number] if number < len(declared) else "-"
            right = expected[number] if number < len(expected) else "-"
            mark = " " if left == right else "*"
            lines.append(f"  {mark} {number:<2}{left:<{width}}   {right}")
        call = "AddVariable" if self._what == "variable" else "AddSpectator"
        lines.append(f"Call {call} once for each name on the right, in this order, before BookMVA.")
        return "\n".join(lines)
