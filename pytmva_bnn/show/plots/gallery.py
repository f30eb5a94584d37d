"""All plots of a training in the order of TMVA's GUI, each with the name of its file and a caption."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from pytmva_bnn.model import Model
from pytmva_bnn.show import methods as methods_shown  # noqa: F401 - registers what single methods show
from pytmva_bnn.show.plots.calibration import calibration
from pytmva_bnn.show.plots.canvas import panels
from pytmva_bnn.show.plots.content import Content, InputContent, MethodContent, drawings
from pytmva_bnn.show.plots.curves import efficiencies_of, roc
from pytmva_bnn.show.plots.deviations import average_deviations, deviation_panels
from pytmva_bnn.show.plots.inputs import Pair, correlation_matrix, distributions, parallel_coordinates, scatter
from pytmva_bnn.show.plots.plot import Plot, Section
from pytmva_bnn.show.plots.rankings import ranking
from pytmva_bnn.show.plots.responses import densities, multiclass_response_of, response_of, superimposed
from pytmva_bnn.show.plots.surfaces import ErrorMap, probability_map, response_along
from pytmva_bnn.tmva_types import AnalysisType

PANELS_PER_FIGURE = 6
MOST_DRAWN_ALONG = 6


def sections(content: Content) -> Iterator[Section]:
    """Yield all plots that the content has; sections without plots are left out."""
    methods = content.methods
    for section in (
        Section("Input variables", list(_variables(content))),
        Section("Correlations", list(_correlations(content))),
        Section("Pairs of variables", list(_scatters(content)), folded=True),
        Section("Response", _of_each(methods, _responses)),
        Section("Cuts", _of_each(methods, _cuts)),
        Section("ROC", list(_rocs(content)), compares=True),
        Section("One class against one other", list(_pair_rocs(content)), folded=True, compares=True),
        Section("Deviations", _of_each(methods, partial(_deviations, content))),
        Section("Average deviations", list(_averages(content)), compares=True),
        Section("Probability", _of_each(methods, partial(_probabilities, content))),
        Section("Parallel coordinates", _of_each(methods, partial(_parallel, content)), folded=True),
        Section("Ranking", _of_each(methods, partial(_rankings, content))),
        *_own(content),
    ):
        if section.plots:
            yield section


def _of_each(methods: Sequence[MethodContent], plots_of: Callable[[MethodContent], Iterable[Plot]]) -> list[Plot]:
    return [replace(plot, method=m.title) for m in methods for plot in plots_of(m)]


# ---- what goes in -------------------------------------------------------------------------------------------


def _variables(content: Content) -> Iterator[Plot]:
    for one in content.inputs:
        for number, part in enumerate(_parts(one.distributions), start=1):
            name = f"variables_{one.chain.lower()}_c{number}"
            yield Plot(name, f"Input variables of the training events{_after(one)}", partial(distributions, part))


def _correlations(content: Content) -> Iterator[Plot]:
    for one in content.matrices:
        draw = partial(correlation_matrix, one.coefficients, one.labels, title=one.title.capitalize())
        of_class = f" ({one.title})" if one.title else ""
        yield Plot(one.name, f"Linear correlation coefficients of the training events{of_class}", draw)


def _scatters(content: Content) -> Iterator[Plot]:
    for one in content.inputs:
        for variable, pairs in one.pairs.items():
            for number, part in enumerate(_parts(pairs), start=1):
                name = f"correlationscatter_{variable}_{one.chain}_c{number}"
                caption = f"Variables against {variable}{_after(one)}; points are means"
                yield Plot(name, caption, partial(_scatter_panels, part))


def _scatter_panels(pairs: Sequence[Pair]) -> Any:
    with panels(None, len(pairs)) as (figure, axes):
        for ax, pair in zip(axes, pairs, strict=True):
            scatter(pair, ax=ax)
    return figure


def _after(one: InputContent) -> str:
    return "" if one.chain in ("", "Id") else f" after {one.chain}"


def _parts(things: Sequence[Any]) -> list[Sequence[Any]]:
    return [things[start : start + PANELS_PER_FIGURE] for start in range(0, len(things), PANELS_PER_FIGURE)]


# ---- what comes out -----------------------------------------------------------------------------------------


def _responses(m: MethodContent) -> Iterator[Plot]:
    t = m.title
    if m.response:
        draw = partial(response_of, m.response, title=t)
        again = bool(m.training_response)
        yield Plot(f"mva_{t}", f"Response of {t} for test events", draw, is_repeated=again)
    if m.response and m.training_response:
        draw = partial(response_of, m.response, m.training_response, title=t, compare="pull")
        caption = f"Response of {t} for test events, and for training events (points), with their differences below"
        yield Plot(f"overtrain_{t}", caption, draw)
    for name, what, made in (("proba", "Signal probability", m.probability), ("rarity", "Signal rarity", m.rarity)):
        if made:
            draw = partial(superimposed, made, xlabel=what, title=f"{what}: {t}")
            yield Plot(f"{name}_{t}", f"{what} of {t} for test events", draw)
    if m.densities:
        caption = f"Densities of the response of {t} and the training events they were made from"
        yield Plot(f"mva_pdf_{t}_c1", caption, partial(densities, m.densities, title=t))
    for c, made in m.class_responses.items():
        draw = partial(multiclass_response_of, made, class_name=c, title=t)
        trained = m.class_training_responses.get(c)
        again = bool(trained)
        yield Plot(f"mva_{c}_{t}", f"Response of {t} for class {c}, test events", draw, is_repeated=again)
        if trained:
            draw = partial(multiclass_response_of, made, trained, class_name=c, title=t, compare="pull")
            yield Plot(f"overtrain_{c}_{t}", f"Response of {t} for class {c}, test and training events", draw)


def _cuts(m: MethodContent) -> Iterator[Plot]:
    if m.efficiencies is not None:
        caption = f"Efficiencies, purity and significance of a cut on {m.title}"
        yield Plot(f"mvaeffs_{m.title}", caption, partial(efficiencies_of, *m.efficiencies, title=m.title))


def _rocs(content: Content) -> Iterator[Plot]:
    curves = {m.title: m.roc for m in content.methods if m.roc is not None}
    trained = {m.title: m.training_roc for m in content.methods if m.training_roc is not None}
    if curves:
        yield Plot("rejBvsS", "Background rejection against signal efficiency", partial(roc, curves, trained))
        draw = partial(roc, curves, kind="inverse")
        words = "Inverse background efficiency against signal efficiency, down to ten background events"
        yield Plot("invBeffvsSeff", words, draw)
    for c in content.output_names:
        curves = {m.title: m.rest_curves[c] for m in content.methods if c in m.rest_curves}
        trained = {m.title: m.rest_training_curves[c] for m in content.methods if c in m.rest_training_curves}
        if curves:
            draw = partial(roc, curves, trained, xlabel=f"Efficiency of {c}", title=f"{c} against the rest")
            yield Plot(f"roc_{c}_vs_rest", f"{c} against all other classes", draw)


def _pair_rocs(content: Content) -> Iterator[Plot]:
    pairs = dict.fromkeys(pair for m in content.methods for pair in m.pair_curves)
    for r, c in pairs:
        curves = {m.title: m.pair_curves[r, c] for m in content.methods if (r, c) in m.pair_curves}
        draw = partial(roc, curves, xlabel=f"Efficiency of {r}", title=f"{r} against {c}")
        yield Plot(f"1v1roc_{r}_vs_{c}", f"{r} against {c} alone", draw)


def _deviations(content: Content, m: MethodContent) -> Iterator[Plot]:
    # TMVA: the name has the type of the method, so that of several methods one picture would be left
    word = dict(m.summary).get("Type", m.title) if len(content.methods) == 1 else m.title
    for (against, sample), made in m.deviations.items():
        short = "target" if against == "targets" else "vars"
        for number, part in enumerate(_parts(made), start=1):
            title = f"Output deviation: {m.title}, {sample} sample"
            caption = f"Deviation of {m.title} from the true target against the {against}, {sample} events"
            draw = partial(deviation_panels, part, title=title)
            yield Plot(f"deviation_{word}_{short}_{sample}_c{number}", caption, draw)


def _averages(content: Content) -> Iterator[Plot]:
    for j in range(max((len(m.squares) for m in content.methods), default=0)):
        squares = {m.title: m.squares[j] for m in content.methods if j < len(m.squares)}
        name = content.output_names[j] if j < len(content.output_names) else f"target {j}"
        caption = f"Root mean square deviation of {name}, of all events and of the best 90%"
        yield Plot(f"regression_average_devs_target{j}", caption, partial(average_deviations, squares))


def _probabilities(content: Content, m: MethodContent) -> Iterator[Plot]:
    c, model = m.calibrated, m.model
    if c is not None:
        draw = partial(
            calibration,
            c.responses,
            c.is_signal,
            c.weights,
            errors=c.errors,
            signal_fraction=c.signal_fraction,
            title=m.title,
        )
        words = f"Calibration of {m.title}: is its response the fraction of signal, at the mixture of training events?"
        yield Plot(f"calibration_{m.title}", words, draw)
    if model is None or not model.has_errors or model.transformations.needs_spectators:
        return
    for output, name in enumerate(content.output_names or ("",)):
        yield from _surfaces(model, m, output, f"Response of {m.title}{f' for {name}' if name else ''}")


def _surfaces(model: Model, m: MethodContent, output: int, what: str) -> Iterator[Plot]:
    """Yield the plots of one output: over both variables if there are two, and along each."""
    labels = [variable.label for variable in model.variables]
    ending = f"{m.title}_{output}" if output else m.title
    if len(labels) == 2:
        is_rate = model.analysis_type == AnalysisType.CLASSIFICATION
        errors: list[ErrorMap] = ["absolute", "relative"] if is_rate else ["absolute"]
        x, y = labels
        draw = partial(probability_map, model, x, y, events=m.events, output=output, errors=errors)
        yield Plot(f"map_{ending}", f"{what} and its error", draw)
    for label, variable in zip(labels[:MOST_DRAWN_ALONG], model.variables, strict=False):
        at = {other: value for other, value in m.centre.items() if other != label}
        others = "at their medians" if m.centre else "in the middle of their ranges"
        words = f"{what} along {variable.title} with its error band, other variables {others}"
        draw = partial(response_along, model, label, at, events=m.events, output=output)
        yield Plot(f"along_{variable.internal}_{ending}", words, draw)


def _parallel(content: Content, m: MethodContent) -> Iterator[Plot]:
    number = content.methods.index(m)
    # TMVA: takes class 1 for signal, so that its pictures have the wrong names
    for (name, events), letter in zip(m.parallel.items(), "SB", strict=False):
        if len(events):
            draw = partial(parallel_coordinates, events, m.columns, title=f"{m.title}: {name}")
            yield Plot(f"paracoor_c{number}_{letter}", f"{name}: response of {m.title} and variables", draw)


# ---- how it was trained -------------------------------------------------------------------------------------


def _rankings(content: Content, m: MethodContent) -> Iterator[Plot]:
    if m.ranking is not None and len(m.ranking.entries) > 1:
        titles = dict(zip(m.inputs, content.input_names, strict=False))
        words = f"Ranking of the variables by {m.title}, from its training"
        yield Plot(f"ranking_{m.title}", words, partial(ranking, m.ranking, titles, title=m.title))


def _own(content: Content) -> Iterator[Section]:
    """Yield the sections of plots that only some methods have."""
    found: dict[str, list[Plot]] = {}
    for m in content.methods:
        for thing in (m.fitted, m.training):
            for title, plot in drawings(thing, content, m):
                found.setdefault(title, []).append(replace(plot, method=m.title))
    for title, plots in found.items():
        yield Section(title, plots)
