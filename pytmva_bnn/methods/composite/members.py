"""A method made of methods that each respond to events of their own: the regions of a Category, the folds of a
cross-validation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.errors import ErrorsNotAvailableError
from pytmva_bnn.methods import method_of
from pytmva_bnn.methods.answers import ResponseSum, Wanted
from pytmva_bnn.methods.output_scale import OutputScale
from pytmva_bnn.methods.protocol import Fitted
from pytmva_bnn.methods.sub_methods import SubMethod
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.transform import TransformationChain
from pytmva_bnn.weights import WeightFile


class Member:
    """One of the methods, for dataclasses with these fields.

    ``chain`` are the transformations as they were trained, if they just were.
    """

    file: WeightFile
    fitted: Fitted
    chain: TransformationChain | None

    @cached_property
    def scale(self) -> OutputScale:
        """Return how the outputs of the method become responses."""
        chain = method_of(self.file.kind).chain(self.file) if self.chain is None else self.chain
        return OutputScale(self.file.analysis_type, self.fitted, chain)

    def with_method(self, fitted: Fitted, file: WeightFile | None = None) -> Self:
        """Return the same with another method."""
        return replace(self, fitted=fitted, file=file or self.file)  # type: ignore[type-var]

    def modernised(self) -> Self:
        """Return the same in the form that current TMVA reads."""
        return self.with_method(self.fitted.modernised(), method_of(self.file.kind).modern_file(self.file))

    def blocks(
        self, x: Float32Array, spectators: Float32Array | None, wanted: Wanted
    ) -> Iterator[tuple[slice, NDArray[Any], Any]]:
        """Yield responses ``(n, n_outputs)`` and error bars, piece by piece."""
        step = self.fitted.block_events(errors=wanted.errors, compiled=wanted.compiled)
        chain = self.scale.transformations
        used = spectators if chain.needs_spectators else None
        for start in range(0, len(x), step):
            part = slice(start, min(start + step, len(x)))
            block = self.fitted.block(x[part], chain, None if used is None else used[part], wanted)
            responses = self.scale.responses(block.outputs)
            yield part, responses.reshape(len(responses), -1), self.scale.bars_of(block) if wanted.errors else None


class FittedMembers(Fitted):
    """The methods together."""

    has_latent: ClassVar[bool] = False  # type: ignore[misc]
    targets_are_transformed: ClassVar[bool] = False  # type: ignore[misc]
    plural: ClassVar[str]
    """What its methods are called in a sentence."""

    holds_in: ClassVar[str]
    """Which of its fields holds them."""

    @property
    def members(self) -> tuple[Member, ...]:
        """Return its methods."""
        members: tuple[Member, ...] = getattr(self, self.holds_in)
        return members

    def with_members(self, members: Iterable[Member]) -> Self:
        """Return the same with these methods."""
        return replace(self, **{self.holds_in: tuple(members)})  # type: ignore[type-var]

    @property
    def analysis(self) -> AnalysisType:
        """Return what all methods were trained for."""
        return self.members[0].file.analysis_type

    @property
    def n_outputs(self) -> int:  # type: ignore[override]
        """Return the number of responses."""
        return self.members[0].fitted.n_outputs

    @property
    def is_probability(self) -> bool:  # type: ignore[override]
        """Tell whether all responses are probabilities."""
        return all(one.fitted.is_probability for one in self.members)

    def no_bars(self, n_events: int) -> tuple[FloatArray, FloatArray]:
        """Return error bars that are not known, in the form that a user sees."""
        shape = n_events if self.analysis == AnalysisType.CLASSIFICATION else (n_events, self.n_outputs)
        return np.full(shape, np.nan), np.full(shape, np.nan)

    def at_efficiency(self, signal_efficiency: float) -> Self:
        """Return what responds at a wanted signal efficiency, if a method is one of cuts."""
        fitted = [one.fitted.at_efficiency(signal_efficiency) for one in self.members]
        if all(new is one.fitted for new, one in zip(fitted, self.members, strict=True)):
            return self
        return self.with_members(one.with_method(new) for new, one in zip(fitted, self.members, strict=True))

    def response_sum(self, scale: OutputScale, n_groups: int) -> ResponseSum:
        """Refuse to add up responses of several methods."""
        del scale, n_groups
        raise ErrorsNotAvailableError(f"no error of a sum: {self.plural} share no parameters")

    def modernised(self) -> Self:
        """Return the same with methods in the form that current TMVA reads."""
        return self.with_members(one.modernised() for one in self.members)

    def corrected(self) -> Self:
        """Return the same without the defects of its methods."""
        return self.with_members(one.with_method(one.fitted.corrected()) for one in self.members)

    def sub_methods(self) -> tuple[SubMethod, ...]:
        """Return its methods."""
        return tuple(SubMethod(one.file.title, one.file, one.fitted) for one in self.members)
