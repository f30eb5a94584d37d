"""Branches of a tree in C++ variables: their types decide comparisons and sums."""

from __future__ import annotations

import numpy as np
import pytest
import uproot

from pytmva_bnn.port import run_text

pytest.importorskip("tree_sitter_cpp")

MACRO = """
Float_t x; UChar_t n; Int_t run; Bool_t ok;
void link(TTree *t) {
  t->SetBranchAddress("x", &x); t->SetBranchAddress("n", &n);
  t->SetBranchAddress("run", &run); t->SetBranchAddress("ok", &ok);
}
void f() {
  TTree *t = (TTree*)TFile::Open("small.root")->Get("T");
  link(t);
  Int_t above = 0, same = 0, sumn = 0, passed = 0, wrapped = 0; Long64_t sumrun = 0;
  Double_t sum = 0; Float_t cut = 0.3;
  for (Long64_t k = 0; k < t->GetEntries(); k++) {
    t->GetEntry(k);
    if (x > 0.3) above++;
    if (x > cut) same++;
    n += 100;
    sumn += n; sumrun += run; passed += ok; sum += x * 0.1; wrapped += run;
  }
  printf("%d %d %d %lld %d %d %.12f", above, same, sumn, sumrun, wrapped, passed, sum);
}"""


@pytest.fixture
def column(tmp_path, monkeypatch):
    """The column x of small.root, which is in the working folder."""
    x = (np.arange(1000) % 10 / 10).astype(np.float32)
    columns = {
        "x": x,
        "n": np.full(1000, 200, np.uint8),
        "run": np.full(1000, 2_000_000_000, np.int32),
        "ok": np.arange(1000) % 2 == 0,
    }
    with uproot.recreate(tmp_path / "small.root") as file:
        file.mktree("T", {name: column.dtype for name, column in columns.items()}).extend(columns)
    monkeypatch.chdir(tmp_path)
    return x


def test_numbers_of_branches_are_those_of_their_types(column, capsys):
    assert run_text(MACRO, filename="f.C") == 0
    total = 0.0
    for value in column.tolist():
        total += value * 0.1
    wrapped = (2_000_000_000 * 1000 + 2**31) % 2**32 - 2**31
    # as C++: float32 0.3 is greater than 0.3 and not greater than a Float_t of 0.3; a UChar_t holds 200 + 100 - 256
    assert capsys.readouterr().out == f"700 600 44000 2000000000000 {wrapped} 500 {total:.12f}"
