"""Files that belong to a weight file and stand beside it, such as the ROOT file with the foams of PDEFoam."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Companion:
    """A file to be written with a weight file; ``words`` stand before its name in the log.

    ``ending`` is that of its name (see :func:`companion_path`), or with ``named`` all of it.
    """

    ending: str
    data: bytes
    words: str
    named: bool = False

    def path(self, weight_file: Path) -> Path:
        """Return where it stands."""
        return weight_file.with_name(self.ending) if self.named else companion_path(weight_file, self.ending)


def companion_path(weight_file: Path, ending: str) -> Path:
    """Return where a companion stands: its name is the weight file's, with ``ending`` for ``.xml``.

    >>> companion_path(Path("weights/job_PDEFoam.weights.xml.gz"), "_foams.root").name
    'job_PDEFoam.weights_foams.root'
    """
    name = weight_file.name.removesuffix(".gz")
    # TMVA: every .xml in the name is replaced
    return weight_file.with_name(name.replace(".xml", ending) if ".xml" in name else name + ending)
