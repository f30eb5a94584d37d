from __future__ import annotations

import contextlib
import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pytmva_bnn.formula import FormulaError, Node, branches, evaluate, parse
from pytmva_bnn.formula.functions import FUNCTIONS
from pytmva_bnn.formula.loops import LOOPS, SPECIALS
from pytmva_bnn.formula.nodes import Call, Conditional, Name, Number, Operation, Parameter, Prefix, Special, depth, walk
from pytmva_bnn.formula.operators import OPERATORS

NAMES = ["x", "y_1", "jets.pt", "TreeS.var1", "_a", "pi", "rndm", "e3", "x0x1"]
numbers = st.builds(Number, st.floats(min_value=0, allow_nan=False))
leaves = st.one_of(
    numbers,
    st.builds(Name, st.sampled_from(NAMES)),
    st.builds(Special, st.sampled_from(sorted(SPECIALS))),
    st.builds(Parameter, st.sampled_from(["0", "eventID"])),
)


def calls(children: st.SearchStrategy[Node]) -> st.SearchStrategy[Call]:
    functions = st.sampled_from(sorted({**FUNCTIONS, **LOOPS}.items()))
    return functions.flatmap(
        lambda item: st.builds(
            Call,
            st.just(item[0]),
            st.lists(children, min_size=item[1].fewest, max_size=item[1].most).map(tuple),
        )
    )


