"""``--vectorise``: the usual event loop over a Reader becomes operations on whole columns.

It works on the translated Python text.  Only a loop whose every statement has a meaning for columns is rewritten:
GetEntry, arithmetic with the variables of the event, filling of histograms and trees, conditions that are the same for
all events, and progress messages (which go).  Everything that the loop needs to know must stand in its function, on the
straight way to the loop.  Columns are read by RDataFrame, rounded where the cells of the loop round, and given to the
package's own ``Reader.EvaluateMVA(events, tag)``: PyROOT has no such call.
"""

from __future__ import annotations

import ast
import io
import tokenize

from pytmva_bnn.port.event_loops import Kept, event_loops
from pytmva_bnn.port.layout import WIDTH
from pytmva_bnn.port.loop_columns import LoopColumns


def vectorised(text: str) -> tuple[str, list[str]]:
    """Return a translated program with columns in place of event loops, and a remark for each loop that stays."""
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return text, []
    lines, remarks = text.split("\n"), []
    comments = _comments(text)
    for loop in sorted(event_loops(module), key=lambda one: -one.node.lineno):
        first, last = loop.node.lineno, loop.node.end_lineno or loop.node.lineno
        try:
            lines[first - 1 : last] = LoopColumns(loop, comments).lines(depth=loop.node.col_offset // 4)
        except Kept as reason:
            remarks.append(f"line {first} of the translation: this event loop is not vectorised: {reason}")
    result = "\n".join(lines)
    return (text if result == text else _with_imports(result)), remarks[::-1]


def _comments(text: str) -> dict[int, str]:
    """Return the comments by their lines."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return {
        token.start[0]: token.string.removeprefix("#").strip() for token in tokens if token.type == tokenize.COMMENT
    }


def _with_imports(text: str) -> str:
    """Return the text with the imports that columns need, and without those that only a loop needed."""
    module = ast.parse(text)
    used = {node.id for node in ast.walk(module) if isinstance(node, ast.Name)}
    helpers = ", ".join(name for name in ("each", "stored") if name in used)
    lines = text.split("\n")
    imported = {ast.unparse(one): one for one in module.body if isinstance(one, (ast.Import, ast.ImportFrom))}
    for name, one in reversed(imported.items()):
        first, last = one.lineno - 1, one.end_lineno or one.lineno
        if name.startswith("from pytmva_bnn.compat.cpp import "):
            names = [alias.name for alias in one.names if alias.name in used]
            line = f"from pytmva_bnn.compat.cpp import {', '.join(names)}"
            if len(line) > WIDTH:
                line = "from pytmva_bnn.compat.cpp import (\n" + "".join(f"    {one},\n" for one in names) + ")"
            lines[first:last] = [line] if names else []
        elif name == "from pytmva_bnn.compat import ROOT":
            numpy = ["import numpy"] if "numpy" in used and "import numpy" not in imported else []
            own = [f"from pytmva_bnn.compat.columns import {helpers}"] if helpers else []
            lines[first:last] = [*numpy, *lines[first:last], *own]
    return "\n".join(lines)
