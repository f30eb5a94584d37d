"""The sub-commands: their names, what they are for, and the modules that do the work."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast


@dataclass(frozen=True)
class Command:
    """A sub-command; its module has ``add_arguments(parser)`` and ``run(arguments) -> int``, and is loaded when used.

    A command that is ``passed_on`` has instead ``run(argv) -> int``: it reads all arguments itself.

    >>> COMMANDS["inspect"].purpose
    'show what is in a weight file'
    """

    name: str
    purpose: str
    examples: str
    module: str
    passed_on: bool = False

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's arguments."""
        if not self.passed_on:
            self._loaded().add_arguments(parser)

    def run(self, arguments: argparse.Namespace | Sequence[str]) -> int:
        """Do the work and return the exit code."""
        function = cast("Callable[[Any], int]", self._loaded().run)
        return function(arguments)

    def _loaded(self) -> Any:
        return importlib.import_module(f"pytmva_bnn.cli.{self.module}")


_ALL = (
    Command(
        "train",
        "train a network, test and evaluate it",
        """\
pytmva-bnn train --signal data.root:TreeS --background data.root:TreeB -v var1 -v "sum := var1+var2" \\
    --options "TrainingMethod=BFGS:NCycles=200:HiddenLayers=N+5:VarTransform=N" -o out
pytmva-bnn train --regression data.root:TreeR --target fvalue -v var1 -v var2 -o out
pytmva-bnn train --class sig=a.root:t --class qcd=b.root:t --class top=c.root:t -v x -v y -o out
pytmva-bnn train --config train.yaml --options "NCycles=20" -o quick""",
        "train_command",
    ),
    Command(
        "apply",
        "evaluate a network on ROOT files",
        """\
pytmva-bnn apply job_MLP.weights.xml data.root --tree Events --errors --keep run -o responses.root
pytmva-bnn apply job_MLP.weights.xml "data/*.root" --tree Events -o responses.parquet
pytmva-bnn apply job_MLP.weights.xml data/*.root --tree Events --jobs 8 --format npz -o responses/
pytmva-bnn apply job_MLP.weights.xml data/*.root --dask tcp://host:8786 -o responses/""",
        "apply_command",
    ),
    Command(
        "inspect",
        "show what is in a weight file",
        """\
pytmva-bnn inspect job_MLP.weights.xml
pytmva-bnn inspect --json job_MLP.weights.xml""",
        "inspect_command",
    ),
    Command(
        "compare",
        "tell how two weight files differ (exit code 0: same, 4: different)",
        """\
pytmva-bnn compare old.weights.xml new.weights.xml
pytmva-bnn compare old.weights.xml new.weights.xml --rtol 1e-3 --ignore options --ignore hessian""",
        "compare_command",
    ),
    Command(
        "convert",
        "write a weight file in another format (.xml, .xml.gz, .json, .npz, .onnx, .C)",
        """\
pytmva-bnn convert job_MLP.weights.xml job_MLP.onnx
pytmva-bnn convert job_MLP.weights.xml job_MLP.npz
pytmva-bnn convert job_MLP.weights.txt job_MLP.weights.xml""",
        "convert_command",
    ),
    Command(
        "plots",
        "draw the plots of an output file",
        "pytmva-bnn plots out/TMVA.root -o plots",
        "plots_command",
    ),
    Command(
        "report",
        "make a report of an output file",
        "pytmva-bnn report out/TMVA.root -o report.html",
        "report_command",
    ),
    Command("port", "translate a TMVA macro to Python", "pytmva-bnn port macro.C", "port_command", passed_on=True),
    Command("demo", "run the short demonstration", "pytmva-bnn demo", "demo_command", passed_on=True),
    Command(
        "completion",
        "print a script that completes commands and options in a shell",
        """\
source <(pytmva-bnn completion bash)
pytmva-bnn completion fish > ~/.config/fish/completions/pytmva-bnn.fish""",
        "completion_command",
    ),
)

COMMANDS = {command.name: command for command in _ALL}
