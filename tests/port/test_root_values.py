"""Objects of ROOT that C++ copies, closes or looks at in place."""

from __future__ import annotations

import pytest

from pytmva_bnn.port import run_text, translate

pytest.importorskip("tree_sitter_cpp")


def printed(source: str, capsys: pytest.CaptureFixture[str]) -> str:
    translation = translate(source, filename="m.C")
    assert translation.n_left == 0, translation.notes
    assert run_text(source, filename="m.C") == 0
    return capsys.readouterr().out


FILL = 'TH1F h("h", "", 4, 0, 1); h.Fill(0.3); h.Write();'


@pytest.mark.parametrize(
    "writes",
    [
        f'TFile f("a.root", "RECREATE"); {FILL}',
        f'std::unique_ptr<TFile> f(TFile::Open("a.root", "RECREATE")); {FILL}',
        f'auto f = TFile::Open("a.root", "RECREATE"); {FILL} delete f;',
        f'for (int i = 0; i < 3; i++) {{ TFile f("a.root", "RECREATE"); {FILL} if (i == 1) break; }}',
    ],
)
def test_the_end_of_its_scope_closes_a_file(writes, folder, capsys):
    source = (
        f"void w() {{ {writes} }}\n"
        'void m() { w(); TFile *f = TFile::Open("a.root"); cout << ((TH1F*)f->Get("h"))->GetEntries() << endl; }'
    )
    assert printed(source, capsys) == "1\n"


def test_vectors_of_root_are_copied_and_references_are_not(capsys):
    source = """
    TLorentzVector scaled(TLorentzVector v, double f) { v *= f; return v; }
    void m() {
      std::vector<TLorentzVector> jets; TLorentzVector p;
      for (int i = 0; i < 3; i++) { p.SetPxPyPzE(i + 1, 0, 0, 10); jets.push_back(p); }
      TLorentzVector a = jets[0], b; b = a; a.SetE(20); b.SetE(30);
      cout << jets[0].Px() << jets[0].E() << " " << a.E() << " " << b.E() << endl;
      cout << scaled(jets[1], 2).Px() << jets[1].Px() << endl;
      for (auto j : jets) j.SetE(0);
      TLorentzVector &r = jets[2]; r += a; TLorentzVector *q = &jets[1]; *q = a;
      cout << jets[0].E() << " " << jets[2].E() << " " << jets[1].E() << endl;
      TH1F h("h", "", 2, 0, 1); TH1F g = h; g.Fill(0.1); cout << h.GetEntries() << g.GetEntries() << endl;
    }"""
    assert printed(source, capsys) == "110 20 30\n42\n10 30 20\n01\n"


def test_keys_are_walked_with_an_iterator(folder, capsys):
    source = """
    int count(TDirectory *d) {
      int n = 0; TIter next(d->GetListOfKeys()); TKey *key;
      while ((key = (TKey*)next())) { if (TString(key->GetClassName()) == "TTree") n++; }
      return n;
    }
    void m() { TFile f("toy.root"); cout << count(&f) << endl; }"""
    assert printed(source, capsys) == "6\n"


def test_values_of_a_tree_reader(folder, capsys):
    source = """
    void m() {
      TFile f("toy.root"); TTreeReader r("TreeS", &f); TTreeReaderValue<float> v(r, "var1"); double s = 0; int n = 0;
      while (r.Next()) { s += *v * 2; n++; }
      cout << n << " " << (s != 0) << endl;
    }"""
    assert printed(source, capsys) == "400 1\n"


def test_elements_of_vectors_and_maps_are_memory(folder, capsys):
    source = """
    void m() {
      std::vector<double> x = {1, 2, 3}, y = {1, 4, 9};
      TGraph g(2, &x[1], &y[1]); cout << g.GetN() << g.GetY()[1] << TMath::Mean(2, &x[0]) << TMath::LocMax(3, &y[0]);
      TFile f("toy.root"); TTree *t = (TTree*)f.Get("TreeS");
      std::vector<float> w(2); std::map<TString, float> m; float v;
      t->SetBranchAddress("var1", &w[1]); t->SetBranchAddress("var2", &m["b"]); t->GetEntry(1);
      cout << (w[1] != 0) << (m["b"] != 0) << (w[0] == 0) << endl;
    }"""
    assert printed(source, capsys) == "291.52111\n"


