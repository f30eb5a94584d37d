"""Compiled kernels of the MLP (numba, extra ``fast``): responses, errors and training."""
