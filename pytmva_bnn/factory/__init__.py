"""Booking and training: the Factory, its methods, and the choice of an architecture."""

from pytmva_bnn.factory.architecture import ArchitectureChoice, select_architecture
from pytmva_bnn.factory.cross_validation import CrossValidation
from pytmva_bnn.factory.factory import Factory
from pytmva_bnn.factory.method import MethodMLP, NotTrainedError

__all__ = ["ArchitectureChoice", "CrossValidation", "Factory", "MethodMLP", "NotTrainedError", "select_architecture"]
