"""The options of PrepareTrainingAndTestTree as typed values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Self

from pytmva_bnn.errors import DatasetError, suggestion
from pytmva_bnn.options import Numbers, OptionSet, splitting_options
from pytmva_bnn.random import Library

SAME_AS_SPLIT_MODE = "SameAsSplitMode"


class _Choice(Enum):
    """An option with a list of values, of which the spelling does not matter."""

    @classmethod
    def named(cls, text: str) -> Self:
        """Return the member whose value is ``text``, whatever its case."""
        for member in cls:
            if member.value.lower() == text.lower():
                return member
        known = [str(member.value) for member in cls]
        hint = suggestion(text, known)
        raise DatasetError(
            f"{text!r} is not a {cls.__name__}; allowed: {', '.join(known)}" + (f"; {hint}" if hint else "")
        )


class SplitMode(_Choice):
    """How undefined events are distributed (SplitMode), and how the classes are mixed (MixMode)."""

    RANDOM = "Random"
    ALTERNATE = "Alternate"
    BLOCK = "Block"


class NormMode(_Choice):
    """How the training weights are renormalised."""

    NONE = "None"
    NUM_EVENTS = "NumEvents"
    EQUAL_NUM_EVENTS = "EqualNumEvents"


@dataclass(frozen=True)
class ClassRequest:
    """How many events of a class are asked for; 0 leaves it open.

    ``train_fraction`` (TrainTestSplit), if not 0, replaces both numbers.
    """

    name: str
    n_train: int = 0
    n_test: int = 0
    train_fraction: float = 0.0


@dataclass(frozen=True)
class SplitSettings:
    """All that decides about the training and test sets besides the events.

    ``classes`` are in the order of the class indices; ``seed`` 0 means another split in each run; ``library``
    is the build of ROOT to be reproduced (no option of TMVA, see :class:`~pytmva_bnn.random.Library`);
    ``dataset`` is the name used in messages.
    """

    classes: tuple[ClassRequest, ...]
    split_mode: SplitMode = SplitMode.RANDOM
    mix_mode: SplitMode = SplitMode.RANDOM
    seed: int = 100
    norm_mode: NormMode = NormMode.EQUAL_NUM_EVENTS
    scale_with_presel_eff: bool = False
    print_correlations: bool = True
    calc_correlations: bool = True
    library: Library = Library.GCC11
    dataset: str = "dataset"

    @classmethod
    def of(
        cls,
        options: str,
        class_names: Iterable[str],
        *,
        dataset: str = "dataset",
        library: Library | str = Library.GCC11,
        numbers: Numbers = Numbers.WHOLE,
    ) -> SplitSettings:
        """Return the settings of an option string; items nobody understands are an error.

        ``numbers`` is how numbers of events are read.
        """
        names = tuple(class_names)
        parsed = OptionSet(splitting_options(names, numbers), owner=f"Dataset[{dataset}]")
        parsed.parse(options)
        parsed.check_unused()
        return cls.from_options(parsed, names, dataset=dataset, library=library)

    @classmethod
    def from_options(
        cls,
        options: OptionSet,
        class_names: Iterable[str],
        *,
        dataset: str = "dataset",
        library: Library | str = Library.GCC11,
    ) -> SplitSettings:
        """Return the settings held by a parsed set of :func:`~pytmva_bnn.options.splitting_options`."""
        split_mode = SplitMode.named(options.string("SplitMode"))
        mix_mode = options.string("MixMode")
        same = mix_mode.lower() == SAME_AS_SPLIT_MODE.lower()
        return cls(
            classes=tuple(
                ClassRequest(
                    name,
                    options.integer(f"nTrain_{name}"),
                    options.integer(f"nTest_{name}"),
                    options.real(f"TrainTestSplit_{name}"),
                )
                for name in class_names
            ),
            split_mode=split_mode,
            mix_mode=split_mode if same else SplitMode.named(mix_mode),
            seed=options.integer("SplitSeed"),
            norm_mode=NormMode.named(options.string("NormMode")),
            scale_with_presel_eff=options.flag("ScaleWithPreselEff"),
            print_correlations=options.flag("Correlations"),
            calc_correlations=options.flag("CalcCorrelations"),
            library=Library(library),
            dataset=dataset,
        )
