"""The compiled classes give the numbers of :meth:`Model.predict`."""

import logging

import numpy as np
import pytest

from pytmva_bnn import histograms as pdf
from pytmva_bnn.methods.mlp.network import output_sensitivities

EPSILON = np.finfo(np.float64).eps


@pytest.fixture(autouse=True)
def _quiet(caplog):
    # matrices of the records are not positive for events far away
    caplog.set_level(logging.ERROR)
    with np.errstate(all="ignore"):
        yield


def transformed(subject):
    return subject.model.transformations.forward(subject.events.astype(np.float32), None)


def has_nan(subject):
    with np.errstate(over="ignore"):
        return ~np.isfinite(subject.events.astype(np.float32)).all(axis=1)


def test_first_outputs_agree(subject):
    expected = subject.model.fitted.respond(transformed(subject))[:, 0]
    expected[has_nan(subject)] = np.nan
    # a linear output can be 0 by cancellation
    tolerance = 0.0 if subject.model.network.output == "sigmoid" else 1e-13
    np.testing.assert_allclose(subject.results["GetMvaValue"][:, 0], expected, rtol=1e-12, atol=tolerance)


def test_responses_agree(subject):
    names = {
        "Classification": "GetMvaValue",
        "Regression": "GetRegressionValues",
        "Multiclass": "GetMulticlassValues",
    }
    found = subject.results[names[subject.model.analysis_type]]
    expected = subject.model.predict(subject.events)
    if subject.model.analysis_type == "Classification":
        np.testing.assert_allclose(found[:, 0], expected, rtol=1e-12)
    else:
        assert expected.dtype == np.float32
        np.testing.assert_array_equal(found, expected)


def errors_tolerance(subject):
    """Return how far two ways to compute σ may be apart: the terms of sᵀ A⁻¹ s cancel by many digits."""
    model = subject.model
    passed = model.fitted.propagate(transformed(subject))
    s = np.abs(output_sensitivities(model.network, passed))
    size = ((s @ np.abs(model.inverse_hessian)) * s).sum(axis=1)
    variance = model.standard_deviations(passed) ** 2
    return 1e-12 + 8 * EPSILON * size / variance


def assert_errors_agree(subject, found, expected):
    tolerance = errors_tolerance(subject)
    usable = (tolerance < 1e-3) & ~has_nan(subject)  # where the variance is more than rounding
    assert usable.mean() > 0.9
    difference = np.abs(found - expected) - 1e-14 * np.abs(subject.results["GetMvaValue"])
    assert (difference <= tolerance[:, np.newaxis] * np.abs(expected))[usable].all()
    assert np.isnan(found[has_nan(subject)]).all()


def test_errors_agree(subject):
    if not subject.model.has_errors:
        assert "GetMvaErrors" not in subject.results
        return
    found = subject.results["GetMvaErrors"]
    expected = subject.model.fitted.error_bars(transformed(subject), subject.model.name)
    assert_errors_agree(subject, found, np.stack(expected, axis=1))
    np.testing.assert_array_equal(subject.results["GetMvaError"][:, 0], found[:, 0])


def test_errors_of_well_conditioned_matrices_agree_to_12_digits(compiled):
    for name in ("trans_chain", "trans_g", "trans_d", "regulator_only"):
        subject = compiled[name]
        prediction = subject.model.predict(subject.events, errors=True)
        expected = np.stack([prediction.lower, prediction.upper], axis=1)
        np.testing.assert_allclose(subject.results["GetMvaErrors"], expected, rtol=1e-12)


def test_errors_of_targets_agree(compiled):
    for name in ("reg_bnn", "reg_none"):
        subject = compiled[name]
        prediction = subject.model.predict(subject.events, errors=True)
        expected = np.concatenate([prediction.lower, prediction.upper], axis=1)
        assert_errors_agree(subject, subject.results["GetRegressionErrors"], expected)


def test_probabilities_and_rarities_agree(subject):
    if subject.model.response_pdfs is None:
        assert "GetProba" not in subject.results
        return
    good = ~np.isnan(subject.results["GetMvaValue"][:, 0])
    response = subject.results["GetMvaValue"][good, 0]
    proba, rarity = subject.results["GetProba"][:, 0], subject.results["GetRarity"][:, 0]
    np.testing.assert_allclose(proba[good], pdf.probability(*subject.model.response_pdfs, response, 0.3), rtol=1e-12)
    np.testing.assert_allclose(rarity[good], pdf.rarity(subject.model.response_pdfs[1], response), rtol=1e-12)
    assert np.isnan(proba[~good]).all()
    assert np.isnan(rarity[~good]).all()


def test_an_event_with_a_nan_gives_nan(subject):
    for name, values in subject.results.items():
        assert np.isnan(values[has_nan(subject)]).all(), name


def test_the_responses_are_those_of_tmvas_reader(compiled, case_named):
    for name in ("bfgs_n", "trans_chain", "trans_g", "trans_p", "trans_select", "expressions", "fakerate_bnn"):
        expected = case_named(name).expected["mva"]
        found = compiled[name].results["GetMvaValue"][: len(expected), 0]
        np.testing.assert_allclose(found, expected, rtol=1e-13)
