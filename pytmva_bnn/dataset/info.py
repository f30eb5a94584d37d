"""What macros ask a data set about its variables and classes (TMVA's DataSetInfo)."""
# ruff: noqa: N802 - TMVA's names

from __future__ import annotations

from dataclasses import dataclass

from pytmva_bnn.dataset.description import SIGNAL, Description, EventClass
from pytmva_bnn.errors import DatasetError, suggestion
from pytmva_bnn.events.variables import VariableRecord


@dataclass(frozen=True)
class VariableInfo:
    """A variable, target or spectator."""

    record: VariableRecord

    def GetExpression(self) -> str:
        """Return the expression."""
        return self.record.expression

    def GetLabel(self) -> str:
        """Return the label: what stands before ``:=``, or the expression."""
        return self.record.label

    def GetInternalName(self) -> str:
        """Return the name that branches and histograms have."""
        return self.record.internal

    def GetTitle(self) -> str:
        """Return the title."""
        return self.record.title

    def GetUnit(self) -> str:
        """Return the unit."""
        return self.record.unit

    def GetVarType(self) -> str:
        """Return ``"F"`` or ``"I"``."""
        return self.record.type[:1]

    def GetMin(self) -> float:
        """Return the lower end of the range."""
        return self.record.minimum

    def GetMax(self) -> float:
        """Return the upper end of the range."""
        return self.record.maximum


@dataclass(frozen=True)
class ClassInfo:
    """A class."""

    event_class: EventClass
    number: int

    def GetName(self) -> str:
        """Return the name."""
        return self.event_class.name

    def GetNumber(self) -> int:
        """Return the index."""
        return self.number

    def GetWeight(self) -> str:
        """Return the weight expression."""
        return self.event_class.weight

    def GetCut(self) -> str:
        """Return the cut."""
        return self.event_class.cut


@dataclass(frozen=True)
class DataSetInfo:
    """The variables and classes of a data set as they are declared at the moment."""

    description: Description

    def GetName(self) -> str:
        """Return the name of the data set."""
        return self.description.name

    def GetNVariables(self) -> int:
        """Return the number of variables."""
        return len(self.description.variables)

    def GetNTargets(self) -> int:
        """Return the number of targets."""
        return len(self.description.targets)

    def GetNSpectators(self) -> int:
        """Return the number of spectators."""
        return len(self.description.spectators)

    def GetNClasses(self) -> int:
        """Return the number of classes."""
        return len(self.description.classes)

    def GetVariableInfo(self, index: int) -> VariableInfo:
        """Return a variable by its index."""
        return VariableInfo(self.description.variables[index].record)

    def GetTargetInfo(self, index: int) -> VariableInfo:
        """Return a target by its index."""
        return VariableInfo(self.description.targets[index].record)

    def GetSpectatorInfo(self, index: int) -> VariableInfo:
        """Return a spectator by its index."""
        return VariableInfo(self.description.spectators[index].record)

    def GetListOfVariables(self) -> list[str]:
        """Return the internal names of the variables."""
        return [variable.record.internal for variable in self.description.variables]

    def GetClassInfo(self, which: int | str) -> ClassInfo:
        """Return a class by its index or its name."""
        names = [event_class.name for event_class in self.description.classes]
        if isinstance(which, str):
            if which not in names:
                hint = suggestion(which, names) or f"known: {', '.join(names) or 'none'}"
                raise DatasetError(f"Dataset[{self.description.name}] : there is no class {which!r}; {hint}")
            which = names.index(which)
        return ClassInfo(self.description.classes[which], which)

    def GetSignalClassIndex(self) -> int:
        """Return the index of the class called Signal, 0 if there is none."""
        names = [event_class.name for event_class in self.description.classes]
        return names.index(SIGNAL) if SIGNAL in names else 0

    def GetSplitOptions(self) -> str:
        """Return the options of PrepareTrainingAndTestTree."""
        return self.description.options
