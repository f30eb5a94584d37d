"""Transformations of the input variables and targets: one file a transformation, with all one can do with it.

What to use when:

* a whole ``Transformations`` element was read: a :class:`TransformationChain` of its steps;
* a network is to be trained: :func:`fit_chain` of the steps of VarTransform to the :class:`TrainingEvents`;
* one transformation alone is to be fitted: :func:`fit_step`;
* an element or a text is to be read or written: :func:`read_xml`, :func:`write_xml`, :func:`read_text`;
* a new transformation is to be added: :class:`Step` in :mod:`pytmva_bnn.transform.step`, and the table in
  :mod:`pytmva_bnn.transform.steps`.

>>> import numpy as np
>>> x = Quantity("Variable", "x", "x")
>>> step = Normalisation(Selection((x,), (x,)), np.float32([[0.0]]), np.float32([[4.0]]))
>>> chain = TransformationChain([step], variables=[x])
>>> chain.forward(np.float32([[1.0], [4.0]])).tolist()
[[-0.5], [1.0]]
"""

from __future__ import annotations

from pytmva_bnn.transform.chain import TransformationChain
from pytmva_bnn.transform.decorrelate import Decorrelation
from pytmva_bnn.transform.fit_chain import FittedChain, TrainingEvents, fit_chain
from pytmva_bnn.transform.gauss import Gaussianisation
from pytmva_bnn.transform.normalise import Normalisation, uses_offset_attribute
from pytmva_bnn.transform.oldgauss import OldCumulative, OldGaussianisation
from pytmva_bnn.transform.principal import PrincipalComponents
from pytmva_bnn.transform.rearrange import Rearrangement
from pytmva_bnn.transform.selection import Quantity, Selection
from pytmva_bnn.transform.step import Step
from pytmva_bnn.transform.steps import fit_step, read_text, read_xml, write_xml
from pytmva_bnn.transform.whole_events import WholeEvents

__all__ = [
    "Decorrelation",
    "FittedChain",
    "Gaussianisation",
    "Normalisation",
    "OldCumulative",
    "OldGaussianisation",
    "PrincipalComponents",
    "Quantity",
    "Rearrangement",
    "Selection",
    "Step",
    "TrainingEvents",
    "TransformationChain",
    "WholeEvents",
    "fit_chain",
    "fit_step",
    "read_text",
    "read_xml",
    "uses_offset_attribute",
    "write_xml",
]
