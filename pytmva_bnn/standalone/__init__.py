"""A network as one C++ file of its own, which gives the response without ROOT, TMVA or Python.

What to use when: :func:`write_class` for a file to be included in a C++ program, :func:`class_source` for its text.
The class has the interface of the one TMVA writes (``Read<title>`` with ``GetMvaValue``), so one can take the other's
place; here it also knows error bars, regression, several classes and every transformation, and gives the numbers of
TMVA's Reader to the last digits.

>>> import pytmva_bnn as TMVA
>>> from pytmva_bnn.standalone import class_source
>>> model = TMVA.load("xml_fixtures/cases/fakerate_bnn/weights.xml")
>>> source = class_source(model, class_name="FakeRate")
>>> "class FakeRate : public IClassifierReader {" in source
True
"""

from __future__ import annotations

from pytmva_bnn.cpp.literals import class_identifier
from pytmva_bnn.standalone.source import class_source, write_class

__all__ = ["class_identifier", "class_source", "write_class"]
