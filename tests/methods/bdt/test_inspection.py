"""What inspect shows of a forest: counted again from the XML, drawings compared with the nodes."""

import json
from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.cli import main
from pytmva_bnn.errors import InputError
from pytmva_bnn.model import Model
from pytmva_bnn.options import OptionRecord


@pytest.fixture
def inspected(capsys):
    """Return what ``pytmva-bnn inspect`` prints."""

    def run(*arguments):
        capsys.readouterr()
        assert main(["inspect", *map(str, arguments)]) == 0
        return capsys.readouterr().out

    return run


def test_numbers_are_those_of_the_file(bdt_case, inspected):
    found = json.loads(inspected("--json", bdt_case.weights))
    trees = ET.fromstring(bdt_case.weights_text).findall("Weights/BinaryTree")  # noqa: S314 - our own file
    nodes = [node for tree in trees for node in tree.iter("Node")]
    forest, labels = found["forest"], [one["label"] for one in found["variables"]]
    assert (forest["trees"], forest["nodes"]) == (len(trees), len(nodes))
    depths = [max(int(node.get("depth")) for node in tree.iter("Node")) for tree in trees]
    assert (forest["smallest_depth"], forest["largest_depth"]) == (min(depths), max(depths))
    counts = Counter(int(node.get("IVar")) for node in nodes if node.get("nType") == "0")
    names = [*labels, "(linear combinations)"]
    assert {one["variable"]: one["cuts"] for one in found["cuts"] if one["cuts"]} == {
        names[number]: count for number, count in counts.items()
    }
    weights = np.float32([tree.get("boostWeight") for tree in trees]).astype(float)
    if "largest_weight" in forest:
        assert (forest["smallest_weight"], forest["largest_weight"]) == (weights.min(), weights.max())
    if "offset" in forest:
        assert forest["offset"] == weights[0]
    if counts:
        assert sum(one["fraction"] for one in found["cuts"]) == pytest.approx(1.0)
    assert forest["boost_type"] == next(one.value for one in TMVA.load(bdt_case.weights).file.options
                                        if one.name == "BoostType")  # fmt: skip


def test_cuts_count_with_the_weights_of_their_trees(method_case):
    model = TMVA.load(method_case("bdt_presel").weights)
    data = model.fitted.inspection(model.file).data["cuts"]
    by_hand = Counter()
    for tree, weight in zip(model.fitted.forest, model.fitted.tree_weights, strict=True):
        for variable in tree.variable[tree.is_inner]:
            by_hand["s" if variable == 0 else "var1"] += weight
    assert [(one["variable"], one["cuts"]) for one in data] == [("s", 13), ("var1", 15)]
    for one in data:
        assert one["weight"] == pytest.approx(by_hand[one["variable"]])
        assert one["fraction"] == pytest.approx(by_hand[one["variable"]] / by_hand.total())


PRESEL = """\
Forest
  trees             10; 66 nodes, depth 2 to 3
  boosting          AdaBoost
  leaves answer     1 (signal) or -1 (background)
  response          mean, weighted with the trees' weights
  weights of trees  0.0912343 to 0.497045
  preselection      2 cuts
  separation        GiniIndex
"""
PRESEL_END = """\
Variables in the cuts
  s        13 cuts   58.44%
  var1     15 cuts   41.56%
  The percentages count every cut with the weight of its tree. TMVA's variable importance is known only after a
  training: it needs the gains of the cuts, which are not in the file.

Preselection
  s > 7.3058: signal
  var1 < -1.88711: background

Tree 0 of 10
  weight 0.497045
  +- var1 >= 0.149884
  |  +- s >= -1.21171: signal (purity 0.835962)
  |  +- s < -1.21171: background (purity 0.174603)
  +- var1 < 0.149884
     +- s >= 2.02421
     |  +- s >= 3.2678: background (purity 0.397974)
     |  +- s < 3.2678: signal (purity 0.704125)
     +- s < 2.02421: background (purity 0.324675)
"""


def test_the_text_for_people(method_case, inspected):
    text = inspected(method_case("bdt_presel").weights)
    assert text.startswith("BDT: Classification, 10 trees, 66 nodes, without error bars\n")
    assert PRESEL in text
    assert text.endswith(PRESEL_END)


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("bdt_multi", ["200, 50 for each class; 1346 nodes, depth 2", "softmax", "weight 1, class Signal"]),
        ("bdt_grad_reg", ["offset         14.7063", "sum, and an offset", "+- var2 >= 0.768347: 1.43066, rms 0.75562"]),
        ("bdt_reg", ["mean around the weighted median", "|  |  |  |  +- ... 2 more nodes"]),
        ("bdt_grad", ["2/(1 + exp(-2 sum)) - 1", "a response of their own"]),
        ("bdt_real", ["their purity", ": purity 0.832061"]),
        ("bdt_sep_crossentropy", ["separation        CrossEntropy"]),
        ("bdt_d", ["cuts on the transformed variables"]),
        ("bdt_fisher2", ["(linear combinations)     18 cuts", "+0.10229*var4 -0.04022 <= 0.121038: background"]),
        ("bdt_stop", ["1 tree, 1 nodes", "  background (purity 0.5)", "Boosting ended early: 1 of 20 trees."]),
    ],
)
def test_every_kind_of_forest_is_described(name, texts, method_case, inspected):
    text = inspected(method_case(name).weights)
    for words in texts:
        assert words in text
    assert ("Notes" in text) == ("Boosting" in text)


