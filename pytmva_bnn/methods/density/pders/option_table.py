"""The options of PDERS as data, and what they mean for an evaluation."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pytmva_bnn.errors import OptionError
from pytmva_bnn.options import METHOD_BASE_OPTIONS, Option, OptionSet, OptionType

BOOL, FLOAT, DOUBLE, STRING = OptionType.BOOL, OptionType.FLOAT, OptionType.DOUBLE, OptionType.STRING

MODES = ("Unscaled", "MinMax", "RMS", "Adaptive", "kNN")
SINCS = tuple(f"Sinc{number}" for number in (3, 5, 7, 9, 11))
KERNELS = ("Box", "Sphere", "Teepee", "Gauss", *SINCS, *(f"Lanczos{number}" for number in (2, 3, 5, 8)), "Trim")

# fmt: off
PDERS_OPTIONS: tuple[Option, ...] = (
    Option("VolumeRangeMode", STRING, "Adaptive", "how the size of the volume around an event is chosen", MODES),
    Option("KernelEstimator", STRING, "Box", "weight of an event by its distance", KERNELS),
    Option("DeltaFrac", FLOAT, 3.0, "size of the box in units of RMS, range or 1, by VolumeRangeMode"),
    Option("NEventsMin", FLOAT, 100.0, "smallest content of the volume (Adaptive, kNN)"),
    Option("NEventsMax", FLOAT, 200.0, "largest content of the volume (Adaptive, kNN)"),
    Option("MaxVIterations", FLOAT, 150.0, "largest number of steps to find the volume"),
    Option("InitialScale", FLOAT, 0.99, "scale of the first step"),
    Option("GaussSigma", DOUBLE, 0.1, "width of the Gaussian kernel in units of half the box"),
    Option("NormTree", BOOL, False, "balance the search tree"),
)
# fmt: on
METHOD_OPTIONS = METHOD_BASE_OPTIONS + PDERS_OPTIONS


@dataclass(frozen=True)
class PDERSSettings:
    """What the options say about the volume around an event, and the kernel in it."""

    mode: str = "Adaptive"
    kernel: str = "Box"
    delta_fraction: float = 3.0
    n_min: float = 100.0
    n_max: float = 200.0
    max_iterations: float = 150.0
    initial_scale: float = 0.99
    gauss_sigma: float = 0.1

    @classmethod
    def of(cls, options: OptionSet) -> PDERSSettings:
        """Return the settings as they were booked."""
        numbers = ("DeltaFrac", "NEventsMin", "NEventsMax", "MaxVIterations", "InitialScale", "GaussSigma")
        mode, kernel = (options.string(name).strip() for name in ("VolumeRangeMode", "KernelEstimator"))
        return cls(mode, kernel, *map(options.real, numbers))

    @property
    def of_reader(self) -> PDERSSettings:
        """Return the settings with which TMVA evaluates a weight file, whatever was booked."""
        # TMVA: reading a file does not process the options, so mode and kernel keep their first values
        return replace(self, mode="Adaptive", kernel="Box")


def check(options: OptionSet, title: str) -> PDERSSettings:
    """Return the settings of a booked method; an OptionError says what TMVA refuses."""
    if options.flag("IgnoreNegWeightsInTraining"):
        raise OptionError(
            f"{title}: Mechanism to ignore events with negative weights in training not yet available for method: "
            'PDERS --> please remove "IgnoreNegWeightsInTraining" option from booking string.'
        )
    return PDERSSettings.of(options)
