"""Numbers: the translation prints what the compiled macro prints."""

from __future__ import annotations

import shutil
import subprocess

import numpy as np
import pytest
import uproot

from pytmva_bnn.port import translate

pytest.importorskip("tree_sitter_cpp")

BEFORE = """
#include <cstdio>
#include <iostream>
#include <cmath>
#include <vector>
using namespace std;
typedef int Int_t; typedef float Float_t; typedef double Double_t; typedef unsigned int UInt_t;
typedef unsigned char UChar_t; typedef long long Long64_t;
"""

PROGRAMS = {
    "division": ("int a = -7, b = 3; cout << a / b << a % b << 7 / -b << 7 % -b << -a / b;", "-2-1-212"),
    "large numbers": ("Long64_t a = -9007199254740993; cout << a / 1 << a % 10;", "-9007199254740993-3"),
    "dividing in place": ("int a = -7; a /= 2; int b = -7; b %= 4; int c = 9; c /= 2.5; cout << a << b << c;", "-3-33"),
    "truncation": ("int n = 5; n += 0.7; n *= 1.5; int m = n; m -= 0.5; cout << n << m;", "76"),
    "unsigned": ("UInt_t u = 3; u -= 5; UInt_t v = 1, w = 2; cout << u << ' ' << v - w;", "4294967294 4294967295"),
    "small unsigned": ("UChar_t c = 250; c += 10; UInt_t u = 0; u--; cout << (int)c << u;", "44294967295"),
    "bool": ("bool b = 3; int c = b + 1; bool d = 0.5; int e = c > 1; cout << b << c << d << e;", "1211"),
    "logic as a number": (
        "double pt = 30; int nj = 4, m = 0; m += (pt > 20 && nj); m += nj || 0; cout << m << (nj && 7);",
        "21",
    ),
    "division by zero": ("double z = 0; int n = 0; cout << 1 / z << -1 / z << (z / n != z / n); z /= n;", "inf-inf1"),
    "float": (
        'Float_t x = 0.1; if (x == 0.1) cout << 1; if (x == 0.1f) cout << 2; x = 16777216; x += 1; printf("%.0f", x);',
        "216777216",
    ),
    "float in lists": (
        "vector<float> v; v.push_back(0.3); vector<int> w; w.push_back(2.7); cout << (v[0] > 0.3) << w[0];",
        "12",
    ),
    "memory": (
        'Float_t x[2] = {0.3, 1}; if (x[0] > 0.3) cout << 1; x[1] += 0.1; printf("%.9f", x[1]);',
        "11.100000024",
    ),
    "counting as a value": (
        "int i = 5; int j = i++; int k = ++i; int n = 0; while (1) { if (++n > 5) break; } cout << i << j << k << n;",
        "7576",
    ),
}
FUNCTIONS = "int cut(double x) { return x; } float third(float x) { return x / 3; }"
PROGRAMS["arguments and results"] = ('cout << cut(2.7); printf(" %.9f", third(0.1));', "2 0.033333335")


def macro_of(name: str) -> str:
    return f"{FUNCTIONS}\nvoid f() {{ {PROGRAMS[name][0]} }}"


@pytest.mark.parametrize("name", PROGRAMS)
def test_printed(name, run, capsys):
    translation = translate(macro_of(name), filename="f.C")
    assert translation.n_left == 0, translation.notes
    run(translation.text)
    assert capsys.readouterr().out == PROGRAMS[name][1]


@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no compiler")
def test_printed_by_cpp(tmp_path):
    parts = [f"namespace n{number} {{ {macro_of(name)} }}" for number, name in enumerate(PROGRAMS)]
    calls = " ".join(f'n{number}::f(); puts("");' for number in range(len(PROGRAMS)))
    main = f"int main() {{ cout << unitbuf; setbuf(stdout, nullptr); {calls} }}"  # so that both print in turn
    (tmp_path / "a.cpp").write_text("\n".join([BEFORE, *parts, main]))
    subprocess.run(["g++", "-w", "a.cpp", "-o", "a"], cwd=tmp_path, check=True)  # noqa: S607
    printed = subprocess.run(["./a"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert dict(zip(PROGRAMS, printed.splitlines(), strict=True)) == {
        name: text for name, (_, text) in PROGRAMS.items()
    }


BRANCHES = """void f() {
  TTree *t = (TTree*)TFile::Open("small.root")->Get("T");
  Float_t x; UChar_t n; Int_t run; Bool_t ok;
  t->SetBranchAddress("x", &x); t->SetBranchAddress("n", &n);
  t->SetBranchAddress("run", &run); t->SetBranchAddress("ok", &ok);
  Int_t above = 0, same = 0, sumn = 0, passed = 0; Long64_t sumrun = 0; Double_t sum = 0; Float_t cut = 0.3;
  for (Long64_t k = 0; k < t->GetEntries(); k++) {
    t->GetEntry(k);
    if (x > 0.3) above++;
    if (x > cut) same++;
    sumn += n; sumrun += run; passed += ok; sum += x * 0.1;
  }
  printf("%d %d %d %lld %d %.12f", above, same, sumn, sumrun, passed, sum);
}"""


@pytest.fixture
def small_file(folder):
    x = (np.arange(1000) % 10 / 10).astype(np.float32)
    columns = {
        "x": x,
        "n": np.full(1000, 200, np.uint8),
        "run": np.full(1000, 2_000_000_000, np.int32),
        "ok": np.arange(1000) % 2 == 0,
    }
    with uproot.recreate(folder / "small.root") as file:
        file.mktree("T", {name: column.dtype for name, column in columns.items()}).extend(columns)
    return x


def test_branches(small_file, run, capsys):
    run(translate(BRANCHES, filename="f.C").text)
    total = 0.0
    for value in small_file.tolist():
        total += value * 0.1
    # as C++: float32 0.3 is greater than 0.3, and not greater than a Float_t of 0.3
    assert capsys.readouterr().out == f"700 600 200000 2000000000000 500 {total:.12f}"


def test_branches_in_memory(small_file, run, capsys):
    """A variable of the Reader is memory; so are those linked in a loop."""
    del small_file
    source = BRANCHES.replace("Float_t x;", 'Float_t x; TMVA::Reader r("!Color:Silent"); r.AddVariable("x", &x);')
    run(translate(source, filename="f.C").text)
    assert capsys.readouterr().out.startswith("700 600 200000 2000000000000 500 ")
