"""The figures of docs/performance.md."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from benchmarks.measure import Curve, Section

COLOURS = {
    "ours": "#0072B2",
    "onnxruntime": "#D55E00",
    "torch": "#009E73",
    "scikit-learn": "#CC79A7",
    "TMVA": "#555555",
}
OTHER = "#999999"


def draw(section: Section, folder: Path) -> list[str]:
    """Save the figures of a section as PNG files and return their names; none without matplotlib."""
    if find_spec("matplotlib") is None or (section.curve is None and not section.bars):
        return []
    import matplotlib as mpl

    mpl.use("Agg")
    folder.mkdir(parents=True, exist_ok=True)
    name = section.name if section.curve is None else section.curve.name
    path = folder / f"{name}.png"
    if section.curve is None:
        _bars(section.bars, path)
    else:
        _lines(section.curve, path)
    return [path.name]


def _colour(name: str) -> str:
    return next((colour for start, colour in COLOURS.items() if start in name), OTHER)


def _bars(values: dict[str, float], path: Path) -> None:
    import matplotlib.pyplot as plt

    ordered = sorted(values.items(), key=lambda item: -item[1])
    figure, axes = plt.subplots(figsize=(8, 0.42 * len(ordered) + 1.1), layout="constrained")
    nanoseconds = [seconds * 1e9 for _, seconds in ordered]
    bars = axes.barh([name for name, _ in ordered], nanoseconds, color=[_colour(name) for name, _ in ordered])
    axes.bar_label(
        bars, [f"{value:,.0f} ns" if value >= 100 else f"{value:.1f} ns" for value in nanoseconds], padding=4
    )
    axes.set_xscale("log")
    axes.set_xlim(min(nanoseconds) / 2, max(nanoseconds) * 3)
    axes.set_xlabel("time per event in ns (shorter is better)")
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=110)
    plt.close(figure)


def _lines(curve: Curve, path: Path) -> None:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(8, 4.6), layout="constrained")
    styles: dict[str, int] = {}
    for name, values in curve.lines.items():
        colour = _colour(name)
        number = styles[colour] = styles.get(colour, -1) + 1
        style = ("-", "--", ":", "-.", (0, (5, 1, 1, 1)))[number % 5]
        axes.plot(curve.x, values, linestyle=style, color=colour, marker="os^Dv"[number % 5], label=name)
    axes.set(xscale="log", yscale="log", xlabel=curve.x_label, ylabel=curve.y_label)
    axes.set_ylim(bottom=0.8 * min(min(values) for values in curve.lines.values()))
    axes.grid(alpha=0.3, which="major")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize="small")
    figure.savefig(path, dpi=110)
    plt.close(figure)
