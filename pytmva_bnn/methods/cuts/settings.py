"""What the training makes of the options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.errors import OptionError
from pytmva_bnn.methods.cuts.event_search import EventSampling, EventScan
from pytmva_bnn.methods.cuts.option_table import FitMethod
from pytmva_bnn.methods.fitters import FITTERS, Fitter, fitter_of, parse_fitter
from pytmva_bnn.options import OptionSet


@dataclass(frozen=True, eq=False)
class CutsSettings:
    """What the training wants to know; ``low`` and ``high`` (n_variables,) are the ranges given by the user."""

    fit_method: FitMethod
    search: Fitter | EventSampling | EventScan
    low: FloatArray
    high: FloatArray
    properties: tuple[str, ...]

    @classmethod
    def of(cls, options: OptionSet, title: str) -> CutsSettings:
        """Check the options of a booked method."""
        if options.flag("IgnoreNegWeightsInTraining"):
            raise OptionError(
                f"{title}: IgnoreNegWeightsInTraining does not exist for Cuts, neither here nor in TMVA; leave it out "
                "(negative weights then count as they are), or remove such events by a cut in "
                "PrepareTrainingAndTestTree"
            )
        if options.flag("CreateMVAPdfs"):
            # TMVA: takes it, and makes densities of zeros
            raise OptionError(
                f"{title}: CreateMVAPdfs cannot be used with Cuts: without a signal efficiency the response is 0 for "
                "all events, so it has no density; leave it out"
            )
        name = options.string("FitMethod")
        return cls(
            FitMethod[name],
            _search(options, name),
            np.array(options["CutRangeMin"], dtype=np.float64),
            np.array(options["CutRangeMax"], dtype=np.float64),
            cast("tuple[str, ...]", options["VarProp"]),
        )


def parse_search(options: OptionSet) -> None:
    """Let the search take its options from the string of the method."""
    name = options.string("FitMethod")
    if name in FITTERS:
        parse_fitter(options, name)
    elif FitMethod[name] is FitMethod.MCEvents:
        EventSampling.parse(options)


def _search(options: OptionSet, name: str) -> Fitter | EventSampling | EventScan:
    """Return the search, whose options are parsed."""
    if name in FITTERS:
        return fitter_of(options, name)
    return EventSampling.of(options) if FitMethod[name] is FitMethod.MCEvents else EventScan()
