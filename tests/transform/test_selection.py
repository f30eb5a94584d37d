"""Names are resolved to columns."""

from __future__ import annotations

import pytest

from pytmva_bnn.errors import InputError
from pytmva_bnn.transform import Quantity, Selection
from pytmva_bnn.transform.selection import Column, Columns, resolve

A = Quantity("Variable", "a", "a")
S = Quantity("Variable", "s", "a+2*b")
T = Quantity("Target", "a", "t")
P = Quantity("Spectator", "p", "p")
KNOWN = {"Variable": [A, S], "Target": [T], "Spectator": [P]}


def column(kind, label, expression):
    return resolve(Selection((Quantity(kind, label, expression),), ()), KNOWN, "PCA").get[0]


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (("Variable", "a", "a"), ("Variable", 0)),
        (("Variable", "s", "?"), ("Variable", 1)),
        (("Variable", "?", "a+2*b"), ("Variable", 1)),
        (("Variable", "s", "a"), ("Variable", 0)),
        (("Target", "a", "?"), ("Target", 0)),
        (("Spectator", "?", "p"), ("Spectator", 0)),
    ],
    ids=["both", "label", "expression", "the first that agrees", "same label, other kind", "spectator"],
)
def test_the_first_quantity_whose_label_or_expression_agrees_is_taken(entry, expected):
    assert column(*entry) == Column(*expected)


def test_an_unknown_entry_is_refused_by_name():
    with pytest.raises(
        InputError, match=r"transformation PCA: its selection names the variable 'ss' .*did you mean s\?"
    ):
        column("Variable", "ss", "x")
    with pytest.raises(InputError, match=r"'p' .*known: a, s"):
        column("Variable", "p", "p")
    with pytest.raises(InputError, match="known: none"):
        resolve(Selection((T,), ()), {"Variable": [A]}, "PCA")


def test_an_unknown_kind_is_refused():
    with pytest.raises(InputError, match="transformation PCA: type 'Weight' of 'a' is unknown, expected Variable"):
        column("Weight", "a", "a")


def test_entries_that_name_nothing_can_be_dropped():
    unknown = Quantity("Target", "u", "u")
    found = resolve(Selection((unknown, S, A), (A, unknown, S)), KNOWN, "Normalize", drop_unmatched=True)
    assert found.get == (Column("Variable", 1), Column("Variable", 0))
    assert found.put == (Column("Variable", 0), Column("Variable", 1))


def test_without_outputs_the_inputs_serve_as_both():
    assert resolve(Selection((S, A), ()), KNOWN, "PCA").put == (Column("Variable", 1), Column("Variable", 0))


def test_more_outputs_than_inputs_are_refused():
    with pytest.raises(InputError, match=r"more outputs \(2\) than inputs \(1\)"):
        resolve(Selection((A,), (A, S)), KNOWN, "PCA")


@pytest.mark.parametrize(
    ("kinds", "present", "has_targets"),
    [("VV", 2, False), ("VVT", 2, True), ("VTV", 1, True), ("TV", 0, True), ("VST", 2, True), ("", 0, False)],
)
def test_columns_in_use_end_at_the_first_target(kinds, present, has_targets):
    names = {"V": "Variable", "T": "Target", "S": "Spectator"}
    columns = Columns(tuple(Column(names[kind], 0) for kind in kinds), ())
    assert (columns.n_present, columns.has_targets) == (present, has_targets)
