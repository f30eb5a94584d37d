"""What a method is: all that the rest of the package knows of it.

A :class:`Method` is a kind of method ("MLP"): its options, how it is trained, how it is read from a weight file.  Both
give a :class:`Fitted`, which responds to events and writes itself.  Reader, Factory, cross-validation, evaluation,
output file, reports, command line and converters ask these two classes and never a method by name.  What a method does
not have (error bars, a ranking, C++, ONNX) it leaves to the defaults here, which say so.

To add a method: a folder beside this file with both classes, and a line in the registry (``methods/__init__.py``).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import BoolArray, Float32Array, FloatArray
from pytmva_bnn.cpp.part import Part
from pytmva_bnn.dataset import DataSet, Description, Sampling
from pytmva_bnn.errors import ErrorsNotAvailableError, InputError, OptionError, WeightFileError
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.histograms.entries import Entry
from pytmva_bnn.methods.answers import (
    NO_ERROR,
    EventBlock,
    Inspection,
    Link,
    LinkedEvent,
    OnnxOutputs,
    ResponseSum,
    Wanted,
    WorkingPoints,
)
from pytmva_bnn.methods.sub_methods import SubMethod, SubMethodRequest, TrainSubMethod
from pytmva_bnn.methods.tuned_option import TunedOption
from pytmva_bnn.onnxio.graph import Graph
from pytmva_bnn.options import (
    COMPATIBILITY_OPTIONS,
    METHOD_BASE_OPTIONS,
    Option,
    OptionSet,
    OptionValue,
    sized,
)
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.transform import TransformationChain
from pytmva_bnn.weights import Companion, Dialect, Section, Stream, WeightFile, chain_of, modernised, whole_events_of

if TYPE_CHECKING:
    from pytmva_bnn.methods.booking import Booking
    from pytmva_bnn.methods.output_scale import OutputScale
    from pytmva_bnn.methods.ranking import Ranking

Tanh = Literal["exact", "fast"]
Agree = Callable[[Any, Any], bool]
"""Tells whether numbers or arrays agree within a tolerance."""


@dataclass(frozen=True)
class Reading:
    """How a weight file is to be understood where TMVA's releases differ.

    ``strict`` does what current ROOT does with old files even where that is not what they were trained for;
    ``tanh="fast"`` is the approximation of ROOT 6.04 to 6.14.
    """

    strict: bool = False
    tanh: Tanh = "exact"


@dataclass(frozen=True, eq=False)
class MethodEvents:
    """Events as a method sees them in training: variables and targets transformed.

    ``inputs`` (n_events, n_variables) and ``targets`` (n_events, n_targets) are float32; ``weights`` (n_events,) are
    those of the training, in which negative ones may count as 0; ``original_weights`` are those without the factors of
    boosting, if there are such.
    """

    inputs: Float32Array
    targets: Float32Array
    class_index: NDArray[np.int32]
    weights: FloatArray
    signal_class: int = 0
    original_weights: FloatArray | None = None

    def __len__(self) -> int:
        return len(self.inputs)

    @property
    def is_signal(self) -> BoolArray:
        """Return which events are signal."""
        return np.equal(self.class_index, self.signal_class)


@dataclass(frozen=True, eq=False)
class TrainingJob:
    """All that a training is given.

    ``settings`` is what :meth:`Method.settings` made of the options; ``dataset`` is the data set before the
    transformations, ``sampling`` that which its methods share; ``train_sub_method`` is for methods inside the method;
    ``job_name`` is that of the Factory.
    """

    title: str
    analysis: AnalysisType
    dataset: DataSet
    training: MethodEvents
    test: MethodEvents
    options: OptionSet
    settings: Any
    sampling: Sampling
    quiet: bool = False
    train_sub_method: TrainSubMethod | None = None
    job_name: str = ""


class Fitted(ABC):
    """A trained method: it responds to events, and writes itself into a weight file.

    The events that it is given are transformed, ``(n_events, n_inputs)`` in float32; outputs are ``(n_events,
    n_outputs)``: one in classification, one for each target in regression, one for each class in multiclass.
    """

    uncertainty_fields: ClassVar[tuple[str, ...]] = ()
    """Its dataclass fields that only error bars need."""
    interrupted_after: str = ""
    """Where Ctrl-C has ended the training, e.g. ``epoch 7``."""
    printed_names: ClassVar[Literal["label", "internal"]] = "label"
    """Which names of the variables TMVA prints in its ranking."""
    noun: str = "method"
    """What it is called in a sentence."""
    precision: str = "the rest in float64"
    """In which precision it computes, for the comment of a C++ class."""
    has_single: bool = False
    """Whether compiled code can compute its outputs in float32."""
    n_outputs: int = 1
    targets_are_transformed: bool = True
    """Whether its outputs in regression are still to be transformed back into targets."""
    has_errors: bool = False
    """Whether every output has an error bar."""
    has_latent: bool = True
    """Whether these errors come from a Gaussian of a latent quantity, so that there are quantiles as well."""
    is_probability: bool = False
    """Whether the response of a classification is the probability of signal, by the mixture of the training."""
    has_working_points: bool = False
    """Whether it is evaluated by its working points, as responses alone say nothing of it."""
    link: Link
    """From the latent quantity to the output, for methods whose errors come from its Gaussian."""

    @abstractmethod
    def respond(self, x: Float32Array) -> NDArray[np.floating]:
        """Return the outputs ``(n_events, n_outputs)`` for transformed events."""

    @abstractmethod
    def write(self, dialect: Dialect) -> Iterator[str]:
        """Yield the element ``<Weights>``, line by line (see :mod:`pytmva_bnn.xmlio.writing`)."""

    def companions(self) -> tuple[Companion, ...]:
        """Return what it keeps in files of its own beside the weight file."""
        return ()

    def method(self, named: Method) -> Method:
        """Return its kind of method, ``named`` in the weight file, with what only the fitted one knows of it."""
        return named

    # -- evaluation

    def mva_values(self, x: Float32Array) -> NDArray[np.floating]:
        """Return what EvaluateMVA gives, whatever the analysis is: the first output, unless TMVA has another idea."""
        values: NDArray[np.floating] = self.respond(x)[:, 0]
        return values

    def multiclass(self, outputs: Float32Array) -> Float32Array:
        """Return the class values that a user sees for the outputs ``(n_events, n_classes)``."""
        return outputs

    def at_efficiency(self, signal_efficiency: float) -> Fitted:
        """Return what responds at a wanted signal efficiency: EvaluateMVA's last argument, which only cuts look at."""
        del signal_efficiency
        return self

    @property
    def response_note(self) -> str:
        """Return what a user of its responses should know, e.g. that the signal efficiency is missing."""
        return ""

    def working_points(self, events: MethodEvents) -> WorkingPoints:
        """Return the efficiencies for transformed events."""
        raise NotImplementedError

    def is_compiled(self, n_events: int, *, errors: bool, compiled: bool | None) -> bool:
        """Return whether compiled code is used for this number of events; ``compiled`` is the user's wish, if any."""
        del n_events, errors, compiled
        return False

    def block_events(self, *, errors: bool, compiled: bool) -> int:
        """Return how many events to take at a time."""
        del errors, compiled
        return 65536

    def block(
        self, x: Float32Array, chain: TransformationChain, spectators: Float32Array | None, wanted: Wanted
    ) -> EventBlock:
        """Return outputs and, if wanted, uncertainties of events that ``chain`` has still to transform."""
        inputs = chain.forward(x, spectators) if chain.placed else x
        outputs = np.asarray(self.respond(inputs), dtype=np.float64).T
        if not wanted.errors:
            return EventBlock(outputs)
        if not self.has_latent:
            return EventBlock(outputs, error_bars=self.error_bars(inputs, self.noun))
        h, sigma = self.latent(inputs)
        return EventBlock(outputs, h, sigma)

    def linked_event(self, chain: TransformationChain, memory: Sequence[NDArray[Any] | None]) -> LinkedEvent | None:
        """Return the fast path for an event loop over linked memory, or None."""
        del chain, memory
        return None

    # -- uncertainty

    def why_no_errors(self) -> str:
        """Return why :attr:`has_errors` is False, as the end of a sentence."""
        return "this method has none"

    def latent(self, x: Float32Array) -> tuple[FloatArray, FloatArray]:
        """Return mean and standard deviation ``(n_outputs, n_events)`` of the latent quantity."""
        del x
        raise ErrorsNotAvailableError(f"no error bars: {self.why_no_errors()}")

    def error_bars(self, x: Float32Array, name: str) -> tuple[FloatArray, FloatArray]:
        """Return lower and upper error of the first output, as TMVA's Reader has them; ``name`` is for messages."""
        del name
        nothing = np.full(len(x), NO_ERROR)
        return nothing, nothing

    def response_sum(self, scale: OutputScale, n_groups: int) -> ResponseSum:
        """Return an accumulator of responses for ``n_groups`` groups of events, with the covariance of the sums."""
        del scale, n_groups
        raise ErrorsNotAvailableError(f"no error of a sum: {self.why_no_errors()}")

    # -- what people and other programs see

    @property
    def summary(self) -> str:
        """Return what it is in one or two words, for reprs."""
        return type(self).__name__.removeprefix("Fitted")

    def describe(self) -> list[tuple[str, str]]:
        """Return what there is to say of the fitted method, as names and values."""
        return []

    def inspection(self, head: WeightFile) -> Inspection:
        """Return what ``pytmva-bnn inspect`` shows of it."""
        rows = self.describe()
        width = max((len(name) for name, _ in rows), default=0)
        lines = [f"  {name:<{width}}  {value}" for name, value in rows]
        return Inspection(
            self.summary, {"method": {"type": head.kind, **dict(rows)}}, [(head.kind, lines or ["  nothing to show"])]
        )

    def part(self, number: int, head: WeightFile) -> Inspection:
        """Return one of its parts, such as a tree of a forest, counted from 0: for ``inspect --part``."""
        del number
        raise InputError(f"{head.title}: a {head.kind} has no parts to show one by one")

    def differences(self, other: Fitted, head: WeightFile, agree: Agree) -> tuple[list[str], str] | None:
        """Return how another one of its kind differs, none if it does not, and a note to be shown in any case.

        ``agree`` tells whether numbers or arrays do.  None: the arrays that both are made of are compared.
        """
        del other, head, agree
        return None

    def ranking(self, events: MethodEvents, weights: FloatArray, names: Sequence[str]) -> Ranking | None:
        """Return the variables by their importance, from training events with these weights; None if it has none."""
        del events, weights, names
        return None

    def cpp(self, head: WeightFile) -> Part:
        """Return what it contributes to a C++ class: ``GetMvaValue`` and the like.

        The class has ``Inputs(inputValues)``, the transformed event, ``CanEvaluate(inputValues)``, and in regression
        ``Targets(outputs)``.
        """
        raise InputError(f"{head.title}: a {head.kind} cannot be written as a C++ class")

    def onnx(self, graph: Graph, x: str, *, errors: bool) -> OnnxOutputs:
        """Append the method to an ONNX graph; ``x`` are the transformed events in float64."""
        del graph, x, errors
        raise InputError(f"a {self.summary} cannot be written as ONNX")

    def onnx_multiclass(self, graph: Graph, outputs: str) -> str:
        """Append what :meth:`multiclass` does to outputs in float32."""
        del graph
        return outputs

    def monitoring(self, options: OptionSet, number: int, dataset: str) -> Iterator[Entry]:
        """Yield what the training leaves in the method's folder of the output file.

        ``number`` counts the methods of this kind in the file from 0; ``dataset`` is the name of the data set.
        """
        del options, number, dataset
        return iter(())

    def sub_methods(self) -> tuple[SubMethod, ...]:
        """Return the methods inside it."""
        return ()

    def spectators_among(self, records: Sequence[VariableRecord]) -> list[int]:
        """Return which columns of a data set's spectators it is given, if it needs spectators."""
        # TMVA: those of type C, the cuts of a Category, are no spectators of a weight file
        return [number for number, record in enumerate(records) if record.type != "C"]

    def modernised(self) -> Fitted:
        """Return the same in the form that current TMVA reads."""
        return self

    def corrected(self) -> Fitted:
        """Return the same without the defects of TMVA that change its responses."""
        return self


