"""C++ literals → Python literals."""

from __future__ import annotations

import re

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "e": "\x1b"}
_NUMBER = re.compile(
    r"(?P<hex>0[xX][0-9a-fA-F]+)|(?P<binary>0[bB][01]+)|(?P<float>(\d+\.\d*|\.\d+|\d+(?=[eE]))([eE][-+]?\d+)?)|(?P<int>\d+)"
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
