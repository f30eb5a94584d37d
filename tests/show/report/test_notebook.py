"""Tables for notebooks: short, escaped, well formed."""

import lxml.html
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.show.report.html import anchor, picture, table, text, titled
from pytmva_bnn.show.report.tables import variable_table


@pytest.mark.parametrize("name", ["fakerate_bnn", "reg_two_targets", "multi_n", "trans_chain"])
def test_a_model_as_a_table(name, case_named):
    model = TMVA.load(case_named(name).weights)
    words = lxml.html.fromstring(model._repr_html_()).text_content()
    assert "-".join(map(str, model.network.layer_sizes)) in words
    assert model.analysis_type in words
    assert all(variable.label in words for variable in model.variables)


def test_results_as_tables(factory):
    result = factory.methods[0].evaluate()
    words = lxml.html.fromstring(result._repr_html_()).text_content()
    assert f"{result.roc_integral:.3f}" in words


def test_a_reader_as_a_table(case_named):
    reader = TMVA.Reader("!Silent")
    assert "0 methods" in lxml.html.fromstring(reader._repr_html_()).text_content()
    reader.AddVariable("pt")
    reader.AddVariable("ht")
    reader.BookMVA("a <tag>", case_named("fakerate_bnn").weights)
    shown = reader._repr_html_()
    assert "a &lt;tag&gt;" in shown
    assert "1 method" in lxml.html.fromstring(shown).text_content()


def test_titles_are_escaped(factory):
    assert "<script" not in factory.methods[0].model._repr_html_()


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("<a href='x'>", "&lt;a href=&#x27;x&#x27;&gt;"),
        ("\x00\x1b[31m", "\ufffd\ufffd[31m"),
        (None, "–"),
        (1e-9, "1e-09"),
    ],
)
def test_text_is_escaped_and_numbers_are_short(value, shown):
    assert text(value) == shown


def test_every_piece_escapes():
    assert "<b>" not in table(["<b>"], [["<b>", 1]], "<b>")
    assert "<b>" not in picture(b"x", "<b>", 1)
    assert anchor("<b>é</b>") == "b-b"
    assert anchor("漢") == "part"


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("p_{T}", "p<sub>T</sub>"),
        ("#eta of #mu", "η of μ"),
        ("m_{#mu^{+}#mu^{-}}", "m<sub>μ<sup>+</sup>μ<sup>-</sup></sub>"),
        ("#Lambda #rightarrow p#pi", "Λ → pπ"),
        ("<b>_{<i>}", "&lt;b&gt;<sub>&lt;i&gt;</sub>"),
        ("a_{b", "a_{b"),
        ("my_var & x_1 #1", "my_var &amp; x_1 #1"),
    ],
)
def test_titles_of_root_can_be_read(given, shown):
    assert titled(given) == shown


def test_tables_have_readable_titles():
    assert "<td>p<sub>T</sub></td>" in variable_table("Variable", [VariableRecord.define("pt", "p_{T}", "GeV")])
    assert "<figcaption>along p<sub>T</sub><" in picture(b"x", "along p_{T}", 1)
