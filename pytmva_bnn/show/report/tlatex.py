"""Titles in ROOT's TLatex as HTML: Greek letters, signs, and what stands lower or higher."""

from __future__ import annotations

import re
import unicodedata

from pytmva_bnn.show.report.html import Html, text

# what is no Greek letter, or has another name in Unicode
_SIGNS = {
    "pm": "±",
    "times": "×",
    "cdot": "·",
    "leq": "≤",
    "geq": "≥",
    "neq": "≠",
    "approx": "≈",
    "infty": "∞",
    "rightarrow": "→",
    "leftarrow": "←",
    "circ": "°",
    "sqrt": "√",
    "sum": "∑",
    "int": "∫",
    "partial": "∂",
    "nabla": "∇",
    "prime": "′",
    "perp": "⊥",
    "parallel": "∥",
    "lambda": "λ",
    "Lambda": "Λ",
    "varepsilon": "ε",
    "vartheta": "ϑ",
    "varphi": "φ",
    "varsigma": "ς",
}
_TOKEN = re.compile(r"#([A-Za-z]+)|([_^])\{")
_PLACES = {"_": "sub", "^": "sup"}


def titled(words: str) -> Html:
    """Return a title as HTML; what is no TLatex stays as it is.

    >>> titled("p_{T}^{#mu} < 3"), titled("#Delta#phi(j_{1})"), titled("#nonsense x_1")
    ('p<sub>T</sub><sup>μ</sup> &lt; 3', 'Δφ(j<sub>1</sub>)', '#nonsense x_1')
    """
    made, place = "", 0
    while found := _TOKEN.search(words, place):
        made += text(words[place : found.start()])
        place = found.end()
        if found[1]:
            sign = _sign(found[1])
            made += sign or text(found[0])
            continue
        end = _closing(words, place)
        if end is None:
            made += text(found[0])
        else:
            name = _PLACES[found[2]]
            made += f"<{name}>{titled(words[place:end])}</{name}>"
            place = end + 1
    return Html(made + text(words[place:]))


def _sign(name: str) -> str:
    if name in _SIGNS:
        return _SIGNS[name]
    size = "CAPITAL" if name[0].isupper() else "SMALL"
    try:
        return unicodedata.lookup(f"GREEK {size} LETTER {name.upper()}")
    except KeyError:
        return ""


def _closing(words: str, start: int) -> int | None:
    """Return the place of the brace that closes the one before ``start``, None if there is none."""
    depth = 1
    for place in range(start, len(words)):
        depth += {"{": 1, "}": -1}.get(words[place], 0)
        if depth == 0:
            return place
    return None
