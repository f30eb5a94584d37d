"""``ROOT.TMVA``: the classes of this package, which take the trees, files and cuts of ``pytmva_bnn.compat``."""
# ruff: noqa: N802 - TMVA's names

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytmva_bnn
from pytmva_bnn import compat, dataset, factory, reader
from pytmva_bnn.compat.config import CONFIG, Config, gConfig
from pytmva_bnn.compat.descriptions import MacroCalls, MacroDescription
from pytmva_bnn.compat.errors import NotInCompatError
from pytmva_bnn.compat.files import TFile
from pytmva_bnn.compat.messages import LOGGER, show_messages
from pytmva_bnn.compat.no_ops import NoOp
from pytmva_bnn.compat.null_pointer import NullPointer
from pytmva_bnn.dataset import DataLoaderCalls
from pytmva_bnn.errors import InputError
from pytmva_bnn.random import Library
from pytmva_bnn.tmva_types import EMVA, Tools, Types

__all__ = ["Config", "CrossValidation", "DataLoader", "Factory", "Reader", "Tools", "Types", "gConfig", "gTools"]

AVAILABLE = ("MLP",)


class DataLoader(MacroCalls, dataset.DataLoader):
    """TMVA's DataLoader; a tree may also be a TTree or TChain of this package.

    >>> from pytmva_bnn.compat import ROOT
    >>> loader = ROOT.TMVA.DataLoader("dataset")
    >>> loader.AddVariable("var1", "F")
    >>> loader.AddSignalTree(ROOT.TFile.Open("xml_fixtures/data/class.root").Get("TreeS"), 1.0)
    >>> loader.description.trees[0].source.n_entries
    2500
    """

    def __init__(self, name: str = "default", *, library: Library | str = Library.GCC11) -> None:
        super().__init__(str(name), library=library)
        self.description = MacroDescription(str(name), library=Library(library))
        show_messages(silent=CONFIG.silent or None)


class Factory(MacroCalls, factory.Factory):
    """TMVA's Factory; the output file may be a TFile, and methods that do not exist here can be left out.

    >>> from pytmva_bnn.compat import ROOT
    >>> job = ROOT.TMVA.Factory("job", "Silent")
    >>> job.BookMethod(ROOT.TMVA.DataLoader(), ROOT.TMVA.Types.kBDT, "BDT", "NTrees=100")
    Traceback (most recent call last):
    pytmva_bnn.errors.InputError: BookMethod(BDT, 'BDT'): this method does not exist here; available: MLP. To leave
    out such methods set pytmva_bnn.compat.skip_unknown_methods = True or PYTMVA_BNN_SKIP_UNKNOWN_METHODS=1.
    """

    def __init__(self, job_name: str, *args: Any, **keywords: object) -> None:
        super().__init__(str(job_name), *map(_path_of, args), **keywords)
        show_messages(silent=self.options.flag("Silent") or CONFIG.silent)

    def describe(self, name: str) -> None:
        """Start the description of a data set."""
        self.description = MacroDescription(name)

    def BookMethod(self, *args: Any, **keywords: object) -> Any:
        """Book a method; see :meth:`pytmva_bnn.Factory.BookMethod`.  None is returned if it is left out."""
        rest = args[1:] if args and isinstance(args[0], DataLoaderCalls) else args
        return None if _is_left_out(rest) else super().BookMethod(*args, **keywords)

    def weight_file(self, loader: DataLoaderCalls, title: str) -> Path | None:
        """Return where the weight file goes, as gConfig().GetIONames() says."""
        usual = super().weight_file(loader, title)
        if usual is None:
            return None
        names = CONFIG.names
        folder = usual.parent.parent / names.fWeightFileDir
        name = f"{self.job_name}_{title}.{names.fWeightFileExtension}.xml"
        return Path(names.fWeightFileDirPrefix) / folder / name

    def SetVerbose(self, verbose: bool = True) -> None:
        """Show more messages, or fewer."""
        logging.getLogger("pytmva_bnn").setLevel(logging.DEBUG if verbose else logging.INFO)

    def OptimizeAllMethods(self, *_: Any) -> dict[str, float]:
        """Return nothing: as in TMVA, the MLP has no parameters to tune."""
        for method in self.methods:
            LOGGER.warning("Parameter optimization is not yet implemented for method %s", method.title)
        return {}

    OptimizeAllMethodsForClassification = OptimizeAllMethods
    OptimizeAllMethodsForRegression = OptimizeAllMethods

    def GetROCCurve(self, *args: Any, **keywords: Any) -> Any:
        """Return the ROC curve of a method, or of all; it can be asked to draw itself, which paints nothing."""
        found = super().GetROCCurve(*args, **keywords)
        return PaintedCurve(found)


