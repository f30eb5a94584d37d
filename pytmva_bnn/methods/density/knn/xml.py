"""The element <Weights> of KNN, which is the list of its training events, and the same list in text files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray, IntArray
from pytmva_bnn.methods.density.event_rows import EventRows
from pytmva_bnn.xmlio import reading as xml
from pytmva_bnn.xmlio import writing
from pytmva_bnn.xmlio.words import Words

if TYPE_CHECKING:
    from lxml.etree import _Element as Element
else:
    Element = Any


class Events(NamedTuple):
    """The training events: variables, targets, types (1: signal, 2: background) and weights."""

    variables: Float32Array
    targets: Float32Array
    types: IntArray
    weights: FloatArray


class EventStream:
    """Takes the events while a file streams in."""

    tags = ("Event",)

    def __init__(self) -> None:
        self.types: list[str] = []
        self.rows = EventRows("Event")

    def take(self, element: Element) -> None:
        """Take an <Event> of <Weights>."""
        parent = element.getparent()
        if parent is None or parent.tag != "Weights":
            return
        self.types.append(xml.attribute(element, "Type"))
        line: int | None = element.sourceline  # type: ignore[assignment]
        self.rows.add(xml.attribute(element, "Weight"), element.text or "", line)
        element.clear()

    @classmethod
    def of(cls, weights: Element) -> EventStream:
        """Return the events of an element that is parsed already."""
        stream = cls()
        for element in weights.iterfind("Event"):
            stream.take(element)
        return stream


def read_events(weights: Element, stream: EventStream, n_variables: int) -> Events:
    """Return the events of <Weights>, whose <Event> elements the stream has taken."""
    n_targets = xml.count(weights, "NTgt")
    if xml.count(weights, "NVar") != n_variables:
        xml.fail(weights, f"NVar={weights.get('NVar')}, but the file has {n_variables} variables")
    # TMVA: does not look at the number of events; a file that was cut short has fewer
    if xml.count(weights, "NEvents") != len(stream.types):
        xml.fail(weights, f"NEvents={weights.get('NEvents')}, but {len(stream.types)} elements <Event> are present")
    numbers, event_weights = stream.rows.finished(n_variables + n_targets)
    types = stream.rows.codes(stream.types, {"1": 1, "2": 2}, "Type")
    return Events(numbers[:, :n_variables], numbers[:, n_variables:], types, event_weights)


def read_text_events(words: Words, n_variables: int) -> Events:
    """Return the events of the section #WGT: lines of number, type, weight and variables, separated by commas."""
    types: list[str] = []
    rows = EventRows("#WGT")
    while not words.at_end():
        _, *fields = words.next("an event").split(",")
        if len(fields) != 2 + n_variables:
            words.fail(f"an event has {len(fields) - 2} variables, the method {n_variables}")
        types.append(fields[0])
        rows.add(fields[1], " ".join(fields[2:]), words.line)
    numbers, weights = rows.finished(n_variables)
    codes = rows.codes(types, {"1": 1, "2": 2}, "type")
    return Events(numbers, numbers[:, n_variables:], codes, weights)


def weights_lines(events: Events) -> writing.Lines:
    """Yield the element <Weights>."""
    n_events, n_variables = events.variables.shape
    n_targets = events.targets.shape[1]
    yield writing.start(1, "Weights", [("NEvents", n_events), ("NVar", n_variables), ("NTgt", n_targets)])
    numbers = np.hstack([events.variables, events.targets]).astype(np.float64)
    line = '    <Event Type="%d" Weight="%.16e">' + " ".join(["%.16e"] * numbers.shape[1]) + "</Event>"
    for type_, weight, row in zip(events.types.tolist(), events.weights.tolist(), numbers.tolist(), strict=True):
        yield line % (type_, weight, *row)
    yield "  </Weights>"
