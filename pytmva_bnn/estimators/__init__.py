"""TMVA's methods as estimators of scikit-learn (extra ``sklearn``): ``fit``, ``predict``, ``predict_proba``, pipelines.

Parameters are TMVA's options in lower case with underscores: ``BDTClassifier(n_trees=400)`` is ``NTrees=400``.

>>> import numpy as np
>>> from pytmva_bnn.estimators import BNNClassifier
>>> x = np.random.default_rng(1).normal(size=(500, 2))
>>> bnn = BNNClassifier(hidden_layers=3, n_cycles=50).fit(x, x[:, 0] > 0)
>>> bnn.predict([[-3.0, 0.0], [3.0, 0.0]])
array([False,  True])
>>> bnn.model_
<Model 'BNNClassifier': Classification, 2-3-1, with error bars>
"""

from __future__ import annotations

from pytmva_bnn.optional import optional

optional("sklearn", "sklearn", "pytmva_bnn.estimators")  # the error that says how to install it

from pytmva_bnn.estimators.bnn import BNNClassifier, BNNRegressor  # noqa: E402
from pytmva_bnn.estimators.checks import expected_failed_checks  # noqa: E402
from pytmva_bnn.estimators.table import (  # noqa: E402
    BDTClassifier,
    BDTRegressor,
    FisherClassifier,
    HMatrixClassifier,
    KNNClassifier,
    KNNRegressor,
    LDClassifier,
    LDRegressor,
    LikelihoodClassifier,
    PDEFoamClassifier,
    PDEFoamRegressor,
    PDERSClassifier,
    PDERSRegressor,
    RuleFitClassifier,
    SVMClassifier,
)

__all__ = [
    "BDTClassifier",
    "BDTRegressor",
    "BNNClassifier",
    "BNNRegressor",
    "FisherClassifier",
    "HMatrixClassifier",
    "KNNClassifier",
    "KNNRegressor",
    "LDClassifier",
    "LDRegressor",
    "LikelihoodClassifier",
    "PDEFoamClassifier",
    "PDEFoamRegressor",
    "PDERSClassifier",
    "PDERSRegressor",
    "RuleFitClassifier",
    "SVMClassifier",
    "expected_failed_checks",
]
