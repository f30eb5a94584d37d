"""``--vectorise``: columns give what the loop gives, and where they cannot, the loop stays."""

from __future__ import annotations

import numpy as np
import pytest
import uproot

import pytmva_bnn as TMVA
from pytmva_bnn import compat
from pytmva_bnn.compat import ROOT
from pytmva_bnn.port import translate
from pytmva_bnn.port.vectorise import vectorised

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
   TH2F* h2 = new TH2F("h2", "h2", 5, 0, 1, 5, -2, 2);
   TTree* friend_ = new TTree("friend", "friend");
   Double_t mva; Float_t sum; Int_t k;
   friend_->Branch("mva", &mva); friend_->Branch("sum", &sum); friend_->Branch("k", &k, "k/I");
   y = 0.25; mva = 0; sum = 0; k = 0;
   Int_t nentries = (Int_t)tree->GetEntries();
   for (Int_t i = 0; i < nentries; i++) {{
      {body}
   }}
   {end}
   h->Write();
   h2->Write();
   friend_->Write();
   out.Close();
}}
"""

COLUMNS = {
    "a tree and a weighted histogram": """
      if (i % 100 == 0) { std::cout << "event " << i << std::endl; }
      tree->GetEntry(i);
      x = v1; y = x / 4;  // as in the training
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
    "functions, integers and rounding": """
      tree->GetEntry(i);
      x = v1; y = x / 4;
      float rounded = v1 * 0.1;
      k = v1 * 10; k = k / 3;
      sum = std::exp(v1) + TMath::Max(v1, weight) + pow(v1, 2) + k % 2;
      mva = rounded / weight - v1 / (k - k);
      float response = reader.EvaluateMVA("BNN");
      h->Fill(response); h2->Fill(response, v1, 0.3);
      friend_->Fill();""",
    "a variable that is the same for all events": """
      tree->GetEntry(i);
      x = v1; x += 1; sum = 2.5;
      mva = reader.EvaluateMVA("BNN");
      h->Fill(mva, 2);
      friend_->Fill();""",
    "an event that changes": """
      tree->GetEntry(i);
      x = v1; y = x / 4; mva = reader.EvaluateMVA("BNN");
      if (!isData) { x = -v1; h->Fill(reader.EvaluateMVA("BNN")); }
      else { x = v1 + 1; }
      friend_->Fill();""",
}
ENDS = ["", "sum = x + v1; friend_->Fill();", 'mva = reader.EvaluateMVA("BNN"); friend_->Fill();']

LOOPS = {
    "a condition differs from event to event": "tree->GetEntry(i); x = v1; y = x; if (v1 > 0) h->Fill(x);",
    "continue has no meaning for columns": "tree->GetEntry(i); continue;",
    "no Reader is evaluated": "tree->GetEntry(i); h->Fill(v1);",
    "the number of the event is used": 'tree->GetEntry(i); x = v1 * i; y = x; h->Fill(reader.EvaluateMVA("BNN"));',
    "v1 has no column": 'x = v1; tree->GetEntry(i); h->Fill(reader.EvaluateMVA("BNN"));',
    "n has no column": "tree->GetEntry(i); n += 2;",
    "h is filled twice": 'tree->GetEntry(i); x = v1; h->Fill(x); h->Fill(y); h->Fill(reader.EvaluateMVA("BNN"));',
    "reader.GetMVAError() has no meaning for columns": "tree->GetEntry(i); x = v1; h->Fill(reader.GetMVAError());",
    "printf('%g', v1[0]) has no meaning for columns": 'tree->GetEntry(i); printf("%g", v1);',
    "h.SetBinContent(1, v1[0]) has no meaning for columns": "tree->GetEntry(i); h->SetBinContent(1, v1);",
    "sum_ has no column": """tree->GetEntry(i); x = v1; mva = reader.EvaluateMVA("BNN");
                             if (isData) { sum = v1; } friend_->Fill();""",
    "it is not a loop over all entries of a tree": "tree->GetEntry(i); tree->GetEntry(i);",
}

CHANGES = {
    "it is not a loop over all entries of a tree": ("i < nentries", "i < 10"),
    "tree is used in tree.AddFriend": ("Float_t v1,", 'tree->AddFriend("TreeS"); Float_t v1,'),
    "tree is used in other(tree)": ("Float_t v1,", "other(tree); Float_t v1,"),
    "v1 is used in other(v1)": ("Int_t n = 0;", "int n = 0; other(&v1);"),
    "variables are linked to tree in a condition or loop": (
        "tree->SetBranchAddress(",
        "if (isData) tree->SetBranchAddress(",
    ),
    "h is not known as a histogram or tree of this function": ('new TH1F("h", "h", 10, 0, 1)', "made()"),
    "reader is not a Reader of this function": (
        'TMVA::Reader reader("!Color:Silent")',
        "TMVA::Reader& reader = *global",
    ),
    "n is used after it": ("h->Write();", "std::cout << n; h->Write();"),
}
HELPERS = """
TMVA::Reader* global = 0;
void other(void* p) {}
TH1F* made() { return new TH1F("h", "h", 10, 0, 1); }
"""


