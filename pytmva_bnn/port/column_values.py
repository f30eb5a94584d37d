"""Expressions of an event's variables as expressions of columns, and the tables of columns that Readers take."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from dataclasses import dataclass, field

from pytmva_bnn.port.event_loops import EventLoop, Kept, method_call, names_in, text_of

EVALUATIONS = {"EvaluateMVA": 0, "EvaluateRegression": 1, "EvaluateMulticlass": 1}  # 1: several numbers an event
_NUMBERS = frozenset(
    {
        "abs", "bool", "divide", "float", "float32", "fmod", "int", "int8", "int16", "int32", "int64", "max", "min",
        "quotient", "ratio", "remainder", "uint8", "uint16", "uint32",
    }
)  # fmt: skip
_FUNCTION = re.compile(
    r"ROOT\.TMath\.\w+|ROOT\.std\.(f?abs|sqrt|cbrt|pow|exp|log|log10|a?(sin|cos|tan)h?|atan2|floor|ceil|hypot|min|max)"
)


@dataclass
class Step:
    """A line of the result; ``target`` is the name that it defines, ``branch`` the branch that it is read from."""

    depth: int
    code: str = ""
    target: str = ""
    comment: str = ""
    branch: str = ""


@dataclass
class State:
    """What is known at a place in the loop: names that are columns (True) or numbers (False), Readers' tables."""

    columns: dict[str, bool] = field(default_factory=dict)
    tables: set[str] = field(default_factory=set)
    filled: set[str] = field(default_factory=set)

    def copy(self) -> State:
        """Return an independent copy."""
        return State(dict(self.columns), set(self.tables), set(self.filled))

    def join(self, first: State, second: State) -> None:
        """Take over what holds after both ways through a condition."""
        self.columns = dict(first.columns.items() & second.columns.items())
        self.tables = first.tables & second.tables
        self.filled = first.filled | second.filled


def code_of(node: ast.AST) -> str:
    """Return the text of a node, with strings in double quotes."""
    text = ast.unparse(node)
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    for token in reversed([one for one in tokens if one.type == tokenize.STRING]):
        if token.string.startswith("'") and token.start[0] == token.end[0] == 1:
            body = token.string[1:-1].replace('"', '\\"')
            text = f'{text[: token.start[1]]}"{body}"{text[token.end[1] :]}'
    return text


