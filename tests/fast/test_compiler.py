"""Machine code kept on disk belongs to the sources it was made of."""

from pathlib import Path

import pytest

import pytmva_bnn.fast.compiler as compiler


def test_its_name_tells_which_sources_it_was_made_of():
    functions = pytest.importorskip("pytmva_bnn.methods.mlp.kernels.functions", reason="numba is missing")
    assert compiler._digest() in functions.tanh_double._cache._impl.filename_base


@pytest.mark.parametrize(
    "name", ["fast/threads.py", "some_kernels.py", "beside.py", "net/kernels/tiles.py", "net/activations.py"]
)
def test_a_change_of_any_kernel_is_another_digest(tmp_path, monkeypatch, name):
    (tmp_path / "fast").mkdir()
    for source in Path(compiler.__file__).parent.glob("*.py"):
        (tmp_path / "fast" / source.name).write_bytes(source.read_bytes())
    (tmp_path / "some_kernels.py").write_text("x = 1\n")
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    with (tmp_path / name).open("a") as file:
        file.write("y = 1\n")
    monkeypatch.setattr(compiler, "__file__", str(tmp_path / "fast" / "compiler.py"))
    before = compiler._digest.__wrapped__()
    assert compiler._digest.__wrapped__() == before
    with (tmp_path / name).open("a") as file:
        file.write("# changed\n")
    assert compiler._digest.__wrapped__() != before


@pytest.mark.parametrize("n", [1, 2, 3, 0b1000, 12, 2**31, 2**63, 2**64 - 1, 3 << 40])
def test_zeros_at_the_end_of_a_number(n):
    numba = pytest.importorskip("numba")
    count = numba.njit(lambda x: compiler.trailing_zeros(x))
    expected = len(bin(n)) - len(bin(n).rstrip("0"))
    assert count(numba.uint64(n)) == compiler._plain_trailing_zeros(n) == expected
