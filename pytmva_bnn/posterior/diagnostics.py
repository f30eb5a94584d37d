"""Have the chains run long enough?  R-hat and the effective sample size, computed by ArviZ (extra ``sampling``)."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn._typing import FloatArray
from pytmva_bnn.optional import optional


def arviz(purpose: str) -> Any:
    """Return the module arviz, or raise the error that says how to install it."""
    with warnings.catch_warnings():
        # ArviZ 0.23 announces its own next version once a day
        warnings.simplefilter("ignore", FutureWarning)
        return optional("arviz", "sampling", purpose)


def data_set(draws: Mapping[str, NDArray[Any]], dimensions: dict[str, str], names: dict[str, list[str]]) -> Any:
    """Return an xarray.Dataset of draws ``(n_chains, n_samples[, n])``; ``dimensions`` name their last axes."""
    xarray = optional("xarray", "sampling", "the form of ArviZ")
    variables = {
        name: (("chain", "draw", *([dimensions[name]] if values.ndim > 2 else [])), values)
        for name, values in draws.items()
    }
    n_chains, n_samples = next(iter(draws.values())).shape[:2]
    return xarray.Dataset(variables, coords={"chain": range(n_chains), "draw": range(n_samples), **names})


@dataclass(frozen=True, eq=False)
class Diagnostics:
    """R-hat and effective sample size of some quantities, one number each; NaN where they cannot be known.

    R-hat is 1 if all chains agree, and above 1.01 to 1.05 if they should run longer.  It needs two chains and four
    draws.

    >>> Diagnostics(np.array([1.0, 1.02]), np.array([800.0, 310.0]))
    <Diagnostics: largest R-hat 1.020, smallest effective sample size 310>
    """

    r_hat: FloatArray
    ess: FloatArray

    @classmethod
    def of(cls, draws: FloatArray) -> Diagnostics:
        """Return the diagnostics of draws ``(n_chains, n_samples, n_quantities)``: ArviZ's ``rhat`` and ``ess``.

        >>> Diagnostics.of(np.random.default_rng(1).normal(size=(4, 500, 1))).r_hat.round(1)
        array([1.])
        """
        stats = arviz("R-hat and effective sample sizes")
        of_draws = data_set({"draws": draws}, {"draws": "quantity"}, {})
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            # ArviZ divides by the variance of quantities that never change
            warnings.simplefilter("ignore", RuntimeWarning)
            found = [np.asarray(of(of_draws)["draws"], dtype=np.float64) for of in (stats.rhat, stats.ess)]
        return cls(*found)

    def __repr__(self) -> str:
        r_hat, ess = np.nanmax(self.r_hat, initial=0.0), np.nanmin(self.ess, initial=np.inf)
        return f"<Diagnostics: largest R-hat {r_hat:.3f}, smallest effective sample size {ess:.0f}>"
