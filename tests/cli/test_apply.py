"""Applying a network to one file."""

from dataclasses import replace

import numpy as np
import pytest
import uproot

import pytmva_bnn as TMVA
from pytmva_bnn.fast import switch
from pytmva_bnn.methods.mlp.kernels import responses
from pytmva_bnn.transform import Normalisation, Quantity, Selection

CASES = "xml_fixtures/cases"
BNN = f"{CASES}/fakerate_bnn/weights.xml"
FAKERATE = "xml_fixtures/data/fakerate.root"


def columns_of(path, tree="pass"):
    """Return the columns of an output."""
    if path.suffix == ".npz":
        with np.load(path) as archive:
            return dict(archive)
    if path.suffix == ".parquet":
        parquet = pytest.importorskip("pyarrow.parquet", reason="parquet needs the extra parquet")
        table = parquet.read_table(path)
        return {name: table[name].to_numpy() for name in table.column_names}
    with uproot.open(path) as file:
        return file[tree].arrays(library="np")


@pytest.mark.parametrize("ending", ["root", "parquet", "npz"])
def test_the_numbers_are_those_of_predict(ending, command, tmp_path):
    if ending == "parquet":
        pytest.importorskip("pyarrow", reason="parquet needs the extra parquet")
    target = tmp_path / f"new/r.{ending}"
    finished = command(
        "apply", BNN, FAKERATE, "--tree", "pass", "--errors", "--keep", "pt", "--block-size", 1000, "-o", target
    )
    assert (finished.code, finished.out) == (0, f"{target}: 3098 events\n"), finished.err
    found = columns_of(target)
    assert list(found) == ["pt", "response", "lower", "upper"]
    with uproot.open(f"{FAKERATE}:pass") as tree:
        events = tree.arrays(library="np")
    value, lower, upper = TMVA.load(BNN).predict(events, errors=True)
    np.testing.assert_array_equal(found["response"], value)
    np.testing.assert_allclose(found["lower"], lower, rtol=1e-9)
    np.testing.assert_allclose(found["upper"], upper, rtol=1e-9)
    np.testing.assert_array_equal(found["pt"], events["pt"])
    assert found["pt"].dtype == np.float32
    assert [path.name for path in target.parent.iterdir()] == [target.name]


def test_a_large_tree_in_small_blocks_is_a_large_job(command, tmp_path, monkeypatch):
    pytest.importorskip("numba")
    monkeypatch.setenv("PYTMVA_BNN_FAST", "auto")
    n_entries = uproot.open(f"{FAKERATE}:pass").num_entries
    monkeypatch.setattr(switch, "_TO_CALL", n_entries * TMVA.load(BNN).network.n_weights)
    seen = []
    outputs = responses.outputs
    monkeypatch.setattr(responses, "outputs", lambda *args: seen.append(len(args[1])) or outputs(*args))
    command("apply", BNN, f"{FAKERATE}:pass", "--block-size", 1000, "-o", tmp_path / "r.root")
    assert sum(seen) == n_entries
    assert max(seen) <= 1000


def test_the_output_is_a_tree_that_root_reads(command, tmp_path):
    command("apply", BNN, f"{FAKERATE}:pass", "--output-tree", "friend", "-o", tmp_path / "r.root")
    with uproot.open(tmp_path / "r.root") as file:
        assert file.classnames(cycle=False) == {"friend": "TTree"}
        assert file["friend"].typenames() == {"response": "double"}


@pytest.mark.parametrize(
    ("case", "data", "names"),
    [
        ("multi_n", "multi.root:TreeS", ["response_Signal", "response_bg0", "response_bg1", "response_bg2"]),
        ("reg_n", "reg.root:TreeR", ["response"]),
        ("reg_two_targets", "reg.root:TreeR", None),
        ("expressions", "class.root:TreeS", ["response"]),
    ],
)
def test_other_analyses(case, data, names, command, tmp_path):
    weights = f"{CASES}/{case}/weights.xml"
    finished = command("apply", weights, f"xml_fixtures/data/{data}", "-o", tmp_path / "r.npz")
    assert finished.code == 0, finished.err
    found = columns_of(tmp_path / "r.npz")
    model = TMVA.load(weights)
    labels = [f"response_{target.label}" for target in model.targets]
    assert list(found) == (labels if names is None else names)
    with uproot.open(f"xml_fixtures/data/{data}") as tree:
        expected = model.predict(tree.arrays(library="np"))
    np.testing.assert_array_equal(np.stack(list(found.values())).T.squeeze(), expected.squeeze())


