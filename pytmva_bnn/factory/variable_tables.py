"""The tables that a training prints of the variables: rankings, and means, RMS and ranges."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np

from pytmva_bnn._typing import AnyArray, Float32Array
from pytmva_bnn.dataset.dataset import DataSet
from pytmva_bnn.evaluation import ranking_table, statistics_table, variable_statistics
from pytmva_bnn.methods.ranking import Ranking


def log_table(log: logging.Logger, source: str, lines: Sequence[str]) -> None:
    """Show a table; its first line is a header of ``source``, which ``pytmva_bnn.compat`` shows in front of it."""
    log.info("%s", lines[0], extra={"source": source})
    for line in lines[1:]:
        log.info("%s", line)


def log_ranking(log: logging.Logger, title: str, ranking: Ranking | None) -> None:
    """Show which variables matter to a trained method."""
    if ranking is None:
        log.info("No variable ranking supplied by classifier: %s", title)
    else:
        log_table(log, title, ranking_table(ranking))


def log_statistics(
    log: logging.Logger, owner: str, dataset: DataSet, variables: Float32Array, targets: Float32Array, weights: AnyArray
) -> None:
    """Show mean, RMS and range of variables and targets as the transformations of ``owner`` leave them."""
    if not log.isEnabledFor(logging.INFO) or not len(variables):
        return
    records = (*dataset.variables, *dataset.targets)
    statistics = variable_statistics(np.hstack([variables, targets]), weights, [one.expression for one in records])
    log_table(log, f"TFHandler_{owner}", statistics_table([one.label for one in records], statistics))
