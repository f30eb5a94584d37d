"""Array types that the whole package uses."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

FloatArray: TypeAlias = NDArray[np.float64]
Float32Array: TypeAlias = NDArray[np.float32]
AnyFloatArray: TypeAlias = NDArray[np.floating]
IndexArray: TypeAlias = NDArray[np.intp]
BoolArray: TypeAlias = NDArray[np.bool_]
AnyArray: TypeAlias = NDArray[Any]
IntArray: TypeAlias = NDArray[np.int64]
AnyIntArray: TypeAlias = NDArray[np.integer]
