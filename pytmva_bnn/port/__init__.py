"""Translate C++ macros that use TMVA to Python on this package.

What to use when: :func:`translate` on a text, :func:`main` as a command (``pytmva-bnn port macro.C``).  The C++ is
parsed by tree-sitter (extra ``port``) and never run.  From the macro to the Python file, step by step:

* :mod:`~pytmva_bnn.port.preprocess` decides ``#ifdef``, :mod:`~pytmva_bnn.port.parse` makes the syntax tree;
* :mod:`~pytmva_bnn.port.usage` finds how names are used, :mod:`~pytmva_bnn.port.symbols` keeps what they stand for;
* :mod:`~pytmva_bnn.port.statements`, ``declarations``, ``loops``, ``functions`` and
  :mod:`~pytmva_bnn.port.expressions`, ``calls``, ``objects``, ``trees``, ``streams`` translate;
  :mod:`~pytmva_bnn.port.root_idioms` holds their tables;
  :mod:`~pytmva_bnn.port.numbers` knows how C++ computes, :mod:`~pytmva_bnn.port.left` keeps what is not translated;
* :mod:`~pytmva_bnn.port.output`, ``layout`` and ``tidy`` write the text, which may use
  :mod:`~pytmva_bnn.port.arithmetic` and :mod:`~pytmva_bnn.port.histogram`.
"""

from __future__ import annotations

from pytmva_bnn.port.cli import main
from pytmva_bnn.port.translate import Translation, translate

__all__ = ["Translation", "main", "translate"]
