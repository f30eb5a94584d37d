"""The C++ classes, compiled into one program: TMVA's responses to the last bit."""

from dataclasses import replace

import numpy as np
import pytest

from pytmva_bnn.model import Model
from pytmva_bnn.standalone import class_source

CALLS = {"Regression": "GetRegressionValues", "Multiclass": "GetMulticlassValues"}


@pytest.fixture(scope="module")
def results(subjects, cpp_responses):
    """Return GetMvaValue and, where there are some, the other values of all events by the name of the subject."""

    def calls(model):
        return ["GetMvaValue", *filter(None, [CALLS.get(model.analysis_type)])]

    found = cpp_responses({name: (subject.model, subject.events) for name, subject in subjects.items()}, calls)
    return {name: values.reshape(len(values), -1) for name, values in found.items()}


def test_responses_are_those_of_predict_to_the_last_bit(subject, results):
    found = results[subject.name]
    with np.errstate(over="ignore"):
        expected = subject.model.predict(subject.events)
    values = found[:, 1:] if subject.model.analysis_type in CALLS else found[:, 0]
    np.testing.assert_array_equal(values, expected)
    assert np.isnan(values[-3:]).all()
    assert np.isfinite(values[:-3]).any()


def test_get_mva_value_is_what_evaluate_mva_gives(subject, results):
    model = subject.model
    with np.errstate(over="ignore"):
        events = subject.events.astype(np.float32)
    finite = np.isfinite(events).all(axis=1)
    inputs = model.transformations.forward(events[finite], None)
    np.testing.assert_array_equal(results[subject.name][finite, 0], model.fitted.mva_values(inputs))
    assert np.isnan(results[subject.name][~finite, 0]).all()


def test_the_class_is_a_table_with_all_digits(subjects):
    source = class_source(subjects["single_leaves"].model)
    assert '// ReadBDT: the response of the forest "BDT" in plain C++17' in source
    rows = "{1.0f, 0, 0},\n      // tree 1\n      {0.25f, -2, 1}, {-1.0f, 0, 0}, {1.0f, 0, 0},"
    assert f"static constexpr Node kNodes[8] = {{\n      // tree 0\n      {rows}" in source
    assert "kPreselection" not in source
    assert "{1, false, -1.8871079850196839e+00, -1.0}" in class_source(subjects["bdt_presel"].model)


def test_numbers_that_are_not_finite_are_written_too(subjects):
    model = subjects["bdt_presel"].model
    cuts = model.fitted.forest.cut.copy()
    cuts[0] = np.inf
    forest = replace(model.fitted.forest, cut=cuts)
    assert "{std::numeric_limits<float>::infinity(), -4, 1}" in class_source(
        Model(model.file, replace(model.fitted, forest=forest))
    )
