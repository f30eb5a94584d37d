"""Sums of predictions by groups of events, of several targets and of classes."""

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.latent import PredictedSum
from pytmva_bnn.methods.mlp.network import Network, forward
from pytmva_bnn.methods.mlp.sums import SumOfOutputs
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.yields import Groups, PredictedSums

EVENTS = {
    "pt": np.array([12.0, 18.0, 15.0, 30.0, 55.0]),
    "ht": np.array([80.0, 90.0, 120.0, 100.0, 200.0]),
    "where": np.array(["out", "in", "in", "out", "in"]),
}


@pytest.fixture(scope="module")
def model(case_named):
    return TMVA.load(case_named("fakerate_bnn").weights)


def jacobian_of(model, events, responses):
    """The derivatives ``(n_events, n_outputs, n_weights)`` of responses by all weights, by differences."""
    network, step = model.network, 1e-5
    x, flat = model.transformations.forward(np.float32(events)), model.network.flat_weights()
    found = []
    for shift in step * np.eye(flat.size):
        high, low = (responses(forward(network.with_flat_weights(flat + s), x)) for s in (shift, -shift))
        found.append((high - low) / (2 * step))
    return np.stack(found, axis=-1)


def test_bins_have_the_covariance_of_their_events(model):
    weights = np.array([1.0, 2.0, 0.5, 1.0, 3.0])
    sums = model.predict_sum(EVENTS, weights, by="pt", bins=[10, 16, 20, 40])
    p = weights * model.predict(EVENTS)
    np.testing.assert_allclose(sums.values, [p[0] + p[2], p[1], p[3]], rtol=1e-12)
    matrix = np.column_stack([EVENTS["pt"], EVENTS["ht"]])
    j = weights[:, np.newaxis] * jacobian_of(model, matrix, lambda y: y)[:, 0]
    j = np.array([j[0] + j[2], j[1], j[3]])
    np.testing.assert_allclose(sums.covariance, j @ model.inverse_hessian @ j.T, rtol=1e-3)
    np.testing.assert_allclose(sums.errors**2, np.diag(sums.covariance))
    assert sums.labels == ("[10, 16)", "[16, 20)", "[20, 40]")
    assert (sums.n_events.tolist(), sums.n_outside, sums.by) == ([2, 1, 1], 1, "pt")
    assert sums.edges.tolist() == [10.0, 16.0, 20.0, 40.0]
    assert "1 events are outside the bins" in str(sums)
    # their sum, with the correlations, is the sum without bins
    inside = {name: column[:4] for name, column in EVENTS.items()}
    np.testing.assert_allclose(list(sums.total), list(model.predict_sum(inside, weights[:4])), rtol=1e-7)


@pytest.mark.parametrize(
    ("by", "names"),
    [
        ("where", ("in", "out")),
        (EVENTS["where"], ("in", "out")),
        ([1, 0, 0, 1, 0], ("0", "1")),
        ("pt < 13 || (pt > 20 && pt < 50)", ("0", "1")),
    ],
)
def test_groups_are_those_of_equal_values(model, by, names):
    sums = model.predict_sum(EVENTS, by=by)
    p = model.predict(EVENTS)
    np.testing.assert_allclose(sums.values, [p[[1, 2, 4]].sum(), p[[0, 3]].sum()], rtol=1e-12)
    assert sums.groups == names


def test_arrays_know_the_names_of_the_variables(model):
    matrix = np.column_stack([EVENTS["pt"], EVENTS["ht"]])
    by_name, of_dict = (model.predict_sum(events, by="ht", bins=3) for events in (matrix, EVENTS))
    np.testing.assert_array_equal(by_name.covariance, of_dict.covariance)
    assert by_name.edges.tolist() == [80.0, 120.0, 160.0, 200.0]
    with pytest.raises(InputError, match=r"by='eta' is not one of the variables \(pt, ht\)"):
        model.predict_sum(matrix, by="eta")


