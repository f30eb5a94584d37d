"""What a method is trained for: from the options, or from the classes that were declared."""

from __future__ import annotations

from pytmva_bnn.dataset.description import Description
from pytmva_bnn.errors import OptionError
from pytmva_bnn.tmva_types import AnalysisType


def resolved_analysis_type(description: Description, *, by_targets: bool = False) -> AnalysisType:
    """Return the analysis type of AnalysisType=Auto.

    ``by_targets``: targets make it a regression, as up to ROOT 6.06; since then regression must be asked for.

    >>> description = Description()
    >>> description.add_tree({"x": [1.0]}, "Signal")
    >>> description.add_tree({"x": [1.0]}, "Background")
    >>> str(resolved_analysis_type(description))
    'Classification'
    """
    names = [one.name for one in description.classes]
    if sorted(names) == ["Background", "Signal"]:
        return AnalysisType.CLASSIFICATION
    if by_targets and description.targets:
        return AnalysisType.REGRESSION
    if len(names) >= 2:
        return AnalysisType.MULTICLASS
    raise OptionError(
        f"No analysis type for {len(names)} classes and {len(description.targets)} regression targets: add the trees "
        "before booking, or set AnalysisType=Classification, Regression or Multiclass in the options"
    )
