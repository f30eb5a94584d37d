"""The companion file: what is read from it, written to it, and said if it is damaged."""

import dataclasses
import gzip
import shutil
import struct

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import WeightFileError, WeightFileNotFoundError
from pytmva_bnn.methods.foam.companion import ENDING, read_foams
from pytmva_bnn.methods.foam.companion_writer import companion_of
from pytmva_bnn.methods.foam.root_writer import RootObject, root_file
from pytmva_bnn.methods.foam.tree import FoamKind


@pytest.fixture
def copied(method_case, tmp_path):
    """Return ``copied(name)``: the weight file of a case in a folder of its own, with its companion."""

    def copy(name):
        folder = method_case(name).folder
        target = tmp_path / "job_PDEFoam.weights.xml"
        target.write_bytes(gzip.decompress((folder / "weights.xml.gz").read_bytes()))
        shutil.copyfile(folder / "weights_foams.root", tmp_path / "job_PDEFoam.weights_foams.root")
        return target, tmp_path / "job_PDEFoam.weights_foams.root"

    return copy


def test_what_is_in_tmvas_file(model_of):
    signal, background = model_of("foam_sep").fitted.foams
    assert (signal.name, signal.kind, background.name) == ("SignalFoam", FoamKind.EVENT, "BgFoam")
    assert signal.n_cells == 79
    assert signal.variable_names == ("var1", "var2", "var3", "var4")
    assert (signal.n_bins, signal.n_samples, signal.n_min, signal.max_depth) == (5, 300, 20, 0)
    np.testing.assert_array_equal(
        signal.x_max, [2.2646760940551758, 2.5736310482025146, 7.842507839202881, 3.468520164489746]
    )
    assert [foam.role for foam in model_of("foam_multi").fitted.foams] == [0, 1, 2, 3]
    assert model_of("foam_mt").fitted.foams[0].role == 1
    for name in ("foam", "foam_dt", "foam_mt"):
        foam = model_of(name).fitted.foams[0]
        np.testing.assert_array_equal(np.multiply.reduce(foam.sizes, axis=1), foam.volumes)


def test_written_foams_are_read_again(model_of, foam_case, assert_same_foams):
    foams = TMVA.load(foam_case.weights).fitted.foams
    written = companion_of(foams)
    assert written.ending == "_foams.root"
    again = read_foams(written.data, [foam.name for foam in foams], "again")
    # a decision tree is written as the discriminant that it is
    expected = [
        dataclasses.replace(foam, kind=FoamKind.DISCRIMINANT) if foam.kind is FoamKind.DECISION_TREE else foam
        for foam in foams
    ]
    # inner cells have no values in the file
    divided = [np.where(foam.is_active[:, np.newaxis], foam.elements, 0.0) for foam in expected]
    assert_same_foams(again, [dataclasses.replace(a, elements=b) for a, b in zip(expected, divided, strict=True)])


def test_objects_and_references_of_a_written_file(model_of):
    """What TMVA needs to find the cells again: ids that go on over all foams, and a TProcessID."""
    import uproot

    foams = model_of("foam_sep").fitted.foams
    data = companion_of(foams).data
    with uproot.open(__import__("io").BytesIO(data)) as file:
        assert file.classnames(cycle=False) == {
            "SignalFoam": "TMVA::PDEFoamEvent",
            "BgFoam": "TMVA::PDEFoamEvent",
            "ProcessID0": "TProcessID",
        }
        keys = {key.fName: key for key in file._keys}
        process = bytes(keys["ProcessID0"].get_uncompressed_chunk_cursor()[0].raw_data)
        assert keys["ProcessID0"].fTitle.encode() in process
        unpacked = {name: bytes(key.get_uncompressed_chunk_cursor()[0].raw_data) for name, key in keys.items()}
    head = struct.pack(">HIIHhii", 1, 80, 0x18, 0, 4, 0, 0)  # TObject with id 80, 4 dimensions, number 0, divided
    assert head in unpacked["BgFoam"]
    assert head not in unpacked["SignalFoam"]
    daughters = struct.pack(">HIIHHIIHHIIH", 1, 0, 0, 0, 1, 81, 0, 0, 1, 82, 0, 0)
    assert head + daughters in unpacked["BgFoam"]


