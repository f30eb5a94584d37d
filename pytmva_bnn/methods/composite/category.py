"""TMVA's Category: cuts divide the events into regions, and each region has a method and variables of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pytmva_bnn.dataset import Description
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.composite.category_fitted import FittedCategory, Region
from pytmva_bnn.methods.composite.category_stream import SubMethodStreams
from pytmva_bnn.methods.composite.category_xml import read_category
from pytmva_bnn.methods.protocol import Method, Reading, TrainingJob
from pytmva_bnn.methods.sub_methods import SubMethodRequest
from pytmva_bnn.options import OptionSet
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.weights import Section, WeightFile

if TYPE_CHECKING:
    from pytmva_bnn.methods.booking import Booking
    from pytmva_bnn.methods.composite.category_training import CategorySettings


class Category(Method):
    """A method for each region; what it can be trained for, all its methods must be able to do."""

    kind: ClassVar[str] = "Category"
    takes_spectators: ClassVar[bool] = True
    records: ClassVar[tuple[type, ...]] = (FittedCategory, Region)

    def settings(self, options: OptionSet, title: str, analysis: AnalysisType) -> CategorySettings:
        """Return the list that AddMethod fills."""
        from pytmva_bnn.methods.composite.category_training import CategorySettings  # lazy: reading does not need it

        del options
        return CategorySettings(title, analysis)

    def add_sub_method(
        self,
        settings: CategorySettings,
        request: SubMethodRequest,
        description: Description,
        *,
        own_events: bool = True,
    ) -> Booking:
        """Book the method of a region."""
        from pytmva_bnn.methods.composite.category_training import add_region

        if request.kind == self.kind:
            raise InputError(f"AddMethod({request.title!r}): a Category cannot be the method of a region")
        return add_region(settings, request, description, own_events=own_events)

    def train(self, job: TrainingJob) -> FittedCategory:
        """Train the methods of all regions."""
        from pytmva_bnn.methods.composite.category_training import train_category

        return train_category(job)

    def stream(self) -> SubMethodStreams:
        """Return what lets each method take its large parts."""
        return SubMethodStreams()

    def read(self, section: Section, head: WeightFile, how: Reading) -> FittedCategory:
        """Read the regions with their methods."""
        return read_category(section, head, how)
