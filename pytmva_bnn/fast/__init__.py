"""Compiled kernels for the loops over events: numba (extra ``fast``), vector instructions, threads.

What to use when: nothing has to be called.  Large jobs use the kernels by themselves if numba is installed; without it
numpy does the same.  Two environment variables change that:

=======================  ===============================================================================================
``PYTMVA_BNN_FAST``      ``auto`` (default): compiled code where it pays for loading it; ``1``: always (an error if
                         numba is missing); ``0``: never
``PYTMVA_BNN_THREADS``   how many threads a job may use; by default ``OMP_NUM_THREADS``, else all processors that the
                         process may use.  Results do not depend on it
=======================  ===============================================================================================

Compiled and numpy results differ in the last bits (responses by 1e-15, errors by 1e-12 where the inverse Hessian is
ill-conditioned).  Importing this package does not import numba.
"""

from pytmva_bnn.fast.switch import available, in_steps, in_training, pays

__all__ = ["available", "in_steps", "in_training", "pays"]
