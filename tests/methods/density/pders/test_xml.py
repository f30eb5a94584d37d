"""Weight files of PDERS: damage, depth, old forms, text files."""

import re

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import WeightFileError
from pytmva_bnn.methods.density.pders.tree import SearchTree
from pytmva_bnn.methods.density.pders.xml import NodeStream

ROOT = '<Node pos="s" depth="0" selector="0" weight="1.0000000000000000e+00" type="0" NVars="4">'
FIRST = "1.9292450742796063e-03 4.5017819851636887e-02"
LEFT = '<Node pos="l" depth="1" selector="1"'
RIGHT = '<Node pos="r" depth="1" selector="1"'


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (FIRST, "4.5017819851636887e-02", "line 46, element <Node>: an event has 3 numbers, not 4"),
        (FIRST, "1.0 x1", "line 46, element <Node>: 'x1' is not a number"),
        (FIRST, "1.0 1e39", "line 46, element <Node>: one of the numbers is too large for a 32-bit float"),
        (ROOT, ROOT.replace('type="0"', 'type="2"'), "line 46, element <Node>: type='2' is not one of 0, 1, Signal"),
        (ROOT, ROOT.replace(' type="0"', ""), "line 46, element <Node>: the attribute 'type' is missing"),
        (ROOT, ROOT.replace('pos="s"', 'pos="l"'), "line 46, element <Node>: pos='l' is not possible here"),
        (ROOT, ROOT.replace('pos="s"', 'pos="q"'), "line 46, element <Node>: pos='q' is not one of s, l, r"),
        (ROOT, ROOT.replace('NVars="4"', 'NVars="3"'), "depth=0, selector=0, NVars=3 where .* NVars=4 was expected"),
        (LEFT, LEFT.replace('"1"', '"2"', 1), "line 48, .*depth=2, selector=1, NVars=4 where depth=1"),
        (
            LEFT,
            LEFT.replace('selector="1"', 'selector="0"'),
            "line 48, .*selector=0, NVars=4 where depth=1, selector=1",
        ),
        (LEFT, LEFT.replace('pos="l"', 'pos="r"'), "element <Node>: there is already a node on this side"),
        (FIRST, "9.0 9.0", "element <Node>: the node is on the wrong side of an ancestor"),
        (ROOT, "<Leaf>" + ROOT, "line 46, element <BinaryTree>: the element <Leaf> does not belong in a tree"),
        (ROOT, ROOT.replace("weight=", "weight"), "line 46: not well-formed XML"),
        ("</Node>\n      </Node>", "</Node>", "not well-formed XML .* the file is truncated or damaged"),
        ("</BinaryTree>", "", "not well-formed XML"),
        ("</BinaryTree>", '</BinaryTree>\n<BinaryTree type="x">', "there is more than one tree"),
        ("</Weights>\n</MethodSetup>", "", "not well-formed XML"),
        ('<BinaryTree type="BinarySearchTree">', "<BinaryTree/><Tree>", "not well-formed XML"),
    ],
)
def test_damaged_files(edited, old, new, message):
    with pytest.raises(WeightFileError, match=message):
        TMVA.load_string(edited("pders", (old, new)))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "<Weights>: the element <BinaryTree> is missing"),
        ("<BinaryTree/>", "<BinaryTree>: the tree has no nodes"),
        ('<BinaryTree type="BinarySearchTree"></BinaryTree>', "<BinaryTree>: the tree has no nodes"),
    ],
)
def test_no_tree(method_case, content, message):
    text = method_case("pders_swapped").weights_text
    text = re.sub(r"<BinaryTree.*</BinaryTree>", content, text, flags=re.DOTALL)
    with pytest.raises(WeightFileError, match=message):
        TMVA.load_string(text)


def test_several_targets_are_refused(method_case):
    text = method_case("pders_reg").weights_text
    (target,) = re.findall(r" *<Target .*/>\n", text)
    text = text.replace('NTrgt="1"', 'NTrgt="2"').replace(target, target + target.replace('="0"', '="1"', 1))
    with pytest.raises(WeightFileError, match="<Targets>: PDERS estimates one target, but the file has 2"):
        TMVA.load_string(text)


def test_files_in_any_layout(method_case):
    """The tree on one line; pieces of the file that end in the middle of a tag."""
    record = method_case("pders_swapped")
    expected = TMVA.load(record.weights)
    events = record.expected["inputs"][:20]
    text = record.weights_text
    for changed in (re.sub(r"\n\s*", "", text), text.replace("\n", "\r\n"), text.replace("><", "> <")):
        model = TMVA.load_string(changed)
        np.testing.assert_array_equal(model.fitted.tree.variables, expected.fitted.tree.variables)
        np.testing.assert_array_equal(model.predict(events), expected.predict(events))
    data = text.encode()
    for size in (7, 100, 999):
        stream = NodeStream()
        rest = b"".join(stream.cut(data[start : start + size]) for start in range(0, len(data), size))
        assert stream.depths == expected.fitted.tree.depths.tolist()
        assert b"<Node" not in rest
        assert rest.count(b"\n") == data.count(b"\n")
        assert rest.endswith(b"</BinaryTree>\n  </Weights>\n</MethodSetup>\n")


