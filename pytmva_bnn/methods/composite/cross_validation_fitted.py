"""The folds of a cross-validation as one method."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.methods.answers import EventBlock, Wanted
from pytmva_bnn.methods.composite.members import FittedMembers, Member
from pytmva_bnn.methods.composite.split_expression import folds_by_expression
from pytmva_bnn.methods.protocol import Fitted
from pytmva_bnn.transform import TransformationChain
from pytmva_bnn.weights import Companion, Dialect, WeightFile, to_xml
from pytmva_bnn.xmlio import writing

ATTRIBUTES = (
    "JobName",
    "SplitExpr",
    "NumFolds",
    "EncapsulatedMethodName",
    "EncapsulatedMethodTypeName",
    "OutputEnsembling",
)


def fold_file_name(job_name: str, title: str, fold: int) -> str:
    """Return the name of the weight file of a fold, which is counted from 0, but in the name from 1.

    >>> fold_file_name("job", "MLP", 0)
    'job_MLP_fold1.weights.xml'
    """
    return f"{job_name}_{title}_fold{fold + 1}.weights.xml"


def weights_line(job_name: str, title: str, kind: str, n_folds: int, split_expression: str, *, averaged: bool) -> str:
    """Return the element <Weights> of a cross-validated method."""
    values = (job_name, split_expression, n_folds, title, kind, "Avg" if averaged else "None")
    return writing.empty(1, "Weights", list(zip(ATTRIBUTES, values, strict=True)))


@dataclass(frozen=True, eq=False)
class Fold(Member):
    """The method that was not trained on the events of one fold."""

    file: WeightFile
    fitted: Fitted
    chain: TransformationChain | None = field(default=None, metadata={"stored": False})


@dataclass(frozen=True, eq=False)
class FittedCrossValidation(FittedMembers):
    """The methods of all folds: inputs are events as they are, variables and then spectators side by side.

    ``job_name``, ``title`` and ``kind`` are those of the booked method, ``split_expression`` is the fold of an event;
    ``averaged`` takes the mean of all folds instead.
    """

    job_name: str
    title: str
    kind: str
    split_expression: str
    averaged: bool
    spectators: tuple[VariableRecord, ...]
    folds: tuple[Fold, ...]

    noun = "cross-validation"
    plural = "the folds of a cross-validation"
    holds_in = "folds"

    def _parts(self, spectators: Float32Array) -> Iterator[tuple[Fold, NDArray[np.intp] | slice]]:
        """Yield the folds with the events that each evaluates."""
        if self.averaged:
            yield from ((fold, slice(None)) for fold in self.folds)
            return
        events = folds_by_expression(self.split_expression, self.spectators, spectators, len(self.folds))
        yield from zip(self.folds, events, strict=True)

    # -- responses

    def respond(self, x: Float32Array) -> FloatArray:
        """Return the responses: targets and class values as a user sees them."""
        return self._evaluated(x, Wanted())[0].T

    def mva_values(self, x: Float32Array) -> FloatArray:
        """Return what EvaluateMVA of the events' methods gives."""
        n = x.shape[1] - len(self.spectators)
        result = np.zeros(len(x))
        for fold, events in self._parts(x[:, n:]):
            chain, spectators = fold.scale.transformations, x[events, n:]
            inputs = chain.forward(x[events, :n], spectators if chain.needs_spectators else None)
            result[events] += fold.fitted.mva_values(inputs)
        return result / (len(self.folds) if self.averaged else 1)

    def block(
        self, x: Float32Array, chain: TransformationChain, spectators: Float32Array | None, wanted: Wanted
    ) -> EventBlock:
        """Return responses and, if wanted, error bars."""
        outputs, bars = self._evaluated(chain.forward(x, spectators), wanted._replace(memory=None))
        return EventBlock(outputs, error_bars=bars if wanted.errors else None)

    def _evaluated(self, whole: Float32Array, wanted: Wanted) -> tuple[FloatArray, tuple[FloatArray, FloatArray]]:
        """Return responses ``(n_outputs, n_events)`` and error bars in the form that a user sees."""
        n = whole.shape[1] - len(self.spectators)
        outputs = np.zeros((self.n_outputs, len(whole)))
        bars = self.no_bars(len(whole))
        for fold, events in self._parts(whole[:, n:]):
            numbers = np.arange(len(whole))[events]
            with np.errstate(invalid="ignore"):
                for part, responses, errors in fold.blocks(whole[events, :n], whole[events, n:], wanted):
                    outputs[:, numbers[part]] += responses.T
                    if errors is not None:
                        bars[0][numbers[part]], bars[1][numbers[part]] = errors
        if self.averaged:
            outputs /= len(self.folds)
        return outputs, bars

    @property
    def response_note(self) -> str:
        """Return what the method of the folds has to say of its responses."""
        return self.folds[0].fitted.response_note

    def is_compiled(self, n_events: int, *, errors: bool, compiled: bool | None) -> bool:
        """Tell whether the method uses compiled code for so many events."""
        number = n_events if self.averaged else -(-n_events // len(self.folds))
        return self.folds[0].fitted.is_compiled(number, errors=errors, compiled=compiled)

    # -- uncertainty

    @property
    def has_errors(self) -> bool:  # type: ignore[override]
        """Tell whether all folds have error bars, and one of them responds."""
        return not self.averaged and all(fold.fitted.has_errors for fold in self.folds)

    def why_no_errors(self) -> str:
        """Return why there are none."""
        if self.averaged:
            return "the error of the mean of several trainings is not known"
        return next((fold.fitted.why_no_errors() for fold in self.folds if not fold.fitted.has_errors), "")

    def error_bars(self, x: Float32Array, name: str) -> tuple[FloatArray, FloatArray]:
        """Return lower and upper error of the fold that evaluates the event."""
        if not self.has_errors:
            return super().error_bars(x, name)
        _, (lower, upper) = self._evaluated(x, Wanted(errors=True))
        return lower.reshape(len(x), -1)[:, 0], upper.reshape(len(x), -1)[:, 0]

    # -- weight file

    def write(self, dialect: Dialect) -> Iterator[str]:
        """Yield the element <Weights>, which names the files of the folds."""
        del dialect
        names = (self.job_name, self.title, self.kind)
        yield weights_line(*names, len(self.folds), self.split_expression, averaged=self.averaged)

    def companions(self) -> tuple[Companion, ...]:
        """Return the weight files of the folds, and what these keep beside them."""
        result = []
        for number, fold in enumerate(self.folds):
            name = fold_file_name(self.job_name, self.title, number)
            text = to_xml(fold.file, fold.fitted.write(fold.file.dialect))
            data = text.encode(fold.file.dialect.encoding, "surrogateescape")
            result.append(Companion(name, data, "Creating weight file of a fold", named=True))
            more = fold.fitted.companions()
            result += [replace(companion, ending=companion.path(Path(name)).name, named=True) for companion in more]
        return tuple(result)

    # -- what people see

    @property
    def summary(self) -> str:
        """Return what was cross-validated."""
        return f"{len(self.folds)} folds of {self.kind}"

    def describe(self) -> list[tuple[str, str]]:
        """Return the folds, and which of them an event is evaluated by."""
        rule = "mean of all folds" if self.averaged else f"the fold that {self.split_expression} gives"
        return [("Response", rule), *((fold.file.title, fold.fitted.summary) for fold in self.folds)]
