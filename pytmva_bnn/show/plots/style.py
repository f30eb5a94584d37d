"""How the figures look: colours, fonts and sizes, and the styles of the experiments.

Nothing here changes matplotlib's global settings: they hold while a figure is made and are kept in its artists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, Any

from pytmva_bnn.errors import InputError, MissingDependencyError, suggestion
from pytmva_bnn.optional import optional

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PALETTE = ("#3f90da", "#bd1f01", "#ffa90e", "#832db6", "#94a4a2", "#a96b59", "#e76300", "#b9ac70", "#717581", "#92dadd")
"""Ten colours that people with any colour vision can tell apart (M. A. Petroff), signal and background first."""

SIGNAL, BACKGROUND = PALETTE[:2]
INK, FAINT = "#333333", "#8a8a8a"
HATCHES = ("", "////", "", "\\\\\\\\", "....")
LINES: tuple[Any, ...] = ("-", "-", "--", "-.", ":")
DIVERGING, SEQUENTIAL, ERRORS = "RdBu_r", "viridis", "cividis"

FONT_SIZE = 11.0
DEFAULT_FONT = "DejaVu Sans"  # comes with matplotlib
_TICKS = {"direction": "in", "minor.visible": True, "major.size": 6.0, "minor.size": 3.0, "labelsize": "small"}
DEFAULTS: Mapping[str, Any] = {
    "font.size": FONT_SIZE,
    "font.family": [DEFAULT_FONT],
    "mathtext.fontset": "dejavusans",
    "axes.titlesize": "medium",
    "axes.titlelocation": "left",
    "axes.titlepad": 7.0,
    "axes.linewidth": 0.9,
    "axes.edgecolor": INK,
    "axes.labelcolor": "black",
    "axes.formatter.limits": (-4, 5),
    "axes.unicode_minus": True,
    "xaxis.labellocation": "right",
    "yaxis.labellocation": "top",
    "xtick.top": True,
    "ytick.right": True,
    **{f"{axis}tick.{name}": value for axis in "xy" for name, value in _TICKS.items()},
    "lines.linewidth": 1.6,
    "lines.markersize": 4.0,
    "hatch.linewidth": 0.8,
    "legend.frameon": False,
    "legend.fontsize": "small",
    "legend.handlelength": 1.8,
    "figure.facecolor": "white",
    "figure.constrained_layout.w_pad": 0.1,
    "figure.constrained_layout.h_pad": 0.1,
    "axes.facecolor": "white",
    "savefig.facecolor": "white",
}

_chosen: ContextVar[Mapping[str, Any] | None] = ContextVar("pytmva_bnn_plot_style", default=None)
_label: ContextVar[Callable[..., Any] | None] = ContextVar("pytmva_bnn_plot_label", default=None)


@contextmanager
def style(
    name: str | Mapping[str, Any] | None = None, *, label: str = "", status: str = "", **options: Any
) -> Iterator[None]:
    """Draw in a style of mplhep, or with your settings, and with the label of an experiment; also reports.

    Parameters
    ----------
    name
        ``"CMS"``, ``"ATLAS"``, ``"LHCb2"``, ``"ALICE"``, ``"ROOT"``, or settings of matplotlib by name.
    label
        The experiment whose label stands above each figure that is made: ``"ATLAS"``, ``"CMS"``, ``"LHCb"``,
        ``"ALICE"``, ``"DUNE"``.
    status
        Words behind it, such as "Internal" or "Preliminary".
    options
        What else mplhep's ``label`` of the experiment takes: ``lumi``, ``com``, ``year``, ``data``, ``loc``, ...

    >>> from pytmva_bnn.show import plots
    >>> with plots.style("CMS", label="CMS", status="Preliminary", data=True, lumi=59.8):  # doctest: +SKIP
    ...     ax = plots.response(result)
    """
    if options and not label:
        raise InputError(f"{', '.join(options)}: options of a label, but there is no label; give e.g. label='ATLAS'")
    settings = _of_experiment(name) if isinstance(name, str) else _chosen.get() if name is None else dict(name)
    tokens = (_chosen.set(settings), _label.set(_labelling(label, status, options) if label else _label.get()))
    try:
        yield
    finally:
        _chosen.reset(tokens[0])
        _label.reset(tokens[1])


def _labelling(label: str, status: str, options: Mapping[str, Any]) -> Callable[..., Any]:
    experiment: Any = getattr(optional("mplhep", "plot", f"the label of {label}"), label.lower(), None)
    if not hasattr(experiment, "label"):
        raise InputError(f"mplhep has no label of an experiment {label!r}, only of ATLAS, CMS, LHCb, ALICE and DUNE")
    # above the frame: within it there are legends; and to look for an exponent there would open a figure of pyplot
    return partial(experiment.label, status, **{"loc": 0, "scilocator_adjust": False, **options})


def label_experiment(ax: Axes) -> None:
    """Write the label of the experiment above axes, and their title above it, if a label was chosen."""
    draw = _label.get()
    if draw is None:
        return
    import matplotlib as mpl  # heavy and optional
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.text import Text

    FigureCanvasAgg(ax.get_figure(root=True))  # mplhep measures words with the renderer of the figure's canvas
    draw(ax=ax)
    title = ax.get_title(loc="left")
    if title:
        size = next(one.get_fontsize() for one in ax.findobj(Text) if one.get_text() == title)
        room = float(mpl.rcParams["axes.titlepad"]) + 1.6 * float(mpl.rcParams["font.size"])
        ax.set_title(title, loc="left", pad=room, fontsize=size)


def dress(ax: Axes) -> None:
    """Give axes that were made in another style the one that is applied."""
    import matplotlib as mpl  # heavy and optional
    from matplotlib.text import Text

    rc: Mapping[Any, Any] = mpl.rcParams
    for name, axis, sides in (("x", ax.xaxis, ("bottom", "top")), ("y", ax.yaxis, ("left", "right"))):
        tick = f"{name}tick"
        shown = {side: rc[f"{tick}.{side}"] for side in sides}
        axis.set_tick_params(
            which="both", direction=rc[f"{tick}.direction"], labelsize=rc[f"{tick}.labelsize"], **shown
        )
        for which in ("major", "minor"):
            size = {"length": rc[f"{tick}.{which}.size"], "width": rc[f"{tick}.{which}.width"]}
            axis.set_tick_params(which=which, **size)
        if rc[f"{tick}.minor.visible"]:
            axis.minorticks_on()
        axis.label.set(fontsize=rc["axes.labelsize"], color=rc["axes.labelcolor"])
    for spine in ax.spines.values():
        spine.set(linewidth=rc["axes.linewidth"], edgecolor=rc["axes.edgecolor"])
    for words in ax.findobj(Text):
        words.set(fontfamily=rc["font.family"])
    ax.set_facecolor(rc["axes.facecolor"])


def _of_experiment(name: str) -> Mapping[str, Any]:
    mplhep = optional("mplhep", "plot", f"the style {name}")
    found = getattr(mplhep.style, name, None)
    if not isinstance(found, Mapping):
        known = [one for one in dir(mplhep.style) if isinstance(getattr(mplhep.style, one), Mapping)]
        hint = suggestion(name, known)
        raise InputError(f"mplhep has no style {name!r}{': ' + hint if hint else ''}; e.g. CMS, ATLAS, LHCb2, ROOT")
    # the layout is ours, as these figures are not all of one shape; and fonts of formulas are looked up when drawing
    return {key: value for key, value in found.items() if not key.startswith(("figure.", "savefig.", "mathtext."))}


@contextmanager
def applied() -> Iterator[float]:
    """Use the style while a figure is made; gives the scale of sizes that keeps text and frame in proportion."""
    import matplotlib as mpl  # heavy and optional; whoever calls has checked that it is there

    settings: dict[Any, Any] = {**DEFAULTS, **(_chosen.get() or {})}
    settings["font.family"] = _installed_fonts(settings)
    with mpl.rc_context(settings):
        yield float(mpl.rcParams["font.size"]) / FONT_SIZE


def _installed_fonts(settings: Mapping[str, Any]) -> list[str]:
    """Return names of fonts, not "sans-serif": that would be looked up when the figure is drawn, in global settings."""
    from matplotlib.font_manager import fontManager  # heavy and optional

    family = settings["font.family"]
    wanted = [
        font for one in ([family] if isinstance(family, str) else family) for font in settings.get(f"font.{one}", [one])
    ]
    installed = set(fontManager.get_font_names())
    return [font for font in dict.fromkeys(wanted) if font in installed] or [DEFAULT_FONT]


def require_matplotlib() -> None:
    """Raise a MissingDependencyError if there is no matplotlib."""
    try:
        import matplotlib.figure  # noqa: F401 - heavy and optional
    except ImportError:
        raise MissingDependencyError.of("matplotlib", "plot", "drawing plots") from None
