"""What runs each command; the short ones are done here, with functions of the library."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytmva_bnn.cli.console import complain, progress, say, without_words_on_interrupts
from pytmva_bnn.cli.usage import UsageError, usage
from pytmva_bnn.errors import InputError, MacroArgumentsError

if TYPE_CHECKING:
    from pytmva_bnn.show.plots.content import Content

REPORT = "report.html"
WRONG_USAGE = 2


def run(name: str, arguments: Any) -> int:
    """Run a command and return its exit code; imports are inside, as each command needs only a part of the package."""
    match name:
        case "train":
            from pytmva_bnn.cli.train import run_train

            return run_train(arguments)
        case "apply":
            from pytmva_bnn.cli.apply import run_apply

            return run_apply(arguments)
        case "inspect":
            from pytmva_bnn.cli.inspect import run_inspect

            return run_inspect(arguments)
        case "compare":
            from pytmva_bnn.cli.compare import run_compare

            return run_compare(arguments)
        case "convert":
            return _convert(arguments)
        case "plots":
            return _plots(arguments)
        case "report":
            return _report(arguments)
        case "port":
            return _port(arguments)
        case "run":
            return _run(arguments)
        case "demo":
            return _demo(arguments)
        case _:
            from pytmva_bnn.cli.completion import completion

            say(completion(arguments.shell).rstrip("\n"))
            return 0


def _convert(arguments: argparse.Namespace) -> int:
    from pytmva_bnn.convert import from_sklearn, largest_difference, load_any, unpickled, writer_of

    if arguments.check and Path(arguments.target).suffix != ".onnx":
        raise UsageError("--check is for .onnx; compare other weight files with: pytmva-bnn compare")
    with usage():
        write = writer_of(arguments.target)
    names = _names_in(arguments)
    if arguments.unpickle:
        model = from_sklearn(unpickled(arguments.source), **names)
    else:
        model = load_any(arguments.source, **names)
    write(model, arguments.target)
    say(f"written: {arguments.target}")
    if arguments.check:
        difference = largest_difference(arguments.target, model)
        say(f"largest difference of the responses of 1000 random events: {difference:.2g}")
    return 0


def _names_in(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what was said of a model of another library."""
    given = {
        "variables": arguments.variables and _parts(arguments.variables),
        "classes": arguments.classes and _parts(arguments.classes),
        "title": arguments.title,
        "target": arguments.target_name and _parts(arguments.target_name),
        "iterations": arguments.iterations,
    }
    return {name: value for name, value in given.items() if value is not None}


def _parts(text: str) -> list[str]:
    """Return what stands between commas, but not those inside brackets."""
    return [part.strip() for part in re.split(r",(?![^(\[]*[)\]])", text)]


def _plots(arguments: argparse.Namespace) -> int:
    from pytmva_bnn.show.plots.style import require_matplotlib

    require_matplotlib()
    from pytmva_bnn.show.plots.gallery import sections
    from pytmva_bnn.show.plots.save import file_name, save

    content = _content(arguments)
    plots = [plot for section in sections(content) for plot in section.plots]
    with progress(len(plots), "plots", "plot") as advance:
        for plot in plots:
            figure = plot.figure()
            for ending in arguments.formats or ["png"]:
                save(figure, Path(arguments.output) / f"{file_name(plot.name)}.{ending}", ending)
            advance(1)
    say(f"{len(plots)} plots written to {arguments.output}")
    return 0


def _content(arguments: argparse.Namespace) -> Content:
    """Return what there is to draw of a weight file or an output file."""
    if _is_weight_file(arguments):
        from pytmva_bnn.convert import load_any
        from pytmva_bnn.show.plots.from_weights import model_content

        return model_content(load_any(arguments.file))
    from pytmva_bnn.show.report.output_file import read_output_file

    _check_output_file(arguments.file)
    return read_output_file(arguments.file, arguments.dataset)


def _report(arguments: argparse.Namespace) -> int:
    from pytmva_bnn.show.report import report_from_output_file

    target = Path(arguments.output or Path(arguments.file).with_name(REPORT))
    if target.is_dir() or str(arguments.output).endswith("/"):
        target /= REPORT
    if _is_weight_file(arguments):
        from pytmva_bnn.convert import load_any
        from pytmva_bnn.show.report import write_report

        say(f"written: {write_report(load_any(arguments.file), target)}")
        return 0
    _check_output_file(arguments.file)
    say(f"written: {report_from_output_file(arguments.file, target, arguments.dataset)}")
    return 0


def _is_weight_file(arguments: argparse.Namespace) -> bool:
    from pytmva_bnn.convert.formats import FORMATS

    if not str(arguments.file).endswith(tuple(ending for one in FORMATS if one.reader for ending in one.endings)):
        return False
    if arguments.dataset:
        raise UsageError(f"--dataset is for output files; {arguments.file} is a weight file")
    return True


def _check_output_file(path: str) -> None:
    """Raise if a ROOT file is no output file of TMVA; what cannot be read is left to those who read it."""
    if not Path(path).is_file():
        return
    import uproot

    try:
        with uproot.open(path) as file:
            names = [part for key in file.keys(recursive=True, cycle=False) for part in key.split("/")[:2]]
    except Exception:
        return
    if not any(name.startswith(("Method_", "InputVariables_", "TestTree", "TrainTree")) for name in names):
        raise InputError(
            f"{path} is not an output file of TMVA or this package; give the file that a training wrote (TMVA.root)"
        )


def _port(argv: Sequence[str]) -> int:
    from pytmva_bnn.port import main

    _check_macro(argv)
    return main(list(argv)) or 0


def _run(arguments: argparse.Namespace) -> int:
    from pytmva_bnn.port import run

    try:
        return run(arguments.macro, arguments.words)
    except MacroArgumentsError as error:
        complain("error", str(error))
        return WRONG_USAGE


def _check_macro(argv: Sequence[str]) -> None:
    """Raise if the arguments name one macro, and there is none."""
    if {"-h", "--help"} & set(argv):
        return
    before = ["", *argv]
    macros = [
        text
        for last, text in zip(before, argv, strict=False)
        if last not in ("-o", "--output") and not text.startswith("-")
    ]
    if len(macros) == 1 and not Path(macros[0]).is_file():
        what = "is a folder" if Path(macros[0]).is_dir() else "does not exist"
        raise InputError(f"the macro {macros[0]} {what}")


def _demo(argv: Sequence[str]) -> int:
    from pytmva_bnn.demo import main

    with without_words_on_interrupts():
        return main(list(argv)) or 0
