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


def engine_named(text: str) -> tuple[str, int]:
    """Return the kind of engine that a text names, and its number of workers, 0 if it does not say.

    >>> engine_named("processes:4"), engine_named("tcp://host:8786")
    (('processes', 4), ('tcp://host:8786', 0))
    """
    if "://" in text or text.endswith(".json"):
        return text, 0
    kind, colon, number = text.partition(":")
    if kind not in ("serial", "processes", "local") or (kind == "serial" and colon):
        hint = suggestion(kind, ("serial", "processes", "local")) if kind != "serial" else ""
        raise InputError(
            f"unknown executor '{text}'{': ' + hint if hint else ''} (known: serial, processes[:N], local[:N], and "
            "the address tcp://HOST:PORT or the scheduler file NAME.json of a dask cluster)"
        )
    if colon and not (number.isascii() and number.isdigit() and int(number)):
        raise InputError(f"'{text}': the number of workers must be a positive integer, e.g. {kind}:4")
    return kind, int(number or 0)


def _made(engine: Engine, workers: int | None) -> Executor:
    if engine is None:
        engine = "serial" if workers is None or workers == 1 else "processes"
    if not isinstance(engine, str):
        raise InputError(f"{engine!r} is not an executor; give a string such as 'processes:4', or a dask client")
    kind, number = engine_named(engine)
    n_workers = number or workers or os.cpu_count() or 1
    match kind:
        case "serial":
            return Serial()
        case "processes":
            return Processes(n_workers)
        case "local":
            return local_cluster(n_workers)
    return connected(kind)
