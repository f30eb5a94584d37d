"""The transformations of one event, for compiled code that evaluates one after the other."""

from __future__ import annotations

import numpy as np

from pytmva_bnn._typing import FloatArray, IntArray
from pytmva_bnn.fast.compiler import inlined
from pytmva_bnn.transform.compiled import NORMALISE, SCALE

ONE, TWO = np.float32(1), np.float32(2)


@inlined
def transform_event(
    values: FloatArray, n: int, steps: IntArray, parameters: FloatArray, at: int, work: FloatArray
) -> None:
    """Transform the first n values in float32 by the steps, whose parameters begin at ``at``."""
    for number in range(steps.size):
        if steps[number] == NORMALISE:
            for j in range(n):
                low, inverse = np.float32(parameters[at + j]), np.float32(parameters[at + n + j])
                values[j] = (np.float32(values[j]) - low) * inverse * TWO - ONE
            at += 2 * n
        elif steps[number] == SCALE:
            for j in range(n):
                values[j] = np.float32(values[j]) / np.float32(parameters[at + j])
            at += n
        else:
            for i in range(n):
                total = 0.0
                for j in range(n):
                    total += parameters[at + n + i * n + j] * (values[j] - parameters[at + j])
                work[i] = total
            for i in range(n):
                values[i] = np.float32(work[i])
            at += n + n * n
