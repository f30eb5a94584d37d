"""Chains of the Factory's option Transformations, checked before there are events."""

import pytest

from pytmva_bnn.dataset import Description, InputVariable
from pytmva_bnn.errors import OptionError
from pytmva_bnn.output import check_chains_fit


@pytest.fixture
def description():
    """Two variables, and classes that only trees know."""
    made = Description("set")
    made.add_variable(InputVariable.of("x"), InputVariable.of("y"))
    made.add_tree({"x": [1.0], "y": [1.0]}, "Signal", register=False)
    made.add_tree({"x": [1.0], "y": [1.0]}, "Background", register=False)
    return made


@pytest.mark.parametrize(
    "chains", ["", "None", "I", "I;D;P;U;G,D", "N_Signal;D_Background,P_AllClasses", "N(x),P(x,y)", "N(nothing)"]
)
def test_what_can_be_fitted_is_let_through(chains, description):
    check_chains_fit(chains, description)


@pytest.mark.parametrize(
    ("chains", "chain", "reason"),
    [
        ("I;N_Sgnal", "N_Sgnal", "Class Sgnal not known .*did you mean Signal"),
        ("I;P(x)", r"P\(x\)", "Cannot perform PCA transformation for 1 variable only"),
        ("G,P(y);I", r"G,P\(y\)", "Cannot perform PCA transformation for 1 variable only"),
        ("D(_V2_)", r"D\(_V2_\)", "You selected variable with index : 2 of only 2 variables"),
        ("I(x)", r"I\(x\)", "Identity transform does not allow for a selection"),
        ("D(_T_)", r"D\(_T_\)", "You mixed variables and targets .*it selects nothing"),
    ],
)
def test_what_cannot_be_fitted_is_told_with_the_chain(chains, chain, reason, description):
    with pytest.raises(OptionError, match=rf"^Transformations=.*: the data set set: {reason}.* \(in '{chain}'\)$"):
        check_chains_fit(chains, description)


def test_more_variables_than_a_matrix_takes_are_told(description):
    description.add_variable(*(InputVariable.of(f"v{i}") for i in range(199)))
    check_chains_fit("I;N", description)
    with pytest.raises(OptionError, match="200"):
        check_chains_fit("I;D", description)


def test_without_events_there_is_nothing_to_check():
    check_chains_fit("N_Foo", Description("set"))
