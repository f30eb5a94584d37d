"""The table of all transformations, and what looks them up: fits, weight files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from pytmva_bnn.errors import InputError
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.transform.decorrelate import Decorrelation
from pytmva_bnn.transform.gauss import Gaussianisation
from pytmva_bnn.transform.normalise import Normalisation
from pytmva_bnn.transform.oldgauss import OldGaussianisation
from pytmva_bnn.transform.principal import PrincipalComponents
from pytmva_bnn.transform.rearrange import Rearrangement
from pytmva_bnn.transform.selection import KINDS, Quantity, Selection
from pytmva_bnn.transform.step import Element, Sample, Step
from pytmva_bnn.xmlio import reading as xml
from pytmva_bnn.xmlio import writing
from pytmva_bnn.xmlio.dialect import Dialect
from pytmva_bnn.xmlio.words import Words
from pytmva_bnn.xmlio.writing import Lines

STEPS: tuple[type[Step], ...] = (
    Normalisation,
    Decorrelation,
    PrincipalComponents,
    Gaussianisation,
    OldGaussianisation,
    Rearrangement,
)
BY_LETTER: Mapping[str, type[Step]] = {letter: step for step in STEPS for letter in step.letters}
BY_XML_NAME: Mapping[str, type[Step]] = {name: step for step in STEPS for name in step.xml_names}
TEXT_CHAINS = {"none": "", "": "", "decorrelate": "D", "pca": "P", "uniform": "U", "gauss": "G", "gaussdecorr": "GD"}
"""What VarTransform of TMVA <= 3.9 means."""


def fit_step(
    letter: str,
    values: ArrayLike,
    classes: ArrayLike,
    n_classes: int,
    weights: ArrayLike | None = None,
    selection: Selection | None = None,
) -> Step:
    """Return the transformation that VarTransform calls ``letter``, fitted to inputs (n_events, n_inputs)."""
    if letter not in BY_LETTER:
        raise InputError(f"the variable transformation '{letter}' cannot be fitted; known: {' '.join(BY_LETTER)}")
    w = np.ones(np.size(classes)) if weights is None else weights
    return BY_LETTER[letter].fit(letter, Sample(values, classes, w, n_classes), selection)  # type: ignore[arg-type]


# -- XML


def read_xml(element: Element, n_variables: int, n_targets: int) -> Step:
    """Read one <Transform>; the numbers of variables and targets are needed for files without <Selection>."""
    name = xml.attribute(element, "Name")
    if name not in BY_XML_NAME:
        xml.fail(element, f"the variable transform {name!r} is unknown; known: {', '.join(BY_XML_NAME)}")
    step = BY_XML_NAME[name]
    selection = _read_selection(element)
    if selection is not None:
        n_inputs = len(selection.inputs)
    else:
        n_inputs = n_variables + n_targets if step.takes_targets else n_variables
    return step.read_xml(element, selection, n_inputs)


def _read_selection(element: Element) -> Selection | None:
    selection = xml.optional_child(element, "Selection")
    if selection is None:
        return None
    # TMVA: the first child is the input list, the second the output list, whatever their names
    lists = list(xml.children(selection))
    if len(lists) != 2:
        xml.fail(selection, f"an input and an output list are expected, but there are {len(lists)} elements")
    inputs, outputs = (tuple(_read_quantity(item) for item in xml.children(one)) for one in lists)
    for one, name, found in ((lists[0], "NInputs", inputs), (lists[1], "NOutputs", outputs)):
        if xml.count(one, name) != len(found):
            xml.fail(one, f"{name}={one.get(name)}, but {len(found)} are present")
    if len(inputs) != len(outputs):
        xml.fail(selection, f"{len(inputs)} inputs cannot go to {len(outputs)} outputs")
    return Selection(inputs, outputs)


def _read_quantity(element: Element) -> Quantity:
    kind = xml.attribute(element, "Type")
    if kind not in KINDS:
        xml.fail(element, f"Type={kind!r} is not one of {', '.join(KINDS)}")
    return Quantity(kind, xml.attribute(element, "Label"), xml.attribute(element, "Expression"))


def write_xml(
    step: Step, variables: Sequence[VariableRecord], targets: Sequence[VariableRecord], dialect: Dialect
) -> Lines:
    """Yield the lines of one <Transform>; the variables and targets are those of the file."""
    attributes, content = step.write_xml(variables, targets, dialect)
    yield writing.start(2, "Transform", [("Name", step.xml_names[0]), *attributes])
    if step.selection is not None:
        yield "      <Selection>"
        yield from _quantities("Input", "NInputs", step.selection.inputs)
        yield from _quantities("Output", "NOutputs", step.selection.outputs)
        yield "      </Selection>"
    yield from content
    yield "    </Transform>"


def _quantities(name: str, count: str, quantities: tuple[Quantity, ...]) -> Lines:
    lines = (
        writing.empty(5, name, [("Type", q.kind), ("Label", q.label), ("Expression", q.expression)]) for q in quantities
    )
    return writing.element(4, name, [(count, len(quantities))], lines)


# -- text files of TMVA <= 3.9


def read_text(words: Words, options: Mapping[str, str], n_variables: int) -> list[Step]:
    """Read the chain that the options name; ``options`` has lower-case names."""
    name = options.get("vartransform", "None").lower()
    if name not in TEXT_CHAINS:
        words.fail(f"the variable transform {options.get('vartransform')!r} is unknown")
    letters = TEXT_CHAINS[name]
    if name == "none" and options.get("d", "").lower() in ("1", "true", "ktrue", "t"):
        letters = "D"
    # the set of this class is the one applied: it is appended as the last
    applied = 1 if options.get("vartransformtype", "Signal").lower() == "background" else 0
    return [BY_LETTER[letter].read_text(letter, words, n_variables, applied) for letter in letters]
