"""A trained network on arrays: :func:`load` a weight file, :meth:`Model.predict` a million events.

What to use when: ``load`` and ``predict`` for events in arrays; :class:`pytmva_bnn.Reader` for a TMVA macro that
evaluates one event after the other.
"""

from __future__ import annotations

import importlib
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pytmva_bnn import fast
from pytmva_bnn import histograms as pdf
from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.errors import ErrorsNotAvailableError, InputError, WeightFileError
from pytmva_bnn.events.columns import Columns, has_names
from pytmva_bnn.methods.mlp import laplace as bayes
from pytmva_bnn.methods.mlp.kernels import responses
from pytmva_bnn.methods.mlp.kernels.plan import Steps, steps_of
from pytmva_bnn.methods.mlp.kernels.responses import Factors, Memory
from pytmva_bnn.methods.mlp.network import Network, Propagation, activation, output_sensitivities, propagate
from pytmva_bnn.methods.mlp.sums import PredictedSum, SumAccumulator
from pytmva_bnn.prediction import Accumulator, EventBlock, Meaning, Prediction
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.transform import TransformationChain
from pytmva_bnn.weights import (
    WeightFile,
    chain_of,
    modernised,
    network_of,
    options_of,
    read,
    read_string,
    response_pdfs_of,
    write_xml,
)
from pytmva_bnn.weights.interpretation import Tanh

# Values of one layer, or sensitivities, of a block of events: small enough to stay in the cache
_BLOCK_NUMBERS = 1 << 18
_BLOCK_EVENTS = (256, 8192)
# The same for compiled code, which cuts it into blocks of its own and shares these between threads
_COMPILED_BLOCK = 1 << 18


