"""Models of LightGBM from its text; the package itself is not needed.

Events go left if x <= threshold, both float64.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from pytmva_bnn._typing import FloatArray, IndexArray
from pytmva_bnn.convert.forests.foreign import (
    CLASSES,
    IN_FLOAT64,
    LOGARITHM,
    PREDICTION,
    PROBABILITY,
    ForeignForest,
    ForeignTree,
    Form,
    not_possible,
)
from pytmva_bnn.errors import InputError

_IDENTITY = (
    "regression",
    "regression_l1",
    "huber",
    "fair",
    "quantile",
    "mape",
    "lambdarank",
    "rank_xendcg",
)
_LOG_LINK = ("poisson", "gamma", "tweedie")
_SIGMOID = ("binary", "cross_entropy")
_CATEGORICAL = 1
_MISSING = {1: "zeros that count as missing values", 2: "missing values"}
#: LightGBM takes numbers up to this size for 0
_ZERO = float(np.float32(1e-35))
_DEFAULT_NAME = re.compile(r"Column_\d+")
_RANGE = re.compile(r"\[([^:\]]+):([^:\]]+)\]")


def lightgbm_forest(text: str, iterations: int | None = None) -> ForeignForest:
    """Return the forest of a model's text; a ValueError or KeyError says that it is damaged."""
    head, *blocks = text.partition("\nend of trees")[0].split("\nTree=")
    general = _entries(head)
    objective, _, details = general.get("objective", "none").partition(" ")
    origin = f"LightGBM's model ({objective})"
    form, meaning = _form(objective, details, origin)
    in_round, n_features = int(general["num_tree_per_iteration"]), int(general["max_feature_idx"]) + 1
    if form != "softmax" and in_round != 1:
        raise not_possible(origin, f"{in_round} outputs", "train one model for each")
    used = len(blocks) if iterations is None else iterations * in_round
    if used > len(blocks):
        raise InputError(f"{origin}: there are {len(blocks) // in_round} iterations, not {iterations}")
    names = tuple(general["feature_names"].split())
    sigmoid = re.search(r"sigmoid:(\S+)", details) if form == "logistic" else None
    factor = float(sigmoid[1]) if sigmoid else 1.0
    if "average_output" in general and used:  # random forest
        factor /= used // in_round
    return ForeignForest(
        origin,
        form,
        [_tree(_entries(block), factor, origin, names) for block in blocks[:used]],
        n_features,
        IN_FLOAT64,
        meaning,
        n_classes=in_round,
        offsets=(0.0,) * in_round,
        feature_names=() if all(map(_DEFAULT_NAME.fullmatch, names)) else names,
        ranges=_ranges(general.get("feature_infos", ""), n_features),
    )


def _form(objective: str, details: str, origin: str) -> tuple[Form, str]:
    if objective in _SIGMOID:
        return "logistic", PROBABILITY
    if objective == "multiclass":
        return "softmax", CLASSES
    if objective in _LOG_LINK:
        return "sum", LOGARITHM
    if objective in _IDENTITY and "sqrt" not in details.split():
        return "sum", PREDICTION
    if objective in _IDENTITY:
        raise InputError(f"{origin}: reg_sqrt=True (the square of a sum of trees) has no equivalent in TMVA")
    raise InputError(
        f"{origin}: TMVA has no equivalent of this objective; supported: "
        f"{', '.join((*_SIGMOID, 'multiclass', *_IDENTITY, *_LOG_LINK))}"
    )


def _entries(block: str) -> Mapping[str, str]:
    return {key: value for key, _, value in (line.partition("=") for line in block.splitlines()) if key}


def _ranges(text: str, n_features: int) -> FloatArray | None:
    found = [_RANGE.fullmatch(word) for word in text.split()]
    if len(found) != n_features:
        return None
    return np.array([[float(one[1]), float(one[2])] if one else [np.nan, np.nan] for one in found])


def _tree(entries: Mapping[str, str], factor: float, origin: str, names: tuple[str, ...]) -> ForeignTree:
    if int(entries.get("is_linear", 0)):
        raise not_possible(origin, "linear functions in the leaves (linear_tree)")
    n_leaves = int(entries["num_leaves"])
    values = _numbers(entries, "leaf_value") * factor
    if n_leaves == 1:
        return ForeignTree.leaf(values[0])
    feature, kinds, left, right = (
        _numbers(entries, name).astype(np.int64)
        for name in ("split_feature", "decision_type", "left_child", "right_child")
    )
    # inner nodes first; a leaf k is -k-1 in their lists
    n_inner = n_leaves - 1
    if len(values) != n_leaves or len(feature) != n_inner:
        raise ValueError("a tree with lists of different lengths")
    _check_decisions(feature, kinds, origin, names)
    left, right = (np.where(side >= 0, side, n_inner - side - 1) for side in (left, right))
    nowhere, nothing = np.full(n_leaves, -1), np.zeros(n_leaves)
    return ForeignTree(
        np.concatenate([feature, nowhere]),
        np.concatenate([_thresholds(entries), nothing]),
        np.concatenate([left, nowhere]),
        np.concatenate([right, nowhere]),
        np.concatenate([np.zeros(n_inner), values]),
    )


def _thresholds(entries: Mapping[str, str]) -> FloatArray:
    values = _numbers(entries, "threshold")
    beside_zero = np.where(values < 0.0, np.nextafter(-_ZERO, -np.inf), _ZERO)
    return np.where(np.abs(values) <= _ZERO, beside_zero, values)


def _check_decisions(feature: IndexArray, kinds: IndexArray, origin: str, names: tuple[str, ...]) -> None:
    for number, kind in zip(feature.tolist(), kinds.tolist(), strict=True):
        if kind & _CATEGORICAL:
            raise not_possible(origin, f"categorical splits (feature {names[number]})")
        if kind >> 2:
            problem = f"{_MISSING[kind >> 2]} (feature {names[number]})"
            raise not_possible(origin, problem, "replace them by a number before the training")


def _numbers(entries: Mapping[str, str], name: str) -> FloatArray:
    return np.array(entries[name].split(), dtype=np.float64)
