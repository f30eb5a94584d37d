"""gSystem, gROOT and the names around them: paths, the process, messages and what is refused."""

import os
import subprocess
import sys
from array import array

import pytest

from pytmva_bnn.compat.error_messages import FatalError
from pytmva_bnn.compat.errors import NotInCompatError, RefusedError


@pytest.mark.parametrize(
    ("call", "arguments", "expected"),
    [
        ("GetDirName", ("a/b/c.root",), "a/b"),
        ("DirName", ("c.root",), "."),
        ("DirName", ("/c.root",), "/"),
        ("BaseName", ("a/b/c.root",), "c.root"),
        ("ConcatFileName", ("a/b", "c.root"), "a/b/c.root"),
        ("ConcatFileName", ("a/b/", "c.root"), "a/b/c.root"),
        ("ConcatFileName", ("/", "c.root"), "/c.root"),
        ("PrependPathName", ("a", "c"), "a/c"),
        ("UnixPathName", (r"a\b",), "a/b"),
        ("GetLibraries", (), ""),
    ],
)
def test_names_of_files(root, call, arguments, expected):
    assert getattr(root.gSystem, call)(*arguments) == expected


def test_files_are_copied_renamed_found_and_deleted(root, tmp_path):
    system = root.gSystem
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "one.txt").write_text("12345")
    assert system.CopyFile("data/one.txt", "two.txt") == 0
    assert system.CopyFile("data/one.txt", "two.txt") == -2
    assert system.CopyFile("nothing", "three.txt") == -1
    assert system.Rename("two.txt", "three.txt") == 0
    assert (tmp_path / "three.txt").read_text() == "12345"
    assert system.FindFile(".:data", "one.txt") == "data/one.txt"
    cell = ["one.txt"]
    assert system.FindFile(".:data", cell)
    assert cell == ["data/one.txt"]
    assert not system.FindFile(".", "one.txt")
    size, flags = array("q", [0]), array("q", [0])
    assert system.GetPathInfo("three.txt", array("q", [0]), size, flags, array("q", [0])) == 0
    assert (size[0], flags[0]) == (5, 0)
    status = root.FileStat_t()
    assert (system.GetPathInfo("three.txt", status), status.fSize) == (0, 5)
    assert system.GetPathInfo("nothing", status) == 1
    assert system.Unlink("three.txt") == 0
    assert system.Unlink("three.txt") == -1


def test_the_working_directory_can_be_changed(root, tmp_path):
    (tmp_path / "a").mkdir()
    assert root.gSystem.cd("a")
    assert root.gSystem.GetWorkingDirectory() == str(tmp_path / "a")
    assert not root.gSystem.ChangeDirectory("nowhere")
    assert root.gSystem.pwd() == str(tmp_path / "a")


def test_of_commands_only_mkdir_is_run(root, tmp_path):
    assert root.gSystem.Exec("mkdir -p plots/one two") == 0
    assert (tmp_path / "plots" / "one").is_dir()
    assert (tmp_path / "two").is_dir()
    assert root.gSystem.Exec("mkdir -p plots/one") == 0
    assert root.gSystem.Exec("mkdir two") != 0
    for command in ("rm -rf two", "mkdir a; rm -rf two", "mkdir $HOME", "mkdir", "mkdir -m 0 x", "ls"):
        with pytest.raises(RefusedError, match=r"only mkdir is run here; .* before the macro: "):
            root.gSystem.Exec(command)
    assert (tmp_path / "two").is_dir()
    assert not (tmp_path / "a").exists()
    with pytest.raises(RefusedError, match="subprocess for: ls"):
        root.gSystem.GetFromPipe("ls")


def test_environment_and_process(root, monkeypatch):
    monkeypatch.delenv("SHIM_TEST", raising=False)
    root.gSystem.Setenv("SHIM_TEST", "5")
    assert root.gSystem.Getenv("SHIM_TEST") == os.environ["SHIM_TEST"] == "5"
    root.gSystem.Unsetenv("SHIM_TEST")
    assert root.gSystem.Getenv("SHIM_TEST") == ""
    info = root.ProcInfo_t()
    assert info.fMemResident == 0
    assert root.gSystem.GetProcInfo(info) == 0
    assert info.fMemResident > 1000
    assert root.gSystem.GetPid() == os.getpid()
    before = root.gSystem.Now()
    root.gSystem.Sleep(2)
    assert root.gSystem.Now() >= before + 2
    root.gSystem.SetAclicMode(1)
    with pytest.raises(RefusedError, match="pytmva-bnn port"):
        root.gSystem.CompileMacro("x.C")
    with pytest.raises(SystemExit) as ended:
        root.gSystem.Exit(3)
    assert ended.value.code == 3


