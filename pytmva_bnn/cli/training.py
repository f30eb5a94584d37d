"""A training from beginning to end with the library's Factory."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from pytmva_bnn.cli.console import without_words_on_interrupts
from pytmva_bnn.cli.train_job import TrainJob
from pytmva_bnn.dataset import DataLoader
from pytmva_bnn.factory import Factory
from pytmva_bnn.files import atomic_writer, check_writable
from pytmva_bnn.tmva_types import AnalysisType

OUTPUT_FILE = "TMVA.root"


@dataclass(frozen=True)
class Trained:
    """What a training left: its files and TMVA's tables; after how many epochs it was interrupted, if it was."""

    weight_file: Path
    files: tuple[Path, ...]
    tables: tuple[str, ...]
    ranking: tuple[tuple[str, float], ...]
    interrupted_after: int | None = None


def train(job: TrainJob, folder: Path, *, output_file: bool = True, quiet: bool = False) -> Trained:
    """Train, test and evaluate; all files go below ``folder``."""
    configuration = folder / f"{job.job}_{job.title}.train.json"
    target = folder / OUTPUT_FILE if output_file else None
    bar = "!DrawProgressBar" if quiet else "DrawProgressBar"
    options = ":".join(part for part in ("!V", bar, f"AnalysisType={job.analysis}", job.factory) if part)
    factory = Factory(job.job, target, options)
    method = factory.BookMethod(loader_of(job), "MLP", job.title, job.options)
    weight_file = folder / method.weight_file if method.weight_file is not None else None
    for file in (configuration, target, weight_file):
        if file is not None:
            check_writable(file)  # now, not after hours of training
    folder.mkdir(parents=True, exist_ok=True)
    method.weight_file = weight_file
    with without_words_on_interrupts():
        factory.TrainAllMethods()
    interrupted = method.is_trained and method.result.stopped_by == "interrupt"
    factory.TestAllMethods()
    factory.EvaluateAllMethods()
    with atomic_writer(configuration) as stream:
        stream.write((json.dumps(job.as_mapping(), indent=1) + "\n").encode())
    ranking = method.ranking.entries if method.analysis_type != AnalysisType.REGRESSION else ()
    files = [weight_file, _class_file(weight_file), configuration, target]
    return Trained(
        weight_file=weight_file or Path(),
        files=tuple(file for file in files if file is not None and file.exists()),
        tables=factory.tables,
        ranking=tuple((str(name), float(value)) for name, value in ranking),
        interrupted_after=method.result.n_epochs if interrupted else None,
    )


def loader_of(job: TrainJob) -> DataLoader:
    """Return a DataLoader with all that the job says about the events.

    >>> loader_of(TrainJob.of({"trees": {"Signal": "xml_fixtures/data/class.root:TreeS"}, "variables": ["var1"],
    ...     "weight": "w"})).description.classes[0].weight
    'w'
    """
    loader = DataLoader(job.dataset)
    for variable in job.variables:
        rest = {key: value for key, value in variable.items() if key != "expression"}
        loader.AddVariable(str(variable["expression"]), **rest)
    for add, quantities in ((loader.AddSpectator, job.spectators), (loader.AddTarget, job.targets)):
        for quantity in quantities:
            add(**{key: value for key, value in quantity.items() if key != "type"})
    for class_name, trees in job.trees.items():
        for tree in trees:
            loader.AddTree(tree.tree, class_name, tree.weight, tree.cut)
    for class_name, expression in job.weight.items():
        loader.SetWeightExpression(expression, class_name)
    loader.PrepareTrainingAndTestTree(job.cut, job.prepare)
    return loader


def _class_file(weight_file: Path | None) -> Path | None:
    if weight_file is None:
        return None
    return weight_file.with_name(weight_file.name.replace(".weights.xml", ".class.C"))
