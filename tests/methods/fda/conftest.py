"""Records of FDA."""

import pytest

TRAININGS = ("fda_mc", "fda_ga", "fda_sa_reg")
CASES = (*TRAININGS, "fda_minuit", "fda_multi")


@pytest.fixture(params=CASES)
def record(request, method_case):
    return method_case(request.param)


@pytest.fixture(params=TRAININGS)
def training_record(request, method_case):
    """Each record whose training TMVA does right."""
    return method_case(request.param)
