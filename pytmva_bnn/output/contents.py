"""What the output file is made of: a data set, and the training and evaluation of each of its methods."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from numpy.typing import NDArray

from pytmva_bnn._typing import Float32Array
from pytmva_bnn.dataset.dataset import DataSet
from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation import BinaryResult, MulticlassResult, RegressionResult
from pytmva_bnn.histograms import PDF
from pytmva_bnn.histograms.entries import Entry
from pytmva_bnn.tmva_types import AnalysisType

Result: TypeAlias = BinaryResult | RegressionResult | MulticlassResult


@dataclass(frozen=True, eq=False)
class MethodOutput:
    """A trained method, with its evaluation if there was one.

    * ``weight_file`` is the path of the weight file as the log says it, None if none was written; ``training_path``
      the working directory;
    * ``kind`` is that of the method, ``monitoring`` what its training leaves in its folder;
    * ``chain`` is the short name of VarTransform (see :func:`~pytmva_bnn.output.chain_name`);
    * ``test_variables`` (n_test, n_variables) and ``test_targets`` (n_test, n_targets) are the test events after the
      transformations of the weight file (see :func:`~pytmva_bnn.output.transformed_events`);
    * ``training_responses`` (n_training, n_outputs) are those of the network as trained, ``test_responses``
      (n_test, n_outputs) those of the weight file; ``..._probabilities`` (n,) those of ``prob_<title>``;
    * ``pdfs`` are the densities of the response for signal and background (CreateMVAPdfs).

    """

    title: str
    weight_file: str | None
    training_path: str
    chain: str
    kind: str
    monitoring: Sequence[Entry] = ()
    result: Result | None = None
    test_variables: Float32Array | None = None
    test_targets: Float32Array | None = None
    training_responses: Float32Array | None = None
    test_responses: Float32Array | None = None
    training_probabilities: Float32Array | None = None
    test_probabilities: Float32Array | None = None
    pdfs: tuple[PDF, PDF] | None = None

    @property
    def is_evaluated(self) -> bool:
        """Whether there is a result, and so a branch in the trees."""
        return self.result is not None


@dataclass(frozen=True, eq=False)
class DataSetOutput:
    """A data set with its methods; ``transformations`` is the Factory's option of that name.

    ``whole`` is the data set with all its events, if ``dataset`` has only those that sampling has left.
    """

    dataset: DataSet
    methods: Sequence[MethodOutput]
    analysis: AnalysisType
    transformations: str = "I"
    whole: DataSet | None = None

    def __post_init__(self) -> None:
        for method in self.methods:
            _check(method, self.dataset)

    @property
    def is_evaluated(self) -> bool:
        """Whether there is a method with a result."""
        return any(method.is_evaluated for method in self.methods)


def _check(method: MethodOutput, dataset: DataSet) -> None:
    """Raise an InputError if arrays do not fit the events, where TMVA stops with FATAL."""
    if not method.is_evaluated:
        return
    n_training, n_test = len(dataset.training), len(dataset.test)
    given: tuple[tuple[str, NDArray[Any] | None, int, int, bool], ...] = (
        ("test_variables", method.test_variables, 2, n_test, True),
        ("test_targets", method.test_targets, 2, n_test, bool(dataset.targets)),
        ("training_responses", method.training_responses, 2, n_training, True),
        ("test_responses", method.test_responses, 2, n_test, True),
        ("training_probabilities", method.training_probabilities, 1, n_training, False),
        ("test_probabilities", method.test_probabilities, 1, n_test, False),
    )
    for name, values, n_dimensions, n_events, needed in given:
        if values is None and needed:
            raise InputError(f"output file: '{name}' of the evaluated method {method.title} is missing")
        if values is not None and (len(values) != n_events or values.ndim != n_dimensions):
            shape = f"({n_events}, ...)" if n_dimensions == 2 else f"({n_events},)"
            raise InputError(
                f"output file: '{name}' of the method {method.title} has the shape {values.shape}, "
                f"but with the data set {dataset.name} it must be {shape}"
            )