def test_a_single_bin_leaves_out_what_is_outside(model):
    sums = model.predict_sum(EVENTS, by="pt", bins=[13, 20])
    inside = {name: column[1:3] for name, column in EVENTS.items()}
    np.testing.assert_allclose([sums.values[0], sums.errors[0]], list(model.predict_sum(inside)), rtol=1e-9)
    assert sums.n_outside == 3


def test_blocks_do_not_matter(model, monkeypatch):
    monkeypatch.setattr(type(model.fitted), "block_events", lambda *_, **__: 2)
    small = model.predict_sum(EVENTS, by="where")
    monkeypatch.undo()
    np.testing.assert_allclose(small.covariance, model.predict_sum(EVENTS, by="where").covariance, rtol=1e-10)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"bins": [1, 2]}, "bins= needs by="),
        ({"by": [1.0]}, "5 events need as many values to group by"),
        ({"by": [1.0, np.nan, 1.0, 1.0, 1.0]}, "has NaN for 1 events"),
        ({"by": "where", "bins": 2}, "bins are for numbers: where is of type"),
        ({"by": "pt", "bins": [3, 1]}, "rising order"),
        ({"by": "pt", "bins": [1, np.inf]}, "finite edges"),
        ({"by": "phi"}, "by='phi' is neither a column of the events"),
    ],
)
def test_groups_that_make_no_sense_are_refused(model, arguments, words):
    with pytest.raises(InputError, match=words):
        model.predict_sum(EVENTS, **arguments)


def test_bins_hold_their_lower_edge_and_the_last_its_upper_edge_too():
    values = np.array([-0.1, 0.0, 1.0, 1.5, 2.0, 2.1])
    assert Groups.of(values, [0, 1, 2]).number.tolist() == [-1, 0, 1, 1, 1, -1]
    np.testing.assert_array_equal(np.histogram(values, [0, 1, 2])[0], [1, 3])


def test_targets_may_be_mixed_by_their_transformation():
    class Mixed:
        """A scale whose two targets depend on both outputs."""

        analysis_type = AnalysisType.REGRESSION
        is_classification = False

        def responses_at(self, h):
            return np.column_stack([h[0] + 2.0 * h[1], h[1] ** 2])

    network = Network.from_matrices([np.array([[0.5, -1.0], [0.1, 0.2]])], output="linear")
    covariance = np.diag([1.0, 2.0, 3.0, 4.0])
    total = SumOfOutputs(network, (covariance, covariance), Mixed(), 1)
    total.add(np.float32([[2.0]]), np.array([3.0]), np.array([0]))
    values, found = total.finished()
    h = np.array([1.1, -1.8])
    np.testing.assert_allclose(values, [[3 * (h[0] + 2 * h[1]), 3 * h[1] ** 2]])
    j = 3 * np.array([[2.0, 4.0, 1.0, 2.0], [0.0, 4.0 * h[1], 0.0, 2.0 * h[1]]])
    np.testing.assert_allclose(found, j @ covariance @ j.T, rtol=1e-8)


def test_too_many_groups_ask_for_bins():
    with pytest.raises(InputError, match="1001 different values: give bins="):
        Groups.of(np.arange(1001))


def test_one_target_gives_one_number_in_its_units(case_named):
    model = TMVA.load(case_named("reg_bnn").weights)
    events = np.random.default_rng(1).uniform(1.0, 4.0, (20, 2)).astype(np.float32)
    value, error = model.predict_sum(events)
    assert value == pytest.approx(model.predict(events).sum(), rel=1e-6)
    j = jacobian_of(model, events, lambda y: model.transformations.inverse_targets64(y))[:, 0].sum(axis=0)
    assert error == pytest.approx(np.sqrt(j @ model.inverse_hessian @ j), rel=1e-3)


