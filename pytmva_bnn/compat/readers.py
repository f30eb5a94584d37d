"""TMVA's Reader; weight files that are not there, or of methods that do not exist here, can be left out."""
# ruff: noqa: N802 - TMVA's names

from __future__ import annotations

import re
from array import array
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pytmva_bnn import compat, reader
from pytmva_bnn.compat.config import CONFIG
from pytmva_bnn.compat.cpp import Ref, memory
from pytmva_bnn.compat.left_out import LeftOutMethod
from pytmva_bnn.compat.messages import LOGGER, show_messages
from pytmva_bnn.compat.missing_calls import MissingCalls
from pytmva_bnn.compat.std import vector
from pytmva_bnn.errors import WeightFileError, WeightFileNotFoundError
from pytmva_bnn.files import expanded
from pytmva_bnn.methods import kinds

NO_RESPONSE = -999.0
METHOD = re.compile(r'Method="(\w+)::')
HEAD = 2000
"""Characters of a weight file in which its method is named."""


def _first(buffer: Any) -> Any:
    is_row = isinstance(buffer, Ref) and not isinstance(buffer.container, list | dict) and isinstance(buffer.index, int)
    if is_row or (isinstance(buffer, array) and len(buffer) > 1):
        buffer = memory(buffer)
    return buffer[:1] if isinstance(buffer, np.ndarray) and buffer.ndim == 1 else buffer


def _as_vector(found: Any) -> Any:
    return vector("float")(found) if isinstance(found, list | tuple) else found


QUESTIONS = (
    "EvaluateMVA", "EvaluateRegression", "EvaluateMulticlass", "GetProba", "GetRarity", "GetMVAError",
    "GetMVAErrorUpper", "GetMVAErrorLower",
)  # fmt: skip
"""Calls that look at the memory of the variables."""


class Reader(MissingCalls, reader.Reader):
    """TMVA's Reader.

    With ``skip_unknown_methods`` a weight file that cannot be used is left out with a warning, and the responses of
    its tag are -999.
    """

    def __init__(self, *args: Any, **keywords: Any) -> None:
        super().__init__(*args, **keywords)
        self._left_out: dict[str, LeftOutMethod] = {}
        self._warned: set[str] = set()
        self._referred: list[tuple[array[float], Ref]] = []
        show_messages(silent=CONFIG.silent or None)

    def AddVariable(self, expression: Any, buffer: Any = None) -> Any:
        """Declare a variable.

        Of memory for several numbers, such as ``&values[2]``, the first is used; references to elements of containers,
        such as ``&values["pt"]``, are looked at when the Reader is asked.
        """
        return super().AddVariable(expression, self._memory(buffer))

    def AddSpectator(self, expression: Any, buffer: Any = None) -> Any:
        return super().AddSpectator(expression, self._memory(buffer))

    def _memory(self, buffer: Any) -> Any:
        if not isinstance(buffer, Ref) or isinstance(buffer.container, array | np.ndarray):
            return _first(buffer)
        if not self._referred:
            for name in QUESTIONS:
                setattr(self, name, self._after_a_look(getattr(self, name)))
        self._referred.append((array("f", [0.0]), buffer))
        return self._referred[-1][0]

    def _after_a_look(self, question: Any) -> Any:
        def ask(*arguments: Any, **keywords: Any) -> Any:
            for memory_, place in self._referred:
                memory_[0] = place[0]
            return question(*arguments, **keywords)

        return ask

    def SetVerbose(self, verbose: bool = True) -> None:
        """Do nothing: messages are those of the Reader's options."""

    def EvaluateMulticlass(self, *arguments: Any) -> Any:
        return _as_vector(super().EvaluateMulticlass(*arguments))

    def EvaluateRegression(self, *arguments: Any) -> Any:
        """Return all targets, or one by its number."""
        return _as_vector(super().EvaluateRegression(*arguments))

    def BookMVA(self, tag: Any, weights: Any) -> Any:
        """Read a weight file; see :meth:`pytmva_bnn.Reader.BookMVA`."""
        try:
            return super().BookMVA(tag, weights)
        except WeightFileError as error:
            missing = isinstance(error, WeightFileNotFoundError)
            kind = "" if missing else _kind_of(str(weights))
            if not compat.skip_unknown_methods or not (missing or (kind and kind not in kinds())):
                raise
            LOGGER.warning("BookMVA(%r): left out, its responses are %g: %s", tag, NO_RESPONSE, error)
            if not self._left_out:  # only now, so that event loops without such methods lose no time
                self._answer_for_those_left_out()
            self._left_out[str(tag)] = LeftOutMethod(kind or "missing", str(tag))
            return self._left_out[str(tag)]

    def FindMVA(self, tag: str) -> Any:
        return self._left_out[str(tag)] if str(tag) in self._left_out else super().FindMVA(tag)

    def _answer_for_those_left_out(self) -> None:
        several = {"EvaluateRegression", "EvaluateMulticlass"}
        for name in ("EvaluateMVA", "GetMvaValue", "GetProba", "GetRarity", *several):
            setattr(self, name, self._guarded(name, [NO_RESPONSE] if name in several else NO_RESPONSE))

    def _guarded(self, name: str, answer: Any) -> Any:
        usual = getattr(self, name)

        def call(*args: Any, **keywords: Any) -> Any:
            for argument in args:
                tag = argument._title if isinstance(argument, LeftOutMethod) else argument
                if isinstance(tag, str) and tag in self._left_out:
                    if tag not in self._warned:
                        self._warned.add(tag)
                        LOGGER.warning("%s(%r): the method is left out, its responses are %g", name, tag, NO_RESPONSE)
                    if isinstance(args[0], Mapping):  # columns of events
                        shape = (len(next(iter(args[0].values()))), *np.shape(answer))
                        return np.full(shape, NO_RESPONSE)
                    return list(answer) if isinstance(answer, list) and not isinstance(args[0], int) else NO_RESPONSE
            return usual(*args, **keywords)

        return call


def _kind_of(path: str) -> str:
    """Return the method that a weight file names, empty if it names none."""
    found = METHOD.search(Path(expanded(path)).read_text(encoding="utf-8", errors="replace")[:HEAD])
    return found[1] if found else ""
