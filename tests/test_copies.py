"""Models can be pickled and copied, also after they were used, and work in other processes."""

import copy
import io
import multiprocessing
import pickle

import numpy as np
import pytest

import pytmva_bnn as TMVA

CASES = ["fakerate_bnn", "trans_g", "reg_bnn", "multi_n", "mvapdfs"]


def events_of(model, n_events=50):
    rng = np.random.default_rng(1)
    low, high = (np.array([getattr(one, name) for one in model.variables]) for name in ("minimum", "maximum"))
    return (low + rng.random((n_events, len(low))) * (high - low)).astype(np.float32)


def used(case, **options):
    """Return a model that has computed all it can, so that everything that is kept for later is there."""
    model = TMVA.load(case.weights, **options)
    events = events_of(model)
    model.predict(events, errors=model.has_errors)
    model.response_pdfs  # noqa: B018
    return model, events


def predicted(model, events):
    found = model.predict(events, errors=True) if model.has_errors else (model.predict(events),)
    return [np.asarray(one) for one in found]


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("name", CASES)
def test_pickles_and_copies_give_the_same_numbers(case_named, name, compiled):
    if compiled:
        pytest.importorskip("numba")
    model, events = used(case_named(name), compiled=compiled)
    for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model), copy.copy(model)):  # noqa: S301
        assert again.to_xml() == model.to_xml()
        assert again.compiled is compiled
        for one, two in zip(predicted(again, events), predicted(model, events), strict=True):
            np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))])  # noqa: S301
def test_a_copy_has_weights_of_its_own(compiled, case_named, copied, precision):
    model, events = used(case_named("fakerate_bnn"), precision=precision)
    before, again = model.predict(events), copied(model)
    again.predict(events)
    again.network.matrices[-1][-1] += 1.0
    after = again.predict(events)
    np.testing.assert_allclose(np.log(after / (1 - after)) - np.log(before / (1 - before)), 1.0, rtol=1e-4)
    np.testing.assert_array_equal(model.predict(events), before)


def test_a_pickle_holds_no_compiled_state(case_named):
    pytest.importorskip("numba")
    fresh, _ = TMVA.load(case_named("fakerate_bnn").weights), None
    model, _ = used(case_named("fakerate_bnn"), compiled=True)
    fresh.response_pdfs, fresh.compiled = model.response_pdfs, True
    assert len(pickle.dumps(model)) < 1.1 * len(pickle.dumps(fresh))
    names = set()

    class Names(pickle.Unpickler):
        def find_class(self, module, name):
            names.add(module)
            return super().find_class(module, name)

    Names(io.BytesIO(pickle.dumps(model))).load()
    assert not any("numba" in name or "llvmlite" in name or ".kernels" in name for name in names)


def respond(model, events):
    return model.predict(events)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_other_processes_compute_the_same(case_named, method, precision):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {method} on this system")
    if precision == "float32":
        pytest.importorskip("numba")
    model, events = used(case_named("fakerate_bnn"), precision=precision)
    with multiprocessing.get_context(method).Pool(1) as pool:
        np.testing.assert_array_equal(pool.apply(respond, (model, events)), model.predict(events))


def test_dask_takes_models_as_they_are(case_named):
    dask = pytest.importorskip("dask")
    model, events = used(case_named("fakerate_bnn"))
    parts = [dask.delayed(respond)(model, part) for part in np.array_split(events, 3)]
    found = dask.compute(*parts, scheduler="processes", num_workers=1)
    np.testing.assert_array_equal(np.concatenate(found), model.predict(events))


def test_joblib_stores_models(case_named, tmp_path):
    joblib = pytest.importorskip("joblib")
    model, events = used(case_named("fakerate_bnn"))
    joblib.dump(model, tmp_path / "model.joblib")
    np.testing.assert_array_equal(joblib.load(tmp_path / "model.joblib").predict(events), model.predict(events))
