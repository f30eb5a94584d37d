"""A forest of another library as a model with a weight file of TMVA."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pytmva_bnn.convert.forests.foreign import ForeignForest
from pytmva_bnn.convert.forests.tmva_trees import tmva_trees
from pytmva_bnn.convert.names import class_names, converted_info, target_records, variable_names
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.methods.bdt.fitted import FittedBDT
from pytmva_bnn.methods.bdt.forest import INNER, Forest
from pytmva_bnn.methods.bdt.method import BDT
from pytmva_bnn.model import Model
from pytmva_bnn.options import OptionSet
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.weights.records import WeightFile

_BOOST_TYPES = {"vote": "AdaBoost", "purity": "Bagging", "average": "Bagging"}  # the others: Grad


def as_model(
    forest: ForeignForest,
    variables: Sequence[str] | None = None,
    title: str | None = None,
    classes: Sequence[str] | None = None,
    target: str | Sequence[str] | None = None,
) -> Model:
    """Return the model that gives the response of the forest in TMVA's terms."""
    names = variable_names(forest, variables)
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
        info=converted_info(forest),
        options=tuple(options.records()),
        variables=_variables(forest, names, made),
        spectators=(),
        classes=class_names(forest, classes),
        targets=target_records(forest, target),
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


# ---- variables


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
