"""``pytmva-bnn compare`` of two forests names what differs first."""

import gzip
import json
import re

import pytest

from pytmva_bnn.cli import main


@pytest.fixture
def compared(capsys):
    """Return the exit code and the JSON of ``pytmva-bnn compare``."""

    def run(*arguments):
        capsys.readouterr()
        code = main(["compare", "--json", "--events", "100", *map(str, arguments)])
        return code, json.loads(capsys.readouterr().out)

    return run


@pytest.fixture
def changed_file(method_case, tmp_path):
    """Return a record's weight file and a copy of it with one place changed."""

    def change(name, pattern, new):
        case = method_case(name)
        text, count = re.subn(pattern, new, case.weights_text, count=1)
        assert count == 1
        (tmp_path / "changed.xml.gz").write_bytes(gzip.compress(text.encode()))
        return case.weights, tmp_path / "changed.xml.gz"

    return change


def test_a_forest_is_the_same_as_itself(bdt_case, compared):
    code, found = compared(bdt_case.weights, bdt_case.weights, "--rtol", 0, "--atol", 0)
    assert code == 0
    assert re.fullmatch(r"(\d+) of \1 trees have the same nodes", found["weights"]["note"])
    assert found["responses"]["note"].startswith("largest difference 0 ")


PLACES = [
    (r'(IVar="1" Cut=)"[^"]*"', r'\1"0.5"', "node 0 (depth 0): var1 < 0.149884 to the right | var1 < 0.5 to the right"),
    (r'(<Node pos="l" depth="1" .*?)IVar="0"', r'\1IVar="1"', "node 1 (depth 1): s < -1.21171 to the right | var1 < "),
    (r'(<Node pos="l" depth="1" .*?)cType="0"', r'\1cType="1"', "s < -1.21171 to the right | s >= -1.21171 to the"),
    (
        r'nType="1"',
        'nType="-1"',
        "node 2 (depth 2): leaf, signal (purity 0.835962) | leaf, background (purity 0.835962",
    ),
    (r'(<Node pos="l" depth="2" .*?)rms="0', r'\1rms="3', "leaf, signal (purity 0.835962), rms 0 | 3"),
]


@pytest.mark.parametrize(("pattern", "new", "words"), PLACES)
def test_the_first_node_that_differs_is_shown(pattern, new, words, changed_file, compared):
    code, found = compared(*changed_file("bdt_presel", pattern, new))
    assert code == 4
    (difference,) = found["weights"]["differences"]
    assert difference.startswith("nodes of 1 trees, first of tree 0: ")
    assert words in difference
    assert found["weights"]["note"] == "9 of 10 trees have the same nodes"
    assert found["options"]["differences"] == []


def test_tolerances_count(changed_file, compared):
    files = changed_file("bdt_presel", r'Cut="1.498837', 'Cut="1.498838')
    assert compared(*files)[0] == 4
    assert compared(*files, "--rtol", "1e-5")[0] == 0


def test_weights_of_trees(changed_file, compared):
    _, found = compared(*changed_file("bdt_presel", r'boostWeight="[^"]*" itree="1"', 'boostWeight="2.5" itree="1"'))
    assert found["weights"]["differences"] == ["weights of trees, first that of tree 1: 0.224254742 | 2.5"]
    assert found["responses"]["differences"]


def test_missing_trees(changed_file, compared):
    _, found = compared(*changed_file("bdt_presel", r'(?s)    <BinaryTree[^>]*itree="9">.*</BinaryTree>\n', ""))
    assert found["weights"]["differences"] == ["trees: 10 | 9"]


def test_preselections(changed_file, compared):
    pattern = r'PreselectionHighSigVar0Value="[^"]*"'
    _, found = compared(*changed_file("bdt_presel", pattern, 'PreselectionHighSigVar0Value="5.0"'))
    assert found["weights"]["differences"] == ["the preselection cuts differ"]
    _, found = compared(*changed_file("bdt_presel", r'(DoPreselection" modified="Yes">)True', r"\1False"))
    assert found["weights"]["differences"] == ["preselection is used: yes | no"]


def test_coefficients_of_linear_cuts(changed_file, compared):
    _, found = compared(*changed_file("bdt_fisher2", r'fC0="[^"]*"', 'fC0="0.3"'))
    (difference,) = found["weights"]["differences"]
    assert re.search(r"tree 0: node 0 \(depth 0\): 0\.145\d+\*var1 .* \| 0\.3\*var1 ", difference)


def test_forests_of_different_kinds(method_case, compared):
    for first, second in (("bdt_full", "bdt_reg"), ("bdt_reg", "bdt_full")):
        code, found = compared(method_case(first).weights, method_case(second).weights)
        assert code == 4
        differences = "\n".join(found["weights"]["differences"])
        for words in ("boosting: AdaBoost", "leaves answer: ", "response: mean", "trees: ", "first of tree 0: node 0"):
            assert words in differences


def test_forest_and_network(method_case, compared):
    _, found = compared(method_case("bdt_full").weights, "xml_fixtures/cases/bfgs_n/weights.xml")
    assert found["weights"]["differences"] == ["kind: BDT | MLP"]
