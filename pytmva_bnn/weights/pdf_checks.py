"""What the record of a PDF must fulfil so that a density can be built from it, whatever format it came in."""

from __future__ import annotations

import numpy as np

from pytmva_bnn.histograms import PDFRecord

MAX_INTERPOLATION = 5
MAX_SMOOTHING_PASSES = 1000
# with different least and largest numbers of passes, each peak of a histogram is smoothed on its own
MAX_LOCAL_SMOOTHING = 100_000
LARGEST_FLOAT32 = float(np.finfo(np.float32).max)


def problem_of(record: PDFRecord) -> str | None:
    """Return what is wrong with the record, or None.

    >>> import numpy as np
    >>> from pytmva_bnn.histograms import Histogram, PDFRecord
    >>> histogram = Histogram("h", np.array([1.0, 2.0]), 1.0, 0.0)
    >>> problem_of(PDFRecord("p", 0, 0, 2, 1, 1, 1, 1.0, histogram))
    'the histogram goes from 1.0 to 0.0'
    """
    histogram = record.histogram
    if histogram.edges is not None and not (np.diff(histogram.edges) >= 0).all():
        return "the bin edges are not in increasing order"
    lower, upper = histogram.lower, histogram.upper
    if not max(-lower, upper) <= LARGEST_FLOAT32 or (histogram.edges is None and not lower < upper):
        return f"the histogram goes from {lower} to {upper}"
    if not np.abs(histogram.contents).max() <= LARGEST_FLOAT32:
        return "a bin content is too large: TMVA holds histograms as 32-bit floats"
    if not 0 <= record.interpolation <= MAX_INTERPOLATION:
        return f"InterpolMethod={record.interpolation} is unknown; known are 0 to {MAX_INTERPOLATION}"
    least, most = record.min_n_smooth, record.max_n_smooth
    if max(least, most) > MAX_SMOOTHING_PASSES or (least != most and most * histogram.n_bins > MAX_LOCAL_SMOOTHING):
        return f"{least} to {most} smoothing passes for {histogram.n_bins} bins cannot be meant"
    return None
