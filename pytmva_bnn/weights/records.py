"""The envelope of a weight file as plain data: what TMVA writes, element by element, with nothing interpreted.

Numbers are kept as the file has them (float64), so that a file read and written again is the same file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

from pytmva_bnn.errors import WeightFileError
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.histograms import PDFRecord
from pytmva_bnn.options import OptionRecord
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.transform import Quantity, Step
from pytmva_bnn.xmlio.dialect import Dialect

__all__ = ["ROOT_RELEASE", "TMVA_RELEASE", "Dialect", "UnknownElement", "WeightFile", "as_quantities"]

# The releases whose format and behaviour new files have
TMVA_RELEASE = "4.2.1 [262657]"
ROOT_RELEASE = "6.40/00 [403456]"


@dataclass(frozen=True)
class UnknownElement:
    """An element that TMVA does not know, kept so that nothing is lost when the file is written again."""

    name: str
    xml: str
    after: str | None


@dataclass(frozen=True, eq=False)
class WeightFile:
    """The envelope of a weight file: all but the element ``<Weights>``, which belongs to the method."""

    kind: str
    title: str
    info: tuple[tuple[str, str], ...]
    options: tuple[OptionRecord, ...]
    variables: tuple[VariableRecord, ...]
    spectators: tuple[VariableRecord, ...]
    classes: tuple[str, ...]
    targets: tuple[VariableRecord, ...]
    transformations: tuple[Step, ...]
    mva_pdfs: tuple[PDFRecord, ...]
    n_transformations: int | None = None  # None: as many as there are elements; identities have none
    dialect: Dialect = field(default_factory=Dialect)
    unknown: tuple[UnknownElement, ...] = ()
    source: str = "xml"  # or "text", the format up to TMVA 3.9

    @property
    def general_info(self) -> Mapping[str, str]:
        """Return GeneralInfo by name, e.g. ``general_info["Creator"]``."""
        return MappingProxyType(dict(self.info))

    @cached_property
    def analysis_type(self) -> AnalysisType:
        """Return what the method was trained for; files that do not say are classification."""
        given = self.general_info.get("AnalysisType", "Classification")
        known = AnalysisType.named(given)
        if known is not None:
            return known
        problem = f"unknown analysis type {given!r}; known: {', '.join(AnalysisType)}"
        raise WeightFileError(problem, element="GeneralInfo")

    @property
    def tmva_version(self) -> int:
        """Return TMVA's version code, e.g. 262657 for 4.2.1, or 0 if the file does not say."""
        return self._version_code("TMVA Release", "TMVA")

    @property
    def root_version(self) -> int:
        """Return ROOT's version code, e.g. 403456 for 6.40/00, or 0 if the file does not say."""
        return self._version_code("ROOT Release", "ROOT")

    def _version_code(self, *names: str) -> int:
        for name in names:
            found = re.search(r"\[\s*([0-9]{1,9})\s*\]", self.general_info.get(name, ""))
            if found:
                return int(found[1])
        return 0


def not_readable(method: str, kinds: Sequence[str]) -> str:
    """Return what is wrong with a file of a method that is not one of the kinds."""
    return f"the method is {method!r}; only {', '.join(f'{kind}::<title>' for kind in kinds)} can be read"


def as_quantities(kind: str, records: tuple[VariableRecord, ...]) -> tuple[Quantity, ...]:
    """Return the records as the quantities that a transformation's selection is matched with."""
    return tuple(Quantity(kind, record.label, record.expression) for record in records)
