"""JSON and numpy archives keep everything: the XML written again has the same bytes."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.convert import from_json, from_npz, json_text, load_any, random_events, to_json, to_npz, writer_of
from pytmva_bnn.errors import WeightFileError, WeightFileNotFoundError
from pytmva_bnn.model import load

FIXTURES = Path(__file__).parents[2] / "xml_fixtures"
FILES = sorted([*FIXTURES.glob("cases/*/weights.xml"), *FIXTURES.glob("odd/*.weights.xml")])
TEXT_FILES = sorted(FIXTURES.glob("odd/*.weights.txt"))


def name_of(path: Path) -> str:
    return path.parent.name if path.name == "weights.xml" else path.name.removesuffix(".weights.xml")


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_the_xml_of_a_round_trip_has_the_same_bytes(path, tmp_path):
    model = load(path)
    to_json(model, tmp_path / "w.json")
    to_npz(model, tmp_path / "w.npz")
    assert from_json(tmp_path / "w.json").to_xml().encode() == path.read_bytes()
    assert from_npz(tmp_path / "w.npz").to_xml().encode() == path.read_bytes()


@pytest.mark.parametrize("path", TEXT_FILES, ids=name_of)
def test_networks_of_old_text_files_respond_the_same_after_a_round_trip(path, tmp_path):
    model = load_any(path)
    events = random_events(model.variables, 50)
    for ending, write in ((".json", to_json), (".npz", to_npz)):
        write(model, tmp_path / f"w{ending}")
        again = load_any(tmp_path / f"w{ending}")
        assert again.file.source == "text"
        np.testing.assert_array_equal(again.predict(events), model.predict(events))


def test_numbers_that_are_not_finite_survive(tmp_path, case_named):
    text = case_named("bfgs_n").weights.read_text()
    number = text.split("<Neuron NSynapses")[1].split(">")[1].split()[0]
    with pytest.warns(UserWarning, match="not finite|NaN|nan"):
        model = read_damaged(tmp_path, text.replace(number, "nan", 1))
    to_json(model, tmp_path / "w.json")
    assert "NaN" not in (tmp_path / "w.json").read_text()
    json.loads((tmp_path / "w.json").read_text(), parse_constant=pytest.fail)
    np.testing.assert_array_equal(from_json(tmp_path / "w.json").matrices[0], model.matrices[0])


def read_damaged(folder, text):
    (folder / "damaged.xml").write_text(text)
    return load(folder / "damaged.xml")


def test_the_same_weight_file_gives_the_same_bytes(tmp_path, case_named):
    model = load(case_named("trans_g").weights)
    for name in ("a", "b"):
        to_npz(model, tmp_path / f"{name}.npz")
        to_json(model, tmp_path / f"{name}.json.gz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    assert (tmp_path / "a.json.gz").read_bytes() == (tmp_path / "b.json.gz").read_bytes()
    assert gzip.decompress((tmp_path / "a.json.gz").read_bytes()).decode() == json_text(model)
    assert from_json(tmp_path / "a.json.gz").to_xml() == model.to_xml()


def damaged_json(change):
    def make(path, model):
        content = json.loads(json_text(model))
        change(content)
        path.write_text(json.dumps(content))

    return make


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        (lambda path, _: path.write_text("{"), "not JSON"),
        (lambda path, _: path.write_text("[]"), "not a weight file written by pytmva_bnn"),
        (lambda path, _: path.write_bytes(b"\x1f\x8b\x08\x00"), "cannot be read to its end"),
        (damaged_json(lambda c: c.update(version=7)), "version 7 of the format is not supported"),
        (damaged_json(lambda c: c["method"].pop("matrices")), "damaged: .*matrices"),
        (damaged_json(lambda c: c["method"].update(matrices=[])), "damaged|matrix"),
        (damaged_json(lambda c: c["file"].update({"class": "os.system"})), "unknown class 'os.system'"),
        (damaged_json(lambda c: c["method"].update({"class": "os.system"})), "unknown class 'os.system'"),
        (damaged_json(lambda c: c["method"]["matrices"][0].update(shape=[1, 1])), "damaged: cannot reshape"),
        (damaged_json(lambda c: c["method"]["matrices"][0].update(array="O")), "an array of type 'O'"),
        (damaged_json(lambda c: c.update(file=[])), "the content is not a weight file"),
        (damaged_json(lambda c: c.update(method=[])), "the content is not a weight file"),
        (damaged_json(lambda c: c["file"].update(variables=3)), "damaged"),
    ],
)
def test_damaged_json_is_a_weight_file_error_that_names_the_file(damage, problem, tmp_path, case_named):
    path = tmp_path / "w.json"
    damage(path, load(case_named("bfgs_n").weights))
    with pytest.raises(WeightFileError, match=f"w.json.*({problem})"):
        from_json(path)


def test_a_damaged_network_of_an_old_text_file_is_refused(tmp_path):
    model = load("xml_fixtures/odd/text39_none.weights.txt")
    damaged_json(lambda c: c["method"]["matrices"].pop(1))(tmp_path / "w.json", model)
    with pytest.raises(WeightFileError, match=r"w\.json: damaged: weight matrix 1"):
        from_json(tmp_path / "w.json")


def test_damaged_archives_are_weight_file_errors(tmp_path, case_named):
    path = tmp_path / "w.npz"
    path.write_bytes(b"not a numpy archive")
    with pytest.raises(WeightFileError, match="not a weight file in numpy's format"):
        from_npz(path)
    np.savez(path, x=np.zeros(2))
    with pytest.raises(WeightFileError, match="not a weight file in numpy's format"):
        from_npz(path)
    to_npz(load(case_named("bfgs_n").weights), path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(WeightFileError, match=r"w\.npz"):
        from_npz(path)


def test_nothing_in_an_archive_is_executed(tmp_path):
    np.savez(tmp_path / "w.npz", description=np.array([print], dtype=object))
    with pytest.raises(WeightFileError, match="not a weight file in numpy's format"):
        from_npz(tmp_path / "w.npz")


@pytest.mark.parametrize("read_it", [from_json, from_npz])
def test_a_missing_file_says_so(read_it, tmp_path):
    with pytest.raises(WeightFileNotFoundError, match="unable to open the file"):
        read_it(tmp_path / "nowhere")


@pytest.mark.parametrize("ending", ["npz", "json", "json.gz"])
def test_whatever_the_damage_is_it_is_told(damaged, ending, tmp_path, case_named):
    path = tmp_path / f"model.{ending}"
    writer_of(path)(TMVA.load(case_named("bfgs_n").weights), path)
    whole = path.read_bytes()
    refused = 0
    for seed in range(150):
        path.write_bytes(damaged(whole, seed))
        try:
            load_any(path)
        except TMVA.WeightFileError as error:
            refused += 1
            assert path.name in str(error)  # noqa: PT017 - a change of a digit is no damage
    assert refused > 100


@pytest.mark.parametrize("name", ["bdt_prune_cc", "foam_sep", "knn_int", "svm_poly", "bdt_reg_abs"])
def test_arrays_that_do_not_fit_together_are_told(name, tmp_path, method_case):
    path = tmp_path / "model.npz"
    to_npz(load(method_case(name).weights), path)
    whole = dict(np.load(path))
    arrays = [key for key, values in whole.items() if key.startswith("method") and values.size]
    changes = (
        lambda values: values[..., np.newaxis],
        lambda values: values.ravel()[:-1],
        lambda values: values.astype("U9"),
        lambda values: values.astype(np.int32 if values.dtype.kind == "f" else np.float64),
    )
    for number, key in enumerate(arrays[:12]):
        np.savez(path, **whole | {key: changes[number % 4](whole[key])})
        with pytest.raises(WeightFileError, match=r"model\.npz"):
            from_npz(path)
