"""Words on the figures: titles of variables with units, in ROOT's TLatex or matplotlib's mathtext."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from pytmva_bnn.errors import InputError, suggestion
from pytmva_bnn.variables import VariableRecord

_TLATEX = re.compile(r"#[A-Za-z]|[_^]\{")
_SPACES = re.compile(r" +")
LONGEST = 60


def text(words: str) -> str:
    """Return words as matplotlib shall draw them; TLatex (``p_{T}``, ``#eta``) becomes mathtext, the rest is literal.

    >>> text("var1 + 2"), text("100 $")
    ('var1 + 2', '100 \\\\$')
    """
    if len(words) > LONGEST:
        words = words[: LONGEST - 1] + "…"
    if words.count("$") >= 2 and _drawable(words):
        return words
    if _TLATEX.search(words) and "$" not in words:
        inside = re.sub(r"#([A-Za-z]+)", r"\\\1 ", _SPACES.sub(r"\\ ", words.replace("%", r"\%")))
        converted = rf"$\mathrm{{{inside}}}$"
        if _drawable(converted):
            return converted
    return words.replace("$", r"\$")


@lru_cache(maxsize=1000)
def _drawable(words: str) -> bool:
    from matplotlib.mathtext import MathTextParser  # heavy and optional; only called while drawing

    try:
        MathTextParser("path").parse(words)
    except (ValueError, RuntimeError):
        return False
    return True


def axis_label(variable: VariableRecord, chain: str = "") -> str:
    """Return title and unit, and the chain of transformations if there is one.

    >>> axis_label(VariableRecord.define("pt", unit="GeV")), axis_label(VariableRecord.define("x"), "Gauss_Deco")
    ('pt [GeV]', 'x (Gauss_Deco)')
    """
    transformed = f" ({chain})" if chain not in ("", "Id") else ""
    return f"{text(variable.title)}{transformed}{f' [{text(variable.unit)}]' if variable.unit else ''}"


def find_variable(variables: Sequence[VariableRecord], name: str) -> int:
    """Return the number of the variable of this label, expression, title or internal name.

    >>> find_variable([VariableRecord.define("x"), VariableRecord.define("s := x + y")], "x + y")
    1
    """
    wanted = name.replace(" ", "")
    for number, one in enumerate(variables):
        if wanted in (one.label, one.expression, one.internal) or name == one.title:
            return number
    hint = suggestion(name, [one.label for one in variables])
    raise InputError(
        f"there is no variable {name!r}{': ' + hint if hint else ''}; the variables are "
        f"{', '.join(one.label for one in variables)}"
    )
