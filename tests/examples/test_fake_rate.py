"""The fake-rate example: its data, its script and its notebook."""

import importlib.util
import json
import re

import numpy as np
import pytest
import uproot

import pytmva_bnn as TMVA


def test_short_form_prints_its_steps_and_saves_its_files(run_example, tmp_path):
    output = run_example("fake_rate.py", "--short", "--muons", 8000, "--cycles", 60, folder=tmp_path)
    for line in ("trained 60 epochs on 8000 muons", "weight file written:", "<Model 'BNN': Classification, 2-10-1"):
        assert line in output
    row = re.search(r"same-charge pairs +(\d+) +([\d.]+) ± +([\d.]+) ± +([\d.]+) +(\d+)", output)
    n, predicted, _, _, observed = map(float, row.groups())
    assert (n, observed) == (30768, 6263)
    assert predicted == pytest.approx(6263, rel=0.1)
    bins = re.findall(r"\[(\d+), (\d+)[)\]] +(\d+) +([\d.]+) ± +[\d.]+ ± +[\d.]+ +(\d+)", output)
    assert [row[0] for row in bins] == ["10", "12", "14", "16", "18", "20", "25", "30", "40"]
    assert 6200 < sum(int(row[4]) for row in bins) <= 6263
    assert sum(float(row[3]) for row in bins) == pytest.approx(predicted, rel=0.01)
    assert "errors added in quadrature would give" in output
    folder = tmp_path / "demo_output" / "fake_rate"
    for name in ("kinematics", "training", "map", "closure", "yields"):
        assert (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    model = TMVA.load(folder / "single_muon_pt_ht" / "weights" / "fake_rate_BNN.weights.xml")
    assert model.has_errors


def test_underlying_event_is_shown_to_fail(run_example, tmp_path):
    output = run_example("fake_rate.py", "--muons", 5000, "--cycles", 40, "--output", "here", folder=tmp_path)
    rows = re.findall(r"pairs with UE, by ([\w, ]+?)  +(\d+) +([\d.]+) ±.*?(\d+) +[\d.]+%", output)
    assert [row[0] for row in rows] == ["pt, ht", "pt, ht, eta"]
    assert float(rows[0][2]) > 1.2 * 6010
    assert (tmp_path / "here" / "closure_ue.png").exists()


@pytest.mark.parametrize(
    ("name", "n", "n_isolated"),
    [
        ("single_muon", 120_000, 45_312),
        ("dimuon_ss", 30_768, 6_263),
        ("single_muon_ue", 78_000, None),
        ("dimuon_ss_ue", 30_784, 6_010),
    ],
)
def test_data_files_hold_the_muons_they_should(fake_rate_folder, name, n, n_isolated):
    with uproot.open(fake_rate_folder / "data" / f"{name}.root") as file:
        muons = file["muons"].arrays(library="np")
    assert len(muons["pt"]) == n
    assert muons["pt"].min() > 10.0
    assert np.abs(muons["eta"]).max() < 2.5
    if n_isolated is not None:
        assert muons["isol"].sum() == n_isolated


def test_data_files_are_small(fake_rate_folder):
    assert sum(path.stat().st_size for path in (fake_rate_folder / "data").glob("*.root")) < 3e6


def test_data_script_keeps_values_bit_for_bit(fake_rate_folder, tmp_path):
    spec = importlib.util.spec_from_file_location("make_data", fake_rate_folder / "make_data.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    random = np.random.default_rng(1)
    muons = {name: random.normal(size=50).astype(np.float32) for name in ("pt", "ht", "eta", "iso")}
    muons["isol"] = random.integers(0, 2, 50).astype(np.int32)
    with uproot.recreate(tmp_path / "original.root") as file:
        tree = file.mktree("muons", {name: column.dtype for name, column in muons.items()})
        tree.extend(muons)
    assert module.convert(tmp_path / "original.root", tmp_path / "small.root", 30) == 30
    with uproot.open(tmp_path / "small.root") as file:
        small = file["muons"].arrays(library="np")
    assert set(small) == {"pt", "ht", "eta", "isol"}
    for name, column in small.items():
        assert (column == muons[name][:30]).all()


def test_cells_of_the_notebook_run(fake_rate_folder, tmp_path, monkeypatch, capsys):
    notebook = json.loads((fake_rate_folder / "fake_rate.ipynb").read_text(encoding="utf-8"))
    code = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert not any(cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(fake_rate_folder))
    names: dict[str, object] = {}
    for source in code:
        small = source.replace("N_TRAIN, N_CYCLES = 50_000, 300", "N_TRAIN, N_CYCLES = 4_000, 20")
        exec(compile(small, "fake_rate.ipynb", "exec"), names)  # noqa: S102
    assert names["N_TRAIN"] == 4_000
    assert "same-charge pairs" in capsys.readouterr().out
