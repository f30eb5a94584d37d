"""TMVA's options as parameters."""

import inspect

import numpy as np
import pytest
from sklearn.base import clone

from pytmva_bnn.errors import OptionError
from pytmva_bnn.estimators import BDTClassifier, BDTRegressor, BNNClassifier, FisherClassifier, LikelihoodClassifier
from pytmva_bnn.estimators.parameters import LARGEST_SEED, UnknownParameterError, parameter_name, seed_of
from pytmva_bnn.methods import kinds, method_of
from pytmva_bnn.options import pdf_options
from pytmva_bnn.tmva_types import AnalysisType


@pytest.mark.parametrize(
    ("option", "name"),
    [
        ("NTrees", "n_trees"),
        ("nCuts", "n_cuts"),
        ("HiddenLayers", "hidden_layers"),
        ("AdaBoostR2Loss", "ada_boost_r2_loss"),
        ("UseYesNoLeaf", "use_yes_no_leaf"),
        ("BPMode", "bp_mode"),
        ("Cts_sb", "cts_sb"),
        ("MaxVIterations", "max_v_iterations"),
        ("GDNSteps", "gd_n_steps"),
        ("nkNN", "nknn"),
        ("KDEtype", "kde_type"),
        ("C", "C"),
    ],
)
def test_names_are_in_snake_case(option, name):
    assert parameter_name(option) == name


def test_no_two_options_of_a_method_have_one_name():
    for kind in kinds(trainable=True):
        names = [parameter_name(one.name) for one in (*method_of(kind).options, *method_of(kind).more_options)]
        assert len(set(names)) == len(names)
    assert all(name.isidentifier() for name in (parameter_name(one.name) for one in pdf_options("")))


def test_signature_and_help_show_them():
    signature = inspect.signature(BDTClassifier)
    assert signature.parameters["n_trees"].default == 200
    assert {one.kind for one in signature.parameters.values()} == {inspect.Parameter.KEYWORD_ONLY}
    assert "n_trees : default 200\n    NTrees: " in BDTClassifier.__doc__
    assert "TMVA's default is 800" in BDTClassifier.__doc__
    assert "random_state" in inspect.signature(BNNClassifier).parameters
    assert "random_state" not in signature.parameters
    assert "nbins" in inspect.signature(LikelihoodClassifier).parameters


def test_defaults_are_those_of_the_analysis():
    options = {one.name: one.default for one in method_of("BDT").options_for(AnalysisType.REGRESSION)}
    assert BDTRegressor().separation_type == options["SeparationType"]


def test_only_what_differs_from_tmva_is_said():
    assert FisherClassifier().option_string() == ""
    assert BDTClassifier(boost_type="AdaBoost", n_trees=800, shrinkage=1).option_string() == ""
    assert BDTClassifier(n_trees=np.int64(7), use_yes_no_leaf=False).option_string() == (
        "NTrees=7:BoostType=Grad:Shrinkage=0.1:!UseYesNoLeaf"
    )
    assert BNNClassifier(hidden_layers=(4, 3), random_state=2, options="Tau=2").option_string() == (
        "HiddenLayers=4,3:NeuronType=tanh:VarTransform=N:TrainingMethod=BFGS:UseRegulator:CalculateErrors"
        ":Hessian=Bias:Multiclass=Softmax:Tau=2:RandomSeed=2"
    )


def test_a_wrong_name_is_an_error_with_a_suggestion():
    with pytest.raises(UnknownParameterError, match=r"no parameter 'n_tres': did you mean n_trees\?"):
        BDTClassifier(n_tres=3)
    with pytest.raises(TypeError):
        BDTClassifier(n_tres=3)
    with pytest.raises(ValueError, match="did you mean hidden_layers"):
        BNNClassifier().set_params(hiden_layers=3)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"boost_type": "Gard"}, r"BDTClassifier: Option BoostType .*did you mean Grad\?"),
        ({"n_trees": 2.5}, r"BDTClassifier: n_trees=2.5: Option NTrees takes a value of type Int"),
        ({"n_trees": True}, "n_trees=True"),
        ({"options": "NTress=3"}, r"NTress: did you mean NTrees\?"),
    ],
)
def test_a_wrong_value_is_the_error_of_the_option(two_classes, parameters, message):
    with pytest.raises(OptionError, match=message):
        BDTClassifier(**parameters).fit(*two_classes)


def test_seeds():
    assert seed_of(7) == 7
    assert seed_of(0) == LARGEST_SEED  # TMVA: 0 is another seed in each run
    assert seed_of(np.random.RandomState(3)) == seed_of(np.random.RandomState(3)) != seed_of(np.random.RandomState(4))
    assert seed_of(np.random.default_rng(3)) == seed_of(np.random.default_rng(3))
    with pytest.raises(OptionError, match="random_state=-1"):
        seed_of(-1)


def test_the_seed_matters(two_classes):
    x, y = two_classes
    short = BNNClassifier(hidden_layers=2, n_cycles=3, calculate_errors=False)
    of_seed = [clone(short).set_params(random_state=seed).fit(x, y).predict_proba(x) for seed in (None, 1, 0, 0, 2)]
    np.testing.assert_array_equal(of_seed[0], of_seed[1])
    np.testing.assert_array_equal(of_seed[2], of_seed[3])
    assert abs(of_seed[1] - of_seed[4]).max() > 1e-3
    assert abs(of_seed[1] - of_seed[2]).max() > 1e-3
