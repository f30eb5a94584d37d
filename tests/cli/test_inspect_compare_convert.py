"""The commands that look at weight files."""

import json
import sys

import pytest

from pytmva_bnn.cli.compare import Tolerance
from pytmva_bnn.cli.parser import SECTIONS
from pytmva_bnn.methods.mlp.inspection import draw_network

BNN = "xml_fixtures/cases/fakerate_bnn/weights.xml"
MLP = "xml_fixtures/cases/bfgs_n/weights.xml"

# ---- inspect


def test_inspect_shows_all_there_is(command):
    finished = command("inspect", "xml_fixtures/cases/expressions/weights.xml")
    assert finished.code == 0
    for text in (
        "MLP: Classification, 6-6-1, 49 weights, with error bars",
        "ROOT Release     6.40/00 [403456]",
        'v12 := var1+var2              F  -5.04824 to 6.73935       "v12 label"',
        'var1-var2                     F  -5.48891 to 5.49502  GeV  "Expression 2"',
        "eta*2  F",
        "Signal, Background",
        "Normalize of v12, var1-var2",
        "nj o",
        "o response",
        "NeuronType       tanh",
        "49 x 49, condition number 2.45e+07",
    ):
        assert text in finished.out
    assert "LearningRate" not in finished.out


def test_inspect_reads_every_case_as_text_and_json(case, command):
    assert command("inspect", case.weights).code == 0
    found = json.loads(command("inspect", "--json", case.weights).out)
    assert found["analysis"] == case.booked.get("analysis", "Classification")
    assert found["network"]["weights"] == sum(
        (n + 1) * m for n, m in zip(found["network"]["layers"], found["network"]["layers"][1:], strict=False)
    )
    assert (found["inverse_hessian"] is None) == ("<InverseHessian" not in case.weights.read_text())


def test_inspect_reads_old_and_converted_files(command, tmp_path):
    assert "Gauss of all variables" in command("inspect", "xml_fixtures/odd/text39_gauss.weights.txt").out
    command("convert", BNN, tmp_path / "w.npz")
    first = json.loads(command("inspect", "--json", BNN).out)
    second = json.loads(command("inspect", "--json", tmp_path / "w.npz").out)
    assert first | {"file": ""} == second | {"file": ""}


def test_inspect_of_several_files(command):
    finished = command("inspect", BNN, MLP)
    assert finished.out.startswith(BNN)
    assert f"\n\n{MLP}\n" in finished.out
    lines = command("inspect", "--json", BNN, MLP).out.splitlines()
    assert [json.loads(line)["file"] for line in lines] == [BNN, MLP]


def test_large_networks_are_drawn_abridged():
    text = draw_network([2, 200, 1], ["x", "a long name"], ["response"], "tanh", "sigmoid")
    assert len(text.splitlines()) == 2 + 10
    assert "200" in text
    assert ":" in text


# ---- compare


def test_a_file_is_the_same_as_itself(case, command):
    finished = command("compare", case.weights, case.weights, "--rtol", 0, "--atol", 0, "--events", 50)
    assert finished.code == 0, finished.out
    assert finished.out.endswith("The files are the same within the tolerances.\n")


def test_differences_are_listed_and_have_exit_code_4(command):
    finished = command("compare", MLP, "xml_fixtures/cases/trans_d/weights.xml")
    assert finished.code == 4
    for text in (
        "VarTransform: N | D",
        "[0]: Normalisation | Decorrelation",
        "layers: 4-9-1 | 4-5-1",
        "The files differ.",
    ):
        assert text in finished.out
    found = json.loads(command("compare", MLP, "xml_fixtures/cases/trans_d/weights.xml", "--json").out)
    assert found["same"] is False
    assert set(SECTIONS) < set(found)


def test_other_variables_are_not_comparable(command):
    finished = command("compare", MLP, BNN)
    assert finished.code == 4
    assert "number of variables: 4 | 2" in finished.out
    assert "not comparable" in finished.out


