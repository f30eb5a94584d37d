"""Tables of the variables as macros print them, against the log of the real TMVA."""

import re

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.compat.messages import as_macro

HEADER = re.compile(r"<HEADER> (?P<source>\S+) +: (?P<text> *Variable +Mean .*|Ranking result .*)")
RULE = re.compile(r" +: -+")


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def tables(text):
    """Return the tables in a log: their lines, the header included."""
    found, rules = [], 0
    for line in text.splitlines():
        header = HEADER.match(line)
        if header:
            found.append([line])
            rules = 3 if header["text"].startswith("Ranking") else 2
        elif rules:
            found[-1].append(line)
            rules -= RULE.fullmatch(line) is not None
    return found


@pytest.mark.parametrize("name", ["fisher_mahal", "bdt_reg_out"])
def test_statistics_and_rankings_are_those_of_tmva(name, method_case, train_as, capsys):
    case = method_case(name)
    with as_macro():
        factory = train_as(case, "output.root")
        factory.TestAllMethods()
        factory.EvaluateAllMethods()
    expected = tables((case.folder / "log.txt").read_text())
    assert len(expected) == {"fisher_mahal": 6, "bdt_reg_out": 6}[name]
    assert tables(capsys.readouterr().out) == expected


def small_loader(*classes):
    rng = np.random.default_rng(1)
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("log(pt)", "a title", "GeV")
    for place, name in enumerate(classes):
        loader.AddTree({"pt": rng.lognormal(place, 1.0, 60)}, name)
    return loader


@pytest.mark.parametrize(("transformation", "n_tables"), [("N", 2), ("None", 0)])
def test_without_an_output_file_only_transformed_variables_are_shown(transformation, n_tables, capsys):
    with as_macro():
        factory = TMVA.Factory("job", "!Silent:!DrawProgressBar:AnalysisType=Classification")
        options = f"NCycles=2:HiddenLayers=2:VarTransform={transformation}"
        method = factory.BookMethod(small_loader("Signal", "Background"), "MLP", "net", options)
        factory.TrainAllMethods()
        factory.TestAllMethods()
        factory.EvaluateAllMethods()
    text = capsys.readouterr().out
    shown = tables(text)
    # TMVA: the ranking of a network has the variables' internal names, that of other methods their labels
    (ranking,) = (table for table in shown if "Ranking result" in table[0])
    assert ranking[0].startswith("<HEADER> net                      : ")
    assert ranking[4].split(" : ")[2].strip() == "log_pt_"
    assert method.ranking.entries[0][0] == "log(pt)"
    statistics = [table for table in shown if table is not ranking]
    assert [table[0].split()[1] for table in statistics] == ["TFHandler_net"] * n_tables
    assert all(" log(pt):" in table[2] for table in statistics)


def test_headers_of_a_multiclass_training_say_classification(capsys):
    with as_macro():
        factory = TMVA.Factory("job", "!Silent:!DrawProgressBar:AnalysisType=Multiclass")
        factory.BookMethod(small_loader("a", "b", "c"), "MLP", "MLP", "NCycles=2:HiddenLayers=2:VarTransform=N")
        factory.TrainAllMethods()
        factory.TestAllMethods()
        factory.EvaluateAllMethods()
    shown = capsys.readouterr().out
    lines = shown.splitlines()
    for text in (
        "Train method: MLP for Multiclass classification",
        "Test method: MLP for Multiclass classification performance",
    ):
        assert f"<HEADER> Factory                  : {text}" in lines
    # TMVA: no header, unlike that of two classes
    assert f"{'':25}: Evaluate multiclass classification method: MLP" in lines
    # the test events of several classes are shown for the plots of an output file only
    assert [table[0].split()[1] for table in tables(shown)] == ["TFHandler_MLP", "MLP"]
