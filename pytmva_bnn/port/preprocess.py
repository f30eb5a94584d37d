"""The C++ preprocessor's conditionals: the branch that a compiler would see stays, the others become comments.

Rows are kept, so that everything found later can be traced back to the macro's lines.

>>> chosen = preprocess("#ifdef __CINT__\\nint a;\\n#else\\nint b;\\n#endif\\n")
>>> chosen.source.splitlines()
['', '//   int a;', '', 'int b;', '']
>>> chosen.notes
['line 1: #ifdef __CINT__ is taken as false']
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

# what an interpreted macro sees in ROOT 6; everything that is not here or defined in the macro is undefined
_KNOWN: dict[str, int] = {"__CLING__": 1, "__cplusplus": 201703, "ROOT_VERSION_CODE": (6 << 16) + (40 << 8)}
# names whose absence is the usual case and needs no note
_USUAL = re.compile(r"\w+_(h|H|hh|hpp|HH|C|cxx|INCLUDED)_*")
_LONGEST = 300
_DIRECTIVE = re.compile(r"\s*#\s*(\w+)?\s*(.*)", re.DOTALL)
_NEEDLESS = re.compile(
    r"\s*(R__LOAD_LIBRARY|R__ADD_INCLUDE_PATH|R__ADD_LIBRARY_PATH|ClassImp|ClassDef)\s*\(.*\)\s*;?\s*"
)
_TOKEN = re.compile(r"\s*(0[xX][0-9a-fA-F]+|\d+|\w+|&&|\|\||[=!<>]=|[<>!()+*,-])[uUlL]*")


@dataclass(frozen=True)
class Preprocessed:
    """The text without conditionals and includes, and what was decided."""

    source: str
    notes: list[str]


@dataclass
class _Conditional:
    outer: bool  # whether the code around it is seen
    active: bool
    taken: bool  # whether a branch was taken already


@dataclass
class _State:
    stack: list[_Conditional] = field(default_factory=list)
    defined: dict[str, int] = field(default_factory=lambda: dict(_KNOWN))
    notes: list[str] = field(default_factory=list)

    @property
    def active(self) -> bool:
        return not self.stack or self.stack[-1].active


def preprocess(source: str) -> Preprocessed:
    """Evaluate the conditionals of a C++ text."""
    state = _State()
    result: list[str] = []
    in_comment = False
    rows = _plain(source).split("\n")
    number = 0
    while number < len(rows):
        row = rows[number]
        n_rows = 1
        if not in_comment and row.lstrip().startswith("#"):
            while rows[number + n_rows - 1].endswith("\\") and number + n_rows < len(rows):
                n_rows += 1
            joined = " ".join(part.rstrip("\\") for part in rows[number : number + n_rows])
            result.append(_directive(joined, number + 1, state))
            result.extend([""] * (n_rows - 1))
        elif not state.active:
            result.append(f"//   {row.strip()}" if row.strip() else "")
        elif not in_comment and _NEEDLESS.fullmatch(row):
            result.append("")
        else:
            result.append(row)
            in_comment = _ends_in_comment(row, in_comment)
        number += n_rows
    return Preprocessed("\n".join(result), state.notes)


def _plain(source: str) -> str:
    """Return the text without characters that no source has (NUL and the like)."""
    unified = source.replace("\r\n", "\n").replace("\r", "\n").replace("\t", "    ")
    return "".join(
        one if one == "\n" or (one.isprintable() and not "\ud800" <= one <= "\udfff") else " " for one in unified
    )


def _directive(row: str, number: int, state: _State) -> str:
    """Take one directive into account and return what stays of it."""
    match = _DIRECTIVE.match(row)
    word, rest = (match.group(1) or "", match.group(2)) if match else ("", "")
    rest = re.sub(r"//.*|/\*.*?\*/", "", rest).strip()[:_LONGEST]
    if word in ("if", "ifdef", "ifndef"):
        value = _condition(word, rest, number, state) if state.active else False
        state.stack.append(_Conditional(state.active, value, value))
    elif word in ("elif", "else") and state.stack:
        top = state.stack[-1]
        wanted = top.outer and not top.taken
        top.active = wanted and (word == "else" or _condition("if", rest, number, state))
        top.taken |= top.active
    elif word == "endif" and state.stack:
        state.stack.pop()
    elif word == "define" and state.active:
        name, _, value_text = rest.partition(" ")
        state.defined[name.partition("(")[0]] = int(value_text) if re.fullmatch(r"\d{1,9}", value_text.strip()) else 1
        # an include guard has no value and no meaning later
        return row if value_text.strip() or "(" in name else ""
    elif word == "undef" and state.active:
        state.defined.pop(rest, None)
    elif word == "error" and state.active:
        state.notes.append(f"line {number}: #error {rest} is ignored")
    return ""


def _condition(word: str, rest: str, number: int, state: _State) -> bool:
    if word == "if":
        value = _evaluate(rest, state.defined)
        if value is None:
            state.notes.append(f"line {number}: #if {rest} is not understood and taken as false")
            return False
        outcome = bool(value)
    else:
        outcome = (rest in state.defined) == (word == "ifdef")
    if not _USUAL.fullmatch(rest):
        state.notes.append(f"line {number}: #{word} {rest} is taken as {'true' if outcome else 'false'}")
    return outcome


def _evaluate(expression: str, defined: dict[str, int]) -> int | None:
    """Return the value of the expression of an ``#if``, or None if it is none."""
    tokens: list[str] = []
    position = 0
    while position < len(expression.rstrip()):
        match = _TOKEN.match(expression, position)
        if match is None or len(tokens) > 200:
            return None
        tokens.append(match.group(1))
        position = match.end()
    try:
        value = _Condition(tokens, defined).disjunction()
    except (IndexError, ValueError, RecursionError):
        return None
    return value


