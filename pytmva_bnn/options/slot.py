"""A declared option together with its present value and its "set" flag."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pytmva_bnn.errors import OptionError, suggestion
from pytmva_bnn.options.conversion import coerce, first_word, from_text, to_text

if TYPE_CHECKING:
    from pytmva_bnn.options.declaration import Option, OptionValue, Scalar

LOGGER = logging.getLogger("pytmva_bnn.options")


@dataclass
class Slot:
    """Where an :class:`OptionSet` keeps the value of one option.

    >>> from pytmva_bnn.options import Option, OptionType
    >>> slot = Slot.of(Option("BPMode", OptionType.STRING, "sequential", "", ("sequential", "batch")))
    >>> slot.assign("Batch")
    >>> slot.value, slot.is_set
    ('batch', True)
    """

    option: Option
    elements: tuple[Scalar, ...]
    is_set: bool = False

    @classmethod
    def of(cls, option: Option) -> Slot:
        """Return the slot of ``option`` holding its default.

        >>> from pytmva_bnn.options import Option, OptionType
        >>> Slot.of(Option("Cuts", OptionType.DOUBLE, 0.5, "", size=2)).value
        (0.5, 0.5)
        """
        slot = cls(option, ())
        default = option.default
        if option.size is not None and not isinstance(default, tuple):
            default = (default,) * option.size
        slot.value = default
        return slot

    def copy(self) -> Slot:
        """Return a slot of its own with the same content.

        >>> from pytmva_bnn.options import Option, OptionType
        >>> slot = Slot.of(Option("H", OptionType.BOOL, False, "help"))
        >>> slot.copy() == slot
        True
        """
        return replace(self)

    @property
    def value(self) -> OptionValue:
        """The present value, a tuple for an array; assigning it leaves the set flag alone.

        >>> from pytmva_bnn.options import Option, OptionType
        >>> slot = Slot.of(Option("EstimatorType", OptionType.STRING, "MSE", ""))
        >>> slot.value = "CE"
        >>> slot.value, slot.is_set
        ('CE', False)
        """
        return self.elements[0] if self.option.size is None else self.elements

    @value.setter
    def value(self, value: OptionValue | Sequence[Scalar]) -> None:
        option = self.option
        if option.size is None:
            self.elements = (coerce(option, value),)
        elif isinstance(value, str) or not isinstance(value, Sequence) or len(value) != option.size:
            raise OptionError(f"Option {option.name} takes {option.size} values, got {value!r} instead")
        else:
            self.elements = tuple(coerce(option, element) for element in value)

    @property
    def text(self) -> str:
        """The value as text, the elements of an array joined by blanks.

        >>> from pytmva_bnn.options import Option, OptionType
        >>> Slot.of(Option("Cuts", OptionType.DOUBLE, 0.5, "", size=2)).text
        '5.000000e-01 5.000000e-01'
        """
        return " ".join(to_text(element) for element in self.elements)

    def assign(self, text: str, index: int | None = None) -> None:
        """Take the value from ``text``, for one element of an array if ``index`` is given.

        >>> from pytmva_bnn.options import Option, OptionType
        >>> slot = Slot.of(Option("Cuts", OptionType.INT, 0, "", size=3))
        >>> slot.assign("7", index=1)
        >>> slot.value, slot.is_set
        ((0, 7, 0), False)
        """
        option = self.option
        value = self._read(text)
        if option.size is None:
            if index is not None:
                raise OptionError(
                    f"Option {option.name} is not an array, but you specified an index; write {option.name}={text}"
                )
            self.elements = (value,)
            self.is_set = True
        elif index is None:
            # TMVA: assigning an array never sets its flag, so files always say modified="No"
            self.elements = (value,) * option.size
        elif 0 <= index < option.size:
            self.elements = (*self.elements[:index], value, *self.elements[index + 1 :])
        else:
            raise OptionError(
                f"Index {index} too {'large' if index > 0 else 'small'} for option {option.name}, "
                f"allowed range is [0,{option.size - 1}]"
            )

    def _read(self, text: str) -> Scalar:
        option = self.option
        if not option.allowed:
            return from_text(option, text)
        canonical = option.canonical(text)
        if canonical is not None:
            return canonical
        word = first_word(text)
        canonical = option.canonical(word)
        if canonical is None:
            hint = suggestion(word, option.allowed)
            raise OptionError(
                f'Option {option.name} does not have predefined value: "{text}"; '
                f"allowed are {', '.join(option.allowed)}" + (f"; {hint}" if hint else "")
            )
        # TMVA: with blanks around it the value passes the test but keeps the user's spelling, and later
        # case-sensitive comparisons do not recognise it
        if word != canonical:
            LOGGER.warning(
                "Option %s: '%s' is kept as '%s' because of the blank; write %s=%s",
                option.name, text, word, option.name, canonical,
            )  # fmt: skip
        return from_text(option, text)
