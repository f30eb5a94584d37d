from __future__ import annotations

import pytest

from pytmva_bnn.errors import OptionError
from pytmva_bnn.options import (
    Kind,
    Quantity,
    Selection,
    TransformationSpec,
    parse_var_transform,
    select,
    split_transformations,
)

ALL_V = ("_V_",)
ALL_VT = ("_V_", "_T_")

NAMES = [
    *((name, "I", ALL_V) for name in ("I", "Ident", "Identity")),
    *((name, "D", ALL_V) for name in ("D", "Deco", "Decorrelate")),
    *((name, "P", ALL_V) for name in ("P", "PCA")),
    *((name, "U", ALL_VT) for name in ("U", "Uniform")),
    *((name, "G", ALL_V) for name in ("G", "Gauss")),
    *((name, "N", ALL_VT) for name in ("N", "Norm", "Normalise", "Normalize")),
    *((name, "S", ALL_VT) for name in ("S", "Scale", "ScaleNorm")),
]


@pytest.mark.parametrize(("name", "canonical", "selection"), NAMES)
def test_names_and_default_selections(name: str, canonical: str, selection: tuple[str, ...]) -> None:
    assert parse_var_transform(name) == [TransformationSpec(canonical, None, selection)]


N, D, P = (TransformationSpec(name, None, ALL_VT if name == "N" else ALL_V) for name in "NDP")

CHAINS = [
    ("None", []),
    ("", []),
    (",+,", []),
    ("N,D", [N, D]),
    ("N+D,P", [N, D, P]),
    (",N,,++D,", [N, D]),
    ("N_Signal", [TransformationSpec("N", "Signal", ALL_VT)]),
    ("N_AllClasses", [N]),
    ("N_allclasses", [TransformationSpec("N", "allclasses", ALL_VT)]),
    ("D__Signal", [TransformationSpec("D", "Signal", ALL_V)]),
    ("D_my_class", [TransformationSpec("D", "my", ALL_V)]),
    ("N(a,b)", [TransformationSpec("N", None, ("a", "b"))]),
    ("N(a,b),D", [TransformationSpec("N", None, ("a", "b")), D]),
    ("N_Signal(a)", [TransformationSpec("N", "Signal", ("a",))]),
    ("N(a)_Signal", [TransformationSpec("N", "Signal", ("a",))]),
    ("N(,a,,_V0_)", [TransformationSpec("N", None, ("a", "_V0_"))]),
    ("N()", [N]),
    ("N(a-b)", [TransformationSpec("N", None, ("a-b",))]),
]


@pytest.mark.parametrize(("text", "expected"), CHAINS)
def test_chains(text: str, expected: list[TransformationSpec], caplog: pytest.LogCaptureFixture) -> None:
    assert parse_var_transform(text) == expected
    assert not caplog.records


def test_several_selections_are_nothing_to_warn_of_at_each_reading(caplog: pytest.LogCaptureFixture) -> None:
    assert [step.selection for step in parse_var_transform("N(a)+P(b,c)")] == [("a",), ("b", "c")]
    assert not caplog.records


BAD_CHAINS = [
    ("n", r"Variable transform 'n' unknown .*known: I, Ident.*case-sensitive.*did you mean N\?"),
    ("Normalize2", r"'Normalize2' unknown .*did you mean Normalize\?"),
    ("N;D", "'N;D' unknown"),
    ("(a)", "transform '' unknown"),
    ("none", "'none' unknown"),
    ("N(a)(b)", r"transform 'N\(b\)' unknown"),
    ("N(a+b)", r"the bracket of 'N\(a' is not closed.*_V0_.*label := a\+b"),
    ("N(a", "not closed"),
]


