"""TMVA's GUIs: where they open a window with buttons, one page with all their plots is written."""

from __future__ import annotations

import logging
from pathlib import Path

from pytmva_bnn.show.plots.save import file_name
from pytmva_bnn.show.report.output_file import read_output_file
from pytmva_bnn.show.report.write import report_from_output_file

log = logging.getLogger("pytmva_bnn.show.report")


def TMVAGui(file: str | Path = "TMVA.root", dataset: str = "") -> Path:  # noqa: N802 - TMVA's name
    """Write ``<dataset>/plots/report.html`` beside the output file of a classification and return its path.

    ``TMVAGui("TMVA.root", "dataset")`` and ``TMVAGui("dataset", "TMVA.root")`` are the same.

    >>> import pytmva_bnn as TMVA
    >>> TMVA.TMVAGui("TMVA.root")  # doctest: +SKIP
    PosixPath('dataset/plots/report.html')
    """
    return _report("TMVAGui", file, dataset)


def TMVARegGui(file: str | Path = "TMVAReg.root", dataset: str = "") -> Path:  # noqa: N802 - TMVA's name
    """Do the same for a regression; see :func:`TMVAGui`."""
    return _report("TMVARegGui", file, dataset)


def TMVAMultiClassGui(file: str | Path = "TMVAMulticlass.root", dataset: str = "") -> Path:  # noqa: N802
    """Do the same for several classes; see :func:`TMVAGui`."""
    return _report("TMVAMultiClassGui", file, dataset)


def _report(name: str, file: str | Path, dataset: str) -> Path:
    path, chosen = _sorted(str(file), str(dataset))
    found = read_output_file(path, chosen).content.dataset
    # files of ROOT before 6.08 have no data set of their own
    folder = path.parent / file_name(found) if found else path.parent
    written = report_from_output_file(path, folder / "plots" / "report.html", found)
    log.info("--- %s: open %s in a browser", name, written.resolve())
    return written


def _sorted(first: str, second: str) -> tuple[Path, str]:
    """Return the file and the data set, in whichever order they were given.

    >>> _sorted("dataset", "TMVA.root"), _sorted("TMVA.root", "")
    ((PosixPath('TMVA.root'), 'dataset'), (PosixPath('TMVA.root'), ''))
    """
    if second.endswith(".root") and not first.endswith(".root"):
        first, second = second, first
    return Path(first), second
