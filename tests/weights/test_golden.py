"""The real TMVA's files are read completely and written back byte by byte."""

from __future__ import annotations

import gzip
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

from pytmva_bnn.events.variables import VariableRecord, internal_name
from pytmva_bnn.model import load, load_string
from pytmva_bnn.transform import Decorrelation, Gaussianisation, Normalisation, PrincipalComponents
from pytmva_bnn.weights import read

FIXTURES = Path(__file__).parents[2] / "xml_fixtures"
CASES = sorted((FIXTURES / "cases").glob("*/weights.xml"))
ODD = sorted((FIXTURES / "odd").glob("*.weights.xml"))
NAMES = {
    "Normalize": Normalisation,
    "Decorrelation": Decorrelation,
    "PCA": PrincipalComponents,
    "Gauss": Gaussianisation,
}


def case_id(path: Path) -> str:
    return path.parent.name if path.name == "weights.xml" else path.name.removesuffix(".weights.xml")


every_case = pytest.mark.parametrize("path", CASES, ids=case_id)
every_file = pytest.mark.parametrize("path", [*CASES, *ODD], ids=case_id)


def numbers(element: ET.Element) -> list[float]:
    return [float(word) for word in (element.text or "").split()]


def test_all_cases_are_there():
    assert len(CASES) == 36


@every_file
def test_to_xml_gives_the_same_text(path):
    assert load(path).to_xml().encode() == path.read_bytes()


@every_file
def test_save_gives_the_same_bytes(path, tmp_path):
    model = load(path)
    model.save(tmp_path / "again.xml")
    assert (tmp_path / "again.xml").read_bytes() == path.read_bytes()
    model.save(tmp_path / "again.xml.gz")
    assert gzip.decompress((tmp_path / "again.xml.gz").read_bytes()) == path.read_bytes()
    assert load(tmp_path / "again.xml.gz").to_xml().encode() == path.read_bytes()


@every_case
def test_load_string_reads_the_same(path):
    assert load_string(path.read_text()).to_xml() == load_string(path.read_bytes()).to_xml() == path.read_text()


@every_case
def test_saved_model_predicts_the_same(path, tmp_path):
    model = load(path)
    model.save(tmp_path / "saved.xml")
    with np.load(path.with_name("expected.npz")) as expected:
        x = expected["inputs"][:20]
    again = load(tmp_path / "saved.xml")
    np.testing.assert_array_equal(again.predict(x), model.predict(x))


@every_case
def test_general_info_options_and_classes(path):
    root, file = ET.parse(path).getroot(), read(path)  # noqa: S314
    assert root.get("Method") == f"MLP::{file.title}"
    assert dict(file.general_info) == {item.get("name"): item.get("value") for item in root.iter("Info")}
    assert file.analysis_type == file.general_info["AnalysisType"]
    assert (file.tmva_version, file.root_version) == (262657, 403456)
    assert [(o.name, o.value, o.modified) for o in file.options] == [
        (o.get("name"), o.text or "", o.get("modified") == "Yes") for o in root.iter("Option")
    ]
    assert list(file.classes) == [item.get("Name") for item in root.findall("Classes/Class")]


@every_case
def test_variables_spectators_and_targets(path):
    root, file = ET.parse(path).getroot(), read(path)  # noqa: S314
    for records, group, name in (
        (file.variables, "Variables", "Variable"),
        (file.spectators, "Spectators", "Spectator"),
        (file.targets, "Targets", "Target"),
    ):
        found = root.findall(f"{group}/{name}")
        assert [(r.expression, r.label, r.title, r.unit, r.internal, r.type) for r in records] == [
            tuple(item.get(key) for key in ("Expression", "Label", "Title", "Unit", "Internal", "Type"))
            for item in found
        ]
        assert [(r.minimum, r.maximum) for r in records] == [
            (float(item.get("Min")), float(item.get("Max"))) for item in found
        ]


