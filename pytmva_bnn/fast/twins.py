"""When to use the compiled twin of a numpy function that gives the same bits.

The loops that prepare a training (shuffles, sums one by one, filling histograms) have to follow TMVA's order of
operations, which numpy can do only in many passes.  Beside the numpy function there is then a compiled one (extra
``fast``), in a file of its own called ``…_kernels.py``.  Both give the same numbers to the last bit, so the choice
between them is free: it may depend on the size of the job and on whether numba is loaded already.
"""

from __future__ import annotations

import sys

from pytmva_bnn.fast.switch import available, is_forced

TO_LOAD = 0.1
"""Seconds from which on numba is loaded for a job: that takes longer, but the training that follows needs it anyway."""
TO_CALL = 5e-3
"""Seconds from which on it pays to have a kernel loaded, once numba is."""


def compiled_pays(seconds: float) -> bool:
    """Tell whether to use compiled code for a job for which numpy takes about so many seconds."""
    if is_forced():
        return True
    return seconds > TO_CALL and available() and ("numba" in sys.modules or seconds > TO_LOAD)