def test_arrays_of_characters_are_memory_of_branches(folder, capsys):
    source = """
    void m() {
      char label[20]; TFile f("l.root", "RECREATE"); TTree t("t", ""); t.Branch("label", label, "label/C");
      for (int i = 0; i < 3; i++) { sprintf(label, "event%d", i); t.Fill(); } t.Write(); f.Close();
      TFile g("l.root"); TTree *b = (TTree*)g.Get("t"); char read[20]; b->SetBranchAddress("label", read);
      b->GetEntry(2); cout << read << strlen(read) << endl;
    }"""
    assert printed(source, capsys) == "event26\n"


def test_elements_of_matrices_are_assigned(capsys):
    source = """
    void m() {
      TMatrixD a(2, 2); TVectorD v(2); TMatrixDSym s(2); a(0, 1) = 3; v(1) = 2; s(0, 0) = s(1, 1) = 4; a(0, 1) += 1;
      TMatrixD b = a; b(0, 1) = 7; cout << a(0, 1) << v[1] << s(1, 1) << b(0, 1) << endl;
    }"""
    assert printed(source, capsys) == "4247\n"


def test_a_reader_takes_the_first_number_of_an_array_and_vectors_that_are_assigned_later(folder, capsys):
    source = """
    void bind(TMVA::Reader &r, std::vector<float> &v) { r.AddVariable("a", &v[0]); r.AddVariable("b", &v.at(1)); }
    void m() {
      TMVA::Reader r("Silent"), q("Silent"); std::vector<float> v(2); float x[3]; bind(r, v); v = {1, 2};
      q.AddVariable("a", x); q.AddVariable("b", x + 1); float *p = &v[0]; v[0] = 5; cout << *p << v.size() << endl;
    }"""
    assert printed(source, capsys) == "52\n"


def test_an_ntuple_is_filled_from_an_array(capsys):
    source = (
        'void m() { TNtuple n("n", "", "a:b"); Float_t x[2] = {1, 2}; n.Fill(x); cout << n.GetMaximum("b") << endl; }'
    )
    assert printed(source, capsys) == "2\n"


def test_numbers_of_an_evaluation_come_back_by_reference(folder, capsys):
    source = """
    void m() {
      TMVA::DataLoader *loader = new TMVA::DataLoader("dataset");
      loader->AddVariable("x");
      for (int i = 0; i < 50; i++) {
        std::vector<double> s(1, 0.02 * i), b(1, 0.02 * i + 0.5);
        loader->AddSignalTrainingEvent(s); loader->AddSignalTestEvent(s);
        loader->AddBackgroundTrainingEvent(b); loader->AddBackgroundTestEvent(b);
      }
      loader->PrepareTrainingAndTestTree("", "NormMode=None");
      TMVA::Factory *factory = new TMVA::Factory("job", "Silent:!ModelPersistence:AnalysisType=Classification");
      factory->BookMethod(loader, TMVA::Types::kFisher, "Fisher", "!V");
      factory->TrainAllMethods();
      TMVA::MethodBase *method = dynamic_cast<TMVA::MethodBase*>(factory->GetMethod("dataset", "Fisher"));
      Double_t error = 0, significance = 0;
      Double_t e = method->GetEfficiency("Efficiency:0.10", TMVA::Types::kTesting, error);
      method->GetMaximumSignificance(100, 100, significance);
      cout << "" << (fabs(error - sqrt(e * (1 - e) / 50)) < 1e-9) << " " << int(significance * 100) << endl;
    }
    """
    assert printed(source, capsys).splitlines()[-1] == "1 816"
