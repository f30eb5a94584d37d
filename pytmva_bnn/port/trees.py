"""Trees, chains and files: linked branches become columns read with uproot, output trees become lists of values."""

from __future__ import annotations

import re
from dataclasses import replace

from pytmva_bnn.port.context import Context, Expr, LeftError, NeedlessError, expression, symbol_of
from pytmva_bnn.port.literals import Piece, extended, interpolated, quoted
from pytmva_bnn.port.parse import Node, parts_of, text_of, walk
from pytmva_bnn.port.symbols import BOOL, DOUBLE, LONG, UNKNOWN, VOID, BranchGroup, CppType, Kind, Symbol
from pytmva_bnn.port.usage import arguments_of

KINDS = frozenset({Kind.TREE, Kind.CHAIN, Kind.OUT_TREE, Kind.OUT_FILE, Kind.FILE, Kind.STOPWATCH})


def call(ctx: Context, symbol: Symbol, name: str, node: Node) -> Expr | None:
    """Translate a call of a tree, chain, file or stopwatch, or return None if that is done by the tables."""
    kind = symbol.type.kind
    if kind in (Kind.TREE, Kind.CHAIN):
        if name == "SetBranchAddress":
            return _link(ctx, symbol, node)
        if name == "GetEntry":
            return get_entry(ctx, symbol, node)
        if name == "LoadTree" and len(arguments_of(node)) == 1:
            if node.parent is not None and node.parent.type == "expression_statement":
                raise NeedlessError(name)
            return replace(expression(ctx, arguments_of(node)[0]), type=LONG)
        if name in ("GetEntries", "GetEntriesFast") and not arguments_of(node):
            return _entries(symbol)
        if kind is Kind.CHAIN and name in ("Add", "AddFile"):
            return _add_file(ctx, symbol, node)
    if kind is Kind.OUT_TREE:
        return _tree_to_write(ctx, symbol, name, node)
    if kind is Kind.OUT_FILE:
        return _file_to_write(ctx, symbol, name)
    if kind is Kind.STOPWATCH:
        return _stopwatch(ctx, symbol, name)
    if kind is Kind.FILE and name == "GetObject":
        return _get_object(ctx, symbol, node)
    return None


# ---- reading --------------------------------------------------------------------------------------------------------


def _columns_name(symbol: Symbol) -> str:
    return f"{symbol.name}_columns"


def _link(ctx: Context, symbol: Symbol, node: Node) -> Expr:
    """Translate SetBranchAddress: the first of a run reads the columns of all, the others need nothing."""
    if symbol.cpp_name in ctx.usage.linked_trees:
        name, memory = expression(ctx, arguments_of(node)[0]), _memory(ctx, arguments_of(node)[1])
        if memory.kind is not Kind.ARRAY:
            raise LeftError("this address is not translated")
        return Expr(f"{symbol.name}_branches[{name}] = {memory}", "statement", VOID)
    run = ctx.usage.branch_runs.get(node.id)
    if run is None:
        if symbol.group is None:
            raise LeftError("the run of SetBranchAddress that this belongs to was left")
        _checked_target(ctx, node)
        return Expr("", "statement", VOID)
    names = []
    group = BranchGroup(_columns_name(symbol))
    for one in run:
        branch = expression(ctx, arguments_of(one)[0])
        names.append(branch.text)
        group.links.append((branch.text, text_of(arguments_of(one)[1])))
    _checked_target(ctx, node)
    symbol.group = group
    unique = list(dict.fromkeys(names))
    return Expr(
        f'{group.columns} = uproot.concatenate({symbol.text}, [{", ".join(unique)}], library="np")', "statement", VOID
    )


def _memory(ctx: Context, node: Node) -> Expr:
    """Translate ``&x``, ``&x[i]``, ``x`` or ``x + i``."""
    index = node.child_by_field_name("right")
    array = symbol_of(ctx, node.child_by_field_name("left"))
    if node.type != "binary_expression" or array is None or array.type.kind is not Kind.ARRAY or index is None:
        return expression(ctx, node)
    start = expression(ctx, index)
    return Expr(f"{array.text}[{start} : {start.within('sum')} + 1]", type=array.type)


