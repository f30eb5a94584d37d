"""What a transformation is: a :class:`Step` of a chain, with everything one can do with it side by side.

A new transformation is a file with a subclass of :class:`Step` and its name in the table of
:mod:`pytmva_bnn.transform.steps`.  What a subclass does not have, it says in one sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeAlias, TypeVar

import numpy as np

from pytmva_bnn._typing import AnyArray, Float32Array, FloatArray, IndexArray
from pytmva_bnn.cpp.literals import INDENT
from pytmva_bnn.errors import InputError
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.fast.threads import in_parts
from pytmva_bnn.onnxio.graph import Graph
from pytmva_bnn.transform.selection import Selection
from pytmva_bnn.xmlio import reading as xml
from pytmva_bnn.xmlio.dialect import Dialect
from pytmva_bnn.xmlio.words import Words
from pytmva_bnn.xmlio.writing import Lines

if TYPE_CHECKING:
    from lxml.etree import _Element

    Element: TypeAlias = _Element
else:
    Element = Any

Result = TypeVar("Result")
Events: TypeAlias = IndexArray | slice
"""What selects the events of a set, in their order."""


@dataclass(frozen=True)
class Place:
    """A target in a step: its position among the inputs, its number, and the number of the output it comes from."""

    position: int
    target: int
    output: int


@dataclass(frozen=True)
class Code:
    """C++ of a step: the statements that change its inputs ``x``, and the functions and constants they need."""

    title: str
    statements: str
    functions: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Sample:
    """What a step is fitted to: inputs float32 (n_events, n_inputs), class indices and weights (n_events,).

    >>> sample = Sample([[1.0], [2.0], [3.0]], classes=[1, 0, 1], weights=[1, 1, 1], n_classes=2)
    >>> sample.sets
    [array([1]), array([0, 2]), slice(None, None, None)]
    """

    x: Float32Array
    classes: IndexArray
    weights: FloatArray
    n_classes: int

    def __post_init__(self) -> None:
        if self.n_classes < 1:
            raise InputError(f"the number of classes must be at least 1, got {self.n_classes}")
        classes = np.asarray(self.classes)
        if classes.ndim != 1 or (len(classes) and not (np.min(classes) >= 0 and np.max(classes) < self.n_classes)):
            raise InputError(
                f"class indices must be a list of numbers from 0 to {self.n_classes - 1}, one per event; got an array "
                f"of shape {classes.shape}"
                + (f" with values from {np.min(classes)} to {np.max(classes)}" if classes.size else "")
            )
        object.__setattr__(self, "classes", classes.astype(np.intp, copy=False))
        object.__setattr__(self, "x", as_inputs(self.x, len(classes)))
        object.__setattr__(self, "weights", as_weights(self.weights, len(classes)))

    @cached_property
    def sets(self) -> list[Events]:
        """What selects the events of each class and then of all; for one class there is one set."""
        if self.n_classes == 1:
            return [slice(None)]
        return [*(np.flatnonzero(self.classes == k) for k in range(self.n_classes)), slice(None)]

    def for_each_set(self, function: Callable[..., Result], *arrays: AnyArray) -> list[Result]:
        """Return ``function`` of the rows that the events of each set have in arrays; threads share the sets."""
        found: dict[int, Result] = {}

        def do(start: int, stop: int) -> None:
            for number in range(start, stop):
                found[number] = function(*(rows(values, self.sets[number]) for values in arrays))

        in_parts(do, len(self.sets), 1, multiplications=float(self.x.size) * self.x.shape[1])
        return [found[number] for number in range(len(self.sets))]


def rows(values: AnyArray, events: Events) -> AnyArray:
    """Return the rows of events; for all events nothing is copied."""
    # several times faster than values[events] for rows of a table
    return values[events] if isinstance(events, slice) else np.take(values, events, axis=0)


def as_inputs(values: Any, n_events: int) -> Float32Array:
    """Return float32 (n_events, n_inputs); InputError for another number of events."""
    x = np.asarray(values, dtype=np.float32)
    if x.ndim != 2 or len(x) != n_events:
        raise InputError(f"the inputs must have the shape (n_events, n_inputs) for {n_events} events, got {x.shape}")
    return x


def as_weights(weights: Any, n_events: int) -> FloatArray:
    """Return float64 (n_events,); InputError for another number of weights."""
    w = np.asarray(weights, dtype=np.float64)
    if w.shape != (n_events,):
        raise InputError(f"expected one weight for each of {n_events} events, got an array of shape {w.shape}")
    return w


@dataclass(frozen=True, eq=False)
class Step:
    """A transformation with its parameters, one set for each class and one, the last, for all events.

    Where a selection has several columns, ``apply`` and ``onnx`` get the first of them only if the targets behind are
    absent.
    """

    selection: Selection | None

    title: ClassVar[str]
    xml_names: ClassVar[tuple[str, ...]] = ()
    """Names of <Transform>; the first one is written."""
    letters: ClassVar[str] = ""
    """Names in VarTransform."""
    parameters: ClassVar[tuple[str, ...]] = ()
    """Fields that have an entry for each set."""
    matrix_name: ClassVar[str | None] = None
    """What messages call a step that mixes all its inputs by a matrix; None if it takes each by itself."""
    takes_targets: ClassVar[bool] = False
    """Whether a step without selection (TMVA <= 4.1.0) acts on the targets too."""
    may_select_targets: ClassVar[bool] = True

    def check(self, n_inputs: int) -> None:
        """Raise an InputError unless the parameters are those of ``n_inputs`` inputs."""

    def apply(self, x: Float32Array) -> Float32Array:
        """Return the inputs (n_events, k) transformed with the last set."""
        raise NotImplementedError

    def invert(self, y: AnyArray, positions: list[int]) -> AnyArray:
        """Undo the transformation of the inputs at ``positions`` (n_events, k), in the precision of ``y``."""
        raise InputError(
            f"transformation {self.title}: it has targets in its selection but no inverse, so the network "
            "outputs cannot be transformed back"
        )

    def only_set(self, index: int) -> Self:
        """Return the step with one set of parameters; -1, and a number that is too large, mean the last."""
        n_sets = min((len(getattr(self, name)) for name in self.parameters), default=0)
        one = slice(-1, None) if index >= n_sets else slice(index, index + 1 or None)
        return replace(self, **{name: getattr(self, name)[one] for name in self.parameters})

    @classmethod
    def fit(cls, letter: str, sample: Sample, selection: Selection | None) -> Self:
        """Return the step of this name fitted to events."""
        raise NotImplementedError

    @classmethod
    def read_xml(cls, element: Element, selection: Selection | None, n_inputs: int) -> Self:
        """Return the step of an element <Transform>."""
        raise NotImplementedError

    def write_xml(
        self, variables: Sequence[VariableRecord], targets: Sequence[VariableRecord], dialect: Dialect
    ) -> tuple[list[tuple[str, object]], Lines]:
        """Return the attributes of <Transform> behind its name, and the lines behind its selection."""
        raise NotImplementedError

    @classmethod
    def read_text(cls, letter: str, words: Words, n_variables: int, applied: int) -> Step:
        """Return the step of a text file (TMVA <= 3.9); the last set is that of the class ``applied``."""
        raise NotImplementedError

    def cpp(self, number: int) -> Code:
        """Return C++ that transforms ``x``; ``number`` makes the names of its constants unique."""
        raise InputError(f"the transformation {self.title} has no C++ form")

    def cpp_inverse(self, number: int, places: Sequence[Place]) -> Code:
        """Return C++ that sets ``targets`` from ``outputs``."""
        raise InputError(f"transformation {self.title}: the targets in its selection cannot be transformed back")

    def onnx(self, graph: Graph, x: str, n_inputs: int) -> str:
        """Append the step on float32 inputs (n_events, n_inputs); the result is float32 too."""
        raise InputError(f"the transformation {self.title} has no ONNX form")

    def onnx_inverse(self, graph: Graph, y: str, positions: list[int], dtype: type) -> str:
        """Append the inverse for the inputs at ``positions``, in float32 or float64."""
        raise InputError(f"the transformation {self.title} of a regression's targets has no ONNX form; use N, S or P")

    def compiled(self, n_inputs: int) -> tuple[int, list[AnyArray]] | None:
        """Return kind and parameters for compiled code, see :mod:`~pytmva_bnn.transform.compiled`; None if unknown."""
        return None


# -- reading, for several steps


def parameter_elements(element: Element) -> list[Element]:
    """Return the children that hold parameters."""
    return [item for item in xml.children(element) if item.tag != "Selection"]


def check_index(element: Element, name: str, position: int) -> None:
    """Fail unless an attribute counts the elements."""
    if xml.integer(element, name) != position:
        xml.fail(element, f"{name}={element.get(name)!r} found where {position} was expected")


def read_matrix(element: Element, rows: str, columns: str, n_inputs: int, *, is_used: bool) -> FloatArray:
    """Return the square matrix in an element; ``rows`` and ``columns`` are the attributes with its size."""
    shape = xml.count(element, rows), xml.count(element, columns)
    if shape != (n_inputs, n_inputs):
        xml.fail(element, f"the matrix is {shape[0]} x {shape[1]}; {n_inputs} inputs need {n_inputs} x {n_inputs}")
    return xml.readable_numbers(element, n_inputs * n_inputs, "matrix elements", is_used=is_used).reshape(shape)


def with_use(sets: Sequence[Element]) -> list[tuple[Element, bool]]:
    """Return the sets of parameters, each with whether it is used: only the last is, that of all classes."""
    return [(item, item is sets[-1]) for item in sets]


def words_per_class(words: Words, n_rows: int, n_columns: int | None) -> tuple[FloatArray, ...]:
    """Return the matrices (without ``n_columns`` vectors) of signal and background in a text file."""
    result = []
    shape = [n_rows] if n_columns is None else [n_rows, n_columns]
    for name in ("signal", "background"):
        words.expect(name)
        found = [words.count("a number of rows")]
        if n_columns is not None:
            words.expect("x")
            found.append(words.count("a number of columns"))
        if found != shape:
            words.fail(f"the size is {' x '.join(map(str, found))}, but there are {n_rows} variables")
        result.append(words.numbers(n_rows * (n_columns or 1), "a matrix element").reshape(shape))
    return tuple(result)


# -- C++ for several steps


def for_each_input(value: str) -> str:
    """Return the loop that sets each input ``x[i]`` to a value."""
    return f"      for (std::size_t i = 0; i < x.size(); ++i)\n         x[i] = {value};"


def indented(lines: Iterable[str]) -> str:
    """Return statements of a function."""
    return "\n".join(INDENT * 2 + line for line in lines)
