"""Option strings such as ``"!H:!V:NCycles=60:HiddenLayers=N+5:TrainingMethod=BFGS"``.

What to use when:

* read an option string against a table: :class:`OptionSet`, with the tables ``FACTORY_OPTIONS``,
  ``MLP_METHOD_OPTIONS``, :func:`splitting_options`, ... ; show a table to a user: :func:`describe`;
* write options to a weight file or read them: :meth:`OptionSet.records`, :meth:`OptionSet.parse_records`;
* turn the value of HiddenLayers into layer sizes: :func:`hidden_layer_sizes`;
* turn the value of VarTransform into steps, and their selections into indices: :func:`parse_var_transform`,
  :func:`select`.

Warnings (a value given twice, a number read in part only) go to the logger ``pytmva_bnn.options``.

>>> options = OptionSet(MLP_METHOD_OPTIONS, owner="MLP")
>>> _ = options.parse("!H:!V:NCycles=60:HiddenLayers=N+5:TrainingMethod=BFGS")
>>> options.check_unused()
>>> hidden_layer_sizes(options.string("HiddenLayers"), n_inputs=4)
(9,)
"""

from __future__ import annotations

from pytmva_bnn.options.declaration import Option, OptionType, OptionValue, Scalar
from pytmva_bnn.options.help_text import describe
from pytmva_bnn.options.layers import hidden_layer_sizes
from pytmva_bnn.options.parser import OptionSet
from pytmva_bnn.options.records import OptionRecord, records_to_string
from pytmva_bnn.options.tables import (
    ANN_OPTIONS,
    COMPATIBILITY_OPTIONS,
    FACTORY_OPTIONS,
    METHOD_BASE_OPTIONS,
    MLP_METHOD_OPTIONS,
    MLP_OPTIONS,
    pdf_options,
    reader_options,
    splitting_options,
)
from pytmva_bnn.options.tokens import asks_for_silence, asks_for_verbose
from pytmva_bnn.options.transformations import (
    Kind,
    Quantity,
    Selection,
    TransformationSpec,
    parse_var_transform,
    select,
    split_transformations,
)

__all__ = [
    "ANN_OPTIONS",
    "COMPATIBILITY_OPTIONS",
    "FACTORY_OPTIONS",
    "METHOD_BASE_OPTIONS",
    "MLP_METHOD_OPTIONS",
    "MLP_OPTIONS",
    "Kind",
    "Option",
    "OptionRecord",
    "OptionSet",
    "OptionType",
    "OptionValue",
    "Quantity",
    "Scalar",
    "Selection",
    "TransformationSpec",
    "asks_for_silence",
    "asks_for_verbose",
    "describe",
    "hidden_layer_sizes",
    "parse_var_transform",
    "pdf_options",
    "reader_options",
    "records_to_string",
    "select",
    "split_transformations",
    "splitting_options",
]
