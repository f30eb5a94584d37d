"""Methods inside a method, such as the regions of a Category: how they are booked, trained and named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from pytmva_bnn.dataset import DataSet
from pytmva_bnn.dataset.selection_calls import cut_text
from pytmva_bnn.options import option_string
from pytmva_bnn.tmva_types import EMVA
from pytmva_bnn.transform import TransformationChain
from pytmva_bnn.weights import WeightFile

if TYPE_CHECKING:
    from pytmva_bnn.methods.booking import Booking
    from pytmva_bnn.methods.protocol import Fitted


@dataclass(frozen=True)
class SubMethodRequest:
    """What AddMethod says: a method for the events that pass ``cut``, with these ``variables`` (``x:y``)."""

    cut: str
    variables: str
    kind: str
    title: str
    options: str

    @classmethod
    def of(
        cls, cut: Any, variables: str, kind: EMVA | str, title: str, options: str, keywords: Mapping[str, object]
    ) -> SubMethodRequest:
        """Return the request that the arguments of AddMethod make."""
        name = kind.method_name if isinstance(kind, EMVA) else str(kind)
        text = option_string(str(options), keywords)
        return cls(cut_text(cut), str(variables), name, str(title), text)


class SubMethod(NamedTuple):
    """A method inside another: its title, its envelope, and the fitted method."""

    title: str
    file: WeightFile
    fitted: Fitted


class TrainedSubMethod(Protocol):
    """A training inside another that is done."""

    @property
    def file(self) -> WeightFile:
        """Return the envelope."""

    @property
    def fitted(self) -> Fitted:
        """Return the method as it is in memory."""

    @property
    def transformations(self) -> TransformationChain:
        """Return its transformations with the parameters of the training."""


class TrainSubMethod(Protocol):
    """Trains a method inside another, with transformations of its own, on a data set of its own."""

    def __call__(self, dataset: DataSet, title: str, booked: Booking) -> TrainedSubMethod:
        """Train it, and log its ranking."""
