"""TMVA's method CrossValidation: the weight file that stands for those of the folds, which lie beside it."""

from __future__ import annotations

from typing import ClassVar

from pytmva_bnn.errors import InputError, WeightFileError
from pytmva_bnn.methods import kinds, method_of
from pytmva_bnn.methods.composite.cross_validation_fitted import ATTRIBUTES, FittedCrossValidation, Fold, fold_file_name
from pytmva_bnn.methods.protocol import Fitted, Method, Reading, TrainingJob
from pytmva_bnn.options import Option, OptionType
from pytmva_bnn.weights import Section, Source, Stream, WeightFile, read_source
from pytmva_bnn.xmlio import reading as xml


class CrossValidation(Method):
    """Every event is evaluated by the fold that was not trained on it, or by the mean of all folds."""

    kind: ClassVar[str] = "CrossValidation"
    takes_spectators: ClassVar[bool] = True
    read_only: ClassVar[str] = "a CrossValidation is not booked: book methods in CrossValidation(job, loader, ...)"
    records: ClassVar[tuple[type, ...]] = (FittedCrossValidation, Fold)
    # what stands in <Weights> may stand in <Options> too
    old_options: ClassVar[tuple[Option, ...]] = tuple(
        Option(name, OptionType.STRING, "", "see <Weights>") for name in ATTRIBUTES
    )

    def train(self, job: TrainingJob) -> Fitted:
        """Refuse: the folds are trained, each with its method."""
        raise InputError(f"{job.title}: {self.read_only}")

    def read(self, section: Section, head: WeightFile, how: Reading) -> FittedCrossValidation:
        """Read the names of the folds' files, and these files."""
        if section.words is not None:
            raise WeightFileError("TMVA 3.9 had no CrossValidation, so it has no text files")
        element = section.element
        job, expression, _, title, kind, ensembling = (xml.attribute(element, name) for name in ATTRIBUTES)
        n_folds = xml.count(element, "NumFolds")
        if ensembling not in ("None", "Avg"):
            xml.fail(element, f"OutputEnsembling={ensembling!r} must be None or Avg")
        averaged = ensembling == "Avg"
        if not expression and not averaged:
            xml.fail(
                element,
                "MethodCrossValidation supports XML reading only for deterministic splitting: there is no SplitExpr "
                "in this file, so the fold of an event is unknown. Read the files of the folds, or train with "
                "SplitType=Deterministic:SplitExpr=...",
            )
        if n_folds < 2:
            xml.fail(element, f"NumFolds={n_folds} must be at least 2")
        if any(mark in job + title for mark in "/\\\0"):
            xml.fail(element, "JobName and EncapsulatedMethodName are parts of a file's name and cannot have a /")
        folds = []
        for number in range(n_folds):
            name = fold_file_name(job, title, number)
            folds.append(_fold(section.source.beside(name), head, kind, how))
        return FittedCrossValidation(job, title, kind, expression, averaged, head.spectators, tuple(folds))


def _fold(source: Source, head: WeightFile, kind: str, how: Reading) -> Fold:
    try:
        file, section = read_source(source, _stream_of, [one for one in kinds() if one != head.kind])
        if file.kind != kind:
            raise WeightFileError(f"the method is a {file.kind}, but the CrossValidation holds {kind}")
        if file.analysis_type != head.analysis_type:
            raise WeightFileError(
                f"it was trained for {file.analysis_type}, but the CrossValidation for {head.analysis_type}"
            )
        for what, expected, found in (
            ("variables", head.variables, file.variables),
            ("targets", head.targets, file.targets),
        ):
            if [one.expression for one in found] != [one.expression for one in expected]:
                raise WeightFileError(f"its {what} differ from those of the CrossValidation")
        return Fold(file, method_of(file.kind).read(section, file, how))
    except WeightFileError as error:
        if error.file is not None:
            raise
        raise type(error)(error.problem, file=source.name, element=error.element, line=error.line) from error


def _stream_of(kind: str) -> Stream | None:
    return method_of(kind).stream() if kind in kinds() else None
