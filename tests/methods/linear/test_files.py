"""Weight files of all releases: old forms are read, damaged files are refused with a sentence."""

import gzip
import re

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import WeightFileError

LINE = '    <Coefficient Index="{}" Value="1.0000000000000000e+00"/>\n'

DAMAGE = [
    ("fisher", 'NCoeff="5"', 'NCoeff="6"', "NCoeff=6, but 5 elements <Coefficient> are present"),
    ("fisher", 'NCoeff="5"', 'NCoeff="five"', "NCoeff='five' is not a whole number"),
    ("fisher", 'Index="3"', 'Index="2"', "Index=2 appears twice or is too large: 0 to 4 are expected"),
    ("fisher", 'Index="3"', 'Index="7"', "Index=7 appears twice or is too large: 0 to 4 are expected"),
    ("fisher", r'Index="0" Value="[^"]*"', 'Index="0" Value="nan"', "Value='nan' is not a number"),
    ("fisher", r'Index="0" Value="[^"]*"', 'Index="0" Value="1e999"', "Value='1e999' is not a number"),
    ("fisher", r'(Index="4" Value="[^"]*"/>\n)', r"\1" + LINE.format(5), "NCoeff=5, but 6 elements"),
    (
        "fisher",
        r'NCoeff="5"((.|\n)*Index="4" Value="[^"]*"/>\n)',
        r'NCoeff="6"\1' + LINE.format(5),
        "NCoeff=6; 4 variables and the constant need 5",
    ),
    ("fisher", r'    <Coefficient Index="2"[^\n]*\n', "", "NCoeff=5, but 4 elements"),
    ("ld", 'NCoeff="5"', 'NCoeff="4"', "Mismatch in number of output variables/coefficients: 4 != 5"),
    ("ld", 'NOut="1"', 'NOut="2"', "NOut=2, but the file has targets for 1"),
    ("ld", 'IndexCoeff="2"', 'IndexCoeff="1"', "IndexOut=0, IndexCoeff=1 appears twice or is too large"),
    ("ld", 'IndexCoeff="2"', 'IndexCoeff="5"', "IndexOut=0, IndexCoeff=5 appears twice or is too large"),
    ("ld", 'IndexOut="0" IndexCoeff="2"', 'IndexOut="1" IndexCoeff="2"', "IndexOut=1, IndexCoeff=2 appears twice"),
    ("ld", r'    <Coefficient IndexOut="0" IndexCoeff="2"[^\n]*\n', "", "1 of the 5 coefficients are missing"),
    ("ld", r'IndexCoeff="2" Value="[^"]*"', 'IndexCoeff="2" Value="inf"', "Value='inf' is not a number"),
    (
        "hmatrix",
        r'<VecMeanS Rows="1" Columns="4">',
        '<VecMeanS Rows="1" Columns="3">',
        "it is 1 x 3; 4 variables need 1",
    ),
    (
        "hmatrix",
        r'<InvHMatB Rows="4" Columns="4">',
        '<InvHMatB Rows="3" Columns="4">',
        "it is 3 x 4; 4 variables need 4",
    ),
    (
        "hmatrix",
        r'<InvHMatB Rows="4" Columns="4">\n\s*\S+',
        '<InvHMatB Rows="4" Columns="4">',
        "16 matrix elements are",
    ),
    ("hmatrix", r"(<InvHMatS [^\n]*\n\s*)\S+", r"\1nan", "one of the matrix elements is nan or inf"),
    ("hmatrix", r"InvHMatS", "InvHMatT", "the element <InvHMatS> is expected here"),
    ("hmatrix", r"    <VecMeanB (.|\n)*?</VecMeanB>\n", "", "4 matrices are expected .*, not 3"),
]


@pytest.mark.parametrize(("name", "old", "new", "problem"), DAMAGE)
def test_damage_is_named(name, old, new, problem, method_case):
    before, weights = method_case(name).weights_text.split("  <Weights", 1)
    changed = re.sub(old, new, f"  <Weights{weights}")
    assert changed != f"  <Weights{weights}"
    with pytest.raises(WeightFileError, match=problem) as caught:
        TMVA.load_string(before + changed)
    assert caught.value.line is not None


