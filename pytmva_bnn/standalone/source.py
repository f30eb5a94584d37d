"""The whole file: comment, interface and class."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from pytmva_bnn.errors import InputError
from pytmva_bnn.files import atomic_writer
from pytmva_bnn.model import Model
from pytmva_bnn.standalone import literals
from pytmva_bnn.standalone.description import description
from pytmva_bnn.standalone.distribution_code import responses_part
from pytmva_bnn.standalone.errors_code import errors_part
from pytmva_bnn.standalone.network_code import network_part, outputs_part
from pytmva_bnn.standalone.part import Part, total
from pytmva_bnn.standalone.templates import frame_text
from pytmva_bnn.standalone.transformation_code import transformations_part
from pytmva_bnn.weights import WeightFile

_PARTS = (transformations_part, network_part, outputs_part, errors_part, responses_part)
_COMMENT_OR_STRING = re.compile(r'//[^\n]*|"(?:\\.|[^"\\\n])*"')


def class_source(source: Model | WeightFile, *, class_name: str | None = None) -> str:
    """Return C++17 text with a class that gives the responses of a model, to the last digits.

    The class is called ``class_name``, or ``Read`` and the title of the method.

    >>> import pytmva_bnn as TMVA
    >>> model = TMVA.load("xml_fixtures/cases/bfgs_n/weights.xml")
    >>> print(class_source(model).splitlines()[0])
    // ReadMLP: the response of the neural network "MLP" in plain C++17
    """
    model = source if isinstance(source, Model) else Model(source)
    name = literals.class_identifier(model.title) if class_name is None else literals.checked_identifier(class_name)
    if len(model.variables) != model.network.n_inputs:
        raise InputError(
            f"{model.name}: {len(model.variables)} variables for a network with {model.network.n_inputs} inputs"
        )
    part = total(make(model) for make in _PARTS)
    code = _class_code(model, name, part)
    return frame_text.FILE.substitute(description=description(model, name), guard=_guard(name, code), code=code)


def write_class(source: Model | WeightFile, path: str | Path, *, class_name: str | None = None) -> None:
    """Write the text of :func:`class_source` to a file, which appears when it is complete.

    >>> import tempfile, pathlib
    >>> import pytmva_bnn as TMVA
    >>> target = pathlib.Path(tempfile.mkdtemp()) / "FakeRate.hpp"
    >>> write_class(TMVA.load("xml_fixtures/cases/fakerate_bnn/weights.xml"), target, class_name="FakeRate")
    >>> "class FakeRate" in target.read_text(encoding="utf-8")
    True
    """
    text = class_source(source, class_name=class_name)
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
    if re.search(rf"\b{name}\b", _COMMENT_OR_STRING.sub("", frame_text.CLASS.template + "\n".join(members.values()))):
        raise InputError(f"class_name={name!r} is the name of something inside the class; choose another one")
    return frame_text.CLASS.substitute(
        members, name=name, name_string=literals.string(name), n_variables=len(model.variables)
    )


def _guard(name: str, code: str) -> str:
    """Return the include guard: the same file may be included twice, another one with the same class may not."""
    return f"PYTMVA_BNN_{name}_{hashlib.sha256(code.encode()).hexdigest()[:12]}"
