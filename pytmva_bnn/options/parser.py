"""The option engine: declared options, the option string, and their values.

Factory, DataLoader, Reader, methods and PDFs all use an :class:`OptionSet`; what differs between them is the
table they declare.

>>> from pytmva_bnn.options import splitting_options
>>> options = OptionSet(splitting_options(["Signal", "Background"]), owner="DataLoader")
>>> options.parse("!V:nTrain_signal=60:SplitMode=block:SplitSead=3")
'~!V:~nTrain_signal=60:~SplitMode=block:SplitSead=3'
>>> options["nTrain_Signal"], options["SplitMode"], options.is_set("SplitSeed")
(60, 'Block', False)
>>> options.unused()
['SplitSead=3']
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pytmva_bnn.errors import OptionError, suggestion
from pytmva_bnn.options.conversion import coerce, first_word, from_text, leading_integer, to_text
from pytmva_bnn.options.declaration import Option, OptionType, OptionValue, Scalar
from pytmva_bnn.options.strings import MARK, OptionRecord, records_to_string, split_tokens
from pytmva_bnn.options.unused import NO_SUCH_OPTION, explain_unused

LOGGER = logging.getLogger("pytmva_bnn.options")

T = TypeVar("T", bool, int, float, str)


@dataclass
class Slot:
    """Where an :class:`OptionSet` keeps the value of one option."""

    option: Option
    elements: tuple[Scalar, ...]
    is_set: bool = False

    @classmethod
    def of(cls, option: Option) -> Slot:
        """Return the slot of ``option`` holding its default."""
        slot = cls(option, ())
        default = option.default
        if option.size is not None and not isinstance(default, tuple):
            default = (default,) * option.size
        slot.value = default
        return slot

    @property
    def value(self) -> OptionValue:
        """The present value, a tuple for an array; assigning it leaves the set flag alone."""
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
        """The value as text, the elements of an array joined by blanks."""
        return " ".join(to_text(element) for element in self.elements)

    def assign(self, text: str, index: int | None = None) -> None:
        """Take the value from ``text``, for one element of an array if ``index`` is given."""
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
                f"allowed: {', '.join(option.allowed)}" + (f"; {hint}" if hint else "")
            )
        # TMVA: with blanks around it the value passes the test but keeps the user's spelling, and later
        # case-sensitive comparisons do not recognise it
        if word != canonical:
            LOGGER.warning(
                "Option %s: '%s' is kept as '%s' because of the blank; write %s=%s",
                option.name, text, word, option.name, canonical,
            )  # fmt: skip
        return from_text(option, text)


class OptionSet:
    """An ordered set of declared options with their values.

    ``owner`` names the object in error messages.  ``marked`` is the option string after the last
    :meth:`parse`, each understood token marked with ``~``; PDFs parse the method's marked string in turn, and
    what they return is put back there before :meth:`check_unused`.  ``parts`` are sets of options that parse the same
    string, by name: see :meth:`parse_part`.
    """

    def __init__(self, declared: Iterable[Option] = (), owner: str = "") -> None:
        self.owner = owner
        self.marked = ""
        self.parts: dict[str, OptionSet] = {}
        self._slots: list[Slot] = []
        self._by_name: dict[str, Slot] = {}
        self.declare(declared)

    def declare(self, more: Iterable[Option]) -> None:
        """Append options; of two with the same name the first is the one that is found."""
        for option in more:
            slot = Slot.of(option)
            self._slots.append(slot)
            self._by_name.setdefault(option.name.lower(), slot)

    @property
    def declared(self) -> tuple[Option, ...]:
        """The declared options in order."""
        return tuple(slot.option for slot in self._slots)

    # ---- values --------------------------------------------------------------------------------------------

    def __iter__(self) -> Iterator[str]:
        return (slot.option.name for slot in self._slots)

    def __len__(self) -> int:
        return len(self._slots)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name.lower() in self._by_name

    def __getitem__(self, name: str) -> OptionValue:
        return self._slot(name).value

    def __repr__(self) -> str:
        return f"OptionSet({', '.join(f'{slot.option.name}={slot.value!r}' for slot in self._slots)})"

    def flag(self, name: str) -> bool:
        """Return the value of a Bool option."""
        return self._typed(name, bool)

    def integer(self, name: str) -> int:
        """Return the value of an Int or UInt option."""
        return self._typed(name, int)

    def real(self, name: str) -> float:
        """Return the value of a Float (rounded to float32) or Double option."""
        return self._typed(name, float)

    def string(self, name: str) -> str:
        """Return the value of a String option."""
        return self._typed(name, str)

    def is_set(self, name: str) -> bool:
        """Tell whether the parser has assigned the option, be it its default."""
        return self._slot(name).is_set

    def set_value(self, name: str, value: OptionValue | Sequence[Scalar]) -> None:
        """Give the option a value as its owner does, without touching the set flag or the allowed values."""
        self._slot(name).value = value

    # ---- the option string ---------------------------------------------------------------------------------

    def parse(self, text: str) -> str:
        """Assign the options that ``text`` names; return it with each understood token marked by ``~``.

        Tokens nobody understands are no error yet: see :meth:`check_unused`.
        """
        rewritten: list[str] = []
        for token in split_tokens(text):
            body = token.lstrip(MARK)
            try:
                accepted = self._assign_named(body) or self._assign_bare(body)
            except OptionError as error:
                raise OptionError(f"{self._prefix}{error}") from None
            rewritten.append(MARK + body if accepted or token != body else body)
        self.marked = ":".join(rewritten)
        return self.marked

    def parse_part(self, name: str, declared: Iterable[Option]) -> OptionSet:
        """Let a part of the owner, such as one of its PDFs, take its options from the same string; return its set."""
        part = self.parts[name] = OptionSet(declared, self.owner)
        self.marked = part.parse(self.marked)
        return part

    def unused(self) -> list[str]:
        """Return the tokens of the marked string that no option has taken."""
        return [token for token in split_tokens(self.marked) if not token.startswith(MARK)]

    def check_unused(self, also_declared: Iterable[Option] = ()) -> None:
        """Raise OptionError if there are tokens that no option has taken.

        ``also_declared`` are options of other objects that parse the same string (the PDFs of a method); the
        message looks for near names among them too.
        """
        unused = self.unused()
        if not unused:
            return
        of_parts = (option for part in self.parts.values() for option in part.declared)
        declared = (*self.declared, *of_parts, *also_declared)
        # of options that stand there for each variable, the general ones are enough
        names = [option.name for option in declared if "[" not in option.name]
        problem = "The following options were specified, but could not be interpreted: "
        explanations = [explain_unused(token, declared) for token in unused]
        lines = [f"{self._prefix}{problem}'{':'.join(unused)}', please check!", *(f"  {text}" for text in explanations)]
        if any(text.endswith(NO_SUCH_OPTION) for text in explanations):
            lines.append(f"  (known options: {', '.join(names)})")
        raise OptionError("\n".join(lines))

    # ---- weight files and listings -------------------------------------------------------------------------

    def records(self) -> list[OptionRecord]:
        """Return what a weight file holds of these options, in declared order."""
        return [OptionRecord(slot.option.name, slot.text, slot.is_set, slot.option.size) for slot in self._slots]

    def parse_records(self, records: Iterable[OptionRecord]) -> str:
        """Assign the options from the records of a weight file; return the marked string."""
        return self.parse(records_to_string(records))

    def listing(self) -> str:
        r"""Return the options as listed in a standalone class: those set by the user, then the others."""
        lines = {True: ["# Set by User:"], False: ["# Default:"]}
        for slot in self._slots:
            lines[slot.is_set].append(f'{slot.option.name}: "{slot.text}" [{slot.option.description}]')
        return "\n".join([*lines[True], *lines[False], "##", ""])

    # ---- how parse works -----------------------------------------------------------------------------------

    @property
    def _prefix(self) -> str:
        return f"{self.owner}: " if self.owner else ""

    def _slot(self, name: str) -> Slot:
        slot = self._by_name.get(name.lower())
        if slot is None:
            hint = suggestion(name, self)
            raise OptionError(f"There is no option {name!r}" + (f": {hint}" if hint else ""))
        return slot

    def _typed(self, name: str, kind: type[T]) -> T:
        slot = self._slot(name)
        if not isinstance(slot.value, kind):
            raise OptionError(f"Option {slot.option.name} is of type {slot.option.type.value}, not {kind.__name__}")
        return slot.value

    def _assign_named(self, body: str) -> bool:
        """Try ``name=value`` and ``name[index]=value``."""
        name, equals, value = body.partition("=")
        slot, index = self._find(name) if equals else (None, None)
        if slot is None:
            return False
        if slot.is_set:
            LOGGER.warning("Value for option %s was previously set to %s", slot.option.name.lower(), slot.text)
        slot.assign(value, index)
        return True

    def _find(self, name: str) -> tuple[Slot | None, int | None]:
        slot = self._by_name.get(name.lower())
        if slot is not None or "[" not in name:
            return slot, None
        base, _, rest = name.partition("[")
        slot = self._by_name.get(base.lower())
        index = leading_integer(rest.partition("]")[0])
        if slot is not None and index is None:
            raise OptionError(f"The index of {name} is not an integer; write {slot.option.name}[0]=...")
        return slot, index

    def _assign_bare(self, body: str) -> bool:
        """Try ``name``, ``!name`` and a value alone."""
        word = body.removeprefix("!")
        negated = word != body
        slot = self._by_name.get(word.lower())
        if slot is not None and slot.option.type is OptionType.BOOL:
            slot.assign(str(not negated))
            return True
        if slot is not None and negated:
            raise OptionError(
                f"Negating a non-boolean variable {word.lower()}, please check the options; "
                f"write {slot.option.name}=<{slot.option.type.value}>"
            )
        return self._assign_loose(word, negated)

    def _assign_loose(self, word: str, negated: bool) -> bool:
        for slot in self._slots:
            value = slot.option.canonical(word)
            if value is not None:
                slot.assign(value)
                # TMVA: the '!' is ignored, !BFGS selects BFGS
                quiet = logging.DEBUG if "[" in slot.option.name else logging.INFO  # for each variable again
                level = logging.WARNING if negated else quiet
                LOGGER.log(level, "'%s%s' was read as %s=%s", "!" * negated, word, slot.option.name, value)
                return True
        return False
