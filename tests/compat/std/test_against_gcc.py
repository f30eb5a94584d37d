"""Streams, formats, conversions and random numbers against a program of g++ (skipped where there is none)."""

import itertools
import math
import shutil
import subprocess
from array import array
from pathlib import Path

import numpy as np
import pytest

from pytmva_bnn.compat import ROOT, cpp

std = ROOT.std
COMPILER = shutil.which("g++")
pytestmark = pytest.mark.skipif(COMPILER is None, reason="there is no g++")

FLOATS = [
    "0.0", "-0.0", "1e-5", "0.0001", "123456789.0", "1e22", "INFINITY", "-INFINITY", 'std::nan("")', '-std::nan("")',
    "0.1f", "0.1", "-2.5", "100000.0", "1000000.0", "999999.0", "3.0", "5e-324", "1.7976931348623157e308",
    "16777217.0f",
]  # fmt: skip
INTEGERS = ["0", "1", "-1", "255", "-42", "2147483647", "-2147483647-1", "1234567890123LL", "true"]
FIELDS = ["defaultfloat", "fixed", "scientific", "hexfloat"]
PRECISIONS = [0, 1, 2, 3, 6, 9, 17]
SWITCHES = [[], ["showpoint"], ["showpos", "uppercase"]]
ADJUSTMENTS = ["left", "right", "internal"]
BASES = ["dec", "hex", "oct"]
INTEGER_SWITCHES = [[], ["showbase"], ["showbase", "uppercase", "showpos", "boolalpha"]]

TEXTS = [
    "", " ", "12", "  12 ", "-7x", "+5", "+", "-", "abc", "1.5", ".5", ".", "5.", "1e5", "1e", "1e+", "1e+5x", "1.2.3",
    "0x1A", "017", "99999999999", "-99999999999", "4294967295", "-1", "1e400", "-1e400", "1e-400", "1e39", "inf", "nan",
    "12,5", "1 2", "1\t\n2", "300", "-129", "2", "true", "e5", "1E3", "--1", "1-2", "00012", "9223372036854775808",
]  # fmt: skip
CELLS = {
    "int": lambda: array("i", [77]), "unsigned": lambda: array("I", [77]), "short": lambda: array("h", [77]),
    "long long": lambda: array("q", [77]), "float": lambda: array("f", [77]), "double": lambda: array("d", [77]),
    "bool": lambda: np.zeros(1, bool), "std::string": lambda: ["old"], "char": lambda: cpp.CharCell("?"),
}  # fmt: skip

FORMATS = [
    ("%d|%5d|%-5d|%05d|%+d|% d|%.3d|%5.3d", [42, 42, 42, 42, 42, 42, 42, 42]),
    ("%d|%5d|%-5d|%05d|%+d|% d|%.3d|%05.3d", [-42] * 8),
    ("%i %u %x %X %#x %o %#o", [7, 7, 255, 255, 255, 8, 8]),
    ("%x %u %o", [-1, -1, -1]),
    ("%ld %lld %lu %zu %llx", ["-5L", "1234567890123LL", "5UL", "(size_t)6", "-1LL"]),
    ("%f %.2f %8.3f %-8.1f| %08.2f %+.1f %.0f %#.0f", [1.5, 1.005, -2.5, 3.25, -1.5, 2.0, 2.5, 2.5]),
    ("%e %.3e %E %12.4e", [12345.678, 1e-10, 1e100, 0.0]),
    ("%g %g %g %G %.3g %#g", [1e-5, 123456789.0, 100000.0, 1e-10, 0.00012345, 1.0]),
    ("%f %5.1f %05f %e %g", ["INFINITY", "-INFINITY", "INFINITY", "-INFINITY", "INFINITY"]),
    ("%a %a %a", [1.0, 0.1, -0.0]),
    ("%s|%10s|%-10s|%.2s|%5.1s|", ['"abc"'] * 5),
    ("%c%c|%3c|%-3c|", ["'a'", 98, "'c'", "'d'"]),
    ("%*d|%-*d|%.*f|%*.*f", [6, 42, 6, 42, 2, 1.239, -8, 1, 2.25]),
    ("100%% %d%%", [5]),
    ("%hd %hhd", [5, 6]),
    ("plain", []),
]  # fmt: skip