def test_coefficients_may_stand_in_any_order(method_case):
    for name in ("fisher", "ld"):
        record = method_case(name)
        lines = record.weights_text.splitlines()
        first = next(number for number, line in enumerate(lines) if "<Coefficient" in line)
        lines[first : first + 5] = lines[first : first + 5][::-1]
        model = TMVA.load_string("\n".join(lines))
        np.testing.assert_array_equal(model.predict(record.expected["inputs"]), record.expected["mva"])


def test_an_ld_with_two_targets_is_read_and_evaluated(method_case):
    text = method_case("ld_reg").weights_text
    target = re.search(r"    <Target .*\n", text)[0]
    text = text.replace('NTrgt="1"', 'NTrgt="2"').replace(target, target + target.replace('Index="0"', 'Index="1"'))
    second = re.sub(r'IndexOut="0"', 'IndexOut="1"', "".join(re.findall(r"    <Coefficient .*\n", text)))
    second = re.sub(r'Value="[^"]*"', 'Value="2.0000000000000000e+00"', second)
    text = text.replace('NOut="1"', 'NOut="2"').replace("  </Weights>", second + "  </Weights>")
    model = TMVA.load_string(text)
    assert model.to_xml() == text
    found = model.predict(np.float32([[1.0, 3.0]]))
    assert found.shape == (1, 2)
    assert found[0, 1] == 2.0 + 2.0 * (1.0 + 3.0)
    alone = TMVA.load(method_case("ld_reg").weights).predict(np.float32([[1.0, 3.0]]))
    assert found[0, 0] == alone[0, 0]


def test_compressed_files_are_written(method_case, tmp_path):
    for name in ("fisher", "ld", "hmatrix"):
        record = method_case(name)
        TMVA.load(record.weights).save(tmp_path / "copy.xml.gz")
        assert gzip.decompress((tmp_path / "copy.xml.gz").read_bytes()).decode() == record.weights_text


# -- text files of TMVA <= 3.9

TEXT = """\
#GEN -*-*-*-*-*-*-*-*-*-*-*- general info -*-*-*-*-*-*-*-*-*-*-*-

Method         : {kind}::{kind}
TMVA Release   : 3.9.5         [198917]
ROOT Release   : 5.18/00       [332288]

#OPT -*-*-*-*-*-*-*-*-*-*-*-*- options -*-*-*-*-*-*-*-*-*-*-*-*-

# Set by User:
# Default:
VarTransform: "{transform}" [Variable transformation method]
VarTransformType: "Signal" [Use signal or background events to derive]
##

#VAR -*-*-*-*-*-*-*-*-*-*-*-* variables *-*-*-*-*-*-*-*-*-*-*-*-

NVar 2
a a 'F' [-1,1]
b b 'F' [-2,2]

#MAT -*-*-*-*-*-*-*-*-* transformation data -*-*-*-*-*-*-*-*-*-

{matrices}
#WGT -*-*-*-*-*-*-*-*-*-*-*-*- weights -*-*-*-*-*-*-*-*-*-*-*-*-

{weights}
"""
EVENT = np.float32([[0.5, -1.5]])


def text_file(kind, weights, transform="None", matrices=""):
    return TEXT.format(kind=kind, weights=weights, transform=transform, matrices=matrices)


@pytest.mark.parametrize(("kind", "rounded"), [("Fisher", False), ("LD", True)])
def test_text_files_with_coefficients(kind, rounded):
    model = TMVA.load_string(text_file(kind, "0.25\n1.1 -2.2"))
    y = 0.25 + 1.1 * 0.5
    y = (float(np.float32(y)) if rounded else y) + -2.2 * -1.5
    assert model.predict(EVENT)[0] == (float(np.float32(y)) if rounded else y)
    modern = TMVA.load_string(model.modernised().to_xml())
    assert modern.predict(EVENT)[0] == model.predict(EVENT)[0]
    for weights, problem in (
        ("0.25 1.1", "a coefficient is expected|ends where a coefficient"),
        ("1 2 3 4", "more than the 3"),
    ):
        with pytest.raises(WeightFileError, match=problem):
            TMVA.load_string(text_file(kind, weights))