def end_reached(ctx: Context, condition: Node) -> tuple[Expr, Expr] | None:
    """Translate ``GetEntry(i) <= 0``, which is true after the last entry: return that test, and the reading.

    None if the condition is something else.
    """
    match = re.fullmatch(
        r"\(?\s*(\w+)\s*(?:->|\.)\s*GetEntry\s*\([^()]*\)\s*(<=? ?0|== ?0|< ?1)\s*\)?", text_of(condition)
    )
    tree = ctx.scopes.find(match.group(1)) if match else None
    call_node = next((one for one in walk(condition) if one.type == "call_expression"), None)
    if (
        tree is None
        or tree.type.kind not in (Kind.TREE, Kind.CHAIN)
        or call_node is None
        or not arguments_of(call_node)
    ):
        return None
    reading = get_entry(ctx, tree, call_node)
    index = expression(ctx, arguments_of(call_node)[0])
    entries = f"len(next(iter({_columns_name(tree)}.values())))" if tree.group is None else _entries(tree).text
    return Expr(f"{index.within('comparison', strictly=True)} >= {entries}", "comparison", BOOL), reading


def _checked_target(ctx: Context, call_node: Node) -> None:
    target = arguments_of(call_node)[1]
    inner = _target(target)
    if inner.type == "identifier" and symbol_of(ctx, inner) is None:
        # declared further down, or not at all
        raise LeftError(f"{text_of(inner)} is not declared before")


def _target(node: Node) -> Node:
    while node.type in ("pointer_expression", "parenthesized_expression", "binary_expression") and parts_of(node):
        node = parts_of(node)[0]
    return node


def get_entry(ctx: Context, symbol: Symbol, node: Node) -> Expr:
    """Translate GetEntry: every linked variable gets its value."""
    arguments = arguments_of(node)
    index = expression(ctx, arguments[0]) if arguments else Expr("0")
    if symbol.cpp_name in ctx.usage.linked_trees:
        columns = f"{symbol.name}_columns[branch][{index}]"
        body = f"for branch, memory in {symbol.name}_branches.items():\n    memory[...] = {columns}"
        reading = f"{_reading(symbol)}\n" if not ctx.loops else ""
        return Expr(reading + body, "statement", VOID)
    if symbol.group is None:
        raise LeftError("no branch of this tree is linked before GetEntry")
    lines = []
    for node_of_link in _links(ctx, symbol.group):
        target, branch, reading = node_of_link
        lines.append(f"{target} = {symbol.group.columns}[{branch}][{index}]{reading}")
    return Expr("\n".join(lines), "statement", VOID)


def _links(ctx: Context, group: BranchGroup) -> list[tuple[str, str, str]]:
    """Return the text of each linked variable, as something to assign to, of its branch, and how it is read.

    Numbers become Python's: those of numpy would be computed with in the precision of the branch.
    """
    result = []
    for branch, target in group.links:
        name = target.lstrip("&( ").rstrip(") ")
        element = re.fullmatch(r"(\w+)\s*(?:\[|\+)\s*(\w+)\s*\]?", name)
        symbol = ctx.scopes.find(element.group(1) if element else name)
        if symbol is None or symbol.type.kind is Kind.LOST:
            raise LeftError(f"{name} is not declared")
        if element:
            result.append((f"{symbol.name}[{element.group(2)}]", branch, ""))
        elif symbol.type.kind is Kind.ARRAY:
            result.append((f"{symbol.name}[...]", branch, ""))
        else:
            is_plain = symbol.type.is_number and not symbol.is_buffer
            reading = ".item()" if is_plain else ".tolist()" if symbol.type.kind is Kind.VECTOR else ""
            result.append((symbol.text, branch, reading))
    return result


