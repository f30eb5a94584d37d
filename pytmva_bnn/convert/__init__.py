"""Weight files in other formats.

What to use when:

* any change of format by the ends of the names: :func:`convert`; reading by the end of the name: :func:`load_any`;
* for programs without TMVA that want all of it: :func:`to_json`, :func:`from_json`, :func:`to_npz`, :func:`from_npz`,
  which keep everything, so that the XML written again has the same bytes;
* for runtimes of neural networks: :func:`to_onnx`, a graph with TMVA's roundings, transformations and error bars;
* for C++: :func:`pytmva_bnn.standalone.write_class`;
* from networks of scikit-learn: :func:`from_sklearn`;
* from forests of scikit-learn, XGBoost and LightGBM: :func:`from_forest`; to XGBoost: :func:`to_xgboost`.

>>> from pytmva_bnn.convert import format_of
>>> format_of("job_MLP.weights.xml.gz").name
'XML'
"""

from __future__ import annotations

from pytmva_bnn.convert.forests.from_forest import foreign_file, from_forest, unpickled
from pytmva_bnn.convert.forests.to_xgboost import to_xgboost, xgboost_document
from pytmva_bnn.convert.formats import FORMATS, FileFormat, convert, format_of, load_any, writer_of
from pytmva_bnn.convert.json_format import from_json, json_text, to_json
from pytmva_bnn.convert.npz_format import from_npz, to_npz
from pytmva_bnn.convert.onnx_check import largest_difference, run_onnx
from pytmva_bnn.convert.onnx_format import onnx_model, to_onnx
from pytmva_bnn.convert.random_events import random_events
from pytmva_bnn.convert.sklearn_models import from_sklearn
from pytmva_bnn.optional import optional

__all__ = [
    "FORMATS",
    "FileFormat",
    "convert",
    "foreign_file",
    "format_of",
    "from_forest",
    "from_json",
    "from_npz",
    "from_sklearn",
    "json_text",
    "largest_difference",
    "load_any",
    "onnx_model",
    "optional",
    "random_events",
    "run_onnx",
    "to_json",
    "to_npz",
    "to_onnx",
    "to_xgboost",
    "unpickled",
    "writer_of",
    "xgboost_document",
]
