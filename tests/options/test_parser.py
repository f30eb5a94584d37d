from __future__ import annotations

import logging
from copy import deepcopy

import pytest

from pytmva_bnn.errors import OptionError
from pytmva_bnn.methods.mlp.option_table import MLP_METHOD_OPTIONS
from pytmva_bnn.options import (
    COMPATIBILITY_OPTIONS,
    Numbers,
    Option,
    OptionSet,
    OptionType,
    OptionValue,
    pdf_options,
    splitting_options,
)

ARRAY = Option("Cuts", OptionType.INT, 0, "the cuts", size=3)
MODES = Option("Modes", OptionType.STRING, "One", "the modes", ("One", "Two"), size=2)
FLAGS = Option("Flags", OptionType.BOOL, False, "the flags", size=2)


def mlp(*more: Option) -> OptionSet:
    return OptionSet((*MLP_METHOD_OPTIONS, *more), owner="MLP")


def messages(caplog: pytest.LogCaptureFixture, level: int = logging.WARNING) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= level]


ACCEPTED: list[tuple[str, str, OptionValue]] = [
    ("NCycles=60", "NCycles", 60),
    ("ncycles=60", "NCycles", 60),
    ("NCYCLES= 60", "NCycles", 60),
    ("~NCycles=60", "NCycles", 60),
    ("~~NCycles=60", "NCycles", 60),
    ("H", "H", True),
    ("h", "H", True),
    ("!SamplingTraining", "SamplingTraining", False),
    ("~!SamplingTraining", "SamplingTraining", False),
    ("UseRegulator=T", "UseRegulator", True),
    ("HiddenLayers=", "HiddenLayers", ""),
    ("VarTransform=a=b", "VarTransform", "a=b"),
    ("NeuronType=Tanh", "NeuronType", "Tanh"),
    ("TrainingMethod=bfgs", "TrainingMethod", "BFGS"),
    ("TrainingMethod= bfgs", "TrainingMethod", "bfgs"),
    ("TrainingMethod=bfgs ", "TrainingMethod", "bfgs"),
    ("TrainingMethod= BFGS", "TrainingMethod", "BFGS"),
    ("BFGS", "TrainingMethod", "BFGS"),
    ("bfgs", "TrainingMethod", "BFGS"),
    ("!BFGS", "TrainingMethod", "BFGS"),
    ("batch", "BPMode", "batch"),
    ("tanh", "EstimatorType", "tanh"),
    ("EstimatorType=TANH", "EstimatorType", "tanh"),
    ("Cuts=7", "Cuts", (7, 7, 7)),
    ("cuts[1]=7", "Cuts", (0, 7, 0)),
    ("Cuts[ 2 ]=7", "Cuts", (0, 0, 7)),
    ("Cuts[1x]=7", "Cuts", (0, 7, 0)),
    ("Cuts[1=7", "Cuts", (0, 7, 0)),
    ("Modes[1]=two", "Modes", ("One", "Two")),
    ("Two", "Modes", ("Two", "Two")),
    ("Flags", "Flags", (True, True)),
]


@pytest.mark.parametrize(("token", "name", "value"), ACCEPTED)
def test_accepted_tokens_are_marked_and_assign(token: str, name: str, value: OptionValue) -> None:
    options = mlp(ARRAY, MODES, FLAGS)
    assert options.parse(token) == "~" + token.lstrip("~")
    assert options.marked == "~" + token.lstrip("~")
    assert options[name] == value
    assert options.unused() == []
    assert options.is_set(name) is not isinstance(value, tuple)  # arrays never get the flag
    untouched = [other for other in options if other != name]
    assert not any(options.is_set(other) for other in untouched)


NOT_ACCEPTED = [
    "NCycles",
    " NCycles=5",
    "NCycles =5",
    "!NCycles=5",
    "Foo",
    "!Foo",
    "Foo=3",
    "Foo[1]=3",
    "=3",
    " ",
    "!",
    "!!V",
    "! V",
    " V",
    " BFGS",
    "Cuts",
    "!~V",
]


@pytest.mark.parametrize("token", NOT_ACCEPTED)
def test_other_tokens_stay_unmarked_and_are_reported(token: str) -> None:
    options = mlp(ARRAY)
    assert options.parse(token) == token
    assert options.unused() == [token]
    assert not any(options.is_set(name) for name in options)
    with pytest.raises(OptionError, match="could not be interpreted"):
        options.check_unused()


@pytest.mark.parametrize("text", ["", ":", "::H::", "~Foo=3", "~Foo", "~", "~ "])
def test_strings_without_unused_tokens(text: str) -> None:
    options = mlp()
    options.parse(text)
    assert options.unused() == []
    options.check_unused()


def test_the_rewritten_string_keeps_order_and_spelling_and_drops_empty_tokens() -> None:
    text = ":h::!V:ncycles=5:Foo:~Bar=1:bfgs:"
    assert mlp().parse(text) == "~h:~!V:~ncycles=5:Foo:~Bar=1:~bfgs"


