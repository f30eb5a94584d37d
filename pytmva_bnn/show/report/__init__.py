"""One page with everything: tables and plots of a training as a single HTML file.

What to use when: :func:`write_report` after a training here, :func:`report_from_output_file` for an output file of TMVA
(or of this package), :func:`TMVAGui` and the like in macros that call them.  What notebooks show of models, results and
readers is registered here too.
"""

from __future__ import annotations

from pytmva_bnn.show.report import notebook  # noqa: F401 - registers what notebooks show
from pytmva_bnn.show.report.write import TMVAGui, TMVAMultiClassGui, TMVARegGui, report_from_output_file, write_report

__all__ = ["TMVAGui", "TMVAMultiClassGui", "TMVARegGui", "report_from_output_file", "write_report"]
