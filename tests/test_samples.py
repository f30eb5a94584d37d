"""The events that come with the package."""

from pathlib import Path

import numpy as np
import pytest
import uproot

import pytmva_bnn as TMVA

ROOT = Path(__file__).resolve().parent.parent


def test_the_sample_is_that_of_the_reference_records():
    muons = TMVA.sample("fakerate")
    with uproot.open(ROOT / "xml_fixtures" / "data" / "fakerate.root") as file:
        assert list(muons) == ["pass", "fail"]
        for tree, columns in muons.items():
            expected = file[tree].arrays(library="np")
            assert list(columns) == list(expected)
            for name, values in columns.items():
                np.testing.assert_array_equal(values, expected[name], strict=True)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("fake_rate", "there is no sample 'fake_rate'; did you mean fakerate? Samples: fakerate"),
        ("../errors", r"there is no sample '../errors'; Samples: fakerate"),
    ],
)
def test_an_unknown_sample_is_an_error_that_names_those_there_are(name, message):
    with pytest.raises(TMVA.TMVAError) as caught:
        TMVA.sample(name)
    assert str(caught.value) == message
