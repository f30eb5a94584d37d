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
from pathlib import Path

# what an interpreted macro sees in ROOT 6; everything that is not here or defined in the macro is undefined
_KNOWN: dict[str, int] = {"__CLING__": 1, "__cplusplus": 201703, "ROOT_VERSION_CODE": (6 << 16) + (40 << 8)}
# names whose absence is the usual case and needs no note
_USUAL = re.compile(r"\w+_(h|H|hh|hpp|HH|C|cxx|INCLUDED)_*")
_LONGEST = 300
_LARGEST_INCLUDE = 400_000
# headers that ROOT and TMVA bring along
_OF_ROOT = re.compile(r"(.*/)?([TR][A-Z]\w*|TMVA\w*|Riostream|Rtypes|tmvaglob)\.(h|hh|hxx|C)|TMVA/.*")
_DIRECTIVE = re.compile(r"\s*#\s*(\w+)?\s*(.*)", re.DOTALL)
_NEEDLESS = re.compile(
    r"\s*(R__LOAD_LIBRARY|R__ADD_INCLUDE_PATH|R__ADD_LIBRARY_PATH|ClassImp|ClassDef)\s*\(.*\)\s*;?\s*"
)
_TOKEN = re.compile(r"\s*(?:(0[xX][0-9a-fA-F]+|\d+)[uUlL]*|(\w+|&&|\|\||[=!<>]=|[<>!()+*/%,-]))")
_WORDS = {"not": "!", "and": "&&", "or": "||", "true": "1", "false": "0"}


@dataclass(frozen=True)
class Preprocessed:
    """The text without conditionals and includes, and what was decided."""

    source: str
    notes: list[str]
    row_offset: int = 0


@dataclass
class _Conditional:
    outer: bool  # whether the code around it is seen
    active: bool
    taken: bool  # whether a branch was taken already


@dataclass(frozen=True)
class _Macro:
    """A macro of the preprocessor that is put in where it is used."""

    parameters: tuple[str, ...] | None
    text: str


@dataclass
class _State:
    stack: list[_Conditional] = field(default_factory=list)
    defined: dict[str, int] = field(default_factory=lambda: dict(_KNOWN))
    notes: list[str] = field(default_factory=list)
    macros: dict[str, _Macro] = field(default_factory=dict)
    included: set[Path] = field(default_factory=set)

    @property
    def active(self) -> bool:
        return not self.stack or self.stack[-1].active


def preprocess(source: str, *, folder: Path | None = None) -> Preprocessed:
    """Evaluate the conditionals of a C++ text, and put in macros and the files of ``folder`` that it includes.

    Included text stands before the macro's own, so that the rows of the latter only move by ``row_offset``.
    """
    state = _State()
    before: list[str] = []
    own = _rows(source, state, folder, before)
    return Preprocessed("\n".join([*before, *own]), state.notes, len(before))


def _rows(source: str, state: _State, folder: Path | None, before: list[str]) -> list[str]:
    result: list[str] = []
    in_comment = False
    rows = _joined(_plain(source).split("\n"))
    number = 0
    while number < len(rows):
        row = rows[number]
        n_rows = 1
        if not in_comment and row.lstrip().startswith("#"):
            while rows[number + n_rows - 1].endswith("\\") and number + n_rows < len(rows):
                n_rows += 1
            joined = " ".join(part.rstrip("\\") for part in rows[number : number + n_rows])
            _include(joined, number + 1, state, folder, before)
            result.append(_directive(joined, number + 1, state))
            result.extend([""] * (n_rows - 1))
        elif not state.active:
            result.append(f"//   {row.strip()}" if row.strip() else "")
            in_comment = _ends_in_comment(row, in_comment)
        elif not in_comment and _NEEDLESS.fullmatch(row):
            result.append("")
        else:
            result.append(row if in_comment else _expanded(row, state.macros))
            in_comment = _ends_in_comment(row, in_comment)
        number += n_rows
    return result


def _joined(rows: list[str]) -> list[str]:
    """Return the rows with those joined that end with a backslash; empty ones follow, so that numbers stay."""
    result: list[str] = []
    pending, n_pending = "", 0
    for row in rows:
        if row.endswith("\\") and not (pending or row).lstrip().startswith("#"):
            pending, n_pending = pending + row[:-1], n_pending + 1
            continue
        result += [pending + row, *[""] * n_pending]
        pending, n_pending = "", 0
    return result + ([pending, *[""] * (n_pending - 1)] if n_pending else [])


def _include(row: str, number: int, state: _State, folder: Path | None, before: list[str]) -> None:
    """Put in a file that lies beside the macro."""
    match = re.match(r'\s*#\s*include\s*"([^"]+)"', row)
    if match is None or not state.active or folder is None:
        return
    path = folder / match.group(1)
    if not path.is_file():
        if not _OF_ROOT.fullmatch(match.group(1)):
            state.notes.append(f"line {number}: the file {match.group(1)} is not beside the macro")
        return
    if path.resolve() in state.included or path.stat().st_size > _LARGEST_INCLUDE:
        return
    state.included.add(path.resolve())
    inner = _rows(path.read_text(encoding="utf-8", errors="replace"), state, path.parent, before)
    before += [f"// from {match.group(1)}", *inner]


