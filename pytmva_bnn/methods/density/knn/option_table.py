"""The options of KNN as data, and what they mean for an evaluation."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from pytmva_bnn.errors import OptionError
from pytmva_bnn.options import METHOD_BASE_OPTIONS, Option, OptionSet, OptionType

BOOL, INT, FLOAT, STRING = OptionType.BOOL, OptionType.INT, OptionType.FLOAT, OptionType.STRING

log = logging.getLogger("pytmva_bnn.KNN")

# fmt: off
KNN_OPTIONS: tuple[Option, ...] = (
    Option("nkNN", INT, 20, "number of neighbours"),
    Option("BalanceDepth", INT, 6, "levels of empty nodes at the top of the search tree"),
    Option("ScaleFrac", FLOAT, 0.8, "central fraction of the events that is the width of a variable (0: no scaling)"),
    Option("SigmaFact", FLOAT, 1.0, "factor on the width of the Gaussian kernel"),
    # TMVA: not a closed list; another word means no kernel
    Option("Kernel", STRING, "Gaus", "kernel for UseKernel: Gaus or Poln"),
    Option("Trim", BOOL, False, "use as many events of each class as the smaller class has"),
    Option("UseKernel", BOOL, False, "weight neighbours by a kernel of their distance"),
    Option("UseWeight", BOOL, True, "count neighbours by their event weights"),
    Option("UseLDA", BOOL, False, "local linear discriminant; TMVA crashes with it, so it is refused here"),
)
# fmt: on
OLD_OPTIONS = (Option("TreeOptDepth", INT, 6, "TMVA 4.0: levels of empty nodes, without effect"),)
METHOD_OPTIONS = METHOD_BASE_OPTIONS + KNN_OPTIONS


@dataclass(frozen=True)
class KNNSettings:
    """What the options say about the neighbours; ``kernel`` is Gaus, Poln, or empty for none."""

    n_neighbours: int = 20
    balance_depth: int = 6
    scale_fraction: float = 0.8
    sigma_factor: float = 1.0
    kernel: str = ""
    trims: bool = False
    uses_weights: bool = True

    @classmethod
    def of(cls, options: OptionSet) -> KNNSettings:
        """Return the settings of options that are checked, or stand in a weight file."""
        if options.flag("UseLDA"):
            raise OptionError("UseLDA=True cannot be evaluated (TMVA crashes with it); train again without it")
        kernel = options.string("Kernel") if options.flag("UseKernel") else ""
        return cls(
            options.integer("nkNN"),
            options.integer("BalanceDepth"),
            options.real("ScaleFrac"),
            options.real("SigmaFact"),
            kernel if kernel in ("Gaus", "Poln") else "",
            options.flag("Trim"),
            options.flag("UseWeight"),
        )


def check(options: OptionSet, title: str) -> KNNSettings:
    """Replace impossible values of a booked method with a warning, as TMVA does, and return its settings."""
    n_neighbours, depth, fraction = options.integer("nkNN"), options.integer("BalanceDepth"), options.real("ScaleFrac")
    for name, is_bad, value, text in (
        ("nkNN", n_neighbours <= 0, 10, "kNN must be a positive integer: set kNN = 10"),
        ("ScaleFrac", fraction < 0, 0.0, "ScaleFrac can not be negative: set ScaleFrac = 0"),
        ("ScaleFrac", fraction > 1, 1.0, ""),
        ("BalanceDepth", depth <= 0, 6, "Optimize must be a positive integer: set Optimize = 6"),
    ):
        if is_bad:
            options.set_value(name, value)
            if text:
                log.warning("%s: %s", title, text)
    if options.flag("UseKernel") and options.string("Kernel") not in ("Gaus", "Poln"):
        log.warning("%s: Kernel=%s is neither Gaus nor Poln, so no kernel is used", title, options.string("Kernel"))
    try:
        return KNNSettings.of(options)
    except OptionError as error:
        raise OptionError(f"{title}: {error}") from None
