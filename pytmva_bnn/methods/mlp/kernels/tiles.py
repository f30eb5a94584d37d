"""Weighted sums of rows: the matrix products of a network, at the speed of the processor's arithmetic units.

``sums[k, e] = Σ_j w_jk values[row + j, e]`` for all neurons ``k`` and events ``e``.  A loop in Python's words would
store and load the partial sums for every few ``j``; here a *tile* of up to 6 sums times 8 events (two vectors of AVX2
each) stays in registers while ``j`` runs, so that each step is two loads of events, six of weights and twelve
multiplications with addition.  numba has no vectors to say that with, so the tile is written in the language of LLVM,
into which numba translates the rest.

Every event is treated alike, whether it is in a vector or in the rest at the end: its terms are added in the order of
``j``, each with one rounding.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.fast.compiler import compiled, fma, numba, write_vector_fma

#: sums in a tile at most
HEIGHT = 6
#: events in the tiles of so many sums: enough sums at once to keep the units busy, not more than fit into registers
WIDTHS = {1: (32, 8, 1), 2: (16, 8, 1), 3: (8, 1), 4: (8, 1), 5: (8, 1), 6: (8, 1)}


class _Writer:
    """Writes the code of tiles with an LLVM builder.

    ``weights``, ``values`` and ``sums`` are addresses of float64 numbers, the others integers.
    """

    def __init__(
        self, builder: Any, addresses: Any, step: Any, across: Any, n: Any, value_stride: Any, sum_stride: Any, add: Any
    ):
        self.ir, self.cgutils = import_module("llvmlite.ir"), import_module("numba.core.cgutils")
        self.double, self.integer = self.ir.DoubleType(), self.ir.IntType(64)
        self.builder = builder
        self.weights, self.values, self.sums = (builder.inttoptr(a, self.double.as_pointer()) for a in addresses)
        self.step, self.across, self.n, self.value_stride, self.sum_stride = step, across, n, value_stride, sum_stride
        self.add = builder.icmp_signed("!=", add, self.integer(0))

    def strip(self, height: int, m: Any) -> None:
        """Write ``height`` sums of ``m`` events: the widest tiles that fit, then narrower ones."""
        begin = self.integer(0)
        for width in WIDTHS[height]:
            n_tiles = self.builder.sdiv(self.builder.sub(m, begin), self.integer(width))
            self.tiles(height, width, begin, n_tiles)
            begin = self.builder.add(begin, self.builder.mul(n_tiles, self.integer(width)))

    def tiles(self, height: int, width: int, begin: Any, n_tiles: Any) -> None:
        """Write ``n_tiles`` tiles side by side, from event ``begin`` on."""
        builder, integer = self.builder, self.integer
        vector = self.ir.VectorType(self.double, width)
        totals = [self.cgutils.alloca_once(builder, vector) for _ in range(height)]
        with self.cgutils.for_range(builder, n_tiles) as tile:
            e = builder.add(begin, builder.mul(tile.index, integer(width)))
            places = [builder.add(e, builder.mul(self.sum_stride, integer(k))) for k in range(height)]
            with builder.if_else(self.add) as (then, otherwise):
                with then:
                    for total, at in zip(totals, places, strict=True):
                        builder.store(builder.load(self.events(vector, self.sums, at), align=8), total)
                with otherwise:
                    for total in totals:
                        builder.store(self.ir.Constant(vector, [0.0] * width), total)
            with self.cgutils.for_range(builder, self.n) as term:
                at = builder.add(e, builder.mul(term.index, self.value_stride))
                x = builder.load(self.events(vector, self.values, at), align=8)
                for k, total in enumerate(totals):
                    at = builder.add(builder.mul(term.index, self.step), builder.mul(self.across, integer(k)))
                    w = self.in_all_lanes(vector, builder.load(builder.gep(self.weights, [at])))
                    builder.store(write_vector_fma(builder, w, x, builder.load(total)), total)
            for total, at in zip(totals, places, strict=True):
                builder.store(builder.load(total), self.events(vector, self.sums, at), align=8)

    def events(self, vector: Any, base: Any, at: Any) -> Any:
        """Return where the events from that element on are."""
        return self.builder.bitcast(self.builder.gep(base, [at]), vector.as_pointer())

    def in_all_lanes(self, vector: Any, number: Any) -> Any:
        """Return a vector of one number."""
        i32 = self.ir.IntType(32)
        one = self.builder.insert_element(self.ir.Constant(vector, self.ir.Undefined), number, i32(0))
        everywhere = self.ir.Constant(self.ir.VectorType(i32, vector.count), [0] * vector.count)
        return self.builder.shuffle_vector(one, one, everywhere)


def _write_strip(  # numba asks for an operation with named arguments
    _context: Any,
    height: Any,  # noqa: ARG001
    weights: Any,  # noqa: ARG001
    values: Any,  # noqa: ARG001
    sums: Any,  # noqa: ARG001
    step: Any,  # noqa: ARG001
    across: Any,  # noqa: ARG001
    n: Any,  # noqa: ARG001
    value_stride: Any,  # noqa: ARG001
    sum_stride: Any,  # noqa: ARG001
    add: Any,  # noqa: ARG001
    m: Any,  # noqa: ARG001
) -> Any:
    def code(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        height, weights, values, sums, *steps, m = args
        writer = _Writer(builder, (weights, values, sums), *steps)
        done, none = builder.append_basic_block(), builder.append_basic_block()
        choice = builder.switch(height, none)
        for count in range(1, HEIGHT + 1):
            block = builder.append_basic_block()
            choice.add_case(writer.integer(count), block)
            builder.position_at_end(block)
            writer.strip(count, m)
            builder.branch(done)
        builder.position_at_end(none)
        builder.branch(done)
        builder.position_at_end(done)
        return context.get_dummy_value()

    return numba.types.void(*[numba.types.int64] * 11), code


_strip: Any = None if numba is None else import_module("numba.extending").intrinsic(_write_strip)


@compiled
def _by_strips(
    weights: FloatArray,
    first: int,
    step: int,
    across: int,
    n: int,
    values: FloatArray,
    row: int,
    sums: FloatArray,
    n_lanes: int,
    add: int,
) -> None:
    w = weights.ctypes.data + weights.itemsize * first
    x, value_stride = values.ctypes.data + values.strides[0] * row, values.strides[0] // values.itemsize
    z, sum_stride = sums.ctypes.data, sums.strides[0] // sums.itemsize
    for k in range(0, sums.shape[0], HEIGHT):
        height = min(HEIGHT, sums.shape[0] - k)
        at, to = w + weights.itemsize * k * across, z + sums.strides[0] * k
        _strip(height, at, x, to, step, across, n, value_stride, sum_stride, add, n_lanes)


def _plain_strips(
    weights: FloatArray,
    first: int,
    step: int,
    across: int,
    n: int,
    values: FloatArray,
    row: int,
    sums: FloatArray,
    n_lanes: int,
    add: int,
) -> None:
    for k in range(sums.shape[0]):
        for e in range(n_lanes):
            total = float(sums[k, e]) if add else 0.0
            for j in range(n):
                total = fma(weights[first + j * step + k * across], values[row + j, e], total)
            sums[k, e] = total


_strips = _plain_strips if numba is None else _by_strips


@compiled
def combine(
    weights: FloatArray, first: int, step: int, across: int, n: int, values: FloatArray, row: int, sums: FloatArray
) -> None:
    """Set ``sums[k] = Σ_j w_jk values[row + j]`` over ``n`` rows, ``w_jk = weights[first + j step + k across]``.

    >>> sums = np.empty((1, 2))
    >>> combine(np.array([2.0, 3.0]), 0, 1, 1, 2, np.array([[1.0, 0.0], [0.0, 1.0]]), 0, sums)
    >>> sums.tolist()
    [[2.0, 3.0]]
    """
    _strips(weights, first, step, across, n, values, row, sums, sums.shape[1], 0)


@compiled
def add_outer_products(c: FloatArray, g: FloatArray, n: int, total: FloatArray) -> None:
    """Add ``Σ_e c_e g_eᵀ`` over the first ``n`` rows of ``c`` and ``g`` to the lower triangle of ``total``.

    The products are added in the order of ``e``.  Some elements above the diagonal change as well.

    >>> total = np.zeros((2, 2))
    >>> add_outer_products(np.array([[1.0, 2.0]]), np.array([[1.0, 2.0]]), 1, total)
    >>> np.tril(total).tolist()
    [[1.0, 0.0], [2.0, 4.0]]
    """
    flat = c.reshape(-1)
    for top in range(0, total.shape[0], HEIGHT):
        bottom = min(top + HEIGHT, total.shape[0])
        lanes = min((bottom + 7) // 8 * 8, total.shape[1])  # whole vectors
        _strips(flat, top, c.shape[1], 1, n, g, 0, total[top:bottom], lanes, 1)
