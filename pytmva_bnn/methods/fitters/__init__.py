"""The fitters of TMVA: they minimise an estimator over intervals of its parameters.

Cuts, FDA and the MLP (``TrainingMethod=GA``) use them.  What to use when: :func:`parse_fitter` makes the fitter that a
booking string names, with its options from the same string; :class:`Interval` is the range of a parameter; the
estimator is a function of a block of points (:class:`Estimator`).
"""

from __future__ import annotations

from pytmva_bnn.errors import OptionError
from pytmva_bnn.methods.fitters.annealing import SimulatedAnnealing
from pytmva_bnn.methods.fitters.fitter import Estimator, Fitter, Minimum, Watch
from pytmva_bnn.methods.fitters.genetic import GeneticAlgorithm
from pytmva_bnn.methods.fitters.intervals import Interval
from pytmva_bnn.methods.fitters.minuit import Minuit
from pytmva_bnn.methods.fitters.monte_carlo import MonteCarlo
from pytmva_bnn.options import OptionSet

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


FITTERS: dict[str, type[Fitter]] = {
    "MC": MonteCarlo,
    "GA": GeneticAlgorithm,
    "SA": SimulatedAnnealing,
    "MINUIT": Minuit,
}
"""The fitters by the values of the option FitMethod."""


def parse_fitter(options: OptionSet, name: str) -> Fitter:
    """Let a fitter take its options from the string of the method, and return it; see ``OptionSet.parse_part``."""
    options.parse_part(name, FITTERS[name].options)
    return fitter_of(options, name)


def fitter_of(options: OptionSet, name: str) -> Fitter:
    """Return a fitter whose options have been parsed."""
    try:
        return FITTERS[name].of(options.parts[name])
    except OptionError as error:
        prefix = f"{options.owner}: "
        text = str(error)
        raise OptionError(text if text.startswith(prefix) else f"{prefix}{text}") from None
