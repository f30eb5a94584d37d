"""Rectangular cuts: for each signal efficiency the box in the variables that lets the least background through."""
