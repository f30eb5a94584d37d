"""Runs scripts in processes of their own that have the heavy packages already: a fork is quick, imports are not.

Reads a line of JSON for each script (``argv``, ``folder``, ``environment``, ``stdout``, ``stderr``) from its standard
input, and answers with the exit code.  A script finds what ``python -W error script.py`` gives it.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
import warnings
from pathlib import Path


def become(job: dict) -> None:
    """Make this process the script's: its folder, environment, arguments, input and output."""
    os.chdir(job["folder"])
    os.environ.clear()
    os.environ.update(job["environment"])
    for descriptor, path, flags in (
        (0, os.devnull, os.O_RDONLY),
        (1, job["stdout"], os.O_WRONLY | os.O_CREAT),
        (2, job["stderr"], os.O_WRONLY | os.O_CREAT),
    ):
        os.dup2(os.open(path, flags), descriptor)
    sys.argv = job["argv"]
    sys.path[0] = str(Path(sys.argv[0]).parent)
    warnings.simplefilter("error")


def serve() -> None:
    import matplotlib.pyplot as plt
    import mplhep
    import scipy.ndimage
    import scipy.optimize
    import uproot

    from pytmva_bnn.compat import ROOT

    del plt, mplhep, scipy, uproot, ROOT
    for line in iter(sys.stdin.readline, ""):
        job = json.loads(line)
        child = os.fork()
        if child == 0:
            become(job)
            runpy.run_path(sys.argv[0], run_name="__main__")
            return
        sys.stdout.write(f"{os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