CONVERSIONS = {
    "int8": "signed char", "int16": "short", "int32": "int", "int64": "long long", "uint8": "unsigned char",
    "uint16": "unsigned short", "uint32": "unsigned", "uint64": "unsigned long long",
}  # fmt: skip
CONVERTED = [
    "1.9",
    "-1.9",
    "3e9",
    "-3e9",
    "1e10",
    "1e19",
    "-1.0",
    "300.7",
    "-300.7",
    "1e30",
    "-1e30",
    "NAN",
    "INFINITY",
]
WRAPPED = ["127", "128", "-129", "65536", "2147483648", "-2147483649", "4294967296", "9223372036854775807", "-1"]
DIVIDED = [(7, 2), (-7, 2), (7, -2), (-7, -2), (6, 3), (-6, 3), (0, -3), (2147483647, 2), (1, 2147483647)]
REAL_DIVIDED = [
    ("1.0", "0.0"),
    ("-1.0", "0.0"),
    ("1.0", "-0.0"),
    ("0.0", "0.0"),
    ("INFINITY", "INFINITY"),
    ("1.0", "3.0"),
]
FUNCTIONS = ["sqrt", "exp", "log", "log10", "log2", "log1p", "expm1", "sin", "cos", "tan", "asin", "acos", "atan",
             "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "cbrt", "erf", "erfc", "floor", "ceil", "round",
             "trunc", "rint", "fabs", "exp2"]  # fmt: skip
ARGUMENTS = ["0.0", "-0.0", "1.0", "-1.0", "0.5", "-0.5", "2.5", "-2.5", "1e3", "-1e3", "INFINITY", "-INFINITY",
             "0.49999999999999994"]  # fmt: skip
TWO_ARGUMENTS = ["pow", "fmod", "atan2", "hypot", "fmin", "fmax", "remainder", "copysign", "fdim"]


def number(text):
    """The Python value of a C++ literal."""
    if not isinstance(text, str):
        return text
    if text.startswith(("'", '"')):
        return text[1:-1]
    if text.endswith("f"):
        return cpp.float32(float(text[:-1]))
    names = {"INFINITY": math.inf, "NAN": math.nan, 'std::nan("")': math.nan, "true": True}
    sign, name = (-1, text[1:]) if text.startswith("-") else (1, text)
    if name in names:
        return -names[name] if sign < 0 else names[name]
    return eval(text.removeprefix("(size_t)").rstrip("ULul"))  # noqa: S307


def float_formats():
    for field, precision, switches in itertools.product(FIELDS, PRECISIONS, SWITCHES):
        yield [field, *switches], precision


def integer_formats():
    for base, adjust, switches in itertools.product(BASES, ADJUSTMENTS, INTEGER_SWITCHES):
        yield [base, adjust, *switches]


def quoted(text):
    return '"' + text.replace("\t", "\\t").replace("\n", "\\n") + '"'


