"""Weight files of KNN: damage, old forms, text files."""

import gzip
import re

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import WeightFileError

FIRST = "1.2977664172649384e-01 8.2646721601486206e-01"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('NEvents="1000"', 'NEvents="1001"', "<Weights>: NEvents=1001, but 1000 elements <Event> are present"),
        ('NVar="4" NTgt', 'NVar="3" NTgt', "<Weights>: NVar=3, but the file has 4 variables"),
        ('NTgt="0"', 'NTgt="1"', "line 45, element <Event>: an event has 4 numbers, not 5"),
        ('NTgt="0"', 'NTgt="-1"', "NTgt=-1 is negative"),
        (' NTgt="0"', "", "the attribute 'NTgt' is missing"),
        (FIRST, "8.2646721601486206e-01", "line 45, element <Event>: an event has 3 numbers, not 4"),
        (FIRST, "1.0 x1", "line 45, element <Event>: 'x1' is not a number"),
        (FIRST, "1.0 nan", "line 45, element <Event>: 'nan' is not a number"),
        (FIRST, "1.0 1e39", "line 45, element <Event>: one of the numbers is too large for a 32-bit float"),
        (FIRST, "1.0 1e399", "line 45, element <Event>: one of the numbers is too large"),
        (FIRST, "1.0 --2", "line 45, element <Event>: '--2' is not a number"),
        ('Type="1"', 'Type="3"', "line 45, element <Event>: Type='3' is not one of 1, 2"),
        ('Type="1" ', "", "line 45, element <Event>: the attribute 'Type' is missing"),
        ('Weight="1.0000000000000000e+00"', 'Weight="one"', "line 45, element <Event>: 'one' is not a number"),
        ('Weight="1.0000000000000000e+00"', 'Weight=""', "line 45, element <Event>: '' is not a number"),
        ('nkNN" modified="Yes">20', 'nkNN" modified="Yes">999', "needs 1001 training events of positive weight"),
        ('BalanceDepth" modified="No">6', 'BalanceDepth" modified="No">12', r"BalanceDepth=12 needs 2\^12 numbers"),
        ("</Weights>\n</MethodSetup>", "", "not well-formed XML"),
    ],
)
def test_damaged_files(edited, old, new, message):
    with pytest.raises(WeightFileError, match=message):
        TMVA.load_string(edited("knn", (old, new)))


def test_no_events(edited):
    text = re.sub("<Event .*</Event>\n", "", edited("knn", ('NEvents="1000"', 'NEvents="0"')))
    with pytest.raises(WeightFileError, match="<Event>: there are no training events"):
        TMVA.load_string(text)


def test_regression_needs_the_targets_that_the_file_names(edited):
    text = edited("knn_reg", ('NTgt="2"', 'NTgt="1"'))
    text = re.sub(r" \S+</Event>", "</Event>", text)
    with pytest.raises(WeightFileError, match="<Weights>: the events have 1 targets, the file names 2"):
        TMVA.load_string(text)


def test_compressed_and_crlf(method_case, tmp_path):
    record = method_case("knn_int")
    text = record.weights_text.replace("\n", "\r\n")
    assert TMVA.load_string(text).to_xml() == text
    TMVA.load(record.weights).save(tmp_path / "knn.xml.gz")
    assert gzip.decompress((tmp_path / "knn.xml.gz").read_bytes()).decode() == record.weights_text


def test_the_old_name_of_an_option_is_known_in_files(edited):
    text = edited("knn", ('<Option name="BalanceDepth" modified="No">6', '<Option name="TreeOptDepth" modified="No">3'))
    assert TMVA.load_string(text, strict=True).fitted.settings.balance_depth == 6


TEXT = """Method         : KNN::KNN
TMVA Release    : 3.9.5         [198917]
ROOT Release    : 5.22/00       [333312]
#OPT -*-*-*-*-*-*-*-*-*-*-*-*- options -*-*-*-*-*-*-*-*-*-*-*-*-
# Set by User:
nkNN: "3" [Number of k-nearest neighbors]
ScaleFrac: "0.000000e+00" [Fraction of events used to compute variable width]
# Default:
UseKernel: "False" [Use kernel functions]
##
#VAR -*-*-*-*-*-*-*-*-*-*-*-* variables *-*-*-*-*-*-*-*-*-*-*-*-
NVar 2
x   x   'F' [0,10]
y   y   'F' [0,10]
#WGT -*-*-*-*-*-*-*-*-*-*-*-*- weights -*-*-*-*-*-*-*-*-*-*-*-*-
# event, type, weight, variables
EVENTS
"""


def text_file(rows):
    lines = [f"{number},{kind},{w},{x},{y}" for number, (kind, w, x, y) in enumerate(rows)]
    return TEXT.replace("EVENTS", "\n".join(lines))


ROWS = [(1 + number % 2, 0.5 + number % 3, number % 8, number // 8) for number in range(64)]


def test_text_files(tmp_path):
    model = TMVA.load_string(text_file(ROWS))
    fitted = model.fitted
    np.testing.assert_array_equal(fitted.types, [row[0] for row in ROWS])
    np.testing.assert_array_equal(fitted.weights, [row[1] for row in ROWS])
    np.testing.assert_array_equal(fitted.variables, [row[2:] for row in ROWS])
    # the neighbours of (2.1, 3.2) are (2, 3), (2, 4) and (3, 3)
    chosen = [ROWS[8 * y + x] for x, y in ((2, 3), (2, 4), (3, 3))]
    expected = sum(w for kind, w, *_ in chosen if kind == 1) / sum(w for _, w, *_ in chosen)
    assert model.predict(np.float32([[2.1, 3.2]]))[0] == expected
    model.save(tmp_path / "knn.xml")
    again = TMVA.load(tmp_path / "knn.xml")
    np.testing.assert_array_equal(again.fitted.variables, fitted.variables)
    assert again.predict(np.float32([[2.1, 3.2]]))[0] == expected


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("1,2,1.5,1,0", "1,2,1.5,1", "line 18, element <#WGT>: an event has 1 variables, the method 2"),
        ("1,2,1.5,1,0", "1,2,1.5,1,z", "line 18, element <#WGT>: 'z' is not a number"),
        ("1,2,1.5,1,0", "1,7,1.5,1,0", "line 18, element <#WGT>: type='7' is not one of 1, 2"),
    ],
)
def test_damaged_text_files(old, new, message):
    text = text_file(ROWS)
    assert old in text
    with pytest.raises(WeightFileError, match=message):
        TMVA.load_string(text.replace(old, new))
