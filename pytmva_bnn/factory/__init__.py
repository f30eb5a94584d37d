"""Booking and training: the Factory, its methods, and cross-validation."""

from pytmva_bnn.factory.cross_validation import CrossValidation
from pytmva_bnn.factory.factory import Factory
from pytmva_bnn.factory.method import MethodBase, NotTrainedError

__all__ = ["CrossValidation", "Factory", "MethodBase", "NotTrainedError"]
