"""Every command on the page docs/command-line.md runs."""

import re
import shlex
from pathlib import Path

import pytest

from pytmva_bnn.cli import main, train_defaults
from pytmva_bnn.cli.parser import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")


def commands_of(kind):
    """Return the commands in the blocks of a kind, each on one line."""
    blocks = re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)
    return [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]


def test_the_commands_of_the_page_run(tmp_path, monkeypatch, capsys):
    pytest.importorskip("yaml", reason="a command of the page reads YAML")
    pytest.importorskip("onnxruntime", reason="a command of the page writes ONNX")
    pytest.importorskip("matplotlib", reason="a command of the page draws")
    from pytmva_bnn.show.plots import gallery

    # a few of the plots and networks will do: all of them have their own tests
    monkeypatch.setattr(train_defaults, "NETWORKS", {"N+5": 1, "N+3,N": 2})
    all_sections = gallery.sections
    monkeypatch.setattr(gallery, "sections", lambda content: list(all_sections(content))[3:4])
    (tmp_path / "xml_fixtures").symlink_to(ROOT / "xml_fixtures")
    (tmp_path / "train.yaml").write_text(re.search(r"```yaml\n(.*?)```", PAGE, re.DOTALL)[1])
    monkeypatch.chdir(tmp_path)
    lines = commands_of("sh")
    assert len(lines) >= 14
    for line in lines:
        words = shlex.split(line, comments=True)
        expected = re.search(r"# exit code (\d+)", line)
        assert words[0] == "pytmva-bnn"
        assert main(words[1:]) == (int(expected[1]) if expected else 0), f"{line}\n{capsys.readouterr().err}"
    for name in (
        "out/dataset/weights/job_MLP.weights.xml",
        "out/dataset/weights/job_MLP.class.C",
        "out/job_MLP.train.json",
        "out/TMVA.root",
        "quick/dataset/weights/quick_BNN.weights.xml",
        "report.html",
        "plots/mva_MLP.png",
        "responses.root",
        "merged.npz",
        "responses/class.npz",
        "fakerate.weights.xml.gz",
    ):
        assert (tmp_path / name).exists(), name


def test_the_page_names_every_command():
    for name in COMMANDS:
        assert f"`{name}`" in PAGE
    known = set(COMMANDS)
    used = {shlex.split(line)[1] for line in commands_of("sh")}
    used |= set(re.findall(r"pytmva-bnn ([a-z]+) ", "\n".join(commands_of("text"))))
    assert used <= known
