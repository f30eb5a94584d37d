"""What is not translated stays as a comment in its place, is counted, and does not spoil the rest."""

from __future__ import annotations

import pytest

from pytmva_bnn.port import translate
from pytmva_bnn.port.context import EXPRESSIONS
from pytmva_bnn.port.translate import DEFECT

pytest.importorskip("tree_sitter_cpp")

LEFT = {
    "goto end;": "goto statement is not translated",
    "myHelper(3);": "the function myHelper is not known here",
    "x = y;": "y is not declared in this macro",
    "TCanvas* c = new TCanvas();": "objects of the class TCanvas are not known here",
    'TH2F h("h", "h", 2, 0, 1, 2, 0, 1);': "objects of the class TH2F are not known here",
    "auto f = [](int i) { return i; };": "lambda expression as a value is not translated",
    "static int n = 0;": "a static variable of a function is not translated",
    "int v[2]; while (v[0]++ < 3) {}": "update expression as a value is not translated",
    '(TMVA::gConfig().GetIONames()).fWeightFileDir = "w";': "the function TMVA::gConfig is not known here",
    "x = = 3;": "expression statement is not translated",
    "int& r = x;": "references to numbers are not translated",
    "try { x = 1; } catch (...) {}": "try statement is not translated",
    "switch (x) { case 1: x = 2; case 2: x = 3; break; }": "a case without break is not translated",
    'TMVA::Reader r; r.NoSuchCall("MLP");': "NoSuchCall does not exist in pytmva_bnn's Reader",
    'TFile f("a.root"); TH1F* h = (TH1F*)f.Get("h");': "only trees are taken from files",
    "double y = gRandom->Rndm();": "gRandom: use a generator of your own, with a seed",
}


@pytest.mark.parametrize("cpp", LEFT)
def test_left_as_a_comment_with_the_reason(cpp):
    translation = translate(f"void f() {{\n  int x = 0;\n  {cpp}\n  x++;\n}}")
    is_second = cpp.count(";") > 1 and "{" not in cpp
    first = cpp.split("; ")[-1] if is_second or cpp.startswith("int v") else cpp
    assert f"    # TODO(port): {first}" in translation.text
    assert "    x += 1\n" in translation.text
    assert translation.notes == (f"line 3: {LEFT[cpp]}",)
    assert translation.n_left == 1
    assert translation.n_stops == (0 if "TCanvas" in cpp else 1)


def test_the_program_stops_where_something_that_matters_is_left(run):
    source = (
        'void f() { TCanvas c; c.cd(); TH1F h("h", "h", 2, 0, 1); h.Draw(); int n = 3;\n  n = strange(n); cout << n; }'
    )
    translation = translate(source, filename="f.C")
    assert translation.n_stops == 1
    assert "    n = 3\n" in translation.text  # still there for who mends the line
    with pytest.raises(NotImplementedError, match="line 2: the function strange is not known here"):
        run(translation.text)


def test_what_depends_on_a_lost_variable_is_left_too():
    translation = translate("void f() {\n  Strange s(3);\n  double x = s.value();\n  cout << x;\n  cout << 1;\n}")
    assert translation.n_left == 3
    assert '    print(1, end="")\n' in translation.text


def test_only_the_part_that_fails_is_left():
    source = "void f(int n) {\n  if (n > 1) {\n    strange(n);\n    n++;\n  }\n  else if (strange(n)) n--;\n}"
    text = translate(source).text
    stop = 'raise NotImplementedError("line {}: the function strange is not known here")'
    assert (
        f"    if n > 1:\n        # TODO(port): strange(n);\n        {stop.format(3)}\n        n += 1\n    else:\n"
        in text
    )
    assert f"        # TODO(port): if (strange(n)) n--;\n        {stop.format(6)}\n" in text


def test_lines_are_counted():
    translation = translate("// a comment\n\nint a = 1;\nint b = strange(\n  a);\n#include <x>\n")
    assert (translation.n_translated, translation.n_left) == (1, 2)


def test_a_function_that_is_left_is_not_called():
    deep = "if (n) {" * 40 + "}" * 40
    translation = translate(
        f"void g(int n) {{ {deep} }}\nint h(int& x) {{ x = 1; return x; }}\nvoid f() {{ int y = 0; h(y); }}"
    )
    assert "# TODO(port): C++ changes the arguments x of the caller; return them" in translation.text
    assert "# TODO(port): h(y);" in translation.text


def test_overloaded_functions_are_left():
    translation = translate("int g(int a) { return a; }\nint g(double a) { return 2; }\n")
    assert translation.text.count("def g(") == 1
    assert "defined twice" in translation.notes[0]


def test_brackets_that_do_not_match():
    translation = translate("void f() {\n  int a = 1;\n")
    assert translation.notes == ("line 2: a } is missing",)
    translation = translate("((((\n((")
    assert translation.n_left == 2
    assert translation.notes == ("line 1: this is not understood",)
    translation = translate("(" * 50)
    assert translation.n_left == 1
    assert "do its brackets match?" in translation.notes[0]


def test_a_forgotten_semicolon_is_no_problem():
    translation = translate("void f() {\n  int a = 1;\n  a++\n}\n")
    assert translation.n_left == 0
    assert translation.notes == ("line 3: a ; is missing",)


def test_event_by_event_is_kept_where_columns_make_no_sense():
    source = """
    void f() {
       TMVA::Reader reader("!Color");
       float x; reader.AddVariable("x", &x); reader.BookMVA("m", "w.xml");
       TTree* t = (TTree*)TFile::Open("a.root")->Get("T");
       t->SetBranchAddress("x", &x);
       int n = 0;
       for (int i = 0; i < t->GetEntries(); i++) { t->GetEntry(i); if (reader.EvaluateMVA("m") > 0.5) n++; }
       std::cout << n << std::endl;
    }"""
    translation = translate(source, vectorise=True)
    assert "for i in range(" in translation.text
    assert translation.n_left == 0
    assert translation.notes == ("line 8: this event loop is not vectorised: n is used after it",)


def test_a_text_that_is_no_macro_is_not_parsed():
    translation = translate("int a;\n" * 100_000)
    assert translation.n_translated == 0
    assert "# TODO(port): the text has 700000 characters" in translation.text


def test_a_defect_of_the_translator_costs_one_item_only(monkeypatch):
    def broken(ctx, node):
        raise KeyError("oops")

    monkeypatch.setitem(EXPRESSIONS, "number_literal", broken)
    translation = translate('int a = 1;\nTString b = "x";\n')
    assert "# TODO(port): int a = 1;\n" in translation.text
    assert 'b = "x"\n' in translation.text
    assert DEFECT in translation.notes[0]
