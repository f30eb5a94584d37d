"""What the Factory writes into its output file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation import stored_probabilities
from pytmva_bnn.files import expanded
from pytmva_bnn.histograms import PDF
from pytmva_bnn.options import parse_var_transform
from pytmva_bnn.output import MethodOutput, chain_name, transformed_events

if TYPE_CHECKING:
    from pytmva_bnn.factory.method import MethodBase

_NAME_IN_FILE = {"U": "G", "S": "N"}


def method_output(method: MethodBase, number: int) -> MethodOutput:
    """Return all that the output file holds of a trained method; ``number`` counts those of its kind from 0."""
    responses = method.respond()
    fitted = method.trained.fitted
    pdfs = method.model.response_pdfs
    variables, targets = transformed_events(method.model.transformations, method.evaluated_dataset.test)
    return MethodOutput(
        title=method.title,
        weight_file=method.GetWeightFileName() or None,
        training_path=str(Path.cwd()),
        kind=method.kind,
        monitoring=tuple(fitted.monitoring(method.booked.options, number, method.dataset.name)),
        chain=_chain(method),
        result=method.evaluate(),
        test_variables=variables,
        test_targets=targets,
        training_responses=responses.training,
        test_responses=responses.test,
        # TMVA: the densities of the file for training events too, but the responses of the method in memory
        training_probabilities=_probabilities(pdfs, responses.as_trained),
        test_probabilities=_probabilities(pdfs, responses.test_reread),
        pdfs=pdfs,
    )


def _chain(method: MethodBase) -> str:
    """Return the name of the transformations in the titles of axes."""
    specs = parse_var_transform(method.booked.options.string("VarTransform"))
    if method.GetWeightFileName():
        # TMVA: the method that is tested comes from a weight file, which says Gauss of U, Normalize of S, nothing of I
        specs = [replace(one, name=_NAME_IN_FILE.get(one.name, one.name)) for one in specs if one.name != "I"]
    return chain_name(specs)


def _probabilities(pdfs: tuple[PDF, PDF] | None, responses: NDArray[Any]) -> NDArray[np.float32] | None:
    return None if pdfs is None else stored_probabilities(*pdfs, responses[:, 0])


def output_path(target: Any) -> Path | None:
    """Return where the output file goes: ``target`` is a path, or an object with its name in ``GetName()``."""
    if target is None:
        return None
    if isinstance(target, str | Path):
        return Path(expanded(target))
    for attribute in ("GetName", "file_path"):
        found = getattr(target, attribute, None)
        if found is not None:
            return Path(str(found() if callable(found) else found))
    raise InputError(f"the Factory's output file must be a path, not {type(target).__name__}")
