"""What scikit-learn's ``check_estimator`` asks for and TMVA's methods do not have."""

from __future__ import annotations

from pytmva_bnn.estimators.estimator import TMVAEstimator


def expected_failed_checks(estimator: TMVAEstimator) -> dict[str, str]:
    """Return the checks that fail, with the reasons: the argument of that name of ``check_estimator``."""
    return dict(estimator.failing_checks)
