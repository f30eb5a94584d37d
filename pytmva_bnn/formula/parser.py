"""From tokens to the tree, by precedence climbing over the table of operators.

Functions are known by name, so a wrong one, or a wrong number of arguments, is found here; branches are
looked up only when the expression meets its columns.

>>> parse("a-b+c") == parse("(a-b)+c")
True
>>> parse("7%4*2") == parse("7%(4*2)")
True
"""

from __future__ import annotations

from typing import NoReturn

from pytmva_bnn.formula.errors import FormulaError, did_you_mean, shorten
from pytmva_bnn.formula.functions import FUNCTIONS, MEANT
from pytmva_bnn.formula.lexer import Kind, Token, number_value, tokenize, word_hint
from pytmva_bnn.formula.loops import LOOPS, SPECIALS
from pytmva_bnn.formula.nodes import Call, Conditional, Name, Node, Number, Operation, Parameter, Prefix, Special, depth
from pytmva_bnn.formula.operators import PREFIXES, RANK, TIGHTEST

MAX_DEPTH = 120
"""How deeply an expression may be nested; Python's own stack ends not far beyond."""

# TTreeFormula: a cast is read and has no effect; others than these would have one in C++ and are refused
CASTS = frozenset({"int", "double"})
OTHER_CASTS = frozenset({"float", "long", "short", "char", "bool", "unsigned", "Int_t", "Float_t", "Double_t"})

AFTER_SIGN = RANK["-"] + 1


def parse(expression: str) -> Node:
    """Return the tree of ``expression``; raise :class:`FormulaError` if it is not valid."""
    return _Parser(expression).whole()