def test_kept_are_branches_patterns_spectators_and_expressions(command, tmp_path):
    weights = f"{CASES}/expressions/weights.xml"
    keep = [text for name in ("run", "var*", "eta*2", "l := log(pt)") for text in ("--keep", name)]
    finished = command("apply", weights, "xml_fixtures/data/class.root:TreeB", *keep, "-o", tmp_path / "r.root")
    assert finished.code == 0, finished.err
    found = columns_of(tmp_path / "r.root", "TreeB")
    assert list(found) == ["run", "var1", "var2", "var3", "var4", "eta_T_2", "l", "response"]
    with uproot.open("xml_fixtures/data/class.root:TreeB") as tree:
        events = tree.arrays(library="np")
    np.testing.assert_allclose(found["l"], np.log(events["pt"].astype(float)))
    np.testing.assert_allclose(found["eta_T_2"], events["eta"].astype(float) * 2)
    assert found["run"].dtype == np.int32


def test_expressions_win_over_branches_called_like_a_label(command, tmp_path, case_named):
    # log(pt) is in the file under the label log(pt); here it gets the label of a branch
    text = case_named("expressions").weights.read_text()
    (tmp_path / "w.xml").write_text(text.replace('Label="log(pt)"', 'Label="pt"'))
    for name, weights in (("a", case_named("expressions").weights), ("b", tmp_path / "w.xml")):
        assert command("apply", weights, "xml_fixtures/data/class.root:TreeS", "-o", tmp_path / f"{name}.npz").code == 0
    np.testing.assert_array_equal(
        columns_of(tmp_path / "a.npz")["response"], columns_of(tmp_path / "b.npz")["response"]
    )


def test_transformations_may_use_spectators(command, tmp_path, case_named, changed):
    model = TMVA.load(case_named("expressions").weights)
    run, v12 = (
        Quantity(kind, one.label, one.expression)
        for kind, one in (("Spectator", model.spectators[0]), ("Variable", model.variables[0]))
    )
    step = Normalisation(Selection((run,), (v12,)), np.float32([[0.0]]), np.float32([[3000.0]]))
    changed(model, file={"transformations": (step,)}).save(tmp_path / "w.xml")
    finished = command("apply", tmp_path / "w.xml", "xml_fixtures/data/class.root:TreeS", "-o", tmp_path / "r.npz")
    assert finished.code == 0, finished.err
    with uproot.open("xml_fixtures/data/class.root:TreeS") as tree:
        expected = TMVA.load(tmp_path / "w.xml").predict(tree.arrays(library="np"))
    np.testing.assert_array_equal(columns_of(tmp_path / "r.npz")["response"], expected)


def test_a_variable_with_several_values_an_event_is_refused(fails, tmp_path, case_named, small_files):
    text = case_named("fakerate_bnn").weights.read_text()
    (tmp_path / "w.xml").write_text(text.replace('Expression="pt"', 'Expression="jets"'))
    message = fails("apply", tmp_path / "w.xml", small_files / "f0.root", "-o", tmp_path / "r.npz")
    assert "the column 'jets' must be a 1-D array of numbers, but is 2-D of type" in message
    assert message.endswith("for one element write jets[0]")


def test_lists_are_kept_where_the_format_has_them(command, fails, tmp_path, small_files):
    for ending in ("root", "parquet"):
        target = tmp_path / f"r.{ending}"
        if ending == "parquet":
            pytest.importorskip("pyarrow", reason="parquet needs the extra parquet")
        assert command("apply", BNN, small_files / "f0.root", "--keep", "jets", "-o", target).code == 0
    with uproot.open(f"{tmp_path}/r.root:events") as new, uproot.open(f"{small_files}/f0.root:events") as old:
        assert new["jets"].array().to_list() == old["jets"].array().to_list()
    message = fails("apply", BNN, small_files / "f0.root", "--keep", "jets", "-o", tmp_path / "r.npz")
    assert "'jets' has lists of different lengths, which .npz cannot hold" in message


def test_a_tree_without_entries_gives_one_without_entries(command, tmp_path, small_files):
    for ending in ("root", "npz"):
        target = tmp_path / f"r.{ending}"
        finished = command("apply", BNN, small_files / "f1.root", "--errors", "--keep", "run", "-o", target)
        assert finished.code == 0, finished.err
        found = columns_of(target, "events")
        assert {name: len(values) for name, values in found.items()} == {
            "run": 0, "response": 0, "lower": 0, "upper": 0,
        }  # fmt: skip


