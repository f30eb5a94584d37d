"""Damaged forests are refused, and the message says in which file, element and line, and why."""

import gzip
import re

import pytest

from pytmva_bnn.errors import WeightFileError
from pytmva_bnn.model import load, load_string

pytestmark = pytest.mark.usefixtures("never_hangs")
NODE = r"<Node [^>]*/>"

# case, regular expression, what it becomes, element named, part of the message
TABLE = [
    ("bdt_ada", r"(?s)  <Weights.*</Weights>\n", "", "MethodSetup", "the element <Weights> is missing"),
    ("bdt_ada", r"(?s)(<Weights[^>]*>).*(?=</Weights>)", r"\1", "Weights", "it has no trees"),
    ("bdt_ada", 'NTrees="60" ', "", "Weights", "the attribute 'NTrees' is missing"),
    ("bdt_ada", '<Weights NTrees="60"', '<Weights NTrees="many"', "Weights", "NTrees='many' is not a whole number"),
    ("bdt_ada", '<Weights NTrees="60"', '<Weights NTrees="-60"', "Weights", "NTrees=-60 is negative"),
    ("bdt_ada", ' AnalysisType="0"', "", "Weights", "the attribute 'AnalysisType' is missing"),
    ("bdt_ada", ' AnalysisType="0"', ' AnalysisType="x"', "Weights", "AnalysisType='x' is not a whole number"),
    ("bdt_ada", ' boostWeight="[^"]*"', "", "BinaryTree", "the attribute 'boostWeight' is missing"),
    ("bdt_ada", 'boostWeight="[^"]*"', 'boostWeight="w"', "BinaryTree", "boostWeight='w' is not a number in range"),
    ("bdt_ada", 'boostWeight="[^"]*"', 'boostWeight="1e39"', "BinaryTree", "boostWeight='1e39' does not fit into a 32"),
    ("bdt_ada", 'boostWeight="[^"]*"', 'boostWeight="1e999"', "BinaryTree", "boostWeight='1e999' is not a number"),
    (
        "bdt_ada",
        r"(?s)(<BinaryTree[^>]*>).*?(?=</BinaryTree>)",
        r"\1",
        "BinaryTree",
        "a tree has one root, not 0 nodes",
    ),
    ("bdt_ada", r"(<BinaryTree[^>]*>\n)", r'\1<Node pos="s" nType="1"/>', "BinaryTree", "one root, not 2 nodes"),
    ("bdt_ada", NODE, "", "Node", "a node has two daughters, pos='l' and pos='r', or none"),
    ("bdt_ada", f"({NODE})", r"\1\1", "Node", "a node has two daughters"),
    ("bdt_ada", 'pos="l"', 'pos="r"', "Node", "a node has two daughters, pos='l' and pos='r', or none"),
    ("bdt_ada", 'pos="r"', 'pos="x"', "Node", "a node has two daughters"),
    ("bdt_ada", ' pos="r"', "", "Node", "a node has two daughters"),
    ("bdt_ada", f"({NODE[:-2]})/>", r"\1><Node/></Node>", "Node", "a node has two daughters"),
    ("bdt_ada", r'nType="-?1"', 'nType="0"', "Node", "nType=0 says that the node has daughters, but there are none"),
    ("bdt_ada", ' nType="-?1"', "", "Node", "the attribute 'nType' is missing"),
    ("bdt_ada", ' IVar="0"', "", "Node", "the attribute 'IVar' is missing"),
    ("bdt_ada", 'IVar="0"', 'IVar="0.5"', "Node", "IVar='0.5' is not a whole number"),
    ("bdt_ada", 'IVar="0"', 'IVar="99999999999"', "Node", "IVar='99999999999' is too large"),
    ("bdt_ada", 'IVar="0"', 'IVar="4"', "BinaryTree", "of tree 0 cuts on variable number 4, but there are 4 variables"),
    ("bdt_ada", 'IVar="0"', 'IVar="-2"', "BinaryTree", "of tree 0 cuts on variable number -2, but there are 4"),
    ("bdt_ada", ' Cut="[^"]*"', "", "Node", "the attribute 'Cut' is missing"),
    ("bdt_ada", 'Cut="[^"]*"', 'Cut="1,5"', "Node", "Cut='1,5' is not a number"),
    ("bdt_ada", 'Cut="[^"]*"', 'Cut="1e"', "Node", "Cut='1e' is not a number"),
    ("bdt_ada", 'Cut="[^"]*"', 'Cut="-1e39"', "Node", "Cut='-1e39' does not fit into a 32-bit float"),
    ("bdt_ada", 'Cut="[^"]*"', 'Cut=""', "Node", "Cut='' is not a number"),
    ("bdt_ada", 'Cut="[^"]*"', 'Cut="1 2"', "Node", "Cut='1 2' is not a number"),
    ("bdt_ada", ' cType="."', "", "Node", "the attribute 'cType' is missing"),
    ("bdt_ada", 'cType="."', 'cType="2"', "Node", "cType must be 0 or 1"),
    ("bdt_ada", ' purity="[^"]*"', "", "Node", "the attribute 'nS' is missing"),
    ("bdt_ada", 'res="[^"]*"', 'res="x"', "Node", "res='x' is not a number"),
    ("bdt_ada", 'rms="[^"]*"', 'rms="1e40"', "Node", "rms='1e40' does not fit into a 32-bit float"),
    ("bdt_fisher2", 'fC1="[^"]*"', 'fC1="x"', "Node", "fC1='x' is not a number"),
    ("bdt_fisher2", ' fC1="[^"]*"', "", "Node", "the attribute 'fC1' is missing"),
    ("bdt_fisher2", 'NCoef="5"', 'NCoef="99999999999"', "Node", "the attribute 'fC5' is missing"),
    ("bdt_fisher2", 'NCoef="5"', 'NCoef="-5"', "Node", "NCoef=-5 is negative"),
    ("bdt_fisher2", 'NCoef="5"', 'NCoef="4"', "BinaryTree", "Fisher coefficients|with 4 coefficients; 4 variables"),
    ("bdt_fisher2", 'NCoef="5"', 'NCoef="0"', "BinaryTree", "cuts on variable number 4, but there are 4 variables"),
    (
        "bdt_multi_plain",
        r"(?s)<BinaryTree.*?</BinaryTree>",
        "",
        "Weights",
        "31 trees cannot be divided among 4 classes",
    ),
    ("bdt_reg", r"(?s)<Targets.*</Targets>", '<Targets NTrgt="0"/>', "Targets", "one target, the file has 0"),
    ("bdt_presel", 'PreselectionHighSigVar1="."', "", "Weights", "'PreselectionHighSigVar1' is missing"),
    ("bdt_presel", 'LowBkgVar0Value="[^"]*"', 'LowBkgVar0Value="x"', "Weights", "LowBkgVar0Value='x' is not a number"),
    (
        "bdt_ada",
        'name="BoostType" modified="Yes">AdaBoost<',
        'name="BoostType" modified="Yes">Ada<',
        "Options",
        "BoostT",
    ),
    ("bdt_ada", '>True</Option>(?=\n.*"NegW)', ">Maybe</Option>", None, None),
]


