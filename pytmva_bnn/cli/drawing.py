"""A network drawn with letters: a column for each layer."""

from __future__ import annotations

from collections.abc import Sequence

_MOST_NEURONS = 9


def draw_network(
    layer_sizes: Sequence[int], inputs: Sequence[str], outputs: Sequence[str], hidden: str, output: str
) -> str:
    """Return a drawing with names at both ends; layers of many neurons are abridged.

    >>> print(draw_network([2, 3, 1], ["pt", "ht"], ["response"], "tanh", "sigmoid"))
     input      tanh     sigmoid
       2         3          1
                 o
     pt o        o          o response
     ht o        o
        b        b
    """
    last = len(layer_sizes) - 1
    left = max((len(name) for name in inputs), default=0) + 1
    columns = []
    for number, size in enumerate(layer_sizes):
        names = inputs if number == 0 else outputs if number == last else []
        neurons = _neurons(size, list(names))
        columns.append(neurons if number == last else [*neurons, ("b", "")])
    height = max(len(column) for column in columns)
    cells = [_padded(column, height, bottom=number != last) for number, column in enumerate(columns)]
    titles = ["input", *[hidden] * (last - 1), output]
    widths = [max(left + 3, 9), *[9] * (last - 1), 9]
    lines = [
        "".join(f"{title:^{width}} " for title, width in zip(titles, widths, strict=True)),
        "".join(f"{size:^{width}} " for size, width in zip(layer_sizes, widths, strict=True)),
    ]
    for row in range(height):
        text = f"{cells[0][row][1]:>{left}} {cells[0][row][0]}".ljust(widths[0] + 1)
        for number in range(1, last):
            text += f"{cells[number][row][0]:^{widths[number]}} "
        symbol, name = cells[last][row]
        text += f"{symbol:^{widths[last]}}".rstrip() + (f" {name}" if name else "")
        lines.append(text)
    return "\n".join(line.rstrip() for line in lines)


def _neurons(size: int, names: list[str]) -> list[tuple[str, str]]:
    """Return symbol and name of each neuron that is drawn.

    >>> _neurons(2, ["x", "y"])
    [('o', 'x'), ('o', 'y')]
    >>> len(_neurons(200, []))
    9
    """
    names = names or [""] * size
    all_neurons = [("o", name) for name in names]
    if size <= _MOST_NEURONS or any(names):
        return all_neurons
    half = _MOST_NEURONS // 2
    return [*all_neurons[:half], (":", ""), *all_neurons[-half:]]


def _padded(column: list[tuple[str, str]], height: int, *, bottom: bool) -> list[tuple[str, str]]:
    missing = height - len(column)
    above = missing if bottom else missing // 2
    return [("", "")] * above + column + [("", "")] * (missing - above)
