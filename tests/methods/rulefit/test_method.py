"""Booking, options, training and damaged files."""

import re

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import InputError, OptionError, WeightFileError

QUICK = "nTrees=4:GDNSteps=200:GDStep=0.05:GDTau=0.2"


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ("RuleFitModule=RFFriedman", "needs Friedman's program, which is not part of this package"),
        ("IgnoreNegWeightsInTraining", "ignore events with negative weights in training not available"),
        ("VarTransform=N", "VarTransform is not supported"),
        ("GDNSteps=0", "GDNSteps=0 must be at least 1"),
        ("GDTau=1.5", "GDTau=1.5: it must be at most 1"),
        ("LinQuantile=0.5", "at least 0 and below 0.5"),
        ("Model=ModCubic", "ModCubic"),
    ],
)
def test_impossible_options_are_refused_at_booking(booked, options, problem):
    with pytest.raises(OptionError, match=problem):
        booked(options)


@pytest.mark.parametrize(
    ("name", "given", "written"),
    [
        ("nTrees", "-3", "20"),
        ("MinImp", "1.5", "0.000000e+00"),
        ("GDTauPrec", "0.7", "5.000000e-01"),
        ("GDTauPrec", "0", "1.000000e-05"),
        ("GDStep", "-1", "1.000000e-02"),
        ("GDErrScale", "0.5", "1.100000e+00"),
        ("GDPathEveFrac", "0.95", "5.000000e-01"),
        ("GDValidEveFrac", "0.7", "5.000000e-01"),
        ("fEventsMin", "-1", "0.000000e+00"),
        ("fEventsMax", "2", "1.000000e+00"),
        ("fEventsMax", "0.05", "1.000000e-01"),
    ],
)
def test_values_out_of_range_are_replaced(booked, name, given, written, caplog):
    _, method = booked(f"{name}={given}")
    assert f"Parameter {name}=" in caplog.text
    assert {one.name: one.value for one in method.booked.options.records()}[name] == written


def test_words_are_written_in_lower_case(booked):
    _, method = booked("Model=ModRule:ForestType=Random")
    records = {one.name: one.value for one in method.booked.options.records()}
    assert (records["Model"], records["ForestType"], records["RuleFitModule"]) == ("modrule", "random", "rftmva")


def test_it_is_for_classification_only():
    loader = TMVA.DataLoader("dataset")
    factory = TMVA.Factory("job", "!V:Silent:AnalysisType=Regression")
    with pytest.raises(InputError, match="cannot do AnalysisType=Regression"):
        factory.BookMethod(loader, "RuleFit", "RuleFit", "")


@pytest.mark.parametrize("options", [QUICK, f"{QUICK}:ForestType=Random", f"{QUICK}:RuleMinDist=0", "Model=ModLinear"])
def test_it_separates(booked, options):
    factory, method = booked(options)
    factory.TrainAllMethods()
    factory.TestAllMethods()
    factory.EvaluateAllMethods()
    assert method.GetROCIntegral() > 0.8
    again = TMVA.load(method.weight_file)
    assert again.to_xml() == method.model.to_xml()
    mean = again.predict({"x": [0.7, -0.7], "y": [0.7, -0.7]})
    assert mean[0] > 0.0 > mean[1]


def test_events_sorted_by_class_are_mixed(booked, caplog):
    factory, method = booked(QUICK, split="Block")
    factory.TrainAllMethods()
    assert "are all of one class, so that all events are mixed" in caplog.text
    mean = method.model.predict({"x": [0.7, -0.7], "y": [0.7, -0.7]})
    assert mean[0] > 0.3
    assert mean[1] < -0.3


def test_without_a_minimal_distance_all_rules_of_the_trees_are_there(booked):
    factory, method = booked(f"{QUICK}:RuleMinDist=0:MinImp=0:Model=ModRule")
    factory.TrainAllMethods()
    kinds = [tuple((cut.variable, cut.low > -np.inf) for cut in rule) for rule in _rules(method)]
    assert len(kinds) > len(set(kinds))


def _rules(method):
    rules = method.model.fitted.ensemble.rules
    return [tuple(rules.cuts(number)) for number in range(len(rules))]


def test_unimportant_terms_are_dropped(booked):
    found = {}
    for cut in ("0", "0.1"):
        factory, method = booked(f"{QUICK}:MinImp={cut}")
        factory.TrainAllMethods()
        found[cut] = method.model.fitted.ensemble
    everything, important = found["0"], found["0.1"]
    kept = everything.rules.importance / everything.reference >= 0.1
    assert 0 < len(important.rules) < len(everything.rules)
    assert important.rules.coefficient.tolist() == everything.rules.coefficient[kept].tolist()
    used = everything.linear.importance / everything.reference > 0.1
    assert important.linear.used.tolist() == used.tolist()
    assert important.importance_cut == 0.1
    assert important.average_support == everything.average_support


def test_support_and_purity_are_those_of_the_training_events(booked):
    factory, method = booked(f"{QUICK}:Model=ModRule", weight="1 + abs(w)")
    factory.TrainAllMethods()
    events, rules = method.dataset.training, method.model.fitted.ensemble.rules
    for number, cuts in enumerate(_rules(method)):
        holds = np.all(
            [
                (cut.low < events.variables[:, cut.variable]) & (events.variables[:, cut.variable] < cut.high)
                for cut in cuts
            ],
            axis=0,
        )
        inside, signal = events.weights[holds].sum(), events.weights[holds & (events.class_index == 0)].sum()
        assert rules.weight[number] == pytest.approx(inside)
        assert rules.support[number] == pytest.approx(inside / events.weights.sum())
        assert rules.purity[number] == pytest.approx(signal / inside)
        s = rules.support[number]
        assert rules.sigma[number] == pytest.approx((s * (1 - s)) ** 0.5)
        assert rules.norm[number] * rules.sigma[number] == pytest.approx(1.0)
        assert rules.importance[number] == pytest.approx(abs(rules.coefficient[number]) * rules.sigma[number])


