"""Progress bars for people who watch: text at a terminal, a widget in a notebook."""

from __future__ import annotations

import sys
import warnings
from typing import Any


def progress_bar() -> Any:
    """Return tqdm's class of progress bars that fits, or None if nobody watches or there is no tqdm."""
    return widget_or_text() if sys.stderr.isatty() or in_notebook() else None


def widget_or_text() -> Any:
    """Return tqdm's class for widgets in a notebook that has them, else the one for text; None if there is no tqdm."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # notebooks without widgets get text, which needs no warning
            from tqdm import auto  # lazy: only for people who watch
    except ImportError:
        return None
    return auto.tqdm


def in_notebook() -> bool:
    """Return whether this runs in a Jupyter kernel (not in IPython at a terminal)."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and "IPKernelApp" in shell.config
