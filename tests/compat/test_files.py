"""TFile: what is opened, found and written, and that a file appears only when it is complete."""

from pathlib import Path

import numpy as np
import pytest
import uproot

from pytmva_bnn.compat.errors import RefusedError, RootFileError
from pytmva_bnn.compat.null_pointer import NullPointerError

DATA = Path(__file__).resolve().parent.parent.parent / "xml_fixtures" / "data"


def write_histogram(root, path="out.root", name="h", option="RECREATE"):
    file = root.TFile(path, option)
    histogram = root.TH1F(name, "title", 2, 0, 1)
    histogram.Fill(0.7)
    histogram.Write()
    return file


# -- reading


def test_a_file_is_a_context_and_the_current_directory(root):
    with root.TFile.Open(f"{DATA}/class.root") as file:
        assert root.gDirectory.GetName() == file.GetName()
        assert root.gFile.GetName() == file.GetName()
        assert file.IsOpen()
        assert not file.IsZombie()
    assert not file.IsOpen()
    assert root.gDirectory.GetName() == "PyROOT"


def test_objects_are_found_in_all_the_ways_of_pyroot(root):
    file = root.TFile(f"{DATA}/class.root", "READ")
    assert file.Get("TreeS;1").GetEntries() == file["TreeS"].GetEntries() == file.TreeS.GetEntries() == 2500
    assert file.Get("TreeS") is file.Get("TreeS")
    assert [key.ReadObj().GetName() for key in file.GetListOfKeys()] == ["TreeS", "TreeB"]


def test_what_does_not_exist_is_a_null_pointer_that_tells_why(root):
    tree = root.TFile(f"{DATA}/class.root").Get("TreeX")
    assert not tree
    assert tree == None  # noqa: E711 - what macros write
    with pytest.raises(NullPointerError, match=r"GetEntries of a null pointer.*TreeX.*did you mean TreeS"):
        tree.GetEntries()
    with pytest.raises(AttributeError, match="did you mean TreeS"):
        root.TFile(f"{DATA}/class.root").TreeX  # noqa: B018
    with pytest.raises(KeyError, match="did you mean TreeS"):
        root.TFile(f"{DATA}/class.root")["TreeX"]


def test_a_file_that_cannot_be_read_is_null_or_a_zombie(root, caplog):
    Path("text.root").write_text("no ROOT file at all, but long enough to be looked at" * 10)
    for name, problem in (("nowhere.root", "does not exist"), ("text.root", "cannot be opened as a ROOT file")):
        null, zombie = root.TFile.Open(name), root.TFile(name)
        assert not null
        assert (not null) or null.IsZombie()
        assert zombie
        assert zombie.IsZombie()
        assert not zombie.IsOpen()
        for use in (lambda: null.Get("t"), lambda: zombie.Get("t"), null.__enter__, zombie.__enter__):  # noqa: B023
            with pytest.raises(OSError, match=problem):
                use()
    assert "nowhere.root does not exist" in caplog.text
    assert root.gDirectory.GetName() == "PyROOT", "what could not be opened is not the current directory"


def test_unknown_options_and_blanks_mean_to_read(root):
    for option in ("r", "READ ", " read", "old", "", "WRITE"):
        with root.TFile.Open(f"{DATA}/class.root", option) as file:
            assert file.GetOption() == "READ"
            assert file.Get("TreeS").GetEntries() == 2500
            assert not file.IsWritable()
            assert file.GetSize() == file.GetEND() == Path(f"{DATA}/class.root").stat().st_size


def test_update_makes_a_file_and_later_reads_and_changes_it(root):
    write_histogram(root, option="UPDATE").Close()
    file = root.TFile.Open("out.root", "update")
    h = file.Get("h")
    h.Fill(0.7)
    h.Write("", 2)
    root.TH1F("other", "", 1, 0, 1).Write()
    file.Close()
    stored = uproot.open("out.root")
    assert stored["h"].values().tolist() == [0, 2]
    assert sorted(set(stored.keys(cycle=False))) == ["h", "other"]


