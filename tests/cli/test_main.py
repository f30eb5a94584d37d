"""Exit codes, messages, help: what every command has in common."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import pytmva_bnn
from pytmva_bnn.cli import commands, main
from pytmva_bnn.cli.console import one_line, progress
from pytmva_bnn.cli.event_writers import WRITERS
from pytmva_bnn.cli.parser import COMMANDS, EVENT_FORMATS
from pytmva_bnn.cli.response_columns import RESPONSE

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
    if COMMANDS[name].add_arguments is None:
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
        (["aply"], "there is no command 'aply': did you mean apply?"),
        (["--verbose", "xyz"], "there is no command 'xyz': see --help"),
        (["inspect"], "the following arguments are required: WEIGHTS"),
        (["inspect", "--jsn", WEIGHTS], "unrecognized arguments: --jsn: did you mean --json?"),
        (["apply", "w.xml", "f.root", "-o", "x.root", "--eror"], "--eror: did you mean --errors?"),
        (["apply", "w.xml", "f.root", "-o", "x.root", "--jbs=2"], "--jbs=2: did you mean --jobs?"),
        (["convert", WEIGHTS, "w.json", "more.xml"], "unrecognized arguments: more.xml"),
        (["apply", "w.xml", "f.root", "-o", "x.root", "--jobs", "two"], "must be a whole number above 0, got 'two'"),
        (["compare", "a.xml", "b.xml", "--rtol", "-1"], "argument --rtol: must be a number, 0 or above, got '-1'"),
        (["compare", "a.xml", "b.xml", "--atol", "nan"], "argument --atol: must be a number, 0 or above, got 'nan'"),
        (["compare", "a.xml", "b.xml", "--events", "x"], "argument --events: must be a whole number, 0 or above"),
        (["apply", "w.xml", "f.root", "-o", "x.root", "--jobs", "0"], "must be a whole number above 0, got '0'"),
        (
            ["apply", "w.xml", "f.root", "-o", "x.root", "--retries", "-1"],
            "must be a whole number, 0 or above, got '-1'",
        ),
        (["compare", "a.xml", "b.xml", "--ignore", "colour"], "invalid choice: 'colour'"),
        (["apply", "w.xml", "f.root", "-o", "x.root", "--dask", "locl"], "did you mean local?"),
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
    def run(name, arguments):
        raise error

    monkeypatch.setattr(commands, "run", run)


def test_an_interrupt_has_exit_code_130(command, monkeypatch):
    raising(KeyboardInterrupt(), monkeypatch)
    finished = command("inspect", WEIGHTS)
    assert (finished.code, finished.err) == (130, "pytmva-bnn: error: interrupted\n")


def test_an_interrupt_while_modules_are_loaded_has_it_too(command, monkeypatch):
    class Interrupted:
        def find_spec(self, name, *_):
            if name == "pytmva_bnn.cli.inspect":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "pytmva_bnn.cli.inspect", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Interrupted(), *sys.meta_path])
    finished = command("inspect", WEIGHTS)
    assert (finished.code, finished.err) == (130, "pytmva-bnn: error: interrupted\n")


def test_a_bug_is_one_line_that_tells_of_debug(fails, monkeypatch):
    raising(ZeroDivisionError("division by zero"), monkeypatch)
    assert fails("inspect", WEIGHTS) == ("ZeroDivisionError: division by zero (this is a bug; --debug shows where)")


def test_an_error_of_the_system_names_the_file(fails, monkeypatch):
    raising(PermissionError(13, "Permission denied", "out/w.xml"), monkeypatch)
    assert fails("inspect", WEIGHTS) == "out/w.xml: Permission denied"


def test_in_a_read_only_folder_the_file_is_named_and_no_hidden_one(fails, monkeypatch, tmp_path):
    def refuse(suffix="", prefix="", dir=None):  # noqa: A002 - the name that tempfile gives it
        raise PermissionError(13, "Permission denied", f"{dir}/{prefix}abcd1234{suffix or ''}")

    monkeypatch.setattr(tempfile, "mkdtemp", refuse)
    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    assert fails("convert", WEIGHTS, tmp_path / "w.json") == f"{tmp_path}/w.json cannot be written: Permission denied"
    fakerate = ["xml_fixtures/cases/fakerate_bnn/weights.xml", "xml_fixtures/data/fakerate.root:pass"]
    for target in (f"{tmp_path}/r.npz", f"{tmp_path}/new/r.root"):
        assert fails("apply", *fakerate, "-o", target) == f"{target} cannot be written: Permission denied"
    assert not list(tmp_path.iterdir())
    assert " cannot be written: Permission denied" in fails("apply", *fakerate, "-o", f"{tmp_path}/")


@pytest.mark.parametrize("content", [b"not a numpy archive", b""])
def test_a_file_that_is_no_archive_is_no_reason_for_pickle(content, fails, tmp_path):
    (tmp_path / "w.npz").write_bytes(content)
    message = fails("inspect", tmp_path / "w.npz")
    assert message.startswith(f"{tmp_path}/w.npz: not a weight file in numpy's format: ")
    assert "pickle" not in message


@pytest.mark.parametrize("part", [0.001, 0.1, 0.5])
def test_a_truncated_root_file_is_called_so(part, fails, tmp_path):
    data = Path("xml_fixtures/data/fakerate.root").read_bytes()
    (tmp_path / "t.root").write_bytes(data[: int(len(data) * part)])
    arguments = ["apply", "xml_fixtures/cases/fakerate_bnn/weights.xml", tmp_path / "t.root", "--tree", "pass"]
    message = fails(*arguments, "-o", tmp_path / "r.npz")
    assert message.startswith(f"{tmp_path}/t.root:")
    assert "the file is truncated or damaged" in message
    assert "Chunk" not in message
    (tmp_path / "t.root").write_bytes(b"")
    assert fails(*arguments, "-o", tmp_path / "r.npz").endswith("cannot be opened as a ROOT file: it is empty")


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


def test_the_parser_knows_what_slow_modules_define(command):
    assert list(WRITERS) == [f".{ending}" for ending in EVENT_FORMATS]
    assert f"(default: {RESPONSE})" in command("apply", "--help").out


def test_a_package_that_a_command_needs_is_named(fails, monkeypatch):
    raising(ModuleNotFoundError("No module named 'lxml'", name="lxml"), monkeypatch)
    expected = "the command 'inspect' needs lxml: install it with  pip install 'pytmva-bnn[all]'"
    assert fails("inspect", WEIGHTS) == expected
