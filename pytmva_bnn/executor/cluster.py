"""Jobs on a dask cluster.  Dask itself starts a job again if its worker is lost."""

from __future__ import annotations

import logging
import pickle
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from typing import Any

from pytmva_bnn.executor.executor import ATTEMPTS, Executor, Failure, Item, Jobs
from pytmva_bnn.optional import optional


def _distributed() -> Any:
    return optional("distributed", "dask", "a dask cluster")


def _call(function: Callable[[Item], Any], item: Item) -> Any:
    return function(item)


class Cluster(Executor):
    """The workers of a dask client; ``owned`` are the things to be closed with it."""

    def __init__(self, client: Any, *owned: Any) -> None:
        self._client = client
        self._owned = owned

    def _finished(self, jobs: Jobs[Item]) -> Iterator[tuple[int, Any]]:
        lost = _distributed().KilledWorker
        suspects: list[int] = []
        for index, outcome in self._submitted(jobs, range(len(jobs.items))):
            if isinstance(outcome, Failure) and isinstance(outcome.error, lost):
                suspects.append(index)
            else:
                yield index, outcome
        for suspect in suspects:  # dask also blames jobs that only waited on the worker: alone, a good one passes
            for index, outcome in self._submitted(jobs, [suspect]):
                if isinstance(outcome, Failure) and isinstance(outcome.error, lost):
                    outcome = jobs.lost(index, f"the dask workers that ran it were lost ({outcome.error})")
                yield index, outcome

    def _submitted(self, jobs: Jobs[Item], indices: Iterable[int]) -> Iterator[tuple[int, Any]]:
        submit = self._client.submit
        with warnings.catch_warnings():
            # the function may be large: it goes to each worker once, and as a task dask makes it again if it is lost
            warnings.filterwarnings("ignore", "Sending large graph", UserWarning)
            dumps = optional("cloudpickle", "dask", "a dask cluster").dumps
            function = submit(pickle.loads, dumps(jobs.function), pure=False)
            futures = {submit(_call, function, jobs.items[i], pure=False): i for i in indices}
        try:
            for future in _distributed().as_completed(list(futures)):
                failed = future.status != "finished"
                yield futures[future], Failure(future.exception()) if failed else future.result()
        finally:
            self._client.cancel([function, *futures])

    def close(self) -> None:
        """Leave the cluster; end it if it was made here."""
        for one in self._owned:
            one.close()


def connected(address: str) -> Cluster:
    """Return the cluster with this scheduler: its address, or its scheduler file."""
    where = {"scheduler_file": address} if address.endswith(".json") else {"address": address}
    client = _distributed().Client(timeout="10s", **where)
    return Cluster(client, client)


def local_cluster(n_workers: int) -> Cluster:
    """Return a cluster of processes on this machine."""
    distributed = _distributed()
    settings = {
        "distributed.scheduler.allowed-failures": ATTEMPTS - 1,
        # after 15 s without it dask gives up a worker, even if it is just starting again, and jobs wait forever
        "distributed.deploy.lost-worker-timeout": "24h",
    }
    with ExitStack() as opened:
        opened.enter_context(optional("dask", "dask", "a dask cluster").config.set(settings))
        cluster = distributed.LocalCluster(
            n_workers=n_workers, threads_per_worker=1, dashboard_address=":0", silence_logs=logging.CRITICAL
        )
        opened.enter_context(cluster)
        client = opened.enter_context(distributed.Client(cluster))
        return Cluster(client, opened.pop_all())
