"""Calls of TString, TCut, lists and files that C++ has in several forms."""

from __future__ import annotations

from pytmva_bnn.port.cli import run
from pytmva_bnn.port.run import run_text


def _printed(capsys, body: str) -> str:
    assert run_text(f"void macro() {{\n{body}\n}}") == 0
    return capsys.readouterr().out


def test_texts_are_searched_as_tstring_does(capsys):
    printed = _printed(
        capsys,
        """
        TString s = "Pt_jet/eta", blank = "  ";
        cout << s.Contains("pt", TString::kIgnoreCase) << s.Contains("pt") << endl;
        cout << s.First("/_") << s.First('/') << s.Index("e", 5) << blank.IsWhitespace() << blank.IsNull() << endl;
        """,
    )
    assert printed == "10\n26710\n"


def test_cuts_are_combined_with_texts(capsys):
    printed = _printed(
        capsys,
        """
        TCut a = "x>1";
        TCut b = a + "y>2" && "z>3";
        b *= "w";
        TCut c = TCut("weight") * (a && "v");
        cout << b.GetTitle() << endl << c.GetTitle() << endl << a.GetTitle() << endl;
        """,
    )
    assert printed == "(((x>1)&&(y>2))&&(z>3))*(w)\n(weight)*((x>1)&&(v))\nx>1\n"


def test_lists_are_walked_with_titer(capsys):
    printed = _printed(
        capsys,
        """
        TObjArray *parts = TString("pt,eta,phi").Tokenize(",");
        TIter next(parts);
        TObjString *one;
        while ((one = (TObjString *)next())) cout << one->GetString() << ";";
        next.Reset();
        while (TObject *o = next()) cout << o->GetName() << ".";
        TString last = ((TObjString *)parts->Last())->String();
        TList *list = new TList();
        if (!list) cout << "null";
        list->Add(parts->First());
        cout << last << list->GetSize() << list->First()->GetName() << parts->GetLast() << endl;
        """,
    )
    assert printed == "pt;eta;phi;pt.eta.phi.phi1pt2\n"


def test_files_that_went_out_of_scope_are_written(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    printed = _printed(
        capsys,
        """
        if (true) {
          std::ofstream list("files.txt");
          list << "a.root\\nb.root";
        }
        std::ifstream in("files.txt");
        std::string line;
        while (std::getline(in, line)) cout << line << ";";
        cout << endl;
        """,
    )
    assert printed == "a.root;b.root;\n"


def test_folders_of_files_are_entered_at_once(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    printed = _printed(
        capsys,
        """
        TFile *f = new TFile("out.root", "RECREATE");
        f->mkdir("extra")->cd();
        TNamed("tag", "v1").Write();
        TH1F *h = new TH1F("h", "", 10, 0, 1);
        h->Write();
        f->Close();
        TFile *g = TFile::Open("out.root");
        cout << (g->Get("extra/h") != 0) << (g->Get("extra/tag") != nullptr) << (g->Get("h") == NULL) << endl;
        """,
    )
    assert printed == "111\n"


def test_words_with_a_dash_are_those_of_main(capsys, tmp_path):
    path = tmp_path / "program.C"
    path.write_text('int main(int argc, char **argv) { printf("%d %s %s\\n", argc, argv[1], argv[2]); return 4; }')
    assert run(str(path), ["-n", "--method=BDT"]) == 4
    assert capsys.readouterr().out == "3 -n --method=BDT\n"


def test_the_class_of_a_folder_is_that_of_root(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    printed = _printed(
        capsys,
        """
        TFile *f = new TFile("out.root", "RECREATE");
        f->mkdir("extra");
        f->Close();
        TIter next(TFile::Open("out.root")->GetListOfKeys());
        TKey *key;
        while ((key = (TKey *)next())) cout << key->GetName() << " " << key->GetClassName() << endl;
        """,
    )
    assert printed == "extra TDirectoryFile\n"
