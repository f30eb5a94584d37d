"""The preprocessor: which branch is seen, macros, files that are included."""

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
    "#if defined(__CLING__) && !defined(__CINT__)": True,
    "#if defined(X) && !defined(Y)": False,
    "#if not defined(__CINT__)": True,
    "#if not defined __CLING__": False,
    "#if defined(__CLING__) and not defined(X)": True,
    "#if defined(X) or 1": True,
    "#if !(defined(X) || defined(Y))": True,
    "#ifdef USE_NEW": False,
    "#ifndef LOCAL_MODE": True,
    "#if USE_NEW": False,
    "#if __cplusplus >= 201103L": True,
    "#if -1 < 0": True,
    "#if 2 + 2 * 3 == 8": True,
    "#if 7 % 3 > 1": False,
    "#if 1 1": False,
    "#if 1 / 0": False,
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


@pytest.mark.parametrize("name", ["USE_NEW", "L", "U8", "uint_mode", "R2"])
def test_names_that_begin_like_a_literal_are_names(name):
    assert preprocess(f"#define {name} 3\n#if {name} == 3\nint a;\n#endif").source.split("\n")[2] == "int a;"


def test_a_decision_is_noted_with_its_line():
    assert preprocess("int a;\n#ifdef USE_NEW\n#endif").notes == ["line 2: #ifdef USE_NEW is taken as false"]
    notes = preprocess("#if some(thing\n#endif").notes
    assert notes == ["line 1: #if some(thing is not understood and taken as false"]


MACROS = {
    "#define SQR(x) ((x) * (x))\nint a = SQR(b + 1), SQRT = 2;": "int a = ((b + 1) * (b + 1)), SQRT = 2;",
    "#define ADD(v, t) d->AddVariable(v, t);\nADD(\"a,b\", 'F')": "d->AddVariable(\"a,b\", 'F');",
    "#define MAX(a, b) ((a) > (b) ? (a) : (b))\nx = MAX(f(1, 2), 3);": "x = ((f(1, 2)) > (3) ? (f(1, 2)) : (3));",
    "#define NAME(x) #x\nauto s = NAME(pt);": 'auto s = "pt";',
    "#define CAT(a, b) a##b\nint CAT(var, 1);": "int var1;",
    '#define LOG std::cout\nLOG << "LOG"; // LOG': 'std::cout << "LOG"; // LOG',
    "#define NOW() time(0)\nsrand(NOW());": "srand(time(0));",
    '#define SAY(...) printf(__VA_ARGS__)\nSAY("%d", 1);': 'printf("%d", 1);',
    "#define A B\n#define B A\nint A;": "int A;",
    "#define CUT(x) x > 0\n#undef CUT\nCUT(1);": "CUT(1);",
}


@pytest.mark.parametrize("source", MACROS)
def test_macros_are_put_in_where_they_are_used(source):
    assert preprocess(source).source.split("\n")[-1] == MACROS[source]


def test_a_macro_over_several_lines_keeps_the_rows():
    rows = preprocess("#define BOTH(x) f(x); \\\n  g(x)\nBOTH(3);\nint after;").source.split("\n")
    assert len(rows) == 4
    assert rows[2].split() == ["f(3);", "g(3);"]


def test_a_constant_stays_in_the_text():
    assert preprocess("#define N 10\nint a[N];").source == "#define N 10\nint a[N];"


def test_comments_hide_directives_also_where_nothing_is_seen():
    rows = preprocess("#if 0\n/*\n#endif\n*/\nint a;\n#endif\nint b;").source.split("\n")
    assert [row for row in rows if row and not row.startswith("//")] == ["int b;"]


# ---- files beside the macro


def test_files_beside_the_macro_are_put_before_it(tmp_path):
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "tools.h").write_text('#pragma once\n#include "more.h"\nint tool;\n#define LEVEL 2\n')
    (tmp_path / "inc" / "more.h").write_text("int more;\n")
    source = '#include <vector>\n#include "inc/tools.h"\n#include "inc/tools.h"\n#if LEVEL == 2\nint own;\n#endif'
    done = preprocess(source, folder=tmp_path)
    rows = done.source.split("\n")
    assert [row for row in rows if row.startswith("int")] == ["int more;", "int tool;", "int own;"]
    assert rows[done.row_offset :] == ["", "", "", "", "int own;", ""]


def test_a_file_that_is_not_there_is_noted(tmp_path):
    source = '#include "TMVA/Factory.h"\n#include "TTree.h"\n#include "mine.h"\n'
    assert preprocess(source, folder=tmp_path).notes == ["line 3: the file mine.h is not beside the macro"]


def test_files_that_include_each_other_come_to_an_end(tmp_path):
    (tmp_path / "a.h").write_text('#include "b.h"\nint a;\n')
    (tmp_path / "b.h").write_text('#include "a.h"\nint b;\n')
    rows = preprocess('#include "a.h"\nint c;', folder=tmp_path).source.split("\n")
    assert [row for row in rows if row.startswith("int")] == ["int b;", "int a;", "int c;"]
