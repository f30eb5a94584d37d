"""Figures of trainings and networks, with matplotlib (``pip install 'pytmva-bnn[plot]'``).

What to use when:

===================================================  ==========================================================
the question                                         the function
===================================================  ==========================================================
What goes in?                                        :func:`variables`, :func:`correlations`, :func:`scatter`
Does it separate signal from background?             :func:`response`, :func:`roc`, :func:`probability`,
                                                     :func:`rarity`, :func:`parallel_coordinates`
Is it overtrained? Has it converged?                 :func:`response` (points), :func:`convergence`
How was the forest boosted, what do its trees do?    :func:`boosting`, :func:`tree_sizes`, :func:`boost_monitor`,
                                                     :func:`decision_tree`
Where do I cut?                                      :func:`efficiencies`
Can I trust the probability?                         :func:`calibration`
What did it learn, and how sure is it?               :func:`response_along`, :func:`probability_map`
How many events does it expect in each bin?          :func:`predicted_sums`, :func:`sums_with_errors`
Which inputs matter?                                 :func:`ranking`, :func:`cut_bars`, :func:`relevance`
How many neurons do I need?                          :func:`evidence`, :func:`network`
What is in the cells of a foam?                      :func:`foam_map`, :func:`foam_maps`
How does a linear method weigh its variables?        :func:`coefficients`
Which rules has a RuleFit?                           :func:`rule_bars`
Which options are best?                              :func:`search_scores`
Where do rectangular cuts lie, and what do they do?  :func:`cut_values`, :func:`cut_efficiency`
What are the densities of a likelihood?              :func:`reference_densities`
How good is the regression?                          :func:`deviations`, :func:`average_deviations`
How good is each of several classes?                 :func:`multiclass_response`, :func:`multiclass_roc`
All that TMVA's GUI draws, as files                  :func:`save_all`
===================================================  ==========================================================

Functions with one panel take ``ax`` and return it; those with several take ``fig`` and return it.  Figures that they
make are not known to pyplot: nothing stays open, and ``ax.figure.savefig("name.pdf")`` (or ``fig.savefig``) writes
them.  To have the figure in pyplot, make it there: ``fig, ax = plt.subplots()`` and pass ``ax``.
"""

from __future__ import annotations

from pytmva_bnn.evaluation import Reliability, reliability
from pytmva_bnn.show.plots.boosting import Boosting, boost_monitor, boosting, tree_sizes
from pytmva_bnn.show.plots.calibration import calibration
from pytmva_bnn.show.plots.coefficients import coefficients
from pytmva_bnn.show.plots.curves import efficiencies, efficiencies_of, multiclass_roc, roc
from pytmva_bnn.show.plots.cuts import cut_efficiency, cut_values
from pytmva_bnn.show.plots.decision_tree import decision_tree
from pytmva_bnn.show.plots.deviations import DeviationPlot, average_deviations, deviation, deviations
from pytmva_bnn.show.plots.foams import foam_map, foam_maps
from pytmva_bnn.show.plots.inputs import (
    Pair,
    correlation_matrix,
    correlations,
    distributions,
    parallel_coordinates,
    scatter,
    variables,
)
from pytmva_bnn.show.plots.rankings import cut_bars, ranking
from pytmva_bnn.show.plots.references import reference_densities
from pytmva_bnn.show.plots.responses import (
    multiclass_response,
    probability,
    rarity,
    response,
    response_of,
    response_pdfs,
    superimposed,
)
from pytmva_bnn.show.plots.rules import rule_bars
from pytmva_bnn.show.plots.save import save_all
from pytmva_bnn.show.plots.searches import search_scores
from pytmva_bnn.show.plots.style import PALETTE, style
from pytmva_bnn.show.plots.sums import predicted_sums, sums_with_errors
from pytmva_bnn.show.plots.surfaces import probability_map, response_along
from pytmva_bnn.show.plots.training import convergence, evidence, network, relevance

__all__ = [
    "PALETTE",
    "Boosting",
    "DeviationPlot",
    "Pair",
    "Reliability",
    "average_deviations",
    "boost_monitor",
    "boosting",
    "calibration",
    "coefficients",
    "convergence",
    "correlation_matrix",
    "correlations",
    "cut_bars",
    "cut_efficiency",
    "cut_values",
    "decision_tree",
    "deviation",
    "deviations",
    "distributions",
    "efficiencies",
    "efficiencies_of",
    "evidence",
    "foam_map",
    "foam_maps",
    "multiclass_response",
    "multiclass_roc",
    "network",
    "parallel_coordinates",
    "predicted_sums",
    "probability",
    "probability_map",
    "ranking",
    "rarity",
    "reference_densities",
    "relevance",
    "reliability",
    "response",
    "response_along",
    "response_of",
    "response_pdfs",
    "roc",
    "rule_bars",
    "save_all",
    "scatter",
    "search_scores",
    "style",
    "sums_with_errors",
    "superimposed",
    "tree_sizes",
    "variables",
]