class Method(ABC):
    """A kind of method, as TMVA's type names call it."""

    kind: ClassVar[str]
    analyses: ClassVar[frozenset[AnalysisType]] = frozenset(AnalysisType)
    """What it can be trained for."""
    options: ClassVar[tuple[Option, ...]] = METHOD_BASE_OPTIONS
    """All of TMVA's options for it, in the order of the weight file."""
    more_options: ClassVar[tuple[Option, ...]] = ()
    """Options that TMVA does not have; weight files do not hold them."""
    old_options: ClassVar[tuple[Option, ...]] = ()
    """Options of old releases, which weight files may hold and trainings do not take."""
    parts_in_files: ClassVar[frozenset[str]] = frozenset()
    """Parts of :meth:`parse_parts` whose options stand in weight files behind those of the method."""
    transforms_by_class: ClassVar[bool] = False
    """Whether :meth:`input_sets` are those of the classes, whichever class VarTransform names."""
    read_only: ClassVar[str] = ""
    """Why it is only read and evaluated, and what to train instead; nothing if it can be trained."""
    takes_spectators: ClassVar[bool] = False
    """Whether its inputs are variables and spectators as they are, side by side, whatever VarTransform says."""
    records: ClassVar[tuple[type, ...]] = ()
    """The dataclasses that JSON and npz files hold of a fitted one."""

    calls: ClassVar[frozenset[str]] = frozenset()
    """TMVA's names of what only this kind of method can be asked: methods of a fitted one, which get the head of the
    weight file as their first argument."""

    @abstractmethod
    def train(self, job: TrainingJob) -> Fitted:
        """Fit the method to the training events."""

    @abstractmethod
    def read(self, section: Section, head: WeightFile, how: Reading) -> Fitted:
        """Read the element ``<Weights>``, or the section #WGT of a text file."""

    def settings(self, options: OptionSet, title: str, analysis: AnalysisType) -> Any:
        """Check the options of a booked method, and return them as its training wants them."""
        del options, title, analysis

    def check_values(self, options: OptionSet, n_variables: int) -> None:
        """Raise OptionError for values that TMVA takes although nobody can mean them; macros are not asked."""
        del options, n_variables

    def tuned(self, options: OptionSet, n_variables: int) -> tuple[TunedOption, ...]:
        """Return what OptimizeAllMethods varies, given the other options; nothing if the method has no tuning."""
        del options, n_variables
        return ()

    def parse_parts(self, options: OptionSet, n_variables: int) -> None:
        """Let parts of the method, such as its PDFs, take their options from the same string, before ``settings``.

        See :meth:`~pytmva_bnn.options.OptionSet.parse_part`.  A weight file does not hold these options.
        """
        del options, n_variables

    def add_sub_method(
        self, settings: Any, request: SubMethodRequest, description: Description, *, own_events: bool = True
    ) -> Booking:
        """Book a method inside the method (AddMethod), for the data set of ``description``, which may change.

        ``own_events``: it reads and splits the trees again, as in TMVA; otherwise its events are among those
        of the data set that the method is trained on.
        """
        del settings, description, own_events
        raise InputError(f"AddMethod({request.title!r}): {self.kind} cannot contain methods; only Category can")

    def chain(self, file: WeightFile, *, strict: bool = False) -> TransformationChain:
        """Return what makes inputs of events: the transformations of the file, if the method takes them."""
        if self.takes_spectators:
            return whole_events_of(file)
        return chain_of(file, strict=strict, sets=self.input_sets(file, strict=strict))

    def stream(self) -> Stream | None:
        """Return what takes elements of ``<Weights>`` while the file streams in; None if there is no need."""
        return None

    def builds_dataset_early(self, settings: Any) -> bool:
        """Tell whether TMVA builds the data set when the method is booked, and not in training."""
        del settings
        return False

    def input_sets(self, head: WeightFile, *, strict: bool) -> tuple[int, ...]:
        """Return the sets of parameters with which events are transformed, if not with those of all classes.

        The inputs of a fitted method are then the variables transformed with each of these sets, side by side; without
        transformations they are the variables, once.  ``strict``: as current ROOT does, also with old files.
        """
        del head, strict
        return ()

    def info(self, settings: Any) -> tuple[tuple[str, str], ...]:
        """Return what the training adds to GeneralInfo."""
        del settings
        return ()

    def modern_options(self, file: WeightFile) -> Mapping[str, OptionValue]:
        """Return the options that an old weight file needs with other values, to be read by current TMVA."""
        del file
        return {}

    def modern_file(self, file: WeightFile) -> WeightFile:
        """Return an old envelope in the form that current TMVA reads and applies."""
        current = {option.name for option in self.options_for(file.analysis_type)}
        known = [option for option in self.options_in_files(file) if option.name in current]
        return modernised(file, known, self.modern_options(file))

    def options_for(self, analysis: AnalysisType) -> tuple[Option, ...]:
        """Return TMVA's options with the defaults that they have in this analysis."""
        del analysis
        return self.options

    def options_in_files(self, file: WeightFile) -> tuple[Option, ...]:
        """Return the options that a weight file may hold, with those of old releases."""
        known = (*self.options_for(file.analysis_type), *self.old_options, *COMPATIBILITY_OPTIONS)
        return sized(known, len(file.variables))

    def option_set(self, file: WeightFile, *, strict: bool = False) -> OptionSet:
        """Return the typed options of a weight file; those that it does not name have TMVA's defaults.

        Options that TMVA does not know make the file unreadable for TMVA; here only with ``strict=True``.
        """
        options = OptionSet(self.options_in_files(file), owner=self.kind)
        try:
            options.parse_records(file.options)
            if strict:
                options.check_unused()
        except OptionError as error:
            raise WeightFileError(str(error), element="Options") from error
        return options

    def check_analysis(self, analysis: AnalysisType) -> None:
        """Raise an InputError if the method cannot be trained for this analysis."""
        if analysis not in self.analyses:
            able = ", ".join(sorted(self.analyses))
            raise InputError(f"the method {self.kind} cannot do AnalysisType={analysis}; it can do {able}")
