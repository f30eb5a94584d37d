"""The command: files, exit codes, what is said."""

from __future__ import annotations

import io
import subprocess
import sys
from types import SimpleNamespace

import pytest

from pytmva_bnn.errors import MissingDependencyError
from pytmva_bnn.port import main, translate


@pytest.fixture
def parser() -> None:
    pytest.importorskip("tree_sitter_cpp")


@pytest.mark.usefixtures("parser")
class TestWithParser:
    def test_all_translated(self, tmp_path, capsys):
        (tmp_path / "a.C").write_text("int a = 1;\n")
        assert main([str(tmp_path / "a.C"), "-o", str(tmp_path / "a.py")]) == 0
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err == f"{tmp_path / 'a.C'}: 1 lines translated, 0 left\n"
        assert (tmp_path / "a.py").read_text().endswith("\n\na = 1\n")

    def test_something_left(self, tmp_path, capsys):
        (tmp_path / "a.C").write_text("int a = 1;\nstrange(a);\n")
        assert main([str(tmp_path / "a.C")]) == 3
        said = capsys.readouterr()
        assert "# TODO(port): strange(a);\n" in said.out
        assert "1 lines translated, 1 left (search for TODO(port))\n" in said.err
        assert "line 2: the function strange is not known here\n" in said.err
        assert "the program stops with NotImplementedError at 1 of the places that are left\n" in said.err

    def test_other_methods_are_no_failure(self, tmp_path, capsys):
        (tmp_path / "a.C").write_text('{ TMVA::Factory f("j", ""); f.BookMethod("PyKeras", "PyKerasG", ""); }')
        assert main([str(tmp_path / "a.C")]) == 0
        assert "methods that are not available here: PyKerasG\n" in capsys.readouterr().err

    def test_vectorise(self, tmp_path, macro, capsys):
        (tmp_path / "a.C").write_text(macro("application"))
        assert main([str(tmp_path / "a.C"), "--vectorise"]) == 0
        assert 'reader.EvaluateMVA(events, "MLP method")' in capsys.readouterr().out

    def test_standard_input(self, monkeypatch, capsys):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"int a = 1;")))
        assert main(["-"]) == 0
        assert "a = 1\n" in capsys.readouterr().out

    def test_latin_1(self, tmp_path, capsys):
        (tmp_path / "a.C").write_bytes("// von J\xf6rg\nint a = 1;".encode("latin-1"))
        assert main([str(tmp_path / "a.C")]) == 0
        assert "# von Jörg\n" in capsys.readouterr().out

    def test_as_a_module(self, tmp_path):
        (tmp_path / "a.C").write_text("int a = 1;\n")
        command = [sys.executable, "-m", "pytmva_bnn.port", str(tmp_path / "a.C")]
        outcome = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        assert outcome.returncode == 0
        assert outcome.stdout.endswith("a = 1\n")


def test_a_file_that_is_not_there(tmp_path, capsys):
    assert main([str(tmp_path / "no.C")]) == 2
    assert "no.C" in capsys.readouterr().err


def test_wrong_options(capsys):
    assert main(["--nonsense"]) == 2
    assert main([]) == 2
    assert "usage: pytmva-bnn port" in capsys.readouterr().err


def test_help(capsys):
    assert main(["--help"]) == 0
    assert "--vectorise" in capsys.readouterr().out


def test_without_the_parser(tmp_path, monkeypatch, capsys):
    for name in ("tree_sitter", "tree_sitter_cpp"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'pytmva-bnn\[port\]'"):
        translate("int a;")
    (tmp_path / "a.C").write_text("int a = 1;\n")
    assert main([str(tmp_path / "a.C")]) == 2
    assert "pip install 'pytmva-bnn[port]'" in capsys.readouterr().err


def test_importing_the_package_does_not_load_the_parser():
    script = "import sys, pytmva_bnn.port; print('tree_sitter' in sys.modules)"
    outcome = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)  # noqa: S603
    assert outcome.stdout.strip() == "False"
