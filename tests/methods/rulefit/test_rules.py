"""Rules: from trees, in words, and what they answer at their borders."""

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.methods.bdt.training.grow import grow
from pytmva_bnn.methods.bdt.training.sample import BoostSample
from pytmva_bnn.methods.rulefit.response import CompiledRules, responses
from pytmva_bnn.methods.rulefit.rules import NO_LINEAR_TERMS, Cut, LinearTerms, Model, RuleEnsemble, Rules
from pytmva_bnn.methods.rulefit.training import forest
from pytmva_bnn.methods.rulefit.training.rule_making import cuts_of, rules_of_trees, without_similar
from pytmva_bnn.random import TRandom3

INF = np.inf


def test_a_way_through_a_tree_becomes_cuts_by_variable():
    # to the right is above a cut; of several cuts on a side the loosest counts
    way = [(2, 1.0, True), (0, 5.0, False), (2, 0.5, True), (0, 7.0, False), (2, 3.0, False)]
    assert cuts_of(way) == (Cut(0, -INF, 7.0), Cut(2, 0.5, 3.0))


def test_each_node_but_the_root_is_a_rule_right_before_left(events):
    from pytmva_bnn.methods.bdt.training.event_list import EventList
    from pytmva_bnn.methods.bdt.training.settings import TreeSettings

    settings = TreeSettings("giniindex", 20, 2, 5.0, 0.5, False, 0.0, False, False, 0, False)
    sample = BoostSample.of(events)
    list_ = EventList(sample)
    tree = grow(list_.node_events(sample.is_signal, None), settings, np.zeros(3, dtype=bool), None)
    assert len(tree) == 7
    variable, cut = tree.variable.tolist(), tree.cut.tolist()
    # in pre-order the nodes are 0, left 1 (2, 3) and right 4 (5, 6)
    ways = [
        [(0, True)],
        [(0, True), (4, True)],
        [(0, True), (4, False)],
        [(0, False)],
        [(0, False), (1, True)],
        [(0, False), (1, False)],
    ]
    expected = [cuts_of([(variable[node], cut[node], right) for node, right in way]) for way in ways]
    assert rules_of_trees([tree]) == expected


def similar_by_hand(rules, min_distance):
    """The rules of TMVA, pair by pair; the widths of the variables are 0."""
    random, kept = TRandom3(), [True] * len(rules)
    for i in range(len(rules)):
        for k in range(i + 1, len(rules)) if kept[i] else ():
            if not kept[k]:
                continue
            kinds = [[(c.variable, c.low > -INF, c.high < INF) for c in rules[n]] for n in (i, k)]
            distance = 0.0 if kinds[0] == kinds[1] else -1.0
            if distance >= 0.0 and (distance < min_distance or min_distance < 0.0):
                kept[k if random.rndm() > 0.5 else i] = False
    return [rule for rule, is_kept in zip(rules, kept, strict=True) if is_kept]


@pytest.mark.parametrize("min_distance", [0.001, -1.0, 0.0])
def test_one_rule_of_each_kind_is_kept_unless_the_distance_is_zero(min_distance):
    random = np.random.default_rng(2)
    rules = []
    for _ in range(120):
        variables = np.flatnonzero(random.uniform(size=3) < 0.6).tolist() or [1]
        ends = [(-INF, 1.0), (-1.0, INF), (-1.0, 1.0)]
        rules.append(tuple(Cut(v, *ends[random.integers(3)]) for v in variables))
    found = without_similar(rules, min_distance)
    assert found == similar_by_hand(rules, min_distance)
    if min_distance == 0.0:
        assert found == rules
    else:
        # chance may drop a rule and the one that it was compared with
        assert len(found) <= len(set(rules)) < len(rules)


def test_boosting_keeps_the_sum_of_weights(events):
    sample = BoostSample.of(events)
    before = sample.weights.sum()

    class Grown:
        node_type = np.array([1, -1])
        leaf = (np.arange(600) % 3 == 0).astype(int)

    wrong = (Grown.leaf == 0) != sample.is_signal
    error = sample.weights[wrong].sum() / before
    forest.boost(sample, Grown)
    ratio = sample.boost_weights[wrong][0] / sample.boost_weights[~wrong][0]
    assert ratio == pytest.approx((1 - error) / error)
    assert sample.weights.sum() == pytest.approx(before)


def ensemble_of(rules, coefficients, linear=NO_LINEAR_TERMS, model=Model.RULES, offset=0.25):
    from dataclasses import replace

    found = replace(Rules.of(rules), coefficient=np.array(coefficients), importance=np.abs(coefficients))
    return RuleEnsemble(model, found, linear, offset, 0.01, 0.025, 0.2, 0.4)


BETWEEN = float(np.float32(0.1)) + 1e-12  # no float32
RULES = [(Cut(0, -1.0, 2.0),), (Cut(0, BETWEEN, INF), Cut(1, -INF, BETWEEN)), (), (Cut(1, 3.0, INF),)] + [
    (Cut(0, k / 8.0, INF), Cut(1, -3.0, k / 4.0)) for k in range(70)
]
COEFFICIENTS = [1.0, 0.1, 0.01, -0.7, *np.linspace(-0.3, 0.4, 70)]
LINEAR = LinearTerms(
    np.array([True, False]),
    np.array([0.3, 9.0]),
    np.array([0.7, 9.0]),
    np.array([-1.5, 0.0]),
    np.array([2.5, 0.0]),
    np.array([0.1, 0.0]),
)


