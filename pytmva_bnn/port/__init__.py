"""Translate C++ macros that use TMVA to Python on the shim of PyROOT (:mod:`pytmva_bnn.compat`), or run them.

What to use when: :func:`translate` on a text, :func:`run_text` to run one, :func:`main` and :func:`run` as commands
(``pytmva-bnn port macro.C``, ``pytmva-bnn run macro.C``).  The C++ is parsed by tree-sitter (extra ``port``).  From
the macro to the Python file, step by step:

* :mod:`~pytmva_bnn.port.preprocess` decides ``#ifdef`` and follows ``#include`` of files beside the macro,
  :mod:`~pytmva_bnn.port.parse` makes the syntax tree;
* :mod:`~pytmva_bnn.port.analysis` finds which names need an address and which are changed,
  :mod:`~pytmva_bnn.port.context` keeps what they stand for, :mod:`~pytmva_bnn.port.cpp_types` their types;
* :mod:`~pytmva_bnn.port.definitions` finds what the macro defines; ``functions``, ``classes``, ``statements``,
  ``declarations``, ``conditions``, ``loops``, ``handlers`` and :mod:`~pytmva_bnn.port.expressions`, ``operators``,
  ``places``, ``changes``, ``calls``, ``construction``, ``text_methods`` translate;
  :mod:`~pytmva_bnn.port.names` holds the names of C, std and ROOT;
* :mod:`~pytmva_bnn.port.output` and ``layout`` write the text, which uses :mod:`pytmva_bnn.compat`.
"""

from __future__ import annotations

from pytmva_bnn.port.cli import main, run
from pytmva_bnn.port.run import run_text
from pytmva_bnn.port.translate import Translation, translate

__all__ = ["Translation", "main", "run", "run_text", "translate"]
