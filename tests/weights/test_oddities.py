"""Files that are odd in form but whole in content: what editors, people and failed trainings leave behind."""

from __future__ import annotations

import gzip
import logging
import re
import warnings
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest

from pytmva_bnn.errors import WeightFileError, WeightFileWarning
from pytmva_bnn.model import load, load_string
from pytmva_bnn.weights import Dialect, read, read_string

X = [[0.1, -0.2, 0.3, 0.4]]


@pytest.fixture
def text(cases):
    return (cases / "bfgs_n" / "weights.xml").read_text()


def same_bytes(data: bytes, tmp_path) -> bool:
    (tmp_path / "in.xml").write_bytes(data)
    load(tmp_path / "in.xml").save(tmp_path / "out.xml")
    return (tmp_path / "out.xml").read_bytes() == data


def test_windows_line_ends_are_kept(text, odd, tmp_path):
    for one in (text, (odd / "unknown_elements.weights.xml").read_text()):
        assert same_bytes(one.replace("\n", "\r\n").encode(), tmp_path)


def test_compressed_file_is_known_by_its_content_not_its_name(text, tmp_path):
    (tmp_path / "weights.xml").write_bytes(gzip.compress(text.encode()))
    assert load(tmp_path / "weights.xml").to_xml() == text


def test_compressed_files_of_the_same_content_are_the_same(text, tmp_path):
    for name in ("a.xml.gz", "b.xml.gz"):
        load_string(text).save(tmp_path / name)
    assert (tmp_path / "a.xml.gz").read_bytes() == (tmp_path / "b.xml.gz").read_bytes()


def test_latin_1_bytes_pass_through(text, tmp_path):
    data = text.replace('Title="var1"', 'Title="p\xe9n\xe9tration"').encode("latin-1")
    assert read_string(data).variables[0].title == "p\xe9n\xe9tration"
    assert same_bytes(data, tmp_path)


def test_utf_8_passes_through(text, tmp_path):
    data = text.replace('Title="var1"', 'Title="Δφ(μ, τ) – 日本"').encode()
    assert read_string(data).variables[0].title == "Δφ(μ, τ) – 日本"
    assert same_bytes(data, tmp_path)


def test_character_that_the_encoding_lacks_is_a_clear_error(text, tmp_path, changed):
    data = text.replace('Title="var1"', 'Title="\xe9"').encode("latin-1")
    model = load_string(data.replace(b"MLP::MLP", b"MLP::M"))
    (tmp_path / "old.xml").write_text("as it was")
    with pytest.raises(WeightFileError, match=r"old\.xml: .*Δ.* latin-1 lacks"):
        changed(model, file={"title": "Δ"}).save(tmp_path / "old.xml")
    assert (tmp_path / "old.xml").read_text() == "as it was"
    changed(model, file={"title": "Δ", "dialect": Dialect()}).save(tmp_path / "old.xml")
    assert read(tmp_path / "old.xml").title == "Δ"


def test_bytes_that_python_holds_as_surrogates_are_written(text, tmp_path, changed):
    """The name of a folder may be in any encoding."""
    folder = b"/home/\xff".decode("utf-8", "surrogateescape")
    model = load_string(text)
    changed(model, file={"info": (*model.file.info, ("Dir", folder))}).save(tmp_path / "w.xml")
    assert b"/home/\xff" in (tmp_path / "w.xml").read_bytes()
    assert read(tmp_path / "w.xml").general_info["Dir"] == "/home/\xff"


def test_control_characters_become_blanks_so_that_the_file_can_be_read(text, changed):
    model = load_string(text)
    file = model.file
    record = replace(file.variables[0], title="a\tb\nc\x01d")
    again = read_string(changed(model, file={"variables": (record, *file.variables[1:])}).to_xml())
    assert again.variables[0].title == "a b c d"
    option = replace(file.options[0], value="1\x0b2")
    again = read_string(changed(model, file={"options": (option, *file.options[1:])}).to_xml())
    assert again.options[0].value == "1 2"


def test_further_inverse_hessians_say_of_which_output_they_are(cases, changed):
    model = load(cases / "reg_two_targets" / "weights.xml")
    n = sum(matrix.size for matrix in model.matrices)
    text = changed(model, fitted={"inverse_hessians": (np.eye(n), 2 * np.eye(n))}).to_xml()
    assert re.findall(r"<(\w*InverseHessian)(.*) NElements", text) == [
        ("InverseHessian", ""),
        ("OutputInverseHessian", ' Output="1"'),
    ]
    np.testing.assert_array_equal(load_string(text).inverse_hessians, [np.eye(n), 2 * np.eye(n)])


