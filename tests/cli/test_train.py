"""Training from the command line and from configuration files."""

import json
import sys

import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.cli.train_job import TrainJob
from pytmva_bnn.errors import InputError

DATA = "xml_fixtures/data"
QUICK = "TrainingMethod=BFGS:NCycles=5:HiddenLayers=3:VarTransform=N"
EVENTS = ("--signal", f"{DATA}/class.root:TreeS", "--background", f"{DATA}/class.root:TreeB")


def test_a_classification_leaves_the_files_of_tmva(command, tmp_path):
    finished = command(
        "train", *EVENTS, "-v", "var1", "-v", "sum := var1+var2", "--spectator", "run", "--weight", "w",
        "--weight", "Signal=w*2", "--cut", "nj < 7", "--prepare", "nTrain_Signal=500:nTrain_Background=500",
        "--options", f"{QUICK}:CalculateErrors", "--title", "BNN", "--job", "test", "-o", tmp_path / "out",
    )  # fmt: skip
    assert finished.code == 0, finished.err
    assert "Evaluation results ranked by best signal efficiency" in finished.out
    assert "   1 : " in finished.out
    model = TMVA.load(tmp_path / "out/dataset/weights/test_BNN.weights.xml")
    assert [one.expression for one in model.variables] == ["var1", "var1+var2"]
    assert [one.label for one in model.spectators] == ["run"]
    assert model.has_errors
    assert model.info["Training events"] == "1000"
    assert (tmp_path / "out/dataset/weights/test_BNN.class.C").exists()
    assert f"written: {tmp_path}/out/dataset/weights/test_BNN.weights.xml" in finished.out


def test_it_is_the_training_of_the_factory(command, tmp_path, case_named):
    booked = case_named("bfgs_n").booked
    variables = [text for name in booked["variables"] for text in ("-v", name)]
    finished = command(
        "train", *EVENTS, *variables, "--prepare", booked["prepare"], "--options", booked["options"], "-q",
        "--no-output-file", "-o", tmp_path,
    )  # fmt: skip
    assert finished.code == 0, finished.err
    arguments = [tmp_path / "dataset/weights/job_MLP.weights.xml", case_named("bfgs_n").weights]
    finished = command("compare", *arguments, "--rtol", "1e-4", "--atol", "1e-4", "--json")
    assert finished.code == 0, finished.out


def test_a_regression(command, tmp_path):
    finished = command(
        "train", "--regression", f"{DATA}/reg.root:TreeR", "--target", "fvalue", "-v", "var1", "-v", "var2",
        "--options", QUICK, "-o", tmp_path,
    )  # fmt: skip
    assert finished.code == 0, finished.err
    assert "ranked by smallest RMS" in finished.out
    model = TMVA.load(tmp_path / "dataset/weights/job_MLP.weights.xml")
    assert (model.analysis_type, model.targets[0].label) == ("Regression", "fvalue")


def test_several_classes(command, tmp_path):
    classes = [
        text
        for name, tree in (("Signal", "TreeS"), ("bg0", "TreeB0"), ("bg1", "TreeB1"))
        for text in ("--class", f"{name}={DATA}/multi.root:{tree}")
    ]
    finished = command("train", *classes, "-v", "var1", "-v", "var2", "--options", QUICK, "-o", tmp_path)
    assert finished.code == 0, finished.err
    assert "1-vs-rest" in finished.out
    assert TMVA.load(tmp_path / "dataset/weights/job_MLP.weights.xml").classes == ("Signal", "bg0", "bg1")


CONFIGURATION = {
    "trees": {"Signal": f"{DATA}/class.root:TreeS", "Background": [{"tree": f"{DATA}/class.root:TreeB", "weight": 2}]},
    "variables": ["var1", {"expression": "var2", "unit": "GeV"}],
    "weight": "w",
    "options": {"TrainingMethod": "BFGS", "NCycles": 5, "HiddenLayers": 3, "VarTransform": "N", "UseRegulator": True},
    "prepare": "nTrain_Signal=500:nTrain_Background=500",
    "title": "BNN",
}


@pytest.mark.parametrize("name", ["train.json", "train.yaml"])
def test_configuration_files_and_options_that_replace_them(name, command, tmp_path):
    text = json.dumps(CONFIGURATION)  # JSON is YAML too
    if name == "train.yaml":
        pytest.importorskip("yaml", reason="YAML needs the extra yaml").safe_load(text)
    (tmp_path / name).write_text(text)
    finished = command("train", "--config", tmp_path / name, "--title", "other", "-q", "-o", tmp_path / "out")
    assert finished.code == 0, finished.err
    model = TMVA.load(tmp_path / "out/dataset/weights/job_other.weights.xml")
    assert model.options.flag("UseRegulator")
    assert model.variables[1].unit == "GeV"
    written = tmp_path / "out/job_other.train.json"
    again = TrainJob.of(json.loads(written.read_text()))
    assert again == TrainJob.of({**CONFIGURATION, "title": "other"})
    assert again.trees["Background"][0].weight == 2