def records(data):
    """Walk over a ROOT file from record to record; check that each stands where its key, the header or a list says."""
    root, _, begin, end, free, n_free, one, n_name, units, _, classes, n_classes = struct.unpack_from(">4s7iBiii", data)
    assert (root, begin, end, one, units) == (b"root", 100, len(data), 1, 4)

    def texts(at, n):
        found = []
        for _ in range(n):
            found.append(data[at + 1 : at + 1 + data[at]].decode())
            at += 1 + data[at]
        return found, at

    def key(at):
        size, version, n_object, _, length, cycle, place, parent = struct.unpack_from(">ihiIhhii", data, at)
        (class_name, name, _), behind = texts(at + 26, 3)
        assert (version, cycle, behind - at) == (4, 1, length)
        return size, n_object, length, place, parent, class_name, name

    at, found = begin, []
    while at < end:
        size, n_object, length, place, parent, class_name, name = key(at)
        assert (place, parent) == (at, 0 if at == begin else begin)
        found.append((at, size, class_name, name, n_object))
        at += size
    assert at == end
    # the top folder: its name and title again, then a TDirectory that knows the list of keys
    _, behind = texts(begin + key(begin)[2], 2)
    assert behind - begin == n_name
    version, _, _, n_keys, n_name_again, place, parent, keys = struct.unpack_from(">hIIiiiii", data, behind)
    assert (version, n_name_again, place, parent) == (5, n_name, begin, 0)
    assert data[behind + 30 : behind + 48] == data[45:63]  # the identifier
    *objects, (classes_at, *_), (keys_at, keys_size, *_), (free_at, free_size, *_) = found[1:]
    assert (classes, n_classes) == (classes_at, key(classes_at)[0])
    assert (keys, n_keys, free, n_free) == (keys_at, keys_size, free_at, free_size)
    assert struct.unpack_from(">hii", data, free_at + key(free_at)[2]) == (1, end, 2_000_000_000)
    # the list of keys
    at = keys_at + key(keys_at)[2]
    (n,) = struct.unpack_from(">i", data, at)
    at += 4
    listed = []
    for _ in range(n):
        length, place = key(at)[2:4]
        assert data[at : at + length] == data[place : place + length]
        listed.append(place)
        at += length
    assert sorted(listed) == [place for place, *_ in objects]
    return {name: (class_name, n_object) for _, _, class_name, name, n_object in objects}


def test_structure_of_the_file_is_that_of_root(foam_case):
    theirs = (foam_case.folder / "weights_foams.root").read_bytes()
    ours = companion_of(TMVA.load(foam_case.weights).fitted.foams).data
    expected, found = records(theirs), records(ours)
    assert set(found) == set(expected)
    assert found["ProcessID0"] == expected["ProcessID0"]


def test_equal_foams_give_equal_bytes_and_others_another_identifier(model_of):
    foams = model_of("foam").fitted.foams
    assert companion_of(foams) == companion_of(foams)
    changed = dataclasses.replace(foams[0], elements=foams[0].elements * 0.5)
    files = [companion_of(one).data for one in (foams, [changed])]
    identifiers = {
        data[data.index(b"ProcessID0$") + 11 :][:36] if b"ProcessID0$" in data else data[45:63] for data in files
    }
    assert len(identifiers) == 2


def test_compression(model_of):
    foams = model_of("foam").fitted.foams
    best, usual = (companion_of(foams, best_compression=one).data for one in (True, False))
    assert len(best) < len(usual)
    large = root_file("a.root", [RootObject("TNamed", "x", "y", bytes(range(256)) * 70_000)], level=1)
    import uproot

    with uproot.open(__import__("io").BytesIO(large)) as file:  # compressed in pieces
        unpacked = bytes(file._keys[0].get_uncompressed_chunk_cursor()[0].raw_data)
    assert unpacked == bytes(range(256)) * 70_000


def test_save_writes_both_files(model_of, method_case, tmp_path):
    case = method_case("foam_multi")
    model = TMVA.load(case.weights)
    for name, companion in (("a.weights.xml", "a.weights_foams.root"), ("b.xml.gz", "b_foams.root")):
        model.save(tmp_path / name)
        assert (tmp_path / companion).exists()
        again = TMVA.load(tmp_path / name)
        assert again.to_xml() == case.weights_text
        np.testing.assert_array_equal(again.predict(case.expected["inputs"]), case.expected["multiclass"])
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "a.weights.xml",
        "a.weights_foams.root",
        "b.xml.gz",
        "b_foams.root",
    ]


def test_neither_file_appears_if_one_cannot_be_written(model_of, tmp_path):
    model = model_of("foam")
    (tmp_path / "a_foams.root").mkdir()
    with pytest.raises(OSError, match="a_foams"):
        model.save(tmp_path / "a.xml")
    assert [path.name for path in tmp_path.iterdir()] == ["a_foams.root"]


def test_missing_companion(copied):
    weights, companion = copied("foam")
    companion.unlink()
    with pytest.raises(
        WeightFileNotFoundError, match=r'weights\.xml: Cannot open file ".*job_PDEFoam\.weights_foams\.root".*copy it'
    ):
        TMVA.load(weights)
    with pytest.raises(WeightFileNotFoundError, match="give the name of the weight file, or its companions"):
        TMVA.load_string(weights.read_text())


def test_text_with_companion(copied, method_case):
    weights, companion = copied("foam")
    model = TMVA.load_string(weights.read_text(), companions={ENDING: companion.read_bytes()})
    expected = method_case("foam").expected
    np.testing.assert_array_equal(model.predict(expected["inputs"]), expected["mva"])


