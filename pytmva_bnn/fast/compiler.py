"""How the kernels are compiled, and the machine operations that Python has no name for.

Importing this module imports numba, which takes half a second: only :mod:`pytmva_bnn.fast` does so, and only when a
job is large enough.  Without numba the same functions are plain Python, which is slow but gives the same numbers up to
the rounding of ``fma``; the tests make use of that.

The compiled code is kept on disk.  numba looks only at the file of the function that is called, not at those of the
functions that this one calls: so the names under which code is kept have a digest of all sources in folders with
kernels.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

Function = TypeVar("Function", bound=Callable[..., Any])

has_fma = False
"""Whether the processor multiplies and adds with one rounding."""
numba: Any
try:
    numba = import_module("numba")
except ImportError:
    numba = None


@cache
def _digest() -> str:
    """Return what changes if any source does that compiled code is made of."""
    package = Path(__file__).parent.parent
    digest = sha256()
    # kernels call functions and use constants of the files beside them, and the numbers in the table of activations
    folders = {package / "fast", *package.glob("**/kernels"), *(path.parent for path in package.rglob("*_kernels.py"))}
    sources = {path for folder in folders for path in folder.glob("*.py")} | set(package.rglob("activations.py"))
    for path in sorted(sources):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def _kept(function: Function) -> bool:
    """Prepare the function for being kept on disk; a lambda or one typed in has no file to be kept next to."""
    if function.__name__ == "<lambda>":
        return False
    function.__qualname__ = f"{function.__qualname__}_{_digest()}"
    return True


def _compiler(*, keep: bool = True, **how: Any) -> Callable[[Function], Function]:
    def compile_(function: Function) -> Function:
        if numba is None:
            return function
        kept = keep and _kept(function)
        result: Function = numba.njit(nogil=True, error_model="numpy", **how)(function)
        if kept:
            from pytmva_bnn.fast.kept_code import keep_on_disk  # lazy: it needs numba

            keep_on_disk(result)
        return result

    return compile_


compiled = _compiler()
"""Compiles a function to machine code that runs beside other threads; leaves it as it is without numba.

