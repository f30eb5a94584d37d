"""Landau's density by the rational approximations of Kölbig and Schorr.

K.S. Kölbig, B. Schorr, "A program package for the Landau distribution", Comput. Phys. Commun. 31 (1984)
97–111: about seven digits, in eight ranges of the argument.

>>> round(float(landau_density(np.float64(-0.22278))), 4)  # the most probable value
0.1807
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.polynomial.polynomial import polyval

if TYPE_CHECKING:
    from pytmva_bnn._typing import FloatArray

# each: numerator and denominator, lowest power first
_BELOW_MINUS_1 = (
    (0.4259894875, -0.1249762550, 0.03984243700, -0.006298287635, 0.001511162253),
    (1.0, -0.3388260629, 0.09594393323, -0.01608042283, 0.003778942063),
)
_BELOW_1 = (
    (0.1788541609, 0.1173957403, 0.01488850518, -0.001394989411, 0.0001283617211),
    (1.0, 0.7428795082, 0.3153932961, 0.06694219548, 0.008790609714),
)
_BELOW_5 = (
    (0.1788544503, 0.09359161662, 0.006325387654, 0.00006611667319, -0.000002031049101),
    (1.0, 0.6097809921, 0.2560616665, 0.04746722384, 0.006957301675),
)
_BELOW_12 = (
    (0.9874054407, 118.6723273, 849.2794360, -743.7792444, 427.0262186),
    (1.0, 106.8615961, 337.6496214, 2016.712389, 1597.063511),
)
_BELOW_50 = (
    (1.003675074, 167.5702434, 4789.711289, 21217.86767, -22324.94910),
    (1.0, 156.9424537, 3745.310488, 9834.698876, 66924.28357),
)
_BELOW_300 = (
    (1.000827619, 664.9143136, 62972.92665, 475554.6998, -5743609.109),
    (1.0, 651.4101098, 56974.73333, 165917.4725, -2815759.939),
)
_FAR_LEFT = (1.0, 0.04166666667, -0.01996527778, 0.02709538966)
_FAR_RIGHT = (1.0, -1.845568670, -4.284640743)


def _ratio(x: FloatArray, coefficients: tuple[tuple[float, ...], tuple[float, ...]]) -> FloatArray:
    result: FloatArray = polyval(x, coefficients[0]) / polyval(x, coefficients[1])
    return result


def landau_density(x: FloatArray) -> FloatArray:
    """Return Landau's density φ(x) (μ = 0, σ = 1 in TMath's convention)."""
    with np.errstate(all="ignore"):  # every range is computed for all, then the right one chosen
        return _choose(x)


def _choose(x: FloatArray) -> FloatArray:
    rising = np.exp(x + 1.0)
    falling = np.exp(-x - 1.0)
    inverse = 1.0 / np.asarray(x)
    asymptotic = 1.0 / (x - x * np.log(x) / (x + 1.0))
    far_left = 0.3989422803 * np.exp(-1.0 / rising) / np.sqrt(rising) * polyval(rising, _FAR_LEFT)
    return np.select(
        [np.isnan(x), x < -5.5, x < -1.0, x < 1.0, x < 5.0, x < 12.0, x < 50.0, x < 300.0],
        [
            np.asarray(x),
            np.where(np.less(rising, 1e-10), 0.0, far_left),
            np.exp(-falling) * np.sqrt(falling) * _ratio(x, _BELOW_MINUS_1),
            _ratio(x, _BELOW_1),
            _ratio(x, _BELOW_5),
            np.square(inverse) * _ratio(inverse, _BELOW_12),
            np.square(inverse) * _ratio(inverse, _BELOW_50),
            np.square(inverse) * _ratio(inverse, _BELOW_300),
        ],
        default=np.square(asymptotic) * polyval(asymptotic, _FAR_RIGHT),
    )
