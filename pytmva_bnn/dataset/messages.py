"""What the build of the data set tells the user about the split and the weights."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from pytmva_bnn.dataset.settings import NormMode, SplitSettings
from pytmva_bnn.dataset.split import ClassSizes, ClassSplit

LOGGER = logging.getLogger("pytmva_bnn.DataSetFactory")

_RULE = "-" * 75

_EXPLANATION = (
    'Weight renormalisation mode: "EqualNumEvents": renormalises all event classes ...',
    " such that the effective (weighted) number of events in each class is the same ",
    " (and equals the number of events (entries) given for class=0 )",
    "... i.e. such that Sum[i=1..N_j]{w_i} = N_classA, j=classA, classB, ...",
    "... (note that N_j is the sum of TRAINING events",
    " ..... Testing events are not renormalised nor included in the renormalisation factor!)",
)


def tell_modes(settings: SplitSettings) -> None:
    """Log that the classes are mixed in another way than they are split, if so."""
    if settings.mix_mode is not settings.split_mode:
        LOGGER.info(
            "Dataset[%s] : DataSet splitmode=%s differs from mixmode=%s",
            settings.dataset, settings.split_mode.value.upper(), settings.mix_mode.value.upper(),
        )  # fmt: skip


def tell_preselection(settings: SplitSettings, sizes: Sequence[ClassSizes]) -> None:
    """Log how the requested numbers are understood for each class of which the cut removed events."""
    scaled = settings.scale_with_presel_eff
    for request, size in zip(settings.classes, sizes, strict=True):
        if size.efficiency < 1:
            first, second = (
                ("scaling the number of requested training/testing events", "scaled by the preselection efficiency")
                if scaled
                else (
                    "interpreting the requested number of training/testing events",
                    "the number of events AFTER your preselection cuts",
                )
            )
            LOGGER.info("Dataset[%s] :  you have opted for %s", settings.dataset, first)
            LOGGER.info(" to be %s", second)
        LOGGER.info("%s", f" ( {request.n_train} * {size.efficiency:g} preselection efficiency)" if scaled else "")


def tell_normalisation(settings: SplitSettings) -> None:
    """Log how the training weights are renormalised."""
    if settings.norm_mode is NormMode.NONE:
        LOGGER.info(
            "Dataset[%s] : No weight renormalisation applied: use original global and event weights",
            settings.dataset,
        )
    elif settings.norm_mode is NormMode.EQUAL_NUM_EVENTS:
        for line in _EXPLANATION:
            LOGGER.info("Dataset[%s] : %s", settings.dataset, line)


def tell_numbers(settings: SplitSettings, sizes: Sequence[ClassSizes], splits: Sequence[ClassSplit]) -> None:
    """Log the table of the numbers of training and test events."""
    if settings.norm_mode is NormMode.NONE:
        # TMVA: without renormalisation there is no table either
        return
    width = max((len(request.name) for request in settings.classes), default=0)
    LOGGER.info("Number of training and testing events")
    LOGGER.info(_RULE)
    for request, size, split in zip(settings.classes, sizes, splits, strict=True):
        name = request.name.ljust(width)
        LOGGER.info("%s -- training events            : %d", name, split.train.size)
        LOGGER.info("%s -- testing events             : %d", name, split.test.size)
        LOGGER.info("%s -- training and testing events: %d", name, split.train.size + split.test.size)
        if size.efficiency < 1:
            # TMVA: said whether or not the numbers were scaled
            LOGGER.info(
                "Dataset[%s] : %s -- due to the preselection a scaling factor has been applied to the numbers of "
                "requested events: %s",
                settings.dataset, name, f"{size.efficiency:g}",
            )  # fmt: skip
    LOGGER.info("")


def tell_unequal_sizes(dataset: str, kind: str, sizes: Sequence[int]) -> None:
    """Log, for each class after the first, that alternating stops early; ``kind`` is Training or Testing."""
    if len(set(sizes)) > 1:
        for _ in sizes[1:]:
            LOGGER.info(
                "Dataset[%s] : %s sample: You are trying to mix events in alternate mode although the classes "
                "have different event numbers. This works but the alternation stops at the last event of the "
                "smaller class.",
                dataset, kind,
            )  # fmt: skip
