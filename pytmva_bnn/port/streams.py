"""Text output: ``std::cout << …`` and ``printf`` → ``print``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pytmva_bnn.port.context import Context, Expr, LeftError, expression
from pytmva_bnn.port.literals import Piece, interpolated, printf_pieces
from pytmva_bnn.port.parse import Node, operator_of, parts_of, text_of
from pytmva_bnn.port.root_idioms import STREAMS
from pytmva_bnn.port.symbols import INT, TEXTS, Kind
from pytmva_bnn.port.usage import arguments_of

_PRINTF = {"printf": 0, "std::printf": 0, "Printf": 0, "fprintf": 1}
_IGNORED = ("flush", "boolalpha", "noboolalpha", "right", "dec", "showpoint", "internal")


@dataclass
class _Format:
    """What the manipulators of a stream have set."""

    width: str = ""
    precision: str = ""
    style: str = "g"
    is_left: bool = False

    def spec(self, value: Expr) -> str:
        align = ("<" if self.is_left else ">") if self.width else ""
        width, self.width = self.width, ""
        if value.kind is Kind.FLOAT:
            # C++ shows six digits unless told otherwise
            return f"{align}{width}{f'.{self.precision}' if self.precision else ''}{self.style}"
        return align + width


def printed(ctx: Context, node: Node) -> str | None:
    """Return a statement's expression as a ``print``, or None if it is no output."""
    if node.type == "call_expression":
        return _printf(ctx, node)
    operands = _operands(node)
    if operands is None:
        return None
    stream = re.sub(r"^(std)?::", "", text_of(operands[0]))
    target = STREAMS.get(stream)
    if target is None:
        symbol = ctx.scopes.find(stream)
        if symbol is None or symbol.type.kind is not Kind.STREAM:
            return None
        target = symbol.text
    return _call(_pieces(ctx, operands[1:]), target)


def _operands(node: Node) -> list[Node] | None:
    """Return the stream and what is sent to it; long chains are no problem."""
    found: list[Node] = []
    at: Node | None = node
    while at is not None and at.type == "binary_expression" and operator_of(at) == "<<":
        right = at.child_by_field_name("right")
        if right is None:
            return None
        found.append(right)
        at = at.child_by_field_name("left")
    if at is None or not found or at.type not in ("identifier", "qualified_identifier"):
        return None
    return [at, *reversed(found)]


def _pieces(ctx: Context, operands: list[Node]) -> list[Piece]:
    pieces: list[Piece] = []
    format_ = _Format()
    for operand in operands:
        name = re.sub(r"^(std)?::", "", text_of(operand))
        if name == "endl":
            pieces.append(Piece("\n"))
        elif name in _IGNORED:
            continue
        elif name in ("fixed", "scientific"):
            format_.style = name[0] if name == "fixed" else "e"
        elif name == "left":
            format_.is_left = True
        elif name.startswith(("setw", "setprecision", "setfill")) and operand.type == "call_expression":
            values = [expression(ctx, one) for one in arguments_of(operand)]
            if name.startswith("setfill") or len(values) != 1 or not values[0].text.isdigit():
                raise LeftError("this manipulator is not translated")
            if name.startswith("setw"):
                format_.width = values[0].text
            else:
                format_.precision = values[0].text
        else:
            value = expression(ctx, operand)
            if value.kind in (Kind.VECTOR, Kind.MAP, Kind.ARRAY) or value.rank == "statement":
                raise LeftError("this cannot be printed")
            if value.kind is Kind.BOOL:  # C++ shows 1 and 0
                value = Expr(f"int({value})", type=INT)
            spec = format_.spec(value)
            pieces.append(
                Piece(value.literal) if value.literal is not None and not spec else Piece(value.text, True, spec)
            )
    return pieces


def _call(pieces: list[Piece], target: str) -> str:
    """Return the ``print`` of the pieces; its own newline replaces the last one of the text."""
    ends_line = bool(pieces) and not pieces[-1].is_expression and pieces[-1].text.endswith("\n")
    if ends_line:
        pieces = [*pieces[:-1], Piece(pieces[-1].text[:-1])]
    pieces = [piece for piece in pieces if piece.text]
    named = [] if ends_line else ['end=""']
    if target:
        named.append(f"file={target}")
    if not pieces:
        return f"print({', '.join(named)})"
    if len(pieces) == 1 and pieces[0].is_expression and not pieces[0].spec:
        return f"print({', '.join([pieces[0].text, *named])})"
    return f"print({', '.join([interpolated(pieces), *named])})"


def _printf(ctx: Context, node: Node) -> str | None:
    function = node.child_by_field_name("function")
    name = text_of(function) if function is not None else ""
    if name not in _PRINTF:
        return None
    arguments = arguments_of(node)
    target = ""
    if _PRINTF[name]:
        target = {"stderr": "sys.stderr", "stdout": "sys.stdout"}.get(text_of(arguments[0]) if arguments else "", "")
        if not target:
            raise LeftError("fprintf to this file is not translated")
        arguments = arguments[1:]
    values = [expression(ctx, one) for one in arguments]
    if not values or values[0].literal is None:
        raise LeftError("a format that is not written out is not translated")
    pieces = printf_pieces(
        values[0].literal, [value.text for value in values[1:]], [v.kind is Kind.INT for v in values[1:]]
    )
    if pieces is None:
        raise LeftError("this format is not translated")
    if name == "Printf":  # ROOT's own, which ends the line
        pieces.append(Piece("\n"))
    return _call(pieces, target)


def sprintf(ctx: Context, node: Node) -> str | None:
    """Return ``sprintf(text, …)`` as an assignment, or None if it is something else."""
    function = node.child_by_field_name("function")
    name = text_of(function).removeprefix("std::") if function is not None else ""
    first = {"sprintf": 1, "snprintf": 2, "strcpy": -1}.get(name)
    if first is None:
        return None
    arguments = arguments_of(node)
    if len(arguments) < 2:
        raise LeftError(f"{name} is not translated")
    target = expression(ctx, arguments[0])
    if target.kind not in TEXTS:
        raise LeftError(f"{name} to this variable is not translated")
    values = [expression(ctx, one) for one in arguments[abs(first) :]]
    if first == -1:
        return f"{target} = {values[0]}"
    if not values or values[0].literal is None:
        raise LeftError("a format that is not written out is not translated")
    pieces = printf_pieces(values[0].literal, [v.text for v in values[1:]], [v.kind is Kind.INT for v in values[1:]])
    if pieces is None:
        raise LeftError("this format is not translated")
    return f"{target} = {interpolated(pieces)}"


def is_output(node: Node) -> bool:
    """Tell whether a statement only prints."""
    parts = parts_of(node)
    if node.type != "expression_statement" or len(parts) != 1:
        return False
    operands = _operands(parts[0])
    if operands is not None:
        return re.sub(r"^(std)?::", "", text_of(operands[0])) in STREAMS
    return text_of(parts[0]).startswith(("printf", "Printf", "fprintf", "std::printf"))
