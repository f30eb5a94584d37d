import numpy as np
import pytest

from pytmva_bnn.errors import InputError
from pytmva_bnn.methods.composite.split_expression import split_values

EVENTS = np.arange(-2.0, 9.0)


def c_quotient(a, b):
    return int(a / b)


def c_remainder(a, b):
    return a - b * c_quotient(a, b)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("int(fabs([id]))%int([NumFolds])", lambda x: c_remainder(int(abs(x)), 3)),
        ("int([id])%4/2", lambda x: c_quotient(c_remainder(int(x), 4), 2)),
        ("int([id])%3%2", lambda x: c_remainder(c_remainder(int(x), 3), 2)),
        ("int([id])/3", lambda x: c_quotient(int(x), 3)),
        ("int([id])/3.0", lambda x: x / 3),
        ("7-2*int([id])%5", lambda x: 7 - c_remainder(2 * int(x), 5)),
        ("[id]/2", lambda x: x / 2),
        ("[id]^2", lambda x: x**2),
        ("-[id]+1", lambda x: 1 - x),
        ("[id]>2 && ![id]<100 || [id]==0", lambda x: float((x > 2 and (not x) < 100) or x == 0)),
        ("TMath::Abs([id])", abs),
        ("std::floor([id]/2)", lambda x: np.floor(x / 2)),
        ("int(TMath::Nint([the id]*1))%2", lambda x: c_remainder(int(x), 2)),
        ("TMath::Nint([id]/2)", lambda x: round(x / 2)),  # halves to even
        ("max(int([id]),0)", lambda x: max(int(x), 0)),
        ("2", lambda _: 2),
    ],
)
def test_values_are_those_of_cpp(expression, expected):
    values = {"id": EVENTS, "the id": EVENTS, "NumFolds": np.full(len(EVENTS), 3.0)}
    assert split_values(expression, values, len(EVENTS)).tolist() == [expected(x) for x in EVENTS]


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("[id]%2", r"% is for integers: write int\(\.\.\.\) around both sides"),
        ("int([id])%0", "integer division by 0"),
        ("int([id]", "is not a valid expression"),
        ("flor([id])", "the function flor is not supported: did you mean floor"),
        ("int([id], 2)", "wrong number of arguments of int"),
        ("__import__('os')", "only numbers"),
        ("(lambda: 1)()", "is not supported"),
        ("[id] if 1 else 2", "only numbers"),
        ("id", "only numbers"),
        ("1 < [id] < 3", "only numbers"),
        ("[id] @ 2", "this operator is not supported"),
        ("True", "only numbers"),
    ],
)
def test_what_is_not_understood_is_refused(expression, message):
    with pytest.raises(InputError, match=message):
        split_values(expression, {"id": EVENTS}, len(EVENTS))
