"""How the figures look: colours, fonts and sizes, and the styles of the experiments.

Nothing here changes matplotlib's global settings: they hold while a figure is made and are kept in its artists.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from pytmva_bnn.errors import InputError, MissingDependencyError, suggestion

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


@contextmanager
def style(name: str | Mapping[str, Any]) -> Iterator[None]:
    """Draw in a style of mplhep (``"CMS"``, ``"ATLAS"``, ``"LHCb2"``, ``"ALICE"``, ``"ROOT"``) or with your settings.

    >>> from pytmva_bnn.show import plots
    >>> with plots.style("CMS"):  # doctest: +SKIP
    ...     ax = plots.response(result)
    """
    token = _chosen.set(dict(name) if isinstance(name, Mapping) else _of_experiment(name))
    try:
        yield
    finally:
        _chosen.reset(token)


def _of_experiment(name: str) -> Mapping[str, Any]:
    try:
        import mplhep  # heavy and optional
    except ImportError:
        raise MissingDependencyError.of("mplhep", "plot", f"the style {name}") from None
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
