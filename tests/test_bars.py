"""Progress bars: for people at a terminal or in a notebook, and for nobody else."""

import sys
from types import SimpleNamespace

import pytest

from pytmva_bnn.bars import in_notebook, progress_bar, widget_or_text


def running_in(monkeypatch, *applications):
    shell = SimpleNamespace(config=dict.fromkeys(applications))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))


def test_a_kernel_of_jupyter_is_a_notebook_and_ipython_at_a_terminal_is_none(monkeypatch):
    assert not in_notebook()
    running_in(monkeypatch, "TerminalIPythonApp")
    assert not in_notebook()
    running_in(monkeypatch, "IPKernelApp")
    assert in_notebook()
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: None))
    assert not in_notebook()


@pytest.mark.parametrize(("terminal", "kernel", "watched"), [(0, 0, False), (1, 0, True), (0, 1, True)])
def test_there_is_a_bar_if_somebody_watches(monkeypatch, terminal, kernel, watched):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: bool(terminal), raising=False)
    if kernel:
        running_in(monkeypatch, "IPKernelApp")
    assert (progress_bar() is not None) == watched


def test_without_tqdm_there_is_none(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    assert widget_or_text() is None
