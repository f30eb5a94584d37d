"""Principal components P: rotation onto the eigenvectors of the covariance matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.transform.decorrelate import centred_product

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pytmva_bnn.transform.selection import Selection


@dataclass(frozen=True, eq=False)
class PrincipalComponents:
    """Parameters of P: means (n_inputs,) and a matrix of eigenvectors in columns for each set.

    >>> step = PrincipalComponents(None, (np.array([1.0, 0.0]),), (np.array([[0.0, 1.0], [1.0, 0.0]]),))
    >>> step.apply(np.float32([[3.0, 5.0]])).tolist()
    [[5.0, 2.0]]
    """

    selection: Selection | None
    means: tuple[NDArray[np.float64], ...]
    eigenvectors: tuple[NDArray[np.float64], ...]

    title: ClassVar[str] = "PCA"

    def check(self, n_inputs: int) -> None:
        """Raise an InputError unless means and eigenvectors fit ``n_inputs`` inputs.

        >>> PrincipalComponents(None, (np.zeros(2),), (np.eye(2),)).check(2)
        """
        if not self.means or len(self.means) != len(self.eigenvectors):
            raise InputError(
                f"transformation {self.title}: {len(self.means)} sets of means and "
                f"{len(self.eigenvectors)} of eigenvectors, expected as many of both"
            )
        for means, vectors in zip(self.means, self.eigenvectors, strict=True):
            if np.shape(means) != (n_inputs,) or np.shape(vectors) != (n_inputs, n_inputs):
                raise InputError(
                    f"transformation {self.title}: means must have the shape ({n_inputs},) and eigenvectors "
                    f"({n_inputs}, {n_inputs}), got {np.shape(means)} and {np.shape(vectors)}"
                )

    def apply(self, x: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the inputs (n_events, n_inputs) transformed with the last set.

        >>> PrincipalComponents(None, (np.ones(1),), (np.eye(1),)).apply(np.float32([[3.0]])).tolist()
        [[2.0]]
        """
        return principal_components(x, self.means[-1], self.eigenvectors[-1])

    def invert(self, y: NDArray[Any]) -> NDArray[Any]:
        """Undo the transformation in TMVA's way, in the precision of ``y``.

        >>> PrincipalComponents(None, (np.ones(1),), (np.eye(1),)).invert(np.float32([[2.0]])).tolist()
        [[3.0]]
        """
        # TMVA: set 2, which is the one of all classes only if there are two classes
        last = len(self.means) - 1
        chosen = min(2, last)
        return from_principal_components(y, self.means[chosen], self.eigenvectors[chosen])


def principal_components(
    x: NDArray[np.float32], means: NDArray[np.float64], eigenvectors: NDArray[np.float64]
) -> NDArray[np.float32]:
    """Return y_i = Σ_j (x_j - m_j) E_ji (n_events, n).

    >>> principal_components(np.float32([[3.0, 5.0]]), np.ones(2), np.eye(2)).tolist()
    [[2.0, 4.0]]
    """
    return centred_product(x, means, eigenvectors.T)


def from_principal_components(
    y: NDArray[Any], means: NDArray[np.float64], eigenvectors: NDArray[np.float64]
) -> NDArray[Any]:
    """Return x_i = Σ_j (y_j E_ij + m_j), TMVA's inverse, in the precision of ``y``.

    >>> from_principal_components(np.float32([[2.0, 4.0]]), np.array([1.0, 2.0]), np.eye(2)).tolist()
    [[5.0, 7.0]]
    """
    total = np.zeros((len(y), len(means)))
    with np.errstate(all="ignore"):
        for j, mean in enumerate(means):
            # TMVA: adds the means of all inputs to each of them
            total += y[:, j : j + 1].astype(np.float64) * eigenvectors[:, j] + mean
        return total.astype(y.dtype)