def test_a_second_network_gets_a_name_of_its_own(command, fails, tmp_path):
    command("apply", BNN, f"{FAKERATE}:pass", "--keep", "*", "-o", tmp_path / "one.root")
    again = ["apply", BNN, tmp_path / "one.root", "--keep", "*", "-o", tmp_path / "two.root"]
    assert "already has a branch 'response': name the new one with --name" in fails(*again)
    assert command(*again, "--name", "BNN", "--errors").code == 0
    assert list(columns_of(tmp_path / "two.root")) == ["pt", "ht", "response", "BNN", "BNN_lower", "BNN_upper"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.xml", FAKERATE], "none.xml: unable to open the weight file"),
        ([BNN, "none.root"], "the file none.root does not exist"),
        ([BNN, "no*.root"], "no file matches no*.root"),
        ([BNN, FAKERATE], "several trees; write xml_fixtures/data/fakerate.root:<tree>. It has pass, fail."),
        ([BNN, FAKERATE, "--tree", "pas"], "has no tree 'pas': did you mean pass?"),
        ([BNN, "xml_fixtures/data/reg.root"], "reg.root:TreeR: missing variables: pt, ht"),
        ([BNN, FAKERATE, "--tree", "pass", "--keep", "runn"], "'runn' cannot be computed"),
        ([f"{CASES}/bfgs_n/weights.xml", FAKERATE, "--errors"], "the weight file has no inverse Hessian"),
        ([f"{CASES}/multi_n/weights.xml", FAKERATE, "--errors"], "no error bars"),
    ],
)
def test_user_errors(arguments, message, fails, tmp_path):
    assert message in fails("apply", *arguments, "-o", tmp_path / "r.root")
    assert not list(tmp_path.iterdir())


def test_an_input_is_never_overwritten(fails, small_files):
    before = (small_files / "f0.root").read_bytes()
    for target in (small_files / "f0.root", small_files):
        assert "is an input file" in fails("apply", BNN, small_files / "f0.root", "-o", target, code=2)
    assert (small_files / "f0.root").read_bytes() == before


def test_a_failure_leaves_the_old_output(fails, tmp_path):
    (tmp_path / "r.npz").write_text("old")
    fails("apply", BNN, FAKERATE, "--tree", "nothing", "-o", tmp_path / "r.npz")
    assert (tmp_path / "r.npz").read_text() == "old"


def test_an_ending_that_is_none_is_no_folder(fails, command, tmp_path):
    message = fails("apply", BNN, f"{FAKERATE}:pass", "-o", tmp_path / "r.csv", code=2)
    assert message.endswith(
        f"the name must end in one of .root, .parquet, .npz; write {tmp_path}/r.csv/ if you mean a folder"
    )
    assert not list(tmp_path.iterdir())
    assert command("apply", BNN, f"{FAKERATE}:pass", "-o", f"{tmp_path}/r.csv/").code == 0
    assert [path.name for path in (tmp_path / "r.csv").iterdir()] == ["fakerate.root"]


def test_elements_of_an_array_are_read_from_its_branch(command, tmp_path, changed):
    rng = np.random.default_rng(1)
    m = rng.normal(size=(40, 2)).astype(np.float32)
    with uproot.recreate(tmp_path / "in.root") as file:
        file["events"] = {"m": m}
    model = TMVA.load(BNN)
    elements = [
        replace(one, expression="m", label="m", internal=f"m[{i}]", type="F[]") for i, one in enumerate(model.variables)
    ]
    changed(model, file={"variables": tuple(elements), "transformations": ()}).save(tmp_path / "w.xml")
    finished = command("apply", tmp_path / "w.xml", tmp_path / "in.root", "-o", tmp_path / "out.npz")
    assert finished.code == 0, finished.err
    expected = TMVA.load(tmp_path / "w.xml").predict(m)
    np.testing.assert_array_equal(columns_of(tmp_path / "out.npz")["response"], expected)


def test_cuts_are_applied_at_a_signal_efficiency(command, tmp_path, method_case):
    record = method_case("cuts_mc")
    target = tmp_path / "passing.npz"
    events = "xml_fixtures/data/class.root"
    finished = command("apply", record.weights, events, "--tree", "TreeS", "--signal-efficiency", 0.7, "-o", target)
    assert finished.code == 0, finished.err
    passing = columns_of(target)["response"]
    expected = TMVA.load(record.weights).at_efficiency(0.7).predict(f"{events}:TreeS")
    np.testing.assert_array_equal(passing, expected)
    assert 0.6 < passing.mean() < 0.8
