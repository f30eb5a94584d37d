"""The commands port and run: files, arguments, exit codes, what is said."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from pytmva_bnn import compat
from pytmva_bnn.cli import main as pytmva_bnn
from pytmva_bnn.errors import MacroArgumentsError, MacroError, MissingDependencyError
from pytmva_bnn.port import main, run_text, translate
from pytmva_bnn.port.run import split_call


@pytest.fixture
def parser() -> None:
    pytest.importorskip("tree_sitter_cpp")


@pytest.fixture
def standard_input(monkeypatch):
    """Set what stands in the standard input."""

    def set_to(text: str) -> None:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))

    return set_to


# ---- port


@pytest.mark.usefixtures("parser")
class TestPort:
    def test_all_translated(self, tmp_path, capsys):
        (tmp_path / "a.C").write_text("int a = 1;\n")
        assert main([str(tmp_path / "a.C"), "-o", str(tmp_path / "a.py")]) == 0
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err == f"{tmp_path / 'a.C'}: 1 lines translated, 0 left\n"
        assert (tmp_path / "a.py").read_text().endswith("\n\na = 1\n")

    def test_something_left(self, tmp_path, capsys):
        (tmp_path / "a.C").write_text("void a() {\n  int n = 1;\n  strange(n);\n}\n")
        assert main([str(tmp_path / "a.C")]) == 3
        said = capsys.readouterr()
        assert "    # TODO(port): strange(n);\n" in said.out
        name = tmp_path / "a.C"
        assert said.err == (
            f"{name}: 2 lines translated, 1 left (search for TODO(port))\n"
            f"{name}: the program stops with NotImplementedError at 1 of the places that are left\n"
            f"{name}: line 3: strange does not exist here\n"
        )

    def test_standard_input(self, standard_input, capsys):
        standard_input("int a = 1;")
        assert main(["-"]) == 0
        assert capsys.readouterr().out.endswith("\n\na = 1\n")

    def test_latin_1(self, tmp_path, capsys):
        (tmp_path / "a.C").write_bytes("// von J\xf6rg\nint a = 1;".encode("latin-1"))
        assert main([str(tmp_path / "a.C")]) == 0
        assert "# von Jörg\n" in capsys.readouterr().out

    def test_files_beside_the_macro_are_found_from_anywhere(self, tmp_path, capsys):
        (tmp_path / "tools.h").write_text("int twice(int n) { return 2 * n; }\n")
        (tmp_path / "a.C").write_text('#include "tools.h"\nint a = twice(1);\n')
        assert main([str(tmp_path / "a.C")]) == 0
        assert "def twice(n):\n" in capsys.readouterr().out

    def test_as_a_module(self, tmp_path):
        (tmp_path / "a.C").write_text("int a = 1;\n")
        command = [sys.executable, "-m", "pytmva_bnn.port", str(tmp_path / "a.C")]
        outcome = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        assert outcome.returncode == 0
        assert outcome.stdout.endswith("a = 1\n")

    def test_the_result_runs_as_a_script(self, run_script, tmp_path):
        source = 'void a(int n, TString s = "x") { std::cout << n / 2 << s << std::endl; }\n'
        (tmp_path / "a.py").write_text(translate(source, filename="a.C").text)
        outcome = run_script(tmp_path / "a.py", "7", folder=tmp_path, environment=os.environ)
        assert (outcome.returncode, outcome.stdout) == (0, "3x\n"), outcome.stderr


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
    assert pytmva_bnn(["run", str(tmp_path / "a.C")]) == 1
    assert capsys.readouterr().err.count("pip install 'pytmva-bnn[port]'") == 2


def test_importing_the_package_does_not_load_the_parser():
    script = "import sys, pytmva_bnn.port; print('tree_sitter' in sys.modules)"
    outcome = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)  # noqa: S603
    assert outcome.stdout.strip() == "False"


# ---- run

MACRO = """
#include <iostream>
enum Mode { kSlow, kFast };
int f(TString name = "none", int n = 2, double x = 1.5, Mode mode = kSlow) {
  std::cout << name << " " << n << " " << x / 2 << " " << mode << std::endl;
  if (n == 3) throw std::runtime_error("three");
  if (n == 4) throw 4.5;
  if (n == 5) { std::vector<int> v(2); return v[n]; }
  if (n == 6) exit(44);
  if (n == 7) strange();
  if (n == 8) return -1;
  if (n == 9) { TFile file("none.root"); file.Get("t")->Print(); }
  if (n == 10) { TMVA::Factory j("j", "!V"); TMVA::DataLoader d("d"); j.BookMethod(&d, "PyKeras", "K", ""); }
  return n;
}
int main(int argc, char** argv) {
  for (int i = 1; i < argc; i++) std::cout << argv[i] << std::endl;
  return 256 + argc;
}
"""
LEFT = "pytmva-bnn: warning: f.C: line 10: strange does not exist here\n"


@pytest.fixture
def run(parser, tmp_path, monkeypatch, capsys):
    """Run the command in a folder with f.C; gives the exit code and what it said."""
    del parser
    (tmp_path / "f.C").write_text(MACRO)
    monkeypatch.chdir(tmp_path)

    def start(*words: str) -> SimpleNamespace:
        code = pytmva_bnn(["run", *words])
        said = capsys.readouterr()
        return SimpleNamespace(code=code, out=said.out, err=said.err.replace(LEFT, ""))

    return start


CALLS = {
    "f.C": (2, "none 2 0.75 0\n"),
    "f.C+": (2, "none 2 0.75 0\n"),
    "f.C()": (2, "none 2 0.75 0\n"),
    'f.C("BDT,MLP")': (2, "BDT,MLP 2 0.75 0\n"),
    'f.C++("a", 1.9, 3)': (1, "a 1 1.5 0\n"),  # converted as C++ does: to int, and to double before it is divided
    'f.C("a", kTRUE, 2 + 3 / 2, kFast)': (1, "a 1 1.5 1\n"),
    'f.C(TString("(") + ")", 0, -1e-1)': (0, "() 0 -0.05 0\n"),
    'f.C("", 6)': (44, " 6 0.75 0\n"),
    'f.C("", 8)': (255, " 8 0.75 0\n"),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_macro_is_called_as_root_calls_it(call, run):
    done = run(call)
    assert (done.code, done.out, done.err) == (*CALLS[call], "")


def test_words_are_for_main(run):
    done = run("f.C", "-b", "Fisher", "--debug", "a b")
    assert (done.code, done.out, done.err) == (5, "-b\nFisher\n--debug\na b\n", "")


FAILURES = {
    'f.C("", 3)': "f.C: terminate called after throwing an instance of 'std::runtime_error', what(): three",
    'f.C("", 4)': "f.C: terminate called after throwing 4.5",
    'f.C("", 5)': "f.C: IndexError: element [5] of a vector<int> of 2 elements (in f: return v[n])",
    'f.C("", 7)': "f.C: not translated: line 10: strange does not exist here",
    'f.C("", 9)': "the file none.root does not exist",
    "none.C": "none.C: No such file or directory",
    ".": ".: Is a directory",
}


@pytest.mark.parametrize("call", FAILURES)
def test_errors_are_one_line(call, run):
    done = run(call)
    assert (done.code, done.err) == (1, f"pytmva-bnn: error: {FAILURES[call]}\n")


def test_methods_that_cannot_be_trained_do_not_stop_the_macro_and_are_an_error(run, tmp_path, monkeypatch):
    booking = 'TMVA::Factory j("j", "!V"); TMVA::DataLoader d("d"); j.BookMethod(&d, "PyKeras", "K", "");'
    (tmp_path / "net.C").write_text(f'void net() {{ {booking} printf("on\\n"); }}')
    done = run("net.C")
    assert (done.code, done.out.splitlines()[-1]) == (1, "on")
    assert done.err == (
        "pytmva-bnn: error: net.C ran to its end, but without the methods that cannot be trained here: K (PyKeras). "
        "If this is intended, set PYTMVA_BNN_SKIP_UNKNOWN_METHODS=1\n"
    )
    monkeypatch.setattr(compat, "skip_unknown_methods", True)
    assert run("net.C").code == 0


WRONG = {
    "f.C(BDT)": "f.C: the argument BDT is neither a number nor a string; write arguments as in C++: 'f.C(\"BDT\", 3)'",
    "f.C(,)": "f.C: the arguments (,) cannot be parsed; write arguments as in C++: 'f.C(\"BDT\", 3)'",
    'f.C("a"': 'f.C("a": a bracket is not closed; write arguments as in C++: \'f.C("BDT", 3)\'',
    "f.C(1, 2, 3, 4, 5)": "f.C: f takes 0 to 4 arguments, got 5; write arguments as in C++: 'f.C(\"BDT\", 3)'",
}


@pytest.mark.parametrize("call", WRONG)
def test_wrong_arguments_are_wrong_usage(call, run):
    done = run(call)
    assert (done.code, done.out, done.err) == (2, "", f"pytmva-bnn: error: {WRONG[call]}\n")


def test_wrong_usage(run):
    done = run()
    assert done.code == 2
    assert done.err.endswith("pytmva-bnn: error: the following arguments are required: MACRO\n")
    done = run('f.C("a")', "b")
    assert (done.code, done.out) == (2, "")
    assert done.err == "pytmva-bnn: error: f.C: arguments in brackets or words for main, but not both\n"


def test_what_is_left_is_said_before_the_macro_runs(run, capsys):
    assert run("f.C").err == ""
    assert pytmva_bnn(["run", "f.C"]) == 2
    assert capsys.readouterr().err == LEFT


def test_where_an_error_comes_from(run):
    done = run("--debug", 'f.C("", 5)')
    assert done.code == 1
    assert "Traceback" in done.err
    assert '  File "<f.C in Python>"' in done.err
    assert "    return v[n]\n" in done.err  # a line of the translation


OTHERS = {
    "{ std::cout << 1 << std::endl; }": (0, "1\n", ""),
    "int main() { return -1; }": (255, "", ""),
    "void macro(int n) {}": (
        *(2, ""),
        "macro.C: macro takes 1 argument, got 0; write arguments as in C++: 'macro.C(\"BDT\", 3)'",
    ),
    "void g() {}": (1, "", "macro.C: there is nothing to run: it has no function macro and no main"),
    "void macro() {\n  g(;\n}": (1, "", "macro.C: not translated: line 2: this is not understood as C++"),
    "int n = 3; int macro() { return n; }": (3, "", ""),
    "bool macro() { return true; }": (1, "", ""),
    "double macro() { return 2.5; }": (0, "", ""),
}


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize("source", OTHERS)
def test_macros_from_standard_input(source, standard_input, capsys):
    standard_input(source)
    code, out, error = OTHERS[source]
    assert pytmva_bnn(["run", "-"]) == code
    said = capsys.readouterr()
    assert said.out == out
    assert said.err.endswith(f"pytmva-bnn: error: {error}\n" if error else "")


def test_main_takes_words_only_if_it_is_there(run, tmp_path):
    (tmp_path / "g.C").write_text("void g(int n = 1) {}\n")
    done = run("g.C", "3")
    assert done.code == 2
    assert "g.C: it has no main(argc, argv) for words; arguments are given as pytmva-bnn run 'g.C(" in done.err
    (tmp_path / "h.C").write_text("int main() { return 0; }\n")
    done = run("h.C(3)")
    assert done.code == 2
    assert "h.C: it has no function h; main takes words: pytmva-bnn run h.C BDT MLP\n" in done.err


def test_the_tables_of_tmva_appear(run, toy_file, tmp_path):
    (tmp_path / "toy.root").symlink_to(toy_file)
    (tmp_path / "train.C").write_text("""
    void train(TString method = "Fisher") {
      TFile *in = TFile::Open("toy.root"), *out = TFile::Open("out.root", "RECREATE");
      TMVA::Factory factory("job", out, "!V:!Color:!DrawProgressBar:AnalysisType=Classification");
      TMVA::DataLoader *loader = new TMVA::DataLoader("dataset");
      loader->AddVariable("var1"); loader->AddVariable("var2");
      loader->AddSignalTree((TTree*)in->Get("TreeS")); loader->AddBackgroundTree((TTree*)in->Get("TreeB"));
      loader->PrepareTrainingAndTestTree("", "SplitMode=Random");
      factory.BookMethod(loader, method, method, "!H:!V");
      factory.TrainAllMethods(); factory.TestAllMethods(); factory.EvaluateAllMethods();
      out->Close();
      std::cout << gSystem->BaseName(gInterpreter->GetCurrentMacroName()) << std::endl;
    }""")
    done = run('train.C("LD")')
    assert (done.code, done.err) == (0, "")
    assert "<HEADER> Factory                  : Train all methods\n" in done.out
    assert "Evaluation results ranked by best signal efficiency and purity (area)" in done.out
    assert done.out.endswith("train.C\n")
    assert (tmp_path / "dataset/weights/job_LD.weights.xml").exists()


@pytest.mark.usefixtures("parser")
class TestRunText:
    def test_a_program_begins_afresh(self, capsys):
        source = 'int main() { std::cout << std::setprecision(3) << 1.23456 << " " << rand() << std::endl; return 0; }'
        for _ in range(2):
            assert run_text(source) == 0
        first, second = capsys.readouterr().out.splitlines()
        assert first == second == "1.23 1804289383"

    def test_nothing_is_left_behind(self):
        before = sys.argv[:], set(sys.modules)
        with pytest.raises(MacroError):
            run_text("void f() { throw 1; }", filename="f.C")
        assert sys.argv == before[0]
        assert "macro" not in set(sys.modules) - before[1]

    def test_arguments_that_do_not_fit(self):
        with pytest.raises(MacroArgumentsError, match="takes no arguments, got 1"):
            run_text("void f() {}", filename="f.C", arguments="1")


SPLIT = {
    'a/b.C("x", 3)': ("a/b.C", '"x", 3'),
    "b.C+": ("b.C", None),
    "b.C++g": ("b.C", None),
    "b.C+O(1)": ("b.C", "1"),
    "b.C ( ) ;": ("b.C", ""),
    "b.cpp": ("b.cpp", None),
    'b.C("b.C(1)")': ("b.C", '"b.C(1)"'),
}


@pytest.mark.parametrize("text", SPLIT)
def test_the_arguments_of_root(text):
    assert split_call(text) == SPLIT[text]
