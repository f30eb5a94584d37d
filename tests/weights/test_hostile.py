"""Files made to do harm: entities, external documents, bombs, patterns that take forever to match."""

from __future__ import annotations

import gzip
import socket

import pytest

from pytmva_bnn.errors import WeightFileError
from pytmva_bnn.model import load_string
from pytmva_bnn.weights import read, read_string

pytestmark = pytest.mark.usefixtures("never_hangs")
LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">\n' for n in range(1, 10))


@pytest.fixture
def text(cases):
    return (cases / "bfgs_n" / "weights.xml").read_text()


@pytest.fixture
def address():
    """Give the address of a server, and fail if anybody knocks."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        yield f"http://127.0.0.1:{server.getsockname()[1]}/x.dtd"
        with pytest.raises(BlockingIOError):
            server.accept()


@pytest.mark.parametrize(
    "doctype",
    [
        '<!DOCTYPE MethodSetup [<!ENTITY a "b">]>',
        f'<!DOCTYPE MethodSetup [\n<!ENTITY l0 "ha">\n{LAUGHS}]>',
        '<!DOCTYPE MethodSetup [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE MethodSetup [<!ENTITY % a SYSTEM "http://localhost:9/x.dtd"> %a;]>',
    ],
)
def test_entity_declarations_are_refused(text, doctype):
    with pytest.raises(WeightFileError, match="entity declarations are not allowed") as caught:
        read_string(text.replace("<MethodSetup", f"{doctype}\n<MethodSetup").replace('Title="var1"', 'Title="&l9;"'))
    assert caught.value.line == (3 if "\n" in doctype else 2)


def test_entity_declaration_behind_a_long_comment_is_found(text):
    for length in range((1 << 20) - 60, (1 << 20) - 30):
        doctype = f'<!--{"x" * length}--><!DOCTYPE M [<!ENTITY a "b">]>'
        with pytest.raises(WeightFileError, match="entity declarations"):
            read_string(text.replace("<MethodSetup", f"{doctype}<MethodSetup"))


def test_undefined_entity_is_refused(text):
    with pytest.raises(WeightFileError, match="not well-formed"):
        read_string(text.replace('Title="var1"', 'Title="&who;"'))


@pytest.mark.parametrize("where", ['SYSTEM "{}"', 'PUBLIC "x" "{}"'])
def test_external_documents_are_not_fetched(text, where, address):
    doctype = f"<!DOCTYPE MethodSetup {where.format(address)}>\n"
    assert load_string(text.replace("<MethodSetup", doctype + "<MethodSetup")).to_xml() == text


def test_inclusions_are_not_followed(text, caplog):
    more = '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="/etc/passwd" parse="text"/>'
    model = load_string(text.replace("  <MVAPdfs/>", more + "  <MVAPdfs/>"))
    assert "root:" not in model.to_xml()


def test_deep_nesting_is_refused(text):
    with pytest.raises(WeightFileError):
        read_string(text.replace("  <MVAPdfs/>", "<a>" * 100_000 + "</a>" * 100_000 + "  <MVAPdfs/>"))


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("<Option name='a'>" * 50_000, id="options without end"),
        pytest.param("<Option " * 100_000, id="tags without end"),
        pytest.param("<Option>" + "<" * 500_000 + "</Option>", id="stray brackets"),
    ],
)
def test_option_lines_are_matched_in_bearable_time(text, line):
    with pytest.raises(WeightFileError):
        read_string(text.replace("  </Options>", f"{line}\n  </Options>").replace("</MethodSetup>", ""))


@pytest.mark.parametrize(
    "word", ["1" * 200_000 + "x", "1" * 200_000, " " * 200_000 + "x", "1e" + "9" * 200_000, "nan(" * 50_000]
)
def test_long_numbers_are_matched_in_bearable_time(text, word):
    minimum = text.partition('" Min="')[2].partition('"')[0]
    with pytest.raises(WeightFileError):
        read_string(
            text.replace(f'<Range Index="0" Min="{minimum}', f'<Range Index="0" Min="{word}').replace(
                'NVar="4"', f'NVar="{word}"'
            )
        )


def test_long_version_numbers_do_no_harm(text):
    assert read_string(text.replace("[262657]", f"[{'9' * 10_000}]")).tmva_version == 0


@pytest.mark.parametrize("announced", ["999999999999", "-1", "2147483648"])
@pytest.mark.parametrize("count", ["NVar", "NClass", "NLayers", "NNeurons", "NSynapses", "NInputs", "NTransformations"])
def test_counts_are_not_believed(text, count, announced):
    start = text.index(f' {count}="') + len(count) + 3
    edited = text[:start] + announced + text[text.index('"', start) :]
    if count == "NTransformations" and announced != "-1":
        assert read_string(edited).n_transformations == int(announced)
        return
    with pytest.raises(WeightFileError):
        load_string(edited)


def test_compressed_bomb_of_blanks_is_refused(text, tmp_path):
    """120 MB of blanks behind a beginning that looks like XML, or like text."""
    for name, beginning in (("x.xml.gz", b"<MethodSetup "), ("t.txt.gz", b"Method : MLP::M\n")):
        with gzip.open(tmp_path / name, "wb", compresslevel=1) as stream:
            stream.write(beginning)
            for _ in range(120):
                stream.write(b" " * 1_000_000)
        with pytest.raises(WeightFileError):
            read(tmp_path / name)


def test_hidden_layers_of_a_text_file_are_not_believed(odd):
    text = (odd / "text39_none.weights.txt").read_text()
    with pytest.raises(WeightFileError, match="weights, but the file has 11"):
        load_string(text.replace('"N,1"', '"2000000000,2000000000"'))
