"""TVector3 and TLorentzVector: momenta, their angles and masses."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

import math
import sys
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
        self._p[:3] = [float(one) for one in components]

    def SetPtEtaPhi(self, pt: float, eta: float, phi: float) -> None:
        self._p[:3] = [pt * math.cos(phi), pt * math.sin(phi), pt * math.sinh(eta)]

    def SetMagThetaPhi(self, length: float, theta: float, phi: float) -> None:
        across = length * math.sin(theta)
        self._p[:3] = [across * math.cos(phi), across * math.sin(phi), length * math.cos(theta)]

    def SetMag(self, length: float) -> None:
        factor = length / self.P() if self.P() else 0.0
        self._p[:3] = [factor * one for one in self._p[:3]]

    def SetPhi(self, phi: float) -> None:
        self.SetMagThetaPhi(self.P(), self.Theta(), phi)

    def SetTheta(self, theta: float) -> None:
        self.SetMagThetaPhi(self.P(), theta, self.Phi())

    def Theta(self) -> float:
        return math.atan2(self.Pt(), self._p[2])

    def CosTheta(self) -> float:
        """Return the cosine of the polar angle, 1 for no momentum."""
        return self._p[2] / self.P() if self.P() else 1.0

    def Mag2(self) -> float:
        return self.Dot(self)

    def Perp2(self) -> float:
        return self._p[0] ** 2 + self._p[1] ** 2

    def Angle(self, other: TVector3) -> float:
        lengths = self.P() * other.P()
        product = sum(a * b for a, b in zip(self._p[:3], other._p[:3], strict=True))
        return math.acos(min(max(product / lengths, -1.0), 1.0)) if lengths else 0.0

    def Cross(self, other: TVector3) -> TVector3:
        (a, b, c), (x, y, z) = self._p[:3], other._p[:3]
        return TVector3(b * z - c * y, c * x - a * z, a * y - b * x)

    def Unit(self) -> TVector3:
        return TVector3(*(one / self.P() if self.P() else one for one in self._p[:3]))

    def RotateX(self, angle: float) -> None:
        self._turn(1, 2, angle)

    def RotateY(self, angle: float) -> None:
        self._turn(2, 0, angle)

    def RotateZ(self, angle: float) -> None:
        self._turn(0, 1, angle)

    def _turn(self, first: int, second: int, angle: float) -> None:
        a, b = self._p[first], self._p[second]
        self._p[first] = a * math.cos(angle) - b * math.sin(angle)
        self._p[second] = a * math.sin(angle) + b * math.cos(angle)

    def Print(self, option: str = "") -> None:
        del option
        sys.stdout.write(f"{self!r}\n")

    def Pt(self) -> float:
        return math.hypot(*self._p[:2])

    def P(self) -> float:
        return math.hypot(*self._p[:3])

    Perp, Mag = Pt, P

    def Phi(self) -> float:
        return math.atan2(self._p[1], self._p[0])

    def Eta(self) -> float:
        if self.Pt() == 0:
            return math.copysign(BEYOND, self._p[2]) if self._p[2] else 0.0
        return math.asinh(self._p[2] / self.Pt())

    PseudoRapidity = Eta

    def DeltaPhi(self, other: TVector3) -> float:
        return math.remainder(self.Phi() - other.Phi(), 2 * math.pi)

    def DeltaR(self, other: TVector3) -> float:
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

    def assign_from(self, other: TVector3) -> None:
        """Take the numbers of another one."""
        self._p[:] = other._p

    def __iadd__(self, other: TVector3) -> Self:
        self.assign_from(self + other)
        return self

    def __isub__(self, other: TVector3) -> Self:
        self.assign_from(self - other)
        return self

    def __imul__(self, factor: Any) -> Self:
        self._p[:] = [factor * one for one in self._p]
        return self

    def __neg__(self) -> Self:
        return type(self)(*(-a for a in self._p))

    def __copy__(self) -> Self:
        return type(self)(*self._p)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TVector3) and self._p == other._p

    __hash__ = None  # type: ignore[assignment]

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
        self._p = [float(one) for one in components]

    def SetPtEtaPhiM(self, pt: float, eta: float, phi: float, m: float) -> None:
        self.SetPtEtaPhi(pt, eta, phi)
        self._p[3] = math.sqrt(max(self.P() ** 2 + m * abs(m), 0.0))

    def SetPtEtaPhiE(self, pt: float, eta: float, phi: float, e: float) -> None:
        self.SetPtEtaPhi(pt, eta, phi)
        self._p[3] = float(e)

    def SetXYZM(self, x: float, y: float, z: float, m: float) -> None:
        self.SetXYZ(x, y, z)
        self._p[3] = math.sqrt(max(self.P() ** 2 + m * abs(m), 0.0))

    SetXYZT = SetPxPyPzE

    def SetVect(self, momentum: TVector3) -> None:
        self._p[:3] = momentum._p[:3]

    def SetVectM(self, momentum: TVector3, m: float) -> None:
        self.SetXYZM(momentum._p[0], momentum._p[1], momentum._p[2], m)

    def Et(self) -> float:
        return self._p[3] * self.Pt() / self.P() if self.P() else 0.0

    def Mt2(self) -> float:
        return self._p[3] ** 2 - self._p[2] ** 2

    def Mt(self) -> float:
        """Return the transverse mass; negative if its square is."""
        return math.copysign(math.sqrt(abs(self.Mt2())), self.Mt2())

    def Rapidity(self) -> float:
        return 0.5 * math.log((self._p[3] + self._p[2]) / (self._p[3] - self._p[2]))

    def Beta(self) -> float:
        return self.P() / self._p[3]

    def Gamma(self) -> float:
        return 1.0 / math.sqrt(1.0 - self.Beta() ** 2)

    def BoostVector(self) -> TVector3:
        return TVector3(*(one / self._p[3] for one in self._p[:3]))

    def Boost(self, *velocity: Any) -> None:
        """Go to a frame that moves with minus this velocity: a TVector3 or three numbers."""
        b = list(velocity[0]) if len(velocity) == 1 else [float(one) for one in velocity]
        b2 = sum(one * one for one in b)
        gamma = 1.0 / math.sqrt(1.0 - b2)
        along = sum(one * p for one, p in zip(b, self._p[:3], strict=True))
        more = (gamma - 1.0) / b2 if b2 > 0 else 0.0
        energy = self._p[3]
        self._p[:3] = [p + more * along * one + gamma * one * energy for p, one in zip(self._p[:3], b, strict=True)]
        self._p[3] = gamma * (energy + along)

    def M2(self) -> float:
        return self.Dot(self)

    def M(self) -> float:
        """Return the mass; negative if its square is."""
        return math.copysign(math.sqrt(abs(self.M2())), self.M2())

    Mag = M

    def Vect(self) -> TVector3:
        return TVector3(*self._p[:3])
