"""The other estimators, one statement each: the method, what its responses mean, and the defaults that are ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.estimators.estimator import WEIGHT_CHECK, TMVAClassifier, TMVAEstimator, TMVARegressor
from pytmva_bnn.options import pdf_options

_BDT = {"n_trees": 200, "boost_type": "Grad", "shrinkage": 0.1}
_NONE: Mapping[str, str] = MappingProxyType({})
_KNN = {"var_transform": "N", "scale_frac": 0.0, "balance_depth": 3}


class _Trees(TMVAEstimator):
    """What forests know of their variables."""

    @property
    def feature_importances_(self) -> FloatArray:
        """Return TMVA's importance of each feature: what the cuts on it gain, all together 1."""
        check_is_fitted(self)
        importances = np.zeros(self.n_features_in_)
        importances[self.used_features_] = self.model_.result.importance
        return importances


class BDTClassifier(_Trees, TMVAClassifier, kind="BDT", **_BDT):
    """TMVA's boosted decision trees.

    The probability is exact for ``boost_type="Grad"``, for the others it is calibrated; only ``Grad`` tells more than
    two classes apart.
    """

    boost_type: str

    def _is_multiclass(self) -> bool:
        return str(self.boost_type).lower() == "grad"


class BDTRegressor(_Trees, TMVARegressor, kind="BDT", **_BDT):
    """TMVA's boosted decision trees."""


class FisherClassifier(TMVAClassifier, kind="Fisher"):
    """Fisher's linear discriminant; the probability is calibrated."""

    independent = "in all"
    failing_checks = _NONE


class LDClassifier(TMVAClassifier, kind="LD"):
    """TMVA's linear discriminant, a linear regression to the classes; the probability is calibrated."""

    independent = "in all"
    failing_checks = _NONE


class LDRegressor(TMVARegressor, kind="LD"):
    """TMVA's linear discriminant as a linear regression."""

    several_targets = True
    independent = "in all"
    failing_checks = _NONE


class HMatrixClassifier(TMVAClassifier, kind="HMatrix"):
    """TMVA's H-matrix, the difference of two χ²; the probability is calibrated."""

    independent = "in each class"
    failing_checks = MappingProxyType({WEIGHT_CHECK: "a class of the check has one event, and so no covariances"})


class LikelihoodClassifier(TMVAClassifier, kind="Likelihood", more=pdf_options(""), nbins=20):
    """The ratio of products of densities of one variable; the probability is for the mixture of the training."""

    meaning = "equal priors"
    failing_checks = _NONE


class _Neighbours(TMVAEstimator):
    """K nearest neighbours of few events: at most all but the two that TMVA needs in addition."""

    nknn: int

    def _adapted(self, n_events: Sequence[int], n_variables: int) -> dict[str, Any]:
        del n_variables
        return {"nknn": max(sum(n_events) - 2, 1)} if sum(n_events) < self.nknn + 2 else {}


class KNNClassifier(_Neighbours, TMVAClassifier, kind="KNN", **_KNN):
    """The nearest neighbours; the probability is the fraction of the second class among them."""

    meaning = "probability"


class KNNRegressor(_Neighbours, TMVARegressor, kind="KNN", **_KNN):
    """The mean target of the nearest neighbours."""

    several_targets = True
    poor_score = True


class PDERSClassifier(TMVAClassifier, kind="PDERS"):
    """The densities in a box around each event; the probability is for the mixture of the training."""

    meaning = "equal priors"
    failing_checks = _NONE


class PDERSRegressor(TMVARegressor, kind="PDERS"):
    """The mean target in a box around each event."""

    poor_score = True
    failing_checks = _NONE


class _Foam(TMVAEstimator):
    """A foam of few events: the boxes that explore it hold half an event of the smallest class on average."""

    vol_frac: float

    def _adapted(self, n_events: Sequence[int], n_variables: int) -> dict[str, Any]:
        return {"vol_frac": max(self.vol_frac, (0.5 / min(n_events)) ** (1.0 / n_variables))}


class PDEFoamClassifier(_Foam, TMVAClassifier, kind="PDEFoam"):
    """The fraction of the second class in the cells of a foam that adapts to the events."""


class PDEFoamRegressor(_Foam, TMVARegressor, kind="PDEFoam"):
    """The mean target in the cells of a foam that adapts to the events."""

    poor_score = True


class RuleFitClassifier(TMVAClassifier, kind="RuleFit"):
    """A sum of rules and linear terms; the probability is calibrated."""


class SVMClassifier(TMVAClassifier, kind="SVM", var_transform="N"):
    """TMVA's support vector machine; the probability is calibrated."""
