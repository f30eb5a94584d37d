"""Weight files that are unusual but mean the same: TMVA reads them, and so does this package, with the same numbers."""

import re

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import WeightFileError, WeightFileWarning


@pytest.fixture
def text(method_case):
    return method_case("bdt_ada").weights_text


@pytest.fixture
def assert_same(method_case):
    case = method_case("bdt_ada")

    def check(changed):
        assert changed != case.weights_text
        np.testing.assert_array_equal(TMVA.load_string(changed).predict(case.expected["inputs"]), case.expected["mva"])

    return check


@pytest.mark.parametrize(
    ("pattern", "new"),
    [
        ("<(/?)BinaryTree", r"<\1DecisionTree"),  # TMVA takes the children of <Weights> whatever they are called
        ("<(/?)Node", r"<\1Knoten"),
        ('<BinaryTree type="DecisionTree"', '<BinaryTree taken="0" type="DecisionTree"'),
        ("<Node ", '<Node Surprise="1" '),
        ('(<Node [^>]*IVar="1")', r'\1 Surprise="1"'),
        (r'<Weights NTrees="60"', '<Weights NTrees="7" Surprise="1"'),  # the trees are what counts
        (r' itree="\d+"', ""),
        (r' type="DecisionTree"', ""),
        (r' depth="\d+"', ""),
        (r' NCoef="0"', ""),
        (r' rms="[^"]*"', ""),
        (r' res="[^"]*"', ""),
        (r' purity="[^"]*"', ' nS="1" nB="3"'),  # yes-or-no leaves have no need of it
        ("\n *", " "),
        (r"(<Node [^>]*>)", r"\1<!-- a comment -->"),
        (r"(?s)(<Node [^>]*/>)\s*(<Node [^>]*/>)", r"\2\1"),  # daughters are placed by their name
        ("  <MVAPdfs/>", "  <Unheard><Node/></Unheard><MVAPdfs/>"),
        (r'"(-?\d\.\d{16}e[-+]\d\d)"', r'" \1 "'),
        (r'IVar="(\d)"', r'IVar=" +0\1 "'),
        (r'AnalysisType="0">', 'TreeType="0" AnalysisType="1">'),
        (r'nType="-1"', 'nType="-1" nS="x"'),
    ],
)
def test_the_same_numbers(text, assert_same, pattern, new, caplog):
    assert_same(re.sub(pattern, new, text))


def test_whole_subtrees_in_another_order(method_case):
    """Every node's right daughter first."""
    from lxml import etree

    case = method_case("bdt_ada")
    root = etree.fromstring(case.weights_text.encode())
    for node in list(root.iter("Node")):
        node[:] = node[::-1]
    model = TMVA.load_string(etree.tostring(root))
    assert model.to_xml() == case.weights_text
    np.testing.assert_array_equal(model.predict(case.expected["inputs"]), case.expected["mva"])


def test_the_envelope_around_trees_of_one_name_in_two(text, assert_same):
    trees = text.split("<BinaryTree")
    assert_same("<BinaryTree".join(trees[:4]) + "<Tree" + "<Tree".join(trees[4:]).replace("</BinaryTree", "</Tree"))


def test_purity_from_sums_of_weights(method_case):
    """As TMVA 4.0 has it: nS / (nS + nB) in float32."""
    case = method_case("bdt_ada")
    text = case.weights_text.replace('"UseYesNoLeaf" modified="No">True', '"UseYesNoLeaf" modified="Yes">False')
    old = re.sub(r' purity="[^"]*"', ' nS="1.5" nB="3.2"', text)
    expected = np.float32(1.5) / (np.float32(1.5) + np.float32(3.2))
    forest = TMVA.load_string(old).fitted.forest
    np.testing.assert_array_equal(forest.purity, np.full(forest.n_nodes, expected))
    assert TMVA.load_string(old).predict(case.expected["inputs"]) == pytest.approx(float(expected), rel=1e-12)


@pytest.mark.parametrize("word", ["nan", "-nan", "inf", "-inf"])
def test_weights_that_cpp_cannot_read_count_as_0(text, word):
    changed = re.sub(r'(?s)(itree="3".*?boostWeight=)"[^"]*"', rf'\1"{word}"', text, count=1)
    with pytest.warns(WeightFileWarning, match="the weight of a tree is"):
        model = TMVA.load_string(changed)
    assert model.fitted.forest.boost_weights[4] == 0.0


@pytest.mark.parametrize("word", ["nan", "inf"])
def test_cuts_that_cpp_cannot_read_count_as_0(text, word):
    model = TMVA.load_string(re.sub(r'Cut="[^"]*"', f'Cut="{word}"', text, count=1))
    assert model.fitted.forest.cut[0] == 0.0


def test_nodes_of_trees_elsewhere_are_left_alone(text, assert_same):
    assert_same(text.replace("  <MVAPdfs/>", '<Other><Weights><BinaryTree x="1"/></Weights></Other><MVAPdfs/>'))


def test_a_tree_that_refers_to_another_is_no_tree(text):
    with pytest.raises(WeightFileError, match="boostWeight"):
        TMVA.load_string(text.replace("  </Weights>", '<Tree taken="0"/></Weights>'))
