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
from pytmva_bnn.compat.cpp.c_library import (
    CLOCKS_PER_SEC, RAND_MAX, atof, atoi, atol, atoll, clock, ctime, getenv, isalnum, isalpha, isdigit,
    islower, ispunct, isspace, isupper, isxdigit, number, rand, sleep, srand, strchr, strcmp, strlen,
    strncmp, strrchr, strstr, strtod, strtol, time, tolower, toupper, usleep,
)
from pytmva_bnn.compat.cpp.formats import (
    c_format, fprintf, printf, putchar, puts, snprintf, sprintf, stderr, stdout,
)
from pytmva_bnn.compat.cpp.values import (
    CharCell, Ref, Struct, Thrown, address, assign, copied, post_decrement, post_increment, pre_decrement,
    pre_increment, read_line, ref,
)

__all__ = [
    "CLOCKS_PER_SEC", "RAND_MAX", "CharCell", "Ref", "Struct", "Thrown", "address", "assign", "atof", "atoi",
    "atol", "atoll", "c_format", "clock", "copied", "ctime", "divide", "float32", "fmod", "fprintf",
    "getenv", "int8", "int16", "int32", "int64", "isalnum", "isalpha", "isdigit", "islower", "ispunct", "isspace",
    "isupper", "isxdigit", "number", "post_decrement", "post_increment", "pre_decrement", "pre_increment", "printf",
    "putchar", "puts", "quotient", "rand", "read_line", "ref", "remainder", "sleep", "snprintf", "sprintf", "srand",
    "stderr", "stdout", "strchr", "strcmp", "strlen", "strncmp", "strrchr", "strstr", "strtod",
    "strtol", "time", "tolower", "toupper", "uint8", "uint16", "uint32", "uint64", "usleep",
]
