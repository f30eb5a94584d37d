"""Programs made by chance from a small grammar: the translation prints what the program of g++ prints.

The programs have variables of several integer types and double, arrays, vectors, structs, functions by value and by
reference, and bounded loops. All of them are defined C++ with -fwrapv: divisors are literals, indices are taken modulo
the size, and doubles stay small enough to be converted.
"""
# ruff: noqa: ARG002 - all kinds of statements take the same arguments

from __future__ import annotations

import contextlib
import io
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from random import Random

import pytest

from tools.differential import Snippet, outputs, record

pytest.importorskip("tree_sitter_cpp")
pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")

N_PROGRAMS = 60
INTEGERS = ("int", "unsigned int", "long long", "short", "unsigned char")
LITERALS = (
    "0",
    "1",
    "2",
    "3",
    "7",
    "10",
    "255",
    "1000",
    "65537",
    "2147483647",
    "3000000000u",
    "5u",
    "12345678901LL",
    "'A'",
)

BEGINNING = """\
struct Point {
  int x;
  double y;
  unsigned int n;
  int a[2];
  std::vector<int> v;
};
"""


@dataclass
class Scope:
    """The names that a statement may use."""

    integers: list[str] = field(default_factory=list)  # may be changed
    counters: list[str] = field(default_factory=list)  # only read
    doubles: list[str] = field(default_factory=list)
    arrays: list[str] = field(default_factory=list)  # int[4]
    vectors: list[str] = field(default_factory=list)  # never empty
    points: list[str] = field(default_factory=list)
    functions: tuple[str, ...] = ()  # of (int, unsigned int)
    in_loop: bool = False

    def inside(self, counter: str) -> Scope:
        """Return the scope within a loop with a counter."""
        return Scope(
            self.integers, [*self.counters, counter], self.doubles, self.arrays, self.vectors, self.points,
            self.functions, in_loop=True,
        )  # fmt: skip


