"""How good a trained method is: every number, table and histogram of TMVA's evaluation, from arrays.

What to use when:

* all numbers of a method on its test and training samples: put them into a :class:`BinarySample`,
  :class:`RegressionSample` or :class:`MulticlassSample` each and call :func:`evaluate_binary`,
  :func:`evaluate_regression` or :func:`evaluate_multiclass`;
* a ROC curve alone: :func:`roc_curve`;
* TMVA's tables as text: :func:`binary_tables`, :func:`regression_tables`, :func:`multiclass_tables`,
  :func:`correlation_tables`, :func:`ranking_table`, :func:`statistics_table`, :func:`matrix_table`;
* rankings of the variables: :func:`separation_ranking`, :func:`target_rankings`;
* whether a response is a probability, and by how much it is wrong: :func:`reliability`;
* the overtraining check by Kolmogorov and Smirnov: :func:`kolmogorov`;
* input variables: :func:`variable_statistics`, :func:`variable_histograms`, :func:`pair_plots`.

>>> import numpy as np
>>> signal = np.arange(2000) < 1000
>>> sample = BinarySample(np.random.default_rng(1).normal(signal, 1.0), None, signal)
>>> result = evaluate_binary(sample, sample)
>>> print(binary_tables("dataset", [result])[5])
dataset       MLP            : 0.742
"""

from __future__ import annotations

from pytmva_bnn.dataset.statistics import matrix_table
from pytmva_bnn.evaluation.calibration import LogisticFit, Reliability, reliability
from pytmva_bnn.evaluation.correlations import (
    correlation_histogram,
    overlap_matrix,
    response_correlations,
)
from pytmva_bnn.evaluation.efficiencies import MaximumSignificance, maximum_significance
from pytmva_bnn.evaluation.evaluate import evaluate_binary, evaluate_multiclass, evaluate_regression
from pytmva_bnn.evaluation.inputs import (
    PairPlots,
    VariableStatistics,
    pair_plots,
    variable_histograms,
    variable_statistics,
)
from pytmva_bnn.evaluation.overtraining import KolmogorovResult, kolmogorov
from pytmva_bnn.evaluation.ranking import separation_ranking, target_rankings
from pytmva_bnn.evaluation.responses import stored_probabilities, training_response_histograms
from pytmva_bnn.evaluation.results import BinaryResult, MulticlassResult, RegressionResult
from pytmva_bnn.evaluation.roc import RocCurve, roc_curve
from pytmva_bnn.evaluation.samples import BinarySample, MulticlassSample, RegressionSample
from pytmva_bnn.evaluation.tables import (
    binary_tables,
    correlation_tables,
    final_tables,
    multiclass_tables,
    ranking_table,
    regression_tables,
    statistics_table,
    value_list,
)
from pytmva_bnn.histograms import Histogram1D, Histogram2D
from pytmva_bnn.histograms.entries import NamedHistogram
from pytmva_bnn.methods.ranking import Ranking

__all__ = [
    "BinaryResult",
    "BinarySample",
    "Histogram1D",
    "Histogram2D",
    "KolmogorovResult",
    "LogisticFit",
    "MaximumSignificance",
    "MulticlassResult",
    "MulticlassSample",
    "NamedHistogram",
    "PairPlots",
    "Ranking",
    "RegressionResult",
    "RegressionSample",
    "Reliability",
    "RocCurve",
    "VariableStatistics",
    "binary_tables",
    "correlation_histogram",
    "correlation_tables",
    "evaluate_binary",
    "evaluate_multiclass",
    "evaluate_regression",
    "final_tables",
    "kolmogorov",
    "matrix_table",
    "maximum_significance",
    "multiclass_tables",
    "overlap_matrix",
    "pair_plots",
    "ranking_table",
    "regression_tables",
    "reliability",
    "response_correlations",
    "roc_curve",
    "separation_ranking",
    "statistics_table",
    "stored_probabilities",
    "target_rankings",
    "training_response_histograms",
    "value_list",
    "variable_histograms",
    "variable_statistics",
]
