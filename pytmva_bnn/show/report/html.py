"""Small pieces of HTML; all text that goes into them is escaped here and nowhere else."""

from __future__ import annotations

import base64
import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any


class Html(str):
    """HTML that is escaped already, where a value may stand."""

    __slots__ = ()


def text(value: object) -> str:
    """Return a value as text that can stand anywhere in a page; numbers are rounded to be read.

    >>> text("<b> & 'c'"), text(0.123456789), text(12345678), text(None), text(float("nan"))
    ('&lt;b&gt; &amp; &#x27;c&#x27;', '0.1235', '12345678', '–', '–')
    """
    if isinstance(value, Html):
        return value
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if isinstance(value, float):
        return escape(f"{value:.4g}")
    # control characters are not allowed in HTML at all
    return escape("".join(c if c.isprintable() or c == "\n" else "�" for c in str(value)))


def element(name: str, inside: str, **attributes: object) -> str:
    """Return an element around HTML; ``class_`` is the attribute class.

    >>> element("p", text("a < b"), class_="note")
    '<p class="note">a &lt; b</p>'
    """
    given = "".join(f' {key.rstrip("_")}="{text(value)}"' for key, value in attributes.items())
    return f"<{name}{given}>{inside}</{name}>"


def table(headings: Sequence[object], rows: Iterable[Sequence[object]], caption: str = "") -> str:
    """Return a table; numbers stand at the right.

    >>> table(["a"], [[1.5]])
    '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td class="number">1.5</td></tr></tbody></table>'
    """
    head = element("thead", element("tr", "".join(element("th", text(one)) for one in headings)))
    body = element("tbody", "".join(element("tr", "".join(map(_cell, row))) for row in rows))
    return element("table", (element("caption", text(caption)) if caption else "") + head + body)


def _cell(value: object) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return element("td", text(value), class_="number")
    return element("td", text(value))


def description_list(pairs: Iterable[tuple[str, object]]) -> str:
    """Return names and values as a table of two columns without headings.

    >>> description_list([("layers", "2-10-1")])
    '<table class="pairs"><tbody><tr><th>layers</th><td>2-10-1</td></tr></tbody></table>'
    """
    rows = "".join(element("tr", element("th", text(name)) + _cell(value)) for name, value in pairs)
    return element("table", element("tbody", rows), class_="pairs")


def note(words: str) -> str:
    """Return a remark.

    >>> note("left out")
    '<p class="note">left out</p>'
    """
    return element("p", text(words), class_="note")


def folded(title: str, inside: str) -> str:
    """Return something that opens on a click.

    >>> folded("more", "<p>a</p>")
    '<details><summary>more</summary><p>a</p></details>'
    """
    return element("details", element("summary", text(title)) + inside)


def picture(png: bytes, caption: str, width: int, shown: str | None = None) -> str:
    """Return an image, held in the page itself, with its caption; ``shown`` is the caption as HTML.

    >>> picture(b"", "a plot", 300)[:50]
    '<figure><img src="data:image/png;base64," alt="a p'
    """
    source = "data:image/png;base64," + base64.b64encode(png).decode("ascii")
    image = f'<img src="{source}" alt="{text(caption)}" width="{width}">'
    return element("figure", image + element("figcaption", text(caption if shown is None else shown)))


def anchor(words: Any) -> str:
    """Return a name for links within the page.

    >>> anchor("Input variables: <a>")
    'input-variables-a'
    """
    kept = "".join(c if c.isascii() and c.isalnum() else " " for c in str(words).lower())
    return "-".join(kept.split()) or "part"
