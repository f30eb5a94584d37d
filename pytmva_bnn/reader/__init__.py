"""TMVA's Reader: evaluation of booked weight files, one event after the other or in arrays."""

from pytmva_bnn.reader.method import BookedMethod
from pytmva_bnn.reader.reader import Reader

__all__ = ["BookedMethod", "Reader"]
