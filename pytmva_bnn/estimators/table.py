"""The other estimators, one statement each: the method, what its responses mean, and the defaults that are ours."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pytmva_bnn.estimators.estimator import WEIGHT_CHECK, TMVAClassifier, TMVAEstimator, TMVARegressor
from pytmva_bnn.options import pdf_options

_BDT = {"n_trees": 200, "boost_type": "Grad", "shrinkage": 0.1}
_NONE: Mapping[str, str] = MappingProxyType({})
_FEW_EVENTS = MappingProxyType(
    dict.fromkeys(
        (
            WEIGHT_CHECK,
            "check_n_features_in_after_fitting",
            "check_positive_only_tag_during_fit",
            "check_estimators_dtypes",
            "check_dtype_object",
            "check_regressors_train",
            "check_regressor_data_not_an_array",
            "check_regressors_no_decision_function",
            "check_regressors_int",
        ),
        "the check has too few events for cells in all its variables",
    )
)
_KNN = {"var_transform": "N", "scale_frac": 0.0, "balance_depth": 3}


class BDTClassifier(TMVAClassifier, kind="BDT", **_BDT):
    """TMVA's boosted decision trees.

    The probability is exact for ``boost_type="Grad"``, for the others it is calibrated; only ``Grad`` tells more than
    two classes apart.
    """

    boost_type: str

    def _is_multiclass(self) -> bool:
        return str(self.boost_type).lower() == "grad"


class BDTRegressor(TMVARegressor, kind="BDT", **_BDT):
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

    def _adapted(self, n_events: int) -> dict[str, Any]:
        return {"nknn": max(n_events - 2, 1)} if n_events < self.nknn + 2 else {}


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


class PDEFoamClassifier(TMVAClassifier, kind="PDEFoam"):
    """The fraction of the second class in the cells of a foam that adapts to the events."""

    failing_checks = _FEW_EVENTS


class PDEFoamRegressor(TMVARegressor, kind="PDEFoam"):
    """The mean target in the cells of a foam that adapts to the events."""

    failing_checks = _FEW_EVENTS


class RuleFitClassifier(TMVAClassifier, kind="RuleFit"):
    """A sum of rules and linear terms; the probability is calibrated."""


class SVMClassifier(TMVAClassifier, kind="SVM", var_transform="N"):
    """TMVA's support vector machine; the probability is calibrated."""
