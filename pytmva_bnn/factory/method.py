"""A method booked in the Factory."""

from __future__ import annotations

import logging
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from pytmva_bnn.dataset import Sampling, Which
from pytmva_bnn.displays import Displayed
from pytmva_bnn.errors import InputError, OutputError, TMVAError
from pytmva_bnn.factory.class_file import write_class_beside
from pytmva_bnn.factory.evaluation_run import Responses, Result, evaluate, respond
from pytmva_bnn.factory.number_calls import NumberCalls
from pytmva_bnn.factory.sampled import shown
from pytmva_bnn.factory.training_run import Trained, train_method
from pytmva_bnn.files import expanded
from pytmva_bnn.methods import Method
from pytmva_bnn.methods.booking import Booking, check_quantities
from pytmva_bnn.methods.ranking import Ranking
from pytmva_bnn.methods.sub_methods import SubMethodRequest
from pytmva_bnn.model import Model, load
from pytmva_bnn.tmva_types import EMVA, AnalysisType

if TYPE_CHECKING:
    from pytmva_bnn.dataset import DataLoaderCalls
    from pytmva_bnn.dataset.dataset import DataSet

log = logging.getLogger("pytmva_bnn.Factory")


class NotTrainedError(TMVAError, RuntimeError):
    """Something was asked of a method that only a trained one has."""


