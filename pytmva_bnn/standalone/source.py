"""The whole file: comment, interface and class."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from pytmva_bnn.cpp import literals
from pytmva_bnn.cpp.part import Part
from pytmva_bnn.errors import InputError
from pytmva_bnn.files import atomic_writer
from pytmva_bnn.histograms import pdf_cpp
from pytmva_bnn.model import Model
from pytmva_bnn.standalone import frame_text
from pytmva_bnn.standalone.description import description
from pytmva_bnn.tmva_types import AnalysisType
from pytmva_bnn.transform.chain_code import cpp_forward, cpp_targets


def transformations_part(model: Model) -> Part:
    """Return the way from an event to the inputs of the method, and for regression from its outputs to the targets.

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
    part = cpp_forward(model.transformations, [variable.label for variable in model.variables])
    if model.analysis_type != AnalysisType.REGRESSION:
        return part
    return part + cpp_targets(model.transformations, len(model.targets))


def responses_part(model: Model) -> Part:
    """Return ``GetProba`` and ``GetRarity``; nothing if the file has no distributions of the response."""
    if model.response_pdfs is None:
        return Part()
    pairs = zip(("SignalResponse", "BackgroundResponse"), model.response_pdfs, strict=True)
    constants = tuple(text for name, pdf in pairs for text in pdf_cpp.constant_of(name, pdf))
    return Part((frame_text.GET_PROBA_AND_RARITY,), (pdf_cpp.DISTRIBUTION,), constants)


_COMMENT_OR_STRING = re.compile(r'//[^\n]*|"(?:\\.|[^"\\\n])*"')


def class_source(model: Model, *, class_name: str | None = None) -> str:
    """Return C++17 text with a class that gives the responses of a model, to the last digits.

    The class is called ``class_name``, or ``Read`` and the title of the method.

    >>> import pytmva_bnn as TMVA
    >>> model = TMVA.load("xml_fixtures/cases/bfgs_n/weights.xml")
    >>> print(class_source(model).splitlines()[0])
    // ReadMLP: the response of the neural network "MLP" in plain C++17
    """
    name = literals.class_identifier(model.title) if class_name is None else literals.checked_identifier(class_name)
    method = model.fitted.cpp(model.file)  # first: it may say that there is no C++ for it
    part = transformations_part(model) + method + responses_part(model)
    code = _class_code(model, name, part)
    return frame_text.FILE.substitute(description=description(model, name), guard=_guard(name, code), code=code)


def write_class(model: Model, path: str | Path, *, class_name: str | None = None) -> None:
    """Write the text of :func:`class_source` to a file, which appears when it is complete.

    >>> import tempfile, pathlib
    >>> import pytmva_bnn as TMVA
    >>> target = pathlib.Path(tempfile.mkdtemp()) / "FakeRate.hpp"
    >>> write_class(TMVA.load("xml_fixtures/cases/fakerate_bnn/weights.xml"), target, class_name="FakeRate")
    >>> "class FakeRate" in target.read_text(encoding="utf-8")
    True
    """
    text = class_source(model, class_name=class_name)
    with atomic_writer(path) as stream:
        stream.write(text.encode("utf-8"))


def _class_code(model: Model, name: str, part: Part) -> str:
    names = [literals.string(variable.expression) for variable in model.variables]
    members = {
        "methods": "\n\n".join(part.methods),
        "functions": "\n\n".join(part.functions),
        "constants": "\n\n".join(part.constants),
        "expressions": ",\n".join(literals.INDENT * 2 + text for text in names),
    }
    text = frame_text.CLASS.template + "\n".join(members.values())
    if name in text and re.search(rf"\b{name}\b", _COMMENT_OR_STRING.sub("", text)):
        raise InputError(f"class_name={name!r} is already used inside the class; choose another name")
    return frame_text.CLASS.substitute(
        members, name=name, name_string=literals.string(name), n_variables=len(model.variables)
    )


def _guard(name: str, code: str) -> str:
    """Return the include guard: the same file may be included twice, another one with the same class may not."""
    return f"PYTMVA_BNN_{name}_{hashlib.sha256(code.encode()).hexdigest()[:12]}"
