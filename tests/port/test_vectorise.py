"""``--vectorise``: columns give what the loop gives, and where they cannot, the loop stays."""

from __future__ import annotations

import numpy as np
import pytest
import uproot

import pytmva_bnn as TMVA
from pytmva_bnn.port import translate

pytest.importorskip("tree_sitter_cpp")

FRAME = """
void f(bool isData = false) {{
   TMVA::Reader reader("!Color:Silent");
   Float_t x, y;
   reader.AddVariable("var1", &x);
   reader.AddVariable("ratio := var1/4", &y);
   reader.BookMVA("BNN", "w.xml");
   TTree* tree = (TTree*)TFile::Open("toy.root")->Get("TreeB");
   Float_t v1, weight;
   Int_t n = 0;
   tree->SetBranchAddress("var1", &v1);
   tree->SetBranchAddress("weight", &weight);
   TFile out("out.root", "RECREATE");
   TH1F* h = new TH1F("h", "h", 10, 0, 1);
   TTree* friend_ = new TTree("friend", "friend");
   Double_t mva; Float_t sum;
   friend_->Branch("mva", &mva); friend_->Branch("sum", &sum);
   Int_t nentries = (Int_t)tree->GetEntries();
   for (Int_t i = 0; i < nentries; i++) {{
      {body}
   }}
   h->Write();
   friend_->Write();
   out.Close();
}}
"""

COLUMNS = {
    "a tree and a weighted histogram": """
      if (i % 100 == 0) { std::cout << "event " << i << std::endl; }
      tree->GetEntry(i);
      x = v1; y = x / 4;
      mva = reader.EvaluateMVA("BNN");
      sum = v1 + TMath::Abs(weight);
      h->Fill(mva, weight);
      friend_->Fill();""",
    "a variable of the loop and fixed conditions": """
      tree->GetEntry(i);
      x = v1; y = v1 / 4;
      const double shifted = 0.5 * v1;
      if (isData) { h->Fill(reader.EvaluateMVA("BNN")); }
      else h->Fill(reader.EvaluateMVA("BNN"), weight);
      sum = shifted; mva = v1;
      friend_->Fill();""",
}

LOOPS = {
    "a condition differs from event to event": "tree->GetEntry(i); x = v1; y = x; if (v1 > 0) h->Fill(x);",
    "continue statement differs from event to event": "tree->GetEntry(i); continue;",
    "no Reader is evaluated": "tree->GetEntry(i); h->Fill(v1);",
    "the variable y of the Reader has no column": 'tree->GetEntry(i); x = v1; h->Fill(reader.EvaluateMVA("BNN"));',
    "the number of the event is used": 'tree->GetEntry(i); x = v1 * i; y = x; h->Fill(reader.EvaluateMVA("BNN"));',
    "conditional expression has no meaning for columns here": "tree->GetEntry(i); x = v1 > 0 ? 1 : 2;",
    "this expression has no meaning for columns": "tree->GetEntry(i); x = TMath::Max(v1, weight);",
    "n += 2 has no meaning for columns": "tree->GetEntry(i); n += 2;",
    "mva has no column": 'tree->GetEntry(i); x = v1; y = x; h->Fill(reader.EvaluateMVA("BNN")); friend_->Fill();',
    "the event changes within a condition": (
        'tree->GetEntry(i); x = v1; y = x; if (isData) { x = 1; h->Fill(reader.EvaluateMVA("BNN")); }'
    ),
    "GetMVAError of the Reader is not vectorised": "tree->GetEntry(i); x = v1; y = x; h->Fill(reader.GetMVAError());",
}


@pytest.fixture
def weight_file(folder):
    loader = TMVA.DataLoader("train")
    loader.AddVariable("var1")
    loader.AddVariable("ratio := var1/4")
    loader.AddSignalTree("toy.root:TreeS")
    loader.AddBackgroundTree("toy.root:TreeB")
    loader.PrepareTrainingAndTestTree("", "SplitMode=Random:!V")
    factory = TMVA.Factory("j", "!V:Silent:!Color:!DrawProgressBar:AnalysisType=Classification")
    factory.BookMethod(loader, "MLP", "BNN", "!V:NCycles=3:HiddenLayers=2:NeuronType=tanh:EstimatorType=CE")
    factory.TrainAllMethods()
    (folder / "train/weights/j_BNN.weights.xml").rename(folder / "w.xml")


@pytest.mark.usefixtures("weight_file")
@pytest.mark.parametrize("name", COLUMNS)
def test_columns_give_what_the_loop_gives(name, run):
    results = []
    for vectorise in (False, True):
        translation = translate(FRAME.format(body=COLUMNS[name]), filename="f.C", vectorise=vectorise)
        assert translation.n_left == 0, translation.notes
        assert ("for i in range(" in translation.text) != vectorise
        run(translation.text)
        with uproot.open("out.root") as file:
            results.append((file["h"].values(flow=True), file["friend"].arrays(library="np")))
    (loop_counts, loop_columns), (counts, columns) = results
    np.testing.assert_allclose(counts, loop_counts, rtol=1e-6)
    for key in ("mva", "sum"):
        assert len(columns[key]) == 420
        np.testing.assert_allclose(columns[key], loop_columns[key], rtol=1e-6)


def assert_the_loop_stays(source: str, reason: str) -> None:
    plain, kept = (translate(source, filename="f.C", vectorise=vectorise) for vectorise in (False, True))
    assert kept.text == plain.text
    assert kept.notes == (f"line 19: this event loop is not vectorised: {reason}", *plain.notes)


@pytest.mark.parametrize("reason", LOOPS)
def test_where_columns_make_no_sense_the_loop_stays(reason):
    assert_the_loop_stays(FRAME.format(body=LOOPS[reason]), reason)


def test_a_loop_over_some_entries_stays():
    source = FRAME.format(body="tree->GetEntry(i);").replace("i < nentries", "i < 10")
    assert_the_loop_stays(source, "not a loop over all entries of a tree with linked branches")


@pytest.mark.usefixtures("weight_file")
def test_columns_are_computed_in_double_precision(run):
    body = """tree->GetEntry(i); x = v1; y = x / 4; h->Fill(reader.EvaluateMVA("BNN"));
              mva = v1 * 0.1; sum = v1; friend_->Fill();"""
    translation = translate(FRAME.format(body=body), filename="f.C", vectorise=True)
    assert "for i in range(" not in translation.text
    run(translation.text)
    with uproot.open("toy.root") as file:
        expected = file["TreeB/var1"].array(library="np").astype(np.float64) * 0.1
    with uproot.open("out.root") as file:
        np.testing.assert_array_equal(file["friend/mva"].array(library="np"), expected)


@pytest.mark.parametrize("statement", ["Int_t k = v1 * 2;", "n = v1 * 2;"])
def test_columns_are_not_cut_to_integers(statement):
    assert_the_loop_stays(
        FRAME.format(body=f"tree->GetEntry(i); {statement}"), "a column is not converted to an integer"
    )
