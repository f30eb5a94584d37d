"""The text of VarTransform and of the Factory's Transformations: which transformations, of which quantities.

>>> (step,) = parse_var_transform("N_Signal(b,_T_)")
>>> step
TransformationSpec(name='N', class_name='Signal', selection=('b', '_T_'))
>>> select(step.selection, variables=["a", "b"], targets=["t"]).get
(Quantity(kind=<Kind.VARIABLE: 'Variable'>, index=1), Quantity(kind=<Kind.TARGET: 'Target'>, index=0))
"""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from pytmva_bnn.errors import OptionError, suggestion
from pytmva_bnn.options.conversion import c_atoi, leading_integer

if TYPE_CHECKING:
    from collections.abc import Sequence

LOGGER = logging.getLogger("pytmva_bnn.options")

ALL_CLASSES = "AllClasses"

_ONLY_VARIABLES = ("_V_",)
_WITH_TARGETS = ("_V_", "_T_")

#: accepted names (case-sensitive), the first is the canonical one, and the selection if none is given
TRANSFORMATIONS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("I", "Ident", "Identity"), _ONLY_VARIABLES),
    (("D", "Deco", "Decorrelate"), _ONLY_VARIABLES),
    (("P", "PCA"), _ONLY_VARIABLES),
    (("U", "Uniform"), _WITH_TARGETS),
    (("G", "Gauss"), _ONLY_VARIABLES),
    (("N", "Norm", "Normalise", "Normalize"), _WITH_TARGETS),
    (("S", "Scale", "ScaleNorm"), _WITH_TARGETS),
)
#: as logs and output files call them
_SHORT_NAMES = {"I": "Id", "D": "Deco", "P": "PCA", "G": "Gauss", "U": "Uniform", "N": "Norm", "S": "Scale"}
_BY_NAME = {name: (names[0], default) for names, default in TRANSFORMATIONS for name in names}


class Kind(Enum):
    """Where a quantity of an event is kept; the value is the ``Type`` in weight files."""

    VARIABLE = "Variable"
    TARGET = "Target"
    SPECTATOR = "Spectator"


@dataclass(frozen=True)
class Quantity:
    """A variable, target or spectator by its index."""

    kind: Kind
    index: int


@dataclass(frozen=True)
class TransformationSpec:
    """One step of a chain: ``name`` is one of I D P U G N S, ``class_name`` None for all classes together."""

    name: str
    class_name: str | None
    selection: tuple[str, ...]

    @property
    def short_name(self) -> str:
        """Return what logs and output files call it."""
        return _SHORT_NAMES[self.name]

    def class_index(self, class_names: Sequence[str]) -> int:
        """Return the index of the reference class, -1 for all classes; OptionError if there is no such class."""
        if self.class_name is None:
            return -1
        if self.class_name in class_names:
            return class_names.index(self.class_name)
        hint = suggestion(self.class_name, class_names)
        raise OptionError(
            f"Class {self.class_name} not known for variable transformation {self.name}, please check; "
            f"the classes are {', '.join([*class_names, ALL_CLASSES])}" + (f"; {hint}" if hint else "")
        )


@dataclass(frozen=True)
class Selection:
    """The inputs of a transformation (``get``) and where its outputs go (``put``)."""

    get: tuple[Quantity, ...]
    put: tuple[Quantity, ...]


def split_transformations(text: str) -> list[str]:
    """Return the chains of the Factory's option Transformations, each in the syntax of VarTransform."""
    return [chain for chain in text.split(";") if chain]


def parse_var_transform(text: str) -> list[TransformationSpec]:
    """Return the steps of a chain, in the order of application."""
    if text == "None":
        return []
    commas_to_plus = re.sub(r"\([^)]*\)|,", lambda match: "+" if match[0] == "," else match[0], text)
    # TMVA: a '+' separates inside of brackets too, so a label such as a+b cannot be selected by name
    return [_parse_step(piece) for piece in commas_to_plus.split("+") if piece]


def select(
    items: Sequence[str],
    variables: Sequence[str],
    targets: Sequence[str] = (),
    spectators: Sequence[str] = (),
) -> Selection:
    """Return the quantities that the items of a selection mean, given the labels of all quantities."""
    labels = {Kind.VARIABLE: variables, Kind.TARGET: targets, Kind.SPECTATOR: spectators}
    chosen: list[Quantity] = []
    rearrange = False
    for item in items:
        word = item[1:-1] if len(item) > 1 and item.startswith("_") and item.endswith("_") else None
        if word is not None and "REARRANGE".startswith(word):
            rearrange = True
        elif word is not None and word[0] in "VTS":
            kind = next(kind for kind in Kind if kind.value.startswith(word[0]))
            chosen.extend(_select_by_index(item, word[1:], kind, len(labels[kind])))
        else:
            chosen.extend(_select_by_label(item, labels))
    order = list(Kind)
    put = sorted(set(chosen), key=lambda quantity: (order.index(quantity.kind), quantity.index))
    return Selection(get=tuple(chosen if rearrange else put), put=tuple(put))


def _parse_step(piece: str) -> TransformationSpec:
    match = re.match(r"([^(]*)\(([^)]*)\)(.*)", piece, re.DOTALL)
    if match is None and "(" in piece:
        raise OptionError(
            f"VarTransform: the bracket of '{piece}' is not closed; a '+' separates transformations even "
            "inside brackets: select such a variable by index (_V0_) or give it a label (label := a+b)"
        )
    before, items, after = match.groups() if match else (piece, "", "")
    # TMVA: parts beyond the second are ignored, so a class name containing '_' is cut
    words = [word for word in (before + after).split("_") if word]
    name = words[0] if words else ""
    if name not in _BY_NAME:
        hint = suggestion(name, _BY_NAME)
        raise OptionError(
            f"VarTransform: Variable transform '{name}' unknown (in '{piece}'); "
            f"known: {', '.join(_BY_NAME)} (case-sensitive)" + (f"; {hint}" if hint else "")
        )
    class_name = words[1] if len(words) > 1 and words[1] != ALL_CLASSES else None
    canonical, default = _BY_NAME[name]
    selection = tuple(item for item in items.split(",") if item)
    return TransformationSpec(canonical, class_name, selection or default)


def _select_by_index(item: str, number: str, kind: Kind, size: int) -> list[Quantity]:
    if not number:
        return [Quantity(kind, index) for index in range(size)]
    # TMVA: atoi, so that _Vx_ is the variable 0
    index = c_atoi(number)
    if leading_integer(number) is None:
        LOGGER.warning("'%s' in a variable transformation was read as %s number 0", item, kind.value.lower())
    if not 0 <= index < size:
        what = kind.value.lower()
        raise OptionError(
            f"You selected {what} with index : {index} of only {size} {what}s; "
            f"'{item}' counts from 0, so the last is _{kind.value[0]}{size - 1}_"
            if size
            else f"You selected {what} with index : {index} of only 0 {what}s; remove '{item}'"
        )
    return [Quantity(kind, index)]


def _select_by_label(label: str, labels: dict[Kind, Sequence[str]]) -> list[Quantity]:
    found = [Quantity(kind, list(names).index(label)) for kind, names in labels.items() if label in names]
    if not found:
        hint = suggestion(label, [name for names in labels.values() for name in names])
        LOGGER.warning(
            "Error at parsing the options for the variable transformations: "
            "Variable/Target/Spectator '%s' not found.%s",
            label,
            f" {hint}" if hint else "",
        )
    return found
