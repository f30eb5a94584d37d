"""Sets of options that parse the string of their owner."""

import logging

import pytest

from pytmva_bnn.errors import OptionError
from pytmva_bnn.options import METHOD_BASE_OPTIONS, OptionSet, pdf_options


def test_a_part_takes_what_it_understands_and_the_owner_knows_it():
    options = OptionSet(METHOD_BASE_OPTIONS, owner="L")
    options.parse("!V:NSmooth=3:NSmoothSig[0]=5:Other=1")
    common = options.parse_part("", pdf_options(""))
    of_signal = options.parse_part("Sig[0]", pdf_options("Sig[0]", {"NSmooth": common["NSmooth"], "Nbins": 7}))
    assert options.marked == "~!V:~NSmooth=3:~NSmoothSig[0]=5:Other=1"
    assert (common["NSmooth"], of_signal["NSmoothSig[0]"], of_signal["NbinsSig[0]"]) == (3, 5, 7)
    assert list(options.parts) == ["", "Sig[0]"]
    assert options.parts["Sig[0]"] is of_signal
    assert "NSmooth" not in options
    with pytest.raises(OptionError) as raised:
        options.check_unused()
    first, *_, known = str(raised.value).splitlines()
    assert first == "L: The following options were specified, but could not be interpreted: 'Other=1', please check!"
    assert known.endswith("KDEFineFactor, KDEborder)")
    assert "Sig[0]" not in known


def test_near_names_are_looked_for_in_all_parts():
    options = OptionSet(METHOD_BASE_OPTIONS)
    options.parse("NSmothSig[0]=5")
    options.parse_part("Sig[0]", pdf_options("Sig[0]"))
    with pytest.raises(OptionError, match=r"NSmothSig\[0\]: did you mean NSmoothSig\[0\]\?"):
        options.check_unused()


def test_a_value_alone_is_told_once_not_for_each_variable(caplog):
    caplog.set_level(logging.INFO)
    options = OptionSet(METHOD_BASE_OPTIONS)
    options.parse("KDE")
    for suffix in ("", "Sig[0]", "Bkg[0]"):
        assert options.parse_part(suffix, pdf_options(suffix))[f"PDFInterpol{suffix}"] == "KDE"
    assert [record.message for record in caplog.records] == ["'KDE' was read as PDFInterpol=KDE"]


def test_a_wrong_value_names_the_owner():
    options = OptionSet(METHOD_BASE_OPTIONS, owner="L")
    options.parse("PDFInterpol=Spline9")
    with pytest.raises(OptionError, match=r"^L: Option PDFInterpol does not have predefined value"):
        options.parse_part("", pdf_options(""))
