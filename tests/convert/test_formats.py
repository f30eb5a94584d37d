"""The end of a name tells the format."""

import pytest

from pytmva_bnn.convert import convert, format_of, load_any, optional, random_events
from pytmva_bnn.errors import InputError, MissingDependencyError
from pytmva_bnn.events.variables import VariableRecord


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a.xml", "XML"),
        ("a.weights.xml.gz", "XML"),
        ("a.txt", "text of TMVA 3.9"),
        ("a.json", "JSON"),
        ("a.json.gz", "JSON"),
        ("a.xgb.json", "XGBoost"),
        ("a.ubj", "XGBoost"),
        ("a.npz", "numpy archive"),
        ("a.onnx", "ONNX"),
        ("job_MLP.class.C", "C++ class"),
        ("a.hpp", "C++ class"),
    ],
)
def test_formats_by_name(path, name):
    assert format_of(path).name == name


def test_a_chain_of_conversions_ends_with_the_same_bytes(tmp_path, case_named):
    source = case_named("mvapdfs").weights
    names = ["a.json", "b.npz", "c.xml.gz", "d.json.gz", "e.xml"]
    for before, after in zip([source, *(tmp_path / name for name in names)], names, strict=False):
        convert(before, tmp_path / after)
    assert (tmp_path / "e.xml").read_bytes() == source.read_bytes()


def test_cpp_is_written(tmp_path, case_named):
    convert(case_named("bfgs_n").weights, tmp_path / "MLP.C")
    assert "class ReadMLP" in (tmp_path / "MLP.C").read_text()


def test_formats_of_one_direction_say_so(tmp_path, case_named):
    with pytest.raises(InputError, match="ONNX can only be written"):
        load_any(tmp_path / "a.onnx")
    with pytest.raises(InputError, match=r"text of TMVA 3.9 can only be read"):
        convert(case_named("bfgs_n").weights, tmp_path / "a.txt")
    with pytest.raises(InputError, match="the ending of the name identifies no format"):
        convert(case_named("bfgs_n").weights, tmp_path / "a.weights")
    assert not list(tmp_path.iterdir())


def test_files_of_any_other_name_are_read_by_content(tmp_path, case_named):
    (tmp_path / "weights").write_bytes(case_named("bfgs_n").weights.read_bytes())
    assert load_any(tmp_path / "weights").title == "MLP"


def test_a_missing_package_tells_the_extra():
    with pytest.raises(MissingDependencyError, match=r"pip install 'pytmva-bnn\[onnx\]'"):
        optional("surely_not_installed.part", "onnx", "ONNX output")


def test_random_events_lie_in_the_ranges():
    variables = [
        VariableRecord.define("x", minimum=5.0, maximum=6.0),
        VariableRecord.define("n", type="I", minimum=0.0, maximum=9.0),
        VariableRecord.define("y"),
    ]
    events = random_events(variables, 500)
    assert ((events[:, 0] >= 5) & (events[:, 0] <= 6)).all()
    assert (events[:, 1] == events[:, 1].round()).all()
    assert (abs(events[:, 2]) <= 1).all()
    assert (events == random_events(variables, 500)).all()
    assert (events != random_events(variables, 500, seed=2)).any()
