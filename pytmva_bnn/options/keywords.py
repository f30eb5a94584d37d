"""Keyword arguments as option strings, as PyROOT does it since 6.28."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from os import PathLike

from pytmva_bnn.errors import OptionError

#: what stands between the elements of a list
_SEPARATORS = {"transformations": ";"}
#: options for which None is a value of its own
_WITH_NONE = ("vartransform", "transformations", "normmode")


def option_string(text: str, keywords: Mapping[str, object]) -> str:
    """Return ``text`` with the keywords appended: True is ``key``, False ``!key``, anything else ``key=value``.

    A list becomes what the option wants, e.g. layers of neurons.

    >>> option_string("!H", {"NCycles": 500, "UseRegulator": True, "V": False, "HiddenLayers": [5, 3]})
    '!H:NCycles=500:UseRegulator:!V:HiddenLayers=5,3'
    """
    items = [text] if text else []
    for key, value in keywords.items():
        if isinstance(value, bool):
            items.append(key if value else f"!{key}")
        else:
            items.append(f"{key}={_value(key, value)}")
    return ":".join(items)


def _value(key: str, value: object) -> str:
    if isinstance(value, list | tuple) and value:
        return _SEPARATORS.get(key.lower(), ",").join(_value(key, one) for one in value)
    if isinstance(value, str | Real | PathLike) or (value is None and key.lower() in _WITH_NONE):
        return str(value)
    is_container = value is None or isinstance(value, Mapping | set | list | tuple)
    # e.g. a TString of the ROOT shim
    if not is_container and type(value).__str__ is not object.__str__:
        return str(value)
    raise OptionError(f"{key}={value!r}: an option's value is text, a number, True, False or a list of these")
