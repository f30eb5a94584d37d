"""The output file of TMVA: a ROOT file with the histograms, curves and events of trainings and evaluations.

What to use when: :func:`write_datasets` writes the file of one data set or of several; :class:`DataSetOutput` and
:class:`MethodOutput` say what is needed; :func:`chain_name` and :func:`transformed_events` make two parts
of it.

The layout is TMVA's, so that macros and programs that read such files find what they look for.  But uproot, which
writes it, sets limits:

* The outputs of a multiclass method, or of a regression with several targets, are branches ``<title>.<output>`` of the
  trees, not the leaves of one branch: ``TTree::Draw("MLP.Signal")`` finds both, ``SetBranchAddress("MLP", array)``
  TMVA's only.  TMVA's own plots do not read them.  A regression with one target has the branch ``MLP/F`` and reads as
  TMVA's does; only its leaf is called ``MLP`` and not after the target.
* Titles of folders are their names (TMVA: ``Directory for all MLP methods``).
* Histograms have no mark that says not to draw statistics, and labels of axes none for their direction.
* Nothing is written twice under one name.  TMVA does so with the densities of the response, and with the multiclass
  histograms of training, whose first cycle has the test events by mistake; here they have cycle 1.
"""

from __future__ import annotations

from pytmva_bnn.output.chains import (
    chain_name,
    check_chains,
    check_chains_fit,
    transformed_events,
    transformed_training_events,
)
from pytmva_bnn.output.contents import DataSetOutput, MethodOutput
from pytmva_bnn.output.write import write_datasets

__all__ = [
    "DataSetOutput",
    "MethodOutput",
    "chain_name",
    "check_chains",
    "check_chains_fit",
    "transformed_events",
    "transformed_training_events",
    "write_datasets",
]
