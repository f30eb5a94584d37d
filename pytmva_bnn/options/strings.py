"""Option strings: split into tokens, made from keyword arguments (as PyROOT does since 6.28) or from a weight file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from numbers import Real
from os import PathLike

from pytmva_bnn.errors import OptionError

#: before a token that an option has taken
MARK = "~"
#: what stands between the elements of a list
_SEPARATORS = {"transformations": ";"}
#: options for which None is a value of its own
_WITH_NONE = ("vartransform", "transformations", "normmode")


def split_tokens(text: str) -> list[str]:
    """Return the tokens of an option string; empty ones are dropped, blanks are kept."""
    return [token for token in text.split(":") if token]


def option_string(text: str, keywords: Mapping[str, object]) -> str:
    """Return ``text`` with the keywords appended: True is ``key``, False ``!key``, anything else ``key=value``.

    A list becomes what the option wants, e.g. layers of neurons.
    """
    items = [text] if text else []
    for key, value in keywords.items():
        if isinstance(value, bool):
            items.append(key if value else f"!{key}")
        else:
            items.append(f"{key}={_value(key, value)}")
    return ":".join(items)


def with_choice(base: str, choice: Mapping[str, object]) -> str:
    """Return an option string with the values of a choice in the place of those it has.

    >>> with_choice("NTrees=10:!UseRegulator:H", {"ntrees": 200, "UseRegulator": True})
    'H:ntrees=200:UseRegulator'
    """
    varied = {name.lower() for name in choice}
    kept = [one for one in split_tokens(base) if one.partition("=")[0].lstrip("!~").lower() not in varied]
    for name, value in choice.items():
        if isinstance(value, str) and ":" in value:
            raise OptionError(f"{name}={value}: a value cannot have a colon, which separates options")
    return option_string(":".join(kept), choice)


def _value(key: str, value: object) -> str:
    if isinstance(value, list | tuple) and value:
        return _SEPARATORS.get(key.lower(), ",").join(_value(key, one) for one in value)
    if isinstance(value, str | Real | PathLike) or (value is None and key.lower() in _WITH_NONE):
        return str(value)
    is_container = value is None or isinstance(value, Mapping | set | list | tuple)
    # e.g. a TString of the ROOT shim
    if not is_container and type(value).__str__ is not object.__str__:
        return str(value)
    raise OptionError(f"{key}={value!r}: an option's value must be a string, a number, True, False or a list of these")


@dataclass(frozen=True)
class OptionRecord:
    """One ``<Option name= modified= [size=]>value</Option>`` element of a weight file."""

    name: str
    value: str
    modified: bool
    size: int | None = None


def records_to_string(records: Iterable[OptionRecord]) -> str:
    """Return the option string that TMVA makes of a weight file's records and then parses.

    The ``modified`` flags are ignored: every option that the file names counts as set.
    """
    tokens: list[str] = []
    for record in records:
        if record.size is None:
            tokens.append(f"{record.name}={record.value}")
        else:
            tokens.extend(f"{record.name}[{i}]={value}" for i, value in enumerate(record.value.split()))
    return ":".join(tokens)
