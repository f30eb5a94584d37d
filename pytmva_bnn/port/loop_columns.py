"""One event loop, statement by statement, as operations on columns."""

from __future__ import annotations

import ast
import re

from pytmva_bnn.port.column_values import EVALUATIONS, ColumnValues, Step, code_of, kept
from pytmva_bnn.port.event_loops import Kept, method_call, names_in, text_of
from pytmva_bnn.port.output import Line

_HISTOGRAM = re.compile(r"ROOT\.TH([12])[CSIFD]\(")
_NULL = ("None", "ROOT.nullptr")
_MESSAGES = re.compile(r"ROOT\.std\.(cout|cerr|clog) << |printf\(|ROOT\.(Info|Printf)\(")


class LoopColumns(ColumnValues):
    """One event loop on its way to columns."""

    # -- the result

    def lines(self, depth: int) -> list[str]:
        """Return the lines that take the loop's place."""
        self._block(self.loop.node.body)
        if not self.is_evaluated:
            raise Kept("no Reader is evaluated")
        self._last_values()
        self._drop_unused()
        read = [step for step in self.steps if step.branch]
        rendered: list[str] = []
        if read:
            names = ", ".join(dict.fromkeys(step.branch for step in read))
            code = f"{self._own('columns')} = ROOT.RDataFrame({self.loop.tree}).AsNumpy([{names}])"
            rendered += Line(depth, code).rendered()
        for number, step in enumerate(self.steps):
            rendered += Line(depth + step.depth, step.code, step.comment).rendered()
            below = self.steps[number + 1 :]
            if step.code.endswith(":") and not any(one.code for one in below if one.depth > step.depth):
                rendered.append("    " * (depth + step.depth + 1) + "pass")
        return rendered

    def _drop_unused(self) -> None:
        while True:
            used = [set(re.findall(r"\w+", step.code.removeprefix(step.target))) for step in self.steps]
            unused = [
                step
                for number, step in enumerate(self.steps)
                if step.target and not any(step.target in one for k, one in enumerate(used) if k != number)
            ]
            if not unused:
                return
            self.steps = [step for step in self.steps if step not in unused]

    def _last_values(self) -> None:
        cells = [cell for cell in self.loop.cells if cell in self.varying and self.loop.needs_last_value(cell)]
        for cell in cells:
            if cell not in self.state.columns:
                raise Kept(f"{cell} is set in a condition and used after it")
        cells = [cell for cell in cells if self.state.columns[cell]]
        if cells:
            self._emit(f"if {self.loop.stop} > 0:")
        for cell in cells:
            self.steps.append(Step(1, f"{cell}[0] = {self._column(cell)}[-1]"))

    # -- statements

    def _block(self, body: list[ast.stmt]) -> None:
        for statement in body:
            for row in range(self.row, statement.lineno + 1):
                self._comment(row)
            self.row = max(self.row, statement.lineno + 1)
            self._statement(statement)

    def _comment(self, row: int) -> None:
        if row in self.comments:
            self.steps.append(Step(self.depth, comment=self.comments[row]))

    def _statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Pass) or self._is_progress(node):
            return
        if isinstance(node, ast.If):
            self._condition(node)
        elif isinstance(node, ast.Assign) and len(node.targets) == 1:
            self._assign(node.targets[0], node.value)
        elif isinstance(node, ast.AugAssign):
            read = ast.parse(ast.unparse(node.target), mode="eval").body
            self._assign(node.target, ast.BinOp(read, node.op, node.value))
        elif isinstance(node, ast.Expr) and method_call(node.value) == (self.loop.tree, "GetEntry") and self.depth == 0:
            self._get_entry()
        elif isinstance(node, ast.Expr) and method_call(node.value)[1] == "Fill":
            self._fill(node.value)
        elif isinstance(node, (ast.Continue, ast.Break, ast.Return, ast.Raise, ast.While, ast.For)):
            raise Kept(f"{type(node).__name__.lower()} has no meaning for columns")
        else:
            raise Kept(f"{text_of(node)} has no meaning for columns")

    def _is_progress(self, node: ast.stmt) -> bool:
        """Return whether a statement only reports the number of the event."""
        if not isinstance(node, ast.If) or node.orelse or self.loop.index not in names_in(node.test):
            return False
        is_message = all(_MESSAGES.match(ast.unparse(one)) for one in node.body)
        return is_message and not names_in(node) & (self.varying - {self.loop.index})

    def _condition(self, node: ast.If) -> None:
        test, differs = self._value(node.test)
        if differs:
            raise Kept("a condition differs from event to event")
        for reader in dict.fromkeys(
            method_call(one)[0] for one in ast.walk(node) if method_call(one)[1] in EVALUATIONS
        ):
            try:
                self._table(reader)
            except Kept:  # the event is completed within the condition
                continue
        before = self.state
        ways = []
        for word, body in ((f"if {code_of(test)}:", node.body), ("else:", node.orelse)):
            self.state = before.copy()
            if body:
                self._emit(word)
                self.depth += 1
                self._block(body)
                self.depth -= 1
            ways.append(self.state)
        self.state = before
        self.state.join(*ways)

    def _get_entry(self) -> None:
        for name, cell in self.branches:
            self.loop.check_uses(cell)
            column = self._column(cell)
            branch = code_of(ast.Constant(name))
            code = f'{column} = stored({self._own("columns")}[{branch}], "{self.loop.cells[cell]}")'
            self._set(cell, is_column=True)
            self._emit(code, column, branch)

    def _assign(self, target: ast.expr, node: ast.expr) -> None:
        value, is_column = self._value(node)
        cell = self._cell(target)
        if cell:
            self.loop.check_uses(cell)
            if is_column:
                code = self.loop.cells[cell]
                self._emit(f"{self._column(cell)} = {code_of(kept(value, code))}", self._column(cell))
            else:
                self._emit(f"{cell}[0] = {code_of(value)}")
            self._set(cell, is_column=is_column)
        elif isinstance(target, ast.Name) and target.id not in self.loop.cells:
            self._emit(f"{target.id} = {code_of(value)}", target.id)
            self._set(target.id, is_column=is_column)
        else:
            raise Kept(f"{text_of(target)} has no meaning for columns")

    def _set(self, name: str, *, is_column: bool) -> None:
        self.state.columns[name] = is_column
        self.state.tables -= {reader for reader, links in self.readers.items() if name in dict(links).values()}

    def _fill(self, call: ast.expr) -> None:
        name = method_call(call)[0]
        if not isinstance(call, ast.Call) or not name or name in self.state.filled:
            raise Kept(f"{text_of(call)} has no meaning for columns" if not name else f"{name} is filled twice")
        self.state.filled.add(name)
        made = [text_of(one, 99) for one in self.loop.assigned(name) if one is not None and text_of(one) not in _NULL]
        if len(made) == 1 and made[0].startswith("ROOT.TTree(") and self.loop.definition(name) is not None:
            self._fill_tree(name)
            return
        kinds = {match[1] for one in made if (match := _HISTOGRAM.match(one))}
        if len(kinds) != 1 or not all(map(_HISTOGRAM.match, made)) or None in self.loop.assigned(name):
            raise Kept(f"{name} is not known as a histogram or tree of this function")
        n_axes = int(kinds.pop())
        if not n_axes <= len(call.args) <= n_axes + 1:
            raise Kept(f"{text_of(call)} has no meaning for columns")
        values = [code_of(self._as_column(one)) for one in call.args]
        values += ["None"] * (n_axes + 1 - len(values))
        self._emit(f"{name}.FillN({self.loop.stop}, {', '.join(values)})")

    def _fill_tree(self, name: str) -> None:
        self.loop.check_uses(name)
        if self.loop.links(name, "SetBranchAddress"):
            raise Kept(f"the memory of {name} is changed")
        cells = []
        for call in self.loop.links(name, "Branch"):
            for memory in sorted(names_in(call.args[1]) & self.varying):
                if memory not in self.state.columns:
                    raise Kept(f"{memory} has no column")
                if self.state.columns[memory]:
                    cells.append(memory)
        cells = list(dict.fromkeys(cells))
        columns = ", ".join(f"{self._column(cell)}.tolist()" for cell in cells)
        targets = ", ".join(f"{cell}[0]" for cell in cells) or "_"
        rows = f"zip({columns})" if len(cells) > 1 else columns or f"range({self.loop.stop})"
        self._emit(f"for {targets} in {rows}:")
        self.steps.append(Step(self.depth + 1, f"{name}.Fill()"))
