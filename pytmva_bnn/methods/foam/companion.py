"""The companion of a weight file: a ROOT file with the foams, read object by object.

``uproot`` finds and unpacks the objects; a general reader does not manage TMVA's array of pointers to cells, so their
bytes are read here, in the layout of TMVA 4.1.1 and later (class versions PDEFoam 7, PDEFoamCell 2).
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import WeightFileError
from pytmva_bnn.methods.foam.tree import Foam, FoamKind

ENDING = "_foams.root"
"""Stands in the companion's name where the weight file's has ``.xml``."""
CLASS = "TMVA::PDEFoam"
"""The name of a foam's class begins with this, and ends with its kind."""
BYTE_COUNT = 0x40000000
NEW_CLASS = 0xFFFFFFFF
REFERENCED = 0x10
"""The bit of a TObject that references point to."""
FOAM_VERSION, CELL_VERSION, KIND_VERSION = 7, 2, 1
_MOST_DIMENSIONS = 10_000
_ADVICE = "copy it again from the folder of the training"


class _DamagedError(Exception):
    """The bytes are not a foam; the text says why."""


def read_foams(data: bytes, names: Iterable[str], file: str) -> tuple[Foam, ...]:
    """Return the foams of these names from the bytes of a companion file; ``file`` is its name for messages."""
    import uproot  # lazy: heavy

    try:
        with uproot.open(io.BytesIO(data)) as directory:
            keys = [directory.key(name) for name in directory.keys(cycle=False, recursive=False)]
            objects = {key.fName: (key.fClassName, _bytes_of(key)) for key in keys}
    except ImportError:
        raise  # uproot says which package unpacks this file
    except Exception as error:  # a damaged file makes uproot fail in many ways
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        problem = f"not a ROOT file, or damaged ({reason}); {_ADVICE}"
        raise WeightFileError(problem, file=file) from error
    return tuple(_foam(name, objects, file) for name in names)


def _bytes_of(key: Any) -> bytes:
    chunk, _ = key.get_uncompressed_chunk_cursor()
    return bytes(chunk.raw_data)


def _foam(name: str, objects: Mapping[str, tuple[str, bytes]], file: str) -> Foam:
    if name not in objects:
        there = ", ".join(one for one, (of_class, _) in objects.items() if of_class.startswith(CLASS)) or "none"
        raise WeightFileError(
            f"could not load the foam {name}: the foams in this file are: {there}. Is it the companion of another "
            "weight file?",
            file=file,
        )
    of_class, data = objects[name]
    try:
        kind = FoamKind(of_class.removeprefix(CLASS))
    except ValueError:
        raise WeightFileError(
            f"the foam {name} is of the class {of_class}, which is not a foam or is older than TMVA 4.1.1, and "
            "cannot be read; train again, or rewrite the file with TMVA of ROOT 5.30 or later",
            file=file,
        ) from None
    try:
        foam = _Reader(data).foam(name, kind)
        problem = foam.problem()
    except _DamagedError as error:
        problem = str(error)
    except (struct.error, IndexError, ValueError, UnicodeDecodeError) as error:
        problem = f"its bytes end early, or are not in the expected order ({error})"
    if problem:
        raise WeightFileError(f"the foam {name} cannot be read: {problem}; {_ADVICE}", file=file)
    return foam


class _Cell(NamedTuple):
    """A cell as the file has it; parent and daughters are references by the cells' ids."""

    id: int
    parent: int
    first: int
    second: int
    is_active: bool
    dimension: int
    fraction: float
    volume: float
    integral: float
    drive: float
    elements: FloatArray


