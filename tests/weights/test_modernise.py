import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.mlp.option_table import MLP_METHOD_OPTIONS
from pytmva_bnn.options import COMPATIBILITY_OPTIONS

KNOWN = {option.name for option in (*MLP_METHOD_OPTIONS, *COMPATIBILITY_OPTIONS)}


def test_current_files_stay_as_they_are(case):
    assert TMVA.load(case.weights).modernised().to_xml() == case.weights.read_text()


@pytest.mark.parametrize("name", ["none", "normalise", "decorrelate_background", "flag_d", "pca", "mvapdfs"])
def test_text_files_become_xml_that_current_tmva_reads(name, odd, tmp_path):
    old = TMVA.load(odd / f"text39_{name}.weights.txt")
    old.save(tmp_path / "new.xml")
    new = TMVA.load(tmp_path / "new.xml", strict=True)  # as current TMVA does, unknown options refused
    assert old.to_xml() == (tmp_path / "new.xml").read_text()
    assert {record.name for record in new.file.options} <= KNOWN
    assert all(step.selection is not None for step in new.file.transformations)
    rng = np.random.default_rng(1)
    low, high = (np.array([getattr(v, end) for v in old.variables]) for end in ("minimum", "maximum"))
    events = rng.uniform(low, np.where(high > low, high, low + 1), (50, len(low)))
    np.testing.assert_allclose(new.predict(events), old.predict(events), rtol=1e-5, atol=1e-6)


def test_old_gauss_has_no_xml_form(odd, tmp_path):
    gauss = [path for path in odd.glob("text39_*.txt") if "gauss" in path.name or "uniform" in path.name]
    assert gauss
    for path in gauss:
        with pytest.raises(InputError, match="has no XML form"):
            TMVA.load(path).save(tmp_path / "new.xml")
        with pytest.raises(InputError, match="has no XML form"):
            TMVA.load(path).to_xml()
    assert not list(tmp_path.iterdir())
