"""When compiled code is used for what numpy does as well."""

import sys

import pytest

from pytmva_bnn.fast import twins


def test_never_if_it_is_switched_off(monkeypatch):
    monkeypatch.setenv("PYTMVA_BNN_FAST", "0")
    assert not twins.compiled_pays(1e9)


def test_always_if_it_is_asked_for(monkeypatch):
    pytest.importorskip("numba")
    monkeypatch.setenv("PYTMVA_BNN_FAST", "1")
    assert twins.compiled_pays(0.0)


@pytest.mark.parametrize(
    ("loaded", "seconds", "expected"),
    [(False, 0.05, False), (False, 0.2, True), (True, 0.001, False), (True, 0.05, True)],
)
def test_by_itself_it_depends_on_the_job_and_on_what_is_loaded(monkeypatch, loaded, seconds, expected):
    pytest.importorskip("numba")
    monkeypatch.setenv("PYTMVA_BNN_FAST", "auto")
    if loaded:
        monkeypatch.setitem(sys.modules, "numba", object())
    else:
        monkeypatch.delitem(sys.modules, "numba", raising=False)
    assert twins.compiled_pays(seconds) is expected
