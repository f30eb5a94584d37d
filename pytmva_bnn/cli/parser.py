"""The commands of ``pytmva-bnn`` and their arguments.

Nothing here may load numpy or another slow package: this runs for ``--help`` too.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Mapping
from typing import NamedTuple, NoReturn

from pytmva_bnn._version import __version__
from pytmva_bnn.cli.console import PROGRAM, complain

DESCRIPTION = "TMVA's neural network with Bayesian error bars, without ROOT."
EPILOGUE = f"""\
examples:
  {PROGRAM} inspect job_MLP.weights.xml
  {PROGRAM} apply job_MLP.weights.xml data.root --tree Events --errors -o responses.root
  {PROGRAM} train --signal data.root:TreeS --background data.root:TreeB -v var1 -v var2 -o out

'{PROGRAM} COMMAND --help' describes a command.
exit codes: 0 success, 1 error, 2 wrong usage, 4 (compare) the files differ, 130 interrupted"""

EVENT_FORMATS = ("root", "parquet", "npz")
PLOT_FORMATS = ("png", "pdf", "svg", "eps", "jpg")
SECTIONS = ("options", "variables", "transformations", "weights", "hessian", "responses")
SHELLS = ("bash", "zsh", "fish")


class Parser(argparse.ArgumentParser):
    """A parser whose messages look like all others of the command."""

    def error(self, message: str) -> NoReturn:
        """Write the usage and what is wrong; the exit code is 2."""
        self.print_usage(sys.stderr)
        complain("error", message)
        raise SystemExit(2)


class Command(NamedTuple):
    """A command; ``add_arguments`` declares its arguments, None if it parses them itself."""

    name: str
    purpose: str
    examples: str
    add_arguments: Callable[[Parser], None] | None = None


def build_parser() -> Parser:
    """Return the parser of the whole command line."""
    everywhere = _common_options(argparse.SUPPRESS)
    parser = Parser(
        prog=PROGRAM,
        description=DESCRIPTION,
        epilog=EPILOGUE,
        parents=[_common_options(False)],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for command in COMMANDS.values():
        examples = "\n".join("  " + line for line in command.examples.splitlines())
        own = commands.add_parser(
            command.name,
            help=command.purpose,
            description=command.purpose[0].upper() + command.purpose[1:] + ".",
            epilog=f"examples:\n{examples}",
            parents=[everywhere],
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if command.add_arguments is not None:
            command.add_arguments(own)
    return parser


def _common_options(default: object) -> Parser:
    """Return the options that may stand before or after the command."""
    parser = Parser(add_help=False)
    parser.add_argument("--debug", action="store_true", default=default, help="show where an error comes from")
    parser.add_argument("--verbose", action="store_true", default=default, help="show the library's messages")
    return parser


def commands_of(parser: argparse.ArgumentParser) -> Mapping[str, argparse.ArgumentParser]:
    """Return the parsers of the commands."""
    commands = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    choices: Mapping[str, argparse.ArgumentParser] = commands.choices
    return choices


def options_of(parser: argparse.ArgumentParser) -> dict[str, argparse.Action]:
    """Return the options of a parser by their names."""
    return {option: action for action in parser._actions for option in action.option_strings}


# ---- the arguments of each command


def _train(parser: Parser) -> None:
    """Each argument that is given replaces what the configuration file says."""
    add = parser.add_argument
    add("--config", metavar="FILE", help="JSON or YAML file with the same content as the options below")
    add("--signal", metavar="FILE:TREE", action="append", help="events of the class Signal (wildcards allowed)")
    add("--background", metavar="FILE:TREE", action="append", help="events of the class Background")
    add("--regression", metavar="FILE:TREE", action="append", help="events of a regression")
    add("--class", metavar="NAME=FILE:TREE", action="append", dest="classes", help="events of any class")
    add("--tree-weight", metavar="NAME=NUMBER", action="append", help="weight of all events of a class")
    add(
        "-v", "--variable", metavar="EXPR", action="append", dest="variables", help="input variable, or 'label := expr'"
    )
    add(
        "--spectator",
        metavar="EXPR",
        action="append",
        dest="spectators",
        help="quantity stored with the events",
    )
    add("--target", metavar="EXPR", action="append", dest="targets", help="target of a regression")
    add("--weight", metavar="EXPR", action="append", help="weight of an event; NAME=EXPR for one class only")
    add("--cut", metavar="EXPR", action="append", help="condition on the events; NAME=EXPR for one class only")
    add("--prepare", metavar="OPTIONS", help="how events are split, e.g. nTrain_Signal=1000:SplitMode=Random")
    add(
        "--method",
        metavar="[TITLE=]METHOD[:OPTIONS]",
        action="append",
        dest="methods",
        help="a method, e.g. BDT:NTrees=400; may be given several times (default: MLP)",
    )
    add("--options", metavar="OPTIONS", help="options of the method, if there is only one")
    add(
        "--tmva-defaults",
        action="store_true",
        default=None,
        help="TMVA's defaults for options that are not given (without: the evidence chooses among 27 networks)",
    )
    add("--title", help="title of the method, if there is only one (default: its name)")
    add("--job", help="name of the job, the start of file names (default: job)")
    add("--dataset", help="name of the data set (default: dataset)")
    add("--factory", metavar="OPTIONS", help="more options of the Factory")
    add("--jobs", metavar="N", type=_positive, default=1, help="number of processes that try networks")
    add("--no-output-file", action="store_true", help="do not write TMVA.root")
    add("-q", "--quiet", action="store_true", help="no progress bar, no tables")
    add("-o", "--output", metavar="FOLDER", required=True, help="folder for all output")


def _apply(parser: Parser) -> None:
    add = parser.add_argument
    add("weights", metavar="WEIGHTS", help="weight file")
    add("files", metavar="FILE", nargs="+", help="ROOT files, FILE or FILE:TREE; patterns may be in quotes")
    add("--tree", default="", help="name of the tree (not needed if a file has only one)")
    add("--errors", action="store_true", help="also write lower and upper, the sizes of the error bars")
    add("--signal-efficiency", metavar="EFF", type=float, help="for cuts: signal efficiency of the cuts to apply")
    add("--keep", metavar="NAME", action="append", default=[], help="keep a branch, spectator or 'label := expression'")
    add("--name", default="response", help="name of the new branch (default: response)")
    add("--output-tree", metavar="TREE", default="", help="name of the new tree (default: name of the old tree)")
    add("--format", choices=EVENT_FORMATS, default="root", help="format of files in a folder")
    add("--jobs", metavar="N", type=_positive, default=1, help="number of processes")
    add("--dask", metavar="SCHEDULER", help="run on a dask cluster: address, scheduler file, or 'local'")
    add("--retries", metavar="N", type=_count, default=1, help="retries of a failed file (default: 1)")
    add("--skip-existing", action="store_true", help="skip files whose output exists (in a folder)")
    add("--block-size", metavar="N", type=_positive, help="events in memory at a time")
    add(
        "-o",
        "--output",
        metavar="PATH",
        required=True,
        help="file (.root, .parquet, .npz; several inputs are merged) or folder (one file for each input)",
    )


def _inspect(parser: Parser) -> None:
    parser.add_argument("files", metavar="WEIGHTS", nargs="+", help="weight file (.xml, .xml.gz, .txt, .json, .npz)")
    parser.add_argument(
        "--part", "--tree", metavar="N", type=_count, help="show one part only, e.g. tree N of a forest, from 0"
    )
    parser.add_argument("--json", action="store_true", help="for programs: JSON, one object for each file")


def _compare(parser: Parser) -> None:
    add = parser.add_argument
    add("first", metavar="A", help="weight file")
    add("second", metavar="B", help="weight file")
    add("--rtol", type=_tolerance, default=1e-9, help="relative tolerance of numbers (default: 1e-9)")
    add("--atol", type=_tolerance, default=1e-12, help="absolute tolerance of numbers (default: 1e-12)")
    add("--events", type=_count, default=1000, help="random events for the responses (default: 1000)")
    add("--seed", type=_count, default=1, help="seed of the random events (default: 1)")
    add("--ignore", action="append", default=[], choices=SECTIONS, help="differences to ignore")
    add("--json", action="store_true", help="for programs: JSON")


def _convert(parser: Parser) -> None:
    add = parser.add_argument
    add("source", metavar="FROM", help="weight file (.xml, .xml.gz, .txt, .json, .npz) or model of another library")
    add("target", metavar="TO", help="new file (.xml, .xml.gz, .json, .npz, .onnx, .xgb.json, .C or other C++ endings)")
    add("--check", action="store_true", help="run the new file on random events (.onnx)")
    own = parser.add_argument_group("models of XGBoost (JSON, UBJ), LightGBM (text) and scikit-learn (pickle)")
    add = own.add_argument
    add("--variables", metavar="A,B,...", help="variables in the order of the features (default: the model's names)")
    add("--classes", metavar="A,B,...", help="classes in the order of the model; of two, the second is the signal")
    add("--title", help="title of the method (default: BDT, or MLP for a network)")
    add("--target", metavar="A,B,...", dest="target_name", help="targets of a regression (default: target)")
    add("--iterations", metavar="N", type=_positive, help="boosting rounds to use (default: up to the best one)")
    add("--unpickle", action="store_true", help="read a pickled estimator you trust: this runs code in it")


def _output_file(parser: Parser) -> None:
    parser.add_argument("file", metavar="FILE", help="output file of a training (TMVA.root), or a weight file")
    parser.add_argument("--dataset", metavar="NAME", help="data set in the file (not needed if there is only one)")


def _plots(parser: Parser) -> None:
    _output_file(parser)
    add = parser.add_argument
    add("--format", dest="formats", action="append", choices=PLOT_FORMATS, help="format of the files (default: png)")
    add("-o", "--output", metavar="FOLDER", default="plots", help="folder of the plots (default: plots)")


def _report(parser: Parser) -> None:
    _output_file(parser)
    help_text = "the report, or its folder (default: report.html beside the file)"
    parser.add_argument("-o", "--output", metavar="PATH", help=help_text)


def _run(parser: Parser) -> None:
    parser.add_argument(
        "macro", metavar="MACRO", help="""the macro, - for standard input; 'macro.C("BDT", 3)' calls it"""
    )
    words = parser.add_argument("words", metavar="WORD", nargs=argparse.REMAINDER, help="words for main(argc, argv)")
    words.required = False  # or argparse asks for it if the macro is missing


def _completion(parser: Parser) -> None:
    parser.add_argument("shell", choices=SHELLS, help="the shell")


def _at_least(kind: Callable[[str], float], least: float, what: str) -> Callable[[str], float]:
    """Return the type of an argument that is a number."""

    def parsed(text: str) -> float:
        try:
            number = kind(text)
        except ValueError:
            number = math.nan
        if not number >= least:  # also NaN
            raise argparse.ArgumentTypeError(f"must be {what}, got {text!r}")
        return number

    return parsed


_positive = _at_least(int, 1, "a whole number above 0")
_count = _at_least(int, 0, "a whole number, 0 or above")
_tolerance = _at_least(float, 0.0, "a number, 0 or above")


_ALL = (
    Command(
        "train",
        "train networks or other methods, test and compare them",
        """\
