"""Names of ROOT that macros import, but that do not exist here: they tell what to do when they are used."""

from __future__ import annotations

from typing import Any, NoReturn

from pytmva_bnn.compat.errors import RefusedError

REFUSED = {
    "AddressOf": "give SetBranchAddress an array: array.array('f', [0])",
    "Double": "use ctypes.c_double(0)",
    "Long": "use ctypes.c_long(0)",
    "RDF": "read the columns with uproot, or give 'file.root:tree' to the DataLoader",
    "RooFit": "use zfit or iminuit",
    "RooRealVar": "use zfit or iminuit",
    "RooStats": "use pyhf or iminuit",
    "Math": "use math, numpy, scipy or the package vector",
    "TEfficiency": "divide two histograms: Divide(passed, total, 1, 1, 'B')",
    "TH3F": "use numpy.histogramdd or the package hist",
    "TH3D": "use numpy.histogramdd or the package hist",
    "TMVAExperimental": "use TMVA.load(file).predict(events) for arrays of events",
    "TPython": "it is Python already",
    "gProof": "process the files in a loop or with several jobs",
}
"""What to do instead."""


class RefusedName:
    """A name that can be imported, but not used.

    >>> RefusedName("RooFit")()
    Traceback (most recent call last):
    pytmva_bnn.compat.errors.RefusedError: ROOT.RooFit does not exist in pytmva_bnn.compat: use zfit or iminuit
    """

    def __init__(self, name: str, advice: str = "") -> None:
        self._name = name
        self._advice = advice or REFUSED[name]

    def _refuse(self) -> NoReturn:
        raise RefusedError(f"ROOT.{self._name} does not exist in pytmva_bnn.compat: {self._advice}")

    def __call__(self, *_: Any, **__: Any) -> NoReturn:
        """Raise, and tell what to do instead."""
        self._refuse()

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        self._refuse()

    def __repr__(self) -> str:
        return f"<ROOT.{self._name}: not in pytmva_bnn.compat>"
