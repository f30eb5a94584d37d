"""The standalone C++ class beside a weight file."""

from __future__ import annotations

import logging
from pathlib import Path

from pytmva_bnn.errors import InputError
from pytmva_bnn.files import atomic_writer
from pytmva_bnn.model import Model
from pytmva_bnn.standalone import class_source

log = logging.getLogger("pytmva_bnn.Factory")


def write_class_beside(weight_file: Path, model: Model, title: str) -> None:
    """Write the class of a model as ``<job>_<title>.class.C``; a warning says why if it has none."""
    # <job>_<title>.<extension>.xml, whatever the extension is
    path = weight_file.with_suffix("").with_suffix(".class.C")
    try:
        source = class_source(model)
    except InputError as error:
        log.warning("%s: no standalone class is written: %s", title, error)
        return
    log.info("Creating standalone class: %s", path)
    with atomic_writer(path) as stream:
        stream.write(source.encode())
