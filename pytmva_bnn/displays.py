"""What a notebook shows of an object, without knowing who draws it.

Classes with a rich display inherit from :class:`Displayed`; the room ``show`` registers a renderer for each of them
with ``@html.register``.  It is loaded at the first display: ``pytmva_bnn/__init__.py``, which may know every room, says
how, by :func:`before_first_display`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch
from html import escape

_waiting: list[Callable[[], None]] = []


@singledispatch
def html(thing: object) -> str:
    """Return an object as HTML: its repr, unless there is a renderer for its class.

    >>> html(["<a>"])
    '<pre>[&#x27;&lt;a&gt;&#x27;]</pre>'
    """
    return f"<pre>{escape(repr(thing))}</pre>"


def before_first_display(load_renderers: Callable[[], None]) -> None:
    """Call this function once, when something is displayed for the first time."""
    _waiting.append(load_renderers)


class Displayed:
    """A class whose objects notebooks show as HTML."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        while _waiting:
            _waiting.pop()()
        return html(self)