def test_without_yaml_the_message_tells_what_to_install(fails, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "yaml", None)
    (tmp_path / "train.yaml").write_text("title: MLP")
    message = fails("train", "--config", tmp_path / "train.yaml", "-o", tmp_path / "out")
    assert "needs yaml: install it with  pip install 'pytmva-bnn[yaml]'" in message
    assert "JSON needs no extra package" in message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"optoins": ""}', "unknown key 'optoins'; did you mean options?"),
        ('{"colour": 1}', "known: trees, variables"),
        ("[]", "must have names and values"),
        ("{", "is not JSON"),
        ('{"trees": "a.root:t"}', "the key 'trees' must have names and values"),
        ('{"trees": {"Signal": 3}}', "a tree is 'file.root:tree'"),
        ('{"trees": {"Signal": {"tree": "a", "weight": "x"}}}', "the weight of a tree must be a number, got 'x'"),
        ('{"variables": [{"name": "x"}]}', "variables: each is an expression or has the keys expression, title"),
    ],
)
def test_mistakes_in_a_configuration(content, message, fails, tmp_path):
    (tmp_path / "train.json").write_text(content)
    assert message in fails("train", "--config", tmp_path / "train.json", "-o", tmp_path / "out")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-v", "var1"], "no events: give --signal"),
        ([*EVENTS], "no variables: name them with -v"),
        ([*EVENTS[:2], "-v", "var1"], "only the class Signal has events"),
        ([*EVENTS, "-v", "var1", "--target", "pt"], "--target needs --regression"),
        (["--regression", f"{DATA}/reg.root:TreeR", "-v", "var1"], "a regression needs a target: give --target"),
        (["--class", "Signal", "-v", "x"], "--class is written NAME=FILE:TREE, got 'Signal'"),
        ([*EVENTS, "--tree-weight", "Sgnal=2", "-v", "x"], "no events are given for the class Sgnal"),
        ([*EVENTS, "-v", "var1", "--options", "NCycle=5"], "--options: MLP: The following options were specified"),
        ([*EVENTS, "-v", "var1", "--options", "NCycle=5"], "did you mean NCycles?"),
        (
            [*EVENTS, "-v", "var1", "--options", "NCycles=1e3"],
            "--options: MLP: Option NCycles of type Int: '1e3' would be",
        ),
        ([*EVENTS, "-v", "var1", "--prepare", "SplitMod=Random"], "--prepare: "),
        (
            [*EVENTS, "-v", "var1", "--prepare", "nTrain_Signal=1e9"],
            "--prepare: Dataset[dataset]: Option nTrain_Signal: TMVA would read '1e9' as 1; write a whole number",
        ),
        ([*EVENTS, "-v", "var1", "--factory", "Colour"], "--factory: "),
        ([*EVENTS, "-v", "var1", "--method", "BTD"], "the method BTD is not available here: did you mean BDT?"),
        ([*EVENTS, "-v", "var1", "--method", "DNN"], "book an MLP instead, e.g. --method MLP:NeuronType=tanh"),
        ([*EVENTS, "-v", "var1", "--method", "BDT:NTree=5"], "--method: BDT: The following options were specified"),
        ([*EVENTS, "-v", "var1", "--method", "A=BDT", "--method", "A=LD"], "two methods with the title A"),
        (
            [*EVENTS, "-v", "var1", "--method", "BDT", "--method", "LD", "--options", "V"],
            "--options is for one method, and there are 2; write --method [TITLE=]METHOD[:OPTIONS]",
        ),
        (
            [*EVENTS, "-v", "var1", "--title", "a/b c"],
            "the title is part of file names: it must not contain a '/'",
        ),
        ([*EVENTS, "-v", "var1", "--job", "a/b"], "the job is part of file names"),
    ],
)
def test_wrong_usage(arguments, message, fails, tmp_path):
    assert message in fails("train", *arguments, "-o", tmp_path / "out", code=2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*EVENTS, "-v", "vra1"], "vra1"),
        (["--signal", "none.root:t", "--background", "none.root:t", "-v", "x"], "none.root does not exist"),
        (["--config", "none.json"], "none.json: No such file or directory"),
        ([*EVENTS, "-v", "(var1"], "(var1"),
    ],
)
def test_mistakes_on_the_command_line(arguments, message, fails, tmp_path):
    assert message in fails("train", *arguments, "-o", tmp_path / "out")


def test_a_job_knows_its_analysis():
    def analysis(**given):
        return TrainJob.of(given).analysis

    assert analysis(trees={"Background": "b", "Signal": "s"}) == "Classification"
    assert analysis(trees={"a": "b", "c": "s"}) == "Multiclass"
    assert analysis(trees={"Regression": "r"}) == "Regression"
    with pytest.raises(InputError, match="--target needs --regression"):
        TrainJob.of({"trees": {"Signal": "s"}, "targets": "t", "variables": "x"}).checked()
