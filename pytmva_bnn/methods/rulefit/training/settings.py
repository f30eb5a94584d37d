"""What a training makes of the options of RuleFit."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from pytmva_bnn.errors import OptionError
from pytmva_bnn.methods.rulefit.rules import Model
from pytmva_bnn.options import OptionSet
from pytmva_bnn.options.conversion import to_text

log = logging.getLogger("pytmva_bnn.RuleFit")

_MODELS = {model.lower(): model for model in Model}


@dataclass(frozen=True)
class RuleFitSettings:
    """The options of a booked RuleFit, checked; ``tau`` is None if it is scanned."""

    model: Model
    tau: float | None
    tau_precision: float
    step: float
    n_steps: int
    error_scale: float
    quantile: float
    path_fraction: float
    validation_fraction: float
    events_min: float
    events_max: float
    n_trees: int
    random_forest: bool
    min_distance: float
    min_importance: float

    @property
    def has_rules(self) -> bool:
        """Tell whether rules are fitted."""
        return self.model is not Model.LINEAR

    @property
    def has_linear(self) -> bool:
        """Tell whether linear terms are fitted."""
        return self.model is not Model.RULES

    @classmethod
    def of(cls, options: OptionSet, title: str) -> RuleFitSettings:
        """Return the settings; values out of range are replaced as TMVA does, impossible ones raise OptionError."""
        for name in ("ForestType", "Model", "RuleFitModule"):
            options.set_value(name, options.string(name).lower())
        _refuse(options, title)
        _replace_values(options)
        tau = options.real("GDTau")
        return cls(
            model=_MODELS[options.string("Model")],
            tau=None if tau < 0.0 else tau,
            tau_precision=options.real("GDTauPrec"),
            step=options.real("GDStep"),
            n_steps=options.integer("GDNSteps"),
            error_scale=options.real("GDErrScale"),
            quantile=options.real("LinQuantile"),
            path_fraction=options.real("GDPathEveFrac"),
            validation_fraction=options.real("GDValidEveFrac"),
            events_min=options.real("fEventsMin"),
            events_max=options.real("fEventsMax"),
            n_trees=options.integer("nTrees"),
            random_forest=options.string("ForestType") == "random",
            min_distance=options.real("RuleMinDist"),
            min_importance=options.real("MinImp"),
        )


def _refuse(options: OptionSet, title: str) -> None:
    if options.string("RuleFitModule") == "rffriedman":
        raise OptionError(
            f"{title}: RuleFitModule=RFFriedman needs Friedman's program, which is not part of this package; use "
            "RuleFitModule=RFTMVA"
        )
    if options.flag("IgnoreNegWeightsInTraining"):
        raise OptionError(
            f"{title}: Mechanism to ignore events with negative weights in training not available for method RuleFit; "
            "remove them by a cut in PrepareTrainingAndTestTree"
        )
    if options.string("VarTransform") not in ("", "None"):
        # TMVA: stops with "Transformation not yet created"
        raise OptionError(
            f"{title}: VarTransform is not supported (rules do not need it, and linear terms are normalised "
            "anyway); leave it out"
        )
    if options.integer("GDNSteps") < 1:
        raise OptionError(f"{title}: GDNSteps={options.integer('GDNSteps')} must be at least 1")
    if options.real("GDTau") > 1.0:
        raise OptionError(f"{title}: GDTau={options.real('GDTau'):g}: it must be at most 1")
    if not 0.0 <= options.real("LinQuantile") < 0.5:
        raise OptionError(f"{title}: LinQuantile={options.real('LinQuantile'):g} must be at least 0 and below 0.5")


def _replace_values(options: OptionSet) -> None:
    """Replace values out of range, by the nearest one or by TMVA's choice."""
    _replace(options, "nTrees", 0, 100_000, 20)
    _replace(options, "MinImp", 0.0, 1.0, 0.0)
    _replace(options, "GDTauPrec", 1e-5, 0.5)
    _replace(options, "GDStep", 0.0, 100.0, 0.01)
    _replace(options, "GDErrScale", 1.0, 100.0, 1.1)
    _replace(options, "GDPathEveFrac", 0.01, 0.9, 0.5)
    rest = 1.0 - options.real("GDPathEveFrac")
    _replace(options, "GDValidEveFrac", 0.01, rest, rest)
    _replace(options, "fEventsMin", 0.0, 1.0)
    _replace(options, "fEventsMax", options.real("fEventsMin"), 1.0)


def _replace(options: OptionSet, name: str, low: float, high: float, otherwise: float | None = None) -> None:
    value = options.integer(name) if isinstance(low, int) else options.real(name)
    if low <= value <= high:
        return
    new = otherwise if otherwise is not None else max(low, min(value, high))
    new = low if new != new else new
    log.warning("Parameter %s=%s is outside [%g, %g]: set to %s", name, to_text(value), low, high, to_text(new))
    options.set_value(name, new)
