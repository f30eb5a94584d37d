"""All plots of a training as files, with the names that TMVA's GUI gives them."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from pytmva_bnn.errors import InputError
from pytmva_bnn.files import atomic_writer, expanded
from pytmva_bnn.show.plots import gallery
from pytmva_bnn.show.plots.from_training import Trained, contents_of
from pytmva_bnn.show.plots.style import require_matplotlib

log = logging.getLogger("pytmva_bnn.show.plots")

FORMATS = ("png", "pdf", "svg", "eps", "jpg")
RESOLUTION = 150


def save_all(
    trained: Trained, folder: str | Path, formats: Sequence[str] = ("png",), *, dpi: int = RESOLUTION
) -> list[Path]:
    """Write all plots of trained methods into ``folder`` and return the paths; each file appears when it is complete.

    Names are those of TMVA's GUI (``mva_MLP.png``, ``rejBvsS.png``), more are ``calibration_MLP``, ``relevance_MLP``,
    ``map_MLP`` and ``along_<variable>_MLP``.  With several data sets each has a folder of its own.  Of a model,
    read from a weight file, those plots are written that need no events.

    >>> from pytmva_bnn.show import plots
    >>> plots.save_all(factory, "dataset/plots", formats=("png", "pdf"))  # doctest: +SKIP
    """
    require_matplotlib()
    formats = (formats,) if isinstance(formats, str) else tuple(formats)
    unknown = [one for one in formats if one not in FORMATS]
    if unknown or not formats:
        raise InputError(
            f"plots cannot be saved as {', '.join(unknown) or 'nothing'}; formats are {', '.join(FORMATS)}"
        )
    contents, folder = contents_of(trained), Path(expanded(folder))
    written: list[Path] = []
    for content in contents:
        place = folder / file_name(content.dataset) if len(contents) > 1 else folder
        for section in gallery.sections(content):
            for plot in section.plots:
                figure = plot.figure()
                for one in formats:
                    path = place / f"{file_name(plot.name)}.{one}"
                    save(figure, path, one, dpi=dpi)
                    written.append(path)
    log.info("%d plots written to %s", len(written), folder)
    return written


def save(figure: Any, path: Path, form: str, *, dpi: int = RESOLUTION) -> None:
    """Write one figure under a temporary name that becomes its own at the end."""
    with atomic_writer(path) as stream:
        stream.write(image(figure, form, dpi=dpi))


def image(figure: Any, form: str = "png", *, dpi: int = RESOLUTION) -> bytes:
    """Return a figure as the bytes of an image, the same at every time."""
    buffer = BytesIO()
    # no time of writing in the file
    metadata = {"pdf": {"CreationDate": None}, "svg": {"Date": None}, "png": {"Software": None}}.get(form)
    figure.savefig(buffer, format=form, dpi=dpi, metadata=metadata)
    return buffer.getvalue()


def file_name(name: str) -> str:
    """Return a name without characters that have a meaning in paths."""
    return re.sub(r'[/\\:*?"<>|\x00-\x1f]', "_", name).strip(". ")[:120] or "_"