def test_an_element_that_is_parsed_already(method_case):
    from lxml import etree

    record = method_case("pders_swapped")
    weights = etree.fromstring(record.weights_text.encode()).find("Weights")
    assert NodeStream.of(weights).depths == TMVA.load(record.weights).fitted.tree.depths.tolist()


def test_a_tree_of_thousands_of_levels(changed, method_case):
    model = TMVA.load(method_case("pders_swapped").weights)
    x = np.column_stack([np.arange(3000.0), np.arange(3000.0)]).astype(np.float32)
    tree = SearchTree.grown(x, np.zeros((3000, 0), np.float32), np.ones(3000), np.arange(3000) % 2, balanced=False)
    assert tree.depths.max() == 2999
    deep = changed(model, fitted={"tree": tree})
    text = deep.to_xml()
    again = TMVA.load_string(text)
    assert again.to_xml() == text
    np.testing.assert_array_equal(again.predict(x[::100]), deep.predict(x[::100]))


def old_form(text):
    """The file as TMVA 4.0 would have written it: names of classes, numbers in the line of the start tag."""
    text = text.replace('type="0"', 'type="Signal"').replace('type="1"', 'type="Background"')
    return re.sub(r'(NVars="\d+">)\n +(?= )', r"\1", text)


def test_old_forms_are_written_back(method_case):
    record = method_case("pders")
    text = old_form(record.weights_text)
    assert text.count("\n") < record.weights_text.count("\n") - 400
    model = TMVA.load_string(text)
    assert model.to_xml() == text
    np.testing.assert_array_equal(model.predict(record.expected["inputs"]), record.expected["mva"])
    assert model.modernised().to_xml() == record.weights_text


def test_what_current_tmva_makes_of_names_of_classes(method_case):
    text = old_form(method_case("pders").weights_text)
    model = TMVA.load_string(text, strict=True)
    np.testing.assert_array_equal(model.predict(np.zeros((1, 4), np.float32)), [1.0])  # all events are signal


TEXT = """Method         : PDERS::PDERS
TMVA Release    : 3.9.5         [198917]
ROOT Release    : 5.22/00       [333312]
#OPT -*-*-*-*-*-*-*-*-*-*-*-*- options -*-*-*-*-*-*-*-*-*-*-*-*-
# Set by User:
VolumeRangeMode: "Unscaled" [Method to determine volume size]
KernelEstimator: "Teepee" [Kernel estimation function]
DeltaFrac: "4.000000e+00" [nEventsMin/Max]
##
#VAR -*-*-*-*-*-*-*-*-*-*-*-* variables *-*-*-*-*-*-*-*-*-*-*-*-
NVar 2
x   x   'F' [0,10]
y   y   'F' [0,10]
#WGT -*-*-*-*-*-*-*-*-*-*-*-*- weights -*-*-*-*-*-*-*-*-*-*-*-*-
# the tree
0 s 0
2 5 5
Weight 2.5 Signal
1 l 1
2 4 6
Weight 1.0 B
2 r 0
2 3 7
Weight 0.5 S
1 r 1
2 6 4
Weight 3.0 Background
-1
"""


def test_text_files_are_evaluated_as_booked(tmp_path, caplog):
    model = TMVA.load_string(TEXT)
    tree = model.fitted.tree
    np.testing.assert_array_equal(tree.variables, [[5, 5], [4, 6], [3, 7], [6, 4]])
    np.testing.assert_array_equal(tree.weights, [2.5, 1.0, 0.5, 3.0])
    assert tree.classes.tolist() == [0, 1, 0, 1]
    assert (tree.depths.tolist(), tree.is_right.tolist()) == ([0, 1, 2, 1], [0, 0, 1, 1])
    # the box around (5, 5.5) reaches from 3 to 7 and 3.5 to 7.5; (3, 7) lies on its edge, outside
    r = np.sqrt([(0.25**2) / 2, (0.5**2 + 0.25**2) / 2, (0.5**2 + 0.75**2) / 2])
    signal, background = 2.5 * (1 - r[0]) / 3.0, (1.0 * (1 - r[1]) + 3.0 * (1 - r[2])) / 4.0
    assert model.predict(np.float32([[5.0, 5.5]]))[0] == pytest.approx(signal / (signal + background), rel=1e-6)
    assert not caplog.records
    model.save(tmp_path / "pders.xml")
    np.testing.assert_array_equal(TMVA.load(tmp_path / "pders.xml").fitted.tree.variables, tree.variables)
    assert "VolumeRangeMode=Unscaled and KernelEstimator=Teepee" in caplog.text


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("-1\n", "", "line 27, element <#WGT>: the section ends where the depth of a node is expected"),
        ("2 4 6", "3 4 6 1", "line 20, element <#WGT>: the number of variables in a node differs from the method's"),
        ("2 4 6", "2 4 y", "line 21, element <#WGT>: 'y' is not a number"),
        ("2 r 0", "3 r 0", "line 24, element <#WGT>: a level of the tree is missing above this node"),
        ("1 l 1", "1 r 1", "line 27, element <#WGT>: there is already a node on this side"),
        ("0 s 0", "0 x 0", "the word 's' is expected, not 'x'"),
    ],
)
def test_damaged_text_files(old, new, message):
    assert old in TEXT
    with pytest.raises(WeightFileError, match=message):
        TMVA.load_string(TEXT.replace(old, new, 1))
