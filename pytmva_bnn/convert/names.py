"""What a model of another library is called in a weight file: variables, classes, targets, origin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from pytmva_bnn._version import __version__
from pytmva_bnn.errors import InputError
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.weights.records import ROOT_RELEASE, TMVA_RELEASE


class ForeignModel(Protocol):
    """What is known of a model of another library besides its numbers."""

    @property
    def origin(self) -> str:
        """Return the library and the class."""

    @property
    def meaning(self) -> str:
        """Return what the response is."""

    @property
    def analysis(self) -> AnalysisType:
        """Return what the weight file is for."""

    @property
    def n_features(self) -> int:
        """Return the number of features."""

    @property
    def n_classes(self) -> int:
        """Return the number of classes in multiclass."""

    @property
    def n_targets(self) -> int:
        """Return the number of targets in regression."""

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Return the names of the features, if they are known."""

    @property
    def class_names(self) -> tuple[str, ...]:
        """Return the names of the classes, if they are known."""

    @property
    def target(self) -> str:
        """Return the name of the target."""


def converted_info(model: ForeignModel) -> tuple[tuple[str, str], ...]:
    """Return the general information of the weight file."""
    return (
        ("TMVA Release", TMVA_RELEASE),
        ("ROOT Release", ROOT_RELEASE),
        ("Creator", f"pytmva_bnn {__version__}"),
        ("Converted from", model.origin),
        ("Response", model.meaning),
        ("AnalysisType", model.analysis),
    )


def variable_names(model: ForeignModel, given: Sequence[str] | None) -> tuple[str, ...]:
    """Return the names of the variables: those given, or the features' own."""
    own = model.feature_names
    if isinstance(given, str):
        raise InputError(f"variables={given!r}: give a list of names, one for each feature")
    names = tuple(own if given is None else given)
    known = f"; those of the model are {', '.join(own)}" if own else ""
    if given is None and not own:
        raise InputError(
            f"{model.origin}: the model does not name its {model.n_features} features: give the variables in the "
            "order of the columns it was trained with"
        )
    if len(names) != model.n_features:
        raise InputError(
            f"{model.origin}: the model has {model.n_features} features, but {len(names)} variables are given{known}"
        )
    if names != own and sorted(names) == sorted(own):
        raise InputError(f"{model.origin}: the variables are not in the order of the model{known}")
    expressions = [VariableRecord.define(name).expression for name in names]
    for name, expression in zip(names, expressions, strict=True):
        if not expression or expressions.count(expression) > 1:
            raise InputError(f"{model.origin}: the variable {name!r} {'appears twice' if expression else 'is empty'}")
        if given is None and " " in name:
            raise InputError(
                f"{model.origin}: the feature {name!r} has a blank in its name, which TMVA would drop: give other "
                "names as variables"
            )
    return names


def class_names(model: ForeignModel, given: Sequence[str] | None) -> tuple[str, ...]:
    """Return the names of the classes in TMVA's order."""
    if model.analysis == AnalysisType.REGRESSION:
        if given:
            raise InputError(f"{model.origin}: a regression has no classes")
        return ("Regression",)
    if isinstance(given, str):
        raise InputError(f"classes={given!r}: give a list of names, one for each class")
    is_binary = model.analysis == AnalysisType.CLASSIFICATION
    number = 2 if is_binary else model.n_classes
    default = ("Background", "Signal") if is_binary else tuple(f"class{c}" for c in range(number))
    names = tuple(given or model.class_names or default)
    if len(names) != number or len(set(names)) != number:
        raise InputError(
            f"{model.origin}: the model has {number} classes, but {', '.join(names)} are given; give the names in the "
            "model's order" + (", the signal last" if is_binary else "")
        )
    # TMVA: signal is the first class; elsewhere it is the second, since labels are 0 and 1
    return names[::-1] if is_binary else names


def target_records(model: ForeignModel, given: str | Sequence[str] | None) -> tuple[VariableRecord, ...]:
    """Return the targets of a regression."""
    if model.analysis != AnalysisType.REGRESSION:
        if given:
            raise InputError(f"{model.origin}: only a regression has a target")
        return ()
    n_targets = model.n_targets
    own = (model.target,) if n_targets == 1 else tuple(f"{model.target}{number}" for number in range(n_targets))
    names = (given,) if isinstance(given, str) else tuple(given or own)
    if len(names) != n_targets:
        raise InputError(f"{model.origin}: the model has {n_targets} targets, but {len(names)} names are given")
    return tuple(map(VariableRecord.define, names))
