"""From text to tokens.

Blanks mean nothing, not even between the characters of a name: TTreeFormula drops them first.  Runs of
signs become one sign, ``**`` is ``^``, ``->`` is ``.``, and a semicolon ends the expression.

>>> [token.text for token in tokenize("2 - -x ** 3")]
['2', '+', 'x', '^', '3', '']
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto

from pytmva_bnn.formula.errors import FormulaError, shorten


class Kind(Enum):
    """What a token is."""

    NUMBER = auto()
    NAME = auto()
    MEMBER = auto()
    SYMBOL = auto()
    END = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the text; ``position`` is the index of its first character in the original text."""

    kind: Kind
    text: str
    position: int


_PART = r"@?[^\W\d][\w@$]*"
_JOINED = rf"(?:(?:\.|::|->){_PART})*"
_HEXADECIMAL = r"0[xX][0-9a-fA-F]+(?:\.[0-9a-fA-F]*)?(?:[pP][+-]?[0-9]+)?[uUlL]{0,3}"
_DECIMAL = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[fFlLuU]{0,3}"
_TOKEN = re.compile(
    "|".join(
        (
            rf"(?P<NUMBER>{_HEXADECIMAL}|{_DECIMAL})",
            rf"(?P<NAME>{_PART}{_JOINED})",
            rf"(?P<MEMBER>(?:\.|->){_PART}{_JOINED})",
            r"(?P<SIGNS>[+-]+)",
            r"(?P<SYMBOL>\*\*|\|\||&&|<<|>>|<=|>=|==|!=|[|&<>%*/^!?:,()\[\]])",
        )
    ),
)

REFUSED = {
    '"': "text in quotes cannot be used in a formula",
    "'": "text in quotes cannot be used in a formula",
    "=": "a single '=' is not an operator",
}
"""What else may be said of a character that no token starts with."""
HINTS = {"=": "write == to compare"}
WORDS = {"and": "&&", "or": "||", "not": "!"}


def tokenize(expression: str) -> list[Token]:
    """Return the tokens of ``expression``; the last one is of kind END, at the end of the text."""
    places = [i for i, character in enumerate(expression) if not character.isspace()]
    text = "".join(expression[i] for i in places)
    places.append(len(expression))
    tokens: list[Token] = []
    at = 0
    # TTreeFormula: what follows a semicolon is ignored
    while at < len(text) and text[at] != ";":
        found = _TOKEN.match(text, at)
        if found is None:
            character = text[at]
            raise FormulaError(
                REFUSED.get(character, f"{character!r} is not allowed in a formula"),
                expression=expression,
                position=places[at],
                hint=HINTS.get(character, ""),
            )
        tokens.append(_token(found, places[at]))
        at = found.end()
        if tokens[-1].kind is Kind.NUMBER and at < len(text) and (text[at].isalnum() or text[at] in "._@$"):
            bad = text[found.start() : at + 1]
            raise FormulaError(
                f"{shorten(bad)!r} does not start a number or a name",
                expression=expression,
                position=places[found.start()],
                hint=word_hint(expression),
            )
    tokens.append(Token(Kind.END, "", places[at]))
    return tokens


def _token(found: re.Match[str], position: int) -> Token:
    text = found.group()
    match found.lastgroup:
        case "SIGNS":
            return Token(Kind.SYMBOL, "-" if text.count("-") % 2 else "+", position)
        case "SYMBOL":
            return Token(Kind.SYMBOL, "^" if text == "**" else text, position)
        case "NUMBER":
            return Token(Kind.NUMBER, text, position)
        case "NAME":
            return Token(Kind.NAME, text.replace("->", "."), position)
        case _:
            return Token(Kind.MEMBER, text.replace("->", "."), position)


def word_hint(expression: str) -> str:
    """Return what to write for Python's ``and``, ``or``, ``not``, if they occur."""
    used = set(expression.split())
    return ", ".join(f"write {symbol} for {word}" for word, symbol in WORDS.items() if word in used)


def number_value(text: str) -> float:
    """Return the value of a number token: decimal, with exponent, hexadecimal, with the suffixes of C."""
    if text[:2] in ("0x", "0X"):
        try:
            return float.fromhex(text.rstrip("uUlL"))
        except OverflowError:
            return float("inf")
    return float(text.rstrip("fFlLuU"))
