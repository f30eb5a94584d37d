"""The options of SVM as data, and what they say about kernel and training."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pytmva_bnn.errors import OptionError, suggestion
from pytmva_bnn.methods.svm.kernel import KERNELS, Kernel
from pytmva_bnn.methods.tuned_option import TunedOption
from pytmva_bnn.options import METHOD_BASE_OPTIONS, Option, OptionSet, OptionType
from pytmva_bnn.tmva_types import AnalysisType

INT, UINT, FLOAT, STRING = OptionType.INT, OptionType.UINT, OptionType.FLOAT, OptionType.STRING

_COST = Option("C", FLOAT, 1.0, "cost of a training event on the wrong side: a larger value gives a finer border")
# fmt: off
SVM_OPTIONS: tuple[Option, ...] = (
    # TMVA: not a closed list; it ends the process if it does not know the word
    Option("Kernel", STRING, "RBF", "kernel: RBF, MultiGauss, Polynomial, Prod or Sum of those in KernelList"),
    Option("Gamma", FLOAT, 1.0, "RBF: 1/(2 width squared)"),
    Option("Order", INT, 3, "Polynomial: its order"),
    Option("Theta", FLOAT, 1.0, "Polynomial: its constant"),
    Option("GammaList", STRING, "", "MultiGauss: a Gamma for each variable, separated by commas (empty: all are 1)"),
    Option("Tune", STRING, "All", "OptimizeAllMethods: parameters to be tuned, separated by commas"),
    Option("KernelList", STRING, "None", "kernels of Prod, separated by *, or of Sum, separated by +"),
    Option("Loss", STRING, "hinge", "OptimizeAllMethods: loss function; without effect here"),
    _COST,
    Option("Tol", FLOAT, 0.01, "largest violation of the optimum at which the training ends"),
    Option("MaxIter", UINT, 1000, "maximum number of passes over the events"),
)
OLD_OPTIONS: tuple[Option, ...] = (
    Option("NSubSets", UINT, 1, "TMVA 4.0: parts of the training sample, without effect"),
    Option("Sigma", FLOAT, 2.0, "TMVA 3.9: width of the kernel"),
    Option("Kappa", FLOAT, 1.0, "TMVA 3.9: parameter of the sigmoidal kernel"),
)
# fmt: on
METHOD_OPTIONS = METHOD_BASE_OPTIONS + SVM_OPTIONS
REGRESSION_COST = 0.002
_TUNED: tuple[tuple[str, TunedOption], ...] = (
    ("", TunedOption("C", 0.01, 100.0, 9, is_logarithmic=True)),
    ("RBF", TunedOption("Gamma", 0.01, 100.0, 9, is_logarithmic=True)),
    ("Polynomial", TunedOption("Order", 1, 5, 5, is_integer=True)),
    ("Polynomial", TunedOption("Theta", 0.0, 2.0, 5)),
)
"""What OptimizeAllMethods varies, each for one of the kernels or for all."""
_SEPARATORS = {"Prod": "*", "Sum": "+"}


def options_for(analysis: AnalysisType) -> tuple[Option, ...]:
    """Return the options with their defaults."""
    if analysis != AnalysisType.REGRESSION:
        return METHOD_OPTIONS
    return tuple(replace(one, default=REGRESSION_COST) if one is _COST else one for one in METHOD_OPTIONS)


@dataclass(frozen=True)
class SVMSettings:
    """The options of a booked SVM, checked; real numbers are float32, as TMVA holds them."""

    names: tuple[str, ...]
    is_product: bool
    gamma: float
    gamma_list: str
    theta: float
    order: int
    cost: float
    tolerance: float
    max_passes: int

    @classmethod
    def of(cls, options: OptionSet, title: str) -> SVMSettings:
        """Return the settings; impossible values raise an OptionError."""
        if options.flag("IgnoreNegWeightsInTraining"):
            # TMVA: stops with this message
            raise OptionError(
                f"{title}: Mechanism to ignore events with negative weights in training not yet available for method "
                'SVM --> please remove "IgnoreNegWeightsInTraining" option from booking string.'
            )
        try:
            names, is_product = kernel_names(options)
        except OptionError as error:
            raise OptionError(f"{title}: {error}") from None
        if not options.real("C") > 0.0:
            raise OptionError(f"{title}: C={options.real('C'):g} must be larger than 0")
        if "RBF" in names and options.real("Gamma") < 0.0:
            raise OptionError(
                f"{title}: Gamma={options.real('Gamma'):g} must not be negative: the kernel would be unbounded"
            )
        if not options.real("Tol") >= 0.0:
            raise OptionError(f"{title}: Tol={options.real('Tol'):g} must not be negative")
        gamma, theta, cost, tolerance = (
            float(np.float32(options.real(name))) for name in ("Gamma", "Theta", "C", "Tol")
        )
        return cls(
            names,
            is_product,
            gamma,
            options.string("GammaList"),
            theta,
            options.integer("Order"),
            cost,
            tolerance,
            options.integer("MaxIter"),
        )

    def kernel(self, n_variables: int) -> tuple[Kernel, str]:
        """Return the kernel for this number of variables, and its list of gammas as a weight file holds it."""
        text = self.gamma_list
        if "MultiGauss" in self.names and not text:
            text = ",".join(["1"] * n_variables)
        gammas = parsed_gammas(text, n_variables) if "MultiGauss" in self.names else ()
        return Kernel(self.names, self.is_product, self.gamma, gammas, self.theta, self.order), text


def kernel_names(options: OptionSet) -> tuple[tuple[str, ...], bool]:
    """Return the kernels that the options name, and whether they are multiplied."""
    kernel = options.string("Kernel")
    if kernel in KERNELS:
        return (kernel,), False
    if kernel not in _SEPARATORS:
        hint = suggestion(kernel, (*KERNELS, *_SEPARATORS))
        known = ", ".join((*KERNELS, *_SEPARATORS))
        raise OptionError(
            f"Kernel={kernel}: {kernel} is not a recognised kernel function"
            f"{': ' + hint if hint else '; known: ' + known}"
        )
    separator, text = _SEPARATORS[kernel], options.string("KernelList")
    names = tuple(text.split(separator))
    unknown = [name for name in names if name not in KERNELS]
    if unknown:
        raise OptionError(
            f"KernelList={text}: {unknown[0]} is not a kernel; Kernel={kernel} needs some of {', '.join(KERNELS)}, "
            f"separated by {separator}"
        )
    return names, kernel == "Prod"


def tuned_options(options: OptionSet) -> tuple[TunedOption, ...]:
    """Return what OptimizeAllMethods varies: all that the kernels have, or what ``Tune`` names of it."""
    kernels, _ = kernel_names(options)
    found = tuple(option for kernel, option in _TUNED if not kernel or kernel in kernels)
    text = options.string("Tune")
    if text == "All":
        return found
    wanted, known = text.split(","), [option.name for option in found]
    for name in wanted:
        if name not in known:
            hint = suggestion(name, known)
            raise OptionError(
                f"Tune={text}: {name} is not a parameter to be tuned{': ' + hint if hint else ''}; with "
                f"Kernel={options.string('Kernel')} these are {', '.join(known)}"
            )
    return tuple(option for option in found if option.name in wanted)


def parsed_gammas(text: str, n_variables: int) -> tuple[float, ...]:
    """Return the numbers of a GammaList, of which there must be one for each variable."""
    words = text.split(",")
    if len(words) != n_variables:
        fewer = "Fewer" if len(words) < n_variables else "More"
        raise OptionError(
            f"GammaList={text}: {fewer} gammas than input variables! #Gammas= {len(words)} #Input variables= "
            f"{n_variables}"
        )
    try:
        gammas = tuple(float(np.float32(word.strip())) for word in words)
    except ValueError:
        raise OptionError(f"GammaList={text}: its parts must be numbers, separated by commas") from None
    if not np.isfinite(gammas).all():
        raise OptionError(f"GammaList={text}: its numbers must be finite")
    return gammas
