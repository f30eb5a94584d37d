"""What a booking with Boost_Num says, if it cannot be."""

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.methods import method_of
from pytmva_bnn.methods.booking import Booking
from pytmva_bnn.tmva_types import AnalysisType


def book(kind, options, analysis="Classification"):
    return Booking.parse(method_of(kind), options, AnalysisType.named(analysis), "title", 2)


@pytest.mark.parametrize(
    ("kind", "options", "analysis", "problem"),
    [
        ("BDT", "Boost_Num=3", "Regression", "boosting works with signal and background only, not with .*=Regression"),
        ("MLP", "Boost_Num=3", "Multiclass", "boosting works with signal and background only, not with .*=Multiclass"),
        ("Fisher", "Boost_Num=-2", "Classification", "title: Boost_Num=-2 is not a number of classifiers from 1 to"),
        ("Fisher", "Boost_Num=0", "Classification", "title: Boost_Num=0 is not .*leave it out"),
        ("Fisher", "Boost_Num=x", "Classification", "Option Boost_Num: 'x' is not a number"),
        ("Fisher", "Boost_Num=3:Boost_Type=AdBoost", "Classification", "predefined value.*did you mean.*AdaBoost"),
        ("Fisher", "Boost_Num=3:Boost_Transform=exp", "Classification", "allowed: step, linear, log, gauss"),
        ("Fisher", "Boost_Num=3:Boost_AdaBoostBeta=0", "Classification", "Boost_AdaBoostBeta=0 must be larger than 0"),
        (
            "Fisher",
            "Boost_Num=3:Boost_Type=Bagging:Boost_BaggedSampleFraction=0",
            "Classification",
            "Boost_BaggedSampleFraction=0 must be larger than 0",
        ),
        ("Fisher", "Boost_Num=3:NTrees=4", "Classification", "could not be interpreted: 'NTrees=4'"),
        ("Fisher", "Boost_Transform=log", "Classification", "could not be interpreted: 'Boost_Transform=log'"),
        ("MLP", "Boost_Num=3:Checkpoint=a.npz", "Classification", "a checkpoint belongs to one training"),
        ("Boost", "Boost_Num=3", "Classification", "Boost is not booked by name: book the classifier"),
        ("Boost", "", "Classification", "Boost is not booked by name"),
    ],
)
def test_what_cannot_be_booked(kind, options, analysis, problem):
    with pytest.raises(TMVA.TMVAError, match=problem):
        book(kind, options, analysis)


def test_a_classifier_has_its_options_of_each_variable():
    inner = book("Cuts", "Boost_Num=2:CutRangeMin[1]=-3:FitMethod=MC").settings.options
    assert inner["CutRangeMin"] == (-1.0, -3.0)
    assert inner["VarProp"] == ("NotEnforced", "NotEnforced")


def test_options_go_to_the_boosting_and_to_the_classifiers():
    booked = book("Fisher", "!H:Method=Mahalanobis:VarTransform=N:boost_num=7:Boost_Type=Bagging")
    assert booked.method.kind == "Boost"
    assert booked.options.integer("Boost_Num") == 7
    assert booked.options.string("VarTransform") == "N"
    inner = booked.settings.options
    assert inner.string("Method") == "Mahalanobis"
    assert inner.string("VarTransform") == "None"
    assert [record.name for record in booked.records()][6:] == [
        "Boost_Num",
        "Boost_MonitorMethod",
        "Boost_DetailedMonitoring",
        "Boost_Type",
        "Boost_BaggedSampleFraction",
        "Boost_AdaBoostBeta",
        "Boost_Transform",
        "Boost_RandomSeed",
    ]


def test_options_in_the_file_are_those_of_tmva_without_the_transformation(boost):
    method = boost("MLP", "!V:NCycles=2:VarTransform=N:HiddenLayers=2:Boost_Num=2:Hessian=Posterior").methods[0]
    expected = "~!V:~NCycles=2:~HiddenLayers=2:~Boost_Num=2"
    assert [one.options for one in method.model.fitted.classifiers] == [expected, expected]
    assert [one.name for one in method.model.fitted.classifiers] == ["B_B0000", "B_B0001"]
    assert {one.job_name for one in method.model.fitted.classifiers} == {"job"}


def test_a_response_that_is_not_finite_cannot_be_boosted(boost, monkeypatch):
    from pytmva_bnn.methods.linear.fisher import FittedFisher

    monkeypatch.setattr(FittedFisher, "mva_values", lambda _, x: np.full(len(x), np.nan))
    with pytest.raises(TMVA.TMVAError, match="B_B0000: the response to 200 training events is NaN or infinite"):
        boost("Fisher", "Boost_Num=2")


def test_options_of_each_variable_reach_the_classifiers(boost):
    options = "FitMethod=MC:SampleSize=50:VarProp[1]=FMax:CutRangeMin[0]=-1:CutRangeMax[0]=2:Boost_Num=2"
    fitted = boost("Cuts", f"{options}:Boost_Type=Bagging").methods[0].model.fitted
    for one in fitted.classifiers:
        reached = one.fitted.is_reached
        low, high = one.fitted.lower[reached, 0], one.fitted.upper[reached, 0]
        assert (low >= -1.0).all()
        assert (high - low < 3.0).all()
        assert (one.fitted.upper[reached, 1] == 1e30).all()
        assert reached.any()
