"""Options outside of the program: the records of a weight file and the listing of old text files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True)
class OptionRecord:
    """One ``<Option name= modified= [size=]>value</Option>`` element of a weight file.

    >>> OptionRecord("NCycles", "60", modified=True)
    OptionRecord(name='NCycles', value='60', modified=True, size=None)
    """

    name: str
    value: str
    modified: bool
    size: int | None = None


def records_to_string(records: Iterable[OptionRecord]) -> str:
    """Return the option string that TMVA makes of a weight file's records and then parses.

    The ``modified`` flags are ignored: every option that the file names counts as set.

    >>> records_to_string([OptionRecord("NCycles", "60", True), OptionRecord("Cuts", "0 7", False, size=2)])
    'NCycles=60:Cuts[0]=0:Cuts[1]=7'
    """
    tokens: list[str] = []
    for record in records:
        if record.size is None:
            tokens.append(f"{record.name}={record.value}")
        else:
            tokens.extend(f"{record.name}[{i}]={value}" for i, value in enumerate(record.value.split()))
    return ":".join(tokens)


def listing_line(name: str, value: str, description: str) -> str:
    """Return one line of a listing.

    >>> listing_line("NCycles", "60", "number of training epochs")
    'NCycles: "60" [number of training epochs]'
    """
    return f'{name}: "{value}" [{description}]'


def listing_to_string(text: str) -> str:
    """Return the option string that TMVA makes of a listing, which ends at a line starting with ``##``.

    >>> listing_to_string('''# Set by User:
    ... NCycles: "200" [Number of training cycles]
    ... ##
    ... HiddenLayers: "5" [not read any more]''')
    'NCycles=200'
    """
    tokens: list[str] = []
    for line in text.splitlines():
        if line.startswith("##"):
            break
        words = line.split(maxsplit=2)
        if words and not line.startswith("#"):
            # TMVA: two words only, so a value ends at its first blank (of an array one element is read)
            name, value = (*words, "")[:2]
            tokens.append(name.replace(":", "=") + value.replace('"', ""))
    return ":".join(tokens)
