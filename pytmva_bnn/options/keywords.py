"""Keyword arguments as option strings, as PyROOT does it since 6.28."""

from __future__ import annotations

from collections.abc import Mapping


def option_string(text: str, keywords: Mapping[str, object]) -> str:
    """Return ``text`` with the keywords appended: True is ``key``, False ``!key``, anything else ``key=value``.

    >>> option_string("!H", {"NCycles": 500, "UseRegulator": True, "V": False})
    '!H:NCycles=500:UseRegulator:!V'
    """
    items = [text] if text else []
    for key, value in keywords.items():
        if isinstance(value, bool):
            items.append(key if value else f"!{key}")
        else:
            items.append(f"{key}={value}")
    return ":".join(items)