class Writer:
    """Draws expressions and statements."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._n_names = 0

    def choose(self, *options):
        return self._random.choice(options)

    def name(self) -> str:
        self._n_names += 1
        return f"k{self._n_names}"

    # ---- expressions

    def integer(self, scope: Scope, depth: int = 2) -> str:
        kinds = ["literal", "variable", "variable"]
        if depth:
            kinds += [
                "sum",
                "sum",
                "divide",
                "remainder",
                "bits",
                "shift",
                "compare",
                "ternary",
                "unary",
                "cast",
                "call",
            ]
        kind = self.choose(*kinds)
        if kind == "literal":
            return self.choose(*LITERALS)
        if kind == "variable" or (kind == "call" and not scope.functions):
            return self.choose(*self.places(scope), *scope.counters)
        left = self.integer(scope, depth - 1)
        if kind == "divide":
            return f"({left} / {self.choose('2', '3', '-7', '10u', '1000', '-2LL')})"
        if kind == "remainder":
            return f"({left} % {self.choose('2', '5', '-3', '16u', '1000')})"
        if kind == "shift":
            return self.choose(f"({left} >> {self.choose('1', '3', '7')})", f"((unsigned int)({left}) << 3)")
        if kind == "unary":
            return f"({self.choose('-', '~', '!')}({left}))"
        if kind == "cast":
            return f"({self.choose(*INTEGERS)})({left})"
        right = self.integer(scope, depth - 1)
        if kind == "sum":
            return f"({left} {self.choose('+', '-', '*')} {right})"
        if kind == "bits":
            return f"(({left}) {self.choose('&', '|', '^')} ({right}))"
        if kind == "compare":
            return self.condition(scope, left, right)
        if kind == "call":
            return f"{self.choose(*scope.functions)}({left}, {right})"
        return f"({self.condition(scope, left, right)} ? {left} : {right})"

    def condition(self, scope: Scope, left: str = "", right: str = "") -> str:
        left, right = left or self.integer(scope, 1), right or self.integer(scope, 1)
        plain = f"(({left}) {self.choose('<', '>', '<=', '>=', '==', '!=')} ({right}))"
        if self.choose(False, False, True):
            return f"({plain} {self.choose('&&', '||')} {self.choose(*self.places(scope))} > {self.choose('0', '9')})"
        return plain

    def double(self, scope: Scope) -> str:
        # factors of at most 1/2 keep the values below those of the integers
        first = self.choose(*(self.doubles(scope) or ["1.5"]))
        second = self.choose(self.integer(scope, 1), first, "12.75")
        factor = self.choose("0.5", "-0.25", ".125")
        return f"{first} * {factor} + ({second}) {self.choose('* 0.3', '/ 4.', '/ -2.5', '* 1e-3')}"

    def doubles(self, scope: Scope) -> list[str]:
        return [*scope.doubles, *(f"{point}.y" for point in scope.points)]

    def places(self, scope: Scope) -> list[str]:
        """Return the integers that can be read and written."""
        index = self.choose("0", "1", "2", "3", *(f"(unsigned int)({name}) % 4" for name in scope.integers))
        places = list(scope.integers)
        places += [f"{name}[{index}]" for name in scope.arrays]
        places += [f"{name}[(unsigned int)({index}) % {name}.size()]" for name in scope.vectors]
        for point in scope.points:
            places += [f"{point}.x", f"{point}.n", f"{point}.a[(unsigned int)({index}) % 2]", f"{point}.v[0]"]
        return places

    # ---- statements

    def statements(self, scope: Scope, n: int, depth: int = 2) -> list[str]:
        lines = []
        for _ in range(n):
            lines += self.statement(scope, depth)
        return lines

    def statement(self, scope: Scope, depth: int) -> list[str]:
        kinds = ["assign", "assign", "compound", "compound", "double", "step", "container", "copy", "chain"]
        if depth:
            kinds += ["if", "for", "while", "range", "switch"]
        if scope.in_loop:
            kinds.append("leave")
        return getattr(self, f"_{self.choose(*kinds)}")(scope, depth)

    def _assign(self, scope: Scope, depth: int) -> list[str]:
        place = self.choose(*self.places(scope))
        if self.choose(False, False, False, True) and self.doubles(scope):
            return [f"{place} = (int)fmod({self.choose(*self.doubles(scope))}, 1000.0);"]
        return [f"{place} = {self.integer(scope)};"]

    def _compound(self, scope: Scope, depth: int) -> list[str]:
        place = self.choose(*self.places(scope))
        if self.choose(False, True):
            return [f"{place} {self.choose('/= 3', '%= 11', '>>= 2', '/= -2')};"]
        return [f"{place} {self.choose('+=', '-=', '*=', '&=', '|=', '^=')} {self.integer(scope)};"]

    def _double(self, scope: Scope, depth: int) -> list[str]:
        if not self.doubles(scope):
            return self._assign(scope, depth)
        place = self.choose(*self.doubles(scope))
        return [f"{place} = {self.double(scope)};"]

    def _step(self, scope: Scope, depth: int) -> list[str]:
        place = self.choose(*self.places(scope))
        return [self.choose(f"{place}++;", f"--{place};", f"++{place};")]

    def _chain(self, scope: Scope, depth: int) -> list[str]:
        if len(scope.integers) < 2:
            return self._step(scope, depth)
        one, *rest = scope.integers
        other = self.choose(*rest)
        return [
            self.choose(
                f"{one} = {other}++ + 1;", f"{one} = {other} = {self.integer(scope, 1)};", f"{one} += --{other};"
            )
        ]

    def _container(self, scope: Scope, depth: int) -> list[str]:
        if not scope.vectors:
            return self._assign(scope, depth)
        vector = self.choose(*scope.vectors)
        value = self.integer(scope, 1)
        options = [f"{vector}.push_back({value});", f"{vector}.insert({vector}.begin(), {value});"]
        options += [f"if ({vector}.size() > 2) {vector}.pop_back();", f"{vector}.assign(3, (int)({value}));"]
        options += [f"change({self.choose(*scope.integers)}, {vector});"] if "sum" in scope.functions else []
        return [self.choose(*options)]

    def _copy(self, scope: Scope, depth: int) -> list[str]:
        options = [f"{a} = {b};" for group in (scope.vectors, scope.points) for a in group for b in group if a != b]
        options += [f"{point}.v = {vector};" for point in scope.points for vector in scope.vectors]
        if scope.functions:
            options += [f"{a}.push_back(total({a}, {point}));" for point in scope.points for a in scope.vectors]
        return [self.choose(*options)] if options else self._assign(scope, depth)

    def _if(self, scope: Scope, depth: int) -> list[str]:
        lines = [f"if ({self.condition(scope)}) {{", *self._block(scope, depth), "}"]
        return lines + (["else {", *self._block(scope, depth), "}"] if self.choose(False, True) else [])

    def _block(self, scope: Scope, depth: int) -> list[str]:
        return [f"  {line}" for line in self.statements(scope, self.choose(1, 2), depth - 1)]

    def _for(self, scope: Scope, depth: int) -> list[str]:
        counter = self.name()
        head = self.choose(
            f"for (int {counter} = 0; {counter} < {self.choose(2, 3, 4)}; {counter}++) {{",
            f"for (int {counter} = 5; {counter} >= 0; {counter} -= 2) {{",
            f"for (unsigned int {counter} = 1; {counter} < 20; {counter} *= 3) {{",
        )
        return [head, *self._block(scope.inside(counter), depth), "}"]

    def _while(self, scope: Scope, depth: int) -> list[str]:
        counter = self.name()
        body = [f"  {counter}++;", *self._block(scope.inside(counter), depth)]
        if self.choose(False, True):
            return [f"int {counter} = 0;", f"while ({counter} < 3) {{", *body, "}"]
        return [f"int {counter} = -2;", "do {", *body, f"}} while ({counter} < 1);"]

    def _range(self, scope: Scope, depth: int) -> list[str]:
        if not scope.vectors:
            return self._for(scope, depth)
        element, vector = self.name(), self.choose(*scope.vectors)
        kind = self.choose("int ", "int &", "auto ", "auto &")
        other = self.choose(*scope.integers)
        return [f"for ({kind}{element} : {vector}) {{", f"  {element} += {other};", f"  {other} ^= {element};", "}"]

    def _switch(self, scope: Scope, depth: int) -> list[str]:
        inner = Scope(**{**vars(scope), "in_loop": False})
        lines = [f"switch ({self.choose(*scope.integers)} & 3) {{"]
        for label in ("case 0:", "case 2:", "default:"):
            body = [f"    {line}" for line in self._assign(inner, 0) + self._compound(inner, 0)]
            lines += [f"  {label}", *body, *(["    break;"] if self.choose(False, True) else [])]
        return [*lines, "}"]

    def _leave(self, scope: Scope, depth: int) -> list[str]:
        return [f"if ({self.condition(scope)}) {self.choose('continue', 'break')};"]


def function(head: str, writer: Writer, scope: Scope, n: int, end: str) -> str:
    body = "\n".join(f"  {line}" for line in [*writer.statements(scope, n), end])
    return f"{head} {{\n{body}\n}}\n"


def program(number: int) -> str:
    """Return a program whose function ``snippet`` prints all its variables at the end."""
    writer = Writer(Random(number))  # noqa: S311 - chance, not secrets
    own = Scope(integers=["x", "y", "local"])
    sum_text = function("int sum(int x, unsigned int y)", writer, own, 2, "return x + (int)y - local;")
    sum_text = sum_text.replace("{\n", "{\n  long long local = 4;\n", 1)
    change = function("void change(int &x, std::vector<int> &v)", writer, Scope(["x"], vectors=["v"]), 2, "v[0] += x;")
    by_value = Scope(["n"], vectors=["v"], points=["p"], doubles=["p.y"])
    total = function("int total(std::vector<int> v, Point p)", writer, by_value, 3, "return n + v[0] + p.x + p.v[0];")
    total = total.replace("{\n", "{\n  int n = (int)v.size();\n", 1)

    types = [writer.choose(*INTEGERS) for _ in range(3)]
    lines = [f"{kind} v{i} = {writer.choose('1', '-5', '200', '100000')};" for i, kind in enumerate(types)]
    lines += [
        "int i0 = 3;",
        "double d0 = 2.5, d1 = -1e3;",
        "int a[4] = {7, -8};",
        "std::vector<int> v = {1, 2, 3}, w(2, 5);",
    ]
    lines += ["Point p = {1, 0.5, 2u, {3, 4}, {5}}, q = p;"]
    # change() takes an int by reference
    scope = Scope(
        ["i0", "v0", "v1", "v2"], [], ["d0", "d1"], ["a"], ["v", "w"], ["p", "q"], functions=("sum",)
    )  # fmt: skip
    body = writer.statements(scope, 10)
    lines += [
        line.replace("change(v0", "change(i0").replace("change(v1", "change(i0").replace("change(v2", "change(i0")
        for line in body
    ]
    lines += [
        f'std::cout << "v{i} " << {"(int)" if kind == "unsigned char" else ""}v{i} << std::endl;'
        for i, kind in enumerate(types)
    ]
    lines += ['std::cout << i0 << " " << d0 << " " << d1 << std::endl;']
    lines += ['for (int i = 0; i < 4; i++) printf("%d ", a[i]);', 'printf("\\n");']
    lines += ['for (int x : v) std::cout << x << " ";', 'std::cout << "| ";']
    lines += ['for (size_t i = 0; i < w.size(); i++) std::cout << w[i] << " ";', "std::cout << std::endl;"]
    for name in "pq":
        members = ' << " " << '.join(f"{name}.{member}" for member in ("x", "y", "n", "a[1]", "v.size()", "v[0]"))
        lines.append(f"std::cout << {members} << std::endl;")
    main = "\n".join(f"  {line}" for line in lines)
    return f"{BEGINNING}\n{sum_text}\n{change}\n{total}\nvoid snippet() {{\n{main}\n}}\n"


@cache
def generated() -> tuple[Snippet, ...]:
    """Return the programs, always the same."""
    return tuple(Snippet(f"program {number}", program(number)) for number in range(N_PROGRAMS))


@pytest.fixture(scope="module")
def printed_by_cpp() -> dict[str, str]:
    several = list(generated())
    with ThreadPoolExecutor(2) as pool:
        halves = pool.map(lambda part: outputs(part, "-O1", "-w"), (several[::2], several[1::2]))
        names = [[snippet.name for snippet in part] for part in (several[::2], several[1::2])]
        return {
            name: text
            for part, texts in zip(names, halves, strict=True)
            for name, text in zip(part, texts, strict=True)
        }


def printed_by_translation(snippet: Snippet) -> str:
    from pytmva_bnn.port import run_text

    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        code = run_text(snippet.source, filename="snippet.C")
    return record(shown.getvalue(), code)


def test_generated_programs_print_what_cpp_prints(printed_by_cpp: dict[str, str]):
    """The message shows the shortest program that fails."""
    failures = []
    for snippet in generated():
        try:
            shown = printed_by_translation(snippet)
        except Exception as error:
            shown = f"{type(error).__name__}: {error}\n"
        if shown != printed_by_cpp[snippet.name]:
            failures.append((len(snippet.text), snippet, shown))
    if failures:
        _, snippet, shown = min(failures, key=lambda failure: failure[0])
        pytest.fail(
            f"{len(failures)} of {len(generated())} programs differ, for instance\n{snippet.source}\n"
            f"C++ prints\n{printed_by_cpp[snippet.name]}\nthe translation\n{shown}"
        )


def test_there_are_enough_different_programs(printed_by_cpp: dict[str, str]):
    assert len(set(printed_by_cpp.values())) > 0.9 * N_PROGRAMS
