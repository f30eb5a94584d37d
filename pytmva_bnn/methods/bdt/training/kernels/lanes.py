"""Adding several numbers to neighbours in memory by one vector instruction.

This is written for the machine because it is most of the work of growing trees: filling the histograms of a node is 1.5
times as fast with it as with the same additions one by one, which the compiler does not put together.  Every number is
added as before, so results are the same to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from pytmva_bnn.fast.compiler import numba

Add = Callable[[Any, Any, tuple[Any, ...]], None]


def _plain_add(array: Any, place: int, values: tuple[float, ...]) -> None:
    for i, value in enumerate(values):
        array[place + i] += value


def _machine_add(n_lanes: int) -> Add:
    ir = import_module("llvmlite.ir")
    types, cgutils = numba.types, import_module("numba.core.cgutils")
    intrinsic = import_module("numba.extending").intrinsic

    @intrinsic  # type: ignore[untyped-decorator]
    def add(_context: Any, array: Any, place: Any, values: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            memory = context.make_array(signature.args[0])(context, builder, args[0])
            element = cgutils.gep(builder, memory.data, args[1])
            vector = ir.VectorType(ir.DoubleType(), n_lanes)
            cells = builder.bitcast(element, vector.as_pointer())
            before = builder.load(cells)
            before.align = 8
            summands = ir.Constant(vector, ir.Undefined)
            for i in range(n_lanes):
                value = builder.extract_value(args[2], i)
                summands = builder.insert_element(summands, value, ir.Constant(ir.IntType(32), i))
            builder.store(builder.fadd(before, summands), cells).align = 8
            return context.get_dummy_value()

        return types.void(array, place, values), code

    found: Add = add
    return found


add_two: Add = _plain_add if numba is None else _machine_add(2)
"""Add two numbers to ``array[place]`` and the one behind it."""
add_four: Add = _plain_add if numba is None else _machine_add(4)
"""Add four numbers to ``array[place]`` and those behind it."""
