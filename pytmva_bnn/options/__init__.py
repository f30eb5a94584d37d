"""Option strings such as ``"!H:!V:NCycles=60:HiddenLayers=N+5:TrainingMethod=BFGS"``.

What to use when:

* read an option string against a table: :class:`OptionSet`, with the tables ``FACTORY_OPTIONS``,
  :func:`splitting_options`, ... , or the table of a method;
* write options to a weight file or read them: :meth:`OptionSet.records`, :meth:`OptionSet.parse_records`;
* make an option string of keyword arguments: :func:`option_string`;
* turn the value of VarTransform into steps, and their selections into indices: :func:`parse_var_transform`,
  :func:`select`.

Warnings (a value given twice, a number read in part only) go to the logger ``pytmva_bnn.options``.

>>> options = OptionSet(FACTORY_OPTIONS, owner="Factory")
>>> _ = options.parse("!V:Transformations=I;N:AnalysisType=Classification")
>>> options.check_unused()
>>> options.string("Transformations")
'I;N'
"""

from __future__ import annotations

from pytmva_bnn.options.declaration import PER_VARIABLE, Numbers, Option, OptionType, OptionValue, Scalar, sized
from pytmva_bnn.options.parser import OptionSet
from pytmva_bnn.options.strings import OptionRecord, option_string, records_to_string, split_tokens, with_choice
from pytmva_bnn.options.tables import (
    COMPATIBILITY_OPTIONS,
    FACTORY_OPTIONS,
    METHOD_BASE_OPTIONS,
    pdf_options,
    reader_options,
    splitting_options,
)
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
    "COMPATIBILITY_OPTIONS",
    "FACTORY_OPTIONS",
    "METHOD_BASE_OPTIONS",
    "PER_VARIABLE",
    "Kind",
    "Numbers",
    "Option",
    "OptionRecord",
    "OptionSet",
    "OptionType",
    "OptionValue",
    "Quantity",
    "Scalar",
    "Selection",
    "TransformationSpec",
    "option_string",
    "parse_var_transform",
    "pdf_options",
    "reader_options",
    "records_to_string",
    "select",
    "sized",
    "split_tokens",
    "split_transformations",
    "splitting_options",
    "with_choice",
]
