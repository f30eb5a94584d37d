"""TMVA's forests as models of XGBoost.

================================  =====================  ==============================================================
forest                            objective              what XGBoost predicts
================================  =====================  ==============================================================
Grad, classification              ``binary:logistic``    (1 + response)/2
Grad, multiclass                  ``multi:softprob``     the responses
Grad, regression                  ``reg:squarederror``   the response
others but AdaBoostR2             ``reg:squarederror``   the response, also in classification
================================  =====================  ==============================================================

An event goes the same way in all trees.  XGBoost adds the leaves in float32.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from pytmva_bnn._typing import FloatArray, IntArray
from pytmva_bnn.convert.forests.xgboost_models import MARK
from pytmva_bnn.errors import InputError
from pytmva_bnn.files import atomic_writer
from pytmva_bnn.methods.bdt.fitted import FittedBDT
from pytmva_bnn.methods.bdt.forest import Tree
from pytmva_bnn.model import Model
from pytmva_bnn.optional import optional
from pytmva_bnn.tmva_types import AnalysisType

#: the release whose format the files have; newer ones read it too
VERSION = (2, 0, 0)
_NO_PARENT = 2147483647
_OBJECTIVES = {
    "logistic": ("binary:logistic", {"reg_loss_param": {"scale_pos_weight": "1"}}),
    "softmax": ("multi:softprob", {}),
    "sum": ("reg:squarederror", {"reg_loss_param": {"scale_pos_weight": "1"}}),
    "mean": ("reg:squarederror", {"reg_loss_param": {"scale_pos_weight": "1"}}),
}
#: XGBoost refuses these in names of features
_REFUSED = frozenset("[]<")


def to_xgboost(model: Model, path: str | Path) -> None:
    """Write a forest as a model of XGBoost, in JSON, or in UBJ if the name ends so (that needs the package xgboost)."""
    text = json.dumps(xgboost_document(model), separators=(",", ":")).encode()
    if Path(path).suffix == ".ubj":
        xgboost = optional("xgboost", "bridges", "writing XGBoost's binary format (JSON does not)")
        text = bytes(xgboost.Booster(model_file=bytearray(text)).save_raw("ubj"))
    with atomic_writer(path) as stream:
        stream.write(text)


def xgboost_document(model: Model) -> dict[str, Any]:
    """Return the content of the JSON file."""
    fitted = model.fitted
    if not isinstance(fitted, FittedBDT):
        raise InputError(f"{model.name}: a {model.kind} is not a forest, so XGBoost cannot represent it")
    combination = fitted.combination
    for problem in _problems(model, fitted):
        raise InputError(f"{model.name}: {problem}, which XGBoost does not have")
    n_variables, n_classes = len(model.variables), fitted.n_classes if combination == "softmax" else 0
    objective, parameters = _OBJECTIVES[combination]
    if n_classes:
        parameters = {"softmax_multiclass_param": {"num_class": str(n_classes)}}
    trees = [
        _tree(number, tree, values, n_variables)
        for number, (tree, values) in enumerate(zip(fitted.forest, _leaf_values(fitted), strict=True))
    ]
    base = {"logistic": 0.5, "sum": float(fitted.tree_weights[0])}.get(combination, 0.0)
    per_round = max(1, n_classes)
    return {
        "learner": {
            "attributes": {MARK: json.dumps(_mark(model, fitted))},
            "feature_names": _feature_names(model),
            "feature_types": ["float"] * n_variables,
            "gradient_booster": {
                "model": {
                    "gbtree_model_param": {"num_parallel_tree": "1", "num_trees": str(len(trees))},
                    "iteration_indptr": list(range(0, len(trees) + 1, per_round)),
                    "tree_info": [number % per_round for number in range(len(trees))],
                    "trees": trees,
                },
                "name": "gbtree",
            },
            "learner_model_param": {
                "base_score": f"{base:.9g}",
                "boost_from_average": "1",
                "num_class": str(n_classes),
                "num_feature": str(n_variables),
                "num_target": "1",
            },
            "objective": {"name": objective, **parameters},
        },
        "version": list(VERSION),
    }


def _problems(model: Model, fitted: FittedBDT) -> Iterable[str]:
    if model.transformations.steps:
        yield "it transforms the variables (VarTransform)"
    if len(fitted.forest.fisher_nodes):
        yield "it has cuts on linear combinations (UseFisherCuts)"
    if fitted.preselection is not None and fitted.do_preselection:
        yield "it has a preselection (DoPreselection)"
    if fitted.combination == "median":
        yield "AdaBoostR2 takes the mean of trees around the median"


def _leaf_values(fitted: FittedBDT) -> list[FloatArray]:
    """Return for each tree what its nodes add to the sum."""
    values = fitted.leaf_values
    if fitted.combination == "logistic":
        values = 2.0 * values  # TMVA: 2/(1 + exp(-2 s)) - 1
    elif fitted.combination == "mean":
        total = float(np.cumsum(fitted.tree_weights)[-1])
        values = values / total if total > np.finfo(np.float64).eps else np.zeros(len(values))
    return np.split(values, fitted.forest.starts[1:-1])


def _tree(number: int, tree: Tree, values: FloatArray, n_variables: int) -> dict[str, Any]:
    order, left, parents = _by_level(tree)
    n_nodes = len(order)
    inner = tree.is_inner[order]
    leaves = np.where(inner, 0.0, values[order])
    zeros = [0.0] * n_nodes
    return {
        "base_weights": _short(leaves),
        "categories": [],
        "categories_nodes": [],
        "categories_segments": [],
        "categories_sizes": [],
        "default_left": [1] * n_nodes,  # TMVA: NaN is never at or above a cut
        "id": number,
        "left_children": left.tolist(),
        "loss_changes": zeros,
        "parents": parents,
        "right_children": np.where(inner, left + 1, -1).tolist(),
        "split_conditions": _short(np.where(inner, tree.cut[order], leaves)),
        "split_indices": np.where(inner, tree.variable[order], 0).tolist(),
        "split_type": [0] * n_nodes,
        "sum_hessian": zeros,
        "tree_param": {
            "num_deleted": "0",
            "num_feature": str(n_variables),
            "num_nodes": str(n_nodes),
            "size_leaf_vector": "1",
        },
    }


def _by_level(tree: Tree) -> tuple[list[int], IntArray, list[int]]:
    """Return the nodes level by level, with the positions of their left daughters and of their mothers.

    XGBoost does not look where the right daughter is: it takes the node after the left one.
    """
    right, is_turned, is_inner = tree.right.tolist(), (tree.cut_type == 0).tolist(), tree.is_inner.tolist()
    order, left, parents = [0], [], [_NO_PARENT]
    for position, node in enumerate(order):  # grows on the way
        left.append(len(order) if is_inner[node] else -1)
        if is_inner[node]:
            # XGBoost: left below the cut; TMVA's cut type 0 has it the other way round
            order += [right[node], node + 1] if is_turned[node] else [node + 1, right[node]]
            parents += [position, position]
    return order, np.array(left), parents


def _short(values: FloatArray) -> list[float]:
    """Return numbers whose text has as few digits as their float32 needs."""
    return [float(str(value)) for value in values.astype(np.float32)]


def _feature_names(model: Model) -> list[str]:
    return [one.internal if _REFUSED & set(one.expression) else one.expression for one in model.variables]


def _mark(model: Model, fitted: FittedBDT) -> dict[str, Any]:
    is_binary = model.analysis_type == AnalysisType.CLASSIFICATION
    form: str = fitted.combination
    if form == "mean":
        form = "purity" if is_binary else "average"
    return {
        "title": model.title,
        "form": form,
        "meaning": "the response before it was a model of XGBoost",
        "variables": [
            one.expression if one.label == one.expression else f"{one.label}:={one.expression}"
            for one in model.variables
        ],
        "classes": list(model.classes[::-1] if is_binary else model.classes),
        "target": model.targets[0].expression if model.targets else "target",
    }
