"""Errors of a training, with advice on what to try."""

from __future__ import annotations

from pytmva_bnn.errors import TMVAError


class TrainingError(TMVAError, RuntimeError):
    """A training cannot continue: ``problem`` says what happened, ``advice`` what to try, ``epoch`` when (from 1).

    >>> print(TrainingError("the error is NaN", epoch=3, advice="try VarTransform=N"))
    training stopped in epoch 3: the error is NaN; try VarTransform=N
    """

    def __init__(self, problem: str, *, epoch: int | None = None, advice: str = "") -> None:
        self.problem = problem
        self.epoch = epoch
        self.advice = advice
        super().__init__(self.__str__())

    def __str__(self) -> str:
        place = "training stopped" if self.epoch is None else f"training stopped in epoch {self.epoch}"
        return f"{place}: {self.problem}" + (f"; {self.advice}" if self.advice else "")


class CheckpointError(TrainingError, ValueError):
    """A checkpoint cannot be read, or belongs to another training.

    >>> print(CheckpointError("run.npz", "it was made with other settings", "delete it"))
    checkpoint run.npz: it was made with other settings; delete it
    """

    def __init__(self, file: str, problem: str, advice: str) -> None:
        self.file = file
        super().__init__(problem, advice=advice)

    def __str__(self) -> str:
        return f"checkpoint {self.file}: {self.problem}; {self.advice}"
