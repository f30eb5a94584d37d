"""A trained PDERS as the rest of the package sees it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.methods.density.kept_events import FittedEvents
from pytmva_bnn.methods.density.pders.evaluation import DensityEstimate
from pytmva_bnn.methods.density.pders.option_table import PDERSSettings
from pytmva_bnn.methods.density.pders.tree import SearchTree
from pytmva_bnn.methods.density.pders.xml import weights_lines
from pytmva_bnn.weights import Dialect

_SECONDS = 4e-8
"""What numpy takes for an event and a training event."""


@dataclass(frozen=True, eq=False)
class FittedPDERS(FittedEvents):
    """The search tree of training events, and the volume in which it is searched.

    ``booked`` are the settings that the user chose, ``as_booked`` tells that they are used: as in a training and in
    text files, but not by TMVA for XML files.  ``is_corrected`` stands for the responses without TMVA's defects.
    ``signal_class`` is the index of the signal class.  ``named_classes`` and ``texts_in_line`` are forms of old files:
    names in place of class indices; numbers in the line of the start tag.
    """

    tree: SearchTree
    booked: PDERSSettings
    signal_class: int = 0
    is_regression: bool = False
    as_booked: bool = False
    is_corrected: bool = False
    named_classes: bool = False
    texts_in_line: bool = False

    noun = "range-search method"

    @property
    def settings(self) -> PDERSSettings:
        """Return the settings that are used."""
        return self.booked if self.as_booked else self.booked.of_reader

    @cached_property
    def estimate(self) -> DensityEstimate:
        """Return the tree ready to be searched."""
        return DensityEstimate(
            self.tree, self.settings, self.signal_class, self._scales(), self._delta(), self.is_corrected
        )

    def _scales(self) -> tuple[np.float32, np.float32]:
        """Return the factors that normalise the sums of signal and background."""
        signal, background = (np.float32(1.0 / total if total > 0 else 1.0) for total in self.tree.statistics.sums)
        # TMVA: the first class counts as signal here, whatever its name, so that the scales may be exchanged
        exchanged = self.is_corrected and self.signal_class == 1
        return (background, signal) if exchanged else (signal, background)

    def _delta(self) -> Float32Array:
        """Return the widths of the box around an event."""
        fraction, rms = np.float32(self.booked.delta_fraction), self.tree.statistics.rms
        if self.settings.mode == "Unscaled":
            return np.full(rms.shape[1], fraction)
        if self.settings.mode == "MinMax":
            # TMVA: 0 without VarTransform, so that nothing is in the box; here the range of the training events
            widths: Float32Array = np.ptp(self.tree.variables, axis=0)
        else:
            widths = rms[0] if self.is_regression else (rms[0] + rms[1]) * np.float32(0.5)
        return widths * fraction

    def seconds(self, n_events: int) -> float:
        """Return approximately how long numpy takes for this number of events."""
        return _SECONDS * n_events * len(self.tree)

    def outputs(self, x: Float32Array, *, compiled: bool) -> FloatArray:
        """Return the signal probability, or the mean target, of events."""
        responses = self.estimate.responses(x, "means" if self.is_regression else "densities", compiled=compiled)
        return responses[:, np.newaxis]

    def mva_values(self, x: Float32Array) -> FloatArray:
        """Return the signal probability of events."""
        # TMVA: in regression too, where all events are signal
        compiled = self.is_compiled(len(x), errors=False, compiled=None)
        return self.estimate.responses(x, "densities", compiled=compiled)

    def single(self, row: Float32Array) -> Callable[[], float]:
        """Return what evaluates the event in ``row``."""
        return self.estimate.single(row) or (lambda: math.nan)

    # -- weight file, people

    def write(self, dialect: Dialect) -> Iterator[str]:
        """Yield the element <Weights>."""
        del dialect
        return weights_lines(self.tree, named_classes=self.named_classes, texts_in_line=self.texts_in_line)

    def modernised(self) -> FittedPDERS:
        """Return the same in the form that current TMVA reads."""
        return replace(self, named_classes=False, texts_in_line=False)

    def corrected(self) -> FittedPDERS:
        """Return the method with the volume and the kernel that were booked, and scales of the right classes."""
        return replace(self, as_booked=True, is_corrected=True)

    @property
    def summary(self) -> str:
        """Return what is searched in how."""
        return f"{len(self.tree)} events, {self.settings.mode} {self.settings.kernel}"

    def describe(self) -> list[tuple[str, str]]:
        """Return events, tree, volume and kernel."""
        numbers = f"{len(self.tree)}"
        if not self.is_regression:
            n_signal = np.count_nonzero(self.tree.classes == self.signal_class)
            numbers += f" ({n_signal} signal, {len(self.tree) - n_signal} background)"
        settings, booked = self.settings, self.booked
        volume = settings.mode
        if settings.mode in ("Adaptive", "kNN"):
            volume += f", {settings.n_min:g} to {settings.n_max:g} events"
        rows = [
            ("training events", numbers),
            ("levels of the tree", str(int(self.tree.depths.max()) + 1)),
            ("volume", volume),
            ("kernel", settings.kernel + (f", sigma {settings.gauss_sigma:g}" if settings.kernel == "Gauss" else "")),
            ("first box", " ".join(f"{one:.3g}" for one in self.estimate.delta)),
        ]
        if (settings.mode, settings.kernel) != (booked.mode, booked.kernel):
            rows.append(("booked", f"{booked.mode}, {booked.kernel}, which TMVA does not use for weight files"))
        return rows