@pytest.fixture(scope="module")
def two_targets():
    random = np.random.default_rng(3)
    x = random.uniform(-1, 1, 300)
    events = {"x": x, "a": x + random.normal(0, 0.1, 300), "b": 5 + x**2 + random.normal(0, 0.3, 300)}
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    loader.AddTarget("a")
    loader.AddTarget("b")
    loader.AddRegressionTree(events)
    factory = TMVA.Factory("job", "Silent:!DrawProgressBar:!ModelPersistence:AnalysisType=Regression")
    options = "TrainingMethod=BFGS:NCycles=60:HiddenLayers=2:NeuronType=tanh:UseRegulator:CalculateErrors"
    options += ":HessianPerOutput:VarTransform=N(_V0_,_T1_)"
    methods = [factory.BookMethod(loader, "MLP", kind, f"{options}:Hessian={kind}") for kind in ("Posterior", "TMVA")]
    factory.TrainAllMethods()
    return [method.model for method in methods]


def test_several_targets_have_a_covariance(two_targets):
    model = two_targets[0]
    events = np.linspace(-0.9, 0.9, 10, dtype=np.float32)[:, np.newaxis]
    sums = model.predict_sum(events)
    np.testing.assert_allclose(sums.values, model.predict(events).sum(axis=0), rtol=1e-6, atol=1e-6)
    j = jacobian_of(model, events, model.transformations.inverse_targets64).sum(axis=0)
    np.testing.assert_allclose(sums.covariance, j @ model.inverse_hessian @ j.T, rtol=1e-3)
    assert (sums.labels, sums.groups) == (("a", "b"), ())
    grouped = model.predict_sum(events, by="x", bins=[-1, 0, 1])
    assert grouped.values.shape == (2, 2)
    assert grouped.labels == ("[-1, 0) a", "[-1, 0) b", "[0, 1] a", "[0, 1] b")
    np.testing.assert_allclose(grouped.total.covariance, sums.covariance, rtol=1e-9)
    second = grouped.of("b")
    np.testing.assert_array_equal(second.values, grouped.values[:, 1])
    np.testing.assert_array_equal(second.covariance, grouped.covariance[np.ix_([1, 3], [1, 3])])
    value, error = second.total
    assert (value, error) == (pytest.approx(sums.values[1]), pytest.approx(sums.errors[1]))


def test_nothing_is_known_between_targets_with_a_matrix_each(two_targets):
    sums = two_targets[1].predict_sum([[0.1], [0.2]])
    assert np.isnan(sums.covariance).tolist() == [[False, True], [True, False]]
    own = two_targets[1].predict([[0.1]], errors=True)
    single = two_targets[1].predict_sum([[0.1]])
    np.testing.assert_allclose(single.errors, own.upper[0], rtol=0.1)


def test_chi2_has_the_correlations():
    sums = PredictedSums(np.array([10.0, 20.0]), np.array([[4.0, 2.0], [2.0, 4.0]]), ("a", "b"))
    expected = np.array([3.0, -1.0]) @ np.linalg.inv([[5.0, 2.0], [2.0, 6.0]]) @ [3.0, -1.0]
    assert sums.chi2([13, 19], variances=[1.0, 2.0]) == pytest.approx(expected)
    assert sums.chi2([10, 21]) == pytest.approx(np.linalg.inv([[14.0, 2.0], [2.0, 24.0]])[1, 1])
    assert sums.correlation.tolist() == [[1.0, 0.5], [0.5, 1.0]]
    assert repr(sums) == "<PredictedSums: 2 groups, 30 in all>"
    assert isinstance(sums.total, PredictedSum)
    assert sums.total.error == pytest.approx(np.sqrt(12))


def test_a_group_without_error_has_no_correlation():
    sums = PredictedSums(np.array([1.0, 0.0]), np.array([[1.0, 0.0], [0.0, 0.0]]), ("a", "b"))
    assert sums.correlation.tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_parts_that_are_not_there_are_refused():
    sums = PredictedSums(np.array([1.0, 0.0]), np.eye(2), outputs=("a", "b"))
    with pytest.raises(InputError, match="no groups"):
        sums.total  # noqa: B018
    with pytest.raises(InputError, match="no groups with several"):
        sums.of("a")
    with pytest.raises(InputError, match="'c' is not one of a, b"):
        PredictedSums(np.zeros((1, 2)), np.eye(2), ("g",), ("a", "b")).of("c")
