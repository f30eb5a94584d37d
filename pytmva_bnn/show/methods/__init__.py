"""How methods are shown beyond what all of them have: one file a method, which registers its words, numbers and plots.

What a file may have, for the fitted method, the result of its training, or what an output file has of them:

* :func:`~pytmva_bnn.show.plots.content.described`: names and values for tables of methods;
* :func:`~pytmva_bnn.show.plots.content.training_facts`: the same of how the training went;
* :func:`~pytmva_bnn.show.plots.content.tabulated`: more numbers, for the report and notebooks;
* :func:`~pytmva_bnn.show.plots.content.drawings`: its plots, by the titles of their sections;
* a reader of its folder in an output file, in :data:`FOLDERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from pytmva_bnn.show.methods import (  # noqa: F401 - all register what they show
    bdt,
    boost,
    cuts,
    foam,
    likelihood,
    linear,
    mlp,
    other_nets,
    rulefit,
)

if TYPE_CHECKING:
    from pytmva_bnn.show.report.root_file import Directory

FOLDERS: Mapping[str, Callable[[Directory, str], tuple[object, object]]] = {
    "BDT": bdt.read_folder,
    "Likelihood": likelihood.read_folder,
    "MLP": mlp.read_folder,
}
"""By kind of method: what reads its folder, given with the title of the method, as (fitted, training) or None each."""