def test_objects_are_put_into_cells_and_got_by_their_class(root):
    file = root.TFile(f"{DATA}/class.root")
    cell = [root.nullptr]
    file.GetObject("TreeS", cell)
    assert cell[0].GetEntries() == 2500
    assert file.GetObject["TTree"]("TreeB").GetEntries() == file.Get["TTree"]("TreeB").GetEntries() == 3000
    file.GetObject("nope", cell)
    assert not cell[0]
    assert (file.GetNkeys(), file.GetKey("TreeB").GetClassName()) == (2, "TTree")


def test_paths_may_name_the_file_or_begin_at_its_top(root):
    file = root.TFile("out.root", "RECREATE")
    file.mkdir("a/b")
    file.cd("a/b")
    root.TH1F("h", "", 1, 0, 1)
    root.gDirectory.cd("/")
    assert root.gDirectory.GetPath() == "out.root:/"
    assert root.gDirectory.cd("out.root:/a/b")
    assert root.gDirectory.GetPath() == "out.root:/a/b"
    assert file.Get("/a/b/h").GetName() == root.gDirectory.Get("out.root:/a/b/h").GetName() == "h"
    assert root.gDirectory.GetDirectory("..").GetName() == "a"
    assert not file.cd("elsewhere.root:/a")
    assert not file.Get("elsewhere.root:/h")


def test_a_cached_file_of_the_web_is_looked_for_in_its_folder(root):
    Path("cache").mkdir()
    write_histogram(root, "cache/tutorial.root").Close()
    root.TFile.SetCacheFileDir("cache")
    file = root.TFile.Open("http://root.invalid/files/tutorial.root", "CACHEREAD")
    assert file.Get("h").GetEntries() == 1
    root.TFile.SetCacheFileDir(".")


def test_trees_can_be_read_after_their_file_is_closed(root):
    file = root.TFile(f"{DATA}/class.root")
    tree = file.Get("TreeS")
    file.Close()
    assert tree.GetEntries("var1 > 0") == 1581


def test_objects_of_other_classes_are_left_to_uproot(root):
    with uproot.recreate("graph.root") as file:
        file["text"] = "some text"
        file["numbers"] = np.histogram2d([0.5], [0.5], bins=2)
    file = root.TFile("graph.root")
    assert file.Get("text").GetString() == "some text"
    assert isinstance(file.Get("numbers"), root.TH2D)


# -- writing


def test_the_file_appears_when_it_is_closed_and_not_before(root, tmp_path):
    file = write_histogram(root)
    assert list(tmp_path.iterdir()) == []
    file.Close()
    file.Close()
    assert [path.name for path in tmp_path.iterdir()] == ["out.root"]
    assert uproot.open("out.root")["h"].values().tolist() == [0, 1]


def test_after_an_error_the_old_file_stays(root):
    write_histogram(root, name="old").Close()

    def crash():
        with root.TFile("out.root", "RECREATE"):
            root.TH1F("new", "", 1, 0, 1).Write()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        crash()
    assert uproot.open("out.root").keys(cycle=False) == ["old"]


@pytest.mark.parametrize(
    ("end", "exists"),
    [("", True), ("sys.exit(0)", True), ("1 / 0", False), ("sys.ps1 = 'in a notebook: '; 1 / 0", True)],
)
def test_at_the_end_of_the_program_open_files_are_closed_unless_it_crashed(root, run_python, end, exists):
    script = Path("script.py")
    script.write_text(
        f"import sys\nfrom pytmva_bnn.compat import ROOT\nf = ROOT.TFile('out.root', 'RECREATE')\n{end}\n"
    )
    run_python(script.resolve(), Path.cwd())
    assert Path("out.root").exists() == exists


def test_update_keeps_what_was_there_and_recreate_does_not(root):
    write_histogram(root, name="a").Close()
    write_histogram(root, name="b", option="UPDATE").Close()
    assert sorted(uproot.open("out.root").keys(cycle=False)) == ["a", "b"]
    write_histogram(root, name="c", option="recreate").Close()
    assert uproot.open("out.root").keys(cycle=False) == ["c"]


