"""The class Reader, with TMVA's names and TMVA's meaning of each call."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import Float32Array
from pytmva_bnn.displays import Displayed
from pytmva_bnn.errors import InputError, OptionError, UnknownMethodError, suggestion
from pytmva_bnn.events.sources import EventSource, open_events
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.methods import method_of
from pytmva_bnn.methods.answers import LinkedEvent
from pytmva_bnn.methods.protocol import Tanh
from pytmva_bnn.model import Model, load, load_string
from pytmva_bnn.options import OptionSet, reader_options
from pytmva_bnn.reader.arguments import as_vector, check_efficiency, constructor_arguments, event_from
from pytmva_bnn.reader.arrays import mva_values, response_errors, target_errors
from pytmva_bnn.reader.buffers import bind
from pytmva_bnn.reader.declared import DeclaredVariables
from pytmva_bnn.reader.method import BookedMethod
from pytmva_bnn.tmva_types import EMVA, AnalysisType

log = logging.getLogger("pytmva_bnn.Reader")

NAN_RESPONSE = -999.0
EVALUATE_NOW = -9999999.0
MOST_LINKED = 1000
"""Calls for which the short way is kept ready."""

Call: TypeAlias = str | BookedMethod | tuple[Any, ...]
"""How EvaluateMVA was called for linked memory: by tag or method, and perhaps with an efficiency."""


class Reader(Displayed):
    """Evaluate weight files as TMVA's Reader does.

    ==============================================  =============================================================
    constructor                                     declares
    ==============================================  =============================================================
    ``Reader(options="", verbose=False)``           nothing: use AddVariable
    ``Reader(["x", "y"], options="", …)``           variables by name, for events given as vectors or arrays
    ``Reader("x:y", options, …)``                   the same
    ==============================================  =============================================================

    Options: ``V``, ``Color``, ``Silent``, ``Error``.  Where TMVA delivers stale or no errors although the inverse
    Hessian is there (events given as vectors, files without CalculateErrors, no option ``Error``, EvaluateRegression),
    this Reader computes them; ``compat="strict"`` gives TMVA's behaviour to the letter.  ``tanh="fast"`` uses the
    approximation of ROOT 6.04 to 6.14.

    >>> import array
    >>> import pytmva_bnn as TMVA
    >>> reader = TMVA.Reader("!Color:!Silent:Error=True")
    >>> pt, ht = array.array("f", [15.0]), array.array("f", [80.0])
    >>> reader.AddVariable("pt", pt)
    >>> reader.AddVariable("ht", ht)
    >>> method = reader.BookMVA("fake rate", "xml_fixtures/cases/fakerate_bnn/weights.xml")
    >>> round(reader.EvaluateMVA("fake rate"), 4), round(reader.GetMVAErrorUpper(), 4)
    (0.5941, 0.0309)
    """

    def __init__(
        self,
        *args: Any,
        verbose: bool = False,
        compat: Literal["extended", "strict"] = "extended",
        tanh: Tanh = "exact",
    ) -> None:
        if compat not in ("extended", "strict"):
            raise InputError(f"compat={compat!r} is neither 'extended' nor 'strict'")
        names, options, verbose = constructor_arguments(args, verbose)
        self._strict = compat == "strict"
        self._tanh: Tanh = tanh
        self._options = OptionSet(reader_options(verbose), owner="Reader")
        self._options.parse(options)
        if self._options.unused() and not self._strict:
            # TMVA: unknown options of the Reader are ignored without a word
            try:
                self._options.check_unused()
            except OptionError as error:
                log.warning("%s (ignored)", error)
        self._variables = DeclaredVariables("variable")
        self._spectators = DeclaredVariables("spectator")
        self._methods: dict[str, BookedMethod] = {}
        self._errors: Callable[[], tuple[Any, Any]] | tuple[Any, Any] = (0.0, 0.0)
        # by tag or method, as EvaluateMVA was called
        self._linked: dict[Call, LinkedEvent | None] = {}
        self._errors_of_linked: dict[Call, Callable[[], tuple[Any, Any]]] = {}
        # for events given as vectors: memory of the Reader's own, seen in the same way
        self._given: dict[BookedMethod, tuple[Float32Array, LinkedEvent | None]] = {}
        for name in names:
            self._variables.add(VariableRecord.define(name), None)

    def __repr__(self) -> str:
        names = ", ".join(record.label for record in self._variables._records)
        return f"<Reader of {names or 'no variables'}: {', '.join(self._methods) or 'no methods'}>"

    def AddVariable(self, expression: str, buffer: Any = None) -> NDArray[np.float32] | None:
        """Declare the next variable, in the order of the weight file.

        ``buffer`` is memory of one float that you fill per event.  Without it the Reader makes one and returns it.
        """
        return self._declare(self._variables, expression, buffer, integers_allowed=False)

    def AddSpectator(self, expression: str, buffer: Any = None) -> NDArray[np.float32] | None:
        """Declare the next spectator; see :meth:`AddVariable`, integers are allowed too."""
        return self._declare(self._spectators, expression, buffer, integers_allowed=True)

    def BookMVA(self, tag: str | EMVA, weights: str | Path) -> BookedMethod:
        """Read a weight file: ``BookMVA(tag, file)``, or ``BookMVA(Types.kMLP, xml_text)`` without a tag."""
        if isinstance(tag, EMVA):
            method_of(tag.method_name)  # raises if there is none
            return self._book(load_string(str(weights), tanh=self._tanh, strict=self._strict))
        if tag in self._methods:
            raise InputError(f'<BookMVA> method tag "{tag}" already exists! Booked: {", ".join(self._methods)}')
        model = load(weights, tanh=self._tanh, strict=self._strict)
        self._say('Booking "%s" of type "%s" from %s.', tag, model.kind, weights)
        method = self._book(model)
        self._say('Booked classifier "%s" of type: "%s"', method.GetMethodName(), model.kind)
        self._methods[tag] = method
        return method

    def FindMVA(self, tag: str) -> BookedMethod | None:
        """Return the method booked under ``tag``, or None."""
        method = self._methods.get(tag)
        if method is None:
            log.error("Method %s not found!", tag)
        return method

    def FindCutsMVA(self, tag: str) -> BookedMethod | None:
        """Return the method booked under ``tag`` if it can be asked for its cuts, or None."""
        method = self.FindMVA(tag)
        return method if method is not None and "GetCuts" in method.calls else None

    def EvaluateMVA(self, *args: Any, aux: float | None = None) -> Any:
        """Return the response.

        ``EvaluateMVA(tag)`` and ``EvaluateMVA(method)`` take the event from the linked memory;
        ``EvaluateMVA(vector, tag)`` takes it from a list of numbers.  In place of the vector an array
        ``(n_events, n_variables)`` or named columns, as :meth:`Model.predict` takes them, give an array of responses.
        An event with a NaN or an infinity gives -999.  Of regression the response is the network's first output, not
        transformed back.

        One number more, or ``aux``, is the wanted signal efficiency, which only cuts look at: ``EvaluateMVA(tag, 0.7)``
        is 1 for events that pass the cuts with this efficiency.
        """
        if aux is not None:
            args = (*args, aux)
        call: Any = args[0] if len(args) == 1 else args
        if len(args) == 1 or (len(args) == 2 and type(args[1]) is float and isinstance(args[0], str | BookedMethod)):
            linked = self._linked.get(call)
            if linked is not None:
                response = linked.evaluate()
                if response == response:  # not NaN
                    if self._strict:
                        self._set_strict_errors(call)
                    else:
                        self._errors = self._errors_of_linked[call]
                    return response
            return self._evaluate_linked(call, *args)
        if len(args) > 1 and (not isinstance(args[0], str | BookedMethod) or self._is_file(*args[:2])):
            check_efficiency(args[2:])
            return self._evaluate_given(*args)
        # an event given in place of the efficiency must not be overlooked
        check_efficiency(args[1:] or (None,))
        return self.EvaluateMVA(args[0], float(args[1]))

    GetMvaValue = EvaluateMVA

    def EvaluateRegression(self, *args: Any) -> Any:
        """Return the regression targets: ``(tag)`` or ``(method)`` → list, ``(number, tag)`` → one value.

        ``(events, tag)`` with an array, dict, data frame or awkward array gives an array.  The errors are then those of
        the target that was named, otherwise of the first, in its units, and NaN if the weight file has none.
        """
        return self._evaluate_several(args, AnalysisType.REGRESSION, "target")

    def EvaluateMulticlass(self, *args: Any) -> Any:
        """Return the probabilities of the classes, which have no errors; forms as of :meth:`EvaluateRegression`."""
        return self._evaluate_several(args, AnalysisType.MULTICLASS, "class")

    def GetMVAError(self) -> Any:
        """Return the lower error of the last response (TMVA: the same as GetMVAErrorLower)."""
        return self._last_errors()[0]

    def GetMVAErrorLower(self) -> Any:
        """Return the lower error of the last response."""
        return self._last_errors()[0]

    def GetMVAErrorUpper(self) -> Any:
        """Return the upper error of the last response."""
        return self._last_errors()[1]

    def GetProba(self, tag: str, ap_sig: float = 0.5, mvaVal: float = EVALUATE_NOW) -> float:
        """Return the probability to be signal, given the signal fraction ``ap_sig``, from the MVA PDFs."""
        response = self._response_for_pdf(tag, mvaVal)
        return response if response == NAN_RESPONSE else float(self._method(tag).proba(response, ap_sig))

    def GetRarity(self, tag: str, mvaVal: float = EVALUATE_NOW) -> float:
        """Return the fraction of background with a lower response, from the MVA PDFs."""
        response = self._response_for_pdf(tag, mvaVal)
        return response if response == NAN_RESPONSE else float(self._method(tag).rarity(response))

    # -- declarations and booking

    def _declare(
        self, declared: DeclaredVariables, expression: str, buffer: Any, *, integers_allowed: bool
    ) -> NDArray[np.float32] | None:
        if self._methods:
            raise InputError(f"{expression}: declare all variables and spectators before BookMVA")
        record = VariableRecord.define(str(expression))
        if buffer is not None:
            declared.add(record, bind(buffer, record.expression, integers_allowed=integers_allowed))
            return None
        own = np.zeros(1, dtype=np.float32)
        declared.add(record, own)
        return own

    def _book(self, model: Model) -> BookedMethod:
        if not self._strict and not self._variables and not self._spectators:
            # nothing declared: the file tells; only events given as vectors or arrays can be evaluated then
            for declared, records in (
                (self._variables, model.variables),
                (self._spectators, model.spectators),
            ):
                for record in records:
                    declared.add(record, None)
        self._variables.check_against(model.variables, model.name)
        # TMVA: spectators of type C (category cuts) are not counted
        self._spectators.check_against(model.spectators, model.name)
        return BookedMethod(model)

    def _method(self, tag: str | BookedMethod) -> BookedMethod:
        if isinstance(tag, BookedMethod):
            return tag
        if tag not in self._methods:
            hint = suggestion(str(tag), self._methods)
            booked = ", ".join(f'"{name}"' for name in self._methods) or "none"
            raise UnknownMethodError(
                f'no method is booked under "{tag}"{": " + hint if hint else ""} (booked: {booked})'
            )
        return self._methods[tag]

    def _say(self, text: str, *args: object) -> None:
        if not self._options.flag("Silent"):
            log.info(text, *args)

    # -- evaluation

    def _is_file(self, events: Any, tag: Any) -> bool:
        """Tell whether a text in front of the tag names a file of events, and is not a tag itself."""
        is_tag = isinstance(tag, BookedMethod) or (isinstance(tag, str) and tag in self._methods)
        return is_tag and isinstance(events, str) and events not in self._methods

    def _prepare_linked(self, call: Call, method: BookedMethod) -> None:
        """Let the next events of this method take the short way, if there is one for it."""
        model = method.model
        if model.fitted.response_note:
            log.warning("%s: %s", model.name, model.fitted.response_note)
        spectators = self._spectators.memory if model.transformations.needs_spectators else ()
        linked = model.fitted.linked_event(model.transformations, (*self._variables.memory, *spectators))
        self._linked[call] = linked
        if linked is not None:
            self._errors_of_linked[call] = lambda: linked.error_bars(model.name)

    def _set_strict_errors(self, call: Call) -> None:
        if self._computes_errors(self._method(call[0] if isinstance(call, tuple) else call)):
            self._errors = self._errors_of_linked[call]()

    def _evaluate_linked(self, call: Call, tag: str | BookedMethod, efficiency: float | None = None) -> float:
        method = self._method_at(tag, efficiency)
        if call not in self._linked:
            if len(self._linked) > MOST_LINKED:  # each event has another efficiency
                self._linked.clear()
            self._prepare_linked(call, method)
            return float(self.EvaluateMVA(*(call if isinstance(call, tuple) else (call,))))
        raw, spectators = self._linked_event(method.model)
        x = method.model.transformations.forward(raw, spectators)
        # TMVA: the transformed variables are tested, and only if the method is given by its tag
        if isinstance(tag, BookedMethod):
            if not self._strict and np.isinf(raw).any():
                self._nan_response()
                return float("nan")
        elif self._has_nan(_checked_inputs(method.model, x, raw), raw[0]):
            return self._nan_response()
        if not self._strict:
            self._errors = lambda: _scalars(method.errors(x))
        elif self._computes_errors(method):
            self._errors = _scalars(method.errors(x))
        return method.response(x)

    def _computes_errors(self, method: BookedMethod) -> bool:
        """Tell whether TMVA computes errors: with the option Error, and CalculateErrors where the method has that."""
        options = method.model.options
        return self._options.flag("Error") and ("CalculateErrors" not in options or options.flag("CalculateErrors"))

    def _linked_event(self, model: Model) -> tuple[Float32Array, Float32Array | None]:
        """Return variables and spectators, the latter if they matter, as they are in the linked memory now."""
        return self._variables.event(), self._spectators.event() if model.transformations.needs_spectators else None

    def _method_at(self, tag: str | BookedMethod, efficiency: float | None) -> BookedMethod:
        method = self._method(tag)
        return method if efficiency is None else method.at_efficiency(float(efficiency))

    def _evaluate_given(self, events: Any, tag: str | BookedMethod, efficiency: float | None = None) -> Any:
        if self._strict and isinstance(tag, str) and tag not in self._methods:
            self.FindMVA(tag)
            return 0.0  # TMVA: an error message, and 0
        method = self._method_at(tag, efficiency)
        events = open_events(events)
        if isinstance(events, EventSource) or events.ndim != 1:
            return self._evaluate_array(events, method)
        vector = as_vector(events)
        x, spectators = event_from(vector, method.model)
        whole = x if spectators is None else np.hstack([x, spectators])
        if method not in self._given:
            memory = np.zeros(whole.shape[1], dtype=np.float32)
            parts = [memory[i : i + 1] for i in range(memory.size)]
            model = method.model
            if model.fitted.response_note:
                log.warning("%s: %s", model.name, model.fitted.response_note)
            self._given[method] = (memory, model.fitted.linked_event(model.transformations, parts))
        memory, linked = self._given[method]
        # TMVA: all elements of the raw vector are tested, also surplus ones
        if linked is not None and (vector.size == memory.size or not np.isnan(vector).any()):
            memory[:] = whole[0]
            response = linked.evaluate()
            if response == response:  # not NaN
                if not self._strict:  # TMVA: events given as vectors leave the errors as they were
                    self._errors = lambda: linked.error_bars(method.model.name)
                return response
        if self._has_nan(vector if spectators is None else x[0], x[0]):
            return self._nan_response()
        inputs = method.model.transformations.forward(x, spectators)
        if not self._strict:
            self._errors = lambda: _scalars(method.errors(inputs))
        return method.response(inputs)

    def _evaluate_array(self, events: Any, method: BookedMethod) -> NDArray[np.float64]:
        model = method.model
        responses = mva_values(model, events)
        bad = np.isnan(responses)
        if bad.any():
            number = np.count_nonzero(bad)
            log.error("%d of %d events have a NaN or an infinity --> their MVA value is -999", number, len(bad))
            responses[bad] = NAN_RESPONSE
        if not self._strict:
            self._errors = lambda: response_errors(method.model, events)
        return responses

    def _evaluate_several(self, args: tuple[Any, ...], analysis: AnalysisType, what: str) -> Any:
        if not 1 <= len(args) <= 2:
            raise InputError(f"Evaluate{analysis}(tag), (number, tag) or (events, tag)")
        method = self._method(args[-1])
        model = method.model
        if model.analysis_type != analysis:
            raise InputError(f"{model.name} was trained for {model.analysis_type}: Evaluate{analysis} does not apply")
        if len(args) == 2 and not isinstance(args[0], int | np.integer):
            return self._several_given(args[0], model)
        x, spectators = self._linked_event(model)
        inputs = model.transformations.forward(x, spectators)
        if np.isnan(_checked_inputs(model, inputs, x)).any():
            log.error("a variable of the event is NaN: the results are NaN")
        if not self._strict:  # TMVA: none are computed here, and the errors keep their old values
            target = int(args[0]) if len(args) == 2 else 0
            self._errors = lambda: _scalars(target_errors(model, x, spectators, target))
        values = model.responses(model.fitted.respond(inputs))[0].tolist()
        if len(args) == 1:
            return values
        number = int(args[0])
        if 0 <= number < len(values):
            return values[number]
        problem = f"{analysis} could not be evaluated for {what}-number {number}: there are {len(values)}"
        if not self._strict:
            raise InputError(problem)
        log.warning(problem)
        return 0.0

    def _several_given(self, events: Any, model: Model) -> Any:
        events = open_events(events)
        if isinstance(events, EventSource) or events.ndim != 1:
            values = model.predict(events)
            if not self._strict:
                self._errors = lambda: target_errors(model, events)
            return values
        x, spectators = event_from(as_vector(events), model)
        values = model.predict(x, spectators=spectators)[0].tolist()
        if not self._strict:
            self._errors = lambda: _scalars(target_errors(model, x, spectators))
        return values

    def _has_nan(self, values: NDArray[Any], raw: Float32Array) -> bool:
        bad, kind = np.flatnonzero(np.isnan(values)), "NaN"
        if not len(bad) and not self._strict:  # TMVA: infinite variables are not caught
            bad, kind = np.flatnonzero(np.isinf(raw)), "infinite"
        if len(bad):
            log.error(
                "%d-th variable of the event is %s --> return MVA value -999, "
                "that's all I can do, please fix or remove this event.",
                bad[0],
                kind,
            )
        return len(bad) > 0

    def _nan_response(self) -> float:
        if not self._strict:  # TMVA: the errors keep their old values
            self._errors = (float("nan"), float("nan"))
        return NAN_RESPONSE

    def _response_for_pdf(self, tag: str, response: float) -> float:
        method = self._method(tag)
        raw, spectators = self._linked_event(method.model)
        x = method.model.transformations.forward(raw, spectators)
        bad = self._has_nan(_checked_inputs(method.model, x, raw), raw[0])
        if response != EVALUATE_NOW:  # of an event that was evaluated before: so were its errors
            return NAN_RESPONSE if bad else float(response)
        if bad:
            return self._nan_response()
        if not self._strict:  # TMVA: none are computed here, and the errors keep their old values
            self._errors = lambda: _scalars(method.errors(x))
        return method.response(x)

    # -- errors

    def _last_errors(self) -> tuple[Any, Any]:
        if callable(self._errors):
            self._errors = self._errors()
        return self._errors


def _scalars(errors: tuple[NDArray[Any], NDArray[Any]]) -> tuple[float, float]:
    return float(errors[0][0]), float(errors[1][0])


def _checked_inputs(model: Model, inputs: Float32Array, raw: Float32Array) -> Float32Array:
    """Return what of an event is tested for NaN: the transformed variables, never the spectators."""
    tested: Float32Array = raw[0] if model.method.takes_spectators else inputs[0]
    return tested
