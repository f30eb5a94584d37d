"""What a training makes of the options of PDEFoam."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import numpy as np

from pytmva_bnn.errors import OptionError
from pytmva_bnn.methods.foam.evaluation import Kernel
from pytmva_bnn.options import OptionSet
from pytmva_bnn.tmva_types import AnalysisType

log = logging.getLogger("pytmva_bnn.PDEFoam")

SELECTIONS = ("Mean", "Mpv")
DEFAULT_TAIL_CUT = 0.001
SMALLEST_NUMBER_OF_CELLS = 2


@dataclass(frozen=True)
class FoamSettings:
    """The options of a booked PDEFoam, checked; real numbers are rounded to float32, as TMVA holds them."""

    separate: bool
    tail_cut: float
    vol_frac: float
    n_active_cells: int
    n_samples: int
    n_bins: int
    compress: bool
    multi_target: bool
    n_min: int
    max_depth: int
    original_weights: bool
    yes_no: bool
    separation: str
    kernel: Kernel
    target_selection: str

    @property
    def is_decision_tree(self) -> bool:
        """Tell whether cells are divided by separation gain."""
        return self.separation != "None"

    @property
    def n_cells(self) -> int:
        """Return the largest number of cells, divided and active ones."""
        return 2 * self.n_active_cells - 1

    @classmethod
    def of(cls, options: OptionSet, title: str, analysis: AnalysisType) -> FoamSettings:
        """Return the settings; impossible values raise an OptionError, others are replaced as TMVA does."""
        if not 0.0 <= options.real("TailCut") <= 1.0:
            log.warning("TailCut not in [0.,1] ==> using %g instead", DEFAULT_TAIL_CUT)
            options.set_value("TailCut", DEFAULT_TAIL_CUT)
        n_active = options.integer("nActiveCells")
        if n_active < 1:
            replaced = SMALLEST_NUMBER_OF_CELLS
            log.warning("invalid number of active cells specified: %d; setting nActiveCells=%d", n_active, replaced)
            options.set_value("nActiveCells", replaced)
        for name in ("nSampl", "nBin"):
            if options.integer(name) < 1:
                raise OptionError(f"{title}: {name}={options.integer(name)} must be at least 1")
        if not options.real("VolFrac") > 0.0:
            raise OptionError(f"{title}: VolFrac={options.real('VolFrac'):g} must be larger than 0")
        settings = cls(
            separate=options.flag("SigBgSeparate"),
            tail_cut=float(np.float32(options.real("TailCut"))),
            vol_frac=float(np.float32(options.real("VolFrac"))),
            n_active_cells=options.integer("nActiveCells"),
            n_samples=options.integer("nSampl"),
            n_bins=options.integer("nBin"),
            compress=options.flag("Compress"),
            multi_target=options.flag("MultiTargetRegression"),
            n_min=options.integer("Nmin"),
            max_depth=options.integer("MaxDepth"),
            original_weights=options.flag("FillFoamWithOrigWeights"),
            yes_no=options.flag("UseYesNoCell"),
            separation=options.string("DTLogic"),
            kernel=Kernel(options.string("Kernel")),
            target_selection=options.string("TargetSelection"),
        )
        settings.check(title, analysis)
        return settings

    def check(self, title: str, analysis: AnalysisType) -> None:
        """Raise an OptionError if the options exclude each other."""
        regression = analysis == AnalysisType.REGRESSION
        if self.is_decision_tree and regression:
            raise OptionError(f"{title}: Decision tree logic works only for classification, not for regression")
        if self.is_decision_tree and self.separate:
            raise OptionError(f"{title}: Decision tree logic works only for a single foam (SigBgSeparate=F)")
        if regression and self.multi_target and self.kernel is Kernel.LIN_NEIGHBORS:
            raise OptionError(
                f"{title}: LinNeighbors kernel currently not supported for multi target regression; use Kernel=None, "
                "which multi-target regression uses for every kernel anyway"
            )
