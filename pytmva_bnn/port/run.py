"""``pytmva-bnn run macro.C``: translate in memory and run, as ``root -b -q macro.C`` would."""

from __future__ import annotations

import inspect
import linecache
import re
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from pytmva_bnn.compat import ROOT, SKIP_VARIABLES
from pytmva_bnn.compat.cpp import Thrown, srand
from pytmva_bnn.compat.messages import as_macro
from pytmva_bnn.compat.session import SESSION
from pytmva_bnn.errors import MacroArgumentsError, MacroError, TMVAError
from pytmva_bnn.port.names import CONSTANTS
from pytmva_bnn.port.parse import Node, parse_expression, parts_of, text_of
from pytmva_bnn.port.translate import Translation, translate

STD: Any = vars(ROOT)["std"]

CALL = "call_of_the_macro"
"""The function that is added to a macro that is called with arguments."""

HIGHEST = 125
"""ROOT makes 255 of results of macros above it, and of negative ones."""


def run_text(source: str, *, filename: str = "macro.C", arguments: str | None = None, words: Sequence[str] = ()) -> int:
    """Translate a macro, run it, and return its exit code.

    Parameters
    ----------
    source
        The text of the macro.
    filename
        Its name: ROOT runs the function that is called like the file.
    arguments
        The arguments of that function in C++: ``'"BDT", 3'``.
    words
        The words of the command line, for ``main(argc, argv)``.

    Raises
    ------
    MacroError
        If there is nothing to run, a part that is not translated is reached, or the macro ends by an error.
    MacroArgumentsError
        If the macro does not take these arguments.
    """
    return run_translation(translated_call(source, filename, arguments), filename, arguments, words)


def translated_call(source: str, filename: str, arguments: str | None = None) -> Translation:
    """Translate a macro; a function with the call is added if there are arguments, which C++ converts then."""
    if arguments is None:
        return translate(source, filename=filename)
    for part in _parts(arguments, filename):
        word = text_of(part)
        if part.type == "identifier" and word not in CONSTANTS and not re.search(rf"\b{word}\b", source):
            raise MacroArgumentsError(
                f"{filename}: the argument {word} is neither a number nor a string; {_example(filename)}"
            )
    call = f"auto {CALL}() {{ return {Path(filename).stem}({arguments}); }}"
    return translate(f"{source}\n{call}\n", filename=filename)


def _parts(arguments: str, filename: str) -> list[Node]:
    call = parse_expression(f"f({arguments})")
    parts = call.child_by_field_name("arguments") if call is not None and call.type == "call_expression" else None
    if parts is None:
        raise MacroArgumentsError(f"{filename}: the arguments ({arguments}) cannot be parsed; {_example(filename)}")
    return parts_of(parts)


def _example(filename: str) -> str:
    return f"write arguments as in C++: '{Path(filename).name}(\"BDT\", 3)'"


def run_translation(
    translation: Translation, filename: str, arguments: str | None = None, words: Sequence[str] = ()
) -> int:
    """Run a macro that :func:`translated_call` has translated, in a module of its own."""
    name = _function_to_run(translation, filename, words, is_call=arguments is not None)
    module = ModuleType("macro")
    module.__dict__["__file__"] = filename
    shown_name = f"<{filename} in Python>"
    lines = translation.text.splitlines(keepends=True)
    linecache.cache[shown_name] = (len(translation.text), None, lines, shown_name)  # for tracebacks
    with _as_program(module, [filename, *words]), as_macro():
        try:
            exec(compile(translation.text, shown_name, "exec"), module.__dict__)  # noqa: S102 - the user asks for it
            function = module.__dict__[name]
            if name != "main":
                n_given = len(_parts(arguments, filename)) if arguments else 0
                _check_number(module.__dict__.get(translation.entry), n_given, filename)
            given = (len(sys.argv), sys.argv) if name == "main" and function.__code__.co_argcount == 2 else ()
            code = _exit_code(function(*given), is_main=name == "main")
        except SystemExit as stop:
            code = _code_of(stop)
        except (OSError, MacroError):
            raise
        except Exception as error:
            _fail(error, filename, shown_name)
        if SESSION.left_out and code == 0:
            raise MacroError(
                f"{filename} ran to its end, but without the methods that cannot be trained here: "
                f"{', '.join(SESSION.left_out)}. If this is intended, set {SKIP_VARIABLES[0]}=1"
            )
        return code


