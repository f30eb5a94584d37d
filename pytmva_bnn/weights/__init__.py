"""The envelope of a weight file: general information, options, variables, classes, transformations, PDFs.

What stands in ``<Weights>`` belongs to the method (:mod:`pytmva_bnn.methods`); a file with all its parts is a
:class:`pytmva_bnn.Model`.

>>> from pytmva_bnn import weights
>>> file = weights.read("xml_fixtures/cases/bfgs_n/weights.xml")
>>> file.kind, file.title, [variable.expression for variable in file.variables]
('MLP', 'MLP', ['var1', 'var2', 'var3', 'var4'])
"""

from pytmva_bnn.weights.companions import Companion, companion_path
from pytmva_bnn.weights.interpretation import chain_of, response_pdfs_of, whole_events_of
from pytmva_bnn.weights.modernise import modernised
from pytmva_bnn.weights.reading import read, read_source, read_string
from pytmva_bnn.weights.records import Dialect, WeightFile
from pytmva_bnn.weights.source import Source
from pytmva_bnn.weights.xml_reader import Section, Stream, envelope
from pytmva_bnn.weights.xml_writer import method_lines, to_xml, write_xml

__all__ = [
    "Companion",
    "Dialect",
    "Section",
    "Source",
    "Stream",
    "WeightFile",
    "chain_of",
    "companion_path",
    "envelope",
    "method_lines",
    "modernised",
    "read",
    "read_source",
    "read_string",
    "response_pdfs_of",
    "to_xml",
    "whole_events_of",
    "write_xml",
]
