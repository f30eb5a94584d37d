"""Whatever the text: no crash, valid Python, comments kept, nothing run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytmva_bnn.port import translate
from pytmva_bnn.port.parse import parse, text_of, walk
from pytmva_bnn.port.translate import compiles

pytest.importorskip("tree_sitter_cpp")

PATHS = sorted((Path(__file__).parent / "macros").glob("*.C"))
MACROS = [path.read_text(encoding="utf-8") for path in PATHS]
CHARACTERS = list("{}()[];,.&*=+-\"'/\\#\n<>?:~x1é≤\x00\r")
WORDS = ["->", "::", "<<", ">>", "==", "++", "/*", "*/", "//", "#if", "#else", "#endif", "#define X", "#include"]
WORDS += ["int", "Float_t", "TString", "TTree", "auto", "const", "unsigned", "struct", "class", "enum", "namespace"]
WORDS += ["new", "delete", "for", "while", "do", "if", "else", "switch", "case", "return", "break", "continue", "try"]
WORDS += ["catch", "throw", "template", "typename", "operator", "using", "typedef", "static", "virtual", "this"]
WORDS += ["lambda", "def", "None", "std::vector<int>", "std::cout", "0.5f", '"s"', "'c'", "[&]", "nullptr"]
TOKENS = [*CHARACTERS, *WORDS]

quick = settings(max_examples=40)


def check(source: str) -> None:
    translation = translate(source)
    assert compiles(translation.text)
    assert translation.n_translated >= 0
    if translation.n_left:
        assert "TODO(port)" in translation.text
        assert translation.notes
    elif "TODO(port)" not in source:
        assert "TODO(port)" not in translation.text
        assert translation.n_stops == 0


@quick
@given(st.text(max_size=300))
def test_any_text(source):
    check(source)


@quick
@given(st.lists(st.sampled_from(TOKENS), max_size=80))
def test_any_tokens(tokens):
    check(" ".join(tokens))


@quick
@given(st.lists(st.sampled_from(TOKENS), max_size=40))
def test_any_tokens_in_a_function(tokens):
    check(f"void f(int n, TTree *t) {{\n{' '.join(tokens)};\n}}\n")


@quick
@given(st.sampled_from(MACROS), st.data())
def test_a_part_of_a_macro(source, data):
    start = data.draw(st.integers(0, len(source)))
    check(source[start : data.draw(st.integers(start, len(source)))])


@quick
@given(st.sampled_from(MACROS), st.data())
def test_a_damaged_macro(source, data):
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(source)))
        source = source[:at] + data.draw(st.sampled_from(TOKENS)) + source[at + data.draw(st.integers(0, 4)) :]
    check(source)


@quick
@given(st.sampled_from(MACROS), st.randoms(use_true_random=False))
def test_a_macro_with_its_lines_in_disorder(source, random):
    lines = source.split("\n")
    random.shuffle(lines)
    check("\n".join(lines))


N = 3000
DEEP = {
    "brackets": "void f() { int x = " + "(" * N + "1" + ")" * N + "; }",
    "open brackets": "(" * N,
    "braces": "void f() {" + "{" * N + "}" * N + "}",
    "conditions": "void f() { " + "if (1) " * N + "; }",
    "else if": "void f(int a) { if (a) a++; " + "else if (a) a++; " * N + "}",
    "loops": "void f() { " + "for (int i = 0; i < 3; i++) " * 60 + "{} }",
    "sums": "void f() { int x = 1" + " + 1" * N + "; }",
    "negations": "void f() { bool x = " + "!" * N + "true; }",
    "output": "void f() { std::cout" + " << 1" * N + " << std::endl; }",
    "commas": "void f(int a) { a++" + ", a++" * N + "; }",
    "assignments": "void f(int a) { a = " + "a = " * N + "1; }",
    "calls": "int g(int x) { return x; } void f() { g(" + "g(" * N + "1" + ")" * N + "); }",
    "members": "void f(TTree* t) { t" + "->x()" * N + "; }",
    "templates": "std::vector<" * N,
    "pointers": "int " + "*" * N + "a;",
    "conditionals": "void f(int a) { a = " + "a ? 1 : " * N + "2; }",
    "directives": "#ifdef A\n" * N,
    "macros": "#define A A A\nint x = A;\n",
    "a long string": 'void f() { std::cout << "' + "x" * 100_000 + '"; }',
    "structs": "struct S {" * 200 + "};" * 200,
    "lambdas": "void f() { " + "auto g = [&]() { " * 100 + "};" * 100 + "}",
}


@pytest.mark.parametrize("name", DEEP)
@pytest.mark.usefixtures("never_hangs")
def test_deep_nesting_and_length_are_survived(name):
    check(DEEP[name])


def words_of(comment: str) -> list[str]:
    """The words of a comment in C++, without what draws frames."""
    return re.findall(r"[^\s*/!<#-]+", comment)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_every_comment_is_kept(path):
    source = path.read_text(encoding="utf-8")
    kept = "".join(words_of(translate(source, filename=str(path)).text))
    for node in walk(parse(source)):
        if node.type == "comment":
            assert "".join(words_of(text_of(node))) in kept


def test_nothing_is_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    translate(
        'void f() { gSystem->Exec("touch a"); gSystem->mkdir("b"); TFile g("c.root", "recreate"); exit(1); } f();'
    )
    assert list(tmp_path.iterdir()) == []
