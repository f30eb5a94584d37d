"""The options of boosting, and what they mean for a training."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from pytmva_bnn.errors import OptionError
from pytmva_bnn.options import METHOD_BASE_OPTIONS, Option, OptionSet, OptionType, split_tokens
from pytmva_bnn.options.strings import MARK

TRANSFORMS = ("step", "linear", "log", "gauss")
"""In the order of the numbers that compiled code knows them by."""
LARGEST_NUMBER = 100_000
"""More classifiers than anybody trains: the number is a slip, such as -1."""

# fmt: off
BOOST_OPTIONS: tuple[Option, ...] = (
    *METHOD_BASE_OPTIONS,
    Option("Boost_Num", OptionType.UINT, 1, "number of classifiers"),
    Option("Boost_MonitorMethod", OptionType.BOOL, True, "TMVA: histograms of each classifier (no effect here)"),
    Option("Boost_DetailedMonitoring", OptionType.BOOL, False, "TMVA: more histograms (no effect here)"),
    Option("Boost_Type", OptionType.STRING, "AdaBoost", "how events are weighted for the next classifier",
           ("RealAdaBoost", "AdaBoost", "Bagging")),
    Option("Boost_BaggedSampleFraction", OptionType.DOUBLE, 0.6, "Bagging: mean of the Poisson weights"),
    Option("Boost_AdaBoostBeta", OptionType.DOUBLE, 1.0, "AdaBoost: exponent of the boost, smaller is slower"),
    Option("Boost_Transform", OptionType.STRING, "step", "what is summed of the response of a classifier", TRANSFORMS),
    Option("Boost_RandomSeed", OptionType.UINT, 0, "Bagging: seed of the random weights"),
)
OLD_BOOST_OPTIONS: tuple[Option, ...] = (
    Option("Boost_RecalculateMVACut", OptionType.BOOL, True, "TMVA 4.0: look for a cut each time (no effect)"),
    Option("Boost_MethodWeightType", OptionType.STRING, "ByError", "TMVA 4.0: weights of the classifiers (no effect)",
           ("ByError", "Average", "ByROC", "ByOverlap", "LastMethod")),
)
# fmt: on


@dataclass(frozen=True, eq=False)
class BoostSettings:
    """The settings of a training; ``classifier`` are those of each classifier, with their ``options``."""

    number: int
    kind: str
    fraction: float
    beta: float
    transform: str
    seed: int
    options: OptionSet
    classifier: Any

    @classmethod
    def of(cls, options: OptionSet, title: str, inner: OptionSet, classifier: Any) -> BoostSettings:
        """Check the options."""
        settings = cls(
            options.integer("Boost_Num"),
            options.string("Boost_Type"),
            options.real("Boost_BaggedSampleFraction"),
            options.real("Boost_AdaBoostBeta"),
            options.string("Boost_Transform"),
            options.integer("Boost_RandomSeed"),
            inner,
            classifier,
        )
        if settings.kind == "Bagging" and not settings.fraction > 0.0:
            raise OptionError(f"{title}: Boost_BaggedSampleFraction={settings.fraction:g} must be larger than 0")
        if settings.kind != "Bagging" and not settings.beta > 0.0:
            raise OptionError(f"{title}: Boost_AdaBoostBeta={settings.beta:g} must be larger than 0")
        return settings


def number_of_classifiers(text: str, title: str) -> int:
    """Return Boost_Num of an option string, 0 if it is not there."""
    # TMVA: looks for it before it knows what the method is
    finder = OptionSet([Option("Boost_Num", OptionType.INT, 0, "number of classifiers")], owner=title)
    finder.parse(":".join(token for token in split_tokens(text) if _name(token) == "boost_num"))
    number = finder.integer("Boost_Num")
    if finder.is_set("Boost_Num") and not 1 <= number <= LARGEST_NUMBER:
        raise OptionError(
            f"{title}: Boost_Num={number} is not a number of classifiers from 1 to {LARGEST_NUMBER}; without boosting, "
            "leave it out"
        )
    return number


def classifier_string(marked: str) -> str:
    """Return the option string of the classifiers: that of the boosted method without VarTransform."""
    # TMVA: the transformation is that of the whole
    return ":".join(token for token in split_tokens(marked) if _name(token) != "vartransform")


def all_marked(text: str, without: Collection[str] = ()) -> str:
    """Return an option string in which each token was understood, without some options."""
    left_out = {name.lower() for name in without}
    return ":".join(MARK + token.lstrip(MARK) for token in split_tokens(text) if _name(token) not in left_out)


def _name(token: str) -> str:
    return token.lstrip(MARK + "!").partition("=")[0].strip().lower()
