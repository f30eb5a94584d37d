"""Boosting of any classifier, as a method: it is booked by Boost_Num among the options of the classifier."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import ClassVar

from pytmva_bnn.errors import InputError, OptionError, WeightFileError, WeightFileWarning
from pytmva_bnn.methods.composite.boost_fitted import Classifier, FittedBoost
from pytmva_bnn.methods.composite.boost_options import (
    BOOST_OPTIONS,
    OLD_BOOST_OPTIONS,
    TRANSFORMS,
    BoostSettings,
    classifier_string,
    number_of_classifiers,
)
from pytmva_bnn.methods.composite.boost_xml import classifier_stream, read_classifiers
from pytmva_bnn.methods.nested import NestedStream
from pytmva_bnn.methods.protocol import Method, Reading, TrainingJob
from pytmva_bnn.options import Option, OptionSet, sized
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.weights import Section, WeightFile

_CLASSIFIER = "classifier"


class Boost(Method):
    """TMVA's Boost; ``classifier`` is what a training boosts."""

    kind: ClassVar[str] = "Boost"
    analyses: ClassVar[frozenset[AnalysisType]] = frozenset({AnalysisType.CLASSIFICATION})
    options: ClassVar[tuple[Option, ...]] = BOOST_OPTIONS
    old_options: ClassVar[tuple[Option, ...]] = OLD_BOOST_OPTIONS
    records: ClassVar[tuple[type, ...]] = (FittedBoost, Classifier)

    def __init__(self, classifier: Method | None = None) -> None:
        self.classifier = classifier

    # -- booking

    @property
    def transforms_by_class(self) -> bool:  # type: ignore[override]
        """Tell whether the classifier does."""
        return self.classifier is not None and self.classifier.transforms_by_class

    def check_analysis(self, analysis: AnalysisType) -> None:
        """Raise an error if there is nothing to boost, or in regression and multiclass."""
        if self.classifier is None:
            raise InputError(
                "Boost is not booked by name: book the classifier to be boosted with Boost_Num among its "
                'options, e.g. BookMethod(loader, TMVA.Types.kFisher, "BoostedFisher", "Boost_Num=20")'
            )
        if analysis not in self.analyses:
            raise InputError(
                f"Boost_Num: boosting works with signal and background only, not with AnalysisType={analysis}; leave "
                "the Boost_ options out, or use the method BDT, which boosts its trees in any analysis"
            )
        self.classifier.check_analysis(analysis)

    def parse_parts(self, options: OptionSet, n_variables: int) -> None:
        """Let the classifier take its options from the same string."""
        if self.classifier is None:  # what a weight file does not tell before it is read
            return
        classifier = self._boosted
        declared = (*classifier.options_for(AnalysisType.CLASSIFICATION), *classifier.more_options)
        inner = options.parts[_CLASSIFIER] = OptionSet(sized(declared, n_variables), options.owner)
        inner.parse(classifier_string(options.marked))
        if "Checkpoint" in inner and inner.is_set("Checkpoint"):
            raise OptionError(f"{options.owner}: a checkpoint belongs to one training, but Boost_Num makes several")
        classifier.parse_parts(inner, n_variables)
        options.parts.update(inner.parts)
        options.marked = inner.marked

    def settings(self, options: OptionSet, title: str, analysis: AnalysisType) -> BoostSettings:
        """Check the options."""
        inner = options.parts[_CLASSIFIER]
        return BoostSettings.of(options, title, inner, self._boosted.settings(inner, title, analysis))

    def check_values(self, options: OptionSet, n_variables: int) -> None:
        """Let the classifier check its own."""
        self._boosted.check_values(options.parts[_CLASSIFIER], n_variables)

    @property
    def _boosted(self) -> Method:
        if self.classifier is None:
            raise AssertionError("check_analysis has seen to it")
        return self.classifier

    def input_sets(self, head: WeightFile, *, strict: bool) -> tuple[int, ...]:
        """Return those of the classifier; where it is not known yet, the fitted method tells."""
        if self.classifier is None:
            return ()
        return self.classifier.input_sets(replace(head, kind=self.classifier.kind), strict=strict)

    def train(self, job: TrainingJob) -> FittedBoost:
        """Train the classifiers, one after the other."""
        from pytmva_bnn.methods.composite.boost_training import train_boost  # lazy: reading needs no training code

        return train_boost(job, self._boosted)

    # -- weight files

    def options_in_files(self, file: WeightFile) -> tuple[Option, ...]:
        """Return the options that a weight file may hold; old ones know more transforms."""
        return tuple(
            replace(option, allowed=()) if option.name == "Boost_Transform" else option
            for option in super().options_in_files(file)
        )

    def stream(self) -> NestedStream:
        """Return what lets the classifiers take parts of their elements."""
        return classifier_stream()

    def read(self, section: Section, head: WeightFile, how: Reading) -> FittedBoost:
        """Read the classifiers."""
        if section.words is not None:
            raise WeightFileError("text files of boosted methods (TMVA 3.9) cannot be read")
        options = self.option_set(head)
        transform = options.string("Boost_Transform")
        if transform not in TRANSFORMS:
            problem = f"unknown Boost_Transform={transform}; known: {', '.join(TRANSFORMS)}"
            raise WeightFileError(problem, element="Options")
        classifiers = [Classifier(fitted, **known) for fitted, known in read_classifiers(section, head, how)]
        fitted = FittedBoost(
            tuple(classifiers), transform, options.string("Boost_Type"), options.real("Boost_AdaBoostBeta")
        )
        if fitted.sum_of_weights == 0.0:
            text = (
                f"{head.title}: the weights of the classifiers add up to 0, so every response is NaN, here and in "
                "TMVA: the training failed"
            )
            warnings.warn(WeightFileWarning(text), stacklevel=2)
        return fitted


def boosted(method: Method, text: str, title: str) -> Method:
    """Return what the option string books: the method itself, or with Boost_Num the boosted one."""
    if number_of_classifiers(text, title) == 0:
        return method
    if isinstance(method, Boost):
        return method
    if AnalysisType.CLASSIFICATION not in method.analyses:
        raise OptionError(f"{title}: Boost_Num: the method {method.kind} does not classify, so it cannot be boosted")
    return Boost(method)