@pytest.mark.parametrize("name", ["bdt_ada", "bdt_fisher2", "bdt_reg", "bdt_multi"])
def test_following_the_nodes_of_a_tree_gives_its_answer(name, method_case, inspected):
    case = method_case(name)
    model, number = TMVA.load(case.weights), 3
    data = json.loads(inspected("--tree", number, "--json", case.weights))
    assert data["tree"] == number
    assert data["weight"] == model.fitted.effective_weights[number]
    inputs = case.expected["inputs"][:40]
    from pytmva_bnn.methods.bdt.response import fisher_values, leaf_numbers

    leaves = leaf_numbers(model.fitted.forest, inputs)[:, number]
    coefficients = model.fitted.forest[number].coefficients_of()
    for event, leaf in zip(inputs, leaves, strict=True):
        node = data["nodes"][0]
        values = dict(zip([one.label for one in model.variables], event, strict=True))
        while "answer" not in node:
            label, _, relation = node["condition"].partition(" >= ")
            passed = values[label] >= np.float32(node["cut"]) if relation else (
                fisher_values(coefficients[node["node"]], event[:, np.newaxis])[0] > node["cut"]
            )  # fmt: skip
            node = data["nodes"][node["if_passed" if passed else "if_not"]]
        assert node["node"] == leaf - model.fitted.forest.starts[number]
        assert node["answer"] == model.fitted.leaf_answers[leaf]


def test_a_tree_is_drawn_to_its_leaves_on_demand(method_case, inspected):
    case = method_case("bdt_reg")
    text = inspected("--part", 0, case.weights)
    tree = TMVA.load(case.weights).fitted.forest[0]
    assert text.startswith("Tree 0 of 50\n  weight 2.69775\n")
    assert text.count(": ") == text.count("rms") == np.count_nonzero(~tree.is_inner)
    assert len(text.splitlines()) == 1 + len(tree)  # the root has no line of its own, titles have two
    assert "more nodes" not in text


def test_parts_that_do_not_exist(method_case):
    model = TMVA.load(method_case("bdt_stop").weights)
    with pytest.raises(InputError, match="BDT has no tree 1: there are 1, counted from 0"):
        model.fitted.part(1, model.file)
    network = TMVA.load("xml_fixtures/cases/bfgs_n/weights.xml")
    with pytest.raises(InputError, match="MLP: a MLP has no parts"):
        network.fitted.part(0, network.file)


def test_old_files_are_told_about(method_case, inspected):
    text = inspected(method_case("bdt_text39").folder / "weights.txt")
    for words in ("before 4.2 with x > cut", "rounded to float32"):
        assert words in text
    assert "signal\n" in text  # no purity is known
    assert "-99" not in text


def notes(model, *, options=(), info=(), **fitted):
    file = replace(
        model.file,
        options=(*model.file.options, *(OptionRecord(name, value, modified=True) for name, value in options)),
        info=(*info, *model.file.info),
    )
    changed = Model(file, replace(model.fitted, **fitted))
    return changed.fitted.inspection(changed.file).data["notes"]


def test_quirks_are_notes(method_case):
    model = TMVA.load(method_case("bdt_presel").weights)
    assert notes(model) == []
    (note,) = notes(model, options=[("UseWeightedTrees", "False")])
    assert note.startswith("UseWeightedTrees=False has no effect")
    assert notes(model, options=[("UseWeightedTrees", "True")]) == []
    nothing = replace(model.fitted.forest, boost_weights=np.zeros(10))
    (note,) = notes(model, forest=nothing)
    assert "every response is 0" in note
    old = [("TMVA Release", "4.1.3 [262403]")]
    assert "before 4.2" in notes(Model(replace(model.file, info=()), model.fitted), info=old)[0]
    text = notes(model, rounded=False, yes_no_leaf=False)
    assert "every response is -99" in text[1]
    multi = TMVA.load(method_case("bdt_multi_plain").weights)
    cuts = model.fitted.preselection
    assert "ignore it" in notes(multi, preselection=cuts, do_preselection=True)[0]


def test_describe_is_in_the_head_of_the_class(method_case):
    from pytmva_bnn.standalone import class_source

    source = class_source(TMVA.load(method_case("bdt_presel").weights))
    assert "// Trees            : 10; 66 nodes, depth 2 to 3" in source
    assert "// Preselection     : 2 cuts" in source