def program():
    """The C++ program; each of its lines of output has a twin below."""
    lines = []
    for names, precision in float_formats():
        for value, adjust in zip(FLOATS, itertools.cycle(ADJUSTMENTS)):
            flags = " << ".join(f"std::{name}" for name in (*names, adjust))
            lines.append(
                f"{{ std::ostringstream s; s << {flags} << std::setprecision({precision}) << {value} << '|' "
                f"<< std::setw(14) << std::setfill('*') << {value} << '|' << {value}; puts(s.str().c_str()); }}"
            )
    for names in integer_formats():
        flags = " << ".join(f"std::{name}" for name in names)
        shown = " << '|' ".join(f"<< {value} << ' ' << std::setw(9) << {value}" for value in INTEGERS)
        lines.append(f"{{ std::ostringstream s; s << std::setfill('_') << {flags} {shown}; puts(s.str().c_str()); }}")
    for kind, text in itertools.product(CELLS, TEXTS):
        start = '"old"' if kind == "std::string" else "'?'" if kind == "char" else "0" if kind == "bool" else "77"
        lines.append(
            f"{{ std::istringstream s({quoted(text)}); {kind} x = {start}; s >> x; std::cout << std::setprecision(17) "
            f"<< x << ' ' << s.fail() << s.eof() << ' '; s.clear(); std::string r; std::getline(s, r); "
            f"std::cout << r << std::endl; }}"
        )
    for pattern, values in FORMATS:
        given = "".join(f", {value}" for value in values)
        lines.append(f'printf("{pattern}\\n"{given});')
    for kind in CONVERSIONS.values():
        lines += [f"{{ volatile double d = {value}; std::cout << +({kind})d << std::endl; }}" for value in CONVERTED]
        lines += [f"{{ volatile long long i = {value}; std::cout << +({kind})i << std::endl; }}" for value in WRAPPED]
    for a, b in DIVIDED:
        lines.append(f"{{ volatile int a = {a}, b = {b}; std::cout << a / b << ' ' << a % b << std::endl; }}")
    for a, b in REAL_DIVIDED:
        lines.append(f"{{ volatile double a = {a}, b = {b}; show(a / b); }}")
    for name, value in itertools.product(FUNCTIONS, ARGUMENTS):
        lines.append(f"{{ volatile double x = {value}; show(std::{name}(x)); }}")
    for name, a, b in itertools.product(TWO_ARGUMENTS, ARGUMENTS[:10], ARGUMENTS):
        lines.append(f"{{ volatile double x = {a}, y = {b}; show(std::{name}(x, y)); }}")
    for seed in ("", "srand(1);", "srand(42);", "srand(0);", "srand(4294967280u);"):
        lines.append(seed + "for (int i = 0; i < 40; i++) std::cout << rand() << std::endl;")
    parts = [f"static void part{i}() {{\n" + "\n".join(lines[i : i + 200]) + "\n}" for i in range(0, len(lines), 200)]
    calls = " ".join(f"part{i}();" for i in range(0, len(lines), 200))
    heads = ["iostream", "sstream", "iomanip", "cmath", "cstdio", "cstdlib", "string"]
    return (
        "\n".join(f"#include <{head}>" for head in heads)
        + "\nstatic void show(double x) { std::cout << std::setprecision(17) << x << std::endl; }\n"
        + "\n".join(parts)
        + f"\nint main() {{ std::ios::sync_with_stdio(true); setvbuf(stdout, 0, _IOLBF, 0); {calls} }}\n"
    )


def manipulated(stream, names):
    for name in names:
        stream << getattr(std, name)
    return stream


