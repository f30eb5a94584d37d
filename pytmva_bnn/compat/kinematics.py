"""TVector3 and TLorentzVector: momenta, their angles and masses."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Self

from pytmva_bnn.compat.errors import MacroError

BEYOND = 10e10
"""ROOT's pseudorapidity along the beam."""


def _component(number: int, *, is_set: bool = False) -> Any:
    if not is_set:
        return lambda self: self._p[number]
    return lambda self, value: self._p.__setitem__(number, float(value))


class TVector3:
    """``TVector3(x, y, z)``.

    >>> v = TVector3(3, 4, 0)
    >>> v.Pt(), v.Mag(), v.Eta(), (v - TVector3(0, 4, 0)).X(), v.Dot(v)
    (5.0, 5.0, 0.0, 3.0, 25.0)
    """

    _n = 3

    def __init__(self, *components: Any) -> None:
        if len(components) == 2:  # a TVector3 and the energy
            components = (*components[0], components[1])
        given = components[0] if len(components) == 1 else components
        self._p = [float(one) for one in given] or [0.0] * self._n
        if len(self._p) != self._n:
            raise MacroError(f"{type(self).__name__} takes {self._n} numbers; got {len(self._p)}")

    X = Px = x = _component(0)
    Y = Py = y = _component(1)
    Z = Pz = z = _component(2)
    SetX = SetPx = _component(0, is_set=True)
    SetY = SetPy = _component(1, is_set=True)
    SetZ = SetPz = _component(2, is_set=True)

    def SetXYZ(self, *components: float) -> None:
        """Set all three."""
        self._p[:3] = [float(one) for one in components]

    def SetPtEtaPhi(self, pt: float, eta: float, phi: float) -> None:
        """Set transverse momentum, pseudorapidity and azimuth."""
        self._p[:3] = [pt * math.cos(phi), pt * math.sin(phi), pt * math.sinh(eta)]

    def Pt(self) -> float:
        """Return the part across the beam."""
        return math.hypot(*self._p[:2])

    def P(self) -> float:
        """Return the length of the momentum."""
        return math.hypot(*self._p[:3])

    Perp, Mag = Pt, P

    def Phi(self) -> float:
        """Return the azimuth."""
        return math.atan2(self._p[1], self._p[0])

    def Eta(self) -> float:
        """Return the pseudorapidity."""
        if self.Pt() == 0:
            return math.copysign(BEYOND, self._p[2]) if self._p[2] else 0.0
        return math.asinh(self._p[2] / self.Pt())

    PseudoRapidity = Eta

    def DeltaPhi(self, other: TVector3) -> float:
        """Return the difference of the azimuths, between -π and π."""
        return math.remainder(self.Phi() - other.Phi(), 2 * math.pi)

    def DeltaR(self, other: TVector3) -> float:
        """Return the distance in pseudorapidity and azimuth."""
        return math.hypot(self.Eta() - other.Eta(), self.DeltaPhi(other))

    def Dot(self, other: TVector3) -> float:
        """Return the product; with energies, that of four-vectors."""
        products = [a * b for a, b in zip(self._p, other._p, strict=True)]
        return sum(products) if len(products) == 3 else products[3] - sum(products[:3])

    def __iter__(self) -> Iterator[float]:
        return iter(self._p)

    def __getitem__(self, number: int) -> float:
        return self._p[number]

    def __add__(self, other: TVector3) -> Self:
        return type(self)(*(a + b for a, b in zip(self._p, other._p, strict=True)))

    def __sub__(self, other: TVector3) -> Self:
        return type(self)(*(a - b for a, b in zip(self._p, other._p, strict=True)))

    def __mul__(self, other: Any) -> Any:
        return self.Dot(other) if isinstance(other, TVector3) else type(self)(*(other * a for a in self._p))

    __rmul__ = __mul__

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{one:g}' for one in self._p)})"


class TLorentzVector(TVector3):
    """``TLorentzVector(px, py, pz, E)``.

    >>> v = TLorentzVector()
    >>> v.SetPtEtaPhiM(3, 0, 0, 4)
    >>> v.E(), v.M(), (v + v).M(), v.Pt()
    (5.0, 4.0, 8.0, 3.0)
    """

    _n = 4
    E = Energy = T = _component(3)
    SetE = SetT = _component(3, is_set=True)

    def SetPxPyPzE(self, *components: float) -> None:
        """Set all four."""
        self._p = [float(one) for one in components]

    def SetPtEtaPhiM(self, pt: float, eta: float, phi: float, m: float) -> None:
        """Set transverse momentum, pseudorapidity, azimuth and mass."""
        self.SetPtEtaPhi(pt, eta, phi)
        self._p[3] = math.sqrt(max(self.P() ** 2 + m * abs(m), 0.0))

    def SetPtEtaPhiE(self, pt: float, eta: float, phi: float, e: float) -> None:
        """Set transverse momentum, pseudorapidity, azimuth and energy."""
        self.SetPtEtaPhi(pt, eta, phi)
        self._p[3] = float(e)

    def M2(self) -> float:
        """Return the square of the mass."""
        return self.Dot(self)

    def M(self) -> float:
        """Return the mass; negative if its square is."""
        return math.copysign(math.sqrt(abs(self.M2())), self.M2())

    Mag = M

    def Vect(self) -> TVector3:
        """Return the momentum."""
        return TVector3(*self._p[:3])
