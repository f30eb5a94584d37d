"""Rearrangement: quantities change their places and keep their values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pytmva_bnn.transform.selection import Selection


@dataclass(frozen=True, eq=False)
class Rearrangement:
    """Copies the inputs of its selection to the outputs.

    >>> import numpy as np
    >>> from pytmva_bnn.transform import Quantity, Selection, TransformationChain
    >>> a, b = Quantity("Variable", "a", "a"), Quantity("Variable", "b", "b")
    >>> chain = TransformationChain([Rearrangement(Selection((b, a), (a, b)))], variables=[a, b])
    >>> chain.forward(np.float32([[1.0, 2.0]])).tolist()
    [[2.0, 1.0]]
    """

    selection: Selection | None

    title: ClassVar[str] = "Rearrange"

    def check(self, n_inputs: int) -> None:
        """Accept any number of inputs.

        >>> Rearrangement(None).check(3)
        """

    def apply(self, x: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the inputs (n_events, k) as they are.

        >>> import numpy as np
        >>> Rearrangement(None).apply(np.float32([[1.0]])).tolist()
        [[1.0]]
        """
        return x