HMATRIX = "Means 0.1 -0.1  0.2 -0.2   2 0.5 0.5 3   4 0.25 0.25 5"


def test_text_files_of_hmatrix():
    model = TMVA.load_string(text_file("HMatrix", HMATRIX))
    d, e = [0.5 - 0.1, -1.5 - 0.2], [0.5 + 0.1, -1.5 + 0.2]
    s = 2 * d[0] ** 2 + 2 * 0.5 * d[0] * d[1] + 3 * d[1] ** 2
    b = 4 * e[0] ** 2 + 2 * 0.25 * e[0] * e[1] + 5 * e[1] ** 2
    assert model.predict(EVENT)[0] == pytest.approx((b - s) / (s + b), rel=1e-14)
    with pytest.raises(WeightFileError, match="more numbers than 2 variables need"):
        TMVA.load_string(text_file("HMatrix", HMATRIX + " 7"))
    with pytest.raises(WeightFileError, match="a matrix element"):
        TMVA.load_string(text_file("HMatrix", HMATRIX[:-2]))


# -- HMatrix of old releases, which transformed all events alike


def old(text, *, classes=True):
    """The file as if ROOT 5.28 had written it."""
    text = text.replace("6.40/00 [403456]", "5.28/00 [334848]")
    return text if classes else re.sub(r"  <Classes(.|\n)*?</Classes>\n", "", text)


def response(model, x, first, second):
    """The χ² of the event transformed with two sets of the decorrelation."""
    chi = []
    for matrix, mean, inverse in zip((first, second), model.means, model.inverses, strict=True):
        d = (matrix @ x.astype(float)).astype(np.float32) - mean
        chi.append(d @ inverse @ d)
    return (chi[1] - chi[0]) / (chi[0] + chi[1])


@pytest.mark.parametrize(
    ("classes", "strict", "sets"),
    [(True, False, (-1, -1)), (False, False, (-1, -1)), (True, True, (0, 1)), (False, True, (0, 0))],
)
def test_old_hmatrices_transform_all_events_alike_unless_strict(method_case, classes, strict, sets):
    record = method_case("hmatrix_d")
    model = TMVA.load_string(old(record.weights_text, classes=classes), strict=strict)
    matrices = model.file.transformations[0].matrices
    x = record.expected["inputs"][:10]
    expected = [response(model, event, *(matrices[k] for k in sets)) for event in x]
    np.testing.assert_allclose(model.predict(x), expected, rtol=1e-10, atol=1e-10)


def test_signal_and_background_are_known_by_their_names(method_case):
    record = method_case("hmatrix_d")
    for one, two, sets in (("Background", "Signal", (1, 0)), ("cats", "dogs", (0, 1))):
        text = record.weights_text.replace('Name="Signal"', 'Name="?"').replace('"Background" Ind', f'"{two}" Ind')
        model = TMVA.load_string(text.replace('Name="?"', f'Name="{one}"'))
        matrices = model.file.transformations[0].matrices
        x = record.expected["inputs"][:10]
        expected = [response(model, event, *(matrices[k] for k in sets)) for event in x]
        np.testing.assert_allclose(model.predict(x), expected, rtol=1e-10, atol=1e-10)


def test_matrices_with_six_digits_are_written_so(method_case):
    text = method_case("hmatrix").weights_text
    short = re.sub(r"-?\d\.\d{8,}e[-+]\d\d", lambda found: f"{float(found[0]):g}", text)
    assert short != text
    assert TMVA.load_string(short).to_xml() == short
