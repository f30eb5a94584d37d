"""Forests of other libraries as models: estimators, boosters, and their files."""

from __future__ import annotations

import json
import logging
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from pytmva_bnn.convert.forests.foreign import LOGARITHM, ForeignForest, not_possible
from pytmva_bnn.convert.forests.lightgbm_models import lightgbm_forest
from pytmva_bnn.convert.forests.sklearn_models import class_names_of, scaled, sklearn_forest
from pytmva_bnn.convert.forests.weight_file import as_model
from pytmva_bnn.convert.forests.xgboost_models import document_of, xgboost_forest
from pytmva_bnn.errors import InputError, WeightFileError
from pytmva_bnn.files import expanded
from pytmva_bnn.model import Model
from pytmva_bnn.optional import optional
from pytmva_bnn.weights import Source

log = logging.getLogger("pytmva_bnn.convert")

ForeignFile = Literal["XGBoost", "XGBoost (UBJ)", "XGBoost (dump)", "LightGBM", "pickle"]
_LIBRARIES = ("sklearn", "xgboost", "lightgbm")
# our own JSON begins with "format", TMVA's text with a comment or with "Method"
_BEGINNINGS: tuple[tuple[ForeignFile, re.Pattern[bytes]], ...] = (
    ("XGBoost", re.compile(rb'\s*\{\s*"(learner"\s*:|version"\s*:\s*\[)')),
    ("XGBoost (UBJ)", re.compile(rb"\{[iUIlL]\0*\x07learner")),
    ("XGBoost (dump)", re.compile(rb'\s*\[\s*\{\s*"nodeid"|booster\[\d+\]:')),
    ("LightGBM", re.compile(rb"tree\r?\nversion=v")),
    ("pickle", re.compile(rb"\x80[\x02-\x05]|x[\x01\x5e\x9c\xda]")),  # joblib compresses with zlib
)


def from_forest(
    forest: Any,
    variables: Sequence[str] | None = None,
    *,
    title: str | None = None,
    classes: Sequence[str] | None = None,
    target: str | Sequence[str] | None = None,
    iterations: int | None = None,
) -> Model:
    """Return a trained forest of scikit-learn, XGBoost or LightGBM as a :class:`Model`, to be saved for TMVA.

    Parameters
    ----------
    forest
        A fitted estimator, a booster, or the name of a file: XGBoost's JSON or UBJ, LightGBM's text.
    variables
        Names or expressions of the input variables in the order of the model's features, by default the names of the
        features.
    title
        The method's title, by default ``BDT``.
    classes
        Names of the classes in the order of the model's.  With two classes the second one, of label 1, is the signal.
    target
        Name of the target of a regression.
    iterations
        How many rounds of boosting count (XGBoost, LightGBM), by default those up to the best one of early stopping.

    Raises
    ------
    InputError
        The model has something that TMVA's forests do not have, or the names do not fit.
    """
    found = read_forest(forest, iterations)
    if found.meaning == LOGARITHM:
        log.warning("%s: the response in TMVA is the logarithm of the prediction", found.origin)
    return as_model(found, variables, title, classes, target)


def read_forest(forest: Any, iterations: int | None = None) -> ForeignForest:
    """Return the forest of an object or of a file."""
    if iterations is not None and iterations < 1:
        raise InputError(f"iterations={iterations} must be at least 1")
    if isinstance(forest, str | Path):
        return _of_file(forest, iterations)
    parents = type(forest).__mro__
    library = next((name for one in parents if (name := one.__module__.partition(".")[0]) in _LIBRARIES), "")
    if library == "xgboost":
        return _of_xgboost(forest, iterations)
    if library == "lightgbm":
        return _of_lightgbm(forest, iterations)
    if any(one.__name__ == "Pipeline" for one in parents):
        return scaled(forest, lambda last: read_forest(last, iterations))
    if library != "sklearn":
        raise InputError(
            f"{type(forest).__name__} is neither a forest of scikit-learn, XGBoost or LightGBM nor the name of a file"
        )
    if iterations is not None:
        raise InputError("iterations= is for XGBoost and LightGBM: scikit-learn's models keep only what they use")
    return sklearn_forest(forest)


def foreign_file(path: str | Path) -> ForeignFile | None:
    """Return which model of another library a file holds by its first bytes, or None."""
    try:
        beginning = Source(path).beginning()
    except WeightFileError:
        return None
    return next((kind for kind, pattern in _BEGINNINGS if pattern.match(beginning)), None)


def unpickled(path: str | Path) -> Any:
    """Return what a file of joblib or pickle holds.  This runs code in the file: only for files that you trust."""
    joblib = optional("joblib", "bridges", "reading a pickled estimator")
    try:
        return joblib.load(expanded(path))
    except OSError as error:
        raise WeightFileError(f"unable to open the file ({error.strerror or error})", file=str(path)) from error
    except Exception as error:
        raise WeightFileError(f"cannot be unpickled: {type(error).__name__}: {error}", file=str(path)) from error


# ---- objects


def _of_xgboost(model: Any, iterations: int | None) -> ForeignForest:
    booster = model
    if hasattr(model, "get_booster"):
        missing = model.get_params().get("missing")
        if missing is not None and not math.isnan(missing):
            raise not_possible(f"XGBoost's {type(model).__name__}", f"a number for missing values (missing={missing})")
        booster = _fitted(model, model.get_booster)
    return xgboost_forest(json.loads(booster.save_raw("json")), iterations)


def _of_lightgbm(model: Any, iterations: int | None) -> ForeignForest:
    booster = _fitted(model, lambda: model.booster_) if hasattr(type(model), "booster_") else model
    forest = lightgbm_forest(booster.model_to_string(num_iteration=iterations), iterations)
    return replace(forest, class_names=class_names_of(model))


def _fitted(model: Any, get: Callable[[], Any]) -> Any:
    try:
        return get()
    except Exception as error:  # each library has an error of its own
        raise InputError(f"{type(model).__name__} is not fitted ({error})") from error


# ---- files


def _of_file(path: str | Path, iterations: int | None) -> ForeignForest:
    data = b"".join(Source(path).chunks())
    kind = foreign_file(path)
    try:
        match kind:
            case "XGBoost":
                return xgboost_forest(json.loads(data), iterations)
            case "XGBoost (UBJ)":
                return xgboost_forest(document_of(data), iterations)
            case "LightGBM":
                return lightgbm_forest(data.decode(), iterations)
    except (InputError, WeightFileError) as error:
        raise InputError(f"{path}: {error}") from error
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
        what = f"there is no {error}" if isinstance(error, KeyError) else str(error)
        raise WeightFileError(f"a damaged model of {kind}: {what}", file=str(path)) from error
    if kind == "pickle":
        raise InputError(
            f"{path} is a pickle, and reading one runs the code in it: if you trust it, load it and give the estimator "
            "(on the command line: --unpickle)"
        )
    if kind == "XGBoost (dump)":
        raise InputError(f"{path} is a dump of XGBoost's trees without the base score: use save_model, not dump_model")
    raise InputError(f"{path} is neither a model of XGBoost (JSON or UBJ) nor of LightGBM (text)")
