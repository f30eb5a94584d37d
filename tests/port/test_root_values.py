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


def test_methods_of_root_write_into_numbers_given_by_reference(capsys):
    source = """
    void m() {
      TH1D h("h", "", 3, 0, 6); TH2D h2("h2", "", 2, 0, 2, 3, 0, 3);
      for (int i = 1; i <= 3; ++i) { h.SetBinContent(i, i); h.SetBinError(i, 3 + i); h2.SetBinContent(1, i, 10 - i); }
      double err = -1, wide; h2.SetBinContent(2, 3, 20);
      double sum = h.IntegralAndError(1, 2, err); cout << sum << " " << err * err << endl;
      cout << h.IntegralAndError(2, 3, wide, "width") << " " << wide * wide << endl;
      cout << h2.IntegralAndError(1, 1, 1, 3, err) << " " << err * err << endl;
      Int_t x, y, z = 7; int bin = h2.GetMaximumBin(x, y, z); cout << bin << ":" << x << y << z << endl;
      h2.GetBinXYZ(bin - 1, x, y, z); cout << x << y << " " << h2.GetMinimumBin() << endl;
      TF1 f("f", "x", -1, 2); double a, b; f.GetRange(a, b); cout << a << b << endl;
      double sums[4]; h.GetStats(sums); cout << sums[0] << " " << sums[1] << " " << sums[2] << " " << sums[3] << endl;
    }"""
    assert printed(source, capsys) == "3 41\n10 244\n24 24\n14:230\n13 6\n-12\n6 77 22 94\n"


def test_an_error_is_filled_also_within_a_choice(folder, capsys):
    source = """
    struct Method { double GetEfficiency(const char *, int, double &e) { e = 0.25; return 0.5; } };
    void m() { TString name = "BDT"; Method *method = new Method; Double_t err = 0;
      Double_t eff = name == "Cuts" ? -1 : method->GetEfficiency("Efficiency:0.1", 1, err);
      cout << eff << " " << err << endl; }"""
    assert printed(source, capsys) == "0.5 0.25\n"


def test_a_text_is_split_piece_by_piece(capsys):
    source = """
    void m() {
      TString text = "pt:eta;;phi", part; Ssiz_t from = 0;
      while (text.Tokenize(part, from, "[:;]")) cout << "<" << part << ">"; cout << from << endl;
      from = 0; TString s = "a  b"; while (s.Tokenize(part, from)) cout << "<" << part << ">";
      cout << text.Tokenize(":;")->GetEntries() << endl;
    }"""
    assert printed(source, capsys) == "<pt><eta><><phi>12\n<a><b>3\n"


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