def twin():
    """What the shim prints in the place of each line, with a word on what it shows."""
    for names, precision in float_formats():
        for value, adjust in zip(FLOATS, itertools.cycle(ADJUSTMENTS)):
            stream, x = manipulated(std.ostringstream(), [*names, adjust]), number(value)
            stream << std.setprecision(precision) << x << "|" << std.setw(14) << std.setfill("*") << x << "|" << x
            yield f"{names} {adjust} {precision} {value}", stream.str()
    for names in integer_formats():
        stream = manipulated(std.ostringstream() << std.setfill("_"), names)
        for i, value in enumerate(INTEGERS):
            stream << ("|" if i else "") << number(value) << " " << std.setw(9) << number(value)
        yield f"{names}", stream.str()
    for kind, text in itertools.product(CELLS, TEXTS):
        stream, cell, rest, out = std.istringstream(text), CELLS[kind](), [""], std.ostringstream()
        stream >> cell
        out << std.setprecision(17) << cell[0] << " " << stream.fail() << stream.eof() << " "
        stream.clear()
        std.getline(stream, rest)
        yield from ((f"{kind} from {text!r}", line) for line in (out << rest[0]).str().split("\n"))
    for pattern, values in FORMATS:
        yield pattern, cpp.c_format(pattern, *map(number, values))
    for name in CONVERSIONS:
        for value in CONVERTED:
            yield f"{name}({value})", str(getattr(cpp, name)(number(value)))
        for value in WRAPPED:
            yield f"{name}({value})", str(getattr(cpp, name)(int(value)))
    for a, b in DIVIDED:
        yield f"{a} / {b}", f"{cpp.divide(a, b)} {cpp.remainder(a, b)}"
    for a, b in REAL_DIVIDED:
        yield f"{a} / {b}", (std.ostringstream() << std.setprecision(17) << cpp.divide(number(a), number(b))).str()
    for name, value in itertools.product(FUNCTIONS, ARGUMENTS):
        shown = std.ostringstream() << std.setprecision(17) << getattr(std, name)(number(value))
        yield f"{name}({value})", shown.str()
    for name, a, b in itertools.product(TWO_ARGUMENTS, ARGUMENTS[:10], ARGUMENTS):
        shown = std.ostringstream() << std.setprecision(17) << getattr(std, name)(number(a), number(b))
        yield f"{name}({a}, {b})", shown.str()
    cpp.srand(1)
    for seed in (None, 1, 42, 0, 4294967280):
        if seed is not None:
            cpp.srand(seed)
        for i in range(40):
            yield f"rand {i} of {seed}", str(cpp.rand())


def test_all_that_is_printed_is_what_gcc_prints(tmp_path):
    (tmp_path / "program.cpp").write_text(program())
    command = [COMPILER, "-O0", "-w", "-fno-builtin", "program.cpp", "-o", "program"]
    subprocess.run(command, cwd=tmp_path, check=True)  # noqa: S603
    printed = subprocess.run([tmp_path / "program"], capture_output=True, text=True, check=True).stdout  # noqa: S603
    expected, made = printed.split("\n")[:-1], list(twin())
    different = [(what, ours, theirs) for (what, ours), theirs in zip(made, expected, strict=True) if ours != theirs]
    assert different == []
    assert len(expected) > 3000


SNIPPETS = [block.split("\n---\n") for block in (Path(__file__).parent / "snippets.txt").read_text().split("\n\n")]


@pytest.fixture(scope="module")
def printed_by_gcc(tmp_path_factory):
    """What each snippet prints, compiled with all others in one program."""
    path = tmp_path_factory.mktemp("snippets")
    parts = [f"static void part{i}() {{\n{theirs}\n}}" for i, (theirs, _) in enumerate(SNIPPETS)]
    calls = " ".join(f'part{i}(); cout << "=====" << endl;' for i in range(len(SNIPPETS)))
    source = "#include <bits/stdc++.h>\nusing namespace std;\n" + "\n".join(parts) + f"\nint main() {{ {calls} }}\n"
    (path / "program.cpp").write_text(source)
    command = [COMPILER, "-std=c++14", "-O0", "-w", "program.cpp", "-o", "program"]
    subprocess.run(command, cwd=path, check=True)  # noqa: S603
    result = subprocess.run([path / "program"], cwd=path, capture_output=True, text=True, check=True)  # noqa: S603
    return result.stdout.split("=====\n")


@pytest.mark.parametrize("i", range(len(SNIPPETS)), ids=lambda i: SNIPPETS[i][0][:40])
def test_snippets_print_what_gcc_prints(printed_by_gcc, i, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {name: getattr(cpp, name) for name in cpp.__all__}
    exec(SNIPPETS[i][1], names | {"std": std, "cout": std.cout, "endl": std.endl, "array": array})  # noqa: S102
    assert capsys.readouterr().out == printed_by_gcc[i]
