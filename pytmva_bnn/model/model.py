"""The class of a trained method on arrays."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pytmva_bnn import histograms as pdf
from pytmva_bnn._typing import Float32Array
from pytmva_bnn.displays import Displayed
from pytmva_bnn.errors import ErrorsNotAvailableError, InputError
from pytmva_bnn.events.columns import Columns, has_names
from pytmva_bnn.events.sources import EventSource, open_events
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.methods import Fitted, Method, method_of
from pytmva_bnn.methods.answers import Wanted
from pytmva_bnn.methods.output_scale import OutputScale
from pytmva_bnn.prediction import Accumulator, Prediction
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.transform import TransformationChain
from pytmva_bnn.weights import (
    WeightFile,
    response_pdfs_of,
    to_xml,
    write_xml,
)
from pytmva_bnn.yields import Groups, PredictedSums, grouping_values, predicted_sums

log = logging.getLogger("pytmva_bnn.Model")
Precision = Literal["float64", "float32"]
_SINGLE = np.dtype(np.float32)
_OTHER_FORMATS = {".onnx": "to_onnx", ".json": "to_json", ".npz": "to_npz"}
_RESPONSES = {(c, s): Wanted(compiled=c, single=s) for c in (False, True) for s in (False, True)}
"""What small calls want of a method, by whether the code is compiled and the precision single."""


class Model(Displayed):
    """A trained method with all that its weight file tells: envelope, transformations and the fitted method.

    What the method has of its own can be asked of the model as of ``fitted``, such as the ``network`` of an MLP.

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
        fitted: Fitted,
        *,
        transformations: TransformationChain | None = None,
        response_pdfs: tuple[pdf.PDF, pdf.PDF] | None = None,
        strict: bool = False,
        name: str = "",
        compiled: bool | None = None,
        precision: Precision = "float64",
    ) -> None:
        self.file = file
        self.fitted = fitted
        self.compiled = compiled
        self.precision = precision
        self.name = name or file.title
        self._check_precision()
        self.options = self.method.option_set(file, strict=strict)
        if transformations is None:
            transformations = self.method.chain(file, strict=strict)
        self.transformations = transformations
        if response_pdfs is not None:
            self.response_pdfs = response_pdfs

    def __getattr__(self, name: str) -> Any:
        fitted = self.__dict__.get("fitted")
        if fitted is None or name.startswith("_"):
            raise AttributeError(name)
        try:
            found = getattr(fitted, name)
            return partial(found, self.file) if name in self.method.calls else found
        except AttributeError:
            raise AttributeError(f"{self!r} has no {name!r}") from None

    def __repr__(self) -> str:
        errors = "with" if self.has_errors else "without"
        return f"<Model {self.title!r}: {self.analysis_type}, {self.fitted.summary}, {errors} error bars>"

    # -- what the file tells

    @property
    def method(self) -> Method:
        """Return the kind of method, with its options."""
        return self.fitted.method(method_of(self.file.kind))

    @property
    def kind(self) -> str:
        """Return the name of the kind of method, e.g. MLP."""
        return self.file.kind

    @property
    def title(self) -> str:
        """Return the title given at booking."""
        return self.file.title

    @property
    def analysis_type(self) -> AnalysisType:
        """Return what the method was trained for."""
        return self.file.analysis_type

    @property
    def variables(self) -> tuple[VariableRecord, ...]:
        """Return the input variables."""
        return self.file.variables

    @property
    def spectators(self) -> tuple[VariableRecord, ...]:
        """Return the spectators."""
        return self.file.spectators

    @property
    def classes(self) -> tuple[str, ...]:
        """Return the names of the classes."""
        return self.file.classes

    @property
    def targets(self) -> tuple[VariableRecord, ...]:
        """Return the regression targets."""
        return self.file.targets

    @property
    def info(self) -> Mapping[str, str]:
        """Return the general information at the head of the file."""
        return self.file.general_info

    @property
    def has_errors(self) -> bool:
        """Tell whether error bars can be computed for every output."""
        return self.fitted.has_errors

    def to_xml(self) -> str:
        """Return the text of the weight file that :meth:`save` writes."""
        model = self._in_xml()
        return to_xml(model.file, model.fitted.write(model.file.dialect))

    def save(self, path: str | Path) -> None:
        """Write the weight file, readable by TMVA and by :func:`load`; ``.gz`` at the end compresses it.

        What the method keeps in files of its own is written beside it.  XML files are written in the dialect they had;
        text files of TMVA 3.9 become XML (see :meth:`modernised`).
        """
        other = _OTHER_FORMATS.get(Path(path).suffix)
        if other is not None:
            raise InputError(f"{path}: save writes XML; call pytmva_bnn.convert.{other}(model, path) for this format")
        model = self._in_xml()
        write_xml(model.file, model.fitted.write(model.file.dialect), path, model.fitted.companions())

    def modernised(self) -> Model:
        """Return the model with a weight file in the form that current TMVA reads and applies.

        Text files of TMVA 3.9 become XML.  Their weights are float64, which TMVA rounds to float32 when it reads XML:
        responses change by about 1e-7.
        """
        file = self.method.modern_file(self.file)
        return Model(file, self.fitted.modernised(), name=self.name, compiled=self.compiled, precision=self.precision)

    def _in_xml(self) -> Model:
        return self.modernised() if self.file.source == "text" else self

    def at_efficiency(self, signal_efficiency: float) -> Model:
        """Return the model with responses at a wanted signal efficiency, for methods that need one: cuts.

        That is the number which ``EvaluateMVA(tag, signal_efficiency)`` has.  Other methods do not look at it.
        """
        fitted = self.fitted.at_efficiency(signal_efficiency)
        return self if fitted is self.fitted else self._with(fitted)

    def corrected(self) -> Model:
        """Return the model without the defects of TMVA that the warnings at its reading name.

        Weight files do not keep this: what is saved and read again gives TMVA's responses.
        """
        return self._with(self.fitted.corrected())

    def _with(self, fitted: Fitted) -> Model:
        return Model(
            self.file,
            fitted,
            transformations=self.transformations,
            name=self.name,
            compiled=self.compiled,
            precision=self.precision,
        )

    # -- predictions

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

        Parameters
        ----------
        events
            an array ``(n_events, n_variables)``, or named columns: a dict of arrays, a structured array, a pandas or
            polars data frame, a pyarrow table, an awkward record array, an uproot tree, ``"file.root:tree"``, or the
            name of a Parquet, Feather, npz or CSV file (files are read in blocks)
        errors
            also return the error bars
        quantiles
            levels between 0 and 1: return quantiles of the response, along a last axis
        moderated
            return the probability averaged over the uncertain weights
        spectators
            in the same forms as ``events``, which may also include them; needed only by a Category, and by the rare
            file whose transformations use them

        Returns
        -------
        NDArray or Prediction
            responses of shape ``(n_events,)`` in classification, ``(n_events, n_targets)`` or ``(n_events, n_classes)``
            otherwise (float32 as in TMVA), quantiles or moderated probabilities; with ``errors`` a
            :class:`Prediction` of all that was requested.  An event with a NaN or an infinity gives NaN.

        Raises
        ------
        InputError
            if the events do not have the variables of the method
        ErrorsNotAvailableError
            if the method has no error bars, or no distribution of the response
        """
        uncertain = errors or moderated or quantiles is not None
        if not uncertain and spectators is None and type(events) is np.ndarray:
            values = self._of_matrix(events)
            if values is not None:
                return values
        if self.fitted.response_note:
            log.warning("%s: %s", self.name, self.fitted.response_note)
        columns, extra = self.columns(events, spectators)
        if uncertain:
            self._check_errors_available(only_bars=quantiles is None and not moderated)
        levels = None if quantiles is None else np.atleast_1d(np.asarray(quantiles, dtype=np.float64))
        scale = OutputScale(self.analysis_type, self.fitted, self.transformations)
        number = "float64" if uncertain else self.precision
        result = Accumulator(scale, columns.n_events, errors=errors, levels=levels, moderated=moderated, number=number)
        compiled = self.is_compiled(columns.n_events, errors=uncertain)
        step = self.fitted.block_events(errors=uncertain, compiled=compiled)
        for start in range(0, columns.n_events, step):
            stop = min(start + step, columns.n_events)
            x = columns.block(start, stop)
            more = None if extra is None else extra.block(start, stop)
            memory = result.memory(start, stop) if compiled else None
            wanted = Wanted(uncertain, uncertain and result.needs_variances, memory, compiled, number == "float32")
            result.add(start, stop, x, self.fitted.block(x, self.transformations, more, wanted))
        return result.finished()

    def _of_matrix(self, events: NDArray[Any]) -> NDArray[Any] | None:
        """Return the responses of a classification to one block of events, None if :meth:`predict` has more to do.

        Small calls spend their time on the way to the method: this is the short one.  It keeps nothing between calls,
        so that whatever has changed in the model counts.
        """
        file, fitted, chain = self.file, self.fitted, self.transformations
        is_ready = events.dtype is _SINGLE and events.flags.c_contiguous
        if (
            not (is_ready or events.dtype.char in "fd")
            or events.shape[1:] != (len(file.variables),)
            or file.analysis_type is not AnalysisType.CLASSIFICATION
            or chain.needs_spectators
            or fitted.response_note
        ):
            return None
        n, single = len(events), self.precision == "float32"
        compiled = fitted.is_compiled(n, errors=False, compiled=single or self.compiled)
        if n > fitted.block_events(errors=False, compiled=compiled):
            return None
        x = events if is_ready else Columns(events, file.variables).block(0, n)
        block = fitted.block(x, chain, None, _RESPONSES[compiled, single])
        values: NDArray[Any] = block.outputs[0]
        if not block.is_checked:
            values = np.array(values, dtype=self.precision)
            finite = np.isfinite(x)
            if not finite.all():
                values[~finite.all(axis=1)] = np.nan
        return values

    @overload
    def predict_sum(
        self,
        events: Any,
        weights: ArrayLike | None = None,
        *,
        by: None = None,
        bins: None = None,
        spectators: Any = None,
    ) -> Any: ...
    @overload
    def predict_sum(
        self,
        events: Any,
        weights: ArrayLike | None = None,
        *,
        by: ArrayLike,
        bins: ArrayLike | None = None,
        spectators: Any = None,
    ) -> PredictedSums: ...
    def predict_sum(
        self,
        events: Any,
        weights: ArrayLike | None = None,
        *,
        by: ArrayLike | None = None,
        bins: ArrayLike | None = None,
        spectators: Any = None,
    ) -> Any:
        """Return the sum of the (weighted) responses of many events, with its error.

        For a probability this is the number of events expected to pass.  The error comes from the network's parameters
        and includes the correlations between events, but not the counting error of an observed number.

        Parameters
        ----------
        events, spectators
            as for :meth:`predict`
        weights
            the weight of each event, 1 by default
        by
            what groups the events, each group having its own sum: an array with a value for each event, or the name of
            a variable or column, or an expression of columns
        bins
            group by bins of ``by``: their edges or their number; otherwise events of equal values form a group

        Returns
        -------
        PredictedSum or PredictedSums
            ``value, error`` in classification and with one target; with several classes or targets, or with ``by``,
            ``values, errors`` and their covariance

        >>> import pytmva_bnn as TMVA
        >>> model = TMVA.load("xml_fixtures/cases/fakerate_bnn/weights.xml")
        >>> events = {"pt": [15.0, 20.0, 24.0], "ht": [80.0, 90.0, 85.0]}
        >>> passing, error = model.predict_sum(events)
        >>> print(f"{passing:.3f} ± {error:.3f}")
        1.651 ± 0.091
        >>> print(model.predict_sum(events, by="pt", bins=[10, 18, 30]))
        pt                 sum       error    events
        [10, 18)      0.594121     0.03133         1
        [18, 30]       1.05709     0.06942         2
        all: 1.65121 ± 0.09087 with the correlations between them
        """
        if bins is not None and by is None:
            raise InputError("bins= needs by=, the quantity that is binned")
        self._check_errors_available()
        columns, extra = self.columns(events, spectators)
        n = columns.n_events
        factors = np.ones(n) if weights is None else np.asarray(weights, dtype=np.float64)
        if factors.shape != (n,):
            raise InputError(f"{n} events need as many weights, got an array of shape {factors.shape}")
        if not np.isfinite(factors).all():
            raise InputError("the weight of an event is NaN or infinite, and so would be the sum; remove such events")
        groups = Groups(np.zeros(n, dtype=np.int64), ("all",))
        if by is not None:
            values, name = grouping_values(by, events, self.variables, n)
            groups = Groups.of(values, bins, name)
        scale = OutputScale(self.analysis_type, self.fitted, self.transformations)
        total = self.fitted.response_sum(scale, len(groups.labels))
        step = self.fitted.block_events(errors=True, compiled=False)
        for start in range(0, n, step):
            stop = min(start + step, n)
            x = columns.block(start, stop)
            if not np.isfinite(x).all():
                raise InputError(
                    "a variable of an event is NaN or infinite, and so would be the sum; remove such events"
                )
            more = None if extra is None else extra.block(start, stop)
            total.add(self.transformations.forward(x, more), factors[start:stop], groups.number[start:stop])
        names = self.classes if scale.analysis_type == AnalysisType.MULTICLASS else [one.label for one in self.targets]
        return predicted_sums(*total.finished(), groups, names, grouped=by is not None)

    def is_compiled(self, n_events: int, *, errors: bool = False) -> bool:
        """Return whether :meth:`predict` uses compiled code for this number of events.

        The attribute ``compiled`` decides if it is True or False, otherwise the size of the job.  With
        ``precision="float32"`` it does, unless ``PYTMVA_BNN_FAST=0`` forbids it.

        >>> import pytmva_bnn as TMVA
        >>> model = TMVA.load("xml_fixtures/cases/fakerate_bnn/weights.xml", compiled=False)
        >>> model.is_compiled(10_000_000)
        False
        """
        wanted = self.precision == "float32" or self.compiled
        return self.fitted.is_compiled(n_events, errors=errors, compiled=wanted)

    def propagate(self, events: Float32Array, spectators: Float32Array | None = None) -> Any:
        """Transform the events ``(n_events, n_variables)`` and run them through the network; for an MLP only."""
        if not hasattr(self.fitted, "propagate"):
            raise AttributeError(f"{self!r} is not a network, so it has no propagate")
        return self.fitted.propagate(self.transformations.forward(events, spectators))

    def responses(self, outputs: NDArray[Any]) -> NDArray[Any]:
        """Return the responses for outputs ``(n_events, n_outputs)`` of the method, in the form of :meth:`predict`."""
        return OutputScale(self.analysis_type, self.fitted, self.transformations).responses(outputs.T)

    @cached_property
    def response_pdfs(self) -> tuple[pdf.PDF, pdf.PDF] | None:
        """Return the PDFs of the response for signal and background, or None (option CreateMVAPdfs)."""
        return response_pdfs_of(self.file)

    def columns(self, events: Any, spectators: Any = None) -> tuple[Columns, Columns | None]:
        """Return the variables, and the spectators if they matter."""
        if not self.transformations.needs_spectators:
            return Columns(events, self.variables), None
        n = len(self.variables)
        if spectators is None:
            opened = open_events(events)
            if not isinstance(opened, EventSource) and opened.shape[1:] == (n + len(self.spectators),):
                events, spectators = opened[:, :n], opened[:, n:]
        columns = Columns(events, self.variables)
        extra = self._spectators_among(events) if spectators is None else self._as_spectators(spectators)
        if extra.n_events != columns.n_events:
            raise InputError(f"{columns.n_events} events, but {extra.n_events} rows of spectators")
        return columns, extra

    def _spectators_among(self, events: Any) -> Columns:
        # a matrix holds the variables, also if there are as many spectators
        problem = "the events are an array of the variables"
        if has_names(events):
            try:
                return self._as_spectators(events)
            except InputError as error:
                problem = str(error)
        names = ", ".join(record.expression for record in self.spectators)
        who = f"{self.name} uses" if self.method.takes_spectators else f"the transformations of {self.name} use"
        raise InputError(
            f"{who} the spectators ({names}), but {problem}: give them with spectators=, an array with one column each "
            "or a dict, or as further columns of the array"
        )

    def _as_spectators(self, given: Any) -> Columns:
        return Columns(given, self.spectators, "spectators")

    def _check_precision(self) -> None:
        if self.precision not in ("float64", "float32"):
            raise InputError(f"precision={self.precision!r} is neither 'float64' nor 'float32'")
        if self.precision == "float32" and not self.fitted.has_single:
            raise InputError(f"{self.name}: a {self.kind} computes in float64 only; precision='float32' is for an MLP")
        if self.precision == "float32" and self.compiled is False:
            raise InputError("precision='float32' needs compiled code: leave out compiled=False")

    def _check_errors_available(self, *, only_bars: bool = True) -> None:
        if not self.has_errors:
            raise ErrorsNotAvailableError(f"no error bars for {self.name}: {self.fitted.why_no_errors()}")
        if not only_bars and not self.fitted.has_latent:
            raise ErrorsNotAvailableError(
                f"no quantiles for {self.name}: it has error bars but no distribution of the response"
            )