def test_companion_of_another_weight_file(copied, method_case):
    weights, companion = copied("foam")
    for other, words in (
        ("foam_sep", "could not load the foam DiscrFoam: the foams in this file are: SignalFoam, BgFoam"),
        ("foam_lin", "DiscrFoam has 2 dimensions, but the weight file needs 4"),
    ):
        shutil.copyfile(method_case(other).folder / "weights_foams.root", companion)
        with pytest.raises(WeightFileError, match=rf"weights_foams\.root: {words}"):
            TMVA.load(weights)


def test_damaged_companions_are_refused(copied):
    weights, companion = copied("foam_lin")
    data = companion.read_bytes()
    for damaged in (b"", b"root", b"no ROOT file", data[:300], data[: len(data) // 2], data[:-400]):
        companion.write_bytes(damaged)
        with pytest.raises(WeightFileError, match=r"weights_foams\.root: .*copy it again"):
            TMVA.load(weights)


def test_any_changed_byte_gives_the_same_foam_or_an_error(model_of):
    """Damage inside a foam, beyond what the compression notices."""
    foams = model_of("foam_lin").fitted.foams
    from pytmva_bnn.methods.foam.companion_writer import foam_bytes

    data = foam_bytes(foams[0])
    generator = np.random.default_rng(1)
    refused = []
    for place in generator.integers(0, len(data), 300):
        changed = bytearray(data)
        changed[place] ^= 1 << int(generator.integers(8))
        file = root_file("a.root", [RootObject("TMVA::PDEFoamDiscriminant", "DiscrFoam", "", bytes(changed))], level=1)
        try:
            (foam,) = read_foams(file, ["DiscrFoam"], "a.root")
        except WeightFileError as error:
            refused.append(str(error))
        else:
            assert not foam.problem()
    assert len(refused) > 50
    assert all(message.startswith("a.root: ") for message in refused)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"first": np.array([1, -1, 1, -1, -1])}, "its cells are not a tree"),
        ({"first": np.array([3, -1, 1, -1, -1]), "second": np.array([4, -1, 2, -1, -1])}, "its cells are not a tree"),
        ({"dimension": np.array([2, 0, 1, 0, 0])}, "a dimension beyond its 2"),
        ({"fraction": np.array([1.0, 0, 0.5, 0, 0])}, "a cell is not divided between its ends"),
        ({"x_max": np.array([10.0, -1.0])}, "its range is empty"),
        ({"elements": np.full((5, 2), np.nan)}, "not all finite"),
    ],
)
def test_what_is_not_a_foam(small_foam, change, words):
    assert small_foam().problem() == ""
    bad = dataclasses.replace(small_foam(), **change)
    assert words in bad.problem()
    with pytest.raises(WeightFileError, match=words):
        read_foams(companion_of([bad]).data, ["DiscrFoam"], "a.root")


def test_old_classes_and_versions_are_refused(small_foam):
    from pytmva_bnn.methods.foam.companion_writer import foam_bytes

    data = foam_bytes(small_foam())
    old = root_file("a.root", [RootObject("TMVA::PDEFoam", "DiscrFoam", "", data)], level=1)
    with pytest.raises(
        WeightFileError, match=r"class TMVA::PDEFoam, which is not a foam or is older than TMVA 4\.1\.1"
    ):
        read_foams(old, ["DiscrFoam"], "a.root")
    other = data[:10] + struct.pack(">H", 6) + data[12:]
    file = root_file("a.root", [RootObject("TMVA::PDEFoamDiscriminant", "DiscrFoam", "", other)], level=1)
    with pytest.raises(WeightFileError, match="version 6 of the class PDEFoam is not supported, only 7"):
        read_foams(file, ["DiscrFoam"], "a.root")


def test_attributes_of_the_weight_file(copied):
    weights, _ = copied("foam")
    text = weights.read_text()
    for old, new, words in (
        ('Kernel="0"', 'Kernel="3"', r"unknown Kernel=3; known: 0 \(None\), 1 \(Gauss\), 2 \(LinNeighbors\)"),
        ('VolFrac="6.6600002348423004e-02"', 'VolFrac="0"', "VolFrac must be larger than 0"),
        (' SigBgSeparated="0"', "", "the attribute 'SigBgSeparated' is missing"),
        ("<Xmin ", "<Ymin ", "only elements <Xmin> and <Xmax>"),
    ):
        weights.write_text(text.replace(old, new, 1))
        with pytest.raises(WeightFileError, match=words):
            TMVA.load(weights)


def test_files_of_tmva_before_41(copied, method_case):
    """Two attributes less, and options that have gone; the kernel is that of the attribute."""
    weights, _ = copied("foam")
    text = weights.read_text().replace(' FillFoamWithOrigWeights="0" UseYesNoCell="0"', "")
    text = text.replace("  </Options>", '    <Option name="CutNmin" modified="No">True</Option>\n  </Options>')
    weights.write_text(text)
    model = TMVA.load(weights, strict=True)
    assert model.to_xml() == text
    expected = method_case("foam").expected
    np.testing.assert_array_equal(model.predict(expected["inputs"]), expected["mva"])