class _Parser:
    """The tokens, and how far they have been read."""

    def __init__(self, expression: str) -> None:
        self.expression = expression
        self.tokens = tokenize(expression)
        self.at = 0
        self.level = 0

    # -- the tokens ------------------------------------------------------------------------------------

    def peek(self) -> Token:
        return self.tokens[self.at]

    def next(self) -> Token:
        token = self.peek()
        self.at += 1
        return token

    def is_symbol(self, text: str, ahead: int = 0) -> bool:
        at = min(self.at + ahead, len(self.tokens) - 1)
        return self.tokens[at].kind is Kind.SYMBOL and self.tokens[at].text == text

    def accept(self, text: str) -> bool:
        found = self.is_symbol(text)
        self.at += found
        return found

    def close(self, text: str, opened: Token) -> None:
        if self.peek().kind is Kind.END:
            self.fail(f"{text!r} is missing for this {opened.text!r}", opened)
        if not self.accept(text):
            self.unexpected(f"an operator or {text!r}")

    def fail(self, problem: str, token: Token, hint: str = "") -> NoReturn:
        raise FormulaError(problem, expression=self.expression, position=token.position, hint=hint)

    def unexpected(self, expected: str) -> NoReturn:
        token = self.peek()
        found = "the expression ends" if token.kind is Kind.END else f"{shorten(token.text)!r} comes"
        self.fail(f"{found} where {expected} is expected", token, word_hint(self.expression))

    # -- the grammar -----------------------------------------------------------------------------------

    def whole(self) -> Node:
        if self.peek().kind is Kind.END:
            self.fail("the expression is empty", self.peek())
        tree = self.conditional()
        if self.is_symbol(")") or self.is_symbol("]"):
            self.fail(f"{self.peek().text!r} closes nothing", self.peek())
        if self.peek().kind is not Kind.END:
            self.unexpected("an operator")
        if depth(tree) > MAX_DEPTH:
            self.too_deep()
        return tree

    def too_deep(self) -> NoReturn:
        self.fail(f"the expression is nested more than {MAX_DEPTH} levels deep", self.peek())

    def conditional(self) -> Node:
        condition = self.operation(0)
        if not self.is_symbol("?"):
            return condition
        question = self.next()
        yes = self.nested_conditional()
        if not self.accept(":"):
            self.unexpected("the ':' of '?'")
        no = self.nested_conditional()
        return Conditional(condition, yes, no, question.position)

    def nested_conditional(self) -> Node:
        """Parse a conditional one level down: a chain of ``a ? b : c ? d : …`` nests without parentheses."""
        self.level += 1
        node = self.conditional()
        self.level -= 1
        return node

    def operation(self, loosest: int) -> Node:
        """Parse what is joined by operators of rank ``loosest`` and tighter."""
        self.level += 1
        if self.level > MAX_DEPTH:
            self.too_deep()
        left = self.operand(loosest)
        while True:
            token = self.peek()
            rank = RANK.get(token.text, -1) if token.kind is Kind.SYMBOL else -1
            if rank < loosest:
                break
            operands = [left]
            while self.accept(token.text):
                operands.append(self.operation(rank + 1))
            left = Operation(token.text, tuple(operands), token.position)
        self.level -= 1
        return left

    def operand(self, loosest: int) -> Node:
        token = self.peek()
        match token.kind:
            case Kind.NUMBER:
                return Number(number_value(self.next().text), token.position)
            case Kind.NAME:
                return self.call() if self.is_symbol("(", ahead=1) else self.name()
            case Kind.SYMBOL if token.text == "(":
                return self.parenthesis(loosest)
            case Kind.SYMBOL if token.text in PREFIXES:
                self.next()
                # TTreeFormula: a minus negates everything up to the next + or -; ! only the next value
                rank = max(loosest, AFTER_SIGN) if token.text == "-" else TIGHTEST
                return Prefix(token.text, self.operation(rank), token.position)
            case Kind.SYMBOL if token.text == "+":
                self.next()
                return self.operation(max(loosest, AFTER_SIGN))
            case Kind.SYMBOL if token.text == "[":
                return self.parameter()
            case _:
                return self.unexpected("a value")

    def parenthesis(self, loosest: int) -> Node:
        opened = self.next()
        if self.peek().kind is Kind.NAME and self.is_symbol(")", ahead=1):
            if self.peek().text in CASTS:
                self.at += 2
                return self.operation(max(loosest, AFTER_SIGN))
            if self.peek().text in OTHER_CASTS:
                self.fail(f"the cast ({self.peek().text}) is not available", self.peek())
        inside = self.conditional()
        self.close(")", opened)
        return inside

    def parameter(self) -> Node:
        opened = self.next()
        if self.peek().kind not in (Kind.NAME, Kind.NUMBER):
            self.unexpected("the name of a parameter")
        name = self.next().text
        self.close("]", opened)
        return Parameter(name, opened.position)

    def name(self) -> Node:
        token = self.next()
        if token.text in SPECIALS:
            return Special(token.text, token.position)
        if token.text in FUNCTIONS and "::" in token.text:
            self.fail(f"{token.text} is a function", token, f"write {token.text}(…)")
        name, indices = token.text, []
        while self.is_symbol("["):
            opened = self.next()
            indices.append(None if self.is_symbol("]") else self.conditional())
            self.close("]", opened)
            if self.peek().kind is Kind.MEMBER:  # jets[0].pt is jets.pt[0]
                name += self.next().text
        if self.is_symbol("("):
            self.refuse_method(token)
        return Name(name, tuple(indices), token.position)

    def call(self) -> Node:
        token = self.next()
        opened = self.next()
        arguments: list[Node] = []
        if not self.is_symbol(")"):
            arguments.append(self.conditional())
            while self.accept(","):
                arguments.append(self.conditional())
        self.close(")", opened)
        if "@" in token.text and token.text.endswith(".size") and not arguments:
            container = Name(token.text.removesuffix(".size").replace("@", ""), (), token.position)
            return Call("Length$", (container,), token.position)
        function = FUNCTIONS.get(token.text) or LOOPS.get(token.text)
        if function is None:
            self.refuse_function(token)
        if not function.fewest <= len(arguments) <= function.most:
            self.fail(f"{token.text} takes {function.arity}, not {len(arguments)}", token)
        return Call(token.text, tuple(arguments), token.position)

    def refuse_function(self, token: Token) -> NoReturn:
        if "." in token.text:
            self.refuse_method(token)
        name = token.text
        hint = MEANT.get(name) or word_hint(self.expression) or did_you_mean(name, (*FUNCTIONS, *LOOPS))
        self.fail(f"there is no function {shorten(name)!r}", token, hint)

    def refuse_method(self, token: Token) -> NoReturn:
        self.fail(f"{shorten(token.text)!r} calls a method, which would run code", token)
