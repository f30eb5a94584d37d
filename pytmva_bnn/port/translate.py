"""From a C++ macro to Python: preprocess, parse, find out what is defined, translate item by item, assemble."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from pathlib import Path, PurePath

from pytmva_bnn.port import calls, changes, classes, conditions, construction, functions, handlers, loops, statements
from pytmva_bnn.port.analysis import addressed_names, branch_memory, declared_names, stream_names
from pytmva_bnn.port.context import Context, Function, Untranslatable, python_name
from pytmva_bnn.port.cpp_types import VOID
from pytmva_bnn.port.definitions import announce, announce_variables, mark_changes
from pytmva_bnn.port.output import Emitter, Line
from pytmva_bnn.port.parse import LARGEST, Node, code_rows, parse, text_of, walk
from pytmva_bnn.port.preprocess import preprocess
from pytmva_bnn.port.statements import comment, leave, statement

# importing them fills the tables of what is translated
_PARTS = (
    calls,
    changes,
    classes,
    conditions,
    construction,
    functions,
    handlers,
    loops,
    statements,
)
_LARGE = re.compile(
    r"(?<![\w.])\d{8,}[uUlL]*(?![\w.])|0[xX][0-9a-fA-F]{7,}|\b(U?INT_M(AX|IN)|numeric_limits|RAND_MAX)\b|<<=|\b1[uU]?\s*<<\s*(2\d|3\d)"
)
_ATTEMPTS = 4
DEFECT = "a defect of the translator, please report it"


@dataclass(frozen=True)
class Translation:
    """The Python text, how many lines of C++ were translated and left, and what the user should know.

    ``entry`` is the function that ROOT would run; nothing if there is none.
    """

    text: str
    n_translated: int
    n_left: int
    notes: tuple[str, ...] = ()
    entry: str = ""

    @property
    def n_stops(self) -> int:
        """At how many places the Python text stops because something was left."""
        return len(re.findall(r"^ *raise NotImplementedError\(", self.text, re.MULTILINE))


def translate(source: str, *, filename: str = "macro.C", vectorise: bool = False) -> Translation:
    """Translate a C++ macro that uses TMVA to Python.

    What cannot be translated stays as a comment ``# TODO(port): …`` in its place, and the program stops there; the
    result is always valid Python.  Files that the macro includes from its own folder are translated with it.
    """
    name = PurePath(filename).name
    if len(source) > LARGEST:
        text = _header(name) + f"# TODO(port): the text has {len(source)} characters and is not translated\n"
        return Translation(text, 0, source.count("\n") + 1, (f"more than {LARGEST} characters are not translated",))
    prepared = preprocess(source, folder=Path(filename).parent)
    root = parse(prepared.source)
    lost: dict[str, str] = {}
    wide = _LARGE.search(prepared.source) is not None
    for _ in range(_ATTEMPTS):
        ctx = _translated(root, PurePath(filename).stem, lost, wide, list(prepared.notes), prepared.row_offset)
        if ctx.lost == lost and ctx.found_products <= wide:
            break
        lost, wide = dict(ctx.lost), wide or ctx.found_products
    text, entry = _assembled(ctx, root, name)
    if vectorise:
        from pytmva_bnn.port.vectorise import vectorised

        text, remarks = vectorised(text)
        ctx.notes += remarks
    rows = code_rows(root)
    if not compiles(text):  # each item compiles, so this should never happen
        text, entry = _header(name) + _all_as_comment(prepared.source), ""
        ctx.left_rows |= rows
    n_left = len(rows & ctx.left_rows) or int(bool(ctx.left_rows))
    return Translation(text, max(len(rows) - n_left, 0), n_left, tuple(dict.fromkeys(ctx.notes)), entry)


def _translated(root: Node, stem: str, lost: dict[str, str], wide: bool, notes: list[str], row_offset: int) -> Context:
    name = re.sub(r"^(?=\d)", "_", re.sub(r"\W", "_", stem))
    ctx = Context(stem_in_cpp=name, stem=python_name(name), notes=notes, wide=wide, row_offset=row_offset)
    ctx.lost = dict(lost)
    ctx.streams = frozenset(stream_names(root))
    ctx.branch_memory = frozenset(branch_memory(root))
    if root.type == "ERROR":  # brackets that do not match
        leave(ctx, root, "the text as a whole is not understood: do its brackets match?")
        return ctx
    try:
        announce(ctx, root)
        mark_changes(ctx)
    except Untranslatable as reason:
        ctx.notes.append(str(reason))
        ctx.out = Emitter()
    for node in walk(root) if root.has_error else ():
        if node.is_missing:
            ctx.note(node, f"a {node.type} is missing")
    _find_cells(ctx, root)
    announce_variables(ctx, root)
    row = 0
    for node in root.named_children:
        if node.start_point[0] - row > 1:
            ctx.out.blank()
        if node.type == "comment":
            comment(ctx, node, is_behind=node.start_point[0] == row and row > 0)
        else:
            _item(ctx, node)
        row = node.end_point[0]
    return ctx


def _find_cells(ctx: Context, root: Node) -> None:
    """Find the global variables and members whose address is taken anywhere."""
    cells: set[str] = set()
    for node in root.named_children:
        names = addressed_names(ctx, node)
        cells |= names - declared_names(node) if node.type == "function_definition" else names
        cells |= names & {name for own in ctx.classes.values() for name in own.members}
    ctx.global_cells = frozenset(cells)
    for own in ctx.classes.values():
        for member in own.members.values():
            addressed = member.name in cells or f"&{member.name}" in _addressed_members(root)
            is_reference = member.type.reference and not member.type.const
            member.is_cell = (
                member.type.is_immutable
                and (addressed or is_reference)
                and not (member.type.is_text and member.type.sizes)
            ) or (member.type.is_text and bool(member.type.sizes) and member.name in ctx.branch_memory)


def _addressed_members(root: Node) -> set[str]:
    """Return ``&name`` for all members whose address is taken through an object: ``&event.pt``."""
    found = set()
    for node in walk(root):
        if node.type == "pointer_expression" and node.children and node.children[0].type == "&":
            inner = node.child_by_field_name("argument")
            if inner is not None and inner.type == "field_expression":
                field = inner.child_by_field_name("field")
                found.add(f"&{text_of(field)}" if field is not None else "")
    return found


def _item(ctx: Context, node: Node) -> None:
    """Translate what stands at the top of the text; what Python refuses becomes a comment."""
    if node.type == "compound_statement":  # a macro without a name
        _unnamed(ctx, node)
        return
    if node.type == "comment":
        comment(ctx, node)
        return
    mark, imports = ctx.out.mark(), set(ctx.imports)
    reason = ""
    try:
        statement(ctx, node)
        _keep_going(ctx, node, mark)
        if not compiles("\n".join(part for line in ctx.out.lines[mark:] for part in line.rendered())):
            reason = f"{DEFECT}: the translation is not valid Python"
    except (RecursionError, MemoryError):
        reason = "it is nested too deeply"
    except Exception as error:  # a macro must never be lost by a defect of the translator
        reason = f"{DEFECT}: {type(error).__name__}: {error}"
    if reason.startswith(DEFECT) and node.has_error:
        reason = "it is not valid C++"
    elif reason.startswith(DEFECT) and node.type.endswith("_statement"):  # such as a break without a loop
        reason = "it cannot stand outside of a function"
    if not reason:
        return
    del ctx.out.lines[mark:]
    ctx.imports = imports
    for name in _defined(ctx, node):
        ctx.lost[name] = reason
    leave(ctx, node, reason)
    ctx.out.lines.pop()  # a definition that is left stops nothing by itself: what uses it is left, too


def _keep_going(ctx: Context, node: Node, mark: int) -> None:
    """Let a definition that was left stop nothing by itself: what uses it is left, too."""
    last = ctx.out.lines[-1] if len(ctx.out.lines) > mark else None
    is_left = last is not None and last.depth == 0 and last.code.startswith("raise NotImplementedError(")
    if (is_left and node.type in ("declaration", "function_definition", "template_declaration")) or (
        is_left and node.type.endswith("_specifier")
    ):
        ctx.out.lines.pop()
        reason = ctx.notes[-1].partition(": ")[2]
        for name in {*_defined(ctx, node), *(declared_names(node) if node.type == "declaration" else ())}:
            ctx.lost[name] = reason


def _defined(ctx: Context, node: Node) -> list[str]:
    names = [
        one.name
        for many in ctx.functions.values()
        for one in many
        if one.definition is not None and one.definition.id == node.id
    ]
    return names + [own.name for own in ctx.classes.values() if own.node.id in {part.id for part in walk(node)}]


def _unnamed(ctx: Context, node: Node) -> None:
    function = Function(ctx.stem, ctx.stem, VOID, [], None, is_unnamed=True)
    ctx.functions.setdefault(ctx.stem_in_cpp, []).append(function)
    ctx.out.blank()
    from pytmva_bnn.port.analysis import changed_names
    from pytmva_bnn.port.context import Body

    mark = ctx.out.mark()
    ctx.out.code(f"def {ctx.stem}():")
    body = Body(
        function, ctx.stem, cells=frozenset(addressed_names(ctx, node)), changed=frozenset(changed_names(ctx, node))
    )
    before, ctx.body = ctx.body, body
    with ctx.out.block(), ctx.scopes.block(), ctx.scopes.block():
        start = ctx.out.mark()
        statements.statements(ctx, list(node.named_children))
        if body.globals:
            ctx.out.insert(start, f"global {', '.join(sorted(body.globals))}")
    ctx.out.lines[mark:mark] = [Line(0, line) for line in ctx.static_lines]
    ctx.static_lines = []
    ctx.body = before


def compiles(text: str) -> bool:
    """Return whether Python accepts a text."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "macro.py", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError):
        return False
    return True


