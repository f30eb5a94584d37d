"""Networks of scikit-learn as weight files: TMVA's response is their prediction."""

import warnings

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.convert import load_any
from pytmva_bnn.convert.scalers import linear_of
from pytmva_bnn.errors import InputError

pytest.importorskip("sklearn")
from sklearn.compose import TransformedTargetRegressor
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, PolynomialFeatures, RobustScaler, StandardScaler

NAMES = ["pt", "abs(eta)", "mass"]
SCALERS = [
    StandardScaler(),
    MinMaxScaler((-2, 3)),
    MaxAbsScaler(),
    RobustScaler(),
    StandardScaler(with_mean=False),
    StandardScaler(with_std=False),
    RobustScaler(with_centering=False, with_scaling=False),
]


@pytest.fixture(scope="module")
def events():
    """Return events in float32 on different scales, one variable far from 0, and standardised ones."""
    z = np.random.default_rng(4).normal(size=(300, 3))
    return (z * [1.0, 50.0, 1e-3] + [1e4, -3.0, 1.0]).astype(np.float32), z


def fitted(estimator, x, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return estimator.fit(x, y)


def network(kind=MLPClassifier, activation="tanh", sizes=(6, 4)):
    return kind(hidden_layer_sizes=sizes, activation=activation, max_iter=15, learning_rate_init=0.02, random_state=1)


def read_again(model, tmp_path):
    model.save(tmp_path / "weights.xml")
    return TMVA.load(tmp_path / "weights.xml")


@pytest.mark.parametrize("activation", ["logistic", "tanh", "relu", "identity"])
def test_two_classes(events, tmp_path, activation):
    x, z = events
    estimator = fitted(
        make_pipeline(StandardScaler(), network(activation=activation)), x, z[:, 0] + z[:, 1] * z[:, 2] > 0
    )
    model = read_again(TMVA.from_sklearn(estimator, NAMES), tmp_path)
    p = estimator.predict_proba(x.astype(np.float64))[:, 1]
    assert np.ptp(p) > 0.05
    np.testing.assert_allclose(model.predict(x), p, atol=3e-7)
    assert [one.expression for one in model.variables] == NAMES
    assert (model.title, model.kind, model.classes) == ("MLP", "MLP", ("Signal", "Background"))
    assert model.network.layer_sizes == (3, 6, 4, 1)
    assert model.options.string("HiddenLayers") == "6,4"
    assert (model.options.string("EstimatorType"), model.options.string("VarTransform")) == ("CE", "N")
    assert model.info["Converted from"] == "scikit-learn's MLPClassifier"


def test_the_reader_gives_the_same(events, tmp_path):
    x, z = events
    estimator = fitted(make_pipeline(StandardScaler(), network()), x, z[:, 0] > 0)
    TMVA.from_sklearn(estimator, NAMES, title="Net").save(tmp_path / "weights.xml")
    reader = TMVA.Reader("!Color:Silent")
    memory = np.zeros((3, 1), dtype=np.float32)
    for name, place in zip(NAMES, memory, strict=True):
        reader.AddVariable(name, place)
    reader.BookMVA("Net", str(tmp_path / "weights.xml"))
    for event, p in zip(x[:10], estimator.predict_proba(x[:10].astype(np.float64))[:, 1], strict=True):
        memory[:, 0] = event
        assert reader.EvaluateMVA("Net") == pytest.approx(p, abs=3e-7)


@pytest.mark.parametrize("scaler", SCALERS, ids=repr)
def test_scalers_are_a_normalisation(events, tmp_path, scaler):
    x, z = events
    estimator = fitted(make_pipeline(scaler, network(MLPRegressor, "identity", (3,))), x, z[:, 0])
    model = read_again(TMVA.from_sklearn(estimator, NAMES, target="energy"), tmp_path)
    expected = estimator.predict(x.astype(np.float64))
    assert len(model.transformations.placed) == 1
    # the sum of the weights' contributions, which nearly cancel where the scaler leaves numbers of 10,000
    scale = abs(scaler.transform(x.astype(np.float64))).max() * 5.0
    np.testing.assert_allclose(model.predict(x)[:, 0], expected, atol=3e-7 * max(scale, 1.0))
    np.testing.assert_allclose(
        linear_of([scaler], 3).slope * x[0] + linear_of([scaler], 3).offset,
        scaler.transform(x[:1].astype(np.float64))[0],
        rtol=1e-6,
        atol=1e-7,
    )


def test_a_variable_far_from_zero_keeps_its_precision(tmp_path):
    z = np.random.default_rng(1).normal(size=(200, 1))
    x = (1e6 + z).astype(np.float32)  # a unit in the last place is 1/16 of the spread
    estimator = fitted(make_pipeline(StandardScaler(), network(sizes=(4,))), x, z[:, 0] > 0)
    model = read_again(TMVA.from_sklearn(estimator, ["t"]), tmp_path)
    np.testing.assert_allclose(model.predict(x), estimator.predict_proba(x.astype(np.float64))[:, 1], atol=3e-7)


def test_without_a_scaler_nothing_is_transformed(events, tmp_path):
    _, z = events
    x = z.astype(np.float32)
    estimator = fitted(network(activation="relu", sizes=(5,)), x, z[:, 0] > 0)
    model = read_again(TMVA.from_sklearn(estimator, NAMES), tmp_path)
    assert not model.transformations.placed
    np.testing.assert_allclose(model.predict(x), estimator.predict_proba(x.astype(np.float64))[:, 1], atol=3e-7)


def test_several_classes(events, tmp_path):
    x, z = events
    labels = np.array(["b", "c", "light"])[np.digitize(z[:, 0] + z[:, 1], [-0.7, 0.7])]
    estimator = fitted(make_pipeline(RobustScaler(), network()), x, labels)
    model = read_again(TMVA.from_sklearn(estimator, NAMES), tmp_path)
    assert model.classes == ("b", "c", "light")
    np.testing.assert_allclose(model.predict(x), estimator.predict_proba(x.astype(np.float64)), atol=3e-7)


def test_several_scaled_targets(events, tmp_path):
    x, z = events
    targets = np.column_stack([1e3 * z[:, 0] + 5e4, z[:, 1]])
    inside = make_pipeline(StandardScaler(), network(MLPRegressor))
    estimator = fitted(TransformedTargetRegressor(inside, transformer=StandardScaler()), x, targets)
    model = read_again(TMVA.from_sklearn(estimator, NAMES, target=["e", "phi"]), tmp_path)
    assert [one.expression for one in model.targets] == ["e", "phi"]
    np.testing.assert_allclose(model.predict(x), estimator.predict(x.astype(np.float64)), rtol=3e-7, atol=3e-6)
    assert [one.label for one in TMVA.from_sklearn(estimator, NAMES).targets] == ["target0", "target1"]


def test_forests_and_own_estimators(events):
    x, z = events
    y = (z[:, 0] > 0).astype(int)
    forest = RandomForestClassifier(5, random_state=1).fit(x, y)
    np.testing.assert_array_equal(
        TMVA.from_sklearn(forest, NAMES).predict(x), TMVA.from_forest(forest, NAMES).predict(x)
    )
    fisher = TMVA.FisherClassifier().fit(x, y)
    assert TMVA.from_sklearn(fisher) is fisher.model_
    with pytest.raises(InputError, match="takes its names from the training"):
        TMVA.from_sklearn(fisher, NAMES)
    with pytest.raises(InputError, match="does not contain the preceding steps"):
        TMVA.from_sklearn(make_pipeline(StandardScaler(), TMVA.FisherClassifier()).fit(x, y))


def test_what_cannot_be_written(events):
    x, z = events
    y = z[:, 0] > 0
    with pytest.raises(InputError, match="MLPClassifier: not fitted"):
        TMVA.from_sklearn(network(), NAMES)
    with pytest.raises(InputError, match="several labels"):
        TMVA.from_sklearn(fitted(network(), z, np.column_stack([y, ~y])), NAMES)
    with pytest.raises(InputError, match=r"clip=True\) clips values"):
        TMVA.from_sklearn(fitted(make_pipeline(MinMaxScaler(clip=True), network()), x, y), NAMES)
    with pytest.raises(InputError, match="PolynomialFeatures: only StandardScaler"):
        TMVA.from_sklearn(fitted(make_pipeline(PolynomialFeatures(), network()), z, y), NAMES)
    with pytest.raises(InputError, match="has 3 features, but 2 variables are given"):
        TMVA.from_sklearn(fitted(network(), z, y), NAMES[:2])
    with pytest.raises(InputError, match="has 1 targets, but 2 names are given"):
        TMVA.from_sklearn(fitted(network(MLPRegressor), z, z[:, 0]), NAMES, target=["a", "b"])
    logarithm = TransformedTargetRegressor(network(MLPRegressor), func=np.log, inverse_func=np.exp)
    with pytest.raises(InputError, match="only a scaler of the targets"):
        TMVA.from_sklearn(fitted(logarithm, z, np.exp(z[:, 0])), NAMES)


def test_a_poisson_regression_is_a_logarithm(events, caplog):
    _, z = events
    x = z.astype(np.float32)
    if "loss" not in MLPRegressor().get_params():
        pytest.skip("this release of scikit-learn has no Poisson loss")
    estimator = fitted(network(MLPRegressor).set_params(loss="poisson"), x, np.exp(z[:, 0]))
    model = TMVA.from_sklearn(estimator, NAMES)
    assert "the logarithm of the prediction" in caplog.text
    np.testing.assert_allclose(np.exp(model.predict(x)[:, 0]), estimator.predict(x), rtol=1e-5)


def test_the_command_line_converts_a_pickle(events, tmp_path):
    import joblib

    from pytmva_bnn.cli import main

    x, z = events
    estimator = fitted(make_pipeline(StandardScaler(), network()), x, z[:, 0] > 0)
    joblib.dump(estimator, tmp_path / "net.joblib")
    names = ["--variables", "pt,abs(eta),mass", "--title", "Net"]
    arguments = ["convert", "--unpickle", str(tmp_path / "net.joblib"), str(tmp_path / "net.weights.xml"), *names]
    assert main(arguments) == 0
    model = load_any(tmp_path / "net.weights.xml")
    assert model.title == "Net"
    np.testing.assert_allclose(model.predict(x), estimator.predict_proba(x.astype(np.float64))[:, 1], atol=3e-7)
