"""Conditionals: which branch is seen."""

from __future__ import annotations

import pytest

from pytmva_bnn.port.preprocess import preprocess

SEEN = {
    "#ifdef __CINT__": False,
    "#ifndef __CINT__": True,
    "#ifdef __CLING__": True,
    "#if !defined(__CINT__) || defined(__MAKECINT__)": True,
    "#if defined __CLING__": True,
    "#if 0": False,
    "#if 1 // always": True,
    "#if ROOT_VERSION_CODE >= ROOT_VERSION(6,8,0)": True,
    "#if ROOT_VERSION_CODE < ROOT_VERSION(5, 34, 0)": False,
    "#if (1 == 2) && X": False,
    "# ifdef DEBUG": False,
    "#if X(": False,
    "#if \"text\"": False,
    "#if": False,
    "#if ((((": False,
}  # fmt: skip


@pytest.mark.parametrize("directive", SEEN)
def test_branches(directive):
    rows = preprocess(f"{directive}\nint a;\n#else\nint b;\n#endif\nint c;").source.split("\n")
    seen = SEEN[directive]
    assert rows == ["", "int a;" if seen else "//   int a;", "", "//   int b;" if seen else "int b;", "", "int c;"]


def test_else_if_takes_the_first_that_is_true():
    rows = preprocess("#if 0\na\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif").source.split("\n")
    assert [row for row in rows if row and not row.startswith("//")] == ["b"]


def test_branches_within_branches():
    source = "#if 0\n#if 1\na\n#else\nb\n#endif\n#else\nc\n#endif"
    assert [row for row in preprocess(source).source.split("\n") if row and not row.startswith("//")] == ["c"]


def test_what_the_macro_defines_counts():
    assert "\nint a;" in preprocess("#define DEBUG\n#ifdef DEBUG\nint a;\n#endif").source
    assert "//   int a;" in preprocess("#define DEBUG\n#undef DEBUG\n#ifdef DEBUG\nint a;\n#endif").source


def test_include_guards_need_no_note():
    done = preprocess("#ifndef my_macro_C\n#define my_macro_C\nint a;\n#endif")
    assert done.notes == []
    assert done.source.split("\n") == ["", "", "int a;", ""]


def test_directives_in_comments_are_none():
    source = '/*\n#if 0\n*/\nint a; /* x\n#endif */ // " /*\nint b;'
    assert preprocess(source).source == source


def test_directives_over_several_lines_keep_the_rows():
    assert preprocess("#if 0 \\\n || 1\nint a;\n#endif\nint b;").source.split("\n") == ["", "", "int a;", "", "int b;"]


@pytest.mark.parametrize(
    "source", ["#endif\nint a;", "#else\nint a;", "#if 1\nint a;", "#\nint a;", "#pragma once\nint a;"]
)
def test_damaged_directives(source):
    assert preprocess(source).source.split("\n")[1] == "int a;"


def test_macros_of_root_are_dropped():
    assert preprocess("R__LOAD_LIBRARY(libTMVA)\nClassImp(X);\nint a;").source == "\n\nint a;"


def test_operators_may_be_words():
    chosen = preprocess("#if not defined(__CINT__) and (defined(X) or 1)\nint a;\n#else\nint b;\n#endif\n")
    assert chosen.source.splitlines()[1] == "int a;"
