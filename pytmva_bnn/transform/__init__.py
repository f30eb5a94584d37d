"""Transformations of the input variables and targets: applying those of a weight file, and fitting new ones.

What to use when:

* a whole ``Transformations`` element was read: a :class:`TransformationChain` of its steps;
* a network is to be trained: :func:`fit_chain` of the steps of VarTransform to the :class:`TrainingEvents`;
* one transformation alone is to be fitted: :func:`fit_normalisation`, :func:`fit_decorrelation`,
  :func:`fit_principal_components`, :func:`fit_gaussianisation`;
* mean, RMS and range of variables: :mod:`pytmva_bnn.transform.statistics`;
* one transformation alone is to be applied: the pure functions :func:`~pytmva_bnn.transform.normalise.normalise`,
  :func:`~pytmva_bnn.transform.decorrelate.decorrelate`,
  :func:`~pytmva_bnn.transform.principal.principal_components` and
  :func:`~pytmva_bnn.transform.gauss.gaussianise`.

>>> import numpy as np
>>> x = Quantity("Variable", "x", "x")
>>> step = Normalisation(Selection((x,), (x,)), np.float32([[0.0]]), np.float32([[4.0]]))
>>> chain = TransformationChain([step], variables=[x])
>>> chain.forward(np.float32([[1.0], [4.0]])).tolist()
[[-0.5], [1.0]]
"""

from __future__ import annotations

from pytmva_bnn.transform.chain import Step, TransformationChain
from pytmva_bnn.transform.decorrelate import Decorrelation
from pytmva_bnn.transform.fit_chain import FittedChain, FittedStep, TrainingEvents, fit_chain
from pytmva_bnn.transform.fit_decorrelate import fit_decorrelation
from pytmva_bnn.transform.fit_gauss import fit_gaussianisation
from pytmva_bnn.transform.fit_normalise import fit_normalisation
from pytmva_bnn.transform.fit_principal import fit_principal_components
from pytmva_bnn.transform.gauss import Gaussianisation
from pytmva_bnn.transform.normalise import Normalisation
from pytmva_bnn.transform.oldgauss import OldCumulative, OldGaussianisation
from pytmva_bnn.transform.principal import PrincipalComponents
from pytmva_bnn.transform.rearrange import Rearrangement
from pytmva_bnn.transform.selection import Quantity, Selection

__all__ = [
    "Decorrelation",
    "FittedChain",
    "FittedStep",
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
    "fit_chain",
    "fit_decorrelation",
    "fit_gaussianisation",
    "fit_normalisation",
    "fit_principal_components",
]
