from __future__ import annotations

import pytest

from pytmva_bnn.methods.mlp.option_table import MLP_METHOD_OPTIONS
from pytmva_bnn.options.unused import explain_unused

EXPLANATIONS = [
    ("UseRegulater", "UseRegulater: did you mean UseRegulator?"),
    ("UseRegulater=True", "UseRegulater: did you mean UseRegulator?"),
    ("!useregulater", "useregulater: did you mean UseRegulator?"),
    ("BFSG", "BFSG: did you mean BFGS?"),
    ("qqqq", "qqqq: there is no option of that name"),
    ("NCycles", "NCycles: needs a value; write NCycles=<Int>"),
    (" ncycles", "ncycles: needs a value; write NCycles=<Int>"),
    (" NCycles=5", "' NCycles=5': blanks are not allowed around a name; write NCycles=5"),
    ("NCycles =5", "'NCycles =5': blanks are not allowed around a name; write NCycles=5"),
    (" V", "' V': blanks are not allowed around a name; write V"),
    ("!V ", "'!V ': blanks are not allowed around a name; write !V"),
    ("! v", "'! v': blanks are not allowed around a name; write !V"),
    ("!NCycles=5", "'!NCycles=5': '!' cannot be combined with a value; write NCycles=5"),
    (" bfgs", "' bfgs': blanks are not allowed around a value; write TrainingMethod=BFGS"),
    ("  ", "'  ': it has no name; remove it"),
    ("!", "'!': it has no name; remove it"),
    ("=5", "'=5': it has no name; remove it"),
    (
        "NSmoothMVAPdfSig[0]=5",
        "NSmoothMVAPdfSig[0]: options of the response's PDFs need CreateMVAPdfs; add it",
    ),
    (
        "!Normalise",
        "Normalise: an option of older TMVA versions; write VarTransform=N (and leave !Normalise out)",
    ),
]


@pytest.mark.parametrize(("token", "expected"), EXPLANATIONS)
def test_explanations(token: str, expected: str) -> None:
    assert explain_unused(token, MLP_METHOD_OPTIONS) == expected
