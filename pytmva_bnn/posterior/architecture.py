"""The choice of the number of hidden neurons by the evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytmva_bnn.displays import Displayed
from pytmva_bnn.errors import OptionError
from pytmva_bnn.factory.factory import Factory
from pytmva_bnn.factory.method import MethodBase
from pytmva_bnn.options import split_tokens

if TYPE_CHECKING:
    from pytmva_bnn.dataset import DataLoader


@dataclass(frozen=True, eq=False)
class Candidate:
    """A trained architecture and what speaks for it."""

    hidden_layers: str
    method: MethodBase

    @property
    def log_evidence(self) -> float:
        """Return the log evidence; higher is better."""
        return float(self.method.evidence.log_evidence)

    @property
    def n_effective(self) -> float:
        """Return the effective number of parameters."""
        return float(self.method.evidence.n_effective)


@dataclass(frozen=True, eq=False)
class ArchitectureChoice(Displayed):
    """Candidates in the order they were given; print it for a table."""

    candidates: tuple[Candidate, ...]

    def __iter__(self) -> Iterator[Candidate]:
        return iter(self.candidates)

    @property
    def best(self) -> Candidate:
        """Return the candidate with the highest evidence."""
        return max(self.candidates, key=lambda candidate: candidate.log_evidence)

    def __repr__(self) -> str:
        tried = ", ".join(one.hidden_layers for one in self.candidates)
        return f"<ArchitectureChoice: best {self.best.hidden_layers} of {tried}>"

    def __str__(self) -> str:
        head = f"{'HiddenLayers':<14}{'log evidence':>14}{'weights':>9}{'effective':>11}{'training':>11}{'test':>11}"
        lines = [head]
        for one in self.candidates:
            result = one.method.result
            lines.append(
                f"{one.hidden_layers:<14}{one.log_evidence:>14.2f}{result.network.n_weights:>9}{one.n_effective:>11.1f}"
                f"{result.training_estimator:>11.5f}{result.test_estimator:>11.5f}"
                f"{'  <-- best' if one is self.best else ''}"
            )
        return "\n".join(lines)


def select_architecture(
    loader: DataLoader, hidden_layers: Iterable[int | str], options: str = "", *, quiet: bool = False
) -> ArchitectureChoice:
    """Train one network per entry of ``hidden_layers`` and compare their evidence.

    ``hidden_layers`` are values of the option HiddenLayers (``8``, ``"N+5"``, ``"10,5"``); ``options`` is the rest of
    the option string.  BFGS and the regulators are switched on, since the evidence needs them, and
    ``Hessian=Posterior``, so that each network is at the maximum of the posterior whose evidence is compared.  No file
    is written.

    >>> import pytmva_bnn as TMVA
    >>> loader = TMVA.DataLoader("dataset")
    >>> loader.AddVariable("pt")
    >>> loader.AddSignalTree("xml_fixtures/data/fakerate.root:pass")
    >>> loader.AddBackgroundTree("xml_fixtures/data/fakerate.root:fail")
    >>> choice = TMVA.select_architecture(loader, [1, 8], "NCycles=60:VarTransform=N", quiet=True)
    >>> choice.best.hidden_layers
    '1'
    """
    given = {token.split("=")[0].lstrip("~!").lower() for token in split_tokens(options)}
    if "hiddenlayers" in given:
        raise OptionError("HiddenLayers is what select_architecture varies: leave it out of the options")
    needed = [
        f"{name}={value}"
        for name, value in (("TrainingMethod", "BFGS"), ("UseRegulator", "True"), ("Hessian", "Posterior"))
        if name.lower() not in given
    ]
    rest = ":".join([*needed, options] if options else needed)
    silence = "Silent:!DrawProgressBar:" if quiet else ""
    # targets alone do not make a regression in TMVA
    is_regression = loader.description.targets and len(loader.description.classes) < 2
    analysis = "AnalysisType=Regression:" if is_regression else ""
    factory = Factory("select_architecture", f"{silence}{analysis}!ModelPersistence")
    candidates = [
        Candidate(str(layers), factory.BookMethod(loader, "MLP", f"MLP {layers}", f"HiddenLayers={layers}:{rest}"))
        for layers in hidden_layers
    ]
    if not candidates:
        raise OptionError("select_architecture needs at least one entry in hidden_layers, e.g. [4, 6, 8, 10]")
    factory.TrainAllMethods()
    return ArchitectureChoice(tuple(candidates))
