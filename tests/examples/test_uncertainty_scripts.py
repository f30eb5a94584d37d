"""The script behind a table of docs/uncertainty.md, in a tiny setting."""


def test_sampling_script_compares_the_bands(run_example, tmp_path):
    output = run_example(
        "laplace_or_hmc.py",
        *("--muons", 600, "--cycles", 150, "--samples", 8, "--warmup", 16, "--chains", 2, "--steps", 10),
        folder=tmp_path,
    )
    assert "| sampled (HMC) |" in output
    assert (tmp_path / "demo_output" / "laplace_or_hmc" / "laplace_or_hmc.png").exists()
