"""The scripts behind docs/uncertainty.md, in a tiny setting."""

import json


def test_coverage_script_makes_table_and_plot(run_example, tmp_path):
    output = run_example(
        "coverage_study.py", "--toys", 2, "--hmc", 0, "--events", 300, "--cycles", 60, "--hidden", 3, folder=tmp_path
    )
    assert "| regulators, Hessian=Posterior | 2 | centre (x within ±1.5) |" in output
    folder = tmp_path / "demo_output" / "coverage"
    assert (folder / "coverage.png").exists()
    summary = json.loads((folder / "coverage.json").read_text())
    assert len(summary) == 4
    for _, regions in summary.values():
        for row in regions.values():
            assert 0.0 <= row["68%"][0] <= row["95%"][0] <= 1.0
            assert row["width"] > 0.0


def test_sampling_script_compares_the_bands(run_example, tmp_path):
    output = run_example(
        "laplace_or_hmc.py",
        *("--muons", 600, "--cycles", 150, "--samples", 8, "--warmup", 16, "--chains", 2, "--steps", 10),
        folder=tmp_path,
    )
    assert "| sampled (HMC) |" in output
    assert (tmp_path / "demo_output" / "laplace_or_hmc" / "laplace_or_hmc.png").exists()
