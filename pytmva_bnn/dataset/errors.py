"""The error of the data set's preparation."""

from __future__ import annotations

from pytmva_bnn.errors import TMVAError


class DatasetError(TMVAError, ValueError):
    """The training and test sets cannot be made from these events with these options.

    >>> issubclass(DatasetError, ValueError)
    True
    """
