"""C++'s arithmetic, copies, references and C library for macros that were translated from C++.

It is plain Python (and numpy for memory), so that a translated macro also runs under the real PyROOT.

>>> from pytmva_bnn.compat.cpp import divide, int32
>>> divide(-7, 2), divide(-7, 2.0), int32(2**31)
(-3, -3.5, -2147483648)
"""

from __future__ import annotations

# fmt: off
# isort: off
from pytmva_bnn.compat.cpp.arithmetic import (
    divide, float32, fmod, int8, int16, int32, int64, quotient, remainder, uint8, uint16, uint32, uint64,
)
from pytmva_bnn.compat.cpp.c_files import access, fclose, fflush, fopen, fputs, memcpy, mkdir, perror, system
from pytmva_bnn.compat.cpp.c_library import (
    CLOCKS_PER_SEC, RAND_MAX, atof, atoi, atol, atoll, clock, ctime, difftime, getenv, isalnum, isalpha, isdigit,
    islower, ispunct, isspace, isupper, isxdigit, number, rand, sleep, srand, strchr, strcmp, strlen,
    strncmp, strrchr, strstr, strtod, strtol, time, tolower, toupper, usleep,
)
from pytmva_bnn.compat.cpp.formats import (
    c_format, fprintf, printf, putchar, puts, snprintf, sprintf, stderr, stdout,
)
from pytmva_bnn.compat.cpp.translated import (
    between, by, char_at, compare, dereferenced, find, find_first_not_of, find_first_of, find_last_not_of, find_last_of,
    is_null, npos, overloaded, ratio, refs, remove, rfind, set_cell, set_value, stepped, substr, what, with_char,
)
from pytmva_bnn.compat.cpp.values import (
    CharCell, Ref, Struct, Thrown, address, assign, copied, memory, post_decrement, post_increment, pre_decrement,
    pre_increment, read_line, ref,
)

__all__ = [
    "CLOCKS_PER_SEC",
    "RAND_MAX",
    "CharCell",
    "Ref",
    "Struct",
    "Thrown",
    "access",
    "address",
    "assign",
    "atof",
    "atoi",
    "atol",
    "atoll",
    "between",
    "by",
    "c_format",
    "char_at",
    "clock",
    "compare",
    "copied",
    "ctime",
    "dereferenced",
    "difftime",
    "divide",
    "fclose",
    "fflush",
    "find",
    "find_first_not_of",
    "find_first_of",
    "find_last_not_of",
    "find_last_of",
    "float32",
    "fmod",
    "fopen",
    "fprintf",
    "fputs",
    "getenv",
    "int8",
    "int16",
    "int32",
    "int64",
    "is_null",
    "isalnum",
    "isalpha",
    "isdigit",
    "islower",
    "ispunct",
    "isspace",
    "isupper",
    "isxdigit",
    "memcpy",
    "memory",
    "mkdir",
    "npos",
    "number",
    "overloaded",
    "perror",
    "post_decrement",
    "post_increment",
    "pre_decrement",
    "pre_increment",
    "printf",
    "putchar",
    "puts",
    "quotient",
    "rand",
    "ratio",
    "read_line",
    "ref",
    "refs",
    "remainder",
    "remove",
    "rfind",
    "set_cell",
    "set_value",
    "sleep",
    "snprintf",
    "sprintf",
    "srand",
    "stderr",
    "stdout",
    "stepped",
    "strchr",
    "strcmp",
    "strlen",
    "strncmp",
    "strrchr",
    "strstr",
    "strtod",
    "strtol",
    "substr",
    "system",
    "time",
    "tolower",
    "toupper",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "usleep",
    "what",
    "with_char",
]  # fmt: skip