def macro(body: str, end: str = "") -> str:
    return HELPERS + FRAME.format(body=body, end=end)


@pytest.fixture(params=["BDT", "MLP"])
def method(request, folder):
    """Train a method and return its kind; the weight file is w.xml."""
    loader = TMVA.DataLoader("train")
    loader.AddVariable("var1")
    loader.AddVariable("ratio := var1/4")
    loader.AddSignalTree("toy.root:TreeS")
    loader.AddBackgroundTree("toy.root:TreeB")
    loader.PrepareTrainingAndTestTree("", "SplitMode=Random:!V")
    factory = TMVA.Factory("j", "!V:Silent:!Color:!DrawProgressBar:AnalysisType=Classification")
    options = {"BDT": "!V:NTrees=5", "MLP": "!V:NCycles=3:HiddenLayers=2:NeuronType=tanh:EstimatorType=CE"}
    factory.BookMethod(loader, request.param, "m", options[request.param])
    factory.TrainAllMethods()
    (folder / "train/weights/j_m.weights.xml").rename(folder / "w.xml")
    return request.param


def written() -> dict[str, np.ndarray]:
    with uproot.open("out.root") as file:
        histograms = {name: file[name].values(flow=True) for name in ("h", "h2")}
        errors = {f"errors of {name}": file[name].errors(flow=True) for name in ("h", "h2")}
        return histograms | errors | file["friend"].arrays(library="np")


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("name", COLUMNS)
def test_columns_give_what_the_loop_gives(name, end, run, method):
    results = []
    for vectorise in (False, True):
        translation = translate(macro(COLUMNS[name], end), filename="f.C", vectorise=vectorise)
        assert translation.n_left == 0
        assert translation.notes == ()
        assert ("for i in range(" in translation.text) != vectorise
        run(translation.text)
        results.append(written())
    by_loop, by_columns = results
    assert len(by_columns["mva"]) == 420 + bool(end)
    assert by_columns["h"].sum() > 0
    for key, values in by_loop.items():
        assert by_columns[key].dtype == values.dtype
        # networks add up in another order when they see many events: their last bits may differ
        tolerance = 1e-15 if key == "mva" and method == "MLP" else 0
        np.testing.assert_allclose(by_columns[key], values, rtol=tolerance, err_msg=key)


def assert_the_loop_stays(source: str, reason: str) -> None:
    plain, kept = (translate(source, filename="f.C", vectorise=vectorise) for vectorise in (False, True))
    assert kept.text == plain.text
    line = 1 + plain.text.split("\n").index(next(one for one in plain.text.split("\n") if "    for i in" in one))
    assert kept.notes == (*plain.notes, f"line {line} of the translation: this event loop is not vectorised: {reason}")


@pytest.mark.parametrize("reason", LOOPS)
def test_where_columns_make_no_sense_the_loop_stays(reason):
    assert_the_loop_stays(macro(LOOPS[reason]), reason)


@pytest.mark.parametrize("reason", CHANGES)
def test_where_the_function_is_not_plain_the_loop_stays(reason):
    body = 'tree->GetEntry(i); n = 2; x = v1; y = x; h->Fill(reader.EvaluateMVA("BNN"));'
    assert_the_loop_stays(macro(body).replace(*CHANGES[reason]), reason)


def test_a_variable_with_a_last_value_that_is_not_known():
    body = """tree->GetEntry(i); x = v1; h->Fill(reader.EvaluateMVA("BNN")); if (isData) x = 1;"""
    assert_the_loop_stays(macro(body, "sum = x;"), "x is set in a condition and used after it")


def test_the_rest_of_the_text_and_the_comments_of_the_loop_stay():
    plain, columns = (
        translate(macro(COLUMNS["a tree and a weighted histogram"]), vectorise=one).text for one in (False, True)
    )
    first, start, end = "global_ = ", "    nentries = ", "    h.Write()"
    assert columns[columns.index(first) : columns.index(start)] == plain[plain.index(first) : plain.index(start)]
    assert columns[columns.index(end) :] == plain[plain.index(end) :]
    assert "    # as in the training\n" in columns
    assert "remainder" not in columns


def test_a_text_without_event_loops_or_that_is_no_python_stays():
    for text in ("x = 1  # one\n", "for i in range(3):\n    pass\n", "def f(:\n"):
        assert vectorised(text) == (text, [])


def test_methods_that_are_left_out_have_a_column_too(monkeypatch, folder):
    monkeypatch.setattr(compat, "skip_unknown_methods", True)
    reader = ROOT.TMVA.Reader("!Color:Silent")
    reader.AddVariable("x", np.zeros(1, np.float32))
    reader.BookMVA("m", str(folder / "missing.weights.xml"))
    assert reader.EvaluateMVA({"x": np.zeros(3)}, "m").tolist() == [-999.0] * 3
    assert reader.EvaluateRegression({"x": np.zeros(2)}, "m").tolist() == [[-999.0]] * 2
