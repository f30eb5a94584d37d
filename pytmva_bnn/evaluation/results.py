"""What an evaluation finds, for the test and the training sample: numbers, curves and histograms by their names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytmva_bnn.displays import Displayed
from pytmva_bnn.errors import MissingDependencyError
from pytmva_bnn.evaluation.efficiencies import (
    Efficiencies,
    MaximumSignificance,
    TrainingEfficiencies,
    maximum_significance,
)
from pytmva_bnn.evaluation.multiclass import BACKGROUND_EFFICIENCIES, MulticlassNumbers
from pytmva_bnn.evaluation.overtraining import KolmogorovResult
from pytmva_bnn.evaluation.regression import DeviationHistograms, RegressionNumbers
from pytmva_bnn.evaluation.responses import ProbabilityHistograms, ResponseHistograms, ResponseStatistics
from pytmva_bnn.evaluation.roc import RocCurve
from pytmva_bnn.histograms import Histogram1D, Histogram2D, stacked
from pytmva_bnn.histograms.entries import NamedHistogram

if TYPE_CHECKING:
    import hist
    import pandas as pd

SAMPLES = ("test", "training")


@dataclass(frozen=True, eq=False)
class BinaryResult(Displayed):
    """The evaluation of one classifier.

    ``roc_integral`` is the number of the first table (events), ``area`` that of the ranking (histograms), and
    ``density_roc_integral`` that of TMVA's stress test.  ``efficiencies`` and ``training_efficiencies`` are the signal
    efficiencies at background efficiencies of 0.01, 0.10 and 0.30 as the second table has them.

    >>> import numpy as np
    >>> from pytmva_bnn.evaluation import BinarySample, evaluate_binary
    >>> signal = np.arange(2000) < 1000
    >>> sample = BinarySample(np.random.default_rng(1).normal(signal, 1.0), None, signal)
    >>> result = evaluate_binary(sample, sample)
    >>> round(result.roc_integral, 3), [round(e, 3) for e in result.efficiencies]
    (0.742, [0.059, 0.331, 0.649])
    >>> [h.name for h in result.named_histograms()][:4]
    ['MVA_MLP_S', 'MVA_MLP_B', 'MVA_MLP_S_high', 'MVA_MLP_B_high']
    """

    title: str
    statistics: ResponseStatistics
    separation: float
    density_roc_integral: float
    roc: RocCurve
    training_roc: RocCurve
    responses: ResponseHistograms
    test: Efficiencies
    training: TrainingEfficiencies
    overtraining_signal: KolmogorovResult | None
    overtraining_background: KolmogorovResult | None
    probabilities: ProbabilityHistograms | None = None

    def __repr__(self) -> str:
        areas = f"{self.roc_integral:.3f} (training {self.training_roc_integral:.3f})"
        return f"<BinaryResult {self.title!r}: ROC integral {areas}, separation {self.separation:.3f}>"

    @property
    def roc_integral(self) -> float:
        """Area under the ROC curve of the test events (``Factory::GetROCIntegral``)."""
        return self.roc.auc

    @property
    def training_roc_integral(self) -> float:
        """Area under the ROC curve of the training events, with the responses stored at training."""
        return self.training_roc.auc

    @property
    def area(self) -> float:
        """Area under the curve of the efficiency histograms; methods are ranked by it."""
        return self.test.curve.area

    @property
    def significance(self) -> float:
        """Distance of the mean responses of signal and background over their RMS."""
        return self.statistics.significance

    @property
    def reference_cut(self) -> float:
        """Cut at which signal efficiency = 1 - background efficiency."""
        return self.test.reference_cut

    @property
    def efficiencies(self) -> tuple[float, ...]:
        """Signal efficiencies of the test sample at background efficiencies of 0.01, 0.10, 0.30."""
        return tuple(self.test.curve.signal_efficiency_at(b) for b in BACKGROUND_EFFICIENCIES)

    @property
    def efficiency_errors(self) -> tuple[float, ...]:
        """Errors of :attr:`efficiencies`."""
        return tuple(self.test.error_at(b) for b in BACKGROUND_EFFICIENCIES)

    @property
    def training_efficiencies(self) -> tuple[float, ...]:
        """Signal efficiencies at *training* background efficiencies of 0.01, 0.10, 0.30."""
        return tuple(self.training.curve.signal_efficiency_at(b) for b in BACKGROUND_EFFICIENCIES)

    def maximum_significance(self, n_signal: float, n_background: float) -> MaximumSignificance:
        """Return the best cut for expected numbers of events."""
        return maximum_significance(
            self.test.signal, self.test.background, self.statistics.x_max, n_signal, n_background
        )

    def named_histograms(self) -> Iterator[NamedHistogram]:
        """Yield the histograms of the response in the order of the output file."""
        t = f"MVA_{self.title}"
        r, e, p, s = self.responses, self.test, self.probabilities, self.training
        yield from _same_titles((f"{t}_S", r.signal), (f"{t}_B", r.background))
        if p is not None:
            yield from _same_titles((f"{t}_Proba_S", p.signal), (f"{t}_Proba_B", p.background))
            yield from _same_titles((f"{t}_Rarity_S", p.rarity_signal), (f"{t}_Rarity_B", p.rarity_background))
        yield from _same_titles((f"{t}_S_high", r.signal_fine), (f"{t}_B_high", r.background_fine))
        yield NamedHistogram(f"{t}_effS", f"{t} (signal)", e.signal)
        yield NamedHistogram(f"{t}_effB", f"{t} (background)", e.background)
        wanted = (
            ("effBvsS", "Backgr eff"),
            ("rejBvsS", "Backgr rejection (1-eff)"),
            ("invBeffvsSeff", "Inverse backgr. eff (1/eff)"),
        )
        for (name, y_title), histogram in zip(wanted, e.curve.histograms, strict=True):
            yield NamedHistogram(f"{t}_{name}", t, histogram, "Signal eff", y_title)
        yield from _same_titles((f"{t}_Train_S", s.response_signal), (f"{t}_Train_B", s.response_background))
        yield NamedHistogram(f"{t}_trainingEffS", f"{t} (signal)", s.signal)
        yield NamedHistogram(f"{t}_trainingEffB", f"{t} (background)", s.background)
        yield NamedHistogram(f"{t}_trainingEffBvsS", t, s.curve.histograms[0])
        yield NamedHistogram(f"{t}_trainingRejBvsS", t, s.curve.histograms[1])

    def to_hist(self) -> hist.Hist[Any]:
        """Return the responses as a histogram of the package ``hist`` with the axes set (of events), class and x.

        >>> result.to_hist()["test", "Signal", :].plot()  # doctest: +SKIP
        """
        r, t = self.responses, self.training
        made = [r.signal, r.background, t.response_signal, t.response_background]
        return stacked(made, set=SAMPLES, **{"class": ["Signal", "Background"]})

    def to_pandas(self) -> pd.DataFrame:
        """Return a data frame with the rows ``test`` and ``train``; numbers that training does not have are NaN."""
        names = [f"efficiency@{b:.2f}" for b in BACKGROUND_EFFICIENCIES]
        test = {
            "roc_integral": self.roc_integral,
            **dict(zip(names, self.efficiencies, strict=True)),
            "area": self.area,
            "separation": self.separation,
            "significance": self.significance,
            "reference_cut": self.reference_cut,
        }
        train = {
            "roc_integral": self.training_roc_integral,
            **dict(zip(names, self.training_efficiencies, strict=True)),
            "area": self.training.curve.area,
        }
        return _frame([test, train], index=["test", "train"])


@dataclass(frozen=True, eq=False)
class RegressionResult(Displayed):
    """The evaluation of one regression: numbers and histograms of all targets.

    ``test`` and ``training`` are the numbers of the first target, which TMVA's tables have.
    """

    title: str
    test_targets: tuple[RegressionNumbers, ...]
    training_targets: tuple[RegressionNumbers, ...]
    test_histograms: DeviationHistograms
    training_histograms: DeviationHistograms

    def __repr__(self) -> str:
        bias, rms = f"bias {self.test.bias:.4g}", f"RMS {self.test.rms:.4g} (training {self.training.rms:.4g})"
        return f"<RegressionResult {self.title!r}: {bias}, {rms}>"

    @property
    def test(self) -> RegressionNumbers:
        """Numbers of the test events for the first target."""
        return self.test_targets[0]

    @property
    def training(self) -> RegressionNumbers:
        """Numbers of the training events for the first target."""
        return self.training_targets[0]

    def deviation(self, target: int = 0) -> tuple[float, float]:
        """Return √(mean of d²) of all test events and of the best 90% (``GetRegressionDeviation``)."""
        # TMVA: always of the test sample, whatever is asked for
        made = self.test_histograms
        return made.standard_deviation(target), made.best_standard_deviation(target)

    def named_histograms(self, *, training: bool) -> Iterator[NamedHistogram]:
        """Yield the histograms of one sample in the order of the output file; axes get their titles there."""
        p = f"MVA_{self.title}{'train' if training else 'test'}"
        made = self.training_histograms if training else self.test_histograms
        for what, rows in (("var", made.variables), ("tgt", made.targets)):
            for i, row in enumerate(rows):
                yield from _same_titles(*((f"{p}_reg_{what}{i}_rtgt{j}", h) for j, h in enumerate(row)))
        for j, pair in enumerate(zip(made.squares, made.best_squares, strict=True)):
            names = (f"{p}_Quadr_Deviation_target_{j}_", f"{p}_Quadr_Dev_best90perc_target_{j}_")
            for name, histogram in zip(names, pair, strict=True):
                yield NamedHistogram(name, name, histogram, "Quadratic Deviation", "Weighted Entries")

    def to_pandas(self) -> pd.DataFrame:
        """Return a data frame with the rows ``test`` and ``train``."""
        return _frame([vars(self.test), vars(self.training)], index=["test", "train"])


@dataclass(frozen=True, eq=False)
class MulticlassResult(Displayed):
    """The evaluation of one multiclass method; histograms are [true class][class of the response]."""

    title: str
    class_names: tuple[str, ...]
    test: MulticlassNumbers
    training: MulticlassNumbers
    test_histograms: tuple[tuple[Histogram1D, ...], ...]
    training_histograms: tuple[tuple[Histogram1D, ...], ...]

    def __repr__(self) -> str:
        areas = ", ".join(f"{name} {auc:.3f}" for name, auc in zip(self.class_names, self.test.aucs, strict=True))
        return f"<MulticlassResult {self.title!r}: ROC integrals {areas}>"

    def named_histograms(self, *, training: bool) -> Iterator[NamedHistogram]:
        """Yield the histograms of one sample in the order of the output file."""
        p = f"MVA_{self.title}_{'Train' if training else 'Test'}"
        made = self.training_histograms if training else self.test_histograms
        for true, row in zip(self.class_names, made, strict=True):
            for name, histogram in zip(self.class_names, row, strict=True):
                yield from _same_titles((f"{p}_{name}_prob_for_{true}", histogram))

    def named_curves(self, *, training: bool) -> Iterator[tuple[str, str, RocCurve]]:
        """Yield name, title and points of the ROC graphs of one sample in the order of the output file."""
        p = f"MVA_{self.title}_{'Train' if training else 'Test'}"
        numbers = self.training if training else self.test
        for name, curve in zip(self.class_names, numbers.against_rest, strict=True):
            yield f"{p}_rejBvsS_{name}", f"{p}_{name}", curve
        for signal, row in zip(self.class_names, numbers.against_one, strict=True):
            for background, curve in zip(self.class_names, row, strict=True):
                if signal != background:
                    pair = f"{signal}_vs_{background}"
                    yield f"{p}_1v1rejBvsS_{pair}", f"{p}_{pair}", curve

    def to_hist(self) -> hist.Hist[Any]:
        """Return the responses as one of the package ``hist`` with the axes set, class (the true one), output, x."""
        samples = (self.test_histograms, self.training_histograms)
        made = [histogram for rows in samples for row in rows for histogram in row]
        return stacked(made, set=SAMPLES, **{"class": self.class_names, "output": self.class_names})

    def to_pandas(self) -> pd.DataFrame:
        """Return a data frame with a row for each sample and class: the area and the efficiencies against the rest."""
        rows = [
            {
                "sample": sample,
                "class": name,
                "roc_integral": auc,
                **{f"efficiency@{b:.2f}": e for b, e in zip(BACKGROUND_EFFICIENCIES, row, strict=True)},
            }
            for sample, numbers in (("test", self.test), ("train", self.training))
            for name, auc, row in zip(
                self.class_names, numbers.aucs.tolist(), numbers.efficiencies.tolist(), strict=True
            )
        ]
        return _frame(rows).set_index(["sample", "class"])


def _same_titles(*pairs: tuple[str, Histogram1D | Histogram2D]) -> Iterator[NamedHistogram]:
    return (NamedHistogram(name, name, histogram) for name, histogram in pairs)


def _frame(rows: list[dict[str, Any]], index: list[str] | None = None) -> pd.DataFrame:
    try:
        import pandas as pd  # imported here because it is large and optional
    except ImportError:
        raise MissingDependencyError.of("pandas", "pandas", "to_pandas()") from None
    return pd.DataFrame(rows, index=index)
