"""Words on the figures: titles of variables with units, in ROOT's TLatex or matplotlib's mathtext."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from functools import lru_cache

from pytmva_bnn.errors import InputError, suggestion
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.show.plots.style import require_matplotlib

_TLATEX = re.compile(r"#[A-Za-z]|[_^]\{")
# words between blanks; blanks in braces, or in formulas for matplotlib, do not separate
_CHUNK = re.compile(r"(?:[^ {]|\{(?:[^{}]|\{[^{}]*\})*\}|\{)+")
_WORD = re.compile(r"(?:\\\$|\$[^$]*\$|[^ ])+")
_SIGNS = "+-*/,;:=()[]&|_."
LONGEST = 60


def text(words: str) -> str:
    """Return words as matplotlib is to draw them; TLatex (``p_{T}``, ``#eta``) becomes mathtext."""
    if len(words) > LONGEST:
        words = words[: LONGEST - 1] + "…"
    if words.count("$") >= 2 and _drawable(words):
        return words
    if _TLATEX.search(words) and "$" not in words:
        return _CHUNK.sub(lambda found: _formula(found[0]), words)
    return words.replace("$", r"\$")


def _formula(chunk: str) -> str:
    if not _TLATEX.search(chunk):
        return chunk
    inside = re.sub(r"#([A-Za-z]+)", r"\\\1 ", re.sub(r" +", r"\\ ", chunk.replace("%", r"\%")))
    converted = rf"$\mathrm{{{inside}}}$"
    return converted if _drawable(converted) else chunk


@lru_cache(maxsize=1000)
def _drawable(words: str) -> bool:
    require_matplotlib()
    from matplotlib.mathtext import MathTextParser  # heavy and optional; only called while drawing

    try:
        MathTextParser("path").parse(words)
    except (ValueError, RuntimeError):
        return False
    return True


def wrapped(words: str, points: float, size: float | str = "medium") -> str:
    """Return words for matplotlib in lines of at most ``points`` (1/72 inch), broken at blanks if possible."""
    pieces = [part for word in _WORD.findall(words) for part in _broken(word, points, size)]
    return joined(pieces, points, size, between=" ")


def joined(parts: Sequence[str], points: float, size: float | str, *, between: str = ", ") -> str:
    """Return the parts with ``between`` in lines of at most ``points``; no part is broken."""
    lines: list[str] = []
    for part in parts:
        longer = f"{lines[-1]}{between}{part}" if lines else ""
        if lines and text_width(longer, size) <= points:
            lines[-1] = longer
        else:
            lines.append(part)
    return f"{between.rstrip()}\n".join(lines)


def _broken(word: str, points: float, size: float | str) -> Iterator[str]:
    """Yield the parts of a word that is longer than a line, if possible up to a sign such as +; formulas stay whole."""
    while "$" not in word and len(word) > 1 and (width := text_width(word, size)) > points:
        most = min(max(1, int(len(word) * points / width)), len(word) - 1)
        cut = next((k for k in range(most, most // 2, -1) if word[k - 1] in _SIGNS), most)
        yield word[:cut]
        word = word[cut:]
    yield word


def text_width(words: str, size: float | str = "medium") -> float:
    """Return the width in points of one line in the font of the settings; of formulas as well."""
    from matplotlib.font_manager import FontProperties  # heavy and optional; only called while drawing
    from matplotlib.textpath import text_to_path

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # glyphs that the font does not have: drawing them will tell
        has_formula = words.replace(r"\$", "").count("$") >= 2
        found = text_to_path.get_text_width_height_descent(words, FontProperties(size=size), has_formula)
    return float(found[0])


def axis_label(variable: VariableRecord, chain: str = "") -> str:
    """Return title and unit, and the chain of transformations if there is one."""
    transformed = f" ({chain})" if chain not in ("", "Id") else ""
    return f"{text(variable.title)}{transformed}{f' [{text(variable.unit)}]' if variable.unit else ''}"


def find_variable(variables: Sequence[VariableRecord], name: str) -> int:
    """Return the number of the variable of this label, expression, title or internal name."""
    wanted = name.replace(" ", "")
    for number, one in enumerate(variables):
        if wanted in (one.label, one.expression, one.internal) or name == one.title:
            return number
    hint = suggestion(name, [one.label for one in variables])
    raise InputError(
        f"there is no variable {name!r}{': ' + hint if hint else ''}; the variables are "
        f"{', '.join(one.label for one in variables)}"
    )