def _function_to_run(translation: Translation, filename: str, words: Sequence[str], *, is_call: bool) -> str:
    """Return the function: that of the file, with its arguments, or ``main`` if there are words for it."""
    stem = Path(filename).stem
    reasons = "; ".join(translation.notes)
    if not translation.entry:
        words_of_it = reasons or f"it has no function {stem} and no main"
        raise MacroError(f"{filename}: there is nothing to run: {words_of_it}")
    has_main = re.search(r"^def main\(", translation.text, re.MULTILINE) is not None
    if is_call:
        if words:
            raise MacroArgumentsError(f"{filename}: arguments in brackets or words for main, but not both")
        if translation.entry == "main":
            advice = f"pytmva-bnn run {filename} BDT MLP"
            raise MacroArgumentsError(f"{filename}: it has no function {stem}; main takes words: {advice}")
        if re.search(rf"^def {CALL}\(", translation.text, re.MULTILINE) is None:
            raise MacroError(f"{filename}: it cannot be called: {reasons}")
        return CALL
    if words and not has_main:
        advice = f"pytmva-bnn run '{filename}(\"BDT\", 3)'"
        raise MacroArgumentsError(f"{filename}: it has no main(argc, argv) for words; arguments are given as {advice}")
    return "main" if words else translation.entry


def _check_number(function: Any, n_given: int, filename: str) -> None:
    """Raise if a function does not take so many arguments; where several have its name, they decide themselves."""
    if not inspect.isfunction(function):
        return
    parameters = inspect.signature(function).parameters.values()
    least, most = sum(one.default is one.empty for one in parameters), len(parameters)
    if not least <= n_given <= most:
        expected = f"{least} to {most}" if least < most else str(most) if most else "no"
        noun = "argument" if expected == "1" else "arguments"
        raise MacroArgumentsError(
            f"{filename}: {function.__name__} takes {expected} {noun}, got {n_given}; {_example(filename)}"
        )


@contextmanager
def _as_program(module: ModuleType, argv: list[str]) -> Iterator[None]:
    """Let a program begin as a process does: its arguments, the usual format of output, C's first random numbers."""
    before = sys.argv, sys.modules.get(module.__name__), ROOT.gInterpreter.macro_name
    SESSION.left_out = []  # methods that cannot be trained do not stop the others
    sys.argv, sys.modules[module.__name__] = argv, module
    ROOT.gInterpreter.macro_name = str(Path(argv[0]).absolute())
    usual = STD.stringstream()
    for stream in (STD.cout, STD.cerr, STD.clog):
        stream.flags(usual.flags())
        stream.precision(usual.precision())
        stream.width(0)
        stream.fill(" ")
        stream.clear()
    srand(1)
    try:
        yield
    finally:
        sys.argv, ROOT.gInterpreter.macro_name = before[0], before[2]
        SESSION.left_out = None
        del sys.modules[module.__name__]
        if before[1] is not None:
            sys.modules[module.__name__] = before[1]


def _exit_code(result: Any, *, is_main: bool) -> int:
    if not isinstance(result, int):
        return 0
    if is_main:
        return result & 255
    return int(result) if 0 <= result <= HIGHEST else 255


def _code_of(stop: SystemExit) -> int:
    if stop.code is None or isinstance(stop.code, int):
        return (stop.code or 0) & 255
    sys.stderr.write(f"{stop.code}\n")
    return 1


def _fail(error: Exception, filename: str, shown_name: str) -> NoReturn:
    """Raise what a user sees of an error."""
    words = str(error) if isinstance(error, TMVAError) else f"{type(error).__name__}: {error}"
    places = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == shown_name]
    if places and places[-1].name != CALL:
        words += f" (in {places[-1].name}: {places[-1].line})"
    if isinstance(error, STD.exception):
        words = f"terminate called after throwing an instance of 'std::{type(error).__name__}', what(): {error.what()}"
    elif isinstance(error, Thrown):
        words = f"terminate called after throwing {error.value!r}"
    elif isinstance(error, NotImplementedError) and not isinstance(error, TMVAError):
        words = f"not translated: {error}"
    raise MacroError(f"{filename}: {words}") from error


def split_call(text: str) -> tuple[str, str | None]:
    """Return the file and the arguments of ``macro.C("BDT", 3)``, as ROOT understands it.

    >>> split_call('macro.C("BDT,MLP", 3)')
    ('macro.C', '"BDT,MLP", 3')
    >>> split_call("macro.C+")
    ('macro.C', None)
    """
    match = re.fullmatch(r"(.*?\.\w+)(?:\++[gO]*)?\s*\((.*)\)\s*;?\s*", text, re.DOTALL)
    if match is None and re.match(r"[^(]*\.\w+\+*\s*\(", text) and not Path(text).exists():
        file = text.partition("(")[0]
        raise MacroArgumentsError(f"{text}: a bracket is not closed; {_example(file)}")
    if match is None:
        return re.sub(r"\++[gO]*$", "", text), None
    return match[1], match[2].strip()