@pytest.mark.parametrize(
    "value", ["a&b", "a<b", "x<y&&y>z", "&", "<", "a&ampb", "&#65;", "a]]>b", "N,N-1 ", '"quoted"', "it's"]
)
def test_option_texts_are_not_escaped(text, value, tmp_path):
    data = text.replace(">N+5</Option>", f">{value}</Option>").encode()
    file = read_string(data)
    assert {o.name: o.value for o in file.options}["HiddenLayers"] == value
    assert same_bytes(data, tmp_path)


def test_entities_in_option_texts_are_decoded(text):
    file = read_string(text.replace(">N+5</Option>", ">a&lt;b&amp;&quot;&apos;&gt;</Option>"))
    assert {o.name: o.value for o in file.options}["HiddenLayers"] == "a<b&\"'>"


def test_empty_option_and_blanks_in_front(text):
    model = load_string(text.replace(">N+5</Option>", "></Option>").replace(">tanh<", ">  tanh<"))
    options = {o.name: o.value for o in model.file.options}
    assert options["HiddenLayers"] == ""
    assert options["NeuronType"] == "tanh"
    assert '<Option name="HiddenLayers" modified="Yes"/>' in model.to_xml()


def test_blank_behind_a_flag_is_refused_as_in_tmva(text):
    with pytest.raises(WeightFileError, match="can not be interpreted as boolean"):
        load_string(text.replace('name="V" modified="Yes">False<', 'name="V" modified="Yes">False <'))


def test_single_quotes_mean_the_same(text):
    assert load_string(re.sub(r'(\w+)="([^"]*)"', r"\1='\2'", text)).to_xml() == text


@pytest.mark.parametrize(
    ("place", "more"),
    [
        ("  <Options>", "  <!-- by hand: a <b> & 'c' -->\n"),
        ("  <Options>", "  <?editor was='here'?>\n"),
        ("    <Variable VarIndex", "    <!-- the first --><?pi?>\n"),
        ("        <Neuron", "<!-- a neuron -->"),
        ("<MethodSetup", "<!DOCTYPE MethodSetup>\n"),
        ("<MethodSetup", '<!DOCTYPE MethodSetup SYSTEM "weights.dtd">\n'),
        ("<MethodSetup", "<!DOCTYPE MethodSetup [\n  <!ELEMENT MethodSetup ANY>\n]>\n"),
        ("<MethodSetup", "\n\n<!-- first -->\n"),
        ("<?xml", "\ufeff"),
        ("<?xml", "\n   "),
    ],
)
def test_comments_instructions_and_simple_doctypes_are_passed_over(text, place, more):
    assert load_string(text.replace(place, more + place, 1)).to_xml() == text


def test_line_numbers_count_blank_lines_in_front(text):
    with pytest.raises(WeightFileError) as caught:
        read_string("\n\n" + text.replace('NVar="4"', 'NVar="5"'))
    line = text[: text.index("<Variables")].count("\n") + 1
    assert caught.value.line == line + 2


def test_encoding_declaration_is_accepted(text):
    declared = text.replace('version="1.0"', 'version="1.0" encoding="UTF-8" standalone="yes"')
    assert load_string(declared).to_xml() == text


def test_name_of_the_root_is_not_checked(text):
    assert load_string(text.replace("MethodSetup", "Whatever")).to_xml() == text


def test_surplus_attributes_are_ignored(text):
    assert load_string(text.replace("<Layout ", '<Layout Colour="red" ')).to_xml() == text


def test_unknown_elements_are_kept_and_reported(odd, caplog):
    path = odd / "unknown_elements.weights.xml"
    with caplog.at_level(logging.WARNING):
        model = load(path)
    file = model.file
    assert [u.name for u in file.unknown] == ["Remark", "Extra", "Appendix"]
    assert [u.after for u in file.unknown] == [None, "Classes", "Weights"]
    assert [r.getMessage() for r in caplog.records] == [
        "line 3: unparsed XML node: 'Remark'",
        "line 31: unparsed XML node: 'Extra'",
        "line 63: unparsed XML node: 'Appendix'",
    ]
    assert model.to_xml() == path.read_text()


def test_unknown_element_inside_a_known_one_is_reported(text, caplog):
    with caplog.at_level(logging.WARNING):
        load_string(text.replace("<Layer Index", "<Remark/><Layer Index", 1))
    assert "element <Remark> in <Layout> is ignored" in caplog.text


def test_inverse_hessian_elsewhere_is_not_taken_for_the_real_one(cases):
    text = (cases / "bfgs_errors" / "weights.xml").read_text()
    more = '  <InverseHessian NCols="1"><Row>1.0 </Row></InverseHessian>\n'
    model = load_string(text.replace("  <MVAPdfs/>", more + "  <MVAPdfs/>"))
    np.testing.assert_array_equal(model.inverse_hessian, load_string(text).inverse_hessian)
    assert "<Row>1.0 </Row>" in model.to_xml()


