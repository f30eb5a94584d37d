"""The tables of the Factory's option Correlations: how far methods agree, and what they have from which variable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from pytmva_bnn.evaluation.correlations import overlap_matrix, response_correlations
from pytmva_bnn.evaluation.tables import matrix_table, value_list

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def correlation_tables(
    dataset: str,
    methods: Sequence[tuple[str, float]],
    responses: ArrayLike,
    labels: Sequence[str],
    variables: ArrayLike,
    is_signal: ArrayLike,
) -> list[str]:
    """Return the tables of classifiers, given by title and reference cut, as lines without the logger's prefix.

    ``responses`` (n_events, n_methods) and ``variables`` (n_events, n_variables) are those of the test events; their
    weights do not matter.

    >>> lines = correlation_tables("dataset", [("MLP", 0.5)], [[0.9], [0.6], [0.4], [0.2]],
    ...     ["x"], [[3.0], [2.0], [4.0], [5.0]], [True, True, False, False])
    >>> print("\\n".join(lines[:5]))
    Dataset[dataset] : Correlations between input variables and MVA response (signal):
    ----------------
                 MLP
          x:  +1.000
    ----------------
    """
    titles, cuts = [title for title, _ in methods], [cut for _, cut in methods]
    n, several = len(methods), len(methods) > 1
    prefix = f"Dataset[{dataset}] : "
    v, x, signal = np.asarray(responses), np.asarray(variables), np.asarray(is_signal, dtype=bool)
    classes = (("signal", signal), ("background", ~signal))
    correlations = [(name, response_correlations(np.column_stack([v[of], x[of]]))) for name, of in classes]
    lines: list[str] = []
    if several:
        for name, rho in correlations:
            lines += [f"{prefix}Inter-MVA correlation matrix ({name}):", *matrix_table(rho[:n, :n], titles)]
    for name, rho in correlations:
        lines.append(f"{prefix}Correlations between input variables and MVA response ({name}):")
        lines += matrix_table(rho[n:, :n], titles, labels)
    lines += [
        f'{prefix}The following "overlap" matrices contain the fraction of events for which ',
        f"{prefix}the MVAs 'i' and 'j' have returned conform answers about \"signal-likeness\"",
        f"{prefix}An event is signal-like, if its MVA output exceeds the following value:",
        *value_list(("Method", "Cut value"), titles, cuts),
        f"{prefix}which correspond to the working point: eff(signal) = 1 - eff(background)",
    ]
    if several:
        for name, of in classes:
            lines += [f"Inter-MVA overlap matrix ({name}):", *matrix_table(overlap_matrix(v[of], cuts), titles)]
    return lines
