"""What holds for every option string."""

from __future__ import annotations

import contextlib
import math

from hypothesis import given
from hypothesis import strategies as st

from pytmva_bnn.errors import OptionError
from pytmva_bnn.methods.mlp.option_table import MLP_METHOD_OPTIONS, hidden_layer_sizes
from pytmva_bnn.options import (
    Option,
    OptionSet,
    OptionType,
    OptionValue,
    parse_var_transform,
    records_to_string,
    select,
    split_transformations,
)
from pytmva_bnn.options.conversion import to_text

ARRAY = Option("Cuts", OptionType.FLOAT, 0.5, "", size=3)
TABLE = (*MLP_METHOD_OPTIONS, ARRAY)

names = st.sampled_from([option.name for option in TABLE] + ["Foo", "BFGS", "tanh", "Cuts[1]", "Cuts[7]"])
values = st.one_of(
    st.integers().map(str),
    st.floats().map(str),
    st.sampled_from(["True", "f", "BFGS", " bfgs", "N,N-1", ""]),
    st.text(max_size=5),
)
tokens = st.builds(
    "".join,
    st.tuples(st.sampled_from(["", "~", "!", " ", "~!"]), names, st.sampled_from(["", "=", " ="]), values),
)
option_strings = st.one_of(st.text(), st.lists(tokens, max_size=8).map(":".join))


def value_of(option: Option) -> st.SearchStrategy[OptionValue]:
    match option.type:
        case OptionType.BOOL:
            return st.booleans()
        case OptionType.INT | OptionType.UINT:
            return st.integers(0 if option.type is OptionType.UINT else -(2**31), 2**31 - 1)
        case OptionType.FLOAT:
            return st.floats(-(2.0**100), 2.0**100, width=32).filter(lambda x: x == 0 or abs(x) > 1e-30)
        case OptionType.DOUBLE:
            return st.floats(allow_nan=False, allow_infinity=False).filter(lambda x: abs(x) < 1e308)
        case OptionType.STRING if option.allowed:
            return st.sampled_from(option.allowed)
        case OptionType.STRING:
            return st.text(st.sampled_from("N,+-_()abc019="))


assignments = st.fixed_dictionaries({}, optional={option.name: value_of(option) for option in MLP_METHOD_OPTIONS})


@given(option_strings)
def test_any_text_is_parsed_or_refused_with_an_option_error(text: str) -> None:
    options = OptionSet(TABLE, owner="MLP")
    with contextlib.suppress(OptionError):
        options.parse(text)
        options.check_unused()


@given(option_strings)
def test_parsing_a_marked_string_again_changes_nothing(text: str) -> None:
    options = OptionSet(TABLE)
    try:
        marked = options.parse(text)
    except OptionError:
        return
    records = options.records()
    assert options.parse(marked) == marked
    other = OptionSet(TABLE)
    assert other.parse(marked) == marked
    assert other.records() == options.records() == records


@given(option_strings)
def test_marking_keeps_every_token(text: str) -> None:
    options = OptionSet(TABLE)
    with contextlib.suppress(OptionError):
        marked = options.parse(text)
        bodies = [token.lstrip("~") for token in text.split(":") if token]
        assert [token.removeprefix("~") for token in marked.split(":")] == (bodies or [""])


@given(assignments)
def test_records_survive_the_way_through_a_weight_file(given_values: dict[str, OptionValue]) -> None:
    options = OptionSet(TABLE)
    options.parse(":".join(f"{name}={value}" for name, value in given_values.items()))
    records = options.records()
    assert [record.modified for record in records] == [record.name in given_values for record in records]
    other = OptionSet(TABLE)
    other.parse(records_to_string(records))
    assert other.unused() == []
    assert [record.value for record in other.records()] == [record.value for record in records]
    assert all(record.modified for record in other.records() if record.size is None)
    again = OptionSet(TABLE)
    again.parse_records(other.records())
    assert again.records() == other.records()


@given(st.floats(allow_nan=False, allow_infinity=False, width=32))
def test_a_float_is_read_as_a_float32(number: float) -> None:
    options = OptionSet([Option("X", OptionType.FLOAT, 0.0, "")])
    options.parse(f"X={number!r}")
    assert options["X"] == number
    assert math.isclose(float(to_text(number)), number, rel_tol=1e-6)


@given(st.text(), st.integers(1, 10))
def test_any_text_gives_layers(text: str, n_inputs: int) -> None:
    assert all(size >= 0 for size in hidden_layer_sizes(text, n_inputs))


chain_text = st.text(st.sampled_from("NDPGUSI_()+,;ab0V"))


@given(st.one_of(st.text(), chain_text))
def test_any_text_is_a_chain_of_transformations_or_an_option_error(text: str) -> None:
    for chain in split_transformations(text):
        with contextlib.suppress(OptionError):
            for step in parse_var_transform(chain):
                selection = select(step.selection, ["a", "b"], ["t"])
                assert set(selection.get) == set(selection.put)
                assert len(set(selection.put)) == len(selection.put)
