"""What is shown of a weight file alone: the method, its variables and options, and what it can be drawn from."""

from __future__ import annotations

from pytmva_bnn.model import Model
from pytmva_bnn.show.plots.content import Content, Events, MethodContent, described
from pytmva_bnn.show.plots.responses import densities_of
from pytmva_bnn.tmva_types import AnalysisType


def model_content(model: Model) -> Content:
    """Return the content of a model."""
    outputs: dict[AnalysisType, tuple[str, ...]] = {
        AnalysisType.CLASSIFICATION: (),
        AnalysisType.REGRESSION: tuple(target.title for target in model.targets),
        AnalysisType.MULTICLASS: model.classes,
    }
    records = {"Variable": model.variables, "Target": model.targets, "Spectator": model.spectators}
    classes = [("Classes", ", ".join(model.classes))] if model.classes else []
    method = MethodContent(
        model.title,
        [("Type", model.kind), *described(model.fitted)],
        list(model.info.items()),
        [variable.label for variable in model.variables],
        [(record.name, record.value) for record in model.file.options],
        fitted=model.fitted,
        densities=densities_of(model),
        model=model,
    )
    return Content(
        "",
        model.analysis_type,
        Events([("Analysis", model.analysis_type), *classes], records=records),
        [variable.title for variable in model.variables],
        outputs[model.analysis_type],
        methods=[method],
        has_events=False,
    )