def test_groot_knows_paths_and_classes(root, monkeypatch):
    monkeypatch.setenv("ROOTSYS", "/opt/root")
    assert root.gROOT.GetTutorialsDir() == root.TROOT.GetTutorialDir() == "/opt/root/tutorials"
    before = root.gROOT.GetMacroPath()
    root.gROOT.SetMacroPath("./macros:")
    assert root.gROOT.GetMacroPath() == "./macros:"
    root.gROOT.SetMacroPath(before)
    assert root.gROOT.GetClass("TH1F").InheritsFrom("TH1")
    assert not root.gROOT.GetClass("TH1F").InheritsFrom("TH2")
    assert not root.gROOT.GetClass("MyClass")
    assert root.gROOT.GetGlobal("gRandom") is root.gRandom
    assert root.gROOT.GetListOfCanvases().GetSize() == 0
    assert not root.gROOT.IsWebDisplay()
    assert root.gROOT.GetApplication() is root.gApplication
    histogram = root.TH1F("h", "", 1, 0, 1)
    assert (histogram.ClassName(), histogram.InheritsFrom("TH1"), histogram.InheritsFrom(root.TH1.Class())) == (
        "TH1F", True, True,
    )  # fmt: skip
    assert histogram.IsA().GetName() == "TH1F"


def test_the_interpreter_refuses_code_and_knows_the_macro(root):
    with pytest.raises(RefusedError, match="write it in Python with numpy: int f"):
        root.gInterpreter.Declare("int f() { return 1; }\nint g();")
    root.gInterpreter.GenerateDictionary("vector<vector<float>>", "vector")
    script = "from pytmva_bnn.compat import ROOT; print(ROOT.gInterpreter.GetCurrentMacroName())"
    path = root.gSystem.ConcatFileName(root.gSystem.pwd(), "mine.py")
    with open(path, "w", encoding="utf-8") as file:  # noqa: PTH123
        file.write(script)
    shown = subprocess.run([sys.executable, path], capture_output=True, text=True, check=True, env=os.environ | {  # noqa: S603
        "PYTHONPATH": os.pathsep.join(sys.path)})  # fmt: skip
    assert shown.stdout.strip() == path


def test_settings_and_threads(root):
    assert root.gEnv.GetValue("X.Y", 5) == 5
    root.gEnv.SetValue("X.Y", 6)
    assert root.gEnv.GetValue("X.Y", 5) == 6
    root.DisableImplicitMT()
    assert root.GetThreadPoolSize() == 0
    root.EnableImplicitMT(3)
    assert (root.GetThreadPoolSize(), root.IsImplicitMTEnabled()) == (3, True)
    root.DisableImplicitMT()
    assert root.GetThreadPoolSize() == 0
    root.gPluginMgr.AddHandler("TMVA@@MethodBase", "x", "y", "z", "w")
    application = root.TApplication("app", array("i", [2]), ["prog", "x"])
    assert (application.Argc(), application.Argv(1)) == (2, "x")
    application.Run()
    assert root.TObject.kOverwrite != root.TObject.kWriteDelete
    assert root.TH1F.kOverwrite == root.TObject.kOverwrite


def test_messages_have_roots_form_and_levels(root, capsys, monkeypatch):
    root.Info("macro", "%d events of %s", 5, "sample")
    root.Warning("macro", "careful")
    root.Error("", "no place")
    root.Printf("%5.2f|", 1.234)
    shown = capsys.readouterr()
    assert shown.err == "Info in <macro>: 5 events of sample\nWarning in <macro>: careful\nError: no place\n"
    assert shown.out == " 1.23|\n"
    monkeypatch.setattr(root, "gErrorIgnoreLevel", root.kWarning + 1)
    root.Warning("macro", "not shown")
    root.Error("macro", "shown")
    with pytest.raises(FatalError, match="macro: the end"):
        root.Fatal("macro", "the %s", "end")
    assert capsys.readouterr().err == "Error in <macro>: shown\nFatal in <macro>: the end\n"


def test_a_line_of_cpp_sets_the_level(root, monkeypatch):
    monkeypatch.setattr(root, "gErrorIgnoreLevel", -1)
    root.gROOT.ProcessLine("gErrorIgnoreLevel = 2001;")
    assert root.gErrorIgnoreLevel == 2001
    root.gROOT.ProcessLine("gErrorIgnoreLevel = kError")
    assert root.gErrorIgnoreLevel == 3000


def test_unknown_calls_have_a_hint(root):
    with pytest.raises(NotInCompatError, match="did you mean GetDirName"):
        root.gSystem.GetDirNme("x")
