"""A trained method on arrays: :func:`load` a weight file, :meth:`Model.predict` a million events.

What to use when: ``load`` and ``predict`` for events in arrays; :class:`pytmva_bnn.Reader` for a TMVA macro that
evaluates one event after the other.
"""

from __future__ import annotations

from pytmva_bnn.model.loading import load, load_string
from pytmva_bnn.model.model import Model

__all__ = ["Model", "load", "load_string"]