def test_integer_variables_are_cut_at_whole_numbers(booked):
    random = np.random.default_rng(4)
    given = [{"n": random.poisson(mean, 200).astype(np.int32), "y": random.normal(0, 1, 200)} for mean in (8, 4)]
    factory, method = booked(
        f"{QUICK}:Model=ModRule", variables=(("n", "I"), ("y", "F")), signal=given[0], background=given[1]
    )
    factory.TrainAllMethods()
    ends = [end for rule in _rules(method) for cut in rule if cut.variable == 0 for end in cut[1:] if np.isfinite(end)]
    assert ends
    assert all(end == int(end) for end in ends)


def test_trees_without_a_cut_are_left_out(booked, caplog):
    factory, _ = booked(f"{QUICK}:Model=ModRule:fEventsMin=1:fEventsMax=1")
    with pytest.raises(InputError, match="no rule was found, so there is nothing to fit; smaller nodes"):
        factory.TrainAllMethods()
    assert "tree 0 has only a root node" in caplog.text
    factory, method = booked(f"{QUICK}:fEventsMin=1:fEventsMax=1")
    factory.TrainAllMethods()
    assert len(method.model.fitted.ensemble.rules) == 0
    assert method.model.fitted.ensemble.average_support == 0.8


def test_weights_must_have_a_positive_sum(booked):
    factory, _ = booked(QUICK, weight="x < 0 ? 1 : -1")
    with pytest.raises(InputError, match="training events of class Signal add up to -74"):
        factory.TrainAllMethods()


def test_a_step_of_zero_gives_a_constant(booked, caplog):
    factory, method = booked(f"{QUICK}:GDStep=0")
    factory.TrainAllMethods()
    assert "the response is a constant" in caplog.text
    assert len(set(method.model.predict({"x": [0.0, 1.0], "y": [1.0, -1.0]}).tolist())) == 1


DAMAGE = [
    ('LearningModel="0"', 'LearningModel="3"', "unknown LearningModel=3; known: 0 .ModRuleLinear."),
    (
        'NRules="35"',
        'NRules="34"',
        "34 elements <Rule> and then 4 elements <Linear> are expected; there are 39, 35 of Rule",
    ),
    ('NLinear="4"', 'NLinear="5"', "5 elements <Linear> are expected"),
    ("(?s)    <Linear [^>]*/>\n", "", "4 elements <Linear> are expected; there are 35, 35 of Rule, 0 of Linear"),
    ('Nvars="1"', 'Nvars="2"', "Mismatch in number of cuts: Nvars=2, but 1 are present"),
    ('Selector="3"', 'Selector="4"', "Selector=4, but there are 4 variables"),
    ('DoMin="T"', 'DoMin="yes"', "DoMin='yes' must be T or F"),
    ('(<Rule [^>]*) Coeff="[^"]*"', r'\1 Coeff="nan"', "Coeff='nan' is not a number"),
    ('(<Linear [^>]*) Norm="[^"]*"', r'\1 Norm="inf"', "Norm='inf' is not a number"),
    ('Offset="[^"]*"', "", "the attribute 'Offset' is missing"),
    ('DM="[^"]*"', 'DM="99"', "DM=99 is larger than DP="),
    ('OK="1"', 'OK="yes"', "OK='yes' is not a whole number"),
    ("<Cut ", "<Kut ", "only elements <Cut> are expected in a <Rule>"),
]


@pytest.mark.parametrize(("old", "new", "problem"), DAMAGE)
def test_damage_is_named(old, new, problem, method_case):
    before, weights = method_case("rulefit").weights_text.split("  <Weights", 1)
    changed = re.sub(old, new, f"  <Weights{weights}")
    assert changed != f"  <Weights{weights}"
    with pytest.raises(WeightFileError, match=problem) as caught:
        TMVA.load_string(before + changed)
    assert caught.value.line is not None


def test_a_linear_model_needs_a_term_for_each_variable(method_case):
    text = re.sub(r"(?s)    <Linear [^>]*/>\n", "", method_case("rulefit").weights_text, count=1)
    with pytest.raises(WeightFileError, match="NLinear=3, but there are 4 variables"):
        TMVA.load_string(text.replace('NLinear="4"', 'NLinear="3"'))


def test_text_files_are_refused():
    text = """\
#GEN -*-*-*-*-*-*-*-*-*-*-*- general info -*-*-*-*-*-*-*-*-*-*-*-

Method         : RuleFit::RuleFit
TMVA Release   : 3.9.5         [198917]
ROOT Release   : 5.18/00       [332288]

#OPT -*-*-*-*-*-*-*-*-*-*-*-*- options -*-*-*-*-*-*-*-*-*-*-*-*-

##

#VAR -*-*-*-*-*-*-*-*-*-*-*-* variables *-*-*-*-*-*-*-*-*-*-*-*-

NVar 1
a a 'F' [-1,1]

#WGT -*-*-*-*-*-*-*-*-*-*-*-*- weights -*-*-*-*-*-*-*-*-*-*-*-*-

1 2 3
"""
    with pytest.raises(WeightFileError, match=r"text files of RuleFit .TMVA 3.9. cannot be read"):
        TMVA.load_string(text)
