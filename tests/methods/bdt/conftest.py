"""The reference records of BDT."""

from pathlib import Path

import pytest

METHODS = Path(__file__).resolve().parents[3] / "xml_fixtures" / "methods"
NAMES = sorted(path.parent.name for path in METHODS.glob("bdt_*/weights.xml.gz"))


@pytest.fixture(scope="session", params=NAMES)
def bdt_case(request, method_case):
    """Each of TMVA's records of a BDT in turn."""
    return method_case(request.param)