def _expanded(row: str, macros: dict[str, _Macro], depth: int = 0) -> str:
    """Return a row with macros put in, outside of strings and comments."""
    if not macros or depth > 8:
        return row
    code, mark, rest = row.partition("//")
    pieces = re.split(r'("(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\')', code)
    if mark and code.count('"') % 2:  # the // stands in a string
        pieces, mark, rest = re.split(r'("(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\')', row), "", ""
    text = "".join(pieces)
    for name, macro in macros.items():
        if macro.parameters is None:
            pieces = re.split(r'("(?:\\.|[^"\\])*")', text)
            word = re.compile(rf"\b{name}\b")
            shown = macro.text.replace("\\", r"\\")
            text = "".join(one if number % 2 else word.sub(shown, one) for number, one in enumerate(pieces))
        else:
            text = _called(text, name, macro)
    changed = text + mark + rest
    return changed if changed == row else _expanded(changed, macros, depth + 1)


def _with_arguments(text: str, values: dict[str, str]) -> str:
    """Return the text of a macro with its arguments; ``#x`` is the argument as a string, ``##`` joins."""

    def quoted(found: re.Match[str]) -> str:
        return f'"{values[found[1]]}"' if found[1] in values else found[0]

    text = re.sub(r"#\s*(\w+)", quoted, text.replace("##", "\0"))
    text = re.sub(r"\w+", lambda found: values.get(found[0], found[0]), text)
    return re.sub(r"\s*\0\s*", "", text)


def _called(text: str, name: str, macro: _Macro) -> str:
    """Put in a macro with parameters."""
    position = 0
    while (match := re.compile(rf"\b{name}\s*\(").search(text, position)) is not None:
        arguments, end = _arguments(text, match.end())
        if arguments is None or macro.parameters is None:
            return text
        if macro.parameters[-1:] == ("...",):
            n_fixed = len(macro.parameters) - 1
            arguments = [*arguments[:n_fixed], ", ".join(arguments[n_fixed:])]
            parameters = (*macro.parameters[:-1], "__VA_ARGS__")
        else:
            parameters = macro.parameters
        if not parameters and arguments == [""]:
            arguments = []
        if len(arguments) != len(parameters):
            return text
        body = _with_arguments(macro.text, dict(zip(parameters, arguments, strict=True)))
        text = text[: match.start()] + body + text[end:]
        position = match.start() + len(body)
    return text


def _arguments(text: str, start: int) -> tuple[list[str] | None, int]:
    """Return the arguments of a call whose bracket opens before ``start``, and where it ends."""
    depth, arguments = 1, [""]
    for match in re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|.", re.DOTALL).finditer(text, start):
        piece = match[0]
        depth += (piece in "([{") - (piece in ")]}")
        if depth == 0:
            return [one.strip() for one in arguments], match.end()
        if depth == 1 and piece == ",":
            arguments.append("")
        else:
            arguments[-1] += piece
    return None, len(text)


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
        return _define(rest, row, state)
    elif word == "undef" and state.active:
        state.defined.pop(rest, None)
        state.macros.pop(rest, None)
    elif word == "error" and state.active:
        state.notes.append(f"line {number}: #error {rest} is ignored")
    return ""


def _define(rest: str, row: str, state: _State) -> str:
    """Take a ``#define`` into account: constants stay in the text, all else is put in where it is used."""
    match = re.match(r"(\w+)(\([^)]*\))?\s*(.*)", rest, re.DOTALL)
    if match is None:
        return ""
    name, parameters, text = match.groups()
    state.defined[name] = int(text) if re.fullmatch(r"\d{1,9}", text.strip()) else 1
    if parameters is not None:
        state.macros[name] = _Macro(tuple(one.strip() for one in parameters[1:-1].split(",") if one.strip()), text)
        return ""
    if not text.strip():  # an include guard has no value and no meaning later
        return ""
    if re.fullmatch(r"[-+]?[\d.][\w.+-]*|\"[^\"]*\"|'.'", text.strip()):
        return row
    state.macros[name] = _Macro(None, text)
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
        tokens.append(match.group(1) or _WORDS.get(match.group(2), match.group(2)))
        position = match.end()
    try:
        value = _Condition(tokens, defined).whole()
    except (IndexError, ValueError, RecursionError, ZeroDivisionError):
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

    def whole(self) -> int:
        """Return the value; nothing may follow."""
        value = self.disjunction()
        self._expect("")
        return value

    def disjunction(self) -> int:
        value = self._conjunction()
        while self._take("||", "or"):
            value = int(bool(self._conjunction()) | bool(value))
        return value

    def _conjunction(self) -> int:
        value = self._comparison()
        while self._take("&&", "and"):
            value = int(bool(self._comparison()) & bool(value))
        return value

    def _comparison(self) -> int:
        left = self._sum()
        operator = self._take("==", "!=", "<=", ">=", "<", ">")
        if operator is None:
            return left
        right = self._sum()
        results = {
            "==": left == right,
            "!=": left != right,
            "<=": left <= right,
            ">=": left >= right,
            "<": left < right,
            ">": left > right,
        }
        return int(results[operator])

    def _sum(self) -> int:
        value = self._product()
        while operator := self._take("+", "-"):
            value += self._product() * (1 if operator == "+" else -1)
        return value

    def _product(self) -> int:
        value = self._atom()
        while operator := self._take("*", "/", "%"):
            factor = self._atom()
            value = value * factor if operator == "*" else value // factor if operator == "/" else value % factor
        return value

    def _atom(self) -> int:
        if self._take("!", "not"):
            return int(not self._atom())
        if sign := self._take("-", "+"):
            return self._atom() * (-1 if sign == "-" else 1)
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
