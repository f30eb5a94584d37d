"""TMVA's DataLoader: records what the user says, and builds the data set when it is first asked for."""
# ruff: noqa: N802 - TMVA's names

from __future__ import annotations

from pytmva_bnn.dataset.dataset import DataSet, EventSet, build
from pytmva_bnn.dataset.description import Description
from pytmva_bnn.dataset.info import DataSetInfo
from pytmva_bnn.dataset.selection_calls import SelectionCalls
from pytmva_bnn.dataset.tree_calls import TreeCalls
from pytmva_bnn.dataset.variable_calls import VariableCalls
from pytmva_bnn.displays import Displayed
from pytmva_bnn.random import Library


class DataLoaderCalls(VariableCalls, TreeCalls, SelectionCalls):
    """All calls of DataLoader; the Factory of ROOT 5 has the same ones.

    A class that derives from it needs nothing but a ``description``, which :meth:`describe` makes.
    """

    _built: tuple[int, DataSet] | None = None

    def describe(self, name: str) -> None:
        """Start the description of a data set."""
        self.description = Description(name)

    @property
    def dataset_info(self) -> DataSetInfo:
        """What is declared so far."""
        return DataSetInfo(self.description)

    def built(self, *, ignore_negative_weights: bool = False, for_classification: bool = False) -> DataSet:
        """Return the data set, built at the first request, and again after a change of variables or options.

        ``ignore_negative_weights`` and ``for_classification`` matter only if this request builds it: see
        :func:`~pytmva_bnn.dataset.dataset.build`.
        """
        # TMVA: trees and cuts that are added later do not lead to another build
        if self._built is None or self._built[0] != self.description.revision:
            dataset = build(
                self.description,
                ignore_negative_weights=ignore_negative_weights,
                for_classification=for_classification,
            )
            self._built = (self.description.revision, dataset)
        return self._built[1]


class DataLoader(DataLoaderCalls, Displayed):
    """Variables, trees, weights and cuts, from which the training and test sets are made.

    ``name`` is the name of the data set, and of the folder of its weight files.  ``library`` says which build of
    ROOT is to be reproduced, as the split depends on it (see :class:`~pytmva_bnn.random.Library`).

    >>> loader = DataLoader("dataset")
    >>> loader.AddVariable("var1", "F")
    >>> loader.AddVariable("sum := var1 + var2", "a sum", "GeV", "F")
    >>> loader.AddSignalTree("xml_fixtures/data/class.root:TreeS")
    >>> loader.AddBackgroundTree("xml_fixtures/data/class.root:TreeB")
    >>> loader.PrepareTrainingAndTestTree("var1 > 0", "nTrain_Signal=500:nTrain_Background=500:SplitMode=Random")
    >>> loader.dataset
    <DataSet dataset: 1000 training and 1668 test events of Signal, Background>
    >>> loader.training.variables.shape
    (1000, 2)
    """

    def __init__(self, name: str = "default", *, library: Library | str = Library.GCC11) -> None:
        self.description = Description(name, library=Library(library))

    def __repr__(self) -> str:
        return f"DataLoader({self.description.name!r})"

    @property
    def name(self) -> str:
        """The name of the data set."""
        return self.description.name

    @property
    def dataset(self) -> DataSet:
        """The data set; reading the trees may take a while the first time."""
        return self.built()

    @property
    def training(self) -> EventSet:
        """The training events."""
        return self.dataset.training

    @property
    def test(self) -> EventSet:
        """The test events."""
        return self.dataset.test

    def GetName(self) -> str:
        """Return the name of the data set."""
        return self.description.name

    def GetDefaultDataSetInfo(self) -> DataSetInfo:
        """Return what is declared so far."""
        return self.dataset_info

    def GetDataSetInfo(self) -> DataSetInfo:
        """Return what is declared so far."""
        return self.dataset_info
