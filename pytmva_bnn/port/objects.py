"""Objects that a macro makes: Factory, Reader, files, chains, histograms, containers, generators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pytmva_bnn.port.context import Context, Expr, LeftError, expression, translates
from pytmva_bnn.port.conversions import as_text
from pytmva_bnn.port.cpp_types import type_of
from pytmva_bnn.port.parse import Node, parts_of, text_of
from pytmva_bnn.port.symbols import NONE, TEXTS, CppType, Kind
from pytmva_bnn.port.usage import arguments_of

_MADE_AS = {
    Kind.FACTORY: "TMVA.Factory",
    Kind.LOADER: "TMVA.DataLoader",
    Kind.READER: "TMVA.Reader",
    Kind.CROSS_VALIDATION: "TMVA.CrossValidation",
    Kind.HISTOGRAM: "Histogram",
}
_WRITING = ("RECREATE", "NEW", "CREATE", "UPDATE")
_EMPTY = {Kind.INT: "0", Kind.FLOAT: "0.0", Kind.BOOL: "False", Kind.STRING: '""', Kind.CUT: '""', Kind.VECTOR: "[]"}


@translates("new_expression")
def _new(ctx: Context, node: Node) -> Expr:
    type_ = type_of(node.child_by_field_name("type"), ctx.aliases)
    declarator = node.child_by_field_name("declarator")
    if declarator is not None:
        size = expression(ctx, declarator.child_by_field_name("length"))
        return array_of(type_, [size])
    name = text_of(node.child_by_field_name("type") or node)
    return construct(type_, [expression(ctx, one) for one in arguments_of(node)], name)


def construct(type_: CppType, arguments: Sequence[Expr], class_name: str = "") -> Expr:
    """Return the construction of an object of this type."""
    listed = ", ".join(argument.text for argument in arguments)
    if type_.kind in _MADE_AS:
        return Expr(f"{_MADE_AS[type_.kind]}({listed})", type=type_)
    if type_.kind in TEXTS:
        return _text(type_, arguments)
    if type_.kind is Kind.FILE and arguments:
        return file_of(arguments)
    if type_.kind is Kind.CHAIN:
        tree = arguments[0].text if arguments else '""'
        return Expr("[]", type=replace(type_, note=tree))
    if type_.kind is Kind.TREE and arguments:
        return _tree_to_write(arguments, class_name)
    if type_.kind is Kind.RANDOM:
        return Expr(f"TRandom3({listed})", type=type_)
    if type_.kind is Kind.STOPWATCH:
        return Expr("time.perf_counter()", type=type_)
    if type_.kind is Kind.STREAM and arguments:
        return Expr(f'open({arguments[0]}, "w")', type=type_)
    if type_.kind is Kind.VECTOR:
        return _vector(type_, arguments)
    if type_.kind is Kind.MAP and not arguments:
        return empty_map(type_)
    if type_.kind in (Kind.INT, Kind.FLOAT, Kind.BOOL):
        return arguments[0] if arguments else zero(type_)
    raise LeftError(f"objects of the class {class_name or type_.kind.value} are not known here")


def zero(type_: CppType) -> Expr:
    """Return what an object without an initial value begins with.

    >>> zero(CppType(Kind.FLOAT)).text
    '0.0'
    """
    if type_.pointer and type_.kind not in TEXTS:
        return Expr("None", type=NONE)
    if type_.kind is Kind.MAP:
        return empty_map(type_)
    text = _EMPTY.get(type_.kind)
    return Expr("None", type=NONE) if text is None else Expr(text, type=type_, is_natural=type_.kind is Kind.INT)


def empty_map(type_: CppType) -> Expr:
    """Return a dictionary that, as a C++ map, has a zero for a key that is not there."""
    element = type_.element or CppType(Kind.UNKNOWN)
    makers = {Kind.INT: "int", Kind.BOOL: "bool", Kind.FLOAT: "float", Kind.STRING: "str", Kind.VECTOR: "list"}
    maker = makers.get(element.kind)
    return Expr(f"defaultdict({maker})" if maker else "{}", type=type_)


def array_of(type_: CppType, sizes: Sequence[Expr]) -> Expr:
    """Return memory for numbers, or a list for other things.

    >>> array_of(CppType(Kind.FLOAT, dtype="np.float32"), [Expr("4")]).text
    'np.zeros(4, dtype=np.float32)'
    """
    shape = sizes[0].text if len(sizes) == 1 else f"({', '.join(size.text for size in sizes)})"
    if type_.is_number:
        element = type_
        for _ in sizes[1:]:
            element = CppType(Kind.ARRAY, element)
        return Expr(f"np.zeros({shape}, dtype={type_.dtype})", type=CppType(Kind.ARRAY, element))
    if len(sizes) > 1:
        raise LeftError("arrays of several dimensions are translated for numbers only")
    return Expr(f"[{zero(type_)}] * {sizes[0]:a}", "product", CppType(Kind.VECTOR, type_))


def file_of(arguments: Sequence[Expr]) -> Expr:
    """Return a ROOT file: its path; whether it is written is said by its type."""
    mode = (arguments[1].literal or "").upper() if len(arguments) > 1 else "READ"
    kind = Kind.OUT_FILE if mode in _WRITING else Kind.FILE
    path = arguments[0]
    return Expr(path.text, path.rank, CppType(kind, note="update" if mode == "UPDATE" else "recreate"), path.literal)


def _text(type_: CppType, arguments: Sequence[Expr]) -> Expr:
    if not arguments:
        return Expr('""', type=type_, literal="")
    # TCut(name, cut)
    chosen = as_text(arguments[-1])
    return Expr(chosen.text, chosen.rank, type_, chosen.literal)


def _vector(type_: CppType, arguments: Sequence[Expr]) -> Expr:
    if not arguments:
        return Expr("[]", type=type_)
    if len(arguments) == 1 and arguments[0].kind in (Kind.VECTOR, Kind.ARRAY):
        return Expr(f"list({arguments[0]})", type=type_)
    if arguments[0].kind is Kind.INT and len(arguments) <= 2:
        value = arguments[1] if len(arguments) == 2 else zero(type_.element or CppType(Kind.UNKNOWN))
        size = arguments[0]
        if value.kind in (Kind.VECTOR, Kind.MAP):
            return Expr(f"[{value} for _ in range({size})]", type=type_)
        return Expr(f"[{value}] * {size:a}", "product", type_)
    raise LeftError("this construction of a vector is not translated")


def _tree_to_write(arguments: Sequence[Expr], class_name: str) -> Expr:
    note = arguments[0].text
    if class_name == "TNtuple" and len(arguments) == 3 and arguments[2].literal is not None:
        columns = [name for name in arguments[2].literal.split(":") if name]
        body = ", ".join(f'"{name}": []' for name in columns)
        return Expr(f"{{{body}}}", type=CppType(Kind.OUT_TREE, note=f"{note}|{':'.join(columns)}"))
    return Expr("{}", type=CppType(Kind.OUT_TREE, note=note))


def listed(ctx: Context, node: Node) -> list[Expr]:
    """Return the expressions of an argument list."""
    return [expression(ctx, part) for part in parts_of(node)]
