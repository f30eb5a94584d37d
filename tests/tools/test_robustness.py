"""The machinery of tools/faults, tools/fuzz and tools/soak, and the inputs that tools/fuzz has found."""

import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / "tools"
FOUND = sorted((ROOT / "xml_fixtures" / "fuzz").iterdir())
MODULES = ("fault_jobs", "faults", "fuzz", "fuzz_mutations", "fuzz_targets", "fuzz_bookings", "fuzz_ways", "soak")

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="signals and /proc of Linux")
pytest.importorskip("tree_sitter_cpp")
pytest.importorskip("matplotlib")


@pytest.fixture
def tool(monkeypatch):
    monkeypatch.syspath_prepend(str(TOOLS))
    for name in MODULES:
        monkeypatch.delitem(sys.modules, name, raising=False)
    level = logging.root.manager.disable
    yield __import__
    logging.disable(level)  # the tools switch messages off


KILLS = """
import json, signal, sys
import faults
from fault_jobs import JOBS, Writer

def careless(path, content):
    if path.parent.name == "work":
        path.write_bytes(b"half")
        path.with_name(".left").touch()
        signal.pause()
    path.write_bytes(b"%d" % content)

jobs = {"good": JOBS["checkpoint"], "careless": Writer("a.txt", careless, lambda path: path.read_text())}
counts, wrong = faults.run(jobs, 8, 1e6, 1)
print(json.dumps([counts, wrong, faults.report(counts, wrong)]))
"""


def test_kills_find_a_careless_writer_and_no_other():
    # a process of its own, as copies of it are made and killed
    environment = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{TOOLS}", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", KILLS], env=environment, capture_output=True, check=True, text=True
    )
    counts, wrong, report = json.loads(done.stdout)
    good = counts["good"]
    assert good["kills"] == good.get("old", 0) + good.get("new", 0) == 4
    assert counts["careless"]["wrong"] == 1
    (problem,) = wrong
    assert problem.startswith(f"careless, kill {counts['careless']['kills']}: a.txt is neither")
    assert problem in report


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)
def test_what_was_found_once_is_a_result_or_refused(tool, path, tmp_path):
    fuzz = tool("fuzz")
    word, error = fuzz.outcome(fuzz.TARGETS[path.name.partition("-")[0]], path.read_bytes(), tmp_path)
    assert (word, error) in (("result", None), ("refused", None))


def test_a_quick_look_finds_nothing_and_takes_all_kinds(tool, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    fuzz = tool("fuzz")
    kinds = [kind for kind in fuzz.TARGETS if kind not in ("output", "booking")]  # which need trainings
    counts, findings = fuzz.feed(kinds, 1e6, 1, tmp_path, 2)
    assert findings == []
    assert {kind: sum(one.values()) for kind, one in counts.items()} == dict.fromkeys(kinds, 2)
    assert "No findings." in fuzz.report(counts, findings, 1)
    for kind in kinds:  # what is not changed is understood
        target = fuzz.TARGETS[kind]
        assert fuzz.outcome(target, target.corpus(tmp_path)[0], tmp_path) == ("result", None), kind


def test_a_finding_is_made_small_and_kept(tool, tmp_path, monkeypatch):
    fuzz = tool("fuzz")

    def read(data, _path):
        if b"[" in data:
            raise IndexError("bad bracket")

    target = fuzz.Target(".txt", lambda _: [b"some text " * 20, b"other [text] " * 9], fuzz.TARGETS["xml"].mutate, read)
    monkeypatch.setitem(fuzz.TARGETS, "brackets", target)
    counts, (finding,) = fuzz.feed(["brackets"], 1e6, 1, tmp_path / "kept", 5)
    assert counts["brackets"]["finding"] >= 1
    assert (finding.error, finding.message) == ("IndexError", "bad bracket")
    assert b"[" in finding.file.read_bytes()
    assert len(finding.file.read_bytes()) <= 4
    again = fuzz.mutated("brackets", target.corpus(tmp_path), 1, finding.number)
    assert fuzz.outcome(target, again, tmp_path)[0] == "finding"
    assert f"brackets {finding.number}: IndexError" in fuzz.report(counts, [finding], 1)


def test_bookings_are_random_and_follow_from_the_number(tool):
    fuzz, bookings = tool("fuzz"), tool("fuzz_bookings")
    texts = [fuzz.mutated("booking", [b""], 1, number) for number in range(40)]
    assert texts[3] == fuzz.mutated("booking", [b""], 1, 3)
    read = [bookings.RandomBooking.parse(text.decode()) for text in texts]
    assert {one.analysis for one in read} == {"Classification", "Regression", "Multiclass"}
    assert len({one.kind for one in read}) > 8
    assert any("VarTransform=" in one.options for one in read)
    columns = bookings.RandomBooking.parse(bookings.EXAMPLE).events()["Background"]
    assert (columns["x0"].dtype, columns["x1"].dtype, set(columns["w"])) == ("float32", "int32", {1.0, -1.0})
    assert len(columns["x0"]) == 63


def test_a_way_with_another_response_is_found(tool, tmp_path, monkeypatch):
    fuzz, bookings, ways = tool("fuzz"), tool("fuzz_bookings"), tool("fuzz_ways")
    target = fuzz.TARGETS["booking"]
    assert fuzz.outcome(target, bookings.EXAMPLE.encode(), tmp_path) == ("result", None)
    monkeypatch.setattr(ways.TMVA.Reader, "EvaluateMVA", lambda *_: 0.25)
    word, error = fuzz.outcome(target, bookings.EXAMPLE.encode(), tmp_path)
    assert word == "finding"
    assert fuzz.sign_of(error) == ("OddityError", "Fisher reader")
    assert "20 of 20 differ" in str(error)


def test_a_rise_is_told_and_noise_is_not(tool):
    soak = tool("soak")
    warm_up = [soak.Use(10.0, 3, 1)] * 2
    flat = [*warm_up, *(soak.Use(100.0 + number % 2, 6, 2) for number in range(16))]
    assert soak.rises(flat) == []
    leaking = [*warm_up, *(soak.Use(100.0 + number, 6 + (number > 8), 2) for number in range(16))]
    assert soak.rises(leaking) == ["memory rise from 102 to 114 MiB", "files rise from 6 to 7"]


def test_a_short_soak_counts_trainings_and_events(tool, capsys, monkeypatch):
    soak = tool("soak")
    monkeypatch.setattr(soak, "METHODS", soak.METHODS[3:4])
    assert soak.main(["--trainings", "2", "--events", "2000"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].startswith("| trainings | 2 |")
    assert lines[3].startswith("| events | 2000 |")
    assert lines[-1] == "* Nothing rises."
