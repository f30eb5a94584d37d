"""What is not translated stays as a comment in its place, with the reason, is counted, and does not spoil the rest."""

from __future__ import annotations

import pytest

from pytmva_bnn.errors import MacroError
from pytmva_bnn.port import expressions, run_text, translate
from pytmva_bnn.port.translate import DEFECT

pytest.importorskip("tree_sitter_cpp")

LEFT = {
    "goto end;": "goto statement is not translated",
    "myHelper(3);": "myHelper does not exist here",
    "x = y;": "y does not exist here",
    "x = = 3;": "this is not understood as C++",
    'RooRealVar z("z", "z", 1);': "RooRealVar does not exist here: use zfit or iminuit",
    "x = ROOT::Math::foo(3);": "Math does not exist here: use math, numpy, scipy or the package vector",
    "TTreePlayer q;": "TTreePlayer does not exist here",
    'std::regex re("a");': "regex does not exist here",
    'std::cout << strange(x) << "a";': "strange does not exist here",
    "break;": "break outside of a loop",
    "continue;": "continue outside of a loop",
}


@pytest.mark.parametrize("cpp", LEFT)
def test_left_as_a_comment_with_the_reason(cpp):
    translation = translate(f"void f() {{\n  int x = 0;\n  {cpp}\n  x++;\n}}")
    reason = f"line 3: {LEFT[cpp]}"
    assert (
        f'    x = 0\n    # TODO(port): {cpp}\n    raise NotImplementedError("{reason}")\n    x += 1\n'
        in translation.text
    )
    assert translation.notes == (reason,)
    assert (translation.n_translated, translation.n_left, translation.n_stops) == (3, 1, 1)


NOTHING_LEFT = [
    "TCanvas* c = new TCanvas(); c->Divide(2, 1);",
    'TH2F h("h", "h", 2, 0, 1, 2, 0, 1); h.Draw("colz");',
    "auto square = [](int i) { return i * i; }; x = square(3);",
    "static int n = 0; n++;",
    "int v[2]; while (v[0]++ < 3) {}",
    '(TMVA::gConfig().GetIONames()).fWeightFileDir = "w";',
    "int& r = x; r = 4;",
    "try { x = 1; } catch (...) {}",
    "switch (x) { case 1: x = 2; case 2: x = 3; break; }",
    "double y = gRandom->Rndm();",
    'gSystem->mkdir("plots"); gStyle->SetOptStat(0);',
    'TMVA::Factory f("j", ""); f.BookMethod("PyKeras", "PyKerasG", "");',
]


@pytest.mark.parametrize("cpp", NOTHING_LEFT)
def test_nothing_is_left_of_what_the_shim_has_or_refuses_itself(cpp):
    translation = translate(f"void f() {{\n  int x = 0;\n  {cpp}\n}}")
    assert (translation.n_left, translation.n_stops, translation.notes) == (0, 0, ())
    assert "TODO(port)" not in translation.text


def test_the_program_runs_up_to_what_is_left(capsys):
    source = 'void f(int n) {\n  puts("before");\n  if (n) strange(n);\n  puts("after");\n}'
    assert run_text(source, filename="f.C", arguments="0") == 0
    assert capsys.readouterr().out == "before\nafter\n"
    with pytest.raises(MacroError, match=r"^f\.C: not translated: line 3: strange does not exist here$"):
        run_text(source, filename="f.C", arguments="1")
    assert capsys.readouterr().out == "before\n"


def test_what_depends_on_a_lost_variable_is_left_too():
    translation = translate("void f() {\n  Strange s(3);\n  double x = s.value();\n  cout << x;\n  cout << 1;\n}")
    assert translation.n_left == 3
    assert "    ROOT.std.cout << 1\n" in translation.text