class Model:
    """A network read from a weight file, with all that the file tells about it.

    >>> import pytmva_bnn as TMVA
    >>> model = TMVA.load("xml_fixtures/cases/fakerate_bnn/weights.xml")
    >>> [v.expression for v in model.variables], model.network.layer_sizes
    (['pt', 'ht'], (2, 10, 1))
    >>> value, lower, upper = model.predict({"pt": [15.0], "ht": [80.0]}, errors=True)
    >>> print(f"{value[0]:.3f} -{lower[0]:.3f} +{upper[0]:.3f}")
    0.594 -0.032 +0.031
    """

    def __init__(
        self,
        file: WeightFile,
        *,
        tanh: Tanh = "exact",
        strict: bool = False,
        name: str = "",
        compiled: bool | None = None,
    ) -> None:
        self.compiled = compiled
        self.file = file
        self.name = name or file.title
        self.title = file.title
        self.variables = file.variables
        self.spectators = file.spectators
        self.classes = file.classes
        self.targets = file.targets
        self.analysis_type = file.analysis_type
        self.info = file.general_info
        self.inverse_hessian = file.inverse_hessian
        self._known_factors: tuple[tuple[FloatArray, ...], Factors] | None = None
        self._known_steps: tuple[TransformationChain, Steps | None] | None = None
        self.inverse_hessians = (
            () if file.inverse_hessian is None else (file.inverse_hessian, *file.more_inverse_hessians)
        )
        try:
            self.options = options_of(file, strict=strict)
            self.network = network_of(file, self.options, tanh=tanh, strict=strict)
            self.transformations = chain_of(file, strict=strict)
        except WeightFileError as error:
            raise WeightFileError(error.problem, file=name or None, element=error.element, line=error.line) from error

    def __repr__(self) -> str:
        layers = "-".join(map(str, self.network.layer_sizes))
        errors = "with" if self.has_errors else "without"
        return f"<Model {self.title!r}: {self.analysis_type}, {layers}, {errors} error bars>"

    def _repr_html_(self) -> str:
        # found by name: reports stand behind models in the order of imports
        return str(importlib.import_module("pytmva_bnn.show.report").model_html(self))

    @property
    def has_errors(self) -> bool:
        """Tell whether error bars can be computed: there is an inverse Hessian for each output."""
        return self.analysis_type != AnalysisType.MULTICLASS and len(self.inverse_hessians) == self.network.n_outputs

    @classmethod
    def in_memory(
        cls,
        file: WeightFile,
        network: Network,
        transformations: TransformationChain,
        response_pdfs: tuple[pdf.PDF, pdf.PDF] | None = None,
    ) -> Model:
        """Return the model of a network that is not rounded by writing it to a file and reading it back."""
        model = cls(file)
        model.network = network
        model.transformations = transformations
        if response_pdfs is not None:
            model.response_pdfs = response_pdfs
        return model

    def save(self, path: str | Path) -> None:
        """Write the weight file, readable by TMVA and by :func:`load`; ``.gz`` at the end compresses it.

        XML files are written in the dialect they had; text files of TMVA 3.9 become XML (see
        :func:`~pytmva_bnn.weights.modernised`).
        """
        write_xml(modernised(self.file) if self.file.source == "text" else self.file, path)

    @overload
    def predict(
        self,
        events: Any,
        *,
        errors: Literal[False] = False,
        quantiles: ArrayLike | None = None,
        moderated: bool = False,
        spectators: Any = None,
    ) -> NDArray[Any]: ...
    @overload
    def predict(
        self,
        events: Any,
        *,
        errors: Literal[True],
        quantiles: ArrayLike | None = None,
        moderated: bool = False,
        spectators: Any = None,
    ) -> Prediction: ...
    def predict(
        self,
        events: Any,
        *,
        errors: bool = False,
        quantiles: ArrayLike | None = None,
        moderated: bool = False,
        spectators: Any = None,
    ) -> NDArray[Any] | Prediction:
        """Return the responses of many events.

        ``events`` is an array ``(n_events, n_variables)``, a dict of arrays, a pandas data frame or an awkward record
        array; named columns are matched by expression or label.  An event with a NaN gives NaN.

        ================  ==========================================================================================
        asked for         returned
        ================  ==========================================================================================
        nothing more      responses: ``(n_events,)`` in classification; ``(n_events, n_targets)`` in regression and
                          ``(n_events, n_classes)`` in multiclass, both float32 as in TMVA
        ``errors``        a :class:`Prediction`: ``value, lower, upper``
        ``quantiles``     quantiles of the response at these levels: one more axis behind those of the responses
        ``moderated``     the response marginalised over the weights, ``(n_events,)``
        all of it         one :class:`Prediction`, if ``errors`` is among it
        ================  ==========================================================================================

        ``spectators`` (same forms) is needed only by the rare file whose transformations use spectators.
        """
        columns = Columns(events, self.variables)
        extra = self._spectator_columns(events, spectators, columns.n_events)
        uncertain = errors or moderated or quantiles is not None
        if uncertain:
            self._check_errors_available()
        levels = None if quantiles is None else np.atleast_1d(np.asarray(quantiles, dtype=np.float64))
        result = Accumulator(self._meaning, columns.n_events, errors=errors, levels=levels, moderated=moderated)
        compiled = self.is_compiled(columns.n_events, errors=uncertain)
        step = _COMPILED_BLOCK if compiled else self._block_events(uncertain)
        for start in range(0, columns.n_events, step):
            stop = min(start + step, columns.n_events)
            x = columns.block(start, stop)
            more = None if extra is None else extra.block(start, stop)
            if compiled:
                variances = uncertain and result.needs_variances
                block = self._compiled_block(x, more, uncertain, variances, result.memory(start, stop))
            else:
                block = self._block(x, more, uncertain)
            result.add(start, stop, x, block)
        return result.finished()

    def predict_sum(self, events: Any, weights: ArrayLike | None = None, *, spectators: Any = None) -> PredictedSum:
        """Return the sum of the (weighted) responses of many events, with its error; classification only.

        That is, for a probability, the number of events expected to pass.  The error is that of the network's
        parameters with the correlations between events; the counting error of an observed number is not in it.

        >>> import pytmva_bnn as TMVA
        >>> model = TMVA.load("xml_fixtures/cases/fakerate_bnn/weights.xml")
        >>> passing, error = model.predict_sum({"pt": [15.0, 20.0], "ht": [80.0, 90.0]})
        >>> print(f"{passing:.3f} ± {error:.3f}")
        1.141 ± 0.058
        """
        if self.analysis_type != AnalysisType.CLASSIFICATION:
            raise InputError("predict_sum is for probabilities: it exists in classification only")
        self._check_errors_available()
        columns = Columns(events, self.variables)
        extra = self._spectator_columns(events, spectators, columns.n_events)
        factors = np.ones(columns.n_events) if weights is None else np.asarray(weights, dtype=np.float64)
        if factors.shape != (columns.n_events,):
            raise InputError(f"{columns.n_events} events need as many weights, got an array of shape {factors.shape}")
        if not np.isfinite(factors).all():
            raise InputError(
                "a weight of one of the events is NaN or infinite: so would be the sum; remove such events"
            )
        total = SumAccumulator(activation(self.network.output), self.network.n_weights)
        step = self._block_events(uncertain=True)
        for start in range(0, columns.n_events, step):
            stop = min(start + step, columns.n_events)
            x = columns.block(start, stop)
            if not np.isfinite(x).all():
                raise InputError(
                    "a variable of one of the events is NaN or infinite: so would be the sum; remove such events"
                )
            passed = self.propagate(x, None if extra is None else extra.block(start, stop))
            sensitivities = output_sensitivities(self.network, passed)
            total.add(passed.neuron_inputs[-1][0], sensitivities, factors[start:stop])
        return total.finished(self.inverse_hessians[0])

    def propagate(self, events: Float32Array, spectators: Float32Array | None = None) -> Propagation:
        """Transform the events ``(n_events, n_variables)`` and run them through the network."""
        return propagate(self.network, self.transformations.forward(events, spectators))

    def responses(self, passed: Propagation) -> NDArray[Any]:
        """Return the responses of events that went through the network, in the form :meth:`predict` has."""
        return self._meaning.responses(passed.values[-1])

    def standard_deviations(self, passed: Propagation, output: int = 0) -> FloatArray:
        """Return σ of an output neuron's input for events that went through the network."""
        if output >= len(self.inverse_hessians):
            raise ErrorsNotAvailableError(self._no_errors("the weight file has no inverse Hessian for this output"))
        return bayes.standard_deviations(
            output_sensitivities(self.network, passed, output), self.inverse_hessians[output]
        )

    def response_errors(self, passed: Propagation) -> tuple[FloatArray, FloatArray]:
        """Return lower and upper error of the first output neuron, as TMVA's Reader defines them."""
        h = passed.neuron_inputs[-1][0]
        if self.is_compiled(h.size, errors=True) and len(self.inverse_hessians) == self.network.n_outputs:
            inputs = np.ascontiguousarray(passed.values[0].T, dtype=np.float32)
            found = responses.with_errors(self.network, inputs, Steps.none(), self._factors)
            bayes.roots_of_variances(found.variance[:, 0])  # tells of negative ones
            return found.lower[:, 0].copy(), found.upper[:, 0].copy()
        return bayes.error_bars(h, self.standard_deviations(passed), activation(self.network.output))

    @cached_property
    def response_pdfs(self) -> tuple[pdf.PDF, pdf.PDF] | None:
        """Return the PDFs of the response for signal and background, or None (option CreateMVAPdfs)."""
        return response_pdfs_of(self.file)

    def _spectator_columns(self, events: Any, spectators: Any, n_events: int) -> Columns | None:
        if not self.transformations.needs_spectators:
            return None
        columns = self._spectators_among(events) if spectators is None else self._as_spectators(spectators)
        if columns.n_events != n_events:
            raise InputError(f"{n_events} events, but {columns.n_events} rows of spectators")
        return columns

    def _spectators_among(self, events: Any) -> Columns:
        # a matrix holds the variables, also if there are as many spectators
        problem = "the events are an array of the variables"
        if has_names(events):
            try:
                return self._as_spectators(events)
            except InputError as error:
                problem = str(error)
        names = ", ".join(record.expression for record in self.spectators)
        raise InputError(
            f"the transformations of {self.name} use the spectators ({names}), but {problem}: give them with "
            "spectators=, an array with one column each or a dict"
        )

    def _as_spectators(self, given: Any) -> Columns:
        return Columns(given, self.spectators, "spectators")

    # -- blocks of events, by numpy or by compiled code

    @property
    def _meaning(self) -> Meaning:
        return Meaning(self.analysis_type, self.network, self.transformations)

    def is_compiled(self, n_events: int, *, errors: bool = False) -> bool:
        """Tell whether :meth:`predict` uses compiled code for so many events.

        The attribute ``compiled`` decides if it is True or False, otherwise the size of the job.

        >>> import pytmva_bnn as TMVA
        >>> model = TMVA.load("xml_fixtures/cases/fakerate_bnn/weights.xml", compiled=False)
        >>> model.is_compiled(10_000_000)
        False
        """
        n_weights = self.network.n_weights
        return fast.pays(n_events * n_weights * (n_weights / 5.0 if errors else 1.0), self.compiled)

    @property
    def _steps(self) -> Steps | None:
        """Return the transformations as compiled code wants them, None if it does not know them."""
        if self._known_steps is None or self._known_steps[0] is not self.transformations:
            self._known_steps = (self.transformations, steps_of(self.transformations))
        return self._known_steps[1]

    @property
    def _factors(self) -> Factors:
        """Return the inverse Hessians as compiled code wants them; made at first use, which takes some time."""
        if self._known_factors is None or self._known_factors[0] is not self.inverse_hessians:
            self._known_factors = (self.inverse_hessians, Factors.of(self.inverse_hessians))
        return self._known_factors[1]

    def _block(self, x: Float32Array, spectators: Float32Array | None, uncertain: bool) -> EventBlock:
        passed = self.propagate(x, spectators)
        h = passed.neuron_inputs[-1]
        if not uncertain:
            return EventBlock(passed.values[-1], h)
        return EventBlock(
            passed.values[-1], h, np.stack([self.standard_deviations(passed, output) for output in range(len(h))])
        )

    def _compiled_block(
        self,
        x: Float32Array,
        spectators: Float32Array | None,
        uncertain: bool,
        variances: bool,
        memory: Memory | None,
    ) -> EventBlock:
        steps = self._steps
        # such steps and neurons keep a NaN of the input visible
        nan_is_told = steps is not None and min(self.network.layer_sizes) > 0
        if steps is None:
            x, steps = self.transformations.forward(x, spectators), Steps.none()
        if not uncertain:
            outputs = responses.outputs(self.network, x, steps, None if memory is None else memory.value).T
            return EventBlock(outputs, outputs, nan_is_told=nan_is_told)
        factors = self._factors
        variances = variances or not factors.are_positive  # a negative one is to be told
        found = responses.with_errors(self.network, x, steps, factors, memory, variances=variances)
        return EventBlock(
            found.value.T,
            found.h.T,
            bayes.roots_of_variances(found.variance.T) if variances else None,
            (found.lower[:, 0], found.upper[:, 0]),
            nan_is_told,
        )

    def _block_events(self, uncertain: bool) -> int:
        per_event = self.network.n_weights if uncertain else max(self.network.layer_sizes)
        return int(np.clip(_BLOCK_NUMBERS // max(per_event, 1) // 16 * 16, *_BLOCK_EVENTS))

    def _check_errors_available(self) -> None:
        if self.has_errors:
            return
        if self.analysis_type == AnalysisType.MULTICLASS:
            why = "the probabilities of several classes have none"
        elif self.inverse_hessian is None:
            why = "the weight file has no inverse Hessian; train with CalculateErrors=True"
        else:
            why = (
                f"the network has {self.network.n_outputs} outputs, and TMVA's inverse Hessian is that of the first "
                "only; train with HessianPerOutput"
            )
        raise ErrorsNotAvailableError(self._no_errors(why))

    def _no_errors(self, why: str) -> str:
        return f"no error bars for {self.name}: {why}"


def load(path: str | Path, *, tanh: Tanh = "exact", strict: bool = False, compiled: bool | None = None) -> Model:
    """Read a weight file of TMVA (XML or old text, plain or gzip-compressed) and return its :class:`Model`.

    ``tanh="fast"`` uses the approximate tanh of ROOT 6.04 to 6.14; ``strict=True`` reproduces what current ROOT does
    with old files even where that is not what they were trained for.

    ``compiled=True`` uses compiled code for every call, also for small ones, which pays if there will be thousands of
    them; ``False`` never does.  By default the size of a call decides.

    >>> import pytmva_bnn as TMVA
    >>> TMVA.load("xml_fixtures/cases/bfgs_n/weights.xml")
    <Model 'MLP': Classification, 4-9-1, without error bars>
    """
    return Model(read(path), tanh=_checked(tanh), strict=strict, name=str(path), compiled=compiled)


def load_string(
    text: str | bytes, *, tanh: Tanh = "exact", strict: bool = False, compiled: bool | None = None
) -> Model:
    """Return the :class:`Model` of a weight file given as text; the rest is as for :func:`load`."""
    return Model(read_string(text), tanh=_checked(tanh), strict=strict, name="XML string", compiled=compiled)


def _checked(tanh: Tanh) -> Tanh:
    if tanh not in ("exact", "fast"):
        raise InputError(f"tanh={tanh!r} is neither 'exact' nor 'fast'")
    return tanh