def by_hand(ensemble, x):
    y = ensemble.offset
    if ensemble.model != Model.LINEAR:
        for number, coefficient in enumerate(ensemble.rules.coefficient.tolist()):
            if all(cut.low < x[cut.variable] < cut.high for cut in ensemble.rules.cuts(number)):
                y += coefficient
    if ensemble.model == Model.RULES:
        return y
    lines, linear = 0.0, ensemble.linear
    for v in np.flatnonzero(linear.used):
        lines += min(linear.high[v], max(linear.low[v], x[v])) * linear.coefficient[v] * linear.norm[v]
    return y + lines


@pytest.mark.parametrize("model", list(Model))
def test_all_ways_give_the_sum_written_out(model):
    """At the borders themselves a rule does not hold; more rules than an integer has bits."""
    ensemble = ensemble_of(RULES, COEFFICIENTS, LINEAR, model)
    random = np.random.default_rng(1)
    x = np.vstack([random.normal(0, 2, (3000, 2)), random.integers(-12, 24, (500, 2)) / 4.0])
    near = np.float32([[0.1, -1.0], [1.0, 0.1], [0.1, 0.1]])
    x = np.vstack([x, near, np.nextafter(near, np.float32(9)), np.nextafter(near, np.float32(-9))]).astype(np.float32)
    expected = [by_hand(ensemble, event.tolist()) for event in x]
    np.testing.assert_array_equal(responses(ensemble, x), expected)
    pytest.importorskip("numba")
    np.testing.assert_array_equal(CompiledRules.of(ensemble).responses(x), expected)
    assert len(CompiledRules.of(ensemble).responses(x[:0])) == 0


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_event_in_memory_gives_the_same_sum(dtype):
    from pytmva_bnn.methods.rulefit.linked_event import LinkedRules
    from pytmva_bnn.transform import Quantity, TransformationChain

    memory = [np.zeros(1, dtype=dtype) for _ in range(2)]
    chain = TransformationChain((), [Quantity("Variable", name, name) for name in "xy"])
    for model in Model:
        ensemble = ensemble_of(RULES, COEFFICIENTS, LINEAR, model)
        event = LinkedRules.of(ensemble, chain, memory)
        assert event is not None
        for x in [
            *np.float32(np.random.default_rng(1).integers(-12, 24, (300, 2)) / 4.0),
            *np.float32([[0.1, -1.0], [1.0, 0.1]]),
        ]:
            memory[0][0], memory[1][0] = x
            assert event.evaluate() == by_hand(ensemble, x.tolist())
        memory[1][0] = np.inf
        assert np.isnan(event.evaluate())


def test_rules_in_words(ensemble):
    rules = Rules.of([(Cut(0, 0.3, 2.1), Cut(1, -INF, -1.0)), (Cut(1, 5.25, INF),), ()])
    assert [rules.words(k, ["pt", "eta"]) for k in range(3)] == ["0.3 < pt < 2.1, eta < -1", "eta > 5.25", "always"]
    assert ensemble.rules.words(1, ["a", "b", "c", "d"]) == "a > -0.1108, d > -1.039"


def test_some_of_the_rules_keep_their_cuts(ensemble):
    some = ensemble.rules.at(np.array([4, 2]))
    assert [tuple(some.cuts(n)) for n in (0, 1)] == [tuple(ensemble.rules.cuts(n)) for n in (4, 2)]
    assert some.coefficient.tolist() == ensemble.rules.coefficient[[4, 2]].tolist()
    assert len(ensemble.rules.at(np.empty(0, dtype=np.intp))) == 0


def test_importance_of_variables_is_shared_by_the_cuts_of_a_rule():
    linear = LinearTerms(np.array([True, False]), *(np.ones(2) for _ in range(4)), np.array([0.5, 7.0]))
    found = ensemble_of([(Cut(0, 0.0, 1.0),), (Cut(0, 0.0, INF), Cut(1, 0.0, INF))], [1.0, -3.0], linear)
    assert found.variable_importance(2).tolist() == [1.0, 0.6]
    with_lines = ensemble_of(
        [(Cut(0, 0.0, 1.0),), (Cut(0, 0.0, INF), Cut(1, 0.0, INF))], [1.0, -3.0], linear, Model.RULES_AND_LINEAR
    )
    assert with_lines.variable_importance(2).tolist() == [1.0, 0.5]


def test_a_model_of_the_file_is_what_predict_uses(method_case):
    text = method_case("rulefit").weights_text
    x = method_case("rulefit").expected["inputs"][:50]
    parts = {
        number: TMVA.load_string(text.replace('LearningModel="0"', f'LearningModel="{number}"')).predict(x)
        for number in (0, 1, 2)
    }
    offset = 1.0300987775860805e-01
    np.testing.assert_allclose(parts[0], parts[1] + parts[2] - offset, rtol=0, atol=1e-14)
    assert not np.allclose(parts[1], parts[2])
