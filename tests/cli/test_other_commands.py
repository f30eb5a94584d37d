"""Commands that other parts of the package do, and completion."""

import shutil
import subprocess
import sys
import types

import pytest

from pytmva_bnn.cli import main
from pytmva_bnn.cli.completion import completion
from pytmva_bnn.cli.parser import COMMANDS


def fake_module(monkeypatch, name, **functions):
    module = types.ModuleType(name)
    for key, function in functions.items():
        setattr(module, key, function)
    monkeypatch.setitem(sys.modules, name, module)


@pytest.mark.parametrize("name", ["demo", "port"])
def test_arguments_are_passed_on_as_they_are(name, command, monkeypatch):
    seen = []
    fake_module(monkeypatch, f"pytmva_bnn.{name}", main=lambda argv: seen.append(argv) or 3)
    assert command(name, "macro.C", "--help", "-o", "x.py").code == 3
    assert seen == [["macro.C", "--help", "-o", "x.py"]]
    fake_module(monkeypatch, f"pytmva_bnn.{name}", main=lambda _: None)
    assert command(name).code == 0
    fake_module(monkeypatch, f"pytmva_bnn.{name}", main=lambda argv: seen.append(argv))
    assert command("--verbose", name, "-x").code == 0
    assert seen[-1] == ["-x"]


def test_errors_of_other_parts_are_one_line_too(fails, monkeypatch):
    def missing(argv):
        raise FileNotFoundError(2, "No such file or directory", argv[0])

    fake_module(monkeypatch, "pytmva_bnn.demo", main=missing)
    assert fails("demo", "macro.C") == "macro.C: No such file or directory"

    def leave(argv):
        raise SystemExit(2)

    fake_module(monkeypatch, "pytmva_bnn.port", main=leave)
    assert main(["port"]) == 2


def test_report_is_called_with_file_and_output(command, monkeypatch):
    def report(file, out, dataset):
        return f"{file}->{out} {dataset}"

    fake_module(monkeypatch, "pytmva_bnn.show.report", report_from_output_file=report)
    assert command("report", "out/TMVA.root").out == "written: out/TMVA.root->out/report.html None\n"
    finished = command("report", "out/TMVA.root", "-o", "r.html", "--dataset", "d")
    assert finished.out == "written: out/TMVA.root->r.html d\n"


def test_a_report_may_go_into_a_folder(command, monkeypatch, tmp_path):
    fake_module(monkeypatch, "pytmva_bnn.show.report", report_from_output_file=lambda _, out, __: out)
    for folder in (tmp_path, f"{tmp_path}/new/"):
        finished = command("report", "out/TMVA.root", "-o", folder)
        assert finished.out == f"written: {str(folder).rstrip('/')}/report.html\n"


FOREST = "xml_fixtures/methods/bdt_ada/weights.xml.gz"


def test_plots_of_a_weight_file(command, tmp_path):
    pytest.importorskip("matplotlib", reason="plots need the extra plot")
    finished = command("plots", FOREST, "--format", "svg", "-o", tmp_path)
    assert finished.out == f"6 plots written to {tmp_path}\n"
    assert {path.name for path in tmp_path.iterdir()} == {
        *("boosting_BDT.svg", "tree_sizes_BDT.svg", "cuts_BDT.svg"),
        *(f"decision_tree_{number}_BDT.svg" for number in range(3)),
    }