def branchings(children: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    symbols = st.sampled_from([operator.symbol for operator in OPERATORS])
    return st.one_of(
        st.builds(Operation, symbols, st.lists(children, min_size=2, max_size=4).map(tuple)),
        st.builds(Prefix, st.sampled_from("-!"), children),
        st.builds(Conditional, children, children, children),
        st.builds(Name, st.sampled_from(NAMES), st.lists(st.none() | children, max_size=3).map(tuple)),
        calls(children),
    )


trees = st.recursive(leaves, branchings, max_leaves=25)


@given(trees)
def test_a_printed_tree_parses_to_itself(tree: Node) -> None:
    assert parse(to_text(tree)) == tree


@given(trees)
def test_blanks_mean_nothing(tree: Node) -> None:
    assert parse(" ".join(to_text(tree))) == tree


@given(trees)
def test_branches_are_the_names_in_the_tree(tree: Node) -> None:
    names = {node.name for node in walk(tree) if isinstance(node, Name)}
    assert branches(to_text(tree)) == names - {"pi", "rndm"}
    assert depth(tree) >= 1


@given(trees)
@settings(deadline=None)
def test_every_tree_gives_a_column_or_an_error_of_ours(tree: Node) -> None:
    columns = {name: np.array([0.0, -1.5, 3.0]) for name in NAMES} | {"[eventID]": np.array([1, 2, 3])}
    try:
        result = evaluate(to_text(tree), columns)
    except FormulaError:
        return
    assert result.shape == (3,)
    assert result.dtype == np.float64


@given(trees)
@settings(deadline=None)
def test_arrays_of_one_element_behave_like_scalars(tree: Node) -> None:
    # Length$ counts the instances of all that is named, and an element that does not exist has none
    if any(node in (Special("Length$"), Special("Iteration$")) for node in walk(tree)):
        return
    if any(isinstance(node, Name) and node.name == "rndm" for node in walk(tree)):
        return
    # nor have loops over an element that does not exist anything to loop over: Max$(x[5]) is 0, not NaN
    loops = (node for node in walk(tree) if isinstance(node, Call) and node.name in LOOPS)
    if any(isinstance(node, Name) and any(node.indices) for loop in loops for node in walk(loop)):
        return
    scalars = {name: np.array([0.0, -1.5, 3.0]) for name in NAMES} | {"[eventID]": np.array([1, 2, 3])}
    arrays = {name: column if name == "[eventID]" else column[:, None] for name, column in scalars.items()}
    try:
        expected = evaluate(to_text(tree), scalars)
        result = evaluate(to_text(tree), arrays)
    except FormulaError:
        return
    result = result if isinstance(result, np.ndarray) else result.tolist()
    for scalar, entry in zip(expected, result, strict=True):
        values = entry if isinstance(entry, list) else [entry]
        # an entry without the element asked for has no instance, as a scalar it is NaN
        np.testing.assert_array_equal(values, [scalar] * len(values))


JUNK = st.text(alphabet="ax01.e$@[](){}+-*/%^!<>=&|?:;,\"' \n\t\\_~#µ²٣", max_size=60)
PIECES = st.lists(
    st.sampled_from([*(o.symbol for o in OPERATORS), "(", ")", "[", "]", "?", ":", ",", "x", "1", "sqrt", "Sum$", "!"]),
    max_size=30,
).map("".join)


@given(JUNK | PIECES | st.text(max_size=40))
@example("0x")
@example("1e")
@example("x[]")
@example("²")
@example("٣")
@example("x->")
@example("a::")
@settings(max_examples=250, deadline=None)
def test_junk_raises_nothing_but_formula_errors(text: str) -> None:
    with contextlib.suppress(FormulaError):
        evaluate(text, {"x": np.array([1.0, 2.0]), "a": np.array([[1.0], [2.0]])})


HUGE = 100_000
LARGE = {
    "parentheses": "(" * HUGE,
    "brackets": "x[" * (HUGE // 2),
    "a name": "a" * HUGE,
    "members": "a" + ".a" * (HUGE // 2),
    "scopes": "a" + "::a" * (HUGE // 3),
    "a function": "a" * HUGE + "(1)",
    "a number": "1" * HUGE,
    "a hexadecimal number": "0x" + "f" * HUGE,
    "exponents": "1e" * (HUGE // 2),
    "signs": "-" * HUGE,
    "negations": "!" * HUGE,
    "questions": "a?" * (HUGE // 2),
    "conditionals": "a?1:" * (HUGE // 4) + "1",
    "a sum": "1" + "+1" * (HUGE // 2),
    "all operators": "1" + "||1&&1|1&1<1>1<=1>=1==1!=1+1-1%1>>1<<1*1/1^1" * (HUGE // 45),
    "commas": "min(" + "," * HUGE,
    "blanks": " " * HUGE,
    "quotes": '"' * HUGE,
    "ladder": "1*(1^(1%(" * (HUGE // 9),
}


@pytest.mark.parametrize("name", LARGE)
@pytest.mark.usefixtures("never_hangs")
def test_a_hundred_kilobytes_are_dealt_with(name: str) -> None:
    with contextlib.suppress(FormulaError):
        evaluate(LARGE[name], {"a": np.ones(2), "x": np.ones(2)})
    message = ""
    try:
        branches(LARGE[name], ["a", "x"])
    except FormulaError as error:
        message = str(error)
    assert len(message) < 500


def to_text(node: Node) -> str:
    """Return an expression that parses to the same tree; everything but single values is in parentheses."""
    match node:
        case Number():
            return _number_text(node.value)
        case Name():
            return node.name + "".join(f"[{'' if i is None else to_text(i)}]" for i in node.indices)
        case Special():
            return node.name
        case Parameter():
            return f"[{node.name}]"
        case Prefix():
            return node.symbol + _operand_text(node.operand)
        case Operation():
            return node.symbol.join(_operand_text(operand) for operand in node.operands)
        case Conditional():
            return "?".join((_operand_text(node.condition), _operand_text(node.yes))) + (":" + _operand_text(node.no))
        case Call():
            return f"{node.name}({','.join(to_text(argument) for argument in node.arguments)})"


def _operand_text(node: Node) -> str:
    text = to_text(node)
    return f"({text})" if isinstance(node, Prefix | Operation | Conditional) else text


def _number_text(value: float) -> str:
    if math.isinf(value):
        return "1e999"  # there is no literal for it, but what overflows is read as infinity
    return str(int(value)) if value.is_integer() and value < 1e15 else repr(value)
