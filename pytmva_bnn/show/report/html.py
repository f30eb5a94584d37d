"""Small pieces of HTML; all text that goes into them is escaped here and nowhere else.

ROOT's titles (TLatex) become HTML by :func:`titled`: Greek letters, signs, and what stands lower or higher.
"""

from __future__ import annotations

import base64
import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from html import escape

WIDE = 720
"""Pixels: pictures wider than that do not share a line with others."""


class Html(str):
    """HTML that is escaped already, where a value may stand."""

    __slots__ = ()


def text(value: object) -> str:
    """Return a value as text that can stand anywhere in a page; numbers are rounded to be read."""
    if isinstance(value, Html):
        return value
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if isinstance(value, float):
        return escape(f"{value:.4g}")
    # control characters are not allowed in HTML at all
    return escape("".join(c if c.isprintable() or c == "\n" else "�" for c in str(value)))


def element(name: str, inside: str, **attributes: object) -> str:
    """Return an element around HTML; ``class_`` is the attribute class."""
    given = "".join(f' {key.rstrip("_")}="{text(value)}"' for key, value in attributes.items())
    return f"<{name}{given}>{inside}</{name}>"


def table(headings: Sequence[object], rows: Iterable[Sequence[object]], caption: str = "") -> str:
    """Return a table; numbers stand at the right."""
    head = element("thead", element("tr", "".join(element("th", text(one)) for one in headings)))
    body = element("tbody", "".join(element("tr", "".join(map(_cell, row))) for row in rows))
    return element("table", (element("caption", text(caption)) if caption else "") + head + body)


def table_of(rows: Sequence[Mapping[str, object]], caption: str = "") -> str:
    """Return a table of rows by heading; a heading that any row has is a column, empty without rows."""
    headings = list(dict.fromkeys(heading for row in rows for heading in row))
    return table(headings, [[row.get(heading) for heading in headings] for row in rows], caption) if rows else ""


def _cell(value: object) -> str:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    words = text(value) if isinstance(value, Html) else _BREAKS.sub(r"\1<wbr/>", text(value))
    return element("td", words, **({"class_": "number"} if is_number else {}))


# where long option strings and paths may go on in the next line
_BREAKS = re.compile(r"([:/])(?=[^\s:/]{3})")


def description_list(pairs: Iterable[tuple[str, object]]) -> str:
    """Return names and values as a table of two columns without headings."""
    rows = "".join(element("tr", element("th", text(name)) + _cell(value)) for name, value in pairs)
    return element("table", element("tbody", rows), class_="pairs")


def note(words: str) -> str:
    """Return a remark."""
    return element("p", text(words), class_="note")


def warning(words: str) -> str:
    """Return a remark that must not be overlooked."""
    return element("p", text(words), class_="warning")


def folded(title: str, inside: str, **attributes: object) -> str:
    """Return something that opens on a click, or is open with ``open=""``."""
    return element("details", element("summary", text(title)) + inside, **attributes)


def counted(n: int, thing: str) -> str:
    """Return a number of things.

    >>> counted(1, "plot"), counted(3, "plot")
    ('1 plot', '3 plots')
    """
    return f"{n} {thing}{'' if n == 1 else 's'}"


def picture(png: bytes, caption: str, width: int) -> str:
    """Return an image, held in the page itself, with its caption, which may be TLatex."""
    source = "data:image/png;base64," + base64.b64encode(png).decode("ascii")
    image = f'<img src="{source}" alt="{text(caption)}" width="{width}">'
    wide = {"class_": "wide"} if width > WIDE else {}
    return element("figure", image + element("figcaption", titled(caption)), **wide)


def anchor(words: str) -> str:
    """Return a name for links within the page."""
    kept = "".join(c if c.isascii() and c.isalnum() else " " for c in words.lower())
    return "-".join(kept.split()) or "part"


# ---- titles of ROOT -----------------------------------------------------------------------------------------

# what is no Greek letter, or has another name in Unicode
_NAMES = (
    "pm times cdot leq geq neq approx infty rightarrow leftarrow circ sqrt sum int partial nabla prime perp parallel "
    "lambda Lambda varepsilon vartheta varphi varsigma"
)
_SIGNS = dict(zip(_NAMES.split(), "±×·≤≥≠≈∞→←°√∑∫∂∇′⊥∥λΛεϑφς", strict=True))
_TOKEN = re.compile(r"#([A-Za-z]+)|([_^])\{")
_PLACES = {"_": "sub", "^": "sup"}


def titled(words: str) -> Html:
    """Return a title as HTML; what is no TLatex stays as it is."""
    made, place = "", 0
    while found := _TOKEN.search(words, place):
        made += text(words[place : found.start()])
        place = found.end()
        if found[1]:
            made += _sign(found[1]) or text(found[0])
            continue
        end = _closing(words, place)
        if end is None:
            made += text(found[0])
        else:
            made += element(_PLACES[found[2]], titled(words[place:end]))
            place = end + 1
    return Html(made + text(words[place:]))


def _sign(name: str) -> str:
    size = "CAPITAL" if name[0].isupper() else "SMALL"
    try:
        return _SIGNS.get(name) or unicodedata.lookup(f"GREEK {size} LETTER {name.upper()}")
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