pytmva-bnn train --signal data.root:TreeS --background data.root:TreeB -v var1 -v "sum := var1+var2" -o out
pytmva-bnn train --signal data.root:TreeS --background data.root:TreeB -v var1 -v var2 \\
    --method MLP --method BDT:NTrees=800 --method Ada=BDT:BoostType=AdaBoost --method Fisher -o out
pytmva-bnn train --regression data.root:TreeR --target fvalue -v var1 -v var2 -o out
pytmva-bnn train --class sig=a.root:t --class qcd=b.root:t --class top=c.root:t -v x -v y -o out
pytmva-bnn train --config train.yaml --options "NCycles=20" -o quick""",
        _train,
    ),
    Command(
        "apply",
        "evaluate a network on ROOT files",
        """\
pytmva-bnn apply job_MLP.weights.xml data.root --tree Events --errors --keep run -o responses.root
pytmva-bnn apply job_MLP.weights.xml "data/*.root" --tree Events -o responses.parquet
pytmva-bnn apply job_MLP.weights.xml data/*.root --tree Events --jobs 8 --format npz -o responses/
pytmva-bnn apply job_MLP.weights.xml data/*.root --dask tcp://host:8786 -o responses/""",
        _apply,
    ),
    Command(
        "inspect",
        "show what is in a weight file",
        """\
pytmva-bnn inspect job_MLP.weights.xml
pytmva-bnn inspect --json job_MLP.weights.xml
pytmva-bnn inspect --tree 0 job_BDT.weights.xml""",
        _inspect,
    ),
    Command(
        "compare",
        "show how two weight files differ (exit code 0: same, 4: different)",
        """\
pytmva-bnn compare old.weights.xml new.weights.xml
pytmva-bnn compare old.weights.xml new.weights.xml --rtol 1e-3 --ignore options --ignore hessian""",
        _compare,
    ),
    Command(
        "convert",
        "write a weight file in another format (.xml, .xml.gz, .json, .npz, .onnx, .xgb.json, .C)",
        """\
pytmva-bnn convert xgboost.json job_BDT.weights.xml --variables pt,eta,mass
pytmva-bnn convert job_MLP.weights.xml job_MLP.onnx
pytmva-bnn convert job_MLP.weights.xml job_MLP.npz
pytmva-bnn convert job_MLP.weights.txt job_MLP.weights.xml""",
        _convert,
    ),
    Command(
        "plots",
        "draw the plots of an output file, or of a weight file",
        """\
pytmva-bnn plots out/TMVA.root -o plots
pytmva-bnn plots job_BDT.weights.xml --format pdf -o trees""",
        _plots,
    ),
    Command(
        "report",
        "make a report of an output file, or of a weight file",
        """\
pytmva-bnn report out/TMVA.root -o report.html
pytmva-bnn report job_BDT.weights.xml -o report.html""",
        _report,
    ),
    Command("port", "translate a C++ macro to Python", "pytmva-bnn port macro.C -o macro.py"),
    Command(
        "run",
        "run a C++ macro, as root -b -q does",
        """\
pytmva-bnn run TMVAClassification.C
pytmva-bnn run 'TMVAClassification.C("BDT,MLP")'
pytmva-bnn run macro.C BDT MLP""",
        _run,
    ),
    Command("demo", "run the short demonstration", "pytmva-bnn demo"),
    Command(
        "completion",
        "print a script that completes commands and options in a shell",
        """\
source <(pytmva-bnn completion bash)
pytmva-bnn completion fish > ~/.config/fish/completions/pytmva-bnn.fish""",
        _completion,
    ),
)

COMMANDS = {command.name: command for command in _ALL}
