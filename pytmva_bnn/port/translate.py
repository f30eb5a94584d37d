"""From a C++ macro to Python: preprocess, parse, translate item by item, check, tidy."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePath

from pytmva_bnn.port import calls, conditions, declarations, expressions, functions, loops, objects, statements
from pytmva_bnn.port.context import Context
from pytmva_bnn.port.functions import announce, run_by_root
from pytmva_bnn.port.left import leave
from pytmva_bnn.port.output import Emitter, Line
from pytmva_bnn.port.parse import LARGEST, Node, code_rows, parse, walk
from pytmva_bnn.port.preprocess import preprocess
from pytmva_bnn.port.statements import comment, statement
from pytmva_bnn.port.tidy import compiles, imports_for, without_unread
from pytmva_bnn.port.usage import usage_of

# importing these modules fills the tables of what is translated how
_ATTEMPTS = 3
DEFECT = "a defect of the translator, please report it"
_PARTS = (calls, conditions, declarations, expressions, functions, loops, objects, statements)


@dataclass(frozen=True)
class Translation:
    """The Python text, how many lines of C++ were translated and left, and what the user should know.

    ``skipped`` are the methods that do not exist here; their bookings are comments.
    """

    text: str
    n_translated: int
    n_left: int
    notes: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()

    @property
    def n_stops(self) -> int:
        """At how many places the Python text stops because something that matters was left."""
        return len(re.findall(r"^ *raise NotImplementedError\(", self.text, re.MULTILINE))


def translate(source: str, *, filename: str = "macro.C", vectorise: bool = False) -> Translation:
    """Translate a C++ macro that uses TMVA to Python.

    What cannot be translated stays as a comment ``# TODO(port): …`` in its place, and the program stops there if that
    matters; the result is always valid Python.
    """
    name = PurePath(filename).name
    if len(source) > LARGEST:
        text = _header(name) + f"# TODO(port): the text has {len(source)} characters and is not translated\n"
        return Translation(text, 0, source.count("\n") + 1, (f"more than {LARGEST} characters are not translated",))
    prepared = preprocess(source)
    root = parse(prepared.source)
    without: set[str] = set()
    for _ in range(_ATTEMPTS):
        ctx = Context(notes=list(prepared.notes), vectorise=vectorise)
        ctx.usage = usage_of(root)
        announce(ctx, root, without)
        _translate_items(ctx, root)
        missing = {name for name, function in ctx.functions.items() if not _is_defined(ctx, function.name)}
        if not missing:
            break
        without |= missing  # calls of functions that were left must be left, too
    _call_as_root_does(ctx, root, PurePath(filename).stem)
    assembled = _assembled(ctx, name)
    rows = code_rows(root)
    text = assembled or ""
    if assembled is None:  # each item compiles, so this should never happen
        text = _header(name) + _all_as_comment(source)
        ctx.left_rows |= rows
    n_left = len(rows & ctx.left_rows) or int(bool(ctx.left_rows))
    notes, skipped = tuple(dict.fromkeys(ctx.notes)), tuple(dict.fromkeys(ctx.skipped))
    return Translation(text, max(len(rows) - n_left, 0), n_left, notes, skipped)


def _translate_items(ctx: Context, root: Node) -> None:
    """Translate what stands at the top of the file, item by item; one that Python refuses becomes a comment."""
    if root.type == "ERROR":  # brackets that do not match
        leave(ctx, root, "the text as a whole is not understood: do its brackets match?")
        return
    for node in walk(root) if root.has_error else ():
        if node.is_missing:
            ctx.note(node, f"a {node.type} is missing")
    row = 0
    for node in root.named_children:
        if node.start_point[0] - row > 1:
            ctx.out.blank()
        mark = ctx.out.mark()
        if node.type == "comment":
            comment(ctx, node, is_behind=node.start_point[0] == row and row > 0)
        else:
            _translate_item(ctx, node)
            if not compiles(_text(ctx.out.lines[mark:])):
                ctx.out.back_to(mark)
                leave(ctx, node, "the translation is not valid Python")
        row = node.end_point[0]


def _translate_item(ctx: Context, node: Node) -> None:
    mark = ctx.out.mark()
    try:
        statement(ctx, node)
    except Exception as error:  # a macro must never be lost by a defect of the translator
        ctx.out.back_to(mark)
        leave(ctx, node, f"{DEFECT}: {type(error).__name__}: {error}")


def _is_defined(ctx: Context, name: str) -> bool:
    return any(line.code.startswith(f"def {name}(") for line in ctx.out.lines)


def _call_as_root_does(ctx: Context, root: Node, stem: str) -> None:
    """Run the function that ROOT would run."""
    name = run_by_root(ctx, root, stem)
    if name is not None and _is_defined(ctx, name):
        ctx.out.code('if __name__ == "__main__":')
        with ctx.out.block():
            ctx.out.code(f"{name}()")


def _assembled(ctx: Context, name: str) -> str | None:
    """Return the whole text: title, leading comments, imports, code; None if Python does not accept it."""
    lines = ctx.out.lines
    first = next((number for number, line in enumerate(lines) if line.code), len(lines))
    # the comment directly above the first code belongs to it
    while first > 0 and lines[first - 1].comment and any(not (one.comment or one.code) for one in lines[:first]):
        first -= 1
    body = _text(_spaced(lines[first:]))
    if not compiles(body):
        return None
    body = without_unread(body).strip("\n")
    leading = _text(lines[:first]).strip("\n")
    imports = "\n".join(imports_for(body))
    is_definition = re.match(r"(#.*\n)*(def|class|if __name__)", body) is not None
    parts = [part for part in (leading, imports) if part]
    text = _header(name) + "".join(f"{part}\n\n" for part in parts)
    text += ("\n" if is_definition and parts else "") + body
    text = text.rstrip() + "\n"
    return text if compiles(text) else None


def _text(lines: list[Line]) -> str:
    return "\n".join(part for line in lines for part in line.rendered())


def _spaced(lines: list[Line]) -> list[Line]:
    """Return the lines with two blank ones around functions, comments above them included."""
    result: list[Line] = []
    in_definition = False
    for number, line in enumerate(lines):
        opens = line.depth == 0 and (_is_definition(line) or _announces(lines, number))
        is_next = line.depth == 0 and (line.code or line.comment) and in_definition
        if (opens and not (result and result[-1].comment and not result[-1].code)) or is_next:
            while result and not result[-1].code and not result[-1].comment:
                result.pop()
            if result:
                result.extend([Line(0), Line(0)])
            in_definition = False
        if _is_definition(line):
            in_definition = True
        result.append(line)
    return result


def _is_definition(line: Line) -> bool:
    return line.depth == 0 and line.code.startswith(("def ", "class ", "if __name__"))


def _announces(lines: list[Line], number: int) -> bool:
    """Tell whether a comment is followed directly by a definition."""
    while number < len(lines) and lines[number].comment and not lines[number].code and lines[number].depth == 0:
        number += 1
    return number < len(lines) and _is_definition(lines[number])


def _header(name: str) -> str:
    shown = re.sub(r"[^\w. +-]", "_", name)
    return f'"""Translated from the C++ macro {shown} by pytmva-bnn port."""\n\n'


def _all_as_comment(source: str) -> str:
    out = Emitter()
    out.comment("TODO(port): nothing of this could be translated")
    for line in preprocess(source).source.split("\n"):
        out.comment(line.rstrip())
    return out.text() + "\n"
