"""Events, which lie one after the other, as rows of one variable each: squares of 8 x 8 numbers in registers.

Loops of numba move one number after the other: with squares, 50 variables and ten neurons take 24 ns an event instead
of 32 (float32, one thread).
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from pytmva_bnn._typing import Float32Array, FloatArray
from pytmva_bnn.fast.compiler import compiled, numba

#: sides of the squares; events with fewer variables are left to loops
_SIDES = (8, 4)


def _transposed(builder: Any, ir: Any, rows: list[Any]) -> list[Any]:
    """Return the columns of a square: bit by bit, the numbers of rows and lanes change places."""
    side, i32 = len(rows), ir.IntType(32)
    for bit in (one for one in (1, 2, 4) if one < side):
        for i in (i for i in range(side) if not i & bit):
            upper, lower = rows[i], rows[i + bit]
            for to, skip in ((i, 0), (i + bit, bit)):
                # a lane behind the first `side` ones is of the lower row
                lanes = [side + k - bit + skip if k & bit else k + skip for k in range(side)]
                mask = ir.Constant(ir.VectorType(i32, side), [i32(lane) for lane in lanes])
                rows[to] = builder.shuffle_vector(upper, lower, mask)
    return rows


def _write_squares(_context: Any, numbers: Any, values: Any) -> Any:
    is_single = values.dtype == numba.types.float32

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        ir, cgutils = import_module("llvmlite.ir"), import_module("numba.core.cgutils")
        single, to = ir.FloatType(), ir.FloatType() if is_single else ir.DoubleType()
        x, stride, n, m, target, row = cgutils.unpack_tuple(builder, args[0])
        x, target = builder.inttoptr(x, single.as_pointer()), builder.inttoptr(target, to.as_pointer())
        done = cgutils.alloca_once_value(builder, n.type(0))

        def place(base: Any, number: Any, step: Any, at: Any, vector: Any) -> Any:
            pointer = builder.gep(base, [builder.add(builder.mul(number, step), at)])
            return builder.bitcast(pointer, vector.as_pointer())

        def squares(side: int) -> None:
            given, wanted = ir.VectorType(single, side), ir.VectorType(to, side)
            groups = builder.sdiv(m, n.type(side))
            blocks = builder.sdiv(builder.add(n, n.type(side - 1)), n.type(side))
            with cgutils.for_range(builder, groups) as group, cgutils.for_range(builder, blocks) as block:
                e, j = (builder.mul(loop.index, n.type(side)) for loop in (group, block))
                last = builder.sub(n, n.type(side))  # the last square may overlap the one before
                j = builder.select(builder.icmp_signed("<", last, j), last, j)
                columns = [
                    builder.load(place(x, builder.add(e, n.type(i)), stride, j, given), align=4) for i in range(side)
                ]
                for i, column in enumerate(_transposed(builder, ir, columns)):
                    wide = column if is_single else builder.fpext(column, wanted)
                    builder.store(wide, place(target, builder.add(j, n.type(i)), row, e, wanted), align=4)
            builder.store(builder.mul(groups, n.type(side)), done)

        with builder.if_else(builder.icmp_signed(">=", n, n.type(_SIDES[0]))) as (many, fewer):
            with many:
                squares(_SIDES[0])
            with fewer, builder.if_then(builder.icmp_signed(">=", n, n.type(_SIDES[1]))):
                squares(_SIDES[1])
        return builder.load(done)

    return numba.types.int64(numbers, values), code


_squares: Any = None if numba is None else import_module("numba.extending").intrinsic(_write_squares)


def _in_squares(x: Float32Array, start: int, m: int, values: FloatArray) -> int:
    if x.strides[1] != x.itemsize:
        return 0
    stride, row = x.strides[0] // x.itemsize, values.strides[0] // values.itemsize
    numbers = (x.ctypes.data + start * x.strides[0], stride, x.shape[1], m, values.ctypes.data, row)
    done: int = _squares(numbers, values)
    return done


def _none(_x: Float32Array, _start: int, _m: int, _values: FloatArray) -> int:
    return 0


in_squares = _none if numba is None else compiled(_in_squares)
"""Puts the first of ``m`` events, from ``x[start]`` on, into the rows of ``values``; returns how many it has put."""


@compiled
def take_events(x: Float32Array, start: int, m: int, values: FloatArray) -> None:
    """Put ``m`` events, from ``x[start]`` on, into the first rows of ``values``; ones behind them, if there is room."""
    done = in_squares(x, start, m, values)
    for j in range(x.shape[1]):
        row = values[j]
        for e in range(done, m):
            row[e] = x[start + e, j]
        row[m:] = 1.0