def test_a_second_value_wins_and_is_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    options = mlp()
    options.parse("NCycles=5:ncycles=7:H:!H")
    assert options["NCycles"] == 7
    assert options["H"] is False
    assert messages(caplog) == ["Value for option ncycles was previously set to 5"]
    assert caplog.records[0].name == "pytmva_bnn.options"


def test_parsing_the_default_sets_the_flag() -> None:
    options = mlp()
    options.parse("NCycles=500")
    assert options.is_set("NCycles")


def test_array_elements_can_be_given_one_by_one_without_warning(caplog: pytest.LogCaptureFixture) -> None:
    options = OptionSet([ARRAY])
    options.parse("Cuts=1:Cuts[0]=5:Cuts[2]=6")
    assert options["Cuts"] == (5, 1, 6)
    assert not caplog.records


def test_the_first_declaration_of_a_name_is_found() -> None:
    twice = Option("H", OptionType.INT, 3, "again")
    options = mlp(twice)
    options.parse("H")
    assert options["H"] is True
    assert [record.value for record in options.records() if record.name == "H"] == ["True", "3"]


def test_a_loose_value_goes_to_the_first_option_that_has_it() -> None:
    options = OptionSet(splitting_options(["Signal", "Background"]))
    options.parse("Block:None")
    assert (options["SplitMode"], options["MixMode"], options["NormMode"]) == (
        "Block",
        "SameAsSplitMode",
        "None",
    )


def test_a_negated_loose_value_is_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    mlp().parse("!BFGS")
    assert messages(caplog) == ["'!BFGS' was read as TrainingMethod=BFGS"]


def test_a_predefined_value_after_a_blank_is_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    mlp().parse("TrainingMethod= bfgs")
    (message,) = messages(caplog)
    assert "kept as 'bfgs'" in message
    assert "write TrainingMethod=BFGS" in message


def test_class_names_in_option_names_are_case_insensitive() -> None:
    options = OptionSet(splitting_options(["Signal"]))
    options.parse("NTRAIN_SIGNAL=10:TrainTestSplit_signal=0.3")
    assert options["nTrain_Signal"] == 10
    assert options["TrainTestSplit_Signal"] == 0.30000001192092896


FATAL = [
    (
        "TrainingMethod=BFSG",
        r'MLP: .*TrainingMethod .*: "BFSG"; allowed: BP, GA, BFGS; did you mean BFGS\?',
    ),
    ("TrainingMethod=", 'TrainingMethod does not have predefined value: ""'),
    ("Cuts[3]=1", r"MLP: Index 3 too large for option Cuts, allowed range is \[0,2\]"),
    ("Cuts[-1]=1", r"Index -1 too small for option Cuts, allowed range is \[0,2\]"),
    ("Cuts[x]=1", r"index of Cuts\[x\] is not an integer; write Cuts\[0\]="),
    ("NCycles[0]=1", "Option NCycles is not an array, but you specified an index; write NCycles=1"),
    ("!NCycles", "MLP: Negating a non-boolean variable ncycles, .*; write NCycles=<Int>"),
    ("UseRegulator=yes", "MLP: Option UseRegulator: value 'yes' can not be .* boolean; write True"),
    ("NCycles=abc", "MLP: Option NCycles: 'abc' is not a number; write an integer .* NCycles=500"),
    ("Tau=nan", "MLP: Option Tau: 'nan' is not a number; write a decimal number, e.g. Tau=3.0"),
]


