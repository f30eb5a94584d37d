"""So much of PyROOT as TMVA macros use, without ROOT.

What to use when:

* a macro in PyROOT: change its line ``import ROOT`` to ``from pytmva_bnn.compat import ROOT`` (or ``from ROOT import
  TMVA, TFile`` to ``from pytmva_bnn.compat.ROOT import TMVA, TFile``) and run it;
* new code: ``import pytmva_bnn as TMVA``, which takes trees as ``"file.root:tree"``, arrays or data frames.

A macro that books methods that do not exist here stops at the first of them, unless they are to be left out: set
``pytmva_bnn.compat.skip_unknown_methods = True``, or start it with the environment variable
``PYTMVA_BNN_SKIP_UNKNOWN_METHODS=1`` (``skip_unknown_methods=1`` for short).

>>> from pytmva_bnn.compat import ROOT
>>> tree = ROOT.TFile.Open("xml_fixtures/data/class.root").Get("TreeS")
>>> tree.GetEntries(ROOT.TCut("var1 > 0") + ROOT.TCut("var2 < 1"))
1036
"""

from __future__ import annotations

import os

SKIP_VARIABLES = ("PYTMVA_BNN_SKIP_UNKNOWN_METHODS", "skip_unknown_methods")
"""The environment variables that set :data:`skip_unknown_methods`."""


def is_skipping_asked_for() -> bool:
    """Tell whether one of the environment variables is set."""
    return any(os.environ.get(name, "").strip().lower() in {"1", "true", "yes", "on"} for name in SKIP_VARIABLES)


skip_unknown_methods: bool = is_skipping_asked_for()
"""Whether BookMethod leaves out, with a warning, the methods that do not exist here."""
