"""How a boosted method is shown: its classifiers with their weights, cuts and errors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from pytmva_bnn.methods.composite.boost_fitted import BoostResult, FittedBoost
from pytmva_bnn.show.plots.boosting import boosting
from pytmva_bnn.show.plots.content import (
    Content,
    Facts,
    MethodContent,
    Numbers,
    described,
    drawings,
    tabulated,
    training_facts,
)
from pytmva_bnn.show.plots.plot import Plot

MOST_ROWS = 20
ENDED_BY = {
    "number": "all classifiers trained",
    "error": "a classifier was no better than guessing",
    "interrupt": "interrupted",
}


@described.register
def _(fitted: FittedBoost) -> Facts:
    return [
        ("Boosting", fitted.boost_type),
        ("Classifiers", f"{len(fitted.classifiers)} {fitted.kind}"),
        ("Transform", fitted.transform),
    ]


@training_facts.register
def _(result: BoostResult) -> Facts:
    return [("Ended", ENDED_BY[result.ended_by])]


@tabulated.register
def _(fitted: FittedBoost, names: Sequence[str] = ()) -> Iterator[Numbers]:
    del names
    errors = fitted.errors
    if fitted.boost_type == "Bagging":
        return
    rows = [
        (
            number,
            f"{one.weight:.4g}",
            None if errors is None else f"{errors[number]:.4f}",
            f"{one.cut:.4g}",
            "above" if one.direction > 0 else "below",
        )
        for number, one in enumerate(fitted.classifiers[:MOST_ROWS])
    ]
    left = len(fitted.classifiers) - MOST_ROWS
    more = [(f"and {left} more", None, None, None, None)] if left > 0 else []
    yield Numbers(headings=("Classifier", "Weight", "Error", "Cut", "Signal"), rows=[*rows, *more])


@drawings.register
def _(fitted: FittedBoost, content: Content, m: MethodContent) -> Iterator[tuple[str, Plot]]:
    del content
    if fitted.boost_type == "Bagging":
        return
    what = "Weights of the classifiers" + ("" if fitted.errors is None else ", and the errors they come from")
    yield "Boosting", Plot(f"boosting_{m.title}", f"{what}: {m.title}", partial(boosting, fitted, title=m.title))
