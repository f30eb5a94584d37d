"""The option engine: declared options, the option string, and their values.

Factory, DataLoader, Reader, methods and PDFs all use an :class:`OptionSet`; what differs between them is the
table they declare.

>>> from pytmva_bnn.options import MLP_METHOD_OPTIONS
>>> options = OptionSet(MLP_METHOD_OPTIONS, owner="MLP")
>>> options.parse("!V:NCycles=60:TrainingMethod=bfgs:UseRegulater")
'~!V:~NCycles=60:~TrainingMethod=bfgs:UseRegulater'
>>> options["NCycles"], options["TrainingMethod"], options.is_set("TestRate")
(60, 'BFGS', False)
>>> options.unused()
['UseRegulater']
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, TypeVar

from pytmva_bnn.errors import OptionError, suggestion
from pytmva_bnn.options.conversion import leading_integer
from pytmva_bnn.options.declaration import Option, OptionType, OptionValue, Scalar
from pytmva_bnn.options.records import OptionRecord, listing_line, listing_to_string, records_to_string
from pytmva_bnn.options.slot import Slot
from pytmva_bnn.options.tokens import MARK, split_tokens
from pytmva_bnn.options.unused import explain_unused

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

LOGGER = logging.getLogger("pytmva_bnn.options")

T = TypeVar("T", bool, int, float, str)


class OptionSet:
    """An ordered set of declared options with their values.

    ``owner`` names the object in error messages.  ``marked`` is the option string after the last
    :meth:`parse`, each understood token marked with ``~``; PDFs parse the method's marked string in turn, and
    what they return is put back there before :meth:`check_unused`.

    >>> from pytmva_bnn.options import Option, OptionType
    >>> options = OptionSet([Option("NCycles", OptionType.INT, 500, "number of training epochs")])
    >>> options["ncycles"]
    500
    """

    def __init__(self, declared: Iterable[Option] = (), owner: str = "") -> None:
        self.owner = owner
        self.marked = ""
        self._slots: list[Slot] = []
        self._by_name: dict[str, Slot] = {}
        self.declare(declared)

    def declare(self, more: Iterable[Option]) -> None:
        """Append options; of two with the same name the first is the one that is found.

        >>> from pytmva_bnn.options import COMPATIBILITY_OPTIONS, MLP_METHOD_OPTIONS
        >>> options = OptionSet(MLP_METHOD_OPTIONS)
        >>> options.declare(COMPATIBILITY_OPTIONS)
        >>> list(options)[-1]
        'NsmoothMVAPdf'
        """
        for option in more:
            slot = Slot.of(option)
            self._slots.append(slot)
            self._by_name.setdefault(option.name.lower(), slot)

    def copy(self) -> OptionSet:
        """Return an independent set with the same options, values, flags and marked string.

        >>> from pytmva_bnn.options import reader_options
        >>> options = OptionSet(reader_options())
        >>> other = options.copy()
        >>> other.set_value("Error", True)
        >>> options["Error"]
        False
        """
        other = OptionSet(owner=self.owner)
        other.marked = self.marked
        other._slots = [slot.copy() for slot in self._slots]
        for slot in other._slots:
            other._by_name.setdefault(slot.option.name.lower(), slot)
        return other

    @property
    def declared(self) -> tuple[Option, ...]:
        """The declared options in order.

        >>> from pytmva_bnn.options import reader_options
        >>> OptionSet(reader_options()).declared[0].name
        'V'
        """
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
        """Return the value of a Bool option.

        >>> from pytmva_bnn.options import reader_options
        >>> OptionSet(reader_options(verbose=True)).flag("V")
        True
        """
        return self._typed(name, bool)

    def integer(self, name: str) -> int:
        """Return the value of an Int or UInt option.

        >>> from pytmva_bnn.options import MLP_OPTIONS
        >>> OptionSet(MLP_OPTIONS).integer("TestRate")
        10
        """
        return self._typed(name, int)

    def real(self, name: str) -> float:
        """Return the value of a Float (rounded to float32) or Double option.

        >>> from pytmva_bnn.options import MLP_OPTIONS
        >>> OptionSet(MLP_OPTIONS).real("LearningRate")
        0.02
        """
        return self._typed(name, float)

    def string(self, name: str) -> str:
        """Return the value of a String option.

        >>> from pytmva_bnn.options import MLP_OPTIONS
        >>> OptionSet(MLP_OPTIONS).string("BPMode")
        'sequential'
        """
        return self._typed(name, str)

    def is_set(self, name: str) -> bool:
        """Tell whether the parser has assigned the option, be it its default.

        >>> from pytmva_bnn.options import MLP_OPTIONS
        >>> options = OptionSet(MLP_OPTIONS)
        >>> _ = options.parse("TestRate=10")
        >>> options.is_set("TestRate"), options.is_set("Tau")
        (True, False)
        """
        return self._slot(name).is_set

    def set_value(self, name: str, value: OptionValue | Sequence[Scalar]) -> None:
        """Give the option a value as its owner does, without touching the set flag or the allowed values.

        >>> from pytmva_bnn.options import ANN_OPTIONS
        >>> options = OptionSet(ANN_OPTIONS)
        >>> options.set_value("EstimatorType", "CE")
        >>> options["EstimatorType"], options.is_set("EstimatorType")
        ('CE', False)
        """
        self._slot(name).value = value

    # ---- the option string ---------------------------------------------------------------------------------

    def parse(self, text: str) -> str:
        """Assign the options that ``text`` names; return it with each understood token marked by ``~``.

        Tokens nobody understands are no error yet: see :meth:`check_unused`.

        >>> from pytmva_bnn.options import splitting_options
        >>> OptionSet(splitting_options(["Signal", "Background"])).parse("nTrain_signal=10:Block:xyz")
        '~nTrain_signal=10:~Block:xyz'
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

    def unused(self) -> list[str]:
        """Return the tokens of the marked string that no option has taken.

        >>> options = OptionSet()
        >>> _ = options.parse("Foo=1:~Bar")
        >>> options.unused()
        ['Foo=1']
        """
        return [token for token in split_tokens(self.marked) if not token.startswith(MARK)]

    def check_unused(self, also_declared: Iterable[Option] = ()) -> None:
        """Raise OptionError if there are tokens that no option has taken.

        ``also_declared`` are options of other objects that parse the same string (the PDFs of a method); the
        message looks for near names among them too.

        >>> from pytmva_bnn.options import MLP_OPTIONS
        >>> options = OptionSet(MLP_OPTIONS, owner="MLP")
        >>> _ = options.parse("UseRegulater")
        >>> options.check_unused()
        Traceback (most recent call last):
        pytmva_bnn.errors.OptionError: MLP: The following options were specified, but could not be ...
        """
        unused = self.unused()
        if not unused:
            return
        declared = (*self.declared, *also_declared)
        problem = "The following options were specified, but could not be interpreted: "
        lines = [
            f"{self._prefix}{problem}'{':'.join(unused)}', please check!",
            *(f"  {explain_unused(token, declared)}" for token in unused),
            f"  (known options: {', '.join(option.name for option in declared)})",
        ]
        raise OptionError("\n".join(lines))

    # ---- weight files and listings -------------------------------------------------------------------------

    def records(self) -> list[OptionRecord]:
        """Return what a weight file holds of these options, in declared order.

        >>> from pytmva_bnn.options import MLP_OPTIONS
        >>> OptionSet(MLP_OPTIONS).records()[1]
        OptionRecord(name='LearningRate', value='2.000000e-02', modified=False, size=None)
        """
        return [OptionRecord(slot.option.name, slot.text, slot.is_set, slot.option.size) for slot in self._slots]

    def parse_records(self, records: Iterable[OptionRecord]) -> str:
        """Assign the options from the records of a weight file; return the marked string.

        >>> from pytmva_bnn.options import MLP_OPTIONS
        >>> OptionSet(MLP_OPTIONS).parse_records([OptionRecord("Tau", "3.000000e+00", modified=False)])
        '~Tau=3.000000e+00'
        """
        return self.parse(records_to_string(records))

    def listing(self) -> str:
        r"""Return the options as listed in a standalone class: those set by the user, then the others.

        >>> from pytmva_bnn.options import Option, OptionType
        >>> options = OptionSet([Option("NCycles", OptionType.INT, 500, "number of training epochs")])
        >>> print(options.listing(), end="")
        # Set by User:
        # Default:
        NCycles: "500" [number of training epochs]
        ##
        """
        lines = {True: ["# Set by User:"], False: ["# Default:"]}
        for slot in self._slots:
            lines[slot.is_set].append(listing_line(slot.option.name, slot.text, slot.option.description))
        return "\n".join([*lines[True], *lines[False], "##", ""])

    def parse_listing(self, text: str) -> str:
        """Reset the set flags and assign the options from a listing; return the marked string.

        >>> from pytmva_bnn.options import MLP_OPTIONS
        >>> OptionSet(MLP_OPTIONS).parse_listing('''Tau: "2.5" [step]
        ... ##''')
        '~Tau=2.5'
        """
        for slot in self._slots:
            slot.is_set = False
        return self.parse(listing_to_string(text))

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
                level = logging.WARNING if negated else logging.INFO
                LOGGER.log(level, "'%s%s' was read as %s=%s", "!" * negated, word, slot.option.name, value)
                return True
        return False
