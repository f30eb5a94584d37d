"""How two threads share the passes over the events of a node, some of which take less than waking a thread does.

One thread grows the tree, the other one helps: it looks for jobs all the time while the tree grows.  A job is posted
with a number, and done by whoever claims it first: the helper, or else the growing thread itself when it is through
with its own half.  So nobody waits for a helper that has not begun, for instance because the machine is busy.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from pytmva_bnn.fast.compiler import compiled, numba

Array = Any

# places in the array of numbers that both threads see, each in a cache line of its own
POSTED, CLAIMED, FINISHED, LEAST, SIZE = 0, 8, 16, 24, 25
# LEAST is how many numbers a node must have for its passes to be shared
END = -1
"""Posted when the tree is grown: the helper goes."""


def _plain_load(array: Array, place: int) -> int:
    return int(array[place])


def _plain_store(array: Array, place: int, value: int) -> None:
    array[place] = value


def _plain_exchange(array: Array, place: int, expected: int, value: int) -> bool:
    if array[place] != expected:
        return False
    array[place] = value
    return True


load: Any = _plain_load
"""The number at a place, as the other thread has left it."""
store: Any = _plain_store
"""Set a number, and let the other thread see all that was written before."""
exchange: Any = _plain_exchange
"""Replace a number if it is the expected one, in one step; tell whether it was."""


def _machine_operations() -> None:
    """Replace the plain operations by atomic instructions."""
    global load, store, exchange
    types, cgutils = numba.types, import_module("numba.core.cgutils")
    intrinsic = import_module("numba.extending").intrinsic

    def element(context: Any, builder: Any, array_type: Any, array: Any, place: Any) -> Any:
        return cgutils.gep(builder, context.make_array(array_type)(context, builder, array).data, place)

    def _load(_context: Any, array: Any, place: Any) -> Any:  # noqa: ARG001
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.load_atomic(element(context, builder, signature.args[0], *args), "acquire", 8)

        return types.int64(array, types.int64), code

    def _store(_context: Any, array: Any, place: Any, value: Any) -> Any:  # noqa: ARG001
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            cell = element(context, builder, signature.args[0], *args[:2])
            builder.store_atomic(args[2], cell, "release", 8)
            return context.get_dummy_value()

        return types.void(array, types.int64, types.int64), code

    def _exchange(_context: Any, array: Any, place: Any, expected: Any, value: Any) -> Any:  # noqa: ARG001
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            cell = element(context, builder, signature.args[0], *args[:2])
            done = builder.cmpxchg(cell, args[2], args[3], "acq_rel", "acquire")
            return builder.extract_value(done, 1)

        return types.boolean(array, types.int64, types.int64, types.int64), code

    load, store, exchange = intrinsic(_load), intrinsic(_store), intrinsic(_exchange)


if numba is not None:
    _machine_operations()


@compiled
def post(control: Array, number: int) -> None:
    """Offer a job, which is described already."""
    store(control, POSTED, number)


@compiled
def claim(control: Array, number: int) -> bool:
    """Take the job, if nobody else has."""
    taken: bool = exchange(control, CLAIMED, number - 1, number)
    return taken


@compiled
def finish(control: Array, number: int) -> None:
    """Tell that a job is done."""
    store(control, FINISHED, number)


@compiled
def wait(control: Array, number: int) -> None:
    """Wait until the other thread is through with a job that it has claimed."""
    while load(control, FINISHED) != number:
        pass


@compiled
def next_job(control: Array, seen: int) -> int:
    """Wait for a job after number ``seen``, and return its number."""
    while True:
        number: int = load(control, POSTED)
        if number != seen:
            return number