class CrossValidation(factory.CrossValidation):
    """TMVA's CrossValidation; the output file, which stays empty, may be a TFile."""

    def __init__(self, job_name: str, loader: DataLoaderCalls, *args: Any, **keywords: object) -> None:
        super().__init__(str(job_name), loader, *(one for one in args if not isinstance(one, TFile)), **keywords)
        show_messages(silent=self.options.flag("Silent") or CONFIG.silent)

    def BookMethod(self, kind: Any, title: str, options: str = "", **keywords: object) -> None:
        """Book a method; see :meth:`pytmva_bnn.CrossValidation.BookMethod`."""
        if not _is_left_out((kind, title)):
            super().BookMethod(_method_name(kind), str(title), str(options), **keywords)


class PaintedCurve(NoOp):
    """A ROC curve, or several by title, in ``curve``; calls that paint do nothing.

    >>> PaintedCurve({"MLP": "its curve"}).Draw("AL")
    <ROC curve.Draw: nothing is painted>
    """

    def __init__(self, curve: Any) -> None:
        super().__init__("ROC curve")
        self.curve = curve


class Reader(reader.Reader):
    """TMVA's Reader."""

    def __init__(self, *args: Any, **keywords: Any) -> None:
        super().__init__(*args, **keywords)
        show_messages(silent=CONFIG.silent or None)


def gTools() -> Tools:
    """Return TMVA's tools."""
    return Tools.Instance()


class PyMethodBase:
    """TMVA's bridge to Python's machine learning, of which only the start is accepted."""

    @staticmethod
    def PyInitialize() -> None:
        """Do nothing."""
        LOGGER.debug("PyMethodBase.PyInitialize has no effect")


def _method_name(kind: Any) -> str:
    if isinstance(kind, EMVA):
        return kind.method_name
    return EMVA(kind).method_name if isinstance(kind, int) else str(kind)


def _is_left_out(booking: tuple[Any, ...]) -> bool:
    """Tell whether a method, given by ``(type, title, …)``, is to be left out; raise if it can be neither."""
    kind = _method_name(booking[0]) if booking else ""
    if not booking or kind in AVAILABLE:
        return False
    title = str(booking[1]) if len(booking) > 1 else kind
    if compat.skip_unknown_methods:
        LOGGER.warning("BookMethod(%s, %r): this method does not exist here and is left out", kind, title)
        return True
    raise InputError(
        f"BookMethod({kind}, {title!r}): this method does not exist here; available: {', '.join(AVAILABLE)}. "
        "To leave out such methods set pytmva_bnn.compat.skip_unknown_methods = True or "
        f"{compat.SKIP_VARIABLES[0]}=1."
    )


def _path_of(argument: Any) -> Any:
    """Return the name of a TFile, None for a null pointer, and anything else as it is."""
    if isinstance(argument, NullPointer):
        return None
    return Path(argument.GetName()) if isinstance(argument, TFile) else argument


def __getattr__(name: str) -> Any:
    if not name.startswith("_") and hasattr(pytmva_bnn, name):
        return getattr(pytmva_bnn, name)
    advice = "only the MLP exists here, with the Factory, DataLoader and Reader"
    raise NotInCompatError.of("TMVA", name, [*__all__, *pytmva_bnn.__all__], advice)