class _Reader:
    """Takes the parts of a foam object from its bytes, one after the other (big-endian, as all in ROOT files)."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def foam(self, name: str, kind: FoamKind) -> Foam:
        self._kind_headers(kind)
        self._header(FOAM_VERSION, "PDEFoam")
        self._object()
        self._text()  # fName: the name of the key says the same
        n_dimensions, n_cells, n_bins, n_samples, *_ = self._take("7i")
        if not 0 < n_dimensions <= _MOST_DIMENSIONS or not 0 < n_cells <= len(self._data):
            raise _DamagedError(f"it claims to have {n_cells} cells in {n_dimensions} dimensions")
        self._take("IH")
        cells = [self._cell() for _ in range(n_cells)]
        self._skip_pointer()  # histograms of the edges
        self._array(n_dimensions)
        self._skip_pointer()  # the random generator
        self._array(n_dimensions)
        self._take("i")  # type of the foam
        x_min, x_max = self._array(n_dimensions), self._array(n_dimensions)
        _, n_min, max_depth, vol_frac, original_weights, _, _ = self._take("3If?iB")
        names = self._names()
        return Foam(
            name,
            kind,
            x_min,
            x_max,
            **_arrays(cells),
            role=self._take("I")[0] if kind is not FoamKind.EVENT else 0,
            n_bins=n_bins,
            n_samples=n_samples,
            n_min=n_min,
            max_depth=max_depth,
            vol_frac=vol_frac,
            original_weights=original_weights,
            variable_names=names,
        )

    def _kind_headers(self, kind: FoamKind) -> None:
        self._header(KIND_VERSION, f"PDEFoam{kind}")
        if kind in (FoamKind.DECISION_TREE, FoamKind.MULTI_TARGET):  # derived from Discriminant and Event
            self._header(KIND_VERSION, "its base class")

    def _cell(self) -> _Cell:
        if self._pointer() is None:
            raise _DamagedError("a cell is missing")
        self._header(CELL_VERSION, "PDEFoamCell")
        identifier = self._object()
        _, _, status = self._take("hii")
        parent, first, second = (self._take("HIIH")[1] for _ in range(3))  # TRef
        fraction, dimension, volume, integral, drive = self._take("di3d")
        return _Cell(
            identifier,
            parent,
            first,
            second,
            status == 1,
            dimension,
            fraction,
            volume,
            integral,
            drive,
            self._elements(),
        )

    def _elements(self) -> FloatArray:
        """Return the values of a cell; what is missing counts as 0."""
        result = np.zeros(2)
        if self._pointer() is not None:  # TVectorT<double>
            self._header()
            self._object()
            n, first = self._take("ii")
            if n < 0 or first != 0:
                raise _DamagedError(f"a cell has {n} values from number {first} on")
            values = self._array(n)
            result[: min(n, 2)] = values[:2]
        return result

    def _names(self) -> tuple[str, ...]:
        """Return the names of the variables, a TObjArray of TObjStrings."""
        end = self._pointer()
        if end is None:
            return ()
        self._header()
        self._object()
        self._text()
        n, _ = self._take("ii")
        names = []
        for _ in range(n):
            if self._pointer() is not None:
                self._header()
                self._object()
                names.append(self._text())
        self._at = end
        return tuple(names)

    # -- what ROOT puts everything together from

    def _take(self, form: str) -> tuple[Any, ...]:
        found = struct.unpack_from(">" + form, self._data, self._at)
        self._at += struct.calcsize(">" + form)
        return found

    def _header(self, version: int | None = None, what: str = "") -> None:
        """Take the number of bytes and the version of a class."""
        count, found = self._take("IH")
        if not count & BYTE_COUNT:
            raise _DamagedError("its bytes are not in the expected order")
        if version is not None and found != version:
            raise _DamagedError(f"version {found} of the class {what} is not supported, only {version}")

    def _object(self) -> int:
        """Take a TObject, and return its id."""
        _, identifier, bits = self._take("HII")
        if bits & REFERENCED:
            self._take("H")
        return int(identifier)

    def _pointer(self) -> int | None:
        """Take the head of a pointer; return where its object ends, None for a null pointer."""
        (count,) = self._take("I")
        if count == 0:
            return None
        if not count & BYTE_COUNT:
            raise _DamagedError("its bytes are not in the expected order")
        end = self._at + (count & ~BYTE_COUNT)
        (tag,) = self._take("I")
        if tag == NEW_CLASS:
            self._at = self._data.index(b"\0", self._at) + 1
        return int(end)

    def _skip_pointer(self) -> None:
        end = self._pointer()
        self._at = self._at if end is None else end

    def _array(self, n: int) -> FloatArray:
        (there,) = self._take("B")
        if not there:
            return np.zeros(n)
        return np.array(self._take(f"{n}d"))

    def _text(self) -> str:
        (length,) = self._take("B")
        if length == 255:
            (length,) = self._take("I")
        (text,) = self._take(f"{length}s")
        return str(text.decode("utf-8", "surrogateescape"))


def _arrays(cells: list[_Cell]) -> dict[str, Any]:
    """Return the arrays of a foam, with references resolved."""
    number = {cell.id: index for index, cell in enumerate(cells)}
    if len(number) != len(cells):
        raise _DamagedError("two of its cells have the same id")

    def index_of(cell: _Cell, reference: int) -> int:
        if cell.is_active:
            return -1
        if reference not in number:
            raise _DamagedError("a divided cell has no daughters")
        return number[reference]

    return {
        "first": np.array([index_of(cell, cell.first) for cell in cells], dtype=np.int64),
        "second": np.array([index_of(cell, cell.second) for cell in cells], dtype=np.int64),
        "dimension": np.array([cell.dimension for cell in cells], dtype=np.int64),
        "fraction": np.array([cell.fraction for cell in cells]),
        "volumes": np.array([cell.volume for cell in cells]),
        "integrals": np.array([cell.integral for cell in cells]),
        "drives": np.array([cell.drive for cell in cells]),
        "elements": np.array([cell.elements for cell in cells]),
    }
