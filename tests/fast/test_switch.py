import subprocess
import sys

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn import fast
from pytmva_bnn.errors import InputError, MissingDependencyError
from pytmva_bnn.fast import switch
from pytmva_bnn.fast.threads import in_parts, n_threads

BNN = "xml_fixtures/cases/fakerate_bnn/weights.xml"


@pytest.fixture
def pretended(monkeypatch):
    """Numba installed, whether it is or not."""
    monkeypatch.setattr(switch, "_installed", lambda: True)
    monkeypatch.delenv("PYTMVA_BNN_FAST", raising=False)
    return monkeypatch


def test_by_default_a_job_is_decided_by_its_size_alone(pretended):
    assert fast.available()
    assert [fast.pays(1e7) for _ in range(100)] == [False] * 100
    assert fast.pays(1e8)
    assert not fast.pays(1e7)


def test_a_training_is_decided_by_its_size_alone(pretended):
    assert fast.in_training(5000, 41)
    assert not fast.in_training(2000, 41)
    assert fast.in_steps(2000 * 30)
    assert not fast.in_steps(500 * 60)


def test_switched_off_and_on(pretended):
    pretended.setenv("PYTMVA_BNN_FAST", "0")
    assert not fast.available()
    assert not fast.pays(1e12)
    assert not fast.in_training(10**6, 1000)
    assert not fast.in_steps(10**9)
    pretended.setenv("PYTMVA_BNN_FAST", "1")
    assert fast.pays(1.0)
    assert fast.in_training(1, 1)
    assert fast.in_steps(1)


def test_a_model_may_be_told_to_use_compiled_code_for_every_call(pretended):
    model = TMVA.load(BNN, compiled=True)
    assert model.is_compiled(1)
    assert model.is_compiled(1, errors=True)
    assert not TMVA.load(BNN).is_compiled(1)
    assert TMVA.load(BNN).is_compiled(10**6)
    assert not TMVA.load(BNN, compiled=False).is_compiled(10**6)


@pytest.mark.parametrize(("variable", "wanted", "expected"), [("0", True, False), ("1", False, True)])
def test_the_environment_variable_comes_before_what_a_model_was_told(pretended, variable, wanted, expected):
    pretended.setenv("PYTMVA_BNN_FAST", variable)
    assert TMVA.load(BNN, compiled=wanted).is_compiled(1) is expected


def test_compiled_code_that_was_asked_for_and_cannot_be_had_is_an_error(monkeypatch):
    monkeypatch.setattr(switch, "_installed", lambda: False)
    monkeypatch.delenv("PYTMVA_BNN_FAST", raising=False)
    with pytest.raises(
        MissingDependencyError, match=r"compiled=True or precision='float32' needs numba.*pytmva-bnn\[fast\]"
    ):
        TMVA.load(BNN, compiled=True).predict([[15.0, 80.0]])
    assert TMVA.load(BNN).predict([[15.0, 80.0]]).shape == (1,)


def test_other_values_are_refused(pretended):
    pretended.setenv("PYTMVA_BNN_FAST", "yes")
    with pytest.raises(InputError, match="PYTMVA_BNN_FAST must be 0, 1 or auto, got 'yes'"):
        fast.available()


def test_a_small_job_does_not_import_numba():
    script = (
        "import sys, pytmva_bnn as TMVA; TMVA.load('xml_fixtures/cases/bfgs_n/weights.xml').predict([[0.0] * 4] * 100);"
        "print('numba' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)  # noqa: S603
    assert result.stdout.strip() == "False"


@pytest.mark.parametrize(
    ("own", "omp", "expected"), [("3", "5", 3), ("", "5", 5), ("", "2,1", 2), ("", "many", None), ("", "", None)]
)
def test_threads_are_as_many_as_allowed(monkeypatch, own, omp, expected):
    monkeypatch.setenv("PYTMVA_BNN_THREADS", own)
    monkeypatch.setenv("OMP_NUM_THREADS", omp)
    assert n_threads() == expected if expected else n_threads() >= 1


def test_a_number_of_threads_that_is_none_is_refused(monkeypatch):
    monkeypatch.setenv("PYTMVA_BNN_THREADS", "all")
    with pytest.raises(InputError, match="must be a number of threads, got 'all'"):
        n_threads()


@pytest.mark.parametrize("n", [0, 1, 7, 1000, 1001])
def test_parts_cover_everything_once(monkeypatch, n):
    monkeypatch.setenv("PYTMVA_BNN_THREADS", "3")
    seen = np.zeros(n, dtype=int)

    def do(start, stop):
        assert start % 4 == 0
        seen[start:stop] += 1

    in_parts(do, n, 4, 1e9)
    assert (seen == 1).all()


def test_an_error_in_a_part_is_raised(monkeypatch):
    monkeypatch.setenv("PYTMVA_BNN_THREADS", "2")

    def fail(start, stop):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        in_parts(fail, 1000, 1, 1e9)
