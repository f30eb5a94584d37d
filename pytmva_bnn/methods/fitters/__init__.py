"""The fitters of TMVA: they minimise an estimator over intervals of its parameters.

Cuts, FDA and the MLP (``TrainingMethod=GA``) use them.  What to use when: :func:`parse_fitter` makes the fitter that a
booking string names, with its options from the same string; :class:`Interval` is the range of a parameter; the
estimator is a function of a block of points (:class:`Estimator`).
"""

from __future__ import annotations

from pytmva_bnn.methods.fitters.annealing import SimulatedAnnealing
from pytmva_bnn.methods.fitters.booking import FITTERS, fitter_of, parse_fitter
from pytmva_bnn.methods.fitters.fitter import Estimator, Fitter, Minimum, Watch
from pytmva_bnn.methods.fitters.genetic import GeneticAlgorithm
from pytmva_bnn.methods.fitters.intervals import Interval
from pytmva_bnn.methods.fitters.monte_carlo import MonteCarlo

__all__ = [
    "FITTERS",
    "Estimator",
    "Fitter",
    "GeneticAlgorithm",
    "Interval",
    "Minimum",
    "MonteCarlo",
    "SimulatedAnnealing",
    "Watch",
    "fitter_of",
    "parse_fitter",
]
