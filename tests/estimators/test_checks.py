"""scikit-learn's own checks of every estimator."""

import inspect
import json
import re
from pathlib import Path

import pytest
import sklearn
from sklearn.utils.estimator_checks import check_estimator

import pytmva_bnn
from pytmva_bnn import estimators
from pytmva_bnn.estimators import expected_failed_checks
from pytmva_bnn.estimators.estimator import WEIGHT_CHECK, TMVAEstimator

CLASSES = [one for one in vars(estimators).values() if inspect.isclass(one) and issubclass(one, TMVAEstimator)]
#: for estimators of two classes the first event's class is 0 in the checks before 1.7, also if events are shuffled
SKLEARN_SWAPS_CLASSES = tuple(map(int, sklearn.__version__.split(".")[:2])) < (1, 7)
QUICK = {
    "BNNClassifier": {"hidden_layers": 2, "n_cycles": 8},
    "BNNRegressor": {"hidden_layers": 1, "n_cycles": 5},
    "BDTClassifier": {"n_trees": 10},
    "BDTRegressor": {"n_trees": 10, "shrinkage": 0.3},
    "PDEFoamClassifier": {"n_active_cells": 50, "n_sampl": 200},
    "PDEFoamRegressor": {"n_active_cells": 50, "n_sampl": 200},
    "RuleFitClassifier": {"n_trees": 3, "gd_n_steps": 1000},
    "SVMClassifier": {"tol": 0.1},
}


@pytest.mark.parametrize("estimator", [one(**QUICK.get(one.__name__, {})) for one in CLASSES], ids=repr)
def test_scikit_learns_checks_pass(estimator):
    expected = expected_failed_checks(estimator)
    tags = estimator.__sklearn_tags__().classifier_tags
    if SKLEARN_SWAPS_CLASSES and tags is not None and not tags.multi_class:
        expected[WEIGHT_CHECK] = "the two fits have their classes the other way round"
    results = check_estimator(estimator, expected_failed_checks=expected, on_skip=None)
    assert {one["check_name"] for one in results if one["status"] == "xfail"} == set(expected)
    assert set(expected) <= {WEIGHT_CHECK}


def test_adaboost_tells_two_classes_apart_only():
    estimator = estimators.BDTClassifier(boost_type="AdaBoost", n_trees=3)
    assert not estimator.__sklearn_tags__().classifier_tags.multi_class
    check_estimator(estimator, expected_failed_checks=expected_failed_checks(estimator), on_skip=None)


def test_the_package_has_all_of_them_by_name():
    assert len(CLASSES) == 17
    for one in CLASSES:
        assert getattr(pytmva_bnn, one.__name__) is one
        assert one.__name__ in dir(pytmva_bnn)
        assert one.__name__ in estimators.__all__


def test_the_page_names_all_estimators_and_their_defaults():
    page = (Path(__file__).parents[2] / "docs" / "scikit-learn.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    for one in CLASSES:
        (row,) = (row for row in rows if f"`{one.__name__}`" in row)
        own = {
            parameter.name: parameter.default
            for parameter in one.parameters
            if parameter.option is not None and parameter.default != parameter.option.default
        }
        defaults = {f"`{name}={json.dumps(v) if isinstance(v, str) else v}`" for name, v in own.items()}
        shown = set(re.findall(r"`\w+=[^`]+`", row.split("|")[3]))
        if "the same except `multiclass`" in row:
            shown |= set(re.findall(r"`\w+=[^`]+`", rows[rows.index(row) - 1].split("|")[3])) - {
                '`multiclass="Softmax"`'
            }
        assert shown == defaults