@pytest.mark.parametrize(("text", "message"), BAD_CHAINS)
def test_bad_chains_are_errors(text: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        parse_var_transform(text)


def test_class_index() -> None:
    classes = ["Signal", "Background"]
    assert TransformationSpec("N", None, ALL_V).class_index(classes) == -1
    assert TransformationSpec("N", "Background", ALL_V).class_index(classes) == 1
    with pytest.raises(OptionError) as caught:
        TransformationSpec("N", "signal", ALL_V).class_index(classes)
    assert str(caught.value) == (
        "Class signal not known for variable transformation N, please check; "
        "the classes are Signal, Background, AllClasses; did you mean Signal?"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [("I", ["I"]), ("I;D;P;G,D", ["I", "D", "P", "G,D"]), (";;I;;N(a,b);", ["I", "N(a,b)"]), ("", [])],
)
def test_chains_of_the_factory(text: str, expected: list[str]) -> None:
    assert split_transformations(text) == expected


VARIABLES, TARGETS, SPECTATORS = ["a", "b", "c"], ["t", "b"], ["s"]


def quantities(text: str) -> tuple[Quantity, ...]:
    kinds = {"V": Kind.VARIABLE, "T": Kind.TARGET, "S": Kind.SPECTATOR}
    return tuple(Quantity(kinds[word[0]], int(word[1:])) for word in text.split())


SELECTIONS = [
    (["_V_"], "V0 V1 V2", None),
    (["_V_", "_T_"], "V0 V1 V2 T0 T1", None),
    (["_S_", "_T_"], "T0 T1 S0", None),
    (["_V2_", "_V0_"], "V0 V2", None),
    (["_V1x_"], "V1", None),
    (["c", "a", "c"], "V0 V2", None),
    (["s", "t", "a"], "V0 T0 S0", None),
    (["b"], "V1 T1", None),
    (["c", "_V_"], "V0 V1 V2", None),
    ([], "", None),
    (["_R_", "c", "a"], "V0 V2", "V2 V0"),
    (["c", "a", "_REARRANGE_"], "V0 V2", "V2 V0"),
    (["_REARR_", "t", "a"], "V0 T0", "T0 V0"),
    (["__", "b", "a"], "V0 V1 T1", "V1 T1 V0"),
    (["_R_", "_V2_", "_V_"], "V0 V1 V2", "V2 V0 V1 V2"),
]


@pytest.mark.parametrize(("items", "put", "get"), SELECTIONS)
def test_selections(items: list[str], put: str, get: str | None, caplog: pytest.LogCaptureFixture) -> None:
    expected = Selection(get=quantities(put if get is None else get), put=quantities(put))
    assert select(items, VARIABLES, TARGETS, SPECTATORS) == expected
    assert not caplog.records


def test_the_first_of_two_equal_labels_is_taken() -> None:
    assert select(["a"], ["x", "a", "a"]).get == quantities("V1")


@pytest.mark.parametrize("label", ["A", "d", "_", "_X_", "_r_", "_v_", "REARRANGE"])
def test_unknown_labels_are_ignored_with_a_warning(label: str, caplog: pytest.LogCaptureFixture) -> None:
    assert select([label, "b"], VARIABLES).get == quantities("V1")
    (record,) = caplog.records
    assert record.levelname == "WARNING"
    assert f"Variable/Target/Spectator '{label}' not found." in record.getMessage()


def test_an_unknown_label_gets_a_suggestion(caplog: pytest.LogCaptureFixture) -> None:
    select(["vra1"], ["var1", "other"])
    assert caplog.records[0].getMessage().endswith("not found. did you mean var1?")


def test_an_index_that_is_no_number_is_0_with_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    assert select(["_Vx_"], VARIABLES).get == quantities("V0")
    assert "'_Vx_'" in caplog.records[0].getMessage()


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ("_V3_", "You selected variable with index : 3 of only 3 variables; .* the last is _V2_"),
        ("_V-1_", "You selected variable with index : -1 of only 3 variables"),
        ("_T2_", "You selected target with index : 2 of only 2 targets"),
        ("_S5_", "You selected spectator with index : 5 of only 1 spectators"),
    ],
)
def test_an_index_out_of_range_is_an_error(item: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        select([item], VARIABLES, TARGETS, SPECTATORS)


def test_an_index_into_an_empty_list_is_an_error() -> None:
    with pytest.raises(OptionError, match="of only 0 targets; remove '_T0_'"):
        select(["_T0_"], VARIABLES)
