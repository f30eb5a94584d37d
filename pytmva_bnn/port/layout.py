"""Lines that are too long, broken at brackets, commas, operators and inside strings.

Only text that the translation itself has written is understood: all strings are in double quotes.

>>> for part in wrapped('book(loader, "MLP", "a:b", 1234567890)', 30):
...     print(part)
book(
    loader,
    "MLP",
    "a:b",
    1234567890,
)
"""

from __future__ import annotations

import re

WIDTH = 120
_OPERATORS = (" << ", " and ", " or ", " + ", " - ", " if ", " else ", " == ", " != ")
_STATEMENT = re.compile(r"((?:return|if|elif|while|assert) |[\w.\[\]\"]+ [-+*/%]?= )(.+?)(:?)$", re.DOTALL)
_DEPTH = 12


def wrapped(code: str, width: int, depth: int = 0) -> list[str]:
    """Return a statement or expression as lines of at most ``width`` characters, as far as possible."""
    if len(code) <= width or depth > _DEPTH:
        return [code]
    if depth == 0 and _positions(code, " << ") and not _STATEMENT.match(code):
        return ["(", *(f"    {line}" for line in _broken(code, width - 4, 1)), ")"]
    group = _last_group(code)
    if group is None:
        statement = _STATEMENT.match(code)
        if statement is None and depth == 0:
            body = _broken(code, width - 4, 1)
            return (
                ["(", *(f"    {line}" for line in body), ")"] if len(body) > 1 and "lambda" not in code[:6] else [code]
            )
        if statement is None or depth > 0:
            return _broken(code, width, depth)
        opening, value, closing = statement.groups()
        body = _broken(value, width - 4, depth + 1)
        return [f"{opening}(", *(f"    {line}" for line in body), f"){closing}"]
    start, end = group
    body = _inside(code[start + 1 : end], width - 4, depth + 1)
    return [code[: start + 1], *(f"    {line}" for line in body), code[end:]]


def _inside(body: str, width: int, depth: int) -> list[str]:
    """Return what stands between brackets as lines."""
    is_generator = bool(_positions(body, " for "))
    commas = [] if is_generator else _positions(body, ", ")
    if len(body) <= width:
        return (
            [body]
            if not commas or depth > 1
            else [body]
            if len(body) <= width // 2
            else _one_a_line(body, commas, width, depth)
        )
    if commas:
        return _one_a_line(body, commas, width, depth)
    return _broken(body, width, depth)


def _one_a_line(body: str, commas: list[int], width: int, depth: int) -> list[str]:
    lines: list[str] = []
    for part in _cut(body, commas, 2):
        pieces = _broken(part, width - 1, depth) if len(part) > width - 1 else [part]
        if part:
            lines.extend(pieces[:-1])
            lines.append(f"{pieces[-1]}," if not pieces[-1].startswith("*") else pieces[-1])
    return lines


def _broken(code: str, width: int, depth: int) -> list[str]:
    """Break an expression at its operators, or a string into pieces."""
    if len(code) <= width:
        return [code]
    if _is_string(code):
        return _string_pieces(code, width)
    for operator in _OPERATORS:
        positions = _positions(code, operator)
        if positions:
            parts = _cut(code, positions, 1)  # the operator leads its line
            return [line for part in parts for line in wrapped(part.strip(), width, depth + 1)]
    return wrapped(code, width, depth + 1) if _last_group(code) is not None else [code]


def _cut(code: str, positions: list[int], skip: int) -> list[str]:
    starts = [0, *(position + skip for position in positions)]
    return [code[start:end] for start, end in zip(starts, [*positions, len(code)], strict=True)]


def _scan(code: str) -> list[int]:
    """Return for each character how many brackets are open before it; -1 inside a string."""
    depths: list[int] = []
    open_ = 0
    in_string = escaped = False
    for one in code:
        if in_string:
            depths.append(-1)
            in_string = escaped or one != '"'
            escaped = one == "\\" and not escaped
            continue
        if one == '"':
            in_string = True
            depths.append(-1)
            continue
        if one in ")]}":
            depths.append(open_)
            open_ -= 1
            continue
        depths.append(open_)
        if one in "([{":
            open_ += 1
    return depths


def _positions(code: str, what: str) -> list[int]:
    """Return where ``what`` stands outside of brackets and strings."""
    depths = _scan(code)
    return [match.start() for match in re.finditer(re.escape(what), code) if depths[match.start()] == 0]


def _last_group(code: str) -> tuple[int, int] | None:
    """Return the places of the last pair of brackets that is not within others and holds most of the line's text."""
    depths = _scan(code)
    groups: list[tuple[int, int]] = []
    start = -1
    for position, (one, depth) in enumerate(zip(code, depths, strict=True)):
        if depth == 0 and one in "([{":
            start = position
        elif depth == 1 and one in ")]}" and start >= 0:
            groups.append((start, position))
            start = -1
    long = [group for group in groups if group[1] - group[0] > 20]
    return max(long, key=lambda group: group[1] - group[0]) if long else None


def _is_string(code: str) -> bool:
    return re.fullmatch(r'f?"(?:\\.|[^"\\])*"', code) is not None


def _string_pieces(code: str, width: int) -> list[str]:
    """Return a string as several that Python joins; f-strings are not cut inside their braces."""
    prefix, body = ("f", code[2:-1]) if code.startswith("f") else ("", code[1:-1])
    room = max(width - 3, 8)
    pieces: list[str] = []
    piece = ""
    for atom in re.findall(r"\{\{|\}\}|\{[^{}]*\}|\\.|[^\\{}:,; ]+[:,; ]?|.", body, re.DOTALL):
        if piece and len(piece) + len(atom) > room:
            pieces.append(piece)
            piece = ""
        piece += atom
        while not prefix and len(piece) > room and "\\" not in piece:
            pieces.append(piece[:room])
            piece = piece[room:]
    pieces.append(piece)
    used = [piece for piece in pieces if piece]
    return [f'{prefix if re.search(r"[{}]", piece) else ""}"{piece}"' for piece in used]
