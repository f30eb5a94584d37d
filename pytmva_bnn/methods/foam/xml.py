"""The element <Weights> of PDEFoam: attributes, and the range of the foams.  The foams are in the companion file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.methods.foam.evaluation import Kernel
from pytmva_bnn.methods.foam.settings import SELECTIONS, FoamSettings
from pytmva_bnn.methods.foam.tree import EVENTS_PER_BIN
from pytmva_bnn.xmlio import reading as xml
from pytmva_bnn.xmlio import writing

if TYPE_CHECKING:
    from lxml.etree import _Element as Element
else:
    Element = Any

Attributes = tuple[tuple[str, str], ...]
Ranges = tuple[tuple[str, str, str], ...]
"""Name of an element, its attributes Index and Value."""

KERNELS = tuple(Kernel)
_REAL = "%.16e"


def foam_head(
    settings: FoamSettings, *, is_regression: bool, x_min: FloatArray, x_max: FloatArray
) -> tuple[Attributes, Ranges]:
    """Return what a weight file says of a training."""
    values: tuple[tuple[str, bool | int | float], ...] = (
        ("SigBgSeparated", settings.separate),
        ("Frac", settings.tail_cut),
        ("DiscrErrCut", -1.0),
        ("VolFrac", settings.vol_frac),
        ("nCells", settings.n_cells),
        ("nSampl", settings.n_samples),
        ("nBin", settings.n_bins),
        ("EvPerBin", EVENTS_PER_BIN),
        ("Compress", settings.compress),
        ("DoRegression", is_regression),
        ("CutNmin", True),
        ("Nmin", settings.n_min),
        ("CutRMSmin", False),
        ("RMSmin", 0.0),
        ("Kernel", KERNELS.index(settings.kernel)),
        ("TargetSelection", SELECTIONS.index(settings.target_selection)),
        ("FillFoamWithOrigWeights", settings.original_weights),
        ("UseYesNoCell", settings.yes_no),
    )
    attributes = tuple((name, _REAL % v if isinstance(v, float) else str(int(v))) for name, v in values)
    ends = (("Xmin", x_min), ("Xmax", x_max))
    ranges = tuple((name, str(index), _REAL % value) for name, end in ends for index, value in enumerate(end))
    return attributes, ranges


def read_head(weights: Element) -> tuple[Attributes, Ranges]:
    """Read the attributes and the range, as text: a file is written as it was read."""
    kernel = xml.count(weights, "Kernel")
    if kernel >= len(KERNELS):
        known = ", ".join(f"{number} ({name})" for number, name in enumerate(KERNELS))
        xml.fail(weights, f"unknown Kernel={kernel}; known: {known}")
    for name in ("SigBgSeparated", "UseYesNoCell"):
        if weights.get(name) is not None:  # TMVA: before 4.1 there was no UseYesNoCell
            xml.count(weights, name)
    if not xml.number(weights, "VolFrac") > 0:
        xml.fail(weights, "VolFrac must be larger than 0")
    attributes = tuple((str(name), str(value)) for name, value in weights.attrib.items())
    ranges = []
    for child in xml.children(weights):
        if child.tag not in ("Xmin", "Xmax"):
            xml.fail(child, "only elements <Xmin> and <Xmax> are expected here")
        xml.number(child, "Value")
        ranges.append((str(child.tag), xml.attribute(child, "Index"), xml.attribute(child, "Value")))
    return attributes, tuple(ranges)


def weights_lines(attributes: Attributes, ranges: Ranges) -> writing.Lines:
    """Yield the element <Weights>."""
    lines = (writing.empty(2, name, [("Index", index), ("Value", value)]) for name, index, value in ranges)
    return writing.element(1, "Weights", attributes, lines)