def _assembled(ctx: Context, root: Node, name: str) -> tuple[str, str]:
    """Return the whole text: title, leading comments, imports, code, the call of the main function."""
    lines = ctx.out.lines
    first = next((number for number, line in enumerate(lines) if line.code), len(lines))
    while first > 0 and lines[first - 1].comment and any(not (one.comment or one.code) for one in lines[:first]):
        first -= 1  # the comment directly above the first code belongs to it
    entry, call = _entry(ctx)
    body_lines = lines[first:]
    body_lines = [*body_lines, *call]
    body = "\n".join(part for line in _spaced(body_lines) for part in line.rendered()).strip("\n")
    leading = "\n".join(part for line in lines[:first] for part in line.rendered()).strip("\n")
    imports = _imports(ctx, body)
    text = _header(name) + "".join(f"{part}\n\n" for part in (leading, imports) if part)
    is_definition = re.match(r"(#.*\n)*(def|class|if __name__)", body) is not None
    return (text + ("\n" if is_definition else "") + body).rstrip() + "\n", entry


def natural(name: str) -> list[str]:
    """Return a key that puts int8 before int16, as import sorters do."""
    return [part.zfill(4) if part.isdigit() else part.lower() for part in re.split(r"(\d+)", name)]


def _imports(ctx: Context, body: str) -> str:
    standard = [f"import {one}" for one in ("sys",) if re.search(rf"\b{one}\.", body)]
    if re.search(r"\barray\(", body):
        standard.append("from array import array")
    others = ["import numpy"] if "numpy." in body else []
    if re.search(r"\bROOT\.", body):
        others.append("from pytmva_bnn.compat import ROOT")
    helpers = sorted(
        (one for one in ctx.imports - {"sys", "array", "numpy"} if re.search(rf"\b{one}\b", body)),
        key=lambda one: (not one.isupper(), not one[:1].isupper(), natural(one)),
    )
    if helpers:
        line = f"from pytmva_bnn.compat.cpp import {', '.join(helpers)}"
        if len(line) > 120:
            line = "from pytmva_bnn.compat.cpp import (\n" + "".join(f"    {one},\n" for one in helpers) + ")"
        others.append(line)
    return "\n\n".join("\n".join(part) for part in (standard, others) if part)


