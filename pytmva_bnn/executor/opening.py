"""Which engine runs the jobs: from an object, or from a text as on the command line."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any, TypeAlias

from pytmva_bnn.errors import InputError, suggestion
from pytmva_bnn.executor.cluster import Cluster, connected, local_cluster
from pytmva_bnn.executor.executor import Executor, Serial
from pytmva_bnn.executor.processes import Processes

Engine: TypeAlias = "str | Executor | Any | None"
"""What :func:`open_executor` takes: a text, an executor that is open, a dask client, or None."""


@contextmanager
def open_executor(engine: Engine = None, workers: int | None = None) -> Iterator[Executor]:
    """Give an executor, and end its workers afterwards.

    ``engine`` is one of

    * ``"serial"``: one job after the other, in this process;
    * ``"processes"`` or ``"processes:4"``: processes of this machine;
    * ``"local"`` or ``"local:4"``: a dask cluster on this machine, made for this purpose;
    * ``"tcp://host:8786"`` or ``"scheduler.json"``: the address or the scheduler file of a dask cluster;
    * a ``distributed.Client``, or an executor: it is used, and stays open;
    * None: processes if ``workers`` is more than 1, else serial.

    ``workers`` is the number of processes, 0 or None for one on each core.
    """
    if isinstance(engine, Executor):
        yield engine
        return
    if hasattr(engine, "submit") and hasattr(engine, "cancel"):
        yield Cluster(engine)
        return
    with closing(_made(engine, workers)) as executor:
        yield executor


def _made(engine: Engine, workers: int | None) -> Executor:
    if engine is None:
        engine = "serial" if workers is None or workers == 1 else "processes"
    if not isinstance(engine, str):
        raise InputError(f"jobs cannot be run by {engine!r}: give a text such as 'processes:4', or a dask client")
    if "://" in engine or engine.endswith(".json"):
        return connected(engine)
    kind, _, number = engine.partition(":")
    if number and not (number.isascii() and number.isdigit() and int(number)):
        raise InputError(f"'{engine}': the number of workers must be a positive integer, e.g. {kind}:4")
    n_workers = int(number or workers or os.cpu_count() or 1)
    match kind:
        case "serial" if not number:
            return Serial()
        case "processes":
            return Processes(n_workers)
        case "local":
            return local_cluster(n_workers)
    hint = suggestion(kind, ("serial", "processes", "local"))
    raise InputError(
        f"jobs cannot be run by '{engine}'{': ' + hint if hint else ''} (known: serial, processes[:N], local[:N], "
        "and the address tcp://HOST:PORT or the scheduler file NAME.json of a dask cluster)"
    )
