"""Models of XGBoost from its JSON; the package itself is needed only for its binary form (UBJ).

Events go left if x < threshold, both float32.  XGBoost adds the leaves in float32, TMVA in float64.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from pytmva_bnn.convert.forests.foreign import (
    CLASSES,
    LOGARITHM,
    PREDICTION,
    PROBABILITY,
    ForeignForest,
    ForeignTree,
    Form,
    Splitting,
    not_possible,
)
from pytmva_bnn.errors import InputError
from pytmva_bnn.optional import optional

SPLITTING = Splitting(or_equal=False, rounds=True)
MARK = "pytmva_bnn"
"""The attribute of a model that was written here; it holds what XGBoost does not know of a weight file."""

_SIGMOID = ("binary:logistic", "binary:logitraw", "reg:logistic")
_LOG_LINK = ("count:poisson", "reg:gamma", "reg:tweedie")
_LINEAR = (
    "reg:squarederror",
    "reg:squaredlogerror",
    "reg:absoluteerror",
    "reg:pseudohubererror",
    "reg:quantileerror",
    "rank:pairwise",
    "rank:ndcg",
    "rank:map",
)
_SOFTMAX = ("multi:softprob", "multi:softmax")
_HINGE = "binary:hinge"
_HINGE_MEANING = "2/(1+exp(-m))-1 of the margin m"


def xgboost_forest(document: Mapping[str, Any], iterations: int | None = None) -> ForeignForest:
    """Return the forest of a JSON document; a ValueError, KeyError or TypeError says that it is damaged.

    Trees after ``iterations`` rounds do not count, by default those after the best one of early stopping.
    """
    learner = document["learner"]
    objective = str(learner["objective"]["name"])
    origin = f"XGBoost's model ({objective})"
    parameters = learner["learner_model_param"]
    n_features, n_classes = int(parameters["num_feature"]), int(parameters.get("num_class", 0))
    if int(parameters.get("num_target", 1)) > 1:
        raise not_possible(origin, f"{parameters['num_target']} targets", "train one model for each")
    form, meaning = _form(objective, origin)
    n_groups = n_classes if form == "softmax" else 1
    trees = list(_trees(learner["gradient_booster"], origin, n_groups, _rounds(learner, iterations)))
    base = np.atleast_1d(np.asarray(json.loads(str(parameters["base_score"])), dtype=np.float32))
    offsets = np.broadcast_to(_margins(base.astype(np.float64), objective), n_groups)
    forest = ForeignForest(
        origin,
        form,
        trees,
        n_features,
        SPLITTING,
        meaning,
        n_classes=n_groups,
        offsets=offsets.tolist(),
        feature_names=tuple(map(str, learner.get("feature_names", ()))),
    )
    mark = learner.get("attributes", {}).get(MARK)
    return forest if mark is None else _as_it_was(forest, json.loads(mark))


def document_of(data: bytes) -> Mapping[str, Any]:
    """Return the JSON document of the bytes of a model in UBJ."""
    xgboost = optional("xgboost", "bridges", "reading XGBoost's binary format (JSON does not)")
    try:
        text = xgboost.Booster(model_file=bytearray(data)).save_raw("json")
    except xgboost.core.XGBoostError as error:
        raise ValueError(str(error).partition("\n")[0]) from error
    document: Mapping[str, Any] = json.loads(text)
    return document


def _form(objective: str, origin: str) -> tuple[Form, str]:
    if objective in _SIGMOID:
        return "logistic", PROBABILITY
    if objective == _HINGE:
        return "logistic", _HINGE_MEANING
    if objective in _SOFTMAX:
        return "softmax", CLASSES
    if objective in _LOG_LINK:
        return "sum", LOGARITHM
    if objective in _LINEAR:
        return "sum", PREDICTION
    raise InputError(
        f"{origin}: TMVA has no equivalent of this objective; supported: "
        f"{', '.join((*_SIGMOID, _HINGE, *_SOFTMAX, *_LINEAR, *_LOG_LINK))}"
    )


def _margins(base: Any, objective: str) -> Any:
    """Return what the base score adds to the sums of trees, in current releases."""
    if objective in _SIGMOID and objective != "binary:logitraw":
        return -np.log(1.0 / base - 1.0)
    return np.log(base) if objective in _LOG_LINK else base


def _rounds(learner: Mapping[str, Any], iterations: int | None) -> int | None:
    if iterations is not None:
        return iterations
    best = learner.get("attributes", {}).get("best_iteration")
    return None if best is None else int(best) + 1


def _trees(booster: Mapping[str, Any], origin: str, n_groups: int, n_rounds: int | None) -> Iterator[ForeignTree]:
    """Yield the trees, those of class c at c, c + n_groups, ..."""
    name = booster["name"]
    if name not in ("gbtree", "dart"):
        raise InputError(f"{origin}: the booster {name} has no trees")
    # dart: trees count with weights
    factors = booster["weight_drop"] if name == "dart" else None
    model = (booster["gbtree"] if name == "dart" else booster)["model"]
    trees, groups = model["trees"], model["tree_info"]
    in_round = n_groups * max(1, int(model["gbtree_model_param"].get("num_parallel_tree", 1)))
    used = len(trees) if n_rounds is None else n_rounds * in_round
    if used > len(trees):
        raise InputError(f"{origin}: there are {len(trees) // in_round} iterations, not {n_rounds}")
    by_group: list[list[ForeignTree]] = [[] for _ in range(n_groups)]
    for number, (tree, group) in enumerate(zip(trees[:used], groups[:used], strict=True)):
        factor = 1.0 if factors is None else float(factors[number])
        by_group[group].append(_tree(tree, factor, origin))
    for trees_of_round in zip(*by_group, strict=True):
        yield from trees_of_round


def _tree(tree: Mapping[str, Any], factor: float, origin: str) -> ForeignTree:
    if int(tree["tree_param"].get("size_leaf_vector", 1)) > 1:
        problem = "trees with several outputs (multi_strategy='multi_output_tree')"
        raise not_possible(origin, problem, "train it with one_output_per_tree")
    if tree.get("categories_nodes"):
        feature = tree["split_indices"][tree["categories_nodes"][0]]
        raise not_possible(origin, f"categorical splits (feature number {feature})")
    conditions = np.array(tree["split_conditions"], dtype=np.float32).astype(np.float64)
    return ForeignTree(
        np.array(tree["split_indices"], dtype=np.int64),
        conditions,
        np.array(tree["left_children"], dtype=np.int64),
        np.array(tree["right_children"], dtype=np.int64),
        conditions * factor,
    )


def _as_it_was(forest: ForeignForest, mark: Mapping[str, Any]) -> ForeignForest:
    """Return the forest with what a weight file says that was written as a model of XGBoost."""
    forest = replace(
        forest,
        feature_names=tuple(mark["variables"]),
        class_names=tuple(mark["classes"]),
        title=str(mark["title"]),
        target=str(mark["target"]),
    )
    if mark["form"] not in ("purity", "average"):
        return forest
    number = len(forest.trees)
    trees = [replace(tree, value=tree.value * number) for tree in forest.trees]
    return replace(forest, form=mark["form"], trees=trees, offsets=(0.0,), meaning=str(mark["meaning"]))