def _entry(ctx: Context) -> tuple[str, list[Line]]:
    """Return the function that ROOT would run, and how it is called: ``main`` only if words are given, or alone."""
    found = {
        name: function
        for name in (ctx.stem_in_cpp, "main")
        for function in ctx.functions.get(name, [])
        if (function.definition is not None or function.is_unnamed) and not function.namespace and name not in ctx.lost
    }
    if not found:
        return "", []
    lines = [Line(0, 'if __name__ == "__main__":')]
    depth = 1
    main = found.get("main")
    if main is not None:
        arguments = "len(sys.argv), sys.argv" if len(main.parameters) == 2 else ""
        call = f"sys.exit({main.python}({arguments}))"
        if len(found) == 1:
            return "main", [*lines, Line(1, call)]
        lines += [Line(1, "if len(sys.argv) > 1:"), Line(2, call), Line(1, "else:")]
        depth = 2
    function = found[ctx.stem_in_cpp]
    texts = []
    for number, parameter in enumerate(function.parameters[: function.n_required]):
        word = f"sys.argv[{number + 1}]"
        texts.append(
            f"int({word})" if parameter.type.is_integer else f"float({word})" if parameter.type.is_float else word
        )
    return function.python, [*lines, Line(depth, f"{function.python}({', '.join(texts)})")]


def _spaced(lines: list[Line]) -> list[Line]:
    """Return the lines with two blank ones around functions and classes, comments above them included."""
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
    """Return whether a comment is followed directly by a definition."""
    while number < len(lines) and lines[number].comment and not lines[number].code and lines[number].depth == 0:
        number += 1
    return number < len(lines) and _is_definition(lines[number])


def _header(name: str) -> str:
    shown = re.sub(r"[^\w. +-]", "_", name)
    return f'"""Translated from the C++ macro {shown} by pytmva-bnn port."""\n\n'


def _all_as_comment(source: str) -> str:
    out = Emitter()
    out.comment("TODO(port): nothing of this could be translated")
    for line in source.split("\n"):
        out.comment(line.rstrip())
    return out.text() + "\n"