def changed(text, pattern, new):
    damaged = re.sub(pattern, new, text, count=1)
    assert damaged != text
    return damaged


@pytest.mark.parametrize(("name", "pattern", "new", "element", "message"), TABLE)
def test_damage_is_named(method_case, tmp_path, name, pattern, new, element, message):
    damaged = changed(method_case(name).weights_text, pattern, new)
    path = tmp_path / "damaged.weights.xml"
    path.write_text(damaged)
    with pytest.raises(WeightFileError) as caught:
        load(path)
    error = caught.value
    assert error.file == str(path)
    if element is None:
        return
    assert re.search(message.replace("'", "."), error.problem), error.problem
    assert error.element == element
    if element != "Options" and "divided among" not in message and "one target" not in message:
        assert f"<{element}" in damaged.split("\n")[error.line - 1]


def test_every_truncation_is_refused(method_case, tmp_path):
    data = method_case("bdt_presel").weights_text.encode()
    whole = data.rindex(b"</MethodSetup>") + len(b"</MethodSetup>")
    for length in [*range(0, whole, len(data) // 100), *range(whole - 20, whole)]:
        (tmp_path / "w.xml").write_bytes(data[:length])
        with pytest.raises(WeightFileError, match=r"w\.xml"):
            load(tmp_path / "w.xml")


def test_truncated_and_damaged_gzip_is_refused(method_case, tmp_path):
    packed = bytearray(gzip.compress(method_case("bdt_presel").weights_text.encode()))
    for length in (3, 12, 100, len(packed) // 2, len(packed) - 9, len(packed) - 1):
        (tmp_path / "w.xml.gz").write_bytes(packed[:length])
        with pytest.raises(WeightFileError, match=r"w\.xml\.gz.*(truncated|empty)"):
            load(tmp_path / "w.xml.gz")
    for position in (3, 50, len(packed) // 2, len(packed) - 6):
        damaged = packed.copy()
        damaged[position] ^= 0xFF
        (tmp_path / "w.xml.gz").write_bytes(damaged)
        with pytest.raises(WeightFileError, match=r"w\.xml\.gz"):
            load(tmp_path / "w.xml.gz")


def test_very_deep_trees_are_refused(method_case):
    """XML of such depth serves attacks only: TMVA's trees are at most some dozen levels deep."""
    text = method_case("bdt_presel").weights_text
    node = '<Node pos="l" depth="1" IVar="0" Cut="0" cType="1" purity="0" nType="0">'
    leaf = '<Node pos="r" depth="1" IVar="0" Cut="0" cType="1" purity="0" nType="1"/>'
    tree = f'<BinaryTree type="DecisionTree" boostWeight="1" itree="0">{node * 20_000}{f"{leaf}</Node>" * 20_000}'
    with pytest.raises(WeightFileError):
        load_string(text.replace("  </Weights>", f"{tree}</BinaryTree></Weights>"))


@pytest.mark.parametrize(
    "word", ["1" * 200_000 + "x", "1" * 200_000, " " * 200_000 + "x", "1e" + "9" * 200_000, "-" * 99_999]
)
@pytest.mark.parametrize("name", ["Cut", "IVar", "boostWeight", "NCoef", "nType"])
def test_long_numbers_are_refused_in_bearable_time(method_case, name, word):
    text = method_case("bdt_presel").weights_text
    with pytest.raises(WeightFileError):
        load_string(changed(text, rf' {name}="[^"]*"', f' {name}="{word}"'))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("NTrees= ", "NTrees= 9", "tree|Tree|end"),
        ("Tree 1 ", "Tree 7 ", "tree 1 is expected"),
        ("boostWeight", "bostWeight", "boostWeight"),
        ("ivar: ", "ivar: 9", "cuts on a variable beyond"),
        ("nType: ", "nType: x", "the number after 'nType:' is expected"),
        ("ivar: 0", "ivar: 0.5", "the number 0.5 is not possible after 'ivar:'"),
        ("cut: 0.5", "cut: 1e39", r"the number 1e\+39 is not possible after 'cut:'"),
        ("ivar: 0", "ivar: 1e18", r"the number 1e\+18 is not possible after 'ivar:'"),
    ],
)
def test_damaged_text_files(method_case, old, new, message):
    text = (method_case("bdt_text39").folder / "weights.txt").read_text()
    assert old in text
    with pytest.raises(WeightFileError, match=message):
        load_string(text.replace(old, new, 1))
