"""Compiled training of forests: the same numbers as by numpy, to the last bit."""
