"""Progress on a terminal and in a log."""

import logging
import sys

import pytest

from pytmva_bnn.methods.progress import LogProgress, ignore_progress, show_progress

LOG = logging.getLogger("pytmva_bnn.MLP")


def on_a_terminal(monkeypatch):
    # within the test: pytest exchanges the stream after the fixtures
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)


def test_a_log_gets_a_line_for_each_tenth_of_the_epochs(caplog):
    caplog.set_level(logging.INFO, logger="pytmva_bnn.MLP")
    with show_progress(100, LOG) as progress:
        for epoch in range(1, 101):
            progress(epoch, None if epoch < 50 else 0.5, None if epoch < 50 else 0.6)
    assert len(caplog.messages) == 10
    assert caplog.messages[0] == "epoch 10 of 100"
    assert caplog.messages[-1] == "epoch 100 of 100: estimator 0.5 (training), 0.6 (test)"


def test_slow_epochs_get_more_lines(caplog):
    caplog.set_level(logging.INFO, logger="pytmva_bnn.MLP")
    progress = LogProgress(100, LOG, seconds=0.0)
    progress(1, None, None)
    assert caplog.messages == ["epoch 1 of 100"]


def test_a_terminal_gets_a_bar(capsys, monkeypatch):
    pytest.importorskip("tqdm")
    on_a_terminal(monkeypatch)
    with show_progress(4, LOG) as progress:
        progress(1, None, None)
        progress(4, 0.5, 0.6)
    shown = capsys.readouterr().err
    assert "4/4" in shown
    assert "training 0.5, test 0.6" in shown


def test_a_terminal_without_tqdm_gets_log_lines(monkeypatch):
    on_a_terminal(monkeypatch)
    monkeypatch.setitem(sys.modules, "tqdm", None)
    with show_progress(4, LOG) as progress:
        assert isinstance(progress, LogProgress)


def test_quiet_is_quiet():
    with show_progress(4, LOG, quiet=True) as progress:
        assert progress is ignore_progress


def test_the_unit_is_named(caplog):
    caplog.set_level(logging.INFO, logger="pytmva_bnn.MLP")
    LogProgress(3, LOG, "tree")(3)
    assert caplog.messages == ["tree 3 of 3"]
