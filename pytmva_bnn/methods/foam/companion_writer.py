"""Writing of the companion file: foams as ROOT objects that TMVA reads.

The layout is that of :mod:`.companion`; pointers carry the full name of their class, and what TMVA needs only to grow a
foam (histograms, random generator) is null.
"""

from __future__ import annotations

import logging
import struct
from collections.abc import Sequence

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.methods.foam.companion import (
    BYTE_COUNT,
    CELL_VERSION,
    CLASS,
    ENDING,
    FOAM_VERSION,
    KIND_VERSION,
    NEW_CLASS,
    REFERENCED,
)
from pytmva_bnn.methods.foam.root_writer import RootObject, content_uuid, root_file, text
from pytmva_bnn.methods.foam.tree import EVENTS_PER_BIN, Foam, FoamKind
from pytmva_bnn.weights import Companion

log = logging.getLogger("pytmva_bnn.PDEFoam")

_MUST_CLEAN_UP = 0x08
_CLEANUP_ARRAY = 0x4000
_VECTOR_VERSION, _ARRAY_VERSION, _STRING_VERSION = 4, 3, 1
_CELLS_VERSION = 10
_NULL = struct.pack(">I", 0)
BEST_LEVEL, USUAL_LEVEL = 9, 1


def companion_of(foams: Sequence[Foam], *, best_compression: bool = True) -> Companion:
    """Return the ROOT file with these foams."""
    objects, n_before = [], 0
    for foam in foams:
        log.info("writing foam %s to file", foam.name)
        kind = _written_kind(foam)
        title = "Tree of PDEFoamCells"
        objects.append(RootObject(CLASS + kind, foam.name, title, foam_bytes(foam, n_before)))
        n_before += foam.n_cells  # ids are those of the file: equal ones in two foams would mix their cells
    # TMVA resolves references by this identifier: files with different foams must not share one
    identifier = str(content_uuid(*(one.data for one in objects)))
    objects.append(RootObject("TProcessID", "ProcessID0", identifier, _process_id(identifier)))
    level = BEST_LEVEL if best_compression else USUAL_LEVEL
    return Companion(ENDING, root_file(f"weights{ENDING}", objects, level=level), "Foams written to file")


def _written_kind(foam: Foam) -> FoamKind:
    # a foam grown like a decision tree evaluates like any other, and as such needs no object for the separation
    return FoamKind.DISCRIMINANT if foam.kind is FoamKind.DECISION_TREE else foam.kind


def foam_bytes(foam: Foam, n_before: int = 0) -> bytes:
    """Return a foam as ROOT streams it; ``n_before`` cells stand in the file before it."""
    kind = _written_kind(foam)
    content = _versioned(FOAM_VERSION, _foam_content(foam, n_before))
    if kind is FoamKind.MULTI_TARGET:
        content = _versioned(KIND_VERSION, content)  # its base class, PDEFoamEvent
    if kind is not FoamKind.EVENT:
        content += struct.pack(">I", foam.role)
    return _versioned(KIND_VERSION, content)


def _foam_content(foam: Foam, n_before: int) -> bytes:
    n, d = foam.n_cells, foam.n_dimensions
    numbers = (d, n, foam.n_bins, foam.n_samples, EVENTS_PER_BIN, len(foam.active), n - 1)
    cells = b"".join(_cell(foam, number, n_before) for number in range(n))
    last = struct.pack(">3If?i?", 0, foam.n_min, foam.max_depth, foam.vol_frac, foam.original_weights, 0, True)
    return b"".join(
        (
            _object(),
            text(foam.name),
            struct.pack(">7i", *numbers),
            _versioned(_CELLS_VERSION, cells),
            _NULL,  # histograms
            _numbers(np.zeros(d)),
            _NULL,  # random generator
            _numbers(np.zeros(d)),
            struct.pack(">i", 0),  # TMVA: the type of the foam is never set; its class tells
            _numbers(foam.x_min),
            _numbers(foam.x_max),
            last,
            _names(foam.variable_names),
        )
    )


def _cell(foam: Foam, number: int, n_before: int) -> bytes:
    identifier = n_before + number + 1
    is_active = bool(foam.is_active[number])
    relatives = (foam.parents[number], foam.first[number], foam.second[number])
    content = b"".join(
        (
            _referenced_object(identifier),
            struct.pack(">hii", foam.n_dimensions, number, int(is_active)),
            *(_reference(n_before + int(one) + 1 if one >= 0 else 0) for one in relatives),
            struct.pack(
                ">di3d",
                foam.fraction[number],
                foam.dimension[number],
                foam.volumes[number],
                foam.integrals[number],
                foam.drives[number],
            ),
            _vector(foam.elements[number]) if is_active else _NULL,
        )
    )
    return _pointer("TMVA::PDEFoamCell", _versioned(CELL_VERSION, content))


def _vector(values: FloatArray) -> bytes:
    content = _object() + struct.pack(">ii", len(values), 0) + _numbers(values)
    return _pointer("TVectorT<double>", _versioned(_VECTOR_VERSION, content))


def _names(names: Sequence[str]) -> bytes:
    """Return a TObjArray of TObjStrings."""
    if not names:
        return _NULL
    strings = (_pointer("TObjString", _versioned(_STRING_VERSION, _object() + text(name))) for name in names)
    content = _object(_CLEANUP_ARRAY) + text("") + struct.pack(">ii", len(names), 0) + b"".join(strings)
    return _pointer("TObjArray", _versioned(_ARRAY_VERSION, content))


def _process_id(identifier: str) -> bytes:
    named = _object() + text("ProcessID0") + text(identifier)
    return _versioned(1, _versioned(1, named))


# ---- what ROOT puts everything together from ----------------------------------------------------------------


def _versioned(version: int, content: bytes) -> bytes:
    """Return the content of a class behind its size and the class's version."""
    return struct.pack(">IH", BYTE_COUNT | (len(content) + 2), version) + content


def _pointer(class_name: str, content: bytes) -> bytes:
    inside = struct.pack(">I", NEW_CLASS) + class_name.encode() + b"\0" + content
    return struct.pack(">I", BYTE_COUNT | len(inside)) + inside


def _object(bits: int = 0) -> bytes:
    return struct.pack(">HII", 1, 0, bits)


def _referenced_object(identifier: int) -> bytes:
    """Return a TObject that references find by its identifier and the process number 0."""
    return struct.pack(">HIIH", 1, identifier, _MUST_CLEAN_UP | REFERENCED, 0)


def _reference(identifier: int) -> bytes:
    """Return a TRef; 0 refers to nothing."""
    return struct.pack(">HIIH", 1, identifier, 0, 0)


def _numbers(values: FloatArray) -> bytes:
    return struct.pack(f">B{len(values)}d", 1, *values.tolist())