def test_a_report_of_a_weight_file(command, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib", reason="plots need the extra plot")
    from pytmva_bnn.show.plots import gallery

    all_sections = gallery.sections
    monkeypatch.setattr(gallery, "sections", lambda content: list(all_sections(content))[:1])
    assert command("report", FOREST, "-o", f"{tmp_path}/").out == f"written: {tmp_path}/report.html\n"
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert f"weight file {FOREST}" in page
    assert "Weights of the trees: BDT" in page


@pytest.mark.parametrize("name", ["report", "plots"])
def test_a_weight_file_has_no_data_sets(name, fails, tmp_path):
    pytest.importorskip("matplotlib", reason="plots need the extra plot")
    message = fails(name, FOREST, "--dataset", "dataset", "-o", tmp_path / "out", code=2)
    assert message == f"--dataset is for output files; {FOREST} is a weight file"


@pytest.mark.parametrize("name", ["report", "plots"])
def test_an_output_file_that_is_none_is_one_line(name, fails, tmp_path):
    pytest.importorskip("matplotlib", reason="plots need the extra plot")
    assert "none.root" in fails(name, "none.root", "-o", tmp_path / "out")


@pytest.mark.parametrize("name", ["report", "plots"])
def test_a_root_file_that_no_training_left_is_called_so(name, fails, tmp_path):
    pytest.importorskip("matplotlib", reason="plots need the extra plot")
    message = fails(name, "xml_fixtures/data/class.root", "-o", tmp_path / "out")
    assert message.startswith("xml_fixtures/data/class.root is not an output file of TMVA or this package")


def test_a_macro_that_is_not_there(fails, command, tmp_path, monkeypatch):
    fake_module(monkeypatch, "pytmva_bnn.port", main=lambda _: 0)
    assert fails("port", "nope.C") == "the macro nope.C does not exist"
    assert fails("port", "-o", "new.py", tmp_path) == f"the macro {tmp_path} is a folder"
    (tmp_path / "macro.C").write_text("")
    for arguments in ([tmp_path / "macro.C", "--output", "new.py"], ["-"], ["--help"], []):
        assert command("port", *arguments).code == 0


@pytest.mark.parametrize(
    ("name", "module"),
    [
        ("demo", "pytmva_bnn.demo"),
        ("port", "pytmva_bnn.port"),
        ("report", "pytmva_bnn.show.report"),
        ("plots", "pytmva_bnn.show.plots.style"),
    ],
)
def test_a_missing_part_is_said_clearly(name, module, fails, monkeypatch):
    arguments = ["x.root"] if name in ("report", "plots") else []
    monkeypatch.setitem(sys.modules, module, None)
    assert f"the command '{name}' is not part of this installation ({module} is missing)" in fails(name, *arguments)
    fake_module(monkeypatch, module)
    message = fails(name, *arguments)
    assert f"the command '{name}' is not part of this installation (cannot import name " in message
    assert module in message


# ---- completion


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_know_commands_and_options(shell, command):
    finished = command("completion", shell)
    assert finished.code == 0
    for name in COMMANDS:
        assert name in finished.out
    assert "skip-existing" in finished.out


def test_fish_knows_values_and_the_options_of_port():
    script = completion("fish")
    assert "from apply' -l format -x -a 'root parquet npz'" in script
    assert "from port' -l vectorise" in script


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["pytmva-bnn", "in"], ["inspect"]),
        (["pytmva-bnn", "apply", "--sk"], ["--skip-existing"]),
        (["pytmva-bnn", "completion", "z"], ["zsh"]),
        (["pytmva-bnn", "train", "--reg"], ["--regression"]),
        (["pytmva-bnn", "inspect", "file"], []),
        (["pytmva-bnn", "apply", "--format", "p"], ["parquet"]),
        (["pytmva-bnn", "apply", "--format", "''"], ["root", "parquet", "npz"]),
        (["pytmva-bnn", "apply", "--format", "=", "n"], ["npz"]),
        (["pytmva-bnn", "apply", "--format", "="], ["root", "parquet", "npz"]),
        (["pytmva-bnn", "plots", "--format", "p"], ["png", "pdf"]),
        (["pytmva-bnn", "compare", "a", "b", "--ignore", "w"], ["weights"]),
        (["pytmva-bnn", "apply", "--tree", "p"], []),
        (["pytmva-bnn", "port", "--v"], ["--vectorise"]),
        (["pytmva-bnn", "port", "-"], ["-h", "--help", "-o", "--output", "--vectorise"]),
    ],
)
def test_bash_completes(words, expected):
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash on this machine")
    script = completion("bash") + (
        f"\nCOMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}; _pytmva_bnn; echo ${{COMPREPLY[@]}}"
    )
    finished = subprocess.run([bash, "-c", script], capture_output=True, text=True, check=True)  # noqa: S603
    assert finished.stdout.split() == expected
