"""Estimators inside scikit-learn's tools, and without scikit-learn."""

import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import VotingClassifier
from sklearn.feature_selection import SelectFromModel
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import pytmva_bnn as TMVA
from pytmva_bnn.estimators import BDTClassifier, BNNClassifier, BNNRegressor, FisherClassifier


def test_a_grid_search_over_a_pipeline(two_classes):
    x, y = two_classes
    pipeline = make_pipeline(StandardScaler(), BDTClassifier(n_trees=5))
    search = GridSearchCV(pipeline, {"bdtclassifier__max_depth": [1, 3], "bdtclassifier__n_trees": [2, 20]}, cv=2)
    search.fit(x, y)
    assert search.best_params_["bdtclassifier__n_trees"] == 20
    assert search.best_estimator_[-1].model_.fitted.forest.n_trees == 20


def test_cross_validation(two_classes):
    x, y = two_classes
    assert cross_val_score(FisherClassifier(), x, y, cv=3).mean() > 0.6
    p = cross_val_predict(FisherClassifier(), x, y, cv=3, method="predict_proba")
    assert p.shape == (400, 2)
    bnn = BNNRegressor(n_cycles=20, hidden_layers=2)
    assert cross_val_score(bnn, x, x[:, 0], cv=2).min() > 0.9


def test_calibration_and_voting(two_classes):
    x, y = two_classes
    calibrated = CalibratedClassifierCV(BDTClassifier(n_trees=5, boost_type="AdaBoost"), cv=2).fit(x, y)
    assert calibrated.score(x, y) > 0.6
    votes = VotingClassifier([("a", FisherClassifier()), ("b", BDTClassifier(n_trees=5))], voting="soft").fit(x, y)
    assert votes.score(x, y) > 0.6


def test_importances_select_features(two_classes):
    x, y = two_classes
    wide = np.column_stack([np.random.default_rng(1).normal(size=len(x)), x[:, 0]])
    np.testing.assert_array_equal(
        SelectFromModel(BDTClassifier(n_trees=20, max_depth=1)).fit(wide, y).get_support(), [False, True]
    )


@pytest.mark.parametrize("estimator", [BDTClassifier(n_trees=5), BNNClassifier(n_cycles=10, hidden_layers=2)], ids=repr)
def test_clones_and_pickles(two_classes, estimator):
    x, y = two_classes
    fitted = clone(estimator).fit(x, y)
    copy = pickle.loads(pickle.dumps(fitted))  # noqa: S301
    np.testing.assert_array_equal(copy.predict_proba(x), fitted.predict_proba(x))
    assert copy.get_params() == fitted.get_params() == estimator.get_params()
    assert not hasattr(clone(fitted), "model_")


def test_names_of_a_frame_are_those_of_the_weight_file(two_classes, tmp_path):
    x, y = two_classes
    frame = pd.DataFrame(x, columns=["pt", "abs(eta)"])
    scaled = StandardScaler().set_output(transform="pandas")
    pipeline = make_pipeline(scaled, BDTClassifier(n_trees=5)).fit(frame, y)
    bdt = pipeline[-1]
    assert list(bdt.feature_names_in_) == ["pt", "abs(eta)"]
    bdt.save(tmp_path / "weights.xml")
    model = TMVA.load(tmp_path / "weights.xml")
    assert [one.expression for one in model.variables] == ["pt", "abs(eta)"]
    assert (model.title, model.kind, model.classes) == ("BDTClassifier", "BDT", ("Signal", "Background"))
    np.testing.assert_allclose(model.predict(scaled.transform(frame)), bdt.decision_function(scaled.transform(frame)))


def test_a_subclass_may_have_an_init_of_its_own(two_classes):
    class Shallow(BDTClassifier):
        def __init__(self, depth=1):
            super().__init__(max_depth=depth, n_trees=3)
            self.depth = depth

    shallow = clone(Shallow(depth=2)).fit(*two_classes)
    assert shallow.get_params() == {"depth": 2}
    assert shallow.model_.options.integer("MaxDepth") == 2
    assert shallow.set_params(depth=1).depth == 1


def test_without_scikit_learn_the_error_says_what_to_install():
    script = (
        "import sys; sys.modules['sklearn'] = None\n"
        "from pytmva_bnn import *\n"
        "import pytmva_bnn\n"
        "try:\n    pytmva_bnn.BDTClassifier\nexcept ImportError as error:\n    print(error)"
    )
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)  # noqa: S603
    assert shown.stdout.strip().endswith("needs sklearn: install it with  pip install 'pytmva-bnn[sklearn]'")
