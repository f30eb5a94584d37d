"""Branches of a tree in C++ variables: their types decide comparisons and sums."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
import uproot

import pytmva_bnn as TMVA
from pytmva_bnn.port import run_text

pytest.importorskip("tree_sitter_cpp")

FIXTURES = Path(__file__).resolve().parents[2] / "xml_fixtures"

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


REFERRED = """
void referred() {
   std::map<std::string, Float_t> values;
   std::vector<Float_t> more(2);
   TMVA::Reader reader("!Color:Silent");
   for (TString name : {"var1", "var2"}) reader.AddVariable(name, &values[name.Data()]);
   reader.AddVariable("var3", &more[0]);
   reader.AddVariable("var4", &more.at(1));
   reader.BookMVA("Fisher", "fisher.weights.xml");
   TTree *tree = (TTree *)TFile::Open("class.root")->Get("TreeS");
   for (auto &value : values) tree->SetBranchAddress(value.first.c_str(), &value.second);
   tree->SetBranchAddress("var3", &more.front());
   tree->SetBranchAddress("var4", &more.back());
   for (int i = 0; i < 3; i++) {
      tree->GetEntry(i);
      printf("%.6f %.6f\\n", more[1], reader.EvaluateMVA("Fisher"));
   }
}
"""


def test_elements_of_containers_are_memory_of_branches_and_readers(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    weights = gzip.decompress((FIXTURES / "methods/fisher/weights.xml.gz").read_bytes())
    (tmp_path / "fisher.weights.xml").write_bytes(weights)
    (tmp_path / "class.root").symlink_to(FIXTURES / "data/class.root")
    assert run_text(REFERRED, filename="referred.C") == 0
    names = ["var1", "var2", "var3", "var4"]
    columns = uproot.open("class.root:TreeS").arrays(names, library="np", entry_stop=3)
    events = np.stack([columns[name] for name in names], axis=1)
    responses = TMVA.load("fisher.weights.xml").predict(events)
    expected = [f"{value:.6f} {response:.6f}" for value, response in zip(columns["var4"], responses, strict=True)]
    assert capsys.readouterr().out.splitlines() == expected
