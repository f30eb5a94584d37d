"""What the tests of the posterior share."""

import sys

import pytest


@pytest.fixture
def without_arviz(monkeypatch):
    """As if ArviZ were not installed."""
    monkeypatch.setitem(sys.modules, "arviz", None)
