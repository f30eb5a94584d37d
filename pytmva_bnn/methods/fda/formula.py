"""From the formula of a user, in ``(0)`` and ``x0``, to one that can be evaluated."""

from __future__ import annotations

from pytmva_bnn.errors import InputError
from pytmva_bnn.formula import FormulaError, TFormula

_LARGEST = 1000


def prepared(text: str, n_parameters: int, n_variables: int) -> TFormula:
    """Return the formula with parameters ``[0]`` ... and the variables as further parameters behind them."""
    # TMVA: plain text is replaced, so that exp(1) becomes exp[1], which means nothing
    for i in range(n_parameters):
        text = text.replace(f"({i})", f"[{i}]")
    for k in range(n_parameters, _LARGEST):
        if f"({k})" in text:
            raise InputError(
                f'<CreateFormula> Formula contains expression: "({k})", which cannot be attributed to a parameter; '
                f"ParRanges gives {n_parameters}: add a range for it, or write a number without parentheses"
            )
    for v in reversed(range(n_variables)):
        text = text.replace(f"x{v}", f"[{v + n_parameters}]")
    for k in range(n_variables, _LARGEST):
        if f"x{k}" in text:
            raise InputError(
                f'<CreateFormula> Formula contains expression: "x{k}", which cannot be attributed to an input '
                f"variable; there are {n_variables} of them, from x0 on"
            )
    try:
        return TFormula(text)
    except FormulaError as error:
        raise InputError(
            f"<ProcessOptions> Formula expression could not be properly compiled: {error}\n  (a number in parentheses "
            "is a parameter: write exp(1.0), not exp(1))"
        ) from None
