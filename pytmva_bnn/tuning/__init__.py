"""The search for the best options of a method: many trainings, in parallel, and a table of them."""

from pytmva_bnn.tuning.result import SearchResult, Trial
from pytmva_bnn.tuning.strategy import search

__all__ = ["SearchResult", "Trial", "search"]
