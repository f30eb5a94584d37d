"""The choice of the number of hidden neurons by the evidence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from pytmva_bnn.errors import OptionError
from pytmva_bnn.executor import Engine
from pytmva_bnn.posterior.candidates import Candidate, Choice, train_candidates

if TYPE_CHECKING:
    from pytmva_bnn.dataset import DataLoader


@dataclass(frozen=True, eq=False)
class Architecture(Candidate):
    """A trained architecture and what speaks for it."""

    @property
    def hidden_layers(self) -> str:
        """Return the value of the option HiddenLayers."""
        return self.label


@dataclass(frozen=True, eq=False, repr=False)
class ArchitectureChoice(Choice[Architecture]):
    """Architectures in the order they were given; print it for a table.

    ``best`` is the one with the highest evidence; those that have not converged are chosen only if none has.
    """

    heading: ClassVar[str] = "HiddenLayers"


def select_architecture(
    loader: DataLoader,
    hidden_layers: Iterable[int | str],
    options: str = "",
    *,
    quiet: bool = False,
    executor: Engine = None,
    workers: int | None = None,
) -> ArchitectureChoice:
    """Train one network per entry of ``hidden_layers`` and compare their evidence.

    BFGS and the regulators are switched on, since the evidence needs them, and ``Hessian=Posterior``, so that each
    network is at the maximum of the posterior whose evidence is compared.  No file is written.

    Parameters
    ----------
    hidden_layers
        values of the option HiddenLayers: ``8``, ``"N+5"``, ``"10,5"``
    options
        the rest of the option string
    quiet
        no messages and no bar
    executor, workers
        who trains them, as for :func:`~pytmva_bnn.executor.open_executor`: ``workers=4`` in four processes at a time

    >>> import pytmva_bnn as TMVA
    >>> loader = TMVA.DataLoader("dataset")
    >>> loader.AddVariable("pt")
    >>> loader.AddSignalTree("xml_fixtures/data/fakerate.root:pass")
    >>> loader.AddBackgroundTree("xml_fixtures/data/fakerate.root:fail")
    >>> choice = TMVA.select_architecture(loader, [1, 8], "NCycles=60:VarTransform=N", quiet=True)
    >>> choice.best.hidden_layers
    '1'
    """
    values = [str(layers) for layers in hidden_layers]
    if not values:
        raise OptionError("select_architecture needs at least one entry in hidden_layers, e.g. [4, 6, 8, 10]")
    found = train_candidates(
        loader,
        "HiddenLayers",
        values,
        options,
        quiet=quiet,
        executor=executor,
        workers=workers,
        caller="select_architecture",
    )
    return ArchitectureChoice(tuple(Architecture(*one) for one in found))