def _entries(symbol: Symbol) -> Expr:
    if symbol.group is not None:
        return Expr(f"len({symbol.group.columns}[{symbol.group.links[0][0]}])", type=LONG, is_natural=True)
    return Expr(f"sum(n for _, _, n in uproot.num_entries({symbol.text}))", type=LONG, is_natural=True)


def columns_to_read(ctx: Context, loop: Node) -> list[str]:
    """Return the statements that must stand before a loop: reading the columns of trees linked by a dictionary."""
    lines = []
    text = text_of(loop)
    for symbol in ctx.scopes.visible():
        is_linked = symbol.cpp_name in ctx.usage.linked_trees and symbol.type.kind in (Kind.TREE, Kind.CHAIN)
        if is_linked and re.search(rf"\b{re.escape(symbol.cpp_name)}\s*(->|\.)\s*GetEntry\s*\(", text):
            lines.append(_reading(symbol))
    return lines


def _reading(symbol: Symbol) -> str:
    return f'{symbol.name}_columns = uproot.concatenate({symbol.text}, list({symbol.name}_branches), library="np")'


def _add_file(ctx: Context, symbol: Symbol, node: Node) -> Expr:
    """Translate TChain::Add: a chain is a list of "file.root:tree"."""
    arguments = arguments_of(node)
    if not arguments:
        raise LeftError("Add without a file")
    file = expression(ctx, arguments[0])
    tree = symbol.type.note
    if file.kind is Kind.CHAIN:
        return Expr(f"{symbol.text}.extend({file})", "statement", VOID)
    if file.literal is not None and file.literal.rpartition(".root/")[2] and ".root/" in file.literal:
        path, _, name = file.literal.rpartition(".root/")
        return Expr(f"{symbol.text}.append({quoted(f'{path}.root:{name}')})", "statement", VOID)
    if not tree:
        raise LeftError("the name of the chain's tree is not known here")
    tree_literal = re.fullmatch(r'"([^"\\]*)"', tree)
    if tree_literal:
        path = extended(file.text, file.literal, f":{tree_literal.group(1)}")
    else:
        path = interpolated([Piece(file.text, True), Piece(":"), Piece(tree, True)])
    return Expr(f"{symbol.text}.append({path})", "statement", VOID)


def _get_object(ctx: Context, symbol: Symbol, node: Node) -> Expr:
    arguments = arguments_of(node)
    target = symbol_of(ctx, arguments[1]) if len(arguments) == 2 else None
    if target is None or target.type.kind is not Kind.TREE:
        raise LeftError("GetObject is translated for trees only")
    name = expression(ctx, arguments[0])
    return Expr(f"{target.text} = {tree_in(Expr(symbol.text), name)}", "statement", VOID)


def tree_in(file: Expr, name: Expr) -> Expr:
    """Return ``file->Get("TreeS")`` as "file.root:TreeS"."""
    type_ = CppType(Kind.TREE)
    if name.literal is not None:
        literal = f"{file.literal}:{name.literal}" if file.literal is not None else None
        return Expr(extended(file.text, file.literal, f":{name.literal}"), type=type_, literal=literal)
    return Expr(interpolated([Piece(file.text, True), Piece(":"), Piece(name.text, True)]), type=type_)


# ---- writing --------------------------------------------------------------------------------------------------------


def writable_file(ctx: Context) -> str:
    """Return the open file that histograms and trees are written to at this place."""
    file = ctx.out_file
    if file is None:
        raise LeftError("no file is open for writing here")
    if file.cpp_name in ctx.usage.factory_files:
        raise LeftError("the Factory writes that file; write to another one")
    return file.text


