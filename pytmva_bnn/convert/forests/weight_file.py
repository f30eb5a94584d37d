"""A forest of another library as a model with a weight file of TMVA."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pytmva_bnn._version import __version__
from pytmva_bnn.convert.forests.foreign import ForeignForest
from pytmva_bnn.convert.forests.tmva_trees import tmva_trees
from pytmva_bnn.errors import InputError
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.methods.bdt.fitted import FittedBDT
from pytmva_bnn.methods.bdt.forest import INNER, Forest
from pytmva_bnn.methods.bdt.method import BDT
from pytmva_bnn.model import Model
from pytmva_bnn.options import OptionSet
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.weights.records import ROOT_RELEASE, TMVA_RELEASE, WeightFile

_BOOST_TYPES = {"vote": "AdaBoost", "purity": "Bagging", "average": "Bagging"}  # the others: Grad


def as_model(
    forest: ForeignForest,
    variables: Sequence[str] | None = None,
    title: str | None = None,
    classes: Sequence[str] | None = None,
    target: str | None = None,
) -> Model:
    """Return the model that gives the response of the forest in TMVA's terms."""
    names = _variable_names(forest, variables)
    trees, weights = tmva_trees(forest)
    made = Forest.of(trees, weights)
    boost_type = _BOOST_TYPES.get(forest.form, "Grad")
    options = OptionSet(BDT().options_for(forest.analysis), owner=title or forest.title)
    options.parse(
        f"NTrees={len(trees) // forest.n_classes}:MaxDepth={made.tree_depths.max()}:BoostType={boost_type}"
        f":UseYesNoLeaf={forest.form == 'vote'}"
    )
    file = WeightFile(
        kind=BDT.kind,
        title=title or forest.title,
        info=(
            ("TMVA Release", TMVA_RELEASE),
            ("ROOT Release", ROOT_RELEASE),
            ("Creator", f"pytmva_bnn {__version__}"),
            ("Converted from", forest.origin),
            ("Response", forest.meaning),
            ("AnalysisType", forest.analysis),
        ),
        options=tuple(options.records()),
        variables=_variables(forest, names, made),
        spectators=(),
        classes=_class_names(forest, classes),
        targets=_targets(forest, target),
        transformations=(),
        mva_pdfs=(),
    )
    fitted = FittedBDT(
        made,
        forest.analysis,
        boost_type,
        yes_no_leaf=forest.form == "vote",
        regression_trees=forest.form not in ("vote", "purity"),
        n_classes=forest.n_classes if forest.analysis == AnalysisType.MULTICLASS else len(file.classes),
    )
    return Model(file, fitted)


# ---- names


def _variable_names(forest: ForeignForest, given: Sequence[str] | None) -> tuple[str, ...]:
    own = forest.feature_names
    if isinstance(given, str):
        raise InputError(f"variables={given!r}: give a list of names, one for each feature")
    names = tuple(own if given is None else given)
    known = f"; those of the model are {', '.join(own)}" if own else ""
    if given is None and not own:
        raise InputError(
            f"{forest.origin}: the model does not name its {forest.n_features} features: give the variables in the "
            "order of the columns it was trained with"
        )
    if len(names) != forest.n_features:
        raise InputError(
            f"{forest.origin}: the model has {forest.n_features} features, {len(names)} variables are given{known}"
        )
    if names != own and sorted(names) == sorted(own):
        raise InputError(f"{forest.origin}: the variables are not in the order of the model{known}")
    expressions = [VariableRecord.define(name).expression for name in names]
    for name, expression in zip(names, expressions, strict=True):
        if not expression or expressions.count(expression) > 1:
            raise InputError(f"{forest.origin}: the variable {name!r} {'is there twice' if expression else 'is empty'}")
        if given is None and " " in name:
            raise InputError(
                f"{forest.origin}: the feature {name!r} has a blank in its name, which TMVA would drop: give other "
                "names as variables"
            )
    return names


def _class_names(forest: ForeignForest, given: Sequence[str] | None) -> tuple[str, ...]:
    if forest.analysis == AnalysisType.REGRESSION:
        if given:
            raise InputError(f"{forest.origin}: a regression has no classes")
        return ("Regression",)
    if isinstance(given, str):
        raise InputError(f"classes={given!r}: give a list of names, one for each class")
    is_binary = forest.analysis == AnalysisType.CLASSIFICATION
    number = 2 if is_binary else forest.n_classes
    default = ("Background", "Signal") if is_binary else tuple(f"class{c}" for c in range(number))
    names = tuple(given or forest.class_names or default)
    if len(names) != number or len(set(names)) != number:
        raise InputError(
            f"{forest.origin}: the model has {number} classes, given are {', '.join(names)}: give their names in the "
            "model's order" + (", the signal last" if is_binary else "")
        )
    # TMVA: signal is the first class; elsewhere it is the second, since labels are 0 and 1
    return names[::-1] if is_binary else names


def _targets(forest: ForeignForest, given: str | None) -> tuple[VariableRecord, ...]:
    if forest.analysis == AnalysisType.REGRESSION:
        return (VariableRecord.define(given or forest.target),)
    if given:
        raise InputError(f"{forest.origin}: only a regression has a target")
    return ()


def _variables(forest: ForeignForest, names: Sequence[str], made: Forest) -> tuple[VariableRecord, ...]:
    """Return the records; ranges that are not known reach a little beyond the outermost cuts."""
    records = []
    inner = made.node_type == INNER
    for number, name in enumerate(names):
        low = high = 0.0
        own = made.cut[inner & (made.variable == number)]
        if forest.ranges is not None and np.isfinite(forest.ranges[number]).all():
            low, high = forest.ranges[number].tolist()
        elif own.size:
            low, high = float(own.min()), float(own.max())
            margin = 0.1 * (high - low) or max(1.0, 0.1 * abs(low))
            low, high = low - margin, high + margin
        records.append(VariableRecord.define(name, minimum=low, maximum=high))
    return tuple(records)
