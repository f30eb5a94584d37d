"""Compiled kernels of a forest (numba, extra ``fast``): responses of many events, and of one after the other."""