@every_case
def test_weights_and_inverse_hessian(path):
    root, fitted = ET.parse(path).getroot(), load(path).fitted  # noqa: S314
    written = [numbers(neuron) for neuron in root.iter("Neuron")]
    assert np.concatenate([m.ravel() for m in fitted.matrices]).tolist() == [w for row in written for w in row]
    layers = root.findall("Weights/Layout/Layer")
    assert [m.shape[0] for m in fitted.matrices] == [int(layer.get("NNeurons")) for layer in layers[:-1]]
    n_weights = sum(m.size for m in fitted.matrices)
    rows = [numbers(row) for row in root.iter("Row")]
    if not rows:
        assert fitted.inverse_hessian is None
    else:
        assert fitted.inverse_hessian.tolist() == rows
        assert fitted.inverse_hessian.shape == (n_weights, n_weights)


@every_case
def test_transformations_and_pdfs(path):
    root, file = ET.parse(path).getroot(), read(path)  # noqa: S314
    elements = root.findall("Transformations/Transform")
    assert [type(step) for step in file.transformations] == [NAMES[item.get("Name")] for item in elements]
    for step, element in zip(file.transformations, elements, strict=True):
        assert [(q.kind, q.label, q.expression) for q in step.selection.inputs] == [
            (item.get("Type"), item.get("Label"), item.get("Expression"))
            for item in element.findall("Selection/Input/Input")
        ]
        if isinstance(step, Normalisation):
            ranges = [
                [(float(r.get("Min")), float(r.get("Max"))) for r in c.iter("Range")] for c in element.iter("Class")
            ]
            assert np.stack([step.minima, step.maxima], axis=-1).tolist() == [[list(r) for r in row] for row in ranges]
        elif isinstance(step, Decorrelation):
            assert [m.ravel().tolist() for m in step.matrices] == [numbers(m) for m in element.iter("Matrix")]
        elif isinstance(step, PrincipalComponents):
            assert [m.tolist() for m in step.means] == [numbers(m) for m in element.iter("Statistics")]
            assert [m.ravel().tolist() for m in step.eigenvectors] == [numbers(m) for m in element.iter("Eigenvectors")]
        else:
            assert step.flat == (element.get("FlatOrGauss") == "Flat")
            read_edges = [record.histogram.axis.edges.tolist() for sets in step.cumulatives for record in sets]
            assert read_edges == [numbers(h) for h in element.iter("HistogramBinning")]
    assert [record.histogram.values.tolist() for record in file.mva_pdfs] == [
        numbers(h) for h in root.findall("MVAPdfs/PDF/Histogram")
    ]


@every_case
def test_internal_name_is_the_one_tmva_wrote(path):
    file = read(path)
    for record in (*file.variables, *file.spectators, *file.targets):
        assert internal_name(record.label) == record.internal


@every_case
def test_define_reproduces_the_records(path):
    for record in read(path).variables:
        definition = (
            record.expression if record.label == record.expression else f"{record.label} := {record.expression}"
        )
        title = "" if record.title == record.label else record.title
        made = VariableRecord.define(definition, title, record.unit, record.type, record.minimum, record.maximum)
        assert made == record


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("a", "a"),
        ("TMath::Abs(x)", "TMath_Abs_x_"),
        ("a*b/c+d-e", "a_T_b_D_c_P_d_M_e"),
        ("v[3]", "v_3_"),
        ("$&!%^()'<>?=| ", "_" * 14),
        ("a:b", "a:b"),
        ("é", "é"),
    ],
)
def test_internal_name(label, expected):
    assert internal_name(label) == expected


@pytest.mark.parametrize(
    ("definition", "expression", "label", "title"),
    [
        ("a", "a", "a", "a"),
        (" a + b ", "a+b", "a+b", "a+b"),
        ("s := a + b", "a+b", "s", "s"),
        ("my sum:=a+b", "a+b", "mysum", "mysum"),
    ],
)
def test_define(definition, expression, label, title):
    record = VariableRecord.define(definition, unit="GeV")
    assert (record.expression, record.label, record.title, record.unit) == (expression, label, title, "GeV")
    assert record.internal == internal_name(label)
    assert (record.type, record.minimum, record.maximum) == ("F", 0.0, 0.0)
    assert VariableRecord.define(definition, "a title").title == "a title"