def _call(function: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(ast.parse(function, mode="eval").body, list(arguments), [])


class ColumnValues:
    """The values of the variables of an event loop, and the lines that compute them for all events."""

    def __init__(self, loop: EventLoop, comments: dict[int, str]) -> None:
        loop.check()
        self.loop = loop
        self.comments = comments
        self.row = loop.node.lineno
        self.depth = 0
        self.steps: list[Step] = []
        self.state = State()
        self.known = names_in(loop.function)
        self.branches: list[tuple[str, str]] = []
        unknown: set[str] = set()
        for call in loop.links(loop.tree, "SetBranchAddress"):
            name, memory = call.args[0], call.args[1]
            if isinstance(memory, ast.Name) and memory.id in loop.cells and isinstance(name, ast.Constant):
                self.branches.append((str(name.value), memory.id))
            else:
                unknown |= names_in(memory)
        stored_names = {
            one.id for one in ast.walk(loop.node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
        }
        targets = [
            one for one in ast.walk(loop.node) if isinstance(one, ast.Subscript) and isinstance(one.ctx, ast.Store)
        ]
        self.varying = stored_names | unknown | {loop.tree} | {cell for _, cell in self.branches}
        self.varying |= {one.value.id for one in targets if isinstance(one.value, ast.Name)}
        for changed in sorted(stored_names):
            if loop.is_read_later(changed):
                raise Kept(f"{changed} is used after it")
        self.readers: dict[str, list[tuple[str, str]]] = {}
        self.is_evaluated = False

    def _own(self, name: str) -> str:
        """Return a name that the function does not have."""
        while name in self.known:
            name += "_"
        return name

    def _column(self, cell: str) -> str:
        return self._own(f"{cell.rstrip('_')}_column")

    def _emit(self, code: str, target: str = "", branch: str = "") -> None:
        self.steps.append(Step(self.depth, code, target, branch=branch))

    # -- expressions

    def _cell(self, node: ast.expr) -> str:
        """Return the name of ``x`` in ``x[0]`` if it is a cell."""
        if (
            not isinstance(node, ast.Subscript)
            or not isinstance(node.value, ast.Name)
            or ast.unparse(node.slice) != "0"
        ):
            return ""
        return node.value.id if node.value.id in self.loop.cells else ""

    def _known(self, name: str) -> bool:
        """Return whether a name is a column; raise if it may have the value of another event."""
        if name == self.loop.index:
            raise Kept("the number of the event is used")
        if name in self.varying and name not in self.state.columns:
            raise Kept(f"{name} has no column")
        return self.state.columns.get(name, False)

    def _as_column(self, node: ast.expr) -> ast.expr:
        value, is_column = self._value(node)
        return value if is_column else ast.parse(f"numpy.full({self.loop.stop}, {code_of(value)})", mode="eval").body

    def _value(self, node: ast.expr) -> tuple[ast.expr, bool]:
        """Return an expression for all events, and whether it is a column."""
        cell = self._cell(node)
        if cell:
            return (ast.Name(self._column(cell)), True) if self._known(cell) else (node, False)
        if isinstance(node, ast.Name):
            return node, self._known(node.id)
        if isinstance(node, ast.Call) or (
            isinstance(node, ast.Subscript) and method_call(node.value)[1] in EVALUATIONS
        ):
            return self._called(node)
        parts = [one for one in ast.iter_child_nodes(node) if isinstance(one, ast.expr)]
        values = [self._value(one) for one in parts]
        if not any(is_column for _, is_column in values):
            return node, False
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.Div)):
            return ast.BinOp(values[0][0], node.op, values[1][0]), True
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            return ast.UnaryOp(node.op, values[0][0]), True
        if isinstance(node, (ast.Compare, ast.IfExp, ast.BoolOp, ast.UnaryOp)):
            raise Kept("a condition differs from event to event")
        raise Kept(f"{text_of(node)} has no meaning for columns")

    def _called(self, node: ast.Call | ast.Subscript) -> tuple[ast.expr, bool]:
        call = node.value if isinstance(node, ast.Subscript) else node
        if not isinstance(call, ast.Call) or call.keywords:
            raise Kept(f"{text_of(node)} has no meaning for columns")
        if method_call(call)[1] in EVALUATIONS:
            return self._evaluation(call, node.slice if isinstance(node, ast.Subscript) else None), True
        function = ast.unparse(call.func)
        if function not in _NUMBERS and not _FUNCTION.fullmatch(function):
            raise Kept(f"{text_of(call)} has no meaning for columns")
        values = [self._value(one) for one in call.args]
        if not any(is_column for _, is_column in values):
            return call, False
        arguments = [value for value, _ in values]
        if function in ("float32", "float"):
            return kept(arguments[0], "f" if function == "float32" else "d"), True
        if function == "abs":
            return _call("abs", *arguments), True
        return _call("each", call.func, *arguments), True

    def _evaluation(self, call: ast.Call, element: ast.expr | None) -> ast.expr:
        reader, name = method_call(call)
        arguments = list(call.args)
        if EVALUATIONS[name] and element is None and len(arguments) == 2:
            element = arguments.pop(0)
        several = element is not None
        values = [self._value(one) for one in (*arguments, *([element] if element is not None else []))]
        if several != bool(EVALUATIONS[name]) or any(is_column for _, is_column in values) or not arguments:
            raise Kept(f"{text_of(call)} has no meaning for columns")
        if not self._is_text(arguments[0]):
            raise Kept(f"{text_of(call)} may not take a tag, but an event")
        table = self._table(reader)
        self.is_evaluated = True
        result: ast.expr = _call(f"{reader}.{name}", ast.Name(table), *arguments)
        if element is not None:
            result = ast.Subscript(result, ast.Tuple([ast.Slice(), element]))
        return result

    def _is_text(self, node: ast.expr | None) -> bool:
        if isinstance(node, ast.Name):
            node = self.loop.definition(node.id)
        if isinstance(node, ast.BinOp):
            return self._is_text(node.left) or self._is_text(node.right)
        return isinstance(node, ast.Constant) and isinstance(node.value, str)

    def _table(self, reader: str) -> str:
        """Write the table of the columns that a Reader needs, unless there is one, and return its name."""
        if reader not in self.readers:
            made = self.loop.definition(reader)
            if made is None or not ast.unparse(made).startswith("ROOT.TMVA.Reader("):
                raise Kept(f"{reader} is not a Reader of this function")
            self.loop.check_uses(reader)
            self.readers[reader] = [_variable(call) for call in self.loop.links(reader, "AddVariable", "AddSpectator")]
        table = self._own("events" if reader == next(iter(self.readers)) else f"{reader}_events")
        links = self.readers[reader]
        if len(dict(links)) < len(set(links)) or not links:
            raise Kept(f"the variables of {reader} are not known")
        if reader not in self.state.tables:
            entries = []
            for expression, cell in links:
                if cell not in self.loop.cells:
                    raise Kept(f"{cell} has no column")
                self.loop.check_uses(cell)
                value = self._as_column(ast.parse(f"{cell}[0]", mode="eval").body)
                entries.append(f"{code_of(ast.Constant(expression))}: {code_of(value)}")
            self._emit(f"{table} = {{{', '.join(entries)}}}", table)
            self.state.tables.add(reader)
        return table


def _variable(call: ast.Call) -> tuple[str, str]:
    """Return the expression of a Reader's variable and the name of its memory."""
    text, memory = (call.args[0], call.args[1]) if len(call.args) >= 2 else (None, None)
    if not isinstance(text, ast.Constant) or not isinstance(memory, ast.Name):
        raise Kept(f"{text_of(call)} has no meaning for columns")
    return str(text.value).replace(" ", "").rpartition(":=")[2], memory.id


def kept(value: ast.expr, typecode: str) -> ast.expr:
    """Return what a cell keeps of a column."""
    result = _call("stored", value, ast.Constant(typecode))
    is_kept = ast.unparse(value).startswith("stored(") and ast.unparse(value).endswith(f", '{typecode}')")
    return value if is_kept and isinstance(value, ast.Call) else result