class MethodBase(NumberCalls, Displayed):
    """A method in a Factory: its options, and after training the fitted method and its weight file.

    ``model`` is the method as read back from the weight file, for predictions; ``trained`` is the one in memory, whose
    numbers are not rounded.
    """

    checks_values: ClassVar[bool] = True
    """Whether option values that make no sense are refused, not read as TMVA reads them."""

    def __init__(
        self,
        kind: Method,
        loader: DataLoaderCalls,
        title: str,
        option_string: str,
        analysis_type: AnalysisType,
        weight_file: Path | None,
    ) -> None:
        self.loader = loader
        self.title = title
        self.analysis_type = analysis_type
        self.weight_file = weight_file
        self.book(kind, option_string)
        self.kind = self.booked.method.kind
        check_quantities(self.booked.options.string("VarTransform"), loader.description, title)
        self._dataset: DataSet | None = None
        self._sampling: Sampling | None = None
        self._trained: Trained | None = None
        self._model: Model | None = None
        self._responses: Responses | None = None
        self.evaluation: Result | None = None
        for name in kind.calls:
            setattr(self, name, partial(self._ask, name))

    def book(self, kind: Method, option_string: str) -> None:
        """Take an option string in the place of that before, if any."""
        n_variables = len(self.loader.description.variables)
        self.option_string = option_string
        self.booked = Booking.parse(kind, option_string, self.analysis_type, self.title, n_variables)
        if self.checks_values:
            self.booked.check_values(n_variables)

    def _ask(self, name: str, *args: Any, **keywords: Any) -> Any:
        """Ask what only this kind of method can be asked."""
        return getattr(self.model, name)(*args, **keywords)

    def __repr__(self) -> str:
        state = "booked" if self._trained is None else "trained"
        return f"<Method{self.kind} {self.title!r}: {self.analysis_type}, {state}>"

    # -- training

    def AddMethod(
        self,
        cut: Any,
        variables: str,
        type: EMVA | str,  # noqa: A002 - TMVA's name
        title: str,
        options: str = "",
        **keywords: object,
    ) -> Booking:
        """Book a method for the events that pass a cut, inside this one, which must be a Category.

        ``variables`` are labels of variables and spectators, as in ``"var1:var2:eta"``; empty: all variables.
        """
        if self.is_trained:
            raise InputError(f"AddMethod({title!r}): {self.title} is already trained; add methods before the training")
        request = SubMethodRequest.of(cut, variables, type, title, options, keywords)
        booked = self.booked.method.add_sub_method(self.booked.settings, request, self.loader.description)
        return booked.check_values(0) if self.checks_values else booked

    def train(
        self,
        dataset: DataSet,
        *,
        quiet: bool = False,
        sampling: Sampling | None = None,
        hide_negative_weights: bool | None = None,
        job_name: str = "",
    ) -> None:
        """Train on the data set, write the weight file and read it back.

        ``sampling`` is that of the data set, which all its methods share.  ``hide_negative_weights`` makes negative
        weights 0; by default IgnoreNegWeightsInTraining decides.
        """
        sampling = sampling or Sampling(len(dataset.training), len(dataset.test))
        trained = train_method(
            dataset,
            self.title,
            self.booked,
            self.analysis_type,
            quiet=quiet,
            sampling=sampling,
            hide_negative_weights=hide_negative_weights,
            job_name=job_name,
        )
        self.adopt(dataset, trained, sampling)

    def adopt(self, dataset: DataSet, trained: Trained, sampling: Sampling | None = None) -> None:
        """Take over a training, which may have been done in another process; write the weight file and read it back."""
        self._sampling, self._trained = sampling, trained
        self._dataset, self._responses, self.evaluation = dataset, None, None
        if self.weight_file is None:
            self._model = trained.model()
            return
        log.info("Creating xml weight file: %s", self.weight_file)
        self._model = trained.model()  # it is there also if it cannot be written
        try:
            trained.write(self.weight_file)
        except OutputError as error:
            error.advice = (
                f"{self.title} is trained and still in memory: method.model predicts, method.save(path) writes it to "
                "another place"
            )
            raise
        # TMVA: what is tested is the method of the file, whose numbers are rounded
        self._model = load(self.weight_file)
        self.write_class()

    def save(self, path: str | Path) -> None:
        """Write the weight file, and what the method keeps beside it, to a place of your choice."""
        self.trained.write(Path(expanded(path)))

    def write_class(self) -> None:
        """Write the standalone C++ class beside the weight file."""
        if self.weight_file is None:
            raise NotTrainedError(
                f"{self.title}: there is no standalone class without a weight file (ModelPersistence)"
            )
        write_class_beside(self.weight_file, self.model, self.title)

    @property
    def is_trained(self) -> bool:
        """Return whether the method has been trained."""
        return self._trained is not None

    @property
    def trained(self) -> Trained:
        """Return the method in memory with its samples."""
        if self._trained is None:
            raise NotTrainedError(f"{self.title} is not trained yet: call TrainAllMethods first")
        return self._trained

    @property
    def model(self) -> Model:
        """Return the trained method, ready for predictions."""
        if self._model is None:
            raise NotTrainedError(f"{self.title} is not trained yet: call TrainAllMethods first")
        return self._model

    @property
    def result(self) -> Any:
        """Return how the training went, None if the method does not say; of an MLP estimators and evidence."""
        return getattr(self.trained.fitted, "result", None)

    @property
    def evidence(self) -> Any:
        """Return log evidence, effective number of parameters and regulators of a training with UseRegulator."""
        found = getattr(self.result, "evidence", None)
        if found is None:
            raise NotTrainedError(f"{self.title} has no evidence; train with UseRegulator=True")
        return found

    @property
    def convergence(self) -> Any:
        """Return whether the training has reached its minimum, of an MLP; ``print`` shows what speaks for it."""
        found = getattr(self.result, "convergence", None)
        if found is None:
            raise NotTrainedError(f"{self.title} has no convergence verdict: only a trained MLP has one")
        return found

    # -- after training

    @property
    def dataset(self) -> DataSet:
        """Return the data set that the method was trained on."""
        if self._dataset is None:
            raise NotTrainedError(f"{self.title} is not trained yet: call TrainAllMethods first")
        return self._dataset

    @property
    def evaluated_dataset(self) -> DataSet:
        """Return the events that the evaluation sees: all, or the last sample if sampling was on until the end."""
        return self.dataset if self._sampling is None else shown(self.dataset, self._sampling)

    def respond(self) -> Responses:
        """Return the responses of the training and test events that the evaluation sees."""
        if self._responses is None:
            seen = self._sampling[Which.TRAINING].events() if self._sampling is not None else None
            self._responses = respond(self.model, self.trained, self.evaluated_dataset, seen)
        return self._responses

    def evaluate(self) -> Result:
        """Return the numbers and histograms of the evaluation, computed at the first call."""
        if self.evaluation is None:
            self.evaluation = evaluate(self.title, self.model, self.respond(), self.evaluated_dataset)
        return self.evaluation

    @property
    def ranking(self) -> Ranking | None:
        """Return the input variables by their importance for the method, None if it has no ranking."""
        return self.trained.ranking(self.dataset)

    # -- TMVA's names

    def GetName(self) -> str:
        """Return the title given at booking."""
        return self.title

    def GetMethodName(self) -> str:
        """Return the title given at booking."""
        return self.title

    def GetMethodTypeName(self) -> str:
        """Return the kind of the method."""
        return self.kind

    def GetNvar(self) -> int:
        """Return the number of variables."""
        return len(self.dataset.variables)

    def GetInputVar(self, i: int) -> str:
        """Return the name of a variable without special characters."""
        return self.dataset.variables[i].internal

    def GetInputLabel(self, i: int) -> str:
        """Return the label of a variable."""
        return self.dataset.variables[i].label

    def GetInputTitle(self, i: int) -> str:
        """Return the title of a variable."""
        return self.dataset.variables[i].title

    def GetOptions(self) -> str:
        """Return the option string given at booking."""
        return self.option_string

    def GetWeightFileName(self) -> str:
        """Return the name of the weight file, empty if none is written."""
        return "" if self.weight_file is None else str(self.weight_file)

    def GetTrainTime(self) -> float:
        """Return the seconds that the training took."""
        return self.trained.seconds
