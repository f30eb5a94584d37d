"""TMatrixD, TVectorD, TArrayD and the like: numpy's arrays with ROOT's calls."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

from typing import Any, Self

import numpy as np

from pytmva_bnn.compat.errors import MacroError
from pytmva_bnn.compat.messages import show


class TVectorD(np.ndarray[Any, np.dtype[Any]]):
    """Numbers in a row: ``TVectorD(n)`` or ``TVectorD(n, values)``.

    >>> v = TVectorD(3, [1, 2, 2])
    >>> v(1), v[2], v.GetNrows(), v * v, (v + v)[0]
    (2.0, 2.0, 3, 9.0, 2.0)
    """

    _number: Any = np.float64

    def __new__(cls, n: Any = 0, values: Any = None) -> Self:
        """Return ``n`` numbers, 0 if none are given."""
        content = n if hasattr(n, "__len__") else np.zeros(int(n)) if values is None else list(values)[: int(n)]
        return np.array(content, dtype=cls._number).view(cls)

    def __call__(self, *indices: int) -> float:
        """Return an element."""
        return float(self[indices])

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        return found if np.ndim(found) else np.asarray(found).item()  # a number of Python's, which streams can show

    def __mul__(self, other: Any) -> Any:
        return float(np.dot(self, other)) if np.ndim(other) == 1 else np.multiply(self, other)

    def GetNrows(self) -> int:
        return int(self.shape[0])

    GetNoElements = GetSize = GetNrows

    def SetAt(self, value: float, number: int) -> None:
        self[number] = value

    AddAt = SetAt

    def Print(self, option: str = "") -> None:
        del option
        for number, row in enumerate(np.atleast_2d(self) if self.ndim == 2 else self[:, np.newaxis]):
            show(f"{number:4d} |" + "".join(f"{value:12.6g}" for value in row))


class TVectorF(TVectorD):
    """A TVectorD of float32; so are TArrayF, and TArrayI with whole numbers."""

    _number = np.float32


class TArrayI(TVectorD):
    """Whole numbers in a row."""

    _number = np.int32


class TMatrixD(TVectorD):
    """A matrix: ``TMatrixD(rows, columns)``, with its elements as one list behind, or another matrix.

    >>> m = TMatrixD(2, 2, [2, 0, 0, 4])
    >>> m[0][0], m(1, 1), round(m.Determinant(), 9), (m * m)(1, 1), m.Invert()(1, 1)
    (2.0, 4.0, 8.0, 16.0, 0.25)
    """

    def __new__(cls, rows: Any, columns: int = 0, values: Any = None) -> Self:
        """Return a matrix, 0 if no elements are given."""
        if hasattr(rows, "__len__"):
            return np.array(rows, dtype=cls._number).view(cls)
        content = np.zeros(rows * columns) if values is None else list(values)[: rows * columns]
        return np.array(content, dtype=cls._number).reshape(int(rows), int(columns)).view(cls)

    def __mul__(self, other: Any) -> Any:
        return np.matmul(self, other).view(type(other)) if np.ndim(other) else np.multiply(self, other)

    def GetNcols(self) -> int:
        return int(self.shape[1])

    def Determinant(self) -> float:
        return float(np.linalg.det(self))

    def Invert(self, determinant: Any = None) -> Self:
        """Invert it in place; the determinant is put into a cell."""
        if determinant is not None:
            determinant[0] = self.Determinant()
        try:
            self[...] = np.linalg.inv(self)
        except np.linalg.LinAlgError:
            raise MacroError("TMatrixD.Invert: the matrix is singular") from None
        return self


class TMatrixDSym(TMatrixD):
    """A square matrix: ``TMatrixDSym(n)``, or with its elements behind."""

    def __new__(cls, rows: Any, columns: Any = None, values: Any = None) -> Self:
        """Return a matrix, 0 if no elements are given."""
        if columns is not None and hasattr(columns, "__len__"):
            columns, values = None, columns
        return super().__new__(cls, rows, rows if columns is None and not hasattr(rows, "__len__") else columns, values)


TMatrixF = TMatrixD
TArrayD, TArrayF = TVectorD, TVectorF
