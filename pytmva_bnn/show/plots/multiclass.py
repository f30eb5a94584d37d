"""Several classes: the response for a class, and each class against the rest or against one other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pytmva_bnn.errors import InputError, suggestion
from pytmva_bnn.evaluation import Histogram1D, MulticlassResult
from pytmva_bnn.show.plots.checks import check_result
from pytmva_bnn.show.plots.labels import text
from pytmva_bnn.show.plots.roc import roc
from pytmva_bnn.show.plots.superimposed import superimposed

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def multiclass_response(
    result: MulticlassResult, class_name: str | int = 0, *, training: bool = False, ax: Axes | None = None
) -> Axes:
    """Draw the response for one class of the test events of all classes, with ``training`` the training events too.

    >>> from pytmva_bnn.show import plots
    >>> ax = plots.multiclass_response(result, "Signal")  # doctest: +SKIP
    """
    result = check_result(result, MulticlassResult, "multiclass_response")
    j = class_number(result, class_name)
    names = result.class_names
    tested = {name: row[j] for name, row in zip(names, result.test_histograms, strict=True)}
    trained = {name: row[j] for name, row in zip(names, result.training_histograms, strict=True)} if training else None
    return multiclass_response_of(tested, trained, class_name=names[j], title=result.title, ax=ax)


def multiclass_response_of(
    test: Mapping[str, Histogram1D],
    training: Mapping[str, Histogram1D] | None = None,
    *,
    class_name: str,
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw the response for a class from histograms by true class; see :func:`multiclass_response`."""
    return superimposed(
        test,
        points={f"{name} (training)": h for name, h in (training or {}).items()},
        xlabel=f"{text(title)} response for {text(class_name)}".strip(),
        title=f"{'Overtraining check' if training else 'Response'}: {title}",
        x_range=(0.0, 1.0),
        ax=ax,
    )


def multiclass_roc(
    result: MulticlassResult,
    class_name: str | int | None = None,
    against: str | int | None = None,
    *,
    training: bool = False,
    ax: Axes | None = None,
) -> Axes:
    """Draw ROC curves: of all classes against the rest, of one against the rest, or of one against one other.

    >>> from pytmva_bnn.show import plots
    >>> ax = plots.multiclass_roc(result, "Signal", against="bg0")  # doctest: +SKIP
    """
    names = check_result(result, MulticlassResult, "multiclass_roc").class_names
    if class_name is None:
        curves = dict(zip(names, result.test.against_rest, strict=True))
        trained = dict(zip(names, result.training.against_rest, strict=True))
        title = f"{result.title}: each class against the rest"
    else:
        i = class_number(result, class_name)
        if against is None:
            pair = (result.test.against_rest[i], result.training.against_rest[i])
            title = f"{names[i]} against the rest"
        else:
            j = class_number(result, against)
            if i == j:
                raise InputError(f"{names[i]} cannot be compared with itself")
            pair = (result.test.against_one[i][j], result.training.against_one[i][j])
            title = f"{names[i]} against {names[j]}"
        curves, trained = {result.title: pair[0]}, {result.title: pair[1]}
    return roc(curves, trained if training else None, xlabel="Efficiency of the class", title=title, ax=ax)


def class_number(result: MulticlassResult, class_name: str | int) -> int:
    """Return the number of a class given by name or number."""
    names = result.class_names
    if isinstance(class_name, str):
        if class_name in names:
            return names.index(class_name)
        hint = suggestion(class_name, names)
        raise InputError(f"there is no class {class_name!r}{': ' + hint if hint else ''}; known: {', '.join(names)}")
    if not 0 <= class_name < len(names):
        raise InputError(f"there is no class number {class_name}; the {len(names)} classes are {', '.join(names)}")
    return class_name
