"""TMVA's options as parameters of an estimator: their names, defaults and signature, and the way back to options."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pytmva_bnn.errors import OptionError, suggestion
from pytmva_bnn.options import Option, OptionType, option_string
from pytmva_bnn.options.conversion import coerce

SEED = "RandomSeed"
RANDOM_STATE = "random_state"
OPTIONS = "options"
LARGEST_SEED = 2**31 - 1

_NO_PARAMETERS = frozenset({
    "V", "VerbosityLevel", "H", "CreateMVAPdfs", "EstimatorType", "EpochMonitoring", "DoBoostMonitor",
    "Checkpoint", "CheckpointEpochs", "RuleFitModule", "RFWorkDir", "RFNrules", "RFNendnodes", SEED,
})  # fmt: skip
"""Options about messages, files and other programs, or that TMVA overrules."""
_NAMES = {"nkNN": "nknn", "GDNSteps": "gd_n_steps", "KDEtype": "kde_type", "KDEiter": "kde_iter", "C": "C"}


class UnknownParameterError(OptionError, TypeError):
    """An estimator has no parameter of that name."""


def parameter_name(option: str) -> str:
    """Return an option's name as that of a parameter.

    >>> [parameter_name(name) for name in ("NTrees", "nCuts", "AdaBoostBeta", "BPMode", "C")]
    ['n_trees', 'n_cuts', 'ada_boost_beta', 'bp_mode', 'C']
    """
    words = re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", option)
    return _NAMES.get(option) or re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", words).lower()


@dataclass(frozen=True)
class Parameter:
    """A parameter with the option it stands for, None for those that are no option."""

    name: str
    default: Any
    meaning: str
    option: Option | None = None


def parameters_of(options: Iterable[Option], defaults: Mapping[str, Any]) -> tuple[Parameter, ...]:
    """Return the parameters for a table of options; ``defaults`` by names of parameters replace TMVA's."""
    declared = tuple(options)
    made = [
        Parameter(name := parameter_name(option.name), defaults.get(name, option.default), option.description, option)
        for option in declared
        if option.name not in _NO_PARAMETERS and option.size is None
    ]
    if any(option.name == SEED for option in declared):
        made.append(
            Parameter(RANDOM_STATE, None, "seed of the initial weights, or a RandomState; None is TMVA's seed, 1")
        )
    made.append(Parameter(OPTIONS, "", "further options of TMVA as in BookMethod, separated by colons"))
    unknown = defaults.keys() - {parameter.name for parameter in made}
    if unknown:
        raise OptionError(f"defaults for parameters that do not exist: {', '.join(sorted(unknown))}")
    return tuple(made)


def signature_of(parameters: Iterable[Parameter]) -> inspect.Signature:
    """Return the signature of an ``__init__`` with these parameters, all of them by keyword."""
    this = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    keyword = inspect.Parameter.KEYWORD_ONLY
    return inspect.Signature(
        [this, *(inspect.Parameter(parameter.name, keyword, default=parameter.default) for parameter in parameters)]
    )


def description_of(parameters: Iterable[Parameter]) -> str:
    """Return the section Parameters of a docstring."""
    lines = ["Parameters", "----------"]
    for parameter in parameters:
        words = parameter.meaning
        if parameter.option is not None:
            allowed = f" ({', '.join(parameter.option.allowed)})" if parameter.option.allowed else ""
            own = (
                ""
                if parameter.default == parameter.option.default
                else f"; TMVA's default is {parameter.option.default!r}"
            )
            words = f"{parameter.option.name}: {words}{allowed}{own}"
        lines += [f"{parameter.name} : default {parameter.default!r}", f"    {words}"]
    return "\n".join(lines)


def check_names(owner: str, known: Sequence[str], given: Iterable[str]) -> None:
    """Raise an UnknownParameterError for a name that is not among the known ones."""
    for name in given:
        if name not in known:
            hint = suggestion(name, known)
            raise UnknownParameterError(
                f"{owner}: there is no parameter {name!r}{': ' + hint if hint else ''} (known: {', '.join(known)})"
            )


def option_text(owner: str, parameters: Iterable[Parameter], values: Mapping[str, Any]) -> str:
    """Return the option string that ``values`` stand for; options with TMVA's value are left out.

    >>> table = parameters_of([Option("NTrees", OptionType.INT, 800, "trees")], {"n_trees": 100})
    >>> option_text("BDT", table, {"n_trees": 100, "options": "nCuts=30"})
    'NTrees=100:nCuts=30'
    """
    keywords: dict[str, object] = {}
    for parameter in parameters:
        value = values.get(parameter.name, parameter.default)
        if parameter.option is None:
            continue
        try:
            # lists and numbers for options that are text, e.g. hidden_layers=(10, 5)
            checked = value if parameter.option.type is OptionType.STRING else coerce(parameter.option, value)
        except OptionError as error:
            raise OptionError(f"{owner}: {parameter.name}={value!r}: {error}") from None
        if not _same(checked, _default(parameter.option)):
            keywords[parameter.option.name] = checked
    text = option_string("", keywords)
    return ":".join(part for part in (text, str(values.get(OPTIONS, ""))) if part)


def _default(option: Option) -> object:
    """Return TMVA's value as it counts, which for a Float is rounded."""
    return option.default if option.type is OptionType.STRING else coerce(option, option.default)


def _same(value: object, default: object) -> bool:
    return type(value) is type(default) and value == default


def seed_of(random_state: object) -> int:
    """Return the RandomSeed for scikit-learn's ``random_state``.

    TMVA takes 0 for another seed in each run, so that ``random_state=0`` is another number.
    """
    if isinstance(random_state, np.random.RandomState | np.random.Generator):
        draw = random_state.randint if isinstance(random_state, np.random.RandomState) else random_state.integers
        return int(draw(1, LARGEST_SEED))
    if isinstance(random_state, int | np.integer) and 0 <= random_state < LARGEST_SEED:
        return int(random_state) or LARGEST_SEED
    raise OptionError(f"random_state={random_state!r} must be None, a RandomState or an integer from 0 to 2^31 - 2")