@pytest.mark.parametrize("word", ["nan", "-nan", "inf", "-inf"])
def test_nan_weight_makes_itself_and_all_behind_it_zero(text, word, tmp_path):
    start = text.index("          ", text.index('<Neuron NSynapses="9">')) + 10
    numbers = text[start : text.index("\n", start)].split()
    bad = text.replace(" ".join(numbers), " ".join([*numbers[:4], word, *numbers[5:]]), 1)
    with pytest.warns(WeightFileWarning, match="1 of the 55 weights are nan or inf"):
        model = load_string(bad)
    expected = load_string(text.replace(" ".join(numbers), " ".join([*numbers[:4], *["0.0"] * 5]), 1))
    assert model.predict(X) == expected.predict(X)
    if "nan" in word:
        with pytest.warns(WeightFileWarning):
            assert same_bytes(bad.encode(), tmp_path)


def test_nan_in_matrix_and_hessian_is_zero_with_a_warning(cases):
    text = (cases / "bfgs_errors" / "weights.xml").read_text()
    start = text.index("\n", text.index('<Row Index="1">')) + 1
    row = text[start : text.index("\n", start)].split()
    bad = text.replace(" ".join(row), " ".join([*row[:2], "nan", *row[3:]]))
    with pytest.warns(WeightFileWarning, match="element <Row>: 1 of the"):
        model = load_string(bad)
    assert model.inverse_hessian[1, :2].tolist() == [float(w) for w in row[:2]]
    assert not model.inverse_hessian[1, 2:].any()
    assert model.inverse_hessian[2].any()


def with_nan(text, element, number):
    """Return the text with the second number of an element of that name made nan, and how many there are of these."""
    starts = [found.end() for found in re.finditer(rf"<{element} [^>]*>\n", text)]
    start, stop = starts[number], text.index("\n", starts[number])
    numbers = text[start:stop].split()
    return text[:start] + " ".join([numbers[0], "nan", *numbers[2:]]) + text[stop:], len(starts)


@pytest.mark.parametrize(
    ("case", "element"),
    [("trans_d", "Matrix"), ("trans_p", "Statistics"), ("trans_p", "Eigenvectors"), ("trans_g", "Histogram")],
)
@pytest.mark.parametrize("number", [0, 1, 2])
def test_nan_matters_in_parameters_of_all_classes_not_in_those_of_a_single_one(cases, caplog, case, element, number):
    caplog.set_level(logging.INFO)
    text = (cases / case / "weights.xml").read_text()
    bad, n_elements = with_nan(text, element, number)
    assert n_elements % 3 == 0  # signal, background, both
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        model = load_string(bad)
    if number == 2:
        assert [str(one.message) for one in told if "do not trust this file" in str(one.message)]
    else:
        assert not told
        assert "which has no effect: they belong to a single class" in caplog.text
        np.testing.assert_array_equal(model.predict(X), load_string(text).predict(X))


def test_nan_is_as_wide_as_c_makes_it(cases, changed):
    model = load(cases / "trans_p" / "weights.xml")
    step = model.file.transformations[0]
    means = np.array([np.nan, -np.nan, *step.means[0][2:]])
    assert np.signbit(means).tolist()[:2] == [False, True]
    steps = (replace(step, means=(means, *step.means[1:])),)
    text = changed(model, file={"transformations": steps}).to_xml()
    assert f"\n{' ' * 8}  nan  -nan {step.means[0][2]:.8e} " in text
    matrices = (np.full((1, 2), np.nan), model.matrices[1])
    assert "\n          nan nan \n" in changed(model, fitted={"matrices": matrices}).to_xml()


def test_nan_as_extremum_of_a_variable_is_kept(text):
    for word in ("nan", "-nan", "inf", "-inf"):
        edited = re.sub(r'Min="[^"]*"', f'Min="{word}"', text, count=1)
        assert load_string(edited).to_xml() == edited


def test_identity_transformations_are_counted(text):
    edited = text.replace('NTransformations="1"', 'NTransformations="3"')
    assert load_string(edited).to_xml() == edited


def test_missing_parts_that_may_be_missing(text):
    root = ET.fromstring(text)  # noqa: S314
    for name in ("GeneralInfo", "Options", "Spectators", "Classes", "Transformations", "MVAPdfs"):
        root.remove(root.find(name))
    less = ET.tostring(root)
    model = load_string(less)
    assert model.analysis_type == "Classification"
    assert model.transformations.steps == ()
    assert model.network.output == "linear"
