"""TTreeFormula's language: expressions for variables, cuts and weights, without ROOT.

What to use when
----------------

* :func:`evaluate` for the values of an expression, once.
* :class:`Formula` for the same expression on many blocks of events, for the number of array elements it
  has in each entry (``counts``), and for single elements (``at``): what TMVA does with array variables.
* :func:`branches` for which branches to read.
* :func:`parse` for the tree itself.
* :class:`TFormula` for a function of parameters with the rules of C++, which FDA has.

A parser of our own reads the text; nothing of it is ever executed.

>>> evaluate("nj > 2 ? log(pt) : -1", {"nj": [3, 1], "pt": [1.0, 2.0]})
array([ 0., -1.])
>>> evaluate("vra1 + 1", {"var1": [1.0]})
Traceback (most recent call last):
...
pytmva_bnn.formula.errors.FormulaError: there is no branch 'vra1': did you mean var1?
  vra1 + 1
  ^
"""

from __future__ import annotations

from pytmva_bnn.formula.errors import FormulaError
from pytmva_bnn.formula.formula import Formula, branches, evaluate, is_jagged
from pytmva_bnn.formula.nodes import Node
from pytmva_bnn.formula.parser import parse
from pytmva_bnn.formula.table import TreeInfo
from pytmva_bnn.formula.tformula import TFormula

__all__ = [
    "Formula",
    "FormulaError",
    "Node",
    "TFormula",
    "TreeInfo",
    "branches",
    "evaluate",
    "is_jagged",
    "parse",
]