class _Condition:
    """A parser of conditions by recursive descent."""

    def __init__(self, tokens: list[str], defined: dict[str, int]) -> None:
        self._tokens = [*tokens, ""]
        self._at = 0
        self._defined = defined

    def _take(self, *expected: str) -> str | None:
        if self._tokens[self._at] in expected:
            self._at += 1
            return self._tokens[self._at - 1]
        return None

    def disjunction(self) -> int:
        value = self._conjunction()
        while self._take("||"):
            value = int(bool(self._conjunction()) | bool(value))
        return value

    def _conjunction(self) -> int:
        value = self._comparison()
        while self._take("&&"):
            value = int(bool(self._comparison()) & bool(value))
        return value

    def _comparison(self) -> int:
        left = self._atom()
        operator = self._take("==", "!=", "<=", ">=", "<", ">")
        if operator is None:
            return left
        right = self._atom()
        results = {
            "==": left == right,
            "!=": left != right,
            "<=": left <= right,
            ">=": left >= right,
            "<": left < right,
            ">": left > right,
        }
        return int(results[operator])

    def _atom(self) -> int:
        if self._take("!"):
            return int(not self._atom())
        if self._take("("):
            value = self.disjunction()
            self._expect(")")
            return value
        word = self._tokens[self._at]
        self._at += 1
        if word == "defined":
            bracket = self._take("(")
            name = self._tokens[self._at]
            self._at += 1
            if bracket:
                self._expect(")")
            return int(name in self._defined)
        if word == "ROOT_VERSION" and self._take("("):
            return self._version()
        if word[0].isdigit():
            return int(word, 16 if word[:2].lower() == "0x" else 10)
        if not word[0].isalpha() and word[0] != "_":
            raise ValueError(word)
        return self._defined.get(word, 0)

    def _version(self) -> int:
        numbers = []
        for end in (",", ",", ")"):
            numbers.append(self._atom())
            self._expect(end)
        return (numbers[0] << 16) + (numbers[1] << 8) + numbers[2]

    def _expect(self, token: str) -> None:
        if self._take(token) is None:
            raise ValueError(token)


def _ends_in_comment(row: str, in_comment: bool) -> bool:
    """Tell whether a ``/*`` is open at the end of a row."""
    for mark in re.findall(r"/\*|\*/|//|\"(?:\\.|[^\"\\])*\"", row):
        if in_comment:
            in_comment = mark != "*/"
        elif mark == "//":
            return False
        else:
            in_comment = mark == "/*"
    return in_comment
