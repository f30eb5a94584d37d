"""Exit codes, messages, help: what every command has in common."""

import os
import subprocess
import sys

import pytest

import pytmva_bnn
from pytmva_bnn.cli import commands, main
from pytmva_bnn.cli.commands import COMMANDS, Command
from pytmva_bnn.cli.console import ConsoleHandler, one_line, progress

WEIGHTS = "xml_fixtures/cases/bfgs_n/weights.xml"


def test_help_shows_all_commands_and_examples(command):
    finished = command("--help")
    assert finished.code == 0
    for name in COMMANDS:
        assert f"\n    {name}" in finished.out
    assert "examples:" in finished.out
    assert "exit codes:" in finished.out


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_help_with_examples(name, command):
    if COMMANDS[name].passed_on:
        return  # the other part of the package has its own
    finished = command(name, "--help")
    assert finished.code == 0
    assert "examples:" in finished.out
    assert f"pytmva-bnn {name}" in finished.out


def test_version(command):
    finished = command("--version")
    assert (finished.code, finished.out) == (0, f"pytmva-bnn {pytmva_bnn.__version__}\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "which command"),
        (["trian"], "invalid choice: 'trian'"),
        (["inspect"], "the following arguments are required: WEIGHTS"),
        (["inspect", "--jsn", WEIGHTS], "unrecognized arguments: --jsn"),
        (["apply", "w.xml", "f.root", "-o", "x.root", "--jobs", "0"], "0 is not positive"),
        (["apply", "w.xml", "f.root", "-o", "x.root", "--retries", "-1"], "-1 is negative"),
        (["compare", "a.xml", "b.xml", "--ignore", "colour"], "invalid choice: 'colour'"),
    ],
)
def test_wrong_usage_has_exit_code_2(arguments, message, fails):
    assert message in fails(*arguments, code=2)


def test_a_missing_file_is_one_line(fails):
    assert fails("inspect", "no/such/file.xml").startswith("no/such/file.xml: unable to open the weight file")


def test_a_damaged_file_is_one_line(fails, tmp_path):
    (tmp_path / "w.xml").write_text("<MethodSetup>")
    assert "w.xml" in fails("inspect", tmp_path / "w.xml")


@pytest.mark.parametrize("arguments", [["--debug", "inspect", "none.xml"], ["inspect", "none.xml", "--debug"]])
def test_debug_shows_the_traceback(arguments, command):
    finished = command(*arguments)
    assert finished.code == 1
    assert "Traceback" in finished.err
    assert finished.err.splitlines()[-1].startswith("pytmva-bnn: error: none.xml")


def raising(error, monkeypatch):
    def run(self, arguments):
        raise error

    monkeypatch.setattr(Command, "run", run)


def test_an_interrupt_has_exit_code_130(command, monkeypatch):
    raising(KeyboardInterrupt(), monkeypatch)
    finished = command("inspect", WEIGHTS)
    assert (finished.code, finished.err) == (130, "pytmva-bnn: error: interrupted\n")


def test_a_bug_is_one_line_that_tells_of_debug(fails, monkeypatch):
    raising(ZeroDivisionError("division by zero"), monkeypatch)
    assert fails("inspect", WEIGHTS) == (
        "ZeroDivisionError: division by zero (this should not happen; --debug shows where)"
    )


def test_an_error_of_the_system_names_the_file(fails, monkeypatch):
    raising(PermissionError(13, "Permission denied", "out/w.xml"), monkeypatch)
    assert fails("inspect", WEIGHTS) == "out/w.xml: Permission denied"


def test_warnings_are_messages_of_the_command(command, tmp_path, case_named):
    text = case_named("bfgs_n").weights.read_text()
    number = text.split("<Neuron NSynapses")[1].split(">")[1].split()[0]
    (tmp_path / "w.xml").write_text(text.replace(number, "nan", 1))
    finished = command("inspect", tmp_path / "w.xml")
    assert finished.code == 0
    assert finished.err.startswith("pytmva-bnn: warning: ")
    assert finished.err.count("\n") == 1


def test_verbose_shows_the_log(command, tmp_path):
    arguments = ["train", "--signal", "xml_fixtures/data/fakerate.root:pass", "-v", "pt", "-v", "ht"]
    arguments += ["--background", "xml_fixtures/data/fakerate.root:fail", "--no-output-file", "-q", "-o", tmp_path]
    arguments += ["--options", "TrainingMethod=BFGS:NCycles=2:HiddenLayers=2:VarTransform=N"]
    assert command(*arguments).err == ""
    assert "Booking method: MLP" in command("--verbose", *arguments).err


def test_python_m_works_and_a_closed_pipe_is_no_drama():
    arguments = [sys.executable, "-m", "pytmva_bnn.cli"]
    finished = subprocess.run([*arguments, "--version"], capture_output=True, text=True, check=True)  # noqa: S603
    assert finished.stdout.startswith("pytmva-bnn ")
    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "wb") as closed:
        finished = subprocess.run(  # noqa: S603
            [*arguments, "inspect", WEIGHTS], stdout=closed, stderr=subprocess.PIPE, text=True, check=False
        )
    assert finished.returncode == 1
    assert finished.stderr == ""


def test_help_loads_nothing_heavy():
    script = (
        "import sys; from pytmva_bnn.cli import main; main(['--help']); "
        "print([m for m in ('numpy', 'lxml', 'uproot', 'onnx', 'dask') if m in sys.modules])"
    )
    finished = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)  # noqa: S603
    assert finished.stdout.splitlines()[-1] == "[]"


def test_messages_are_put_on_one_line():
    assert one_line("a\n\n  b\n  ^\n") == "a: b"


def test_progress_bars_are_for_terminals(monkeypatch, capsys):
    with progress(10, "apply", "event") as advance:
        advance(10)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with progress(10, "apply", "event") as advance:
        advance(10)
    assert "10/10" in capsys.readouterr().err


def test_arguments_come_from_the_process(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["pytmva-bnn", "--version"])
    assert main() == 0
    assert capsys.readouterr().out.startswith("pytmva-bnn ")
    assert commands.COMMANDS["train"].name == "train"
    assert ConsoleHandler().level == 0