def test_new_does_not_overwrite(root):
    write_histogram(root, option="NEW").Close()
    with pytest.raises(RootFileError, match="exists already"):
        root.TFile("out.root", "NEW")
    with pytest.raises(RootFileError, match="folder nowhere does not exist"):
        root.TFile("nowhere/out.root", "RECREATE")


def test_a_file_is_written_where_it_was_opened(root, tmp_path, monkeypatch):
    file = write_histogram(root)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    file.Close()
    assert not Path("out.root").exists()
    assert uproot.open(tmp_path / "out.root").keys(cycle=False) == ["h"]


def test_a_file_opened_for_reading_is_not_written(root):
    write_histogram(root).Close()
    root.TFile("out.root")
    with pytest.raises(RefusedError, match="opened for reading"):
        root.TH1F("x", "", 1, 0, 1).Write()


def test_what_a_factory_has_written_meanwhile_is_kept(root):
    write_histogram(root, name="stale").Close()
    file = root.TFile("out.root", "RECREATE")
    Path("out.root").unlink()
    with uproot.recreate("out.root") as other:
        other["of_the_factory"] = np.histogram([0.5], bins=2)
    file.cd()
    root.TH1F("mine", "", 1, 0, 1).Write()
    file.Close()
    assert sorted(uproot.open("out.root").keys(cycle=False)) == ["mine", "of_the_factory"]


def test_a_file_to_which_nothing_is_written_is_empty_but_there(root):
    write_histogram(root, name="stale").Close()
    root.TFile("out.root", "RECREATE").Close()
    assert uproot.open("out.root").keys() == []


def test_directories_are_made_entered_and_read_back(root):
    file = root.TFile("out.root", "RECREATE")
    plots = file.mkdir("plots")
    file.mkdir("deep/er")
    plots.cd()
    root.TH1F("h", "", 1, 0, 1).Write()
    file.cd("deep/er")
    assert root.gDirectory.GetPath() == "out.root:/deep/er"
    root.TObjString("words").Write("note")
    assert not file.cd("no/where")
    assert not file.mkdir("plots"), "ROOT gives a null pointer for a directory that exists"
    file.Close()
    read = root.TFile("out.root")
    assert read.Get("plots/h").GetNbinsX() == 1
    assert read.GetDirectory("plots").Get("h").GetName() == "h"
    assert read.Get("plots").GetListOfKeys().At(0).GetName() == "h"
    assert not read.Get("h"), "what is in a directory is not at the top"
    assert read.Get("deep/er/note").GetString() == "words"


def test_write_of_the_file_writes_all_that_is_attached(root):
    file = root.TFile("out.root", "RECREATE")
    first = root.TH1F("first", "", 1, 0, 1)
    detached = root.TH1F("detached", "", 1, 0, 1)
    detached.SetDirectory(0)
    file.mkdir("folder").cd()
    root.TNtuple("n", "", "x").Fill(1)
    first.Fill(0.5)
    assert file.Write() == 2
    first.Fill(0.5)
    file.Close()
    stored = uproot.open("out.root")
    assert sorted(stored.keys(cycle=False)) == ["first", "folder", "folder/n"]
    assert stored["first"].values().tolist() == [1], "as it was when it was written"


def test_trees_of_an_updated_file_are_not_written_twice(root):
    with root.TFile("out.root", "RECREATE"):
        tree = root.TNtuple("n", "", "x")
        tree.Fill(1)
        tree.Write()
    file = root.TFile("out.root", "UPDATE")
    assert file.Get("n").GetEntries() == 1
    file.Write()
    file.Close()
    assert uproot.open("out.root").keys() == ["n;1"]


def test_without_a_file_write_says_that_nothing_is_written(root, caplog):
    root.TH1F("h", "", 1, 0, 1).Write()
    assert "not associated with a file" in caplog.text


def test_only_trees_histograms_and_text_can_be_written(root):
    file = root.TFile("out.root", "RECREATE")
    with pytest.raises(RefusedError, match="a dict cannot be written"):
        file.WriteObject({}, "thing")
    assert file.WriteObject(root.TString("text"), "thing") == 1
