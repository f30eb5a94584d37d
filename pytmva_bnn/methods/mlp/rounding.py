"""Weights as TMVA reads them from XML: rounded from the text to float32."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.xmlio.reading import zero_from_first_nan


def rounded_like_tmva(matrix: FloatArray) -> FloatArray:
    """Return the weights as TMVA reads them from the file's text: float32, and 0 from the first NaN of a row on.

    >>> import numpy as np
    >>> rounded_like_tmva(np.array([[0.1, np.nan, 2.0]]))
    array([[0.1, 0. , 0. ]])
    """
    exact = zero_from_first_nan(matrix)
    nearest = exact.astype(np.float32)
    result = nearest.astype(np.float64)
    # TMVA: text goes to float32 directly. Where float64 lies half-way between two float32, going through it can
    # round the wrong way: there the text itself decides.
    toward = np.where(exact > result, np.float32(np.inf), np.float32(-np.inf))
    with np.errstate(invalid="ignore", over="ignore"):
        neighbour = np.nextafter(nearest, toward.astype(np.float32)).astype(np.float64)
        ties = np.argwhere((exact != result) & (np.abs(exact - result) == np.abs(neighbour - exact)))
    for index in map(tuple, ties):
        text = Fraction(f"{exact[index]:.16e}")
        if abs(text - Fraction(neighbour[index])) < abs(text - Fraction(result[index])):
            result[index] = neighbour[index]
    return result
