"""The transformations in C++: of the event before the network, and of a regression's outputs behind it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from pytmva_bnn.errors import InputError
from pytmva_bnn.model import Model
from pytmva_bnn.standalone import distribution_code, literals
from pytmva_bnn.standalone.part import Part, total
from pytmva_bnn.standalone.templates import distribution_text, transformation_text
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.transform import (
    Decorrelation,
    Gaussianisation,
    Normalisation,
    OldGaussianisation,
    PrincipalComponents,
    Rearrangement,
    Step,
)
from pytmva_bnn.transform.selection import TARGET, VARIABLE, Columns


@dataclass(frozen=True)
class _StepCode:
    """What a step does with its inputs ``x`` (``statements``), and the functions and constants it needs for that."""

    title: str
    statements: str
    functions: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Numbered:
    """A step, its columns and the number that its members have in their names."""

    number: int
    step: Step
    columns: Columns


def transformations_part(model: Model) -> Part:
    """Return the way from an event to the inputs of the network, and for regression from its outputs to the targets.

    >>> import pytmva_bnn as TMVA
    >>> part = transformations_part(TMVA.load("xml_fixtures/cases/bfgs_n/weights.xml"))
    >>> print(part.functions[2].splitlines()[0])
       // 1. Normalize to [-1, 1]: var1, var2, var3, var4
    """
    if model.transformations.needs_spectators:
        raise InputError(
            f"the transformations of {model.name} use spectators, which a C++ class with GetMvaValue(inputValues) "
            "cannot get"
        )
    steps = _steps(model)
    present = [s for s in steps if s.columns.n_present]
    forward = total(_forward_part(s, model) for s in present)
    calls = "".join(f"      Transform{s.number}(event);\n" for s in present)
    part = forward + Part(functions=(transformation_text.PREPARED.substitute(transformations=calls),))
    return part + _targets_part(steps, model) if model.analysis_type == AnalysisType.REGRESSION else part


def _steps(model: Model) -> list[_Numbered]:
    # the chain itself knows which steps it leaves out and where their columns are
    placed = model.transformations.placed
    return [_Numbered(number, p.step, p.columns) for number, p in enumerate(placed, start=1)]


def _forward_part(numbered: _Numbered, model: Model) -> Part:
    number, n = numbered.number, numbered.columns.n_present
    get, put = numbered.columns.get[:n], numbered.columns.put[:n]
    nowhere = len(model.variables)
    written = [column.index if column.kind == VARIABLE else nowhere for column in put]
    written += [nowhere] * (n - len(put))
    code = _code_of(numbered)
    labels = ", ".join(model.variables[column.index].label for column in get)
    transform = transformation_text.TRANSFORM.substitute(
        summary=literals.comment(f"{number}. {code.title}: {labels}"), number=number, statements=code.statements
    )
    places = (
        literals.array("std::size_t", f"kRead{number}", (str(column.index) for column in get)),
        literals.array("std::size_t", f"kWritten{number}", map(str, written)),
    )
    return Part(
        functions=(transformation_text.SELECTED_AND_STORED, *code.functions, transform),
        constants=(*places, *code.constants),
    )


def _code_of(numbered: _Numbered) -> _StepCode:
    number = numbered.number
    match numbered.step:
        case Normalisation(offset=True) as step:
            value = f"Normalised(x[i], kMinimum{number}[i], kMaximum{number}[i])"
            return _StepCode(
                "Normalize to [-1, 1]", _each(value), (transformation_text.NORMALISED,), _ranges(step, number)
            )
        case Normalisation() as step:
            value = f"x[i] / kLargest{number}[i]"
            return _StepCode("Scale to at most 1", _each(value), (), _ranges(step, number))
        case Decorrelation() as step:
            matrix = literals.matrix(f"kMatrix{number}", step.matrices[-1])
            return _StepCode(
                step.title, f"      x = Product(kMatrix{number}, x);", (transformation_text.PRODUCT,), (matrix,)
            )
        case PrincipalComponents() as step:
            statements = transformation_text.CENTRED_PRODUCT.substitute(n=len(step.means[-1]), number=number)
            means = literals.doubles(f"kMeans{number}", step.means[-1])
            components = literals.matrix(f"kComponents{number}", step.eigenvectors[-1].T)
            return _StepCode("Principal components", statements, (transformation_text.PRODUCT,), (means, components))
        case Gaussianisation() as step:
            title, name, functions = _shape(step.flat)
            value = f"{name}(Density(kCumulative{number}[i], x[i]))"
            return _StepCode(
                title, _each(value), (distribution_text.DISTRIBUTION, *functions), _cumulatives(step, number)
            )
        case OldGaussianisation() as step:
            title, name, functions = _shape(step.flat)
            value = f"{name}(OldValue(kCumulative{number}[i], x[i]))"
            last = [sets[-1] for sets in step.cumulatives]
            constants = distribution_code.old_distributions(f"Cumulative{number}", last)
            return _StepCode(title, _each(value), (distribution_text.OLD_CUMULATIVE, *functions), constants)
        case Rearrangement() as step:
            return _StepCode(step.title, "      // only the places change")


def _each(value: str) -> str:
    return transformation_text.FOR_EACH_INPUT.substitute(value=value)


def _shape(flat: bool) -> tuple[str, str, tuple[str, ...]]:
    if flat:
        return "Uniform distribution", "Uniformised", (transformation_text.UNIFORMISED,)
    return "Gaussian distribution", "Gaussianised", (transformation_text.UNIFORMISED, transformation_text.GAUSSIANISED)


def _ranges(step: Normalisation, number: int) -> tuple[str, ...]:
    minima, maxima = step.minima[-1], step.maxima[-1]
    if step.offset:
        return literals.singles(f"kMinimum{number}", minima), literals.singles(f"kMaximum{number}", maxima)
    low, high = np.abs(minima), np.abs(maxima)
    return (literals.singles(f"kLargest{number}", np.where(high > low, high, low)),)


def _cumulatives(step: Gaussianisation, number: int) -> tuple[str, ...]:
    pdfs = [step.distribution(position) for position in range(len(step.cumulatives))]
    return distribution_code.distributions(f"Cumulative{number}", pdfs)


def _targets_part(steps: Iterable[_Numbered], model: Model) -> Part:
    """Return the function from outputs to targets."""
    n_targets = len(model.targets)
    if model.network.n_outputs != n_targets:
        raise InputError(f"{model.name}: the network has {model.network.n_outputs} outputs for {n_targets} targets")
    # TMVA: only the first step that has targets is undone
    first = next((s for s in steps if s.columns.has_targets), None)
    code = _StepCode("", "") if first is None else _inverse_of(first)
    targets = transformation_text.TARGETS.substitute(n_targets=n_targets, statements=code.statements)
    return Part(functions=(*code.functions, targets), constants=code.constants)


def _inverse_of(numbered: _Numbered) -> _StepCode:
    number, step = numbered.number, numbered.step
    pairs = enumerate(zip(numbered.columns.get, numbered.columns.put, strict=False))
    wanted = [(position, to.index, at.index) for position, (to, at) in pairs if to.kind == TARGET]
    match step:
        case PrincipalComponents():
            return _inverse_components(step, wanted)
        case Normalisation(offset=True):
            lines = [
                f"targets[{to}] = Denormalised(outputs[{at}], kMinimum{number}[{i}], kMaximum{number}[{i}]);"
                for i, to, at in wanted
            ]
            return _StepCode(step.title, _indented(lines), (transformation_text.DENORMALISED,), _ranges(step, number))
        case Normalisation():
            lines = [f"targets[{to}] = outputs[{at}] * kLargest{number}[{i}];" for i, to, at in wanted]
            return _StepCode(step.title, _indented(lines), (), _ranges(step, number))
        case Gaussianisation():
            prepare = "" if step.flat else "GaussToUniform"
            inverse = f"InverseCumulative(kCumulative{number}"
            lines = [
                f"targets[{to}] = static_cast<Real>({inverse}[{i}], {prepare}(outputs[{at}])));" for i, to, at in wanted
            ]
            functions = (
                distribution_text.DISTRIBUTION,
                distribution_text.INVERSE_CUMULATIVE,
                transformation_text.GAUSS_TO_UNIFORM,
            )
            return _StepCode(step.title, _indented(lines), functions, _cumulatives(step, number))
        case _:
            raise InputError(f"transformation {step.title}: the targets in its selection cannot be transformed back")


def _indented(lines: list[str]) -> str:
    return "\n".join(literals.INDENT * 2 + line for line in lines)


def _inverse_components(step: PrincipalComponents, wanted: list[tuple[int, int, int]]) -> _StepCode:
    # TMVA: set 2, which is the one of all classes only if there are two classes
    chosen = min(2, len(step.means) - 1)
    statements = transformation_text.TARGETS_FROM_COMPONENTS.substitute(
        n=len(wanted),
        places=", ".join(str(to) for _, to, _ in wanted),
        sources=", ".join(str(at) for _, _, at in wanted),
    )
    constants = (
        literals.doubles("kTargetMeans", step.means[chosen]),
        literals.matrix("kTargetComponents", step.eigenvectors[chosen]),
    )
    return _StepCode(step.title, statements, (), constants)
