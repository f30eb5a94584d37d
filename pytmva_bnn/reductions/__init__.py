"""Sums, moments and extremes in the order of operations that TMVA has."""
