"""The last touch: imports for the names that are used, and no variable that nobody reads."""

from __future__ import annotations

import ast
import builtins
import re
import warnings

from pytmva_bnn.port.output import comment_lines
from pytmva_bnn.port.symbols import python_name

IMPORTS: dict[str, tuple[int, str]] = {
    "sys": (0, "import sys"),
    "time": (0, "import time"),
    "defaultdict": (1, "from collections import defaultdict"),
    "Path": (1, "from pathlib import Path"),
    "np": (2, "import numpy as np"),
    "TMVA": (2, "import pytmva_bnn as TMVA"),
    "uproot": (2, "import uproot"),
    "divided": (3, "from pytmva_bnn.port.arithmetic import "),
    "quotient": (3, "from pytmva_bnn.port.arithmetic import "),
    "remainder": (3, "from pytmva_bnn.port.arithmetic import "),
    "single": (3, "from pytmva_bnn.port.arithmetic import "),
    "Histogram": (3, "from pytmva_bnn.port.histogram import Histogram"),
    "TRandom3": (3, "from pytmva_bnn.random import TRandom3"),
}
"""Name → group and text; groups 0 and 1 are the standard library; a text that ends with "import " takes the names."""

_PASSES = 10


def compiles(text: str) -> bool:
    """Tell whether Python accepts a text, without any warning."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            compile(text, "macro.py", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError, Warning):
        return False
    return True


def imports_for(text: str) -> list[str]:
    """Return the import lines that a text needs, sorted as ruff wants them."""
    names = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    lines: dict[str, tuple[int, str]] = {}
    for name in [name for name in IMPORTS if name in names]:
        group, line = IMPORTS[name]
        known = lines.get(line, (group, ""))[1]
        lines[line] = (group, (f"{known}, {name}" if known else f"{line}{name}") if line.endswith(" ") else line)
    standard = [line for group, line in lines.values() if group < 2]
    others = [line for group, line in lines.values() if group >= 2]
    return [*standard, *([""] if standard and others else []), *others]


def without_unread(text: str) -> str:
    """Return the text with variables of functions that nobody reads kept as comments only.

    >>> print(without_unread("def f():\\n    a = 1\\n    b = g()\\n    return 2\\n"))
    def f():
        # a = 1  (not used)
        g()
        return 2
    """
    for _ in range(_PASSES):
        changed = _without_unread_once(text)
        if changed == text or not compiles(changed):
            return text
        text = changed
    return text


def _without_unread_once(text: str) -> str:
    lines = text.split("\n")
    replaced = False
    tree = ast.parse(text)
    for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]:
        used = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
        used |= {name for node in ast.walk(function) if isinstance(node, ast.Global) for name in node.names}
        used |= {
            node.target.id
            for node in ast.walk(function)
            if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)
        }
        used |= _left_names(lines[function.lineno - 1 : function.end_lineno])
        for block in _blocks(function):
            gone = [one for one in block if _is_unread(one, used)]
            is_empty = len(gone) == sum(not isinstance(one, ast.Pass) for one in block)
            for one in gone:
                _replace(lines, one)
                replaced = True
            if gone and is_empty:
                _end_with_pass(lines, block)
    return "\n".join(line for line in lines if line != "\0") if replaced else text


def _left_names(lines: list[str]) -> set[str]:
    """Return the names in the pieces of C++ that were left: who mends them will need the variables."""
    names: set[str] = set()
    is_left = False
    for line in lines:
        text = line.strip()
        is_left = text.startswith("# TODO(port):") or (is_left and text.startswith("#"))
        if is_left:
            names |= set(re.findall(r"[^\W\d]\w*", text))
    return names | {f"{name}_" for name in names if python_name(name) != name}


def _blocks(function: ast.FunctionDef) -> list[list[ast.stmt]]:
    found = []
    for node in ast.walk(function):
        for name in ("body", "orelse"):
            block = getattr(node, name, None)
            if isinstance(block, list) and block:
                found.append(block)
    return found


def _is_unread(statement: ast.stmt, used: set[str]) -> bool:
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return False
    target = statement.targets[0]
    return isinstance(target, ast.Name) and target.id not in used and target.id != "_"


def _end_with_pass(lines: list[str], block: list[ast.stmt]) -> None:
    """Give a block without code one ``pass``, at its end."""
    if any(isinstance(one, ast.Assign) and _keeps_call(one) for one in block):
        return
    for one in block:
        if isinstance(one, ast.Pass):
            lines[one.lineno - 1] = "\0"
    end = (block[-1].end_lineno or block[-1].lineno) - 1
    margin = " " * block[-1].col_offset
    lines[end] = f"{margin}pass" if lines[end] == "\0" else f"{lines[end]}\n{margin}pass"


def _keeps_call(statement: ast.Assign) -> bool:
    """Tell whether the value is computed although nobody reads it: something in it may do more than give a value."""
    return any(isinstance(one, ast.Call) and not _is_harmless(one) for one in ast.walk(statement.value))


def _replace(lines: list[str], statement: ast.stmt) -> None:
    if not isinstance(statement, ast.Assign):
        return
    first, last = statement.lineno - 1, (statement.end_lineno or statement.lineno) - 1
    margin = " " * statement.col_offset
    if _keeps_call(statement):
        rest = lines[first][statement.value.col_offset :]
        lines[first] = margin + (rest if isinstance(statement.value, ast.Call) else f"_ = {rest}")
        return
    code, _, behind = " ".join(line.strip() for line in lines[first : last + 1]).partition("  # ")
    note = f"({behind}; not used)" if behind else "(not used)"
    lines[first : last + 1] = ["\0"] * (last + 1 - first)
    lines[last] = "\n".join(comment_lines(f"{code}  {note}", margin))


def _is_harmless(call: ast.Call) -> bool:
    """Tell whether a call only makes a value."""
    function = call.func
    if isinstance(function, ast.Name):
        return function.id in dir(builtins) and function.id not in ("open", "print")
    if isinstance(function, ast.Attribute):
        owner = function.value
        while isinstance(owner, ast.Attribute):
            owner = owner.value
        is_library = isinstance(owner, ast.Name) and owner.id in ("np", "time")
        return is_library or function.attr in ("join", "replace", "split", "format", "lower", "copy")
    return False