The rules of arithmetic are those of IEEE 754: nothing is reordered, contracted or assumed to be finite.
"""
inlined = _compiler(keep=False, inline="always")
"""The same for a function that becomes part of those which call it: for short ones, where the call itself counts."""
reordered = _compiler(fastmath={"reassoc", "contract", "nsz"})
"""The same with sums in an order that suits the machine, the same in every call."""


def _plain_fma(a: float, b: float, c: float) -> float:
    return a * b + c


def _plain_bits(x: Any) -> Any:
    return np.float32(x).view(np.int32) if isinstance(x, np.float32) else int(np.float64(x).view(np.int64))


def _plain_from_bits(n: Any) -> Any:
    if isinstance(n, np.int32):
        return n.view(np.float32)
    return float(struct.unpack("<d", struct.pack("<Q", n & (2**64 - 1)))[0])


def _plain_trailing_zeros(n: int) -> int:
    return (int(n) & -int(n)).bit_length() - 1


def _plain_ones(n: int) -> int:
    return int(n).bit_count()


def _plain_load(_address: int, _is_double: int) -> float:
    raise NotImplementedError("memory is read by address in compiled code only")


fma: Callable[[float, float, float], float] = _plain_fma
"""``a b + c``, rounded once where the processor can do that (all that have AVX2, all of ARM)."""
bits: Callable[[float], int] = _plain_bits
"""The bits of a number as an integer, int64 of float64 and int32 of float32."""
from_bits: Callable[[int], float] = _plain_from_bits
"""The number that has these bits."""
trailing_zeros: Callable[[Any], int] = _plain_trailing_zeros
"""How many zeros stand behind the last one among the 64 bits of an unsigned integer other than 0."""
ones: Callable[[Any], int] = _plain_ones
"""How many of the 64 bits of an unsigned integer are set."""
load: Callable[[int, int], float] = _plain_load
"""The float32 (or float64, if the second argument is 1) at an address."""


def by_type(double: Function, single: Function) -> Function:
    """Return the function of one number that is ``single`` of a float32 and ``double`` of any other."""

    def chosen(x: Any) -> Any:
        return single(x) if isinstance(x, np.float32) else double(x)

    if numba is not None:

        @import_module("numba.extending").overload(chosen)  # type: ignore[untyped-decorator]
        def _typed(x: Any) -> Any:
            function = single if x == numba.types.float32 else double

            def call(x: Any) -> Any:
                return function(x)

            return call

    return chosen  # type: ignore[return-value]


def write_vector_fma(builder: Any, a: Any, b: Any, c: Any) -> Any:
    """Write the code of ``a b + c`` for LLVM vectors, rounded as :data:`fma` is; return its result."""
    if not has_fma:
        return builder.fadd(builder.fmul(a, b), c)
    vector = a.type
    signature = import_module("llvmlite.ir").FunctionType(vector, [vector] * 3)
    insert = import_module("numba.core.cgutils").get_or_insert_function
    return builder.call(
        insert(builder.module, signature, f"llvm.fma.v{vector.count}{vector.element.intrinsic_name}"), [a, b, c]
    )


def _machine_operations() -> None:
    """Replace the plain operations above by instructions."""
    global fma, bits, from_bits, trailing_zeros, ones, load, has_fma
    intrinsic = import_module("numba.extending").intrinsic
    types = numba.types
    ir = import_module("llvmlite.ir")
    features = import_module("llvmlite.binding").get_host_cpu_features()
    machine = import_module("platform").machine().lower()
    has_fma = machine in ("arm64", "aarch64") or bool(features.get("fma", False))
    f64, i64 = types.float64, types.int64
    double, single, integer = ir.DoubleType(), ir.FloatType(), ir.IntType(64)
    integer_of = {f64: i64, types.float32: types.int32}

    def _fma(_context: Any, a: Any, b: Any, c: Any) -> Any:
        def code(_c: Any, builder: Any, _s: Any, args: Any) -> Any:
            return builder.fma(*args) if has_fma else builder.fadd(builder.fmul(args[0], args[1]), args[2])

        number = a if a == b == c == types.float32 else f64
        return number(number, number, number), code

    def _bits(_context: Any, x: Any) -> Any:
        number = x if x in integer_of else f64
        code = integer if number == f64 else ir.IntType(32)
        return integer_of[number](number), lambda _c, builder, _s, args: builder.bitcast(args[0], code)

    def _from_bits(_context: Any, n: Any) -> Any:
        is_single = n == types.int32
        code = single if is_single else double
        signature = types.float32(n) if is_single else f64(i64)
        return signature, lambda _c, builder, _s, args: builder.bitcast(args[0], code)

    def _trailing_zeros(_context: Any, n: Any) -> Any:  # noqa: ARG001
        return i64(types.uint64), lambda _c, builder, _s, args: builder.cttz(args[0], ir.IntType(1)(1))

    def _ones(_context: Any, n: Any) -> Any:  # noqa: ARG001
        return i64(types.uint64), lambda _c, builder, _s, args: builder.ctpop(args[0])

    def _load(_context: Any, address: Any, is_double: Any) -> Any:  # noqa: ARG001
        def code(_c: Any, builder: Any, _s: Any, args: Any) -> Any:
            wide = builder.icmp_signed("!=", args[1], integer(0))
            with builder.if_else(wide) as (then, otherwise):
                with then:
                    as_double = builder.load(builder.inttoptr(args[0], double.as_pointer()))
                    after_double = builder.block
                with otherwise:
                    as_single = builder.load(builder.inttoptr(args[0], single.as_pointer()))
                    widened = builder.fpext(as_single, double)
                    after_single = builder.block
            result = builder.phi(double)
            result.add_incoming(as_double, after_double)
            result.add_incoming(widened, after_single)
            return result

        return f64(i64, i64), code

    fma, bits, from_bits, trailing_zeros = map(intrinsic, (_fma, _bits, _from_bits, _trailing_zeros))
    ones, load = map(intrinsic, (_ones, _load))


if numba is not None:
    _machine_operations()
