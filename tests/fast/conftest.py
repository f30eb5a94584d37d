"""Both ways of computing: with compiled code for every job however small, and with numpy alone."""

import pytest


@pytest.fixture
def compiled(monkeypatch):
    """Everything by compiled code."""
    pytest.importorskip("numba")
    monkeypatch.setenv("PYTMVA_BNN_FAST", "1")


@pytest.fixture(params=["numpy", "numba"])
def mode(request, monkeypatch):
    """Each way in turn."""
    if request.param == "numba":
        pytest.importorskip("numba")
    monkeypatch.setenv("PYTMVA_BNN_FAST", "1" if request.param == "numba" else "0")
    return request.param


@pytest.fixture
def by_numpy(monkeypatch):
    """Return the result of a function computed by numpy."""

    def result(function, *args, **kwargs):
        with monkeypatch.context() as patch:
            patch.setenv("PYTMVA_BNN_FAST", "0")
            return function(*args, **kwargs)

    return result