def changed(folder, case, old, new):
    text = case.weights.read_text()
    assert old in text
    (folder / "changed.xml").write_text(text.replace(old, new, 1))
    return folder / "changed.xml"


@pytest.mark.parametrize(
    ("old", "new", "section", "words"),
    [
        (
            '<Option name="NCycles" modified="Yes">60<',
            '<Option name="NCycles" modified="Yes">70<',
            "options",
            "60 | 70",
        ),
        ('Title="var1" Unit=""', 'Title="var1" Unit="GeV"', "variables", "unit:  | GeV"),
        ('<Class Name="Background"', '<Class Name="Other"', "variables", "classes: Signal, Background | Signal, Other"),
    ],
)
def test_a_single_change_is_found(old, new, section, words, command, case_named, tmp_path):
    record = case_named("bfgs_n")
    other = changed(tmp_path, record, old, new)
    found = json.loads(command("compare", record.weights, other, "--json").out)
    assert [name for name in SECTIONS if found[name]["differences"]] == [section]
    assert words in found[section]["differences"][0]
    assert command("compare", record.weights, other).code == 4
    assert command("compare", record.weights, other, "--ignore", section).code == 0


def test_tolerances_decide_what_is_the_same(command, case_named, tmp_path):
    record = case_named("bfgs_n")
    number = record.weights.read_text().split("<Neuron NSynapses")[1].split(">")[1].split()[0]
    other = changed(tmp_path, record, number, f"{float(number) * 1.001:.16e}")
    assert command("compare", record.weights, other).code == 4
    finished = command("compare", record.weights, other, "--rtol", "0.01", "--atol", "0.001")
    assert finished.code == 0
    assert "weights: same: largest difference" in finished.out
    assert Tolerance(0.0, 0.0).agree([float("nan")], [float("nan")])
    assert not Tolerance(1.0, 1.0).agree([1.0], [1.0, 2.0])


def test_who_trained_it_when_does_not_matter(command, case_named, tmp_path):
    record = case_named("bfgs_n")
    assert command("compare", record.weights, changed(tmp_path, record, 'value="user"', 'value="me"')).code == 0


# ---- convert


def test_convert_there_and_back(command, tmp_path):
    for source, target in ((BNN, "a.json"), (tmp_path / "a.json", "b.npz"), (tmp_path / "b.npz", "c.xml")):
        finished = command("convert", source, tmp_path / target)
        assert (finished.code, finished.out) == (0, f"written: {tmp_path / target}\n")
    with open(BNN, "rb") as file:  # noqa: PTH123
        assert (tmp_path / "c.xml").read_bytes() == file.read()


def test_convert_to_onnx_and_check(command, tmp_path):
    pytest.importorskip("onnxruntime", reason="running ONNX needs the extra onnx")
    finished = command("convert", BNN, tmp_path / "w.onnx", "--check")
    assert finished.code == 0, finished.err
    assert float(finished.out.split()[-1]) < 1e-12


@pytest.mark.parametrize(
    ("source", "target", "message", "code"),
    [
        ("none.xml", "w.json", "none.xml: unable to open", 1),
        (BNN, "w.yaml", "the ending of the name identifies no format", 2),
        (BNN, "w.txt", "can only be read", 2),
        ("w.onnx", "w.xml", "ONNX can only be written", 1),
        ("xml_fixtures/odd/text39_gauss.weights.txt", "w.xml", "old text format has no XML form", 1),
    ],
)
def test_conversions_that_do_not_exist(source, target, message, code, fails, tmp_path):
    assert message in fails("convert", source, tmp_path / target, code=code)
    assert not list(tmp_path.iterdir())


def test_check_is_for_onnx(fails, tmp_path):
    assert "--check is for .onnx" in fails("convert", BNN, tmp_path / "w.json", "--check", code=2)


def test_without_onnx_the_message_tells_what_to_install(fails, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    assert "pip install 'pytmva-bnn[onnx]'" in fails("convert", BNN, tmp_path / "w.onnx")
