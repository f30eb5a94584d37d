"""A small writer of ROOT files: a few objects, given as bytes, in the top folder of a file.

uproot writes histograms and trees, but not objects of other classes.  A ROOT file is a header, then records that each
begin with a key (class, name, title, sizes, place), and at the end a list of the keys and one of the free space.  The
same objects give the same bytes: there are no times in it, and identifiers are made from the content.
"""

from __future__ import annotations

import struct
import uuid
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

_BEGIN = 100
"""Where the first record stands, behind the header and room for it to grow."""
_VERSION = 62600
"""Version of ROOT in the header: decides only how the header is read."""
_ZLIB = 1
_LARGEST = 2_000_000_000
"""Files beyond this have other keys."""
_LARGEST_PIECE = 0xFFFFFF
"""Bytes that can be compressed in one piece."""
_NO_TIME = (1 << 22) | (1 << 17)
"""The first day of ROOT's calendar, 1 January 1995."""
_NAMESPACE = uuid.UUID("6a1f7e0c-4c1d-5a86-9a39-2f4f1a5f6b52")


@dataclass(frozen=True)
class RootObject:
    """An object to be written: how it streams itself is the caller's business."""

    class_name: str
    name: str
    title: str
    data: bytes


def text(value: str) -> bytes:
    """Return a text as ROOT streams it: its length, and its characters."""
    data = value.encode("utf-8", "surrogateescape")
    return (struct.pack(">B", len(data)) if len(data) < 255 else struct.pack(">BI", 255, len(data))) + data


def content_uuid(*contents: bytes) -> uuid.UUID:
    """Return an identifier that differs if the content does."""
    return uuid.uuid5(_NAMESPACE, sha256(b"".join(contents)).hexdigest())


def root_file(name: str, objects: Sequence[RootObject], *, level: int) -> bytes:
    """Return the bytes of a ROOT file; ``level`` is how well zlib compresses it."""
    identifier = struct.pack(">h", 1) + content_uuid(*(one.data for one in objects)).bytes
    named = text(name) + text("")
    key_length = _key_length("TFile", name, "")
    n_bytes_name = key_length + len(named)

    records = bytearray()
    # 1. the top folder itself; where the list of keys stands is filled in at the end
    folder = _folder(0, n_bytes_name, 0, identifier)
    records += _key("TFile", name, "", len(named + folder), len(named + folder), _BEGIN, 0) + named + folder
    # 2. the objects, 3. the (empty) list of descriptions of classes
    keys = []
    for one in (*objects, RootObject("TList", "StreamerInfo", "Doubly linked list", _empty_list())):
        packed = _compressed(one.data, level)
        place = _BEGIN + len(records)
        key = _key(one.class_name, one.name, one.title, len(one.data), len(packed), place, _BEGIN)
        records += key + packed
        keys.append(key)
    del keys[-1]  # found through the header, not through the list
    classes_place, n_classes = place, _BEGIN + len(records) - place
    # 4. the list of keys
    listed = struct.pack(">i", len(keys)) + b"".join(keys)
    keys_place = _BEGIN + len(records)
    keys_record = _key("TFile", name, "", len(listed), len(listed), keys_place, _BEGIN) + listed
    records += keys_record
    # 5. the list of free space: all behind the end
    free_place = _BEGIN + len(records)
    n_free = key_length + struct.calcsize(">hii")
    end = free_place + n_free
    if end > _LARGEST:
        raise ValueError(f"{name}: more than {_LARGEST} bytes")
    free = struct.pack(">hii", 1, end, _LARGEST)
    records += _key("TFile", name, "", len(free), len(free), free_place, _BEGIN) + free
    folder = _folder(len(keys_record), n_bytes_name, keys_place, identifier)
    records[key_length + len(named) : key_length + len(named) + len(folder)] = folder
    header = struct.pack(
        ">4s7iBiii",
        b"root",
        _VERSION,
        _BEGIN,
        end,
        free_place,
        n_free,
        1,
        n_bytes_name,
        4,
        100 * _ZLIB + level,
        classes_place,
        n_classes,
    )
    return (header + identifier).ljust(_BEGIN, b"\0") + bytes(records)


def _key_length(class_name: str, name: str, title: str) -> int:
    return struct.calcsize(">ihiIhhii") + sum(len(text(one)) for one in (class_name, name, title))


def _key(class_name: str, name: str, title: str, size: int, packed_size: int, place: int, parent: int) -> bytes:
    """Return the key of a record: ``size`` bytes, of which ``packed_size`` stand in the file."""
    length = _key_length(class_name, name, title)
    numbers = struct.pack(">ihiIhhii", length + packed_size, 4, size, _NO_TIME, length, 1, place, parent)
    return numbers + text(class_name) + text(name) + text(title)


def _folder(n_bytes_keys: int, n_bytes_name: int, keys_place: int, identifier: bytes) -> bytes:
    """Return a TDirectory, with room for places of 64 bits at its end."""
    numbers = struct.pack(">hIIiiiii", 5, _NO_TIME, _NO_TIME, n_bytes_keys, n_bytes_name, _BEGIN, 0, keys_place)
    return numbers + identifier + b"\0" * 12


def _empty_list() -> bytes:
    """Return a TList without objects."""
    content = struct.pack(">hhII", 5, 1, 0, 0) + text("") + struct.pack(">i", 0)
    return struct.pack(">I", 0x40000000 | len(content)) + content


def _compressed(data: bytes, level: int) -> bytes:
    """Return pieces of compressed bytes, each behind method, version and both sizes; the data if that is no shorter."""
    pieces = []
    for start in range(0, len(data), _LARGEST_PIECE):
        piece = data[start : start + _LARGEST_PIECE]
        packed = zlib.compress(piece, level)
        sizes = len(packed).to_bytes(3, "little") + len(piece).to_bytes(3, "little")
        pieces.append(b"ZL\x08" + sizes + packed)
    result = b"".join(pieces)
    return result if len(result) < len(data) else data