@pytest.mark.parametrize(("text", "message"), FATAL)
def test_fatal_cases_raise_an_error_that_tells_what_to_do(text: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        mlp(ARRAY).parse(text)


def test_the_owner_is_left_out_of_messages_if_it_has_no_name() -> None:
    with pytest.raises(OptionError, match=r"^Option Cuts: 'x' is not a number"):
        OptionSet([ARRAY]).parse("Cuts=x")


def test_the_unused_check_names_every_token_and_the_nearest_name() -> None:
    options = mlp()
    options.parse("H:UseRegulater:NCycles:xyz=1")
    with pytest.raises(OptionError) as caught:
        options.check_unused()
    first, *rest = str(caught.value).splitlines()
    assert first == (
        "MLP: The following options were specified, but could not be interpreted: "
        "'UseRegulater:NCycles:xyz=1', please check!"
    )
    assert rest[:3] == [
        "  UseRegulater: did you mean UseRegulator?",
        "  NCycles: needs a value; write NCycles=<Int>",
        "  xyz: there is no option of that name",
    ]
    assert "known options: NCycles, HiddenLayers" in rest[3]


def test_pdfs_parse_the_marked_string_of_their_method() -> None:
    method, pdf = mlp(), OptionSet(pdf_options("MVAPdf"))
    method.parse("CreateMVAPdfs:NbinsMVAPdf=40:NSmothMVAPdf=2")
    method.marked = pdf.parse(method.marked)
    assert method.marked == "~CreateMVAPdfs:~NbinsMVAPdf=40:NSmothMVAPdf=2"
    assert pdf["NbinsMVAPdf"] == 40
    with pytest.raises(OptionError, match=r"NSmothMVAPdf: did you mean NSmoothMVAPdf\?"):
        method.check_unused(also_declared=pdf.declared)


def test_options_can_be_declared_later() -> None:
    options = mlp()
    options.parse("Normalise")
    assert options.unused() == ["Normalise"]
    options.declare(COMPATIBILITY_OPTIONS)
    options.parse(options.marked)
    assert options.unused() == []
    assert list(options)[-6:] == [option.name for option in COMPATIBILITY_OPTIONS]
    assert len(options) == len(MLP_METHOD_OPTIONS) + 6


def test_setting_a_value_leaves_the_flag_and_does_not_look_at_the_allowed_values() -> None:
    options = mlp(ARRAY)
    options.parse("NCycles=5")
    options.set_value("estimatortype", "CE")
    options.set_value("TrainingMethod", "other")
    options.set_value("NCycles", 6)
    options.set_value("Cuts", [1, 2, 3])
    assert (options["EstimatorType"], options.is_set("EstimatorType")) == ("CE", False)
    assert options["TrainingMethod"] == "other"
    assert (options["NCycles"], options.is_set("NCycles")) == (6, True)
    assert options["Cuts"] == (1, 2, 3)


@pytest.mark.parametrize(("name", "value"), [("NCycles", "5"), ("NCycles", 5.0), ("Cuts", 5), ("Cuts", (1, 2))])
def test_setting_a_value_of_another_type_is_an_error(name: str, value: OptionValue) -> None:
    with pytest.raises(OptionError, match=f"Option {name} takes"):
        mlp(ARRAY).set_value(name, value)


def test_typed_access() -> None:
    options = mlp()
    assert options.flag("SamplingTraining") is True
    assert options.integer("UpdateLimit") == 10000
    assert options.real("Tau") == 3.0
    assert options.string("HiddenLayers") == "N,N-1"
    with pytest.raises(OptionError, match="Option NCycles is of type Int, not str"):
        options.string("ncycles")


def test_asking_for_an_unknown_option_is_an_error_with_a_suggestion() -> None:
    options = mlp()
    assert "ncycles" in options
    assert "NCycle" not in options
    assert 5 not in options
    with pytest.raises(OptionError, match=r"There is no option 'NCycle': did you mean NCycles\?"):
        options["NCycle"]
    with pytest.raises(OptionError, match=r"^There is no option 'qqq'$"):
        options.is_set("qqq")


def test_a_deep_copy_is_independent() -> None:
    options = mlp()
    options.parse("NCycles=5:Foo")
    other = deepcopy(options)
    assert (other.owner, other.marked, other.records()) == (options.owner, options.marked, options.records())
    other.parse("TestRate=3")
    other.set_value("NCycles", 9)
    other.declare([ARRAY])
    assert (options["TestRate"], options["NCycles"], options.marked) == (10, 5, "~NCycles=5:Foo")
    assert "Cuts" not in options


def test_repr_shows_the_values() -> None:
    assert repr(OptionSet([ARRAY, MODES])) == "OptionSet(Cuts=(0, 0, 0), Modes=('One', 'One'))"


@pytest.mark.parametrize(("default", "size"), [("x", None), ((1,), None), ((1,), 2), ("x", 2)])
def test_a_table_with_a_default_of_the_wrong_type_is_refused(default: OptionValue, size: int | None) -> None:
    with pytest.raises(OptionError, match="Option A takes"):
        OptionSet([Option("A", OptionType.INT, default, "", size=size)])


@pytest.mark.parametrize(
    ("text", "as_tmva"), [("1e9", 1), ("12.7", 12), ("all", 0), ("", 0), ("99999999999", 2**31 - 1), ("5 000", 5)]
)
def test_numbers_of_events_are_whole_numbers_or_read_as_tmva_reads_them(text, as_tmva, caplog):
    with pytest.raises(OptionError, match="Option nTrain_Signal: "):
        OptionSet(splitting_options(["Signal"])).parse(f"nTrain_Signal={text}")
    options = OptionSet(splitting_options(["Signal"], Numbers.AS_TMVA))
    options.parse(f"nTrain_Signal={text}")
    assert options.integer("nTrain_Signal") == as_tmva
    assert caplog.text.count(f"'{text}' was read as {as_tmva}") == 1


@pytest.mark.parametrize("text", ["1000", " 1000", "1000.0", "+1000"])
def test_other_ways_to_write_a_whole_number_are_understood(text):
    options = OptionSet(splitting_options(["Signal"]))
    options.parse(f"nTest_Signal={text}")
    assert options.integer("nTest_Signal") == 1000
