"""Weight files: their content as dataclasses, readers and a writer.

>>> from pytmva_bnn.weights import read, write_xml  # doctest: +SKIP
>>> file = read("dataset/weights/job_MLP.weights.xml")  # doctest: +SKIP
>>> file.variables[0].expression  # doctest: +SKIP
'var1'
"""

from pytmva_bnn.weights.interpretation import chain_of, network_of, options_of, response_pdfs_of, rounded_like_tmva
from pytmva_bnn.weights.modernise import modernised
from pytmva_bnn.weights.reading import read, read_string
from pytmva_bnn.weights.records import Dialect, WeightFile
from pytmva_bnn.weights.xml_writer import to_xml, write_xml

__all__ = [
    "Dialect",
    "WeightFile",
    "chain_of",
    "modernised",
    "network_of",
    "options_of",
    "read",
    "read_string",
    "response_pdfs_of",
    "rounded_like_tmva",
    "to_xml",
    "write_xml",
]
