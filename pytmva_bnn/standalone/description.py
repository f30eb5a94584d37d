"""The comment at the head of the generated file: what the class is, how to use it, where the method comes from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap

from pytmva_bnn._version import __version__
from pytmva_bnn.cpp.literals import comment, string
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.model import Model
from pytmva_bnn.tmva_types import AnalysisType

_NUMBERS = """\
As in TMVA's Reader, inputs are rounded to float32, transformations work in float32 and $precision. So the results are
the Reader's to the last digits. The class that TMVA itself writes does not round, or writes fewer digits: it agrees
with its Reader to 6 or 7 digits only.

Compile without -ffast-math. Where the compiler may fuse multiplications and additions (g++ with -march=native
does, also with -std=c++17) give -ffp-contract=off as well, or some results differ in the 7th digit.

An event with a NaN or an infinity among its inputs gives NaN. With the wrong names, or the wrong number of inputs, a
message is printed and the result is 0. All methods can be called by several threads at once."""

_METHODS = {
    AnalysisType.CLASSIFICATION: [("GetMvaValue(inputs)", "the response")],
    AnalysisType.REGRESSION: [
        ("GetRegressionValues(inputs)", "the targets"),
        ("GetMvaValue(inputs)", "the first output, not transformed back"),
    ],
    AnalysisType.MULTICLASS: [
        ("GetMulticlassValues(inputs)", "the probabilities of the classes"),
        ("GetMvaValue(inputs)", "the first output"),
    ],
}
_FIRST_CALLS = {
    AnalysisType.CLASSIFICATION: "double response = reader.GetMvaValue(inputs);",
    AnalysisType.REGRESSION: "std::vector<double> targets = reader.GetRegressionValues(inputs);",
    AnalysisType.MULTICLASS: "std::vector<double> probabilities = reader.GetMulticlassValues(inputs);",
}
_ERROR_METHODS = [
    ("GetMvaErrors(inputs)", "lower and upper error of GetMvaValue, as a pair"),
    ("GetMvaError(inputs)", "the lower error alone"),
    ("GetMvaValue(inputs, lower, upper)", "response and both errors at once"),
]
_REGRESSION_ERROR_METHODS = [("GetRegressionErrors(inputs)", "lower and upper error of the target, as a pair")]
_MULTICLASS_ERROR_METHODS = [("GetMulticlassErrors(inputs)", "lower and upper errors of the probabilities, as pairs")]
_DENSITY_METHODS = [
    ("GetProba(response, fraction)", "probability of signal, fraction being its share before"),
    ("GetRarity(response)", "fraction of background below the response"),
]


def description(model: Model, class_name: str) -> str:
    """Return the comment, every line of it starting with ``//``."""
    sections = [
        ("", _opening(model, class_name)),
        ("Methods", _table(_methods(model))),
        ("Numbers", _numbers(model.fitted.precision)),
        ("Method", _table(_method(model))),
        ("Training", _table(model.file.info)),
        ("Options (* set by the user)", _table(_options(model))),
        ("Variables: expression, label, title, unit, type, range in training", _variables(model.variables)),
        ("Spectators (not used here)", _variables(model.spectators)),
        ("Targets", _variables(model.targets)),
        ("Classes", [f"{number}  {name}" for number, name in enumerate(model.classes)]),
    ]
    lines: list[str] = []
    for title, body in sections:
        if body and title:
            lines += ["", title, "-" * len(title)]
        lines += body
    return "\n".join(map(comment, lines))


def _numbers(precision: str) -> list[str]:
    first, *others = _NUMBERS.replace("$precision", precision).split("\n\n")
    return [*wrap(first, 114), "", *"\n\n".join(others).splitlines()]


def _opening(model: Model, class_name: str) -> list[str]:
    some = [string(variable.expression) for variable in model.variables[:4]]
    names = ", ".join([*some, "..."] if len(model.variables) > len(some) else some)
    return [
        f'{class_name}: the response of the {model.fitted.noun} "{model.title}" in plain C++17',
        "",
        f"Written by pytmva_bnn {__version__} from a weight file of TMVA; only the standard library is needed.",
        "",
        f"   {class_name} reader({{{names}}});",
        "   std::vector<double> inputs = ...; // in the same order",
        "   " + _FIRST_CALLS[model.analysis_type],
    ]


def _methods(model: Model) -> list[tuple[str, str]]:
    methods = list(_METHODS[model.analysis_type])
    if model.has_errors and model.analysis_type == AnalysisType.MULTICLASS:
        methods += _MULTICLASS_ERROR_METHODS
    elif model.has_errors and model.fitted.n_outputs == 1:
        methods += _ERROR_METHODS
        if model.analysis_type == AnalysisType.REGRESSION:
            methods += _REGRESSION_ERROR_METHODS
    return methods + _DENSITY_METHODS if model.response_pdfs is not None else methods


def _method(model: Model) -> list[tuple[str, str]]:
    return [
        ("Analysis type", model.analysis_type),
        *((name.capitalize(), value) for name, value in model.fitted.describe()),
        ("Transformations", ", ".join(step.title for step in model.transformations.steps) or "none"),
    ]


def _options(model: Model) -> list[tuple[str, str]]:
    return [(("* " if option.modified else "  ") + option.name, option.value) for option in model.file.options]


def _variables(records: Sequence[VariableRecord]) -> list[str]:
    rows = [
        (
            str(number),
            *(record.expression, record.label, record.title, record.unit, record.type),
            f"[{record.minimum:g}, {record.maximum:g}]",
        )
        for number, record in enumerate(records)
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]


def _table(rows: Iterable[tuple[str, str]]) -> list[str]:
    rows = list(rows)
    width = max((len(name) for name, _ in rows), default=0)
    return [f"{name.ljust(width)} : {value}" for name, value in rows]
