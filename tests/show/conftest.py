"""What the tests of everything shown share."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="session")
def draw_without_layout():
    """Return a function that makes all plots of a training be drawn, but not laid out, while a patch holds.

    Laying out takes longest, and has its own tests.
    """
    from pytmva_bnn.show.plots import gallery

    def figure(plot, dpi=None):
        drawn = plot.draw()
        made = drawn if hasattr(drawn, "savefig") else drawn.get_figure()
        made.set_layout_engine("none")
        made.set_dpi(dpi or made.dpi)
        return made

    return lambda patch: patch.setattr(gallery.Plot, "figure", figure)
