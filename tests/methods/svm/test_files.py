"""Weight files of SVM: damaged and old ones, other formats, C++."""

import copy
import pickle
import re

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.convert import convert, load_any
from pytmva_bnn.errors import InputError, WeightFileError

FIRST = '<SupportVector Rows="1" Columns="8">\n      0.000000000000000e+00 1.000000000000000e+00 '
DAMAGE = [
    ('NSupVec="557"', 'NSupVec="556"', "NSupVec=556, but 557 elements <SupportVector> are present"),
    (' NSupVec="557"', "", "the attribute 'NSupVec' is missing"),
    ('fBparm="-2.0356864929199219e+00" ', "", "the attribute 'fBparm' is missing"),
    ('fBparm="-2.0356864929199219e+00"', 'fBparm="1e300"', "fBparm=1e.300 is too large for a 32-bit float"),
    ('fGammaList="0.25,0.5,1.0,0.3"', 'fGammaList="0.25,0.5,1.0"', "Fewer gammas than input variables"),
    ('fOrder="3"', 'fOrder="3.5"', "fOrder='3.5' is not a whole number"),
    ('Columns="8"', 'Columns="7"', "Columns=7; 4 and 4 variables are expected"),
    (FIRST, FIRST.replace(" 1.0", " 2.0"), "the flag, its second number, is 2, not 1 or -1"),
    (FIRST, FIRST.replace(" 1.0", " nan "), "but there are 9"),
    (FIRST, FIRST[:-22] + "nan ", "one of the numbers is nan"),
    (FIRST, FIRST[:-22] + "1e39 ", "too large for a 32-bit float"),
    (FIRST, FIRST[:-22] + "one ", "is not a number: 'one'"),
    ('Kernel" modified="Yes">MultiGauss', 'Kernel" modified="Yes">Other', "Other is not a recognised kernel"),
    ('Var2="1.0000000000000000e+00"', 'Var2="x"', "Var2='x' is not a number in range"),
]


@pytest.mark.parametrize(("old", "new", "message"), DAMAGE)
def test_damaged_files_are_told(edited, old, new, message):
    with pytest.raises(WeightFileError, match=message):
        TMVA.load_string(edited("svm_multigauss", (old, new)))


def test_files_without_support_vectors_are_told(method_case):
    text = re.sub(r"\s*<SupportVector.*</SupportVector>", "", method_case("svm").weights_text, flags=re.DOTALL)
    with pytest.raises(WeightFileError, match="there are no support vectors"):
        TMVA.load_string(text.replace('NSupVec="1255"', 'NSupVec="0"'))


@pytest.fixture
def old_text(method_case):
    """The file as TMVA < 4.2.1 would have written it: RBF only."""
    text = method_case("svm").weights_text
    text = text.replace(' fGammaList="" fTheta="1.0000000000000000e+00" fOrder="3"', "")
    for name in ("Kernel", "Order", "Theta", "GammaList", "Tune", "KernelList", "Loss"):
        text = re.sub(rf' *<Option name="{name}" .*\n', "", text)
    return text.replace("  </Options>", '    <Option name="NSubSets" modified="No">1</Option>\n  </Options>')


def test_old_files_have_one_kernel(old_text, method_case):
    record = method_case("svm")
    model = TMVA.load_string(old_text)
    np.testing.assert_array_equal(model.predict(record.expected["inputs"]), record.expected["mva"])
    assert model.to_xml() == old_text
    with pytest.raises(WeightFileError, match="the attribute 'fGammaList' is missing"):
        TMVA.load_string(old_text, strict=True)


def test_old_files_modernised_are_what_current_tmva_writes(old_text, method_case):
    new = TMVA.load_string(old_text).modernised().to_xml()
    expected = method_case("svm").weights_text
    assert new[new.index("<Weights") :] == expected[expected.index("<Weights") :]
    assert "NSubSets" not in new
    assert '<Option name="Kernel" modified="No">RBF</Option>' in new


TEXT = """\
#GEN -*- general info -*-

Method         : SVM::SVM
TMVA Release   : 3.9.5         [198917]
ROOT Release   : 5.18/00       [332288]

#OPT -*- options -*-

# Set by User:
Kernel: "Gauss" [Uses kernel function]
# Default:
Sigma: "2.000000e+00" [Kernel parameter: sigma]
##

#VAR -*- variables -*-

NVar 1
a a 'F' [-1,1]

#WGT -*- weights -*-

0.5
"""


def test_text_files_are_refused():
    with pytest.raises(WeightFileError, match=r"an SVM in the text format of TMVA 3\.9 cannot be read"):
        TMVA.load_string(TEXT)


@pytest.mark.parametrize("name", ["svm_prod", "svm_multigauss", "svm_reg_read"])
def test_json_npz_and_copies(name, method_case, tmp_path):
    record = method_case(name)
    model, x = TMVA.load(record.weights), record.expected["inputs"]
    expected = model.predict(x)
    for ending in ("json", "npz"):
        convert(record.weights, tmp_path / f"svm.{ending}")
        again = load_any(tmp_path / f"svm.{ending}")
        assert again.to_xml() == model.to_xml()
        np.testing.assert_array_equal(again.predict(x), expected)
        np.testing.assert_array_equal(again.corrected().predict(x), model.corrected().predict(x))
    for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):  # noqa: S301
        np.testing.assert_array_equal(again.predict(x), expected)


def test_onnx_is_refused(method_case, tmp_path):
    with pytest.raises(InputError, match="an SVM computes its kernels in float32"):
        convert(method_case("svm").weights, tmp_path / "svm.onnx")


NAMES = ("svm", "svm_poly", "svm_multigauss", "svm_sum", "svm_prod", "svm_reg_read")


@pytest.fixture(scope="session")
def compiled_responses(cpp_responses, method_case):
    records = {name: method_case(name) for name in NAMES}
    return cpp_responses({name: (TMVA.load(one.weights), one.expected["inputs"]) for name, one in records.items()})


@pytest.mark.parametrize("name", NAMES)
def test_the_cpp_class_gives_the_bits_of_tmvas_reader(name, compiled_responses, method_case):
    expected = method_case(name).expected
    np.testing.assert_array_equal(compiled_responses[name], np.ravel(expected.get("regression", expected.get("mva"))))
