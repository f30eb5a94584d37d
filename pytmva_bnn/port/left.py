"""What is left: C++ as comments, and whether the program must stop there."""

from __future__ import annotations

import re

from pytmva_bnn.port.context import Context
from pytmva_bnn.port.literals import quoted
from pytmva_bnn.port.parse import Node, text_of

_DEFINITIONS = frozenset(
    {
        "alias_declaration",
        "class_specifier",
        "enum_specifier",
        "function_definition",
        "namespace_definition",
        "preproc_call",
        "preproc_def",
        "preproc_function_def",
        "preproc_include",
        "struct_specifier",
        "template_declaration",
        "type_definition",
    }
)

PAINTED = re.compile(
    r"T(Canvas|Pad|VirtualPad|Legend|Latex|Line|Arrow|Box|Pave\w*|Text|Style|Graph\w*|MultiGraph|HStack|G?Axis|Browser"
    r"|Color|Marker|Ellipse|Frame|Image|Attr\w+|RatioPlot)"
)
"""Classes whose objects only show something: a program without them gives the same numbers."""

PAINTING = re.compile(
    r"Draw\w*|SaveAs|Print|Paint|Update|Modified|UseCurrentStyle|BuildLegend|SetLog[xyz]|SetGrid[xy]?"
)
"""Methods that only show something."""


def leave(ctx: Context, node: Node, problem: str) -> None:
    """Keep a piece of C++ as a comment; the program stops there if it would give other results without it."""
    as_comment(ctx, node, "TODO(port): ")
    ctx.note(node, problem)
    if _matters(ctx, node):
        ctx.out.code(f"raise NotImplementedError({quoted(ctx.notes[-1])})")
    ctx.left_rows.update(range(node.start_point[0], node.end_point[0] + 1))


def _matters(ctx: Context, node: Node) -> bool:
    """Tell whether a program without a statement may give other results: not if it only defines or shows something."""
    is_outside = node.parent is None or node.parent.type == "translation_unit"
    if node.type in _DEFINITIONS or (is_outside and node.type in ("ERROR", "declaration")):
        return False  # what uses the names is left, too
    if node.type == "declaration":
        return PAINTED.fullmatch(text_of(node.child_by_field_name("type") or node)) is None
    match = re.match(r"[(*\s]*(\w+)\s*[)]*\s*(?:->|\.)\s*(\w+)", text_of(node))
    if node.type != "expression_statement" or match is None:
        return True
    symbol = ctx.scopes.find(match.group(1))
    is_painted = match.group(1) in ("gPad", "gStyle") or (symbol is not None and PAINTED.fullmatch(symbol.type.note))
    return not is_painted and PAINTING.fullmatch(match.group(2)) is None


def as_comment(ctx: Context, node: Node, label: str) -> None:
    """Write the C++ of a node as a comment."""
    lines = text_of(node).split("\n")
    ctx.out.comment(label + lines[0].strip())
    margin = min((len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()), default=0)
    for line in lines[1:]:
        if line.strip():
            ctx.out.comment(f"    {line[margin:].rstrip()}")
