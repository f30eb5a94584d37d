"""Memory that the user fills and the Reader looks at: the Python form of TMVA's float pointers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.errors import InputError

_HOW = "give an array of one float that you fill per event: array.array('f', [0]) or np.zeros(1, dtype='float32')"


def bind(buffer: Any, name: str, *, integers_allowed: bool) -> NDArray[Any]:
    """Return a view of ``buffer``, which must be one number in writable memory.

    >>> import array
    >>> memory = array.array("f", [0.0])
    >>> view = bind(memory, "x", integers_allowed=False)
    >>> memory[0] = 2.5
    >>> float(view[0])
    2.5
    """
    try:
        memory = memoryview(buffer)
    except TypeError:
        raise InputError(f"{name}: {type(buffer).__name__} is not memory that can be linked; {_HOW}") from None
    try:
        view = np.frombuffer(memory, dtype=np.dtype(memory.format)) if memory.nbytes else np.empty(0)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name}: the buffer cannot be read as numbers ({error}); {_HOW}") from None
    if view.size != 1:
        raise InputError(f"{name}: the buffer has {view.size} elements, not one; {_HOW}")
    if memory.readonly:
        raise InputError(f"{name}: the buffer cannot be written to, so its value could never change; {_HOW}")
    if view.dtype.kind == "f":
        return view
    if view.dtype.kind in "iu":
        if integers_allowed:
            return view
        raise InputError(f"{name}: variables must be floats, the buffer holds integers ({view.dtype}); {_HOW}")
    raise InputError(f"{name}: the buffer holds {view.dtype}, not a float; {_HOW}")