def test_only_the_statement_that_fails_is_left_of_a_block():
    source = "void f(int n) {\n  if (n > 1) {\n    strange(n);\n    n++;\n  }\n  else n--;\n}"
    assert (
        "    if n > 1:\n"
        "        # TODO(port): strange(n);\n"
        '        raise NotImplementedError("line 3: strange does not exist here")\n'
        "        n += 1\n"
        "    else:\n"
        "        n -= 1\n"
    ) in translate(source).text


def test_lines_of_code_are_counted_not_comments_or_directives():
    translation = translate("// a comment\n\nint a = 1;\nint b = strange(\n  a);\n#include <x>\n")
    assert (translation.n_translated, translation.n_left) == (1, 2)


def test_a_todo_of_the_macro_itself_is_not_counted():
    translation = translate("void f() {\n  // TODO(port): check this cut\n  int a = 1;\n}")
    assert translation.n_left == 0
    assert "# TODO(port): check this cut" in translation.text


def test_every_todo_is_a_place_that_is_left():
    source = (
        "void f() {\n" + "".join(f"  {cpp}\n" for cpp in ("a1();", "int x = 1;", "a2(x);", "x++;", "a3(\n x);")) + "}"
    )
    translation = translate(source)
    assert translation.text.count("# TODO(port): ") == translation.n_stops == len(translation.notes) == 3
    assert translation.n_left == 4


def test_what_uses_a_lost_function_says_why_that_was_lost():
    deep = "if (n) {" * 40 + "}" * 40
    translation = translate(f"void g(int n) {{ {deep} }}\nvoid f() {{\n  g(2);\n}}\n", filename="f.C")
    assert translation.entry == "f"
    lost, use = translation.notes
    assert lost.startswith("line 1: ")
    reason = lost.removeprefix("line 1: ")
    assert use == f"line 3: it uses g, which is not translated ({reason})"
    assert "def g(" not in translation.text


def test_functions_of_one_name_are_all_there(capsys):
    source = 'int g(int a) { return a; }\nint g(double a) { return 2; }\nvoid f() { printf("%d %d\\n", g(7), g(7.0)); }'
    run_text(source, filename="f.C")
    assert capsys.readouterr().out == "7 2\n"


def test_brackets_that_do_not_match():
    translation = translate("(" * 50)
    assert translation.n_left == 1
    assert "do its brackets match?" in translation.notes[0]


def test_a_forgotten_semicolon_is_no_problem():
    assert translate("void f() {\n  int a = 1;\n  a++\n}\n").n_left == 0


def test_a_text_that_is_no_macro_is_not_parsed():
    translation = translate("int a;\n" * 100_000)
    assert translation.n_translated == 0
    assert "# TODO(port): the text has 700000 characters" in translation.text


def test_a_defect_of_the_translator_costs_one_item_only(monkeypatch):
    def broken(ctx, node):
        raise KeyError("oops")

    monkeypatch.setitem(expressions._TABLE, "number_literal", broken)
    translation = translate('void g() { int a = 1; }\nTString b = "x";\nvoid f() { g(); }\n', filename="f.C")
    assert translation.notes[0] == f"line 1: {DEFECT}: KeyError: 'oops'"
    assert "# TODO(port): void g() { int a = 1; }\n" in translation.text
    assert 'b = "x"\n' in translation.text
    assert f"line 3: it uses g, which is not translated ({DEFECT}: KeyError: 'oops')" in translation.notes


def test_line_numbers_are_those_of_the_macro_in_spite_of_included_files(tmp_path, monkeypatch):
    (tmp_path / "tools.h").write_text("// some tools\nint twice(int n) { return 2 * n; }\n\n\n")
    (tmp_path / "f.C").write_text(
        '#include "tools.h"\n#include <iostream>\nvoid f() {\n  int a = twice(1);\n  strange(a);\n}\n'
    )
    monkeypatch.chdir(tmp_path)
    translation = translate((tmp_path / "f.C").read_text(), filename="f.C")
    assert translation.notes == ("line 5: strange does not exist here",)
    assert "def twice(n):\n    return 2 * n\n" in translation.text
