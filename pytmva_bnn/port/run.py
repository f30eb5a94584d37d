"""``pytmva-bnn run macro.C``: translate in memory and run, as ``root -b -q macro.C`` would."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from pytmva_bnn.compat import ROOT
from pytmva_bnn.compat.cpp import srand
from pytmva_bnn.errors import InputError
from pytmva_bnn.port.parse import parse_expression, parts_of, text_of
from pytmva_bnn.port.translate import Translation, translate


def run_text(source: str, *, filename: str = "macro.C", arguments: Sequence[Any] | None = None) -> int:
    """Translate a macro and run it; the exit code is returned.

    ``arguments`` are those of the function that has the name of the file, or words for ``main``.
    """
    translation = translate(source, filename=filename)
    return run_translation(translation, filename, arguments)


def run_translation(
    translation: Translation, filename: str, arguments: Sequence[Any] | None = None, *, is_main_wanted: bool = True
) -> int:
    """Run a translated macro in a module of its own; words go to ``main`` if there is one."""
    if not translation.entry:
        words = "; ".join(translation.notes) or f"it has no function {Path(filename).stem} and no main"
        raise InputError(f"{filename}: nothing to run: {words}")
    module = ModuleType("macro")
    module.__dict__["__file__"] = filename
    code = compile(translation.text, f"<{filename} in Python>", "exec")
    before = sys.argv
    _start_afresh()
    sys.modules["macro"], replaced = module, sys.modules.get("macro")
    try:
        sys.argv = [filename, *(str(one) for one in arguments or ())]
        exec(code, module.__dict__)  # noqa: S102 - the user asks for it
        is_words = arguments is not None and all(isinstance(one, str) for one in arguments) and is_main_wanted
        entry = "main" if is_words and "main" in module.__dict__ else translation.entry
        function = module.__dict__[entry]
        if entry == "main":
            given: Sequence[Any] = (len(sys.argv), sys.argv) if function.__code__.co_argcount == 2 else ()
            return int(function(*given) or 0)
        function(*(arguments or ()))
    except SystemExit as stop:
        if stop.code is None or isinstance(stop.code, int):
            return stop.code or 0
        sys.stderr.write(f"{stop.code}\n")
        return 1
    finally:
        sys.argv = before
        if replaced is None:
            sys.modules.pop("macro", None)
        else:
            sys.modules["macro"] = replaced
    return 0


def _start_afresh() -> None:
    """Let a program begin as a process does: the usual format of output, the first of C's random numbers."""
    std: Any = vars(ROOT)["std"]
    usual = std.stringstream()
    for stream in (std.cout, std.cerr, std.clog):
        stream.flags(usual.flags())
        stream.precision(usual.precision())
        stream.width(0)
        stream.fill(" ")
        stream.clear()
    srand(1)


def split_call(text: str) -> tuple[str, list[Any] | None]:
    """Return the file and the arguments of ``macro.C("BDT", 3)``, as ROOT understands it.

    >>> split_call('macro.C("BDT,MLP", 3, 1.5, true)')
    ('macro.C', ['BDT,MLP', 3, 1.5, True])
    >>> split_call("macro.C+")
    ('macro.C', None)
    """
    match = re.fullmatch(r"(.*?\.\w+)\+*\s*\((.*)\)\s*", text, re.DOTALL)
    if match is None:
        return re.sub(r"\++[gO]*$", "", text), None
    call = parse_expression(f"f({match.group(2)})")
    arguments = call.child_by_field_name("arguments") if call is not None else None
    if arguments is None:
        raise InputError(f'{text}: the arguments are not understood; write them as in C++: macro.C("BDT", 3)')
    return match.group(1), [_literal(text_of(one), text) for one in parts_of(arguments)]


def _literal(text: str, whole: str) -> Any:
    from pytmva_bnn.port.context import Context, Untranslatable
    from pytmva_bnn.port.expressions import value

    node = parse_expression(text)
    try:
        if node is None:
            raise Untranslatable("")
        return eval(value(Context(), node).text, {"ROOT": None})  # noqa: S307 - the text of a literal
    except Exception:
        raise InputError(f"{whole}: the argument {text} is no number, text, true or false") from None
