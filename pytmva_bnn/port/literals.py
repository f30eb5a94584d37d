"""C++ literals, printf formats and pieces of output → Python literals and f-strings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "e": "\x1b"}
_NUMBER = re.compile(
    r"(?P<hex>0[xX][0-9a-fA-F]+)|(?P<binary>0[bB][01]+)|(?P<float>(\d+\.\d*|\.\d+|\d+(?=[eE]))([eE][-+]?\d+)?)|(?P<int>\d+)"
)
_CONVERSION = re.compile(
    r"%(?P<flags>[-+ 0#]*)(?P<width>\d*)(?P<precision>\.\d+)?(?:hh|h|ll|l|L|z|j)?(?P<type>[a-zA-Z%])"
)


def number(text: str) -> str | None:
    """Return a C++ number as a Python one, or None if it is none.

    >>> [number(text) for text in ("1.", "2.5f", ".5", "10L", "1e-3", "0x1F", "1'000", "010")]
    ['1.0', '2.5', '0.5', '10', '1e-3', '0x1F', '1000', '8']
    """
    match = _NUMBER.match(text.replace("'", ""))
    if match is None or match.end() == 0:
        return None
    rest = text.replace("'", "")[match.end() :]
    if match["hex"] or match["binary"]:
        return match.group() if re.fullmatch(r"[uUlL]*", rest) else None
    if match["float"]:
        if not re.fullmatch(r"[fFlL]?", rest):
            return None
        mantissa, exponent = re.match(r"([\d.]+)(.*)", match["float"]).groups()  # type: ignore[union-attr]
        mantissa = f"0{mantissa}" if mantissa.startswith(".") else mantissa
        return f"{mantissa}0{exponent}" if mantissa.endswith(".") else mantissa + exponent
    if not re.fullmatch(r"[uUlL]*", rest) or len(match["int"]) > 40:
        return None
    digits = match["int"]
    if len(digits) > 1 and digits.startswith("0"):
        return str(int(digits, 8)) if re.fullmatch("[0-7]+", digits) else None
    return digits


def is_float(text: str) -> bool:
    """Tell whether a Python number is a float."""
    return not text.lower().startswith("0x") and re.search(r"[.eE]", text) is not None


def unescaped(text: str) -> str:
    """Return what a C++ string between its quotes means.

    >>> unescaped(r"a\\tb\\x41")
    'a\\tbA'
    """

    def meaning(match: re.Match[str]) -> str:
        code = match.group(1)
        if code[0] in "xuU" and len(code) > 1:
            value = int(code[1:], 16)
            return chr(value) if value < 0xD800 else "\ufffd"
        if code[0] in "01234567":
            return chr(int(code, 8))
        return _ESCAPES.get(code, code)

    return re.sub(r"\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{4}|[0-7]{1,3}|.)", meaning, text, flags=re.DOTALL)


def quoted(value: str) -> str:
    r"""Return a string as a Python literal in double quotes."""
    return f'"{_escaped(value)}"'


def _escaped(value: str) -> str:
    body = repr("'" + value)[2:-1]  # the leading ' makes repr choose double quotes, unless there are some inside
    if repr("'" + value)[0] == "'":
        body = repr(value)[1:-1] if repr(value)[0] == "'" else repr("'" + value)[3:-1]
        body = body.replace("\\'", "'").replace('"', '\\"')
    return body


def extended(text: str, literal: str | None, suffix: str) -> str:
    """Return the text of a string expression (and its value, if it is a literal) with more text at its end."""
    if literal is not None:
        return quoted(literal + suffix)
    is_one = re.fullmatch(r'f"(?:\\.|[^"\\])*"', text) is not None
    if is_one:
        return f'{text[:-1]}{_escaped(suffix.replace("{", "{{").replace("}", "}}"))}"'
    if re.search(r' \+ "(?:\\.|[^"\\])*"$', text):
        return f'{text[:-1]}{_escaped(suffix)}"'
    return interpolated([Piece(text, True), Piece(suffix)])


@dataclass(frozen=True)
class Piece:
    """A part of a text: fixed text, or an expression with a format."""

    text: str
    is_expression: bool = False
    spec: str = ""


def interpolated(pieces: Sequence[Piece]) -> str:
    r"""Return the pieces as one Python string: plain, an f-string, or with ``format`` where that cannot be."""
    if not any(piece.is_expression for piece in pieces):
        return quoted("".join(piece.text for piece in pieces))
    single = [_in_f_string(piece) for piece in pieces]
    if None not in single:
        return 'f"' + "".join(part or "" for part in single) + '"'
    template = "".join(
        f"{{:{piece.spec}}}"
        if piece.spec
        else "{}"
        if piece.is_expression
        else piece.text.replace("{", "{{").replace("}", "}}")
        for piece in pieces
    )
    arguments = ", ".join(piece.text for piece in pieces if piece.is_expression)
    return f"{quoted(template)}.format({arguments})"


def _in_f_string(piece: Piece) -> str | None:
    if not piece.is_expression:
        return _escaped(piece.text.replace("{", "{{").replace("}", "}}"))
    text = piece.text
    if not piece.spec and re.fullmatch(r'f"(?:\\.|[^"\\])*"', text):
        return text[2:-1]  # an f-string within an f-string is a part of it
    # Python 3.11: no quotes of the same kind and no backslashes within the braces
    if "\\" in text or ('"' in text and ("'" in text or 'f"' in text)) or text.startswith("{") or "lambda" in text:
        return None
    return "{" + text.replace('"', "'") + (f":{piece.spec}" if piece.spec else "") + "}"


def printf_pieces(template: str, arguments: Sequence[str], are_integers: Sequence[bool]) -> list[Piece] | None:
    """Return a printf format and its arguments as pieces, or None if they do not fit.

    >>> printf_pieces("%s: %5.2f of %d%%", ["name", "x", "n"], [False, False, True])
    [Piece(text='name', is_expression=True, spec=''), Piece(text=': ', is_expression=False, spec=''),
     Piece(text='x', is_expression=True, spec='5.2f'), Piece(text=' of ', is_expression=False, spec=''),
     Piece(text='n', is_expression=True, spec=''), Piece(text='%', is_expression=False, spec='')]
    """
    pieces: list[Piece] = []
    position = used = 0
    for match in _CONVERSION.finditer(template):
        if match.start() > position:
            pieces.append(Piece(template[position : match.start()]))
        position = match.end()
        if match["type"] == "%":
            pieces.append(Piece("%"))
            continue
        if used >= len(arguments):
            return None
        spec = _format_spec(match, are_integers[used])
        if spec is None:
            return None
        is_fixed = spec == "" and arguments[used].isdigit()
        pieces.append(Piece(arguments[used], not is_fixed, spec))
        used += 1
    if position < len(template):
        pieces.append(Piece(template[position:]))
    if used != len(arguments) or any("%" in p.text and p.text != "%" for p in pieces if not p.is_expression):
        return None
    return pieces


def _format_spec(match: re.Match[str], is_integer: bool) -> str | None:
    flags, width, precision, kind = match["flags"], match["width"], match["precision"] or "", match["type"]
    sign = "+" if "+" in flags else " " if " " in flags else ""
    if kind == "s":
        align = ("<" if "-" in flags else ">") if width else ""
        return align + width + precision
    align = "<" if "-" in flags and width else ""
    zero = "0" if "0" in flags and not align else ""
    if kind in "diu":
        plain = is_integer and not (sign or align or zero or width or precision)
        return "" if plain else f"{align}{sign}{zero}{width}d" if not precision else None
    if kind in "eEfFgGxXo":
        return f"{align}{sign}{zero}{width}{precision}{kind}"
    return "" if kind == "c" and not flags else None
