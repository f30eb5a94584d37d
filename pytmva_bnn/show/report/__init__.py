"""One page with everything: tables and plots of a training as a single HTML file.

What to use when: :func:`write_report` after a training here, :func:`report_from_output_file` for an output file of TMVA
(or of this package), :func:`TMVAGui` and its kin in macros that call them.
"""

from __future__ import annotations

from pytmva_bnn.show.report.gui import TMVAGui, TMVAMultiClassGui, TMVARegGui
from pytmva_bnn.show.report.notebook import (
    choice_html,
    dataset_html,
    evidence_html,
    factory_html,
    loader_html,
    method_html,
    model_html,
    reader_html,
    result_html,
)
from pytmva_bnn.show.report.write import report_from_output_file, write_report

__all__ = [
    "TMVAGui",
    "TMVAMultiClassGui",
    "TMVARegGui",
    "choice_html",
    "dataset_html",
    "evidence_html",
    "factory_html",
    "loader_html",
    "method_html",
    "model_html",
    "reader_html",
    "report_from_output_file",
    "result_html",
    "write_report",
]