def _tree_to_write(ctx: Context, symbol: Symbol, name: str, node: Node) -> Expr | None:
    arguments = arguments_of(node)
    if name == "Branch" and len(arguments) >= 2:
        branch = expression(ctx, arguments[0])
        target = symbol_of(ctx, _target(arguments[1]))
        if target is None or not (target.type.is_number or target.type.kind is Kind.VECTOR):
            raise LeftError("a branch of this type is not translated")
        dtype = target.type.dtype or f"var * {(target.type.element or LONG).dtype.removeprefix('np.')}"
        symbol.branches.append((branch.text, target, dtype))
        return Expr(f"{symbol.text}[{branch}] = []", "statement", VOID)
    if name == "Fill":
        return _fill_tree(ctx, symbol, arguments)
    if name == "Write":
        return Expr(_writing(ctx, symbol), type=UNKNOWN)
    if name in ("GetEntries", "GetEntriesFast") and symbol.branches:
        return Expr(f"len({symbol.text}[{symbol.branches[0][0]}])", type=LONG)
    return None


def _fill_tree(ctx: Context, symbol: Symbol, arguments: list[Node]) -> Expr:
    columns = symbol.type.note.partition("|")[2]
    if columns:
        names = [quoted(column) for column in columns.split(":")]
        values = [expression(ctx, one).text for one in arguments]
        if len(names) != len(values):
            raise LeftError("Fill has not as many values as the TNtuple has columns")
    else:
        names = [branch for branch, _, _ in symbol.branches]
        values = [_filled(target) for _, target, _ in symbol.branches]
    if not names:
        raise LeftError("the tree has no branches")
    lines = [f"{symbol.text}[{name}].append({value})" for name, value in zip(names, values, strict=True)]
    return Expr("\n".join(lines), "statement", VOID)


def _filled(target: Symbol) -> str:
    return f"list({target.text})" if target.type.kind is Kind.VECTOR else target.text


def _writing(ctx: Context, symbol: Symbol) -> str:
    name, _, columns = symbol.type.note.partition("|")
    types = [(branch, dtype) for branch, _, dtype in symbol.branches]
    if columns:
        types = [(quoted(column), "np.float32") for column in columns.split(":")]
    described = ", ".join(f"{branch}: {dtype if dtype.startswith('np.') else quoted(dtype)}" for branch, dtype in types)
    return f"{writable_file(ctx)}.mktree({name}, {{{described}}}).extend({symbol.text})"


def _file_to_write(ctx: Context, symbol: Symbol, name: str) -> Expr | None:
    is_path = symbol.cpp_name in ctx.usage.factory_files
    if name == "GetName":
        return Expr(symbol.text if is_path else f"{symbol.text}.file_path", type=UNKNOWN)
    if is_path and name in ("Close", "cd", "Write"):
        raise NeedlessError(name)
    if name == "cd":
        ctx.out_file = symbol
        raise NeedlessError(name)
    if name == "Close":
        return Expr(f"{symbol.text}.close()", type=VOID)
    if name == "Write":
        ctx.out_file = symbol
        lines = []
        for one in ctx.scopes.visible():
            if one.type.kind is Kind.HISTOGRAM:
                lines.append(f"{one.text}.Write({symbol.text})")
            elif one.type.kind is Kind.OUT_TREE:
                lines.append(_writing(ctx, one))
        if not lines:
            raise LeftError("nothing to write is known here")
        return Expr("\n".join(lines), "statement", VOID)
    if name in ("IsOpen", "IsZombie"):
        return Expr("True" if name == "IsOpen" else "False")
    return None


# ---- the stopwatch --------------------------------------------------------------------------------------------------


def _stopwatch(ctx: Context, symbol: Symbol, name: str) -> Expr:
    is_stopped = "Stop" in ctx.usage.calls.get(symbol.cpp_name, ())
    seconds = f"{symbol.name}_seconds" if is_stopped else f"(time.perf_counter() - {symbol.name})"
    if name in ("Start", "Reset"):
        return Expr(f"{symbol.name} = time.perf_counter()", "statement", VOID)
    if name == "Stop":
        return Expr(f"{seconds} = time.perf_counter() - {symbol.name}", "statement", VOID)
    if name == "Print":
        return Expr(f'print(f"Real time {{{seconds}:.2f}} s")', type=VOID)
    if name in ("RealTime", "CpuTime"):
        return Expr(seconds, type=DOUBLE)
    raise LeftError(f"{name} of a TStopwatch is not known here")
