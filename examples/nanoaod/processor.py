"""A weight file in a columnar analysis: the fake rate of every muon of NanoAOD-like events, with its error.

    python processor.py WEIGHTS                          # one chunk after the other
    python processor.py WEIGHTS --executor processes:4   # four processes
    python processor.py WEIGHTS --executor tcp://host:8786   # a dask cluster
    python processor.py WEIGHTS --files a.root b.root        # NanoAOD, read by coffea's Runner
    python processor.py WEIGHTS --files a.root --dask        # the same as arrays of dask-awkward

Without files the chunks are made on the spot, and coffea is not needed.
"""

import argparse
from functools import partial

import awkward as ak
import numpy as np

import pytmva_bnn as TMVA
from pytmva_bnn.executor import open_executor

try:
    from coffea.processor import ProcessorABC
except ImportError:
    ProcessorABC = object

PT_BINS = np.linspace(10.0, 90.0, 9)


class FakeRateProcessor(ProcessorABC):
    """Applies a network of pt and ht to each muon, and fills histograms of the muons' pt."""

    def __init__(self, weights):
        self.model = TMVA.load(weights)  # goes to the workers as it is: they need not see the file

    def process(self, events):
        """Return the histograms of one chunk of events, which have a list of muons each."""
        muons = events.Muon[(events.Muon.pt > 10.0) & (abs(events.Muon.eta) < 2.4)]
        # one entry for each muon: ht, of which an event has one, is repeated for all its muons
        columns = {"pt": ak.flatten(muons.pt), "ht": ak.flatten(ak.broadcast_arrays(events.HT, muons.pt)[0])}
        rate = self.model.predict(columns, errors=True)
        # back into lists: what one goes on with in an analysis, e.g. weights of events with two muons
        per_event = ak.unflatten(rate.value, ak.num(muons))
        pairs = per_event[ak.num(per_event) == 2]
        pt = ak.to_numpy(columns["pt"])
        return {
            "events": len(events),
            "muons": _histogram(pt),
            "fakes": _histogram(pt, rate.value),
            # those of one network are correlated: added up linearly they are an upper limit
            "error": _histogram(pt, 0.5 * (rate.lower + rate.upper)),
            "double fakes": float(ak.sum(pairs[:, 0] * pairs[:, 1])),
        }

    def postprocess(self, accumulator):
        """Turn the sums of all chunks into the mean fake rate in bins of pt."""
        muons = np.maximum(accumulator["muons"], 1.0)
        return {**accumulator, "rate": accumulator["fakes"] / muons, "rate error": accumulator["error"] / muons}


def _histogram(pt, weights=None):
    return np.histogram(pt, PT_BINS, weights=weights)[0].astype(float)


def made_events(n, seed):
    """Return events with jagged muons, as NanoEventsFactory gives them."""
    rng = np.random.default_rng(seed)
    n_muons = rng.poisson(1.2, n)
    total = int(n_muons.sum())
    muons = ak.zip({"pt": 5.0 + rng.exponential(25.0, total), "eta": rng.normal(0.0, 1.5, total)})
    return ak.zip({"Muon": ak.unflatten(muons, n_muons), "HT": 60.0 + rng.exponential(150.0, n)}, depth_limit=1)


def process_chunk(processor, n, seed):
    return processor.process(made_events(n, seed))


def run_here(processor, executor, chunks, n):
    """Process chunks that are made on the spot."""
    job = partial(process_chunk, processor, n)
    with open_executor(executor) as opened:
        results = [result for _, result in opened.run(job, range(chunks), progress="chunks", name="chunk {}".format)]
    return processor.postprocess(added(results))


def run_coffea(processor, files, chunk_size):
    """Process files by coffea; FuturesExecutor or DaskExecutor take the place of IterativeExecutor for more cores."""
    from coffea.nanoevents import NanoAODSchema
    from coffea.processor import IterativeExecutor, Runner

    run = Runner(IterativeExecutor(), schema=NanoAODSchema, chunksize=chunk_size)
    return run({"muons": files}, processor, treename="Events")


def run_dask(processor, files):
    """Process arrays of dask-awkward: a network needs numbers, so each file is processed when it has been read."""
    import dask
    from coffea.nanoevents import NanoAODSchema, NanoEventsFactory

    trees = dict.fromkeys(files, "Events")
    events = NanoEventsFactory.from_root(trees, schemaclass=NanoAODSchema, mode="dask").events()
    columns = ak.zip({"Muon": events.Muon[["pt", "eta"]], "HT": events.HT}, depth_limit=1)  # no others are read
    results = dask.compute(*map(dask.delayed(processor.process), columns.to_delayed()))
    return processor.postprocess(added(results))


def added(results):
    return {name: sum(result[name] for result in results) for name in results[0]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weights", help="weight file of a network of pt and ht, with error bars")
    parser.add_argument("--chunks", type=int, default=10)
    parser.add_argument("--events", type=int, default=10_000, help="events of a chunk")
    parser.add_argument("--executor", default="serial", help="serial, processes:N, local:N, tcp://..., scheduler.json")
    parser.add_argument("--files", nargs="+", help="NanoAOD files with a branch HT")
    parser.add_argument("--dask", action="store_true", help="read the files by dask-awkward, not by coffea's Runner")
    arguments = parser.parse_args()
    processor = FakeRateProcessor(arguments.weights)
    if arguments.files and arguments.dask:
        result = run_dask(processor, arguments.files)
    elif arguments.files:
        result = run_coffea(processor, arguments.files, arguments.events)
    else:
        result = run_here(processor, arguments.executor, arguments.chunks, arguments.events)
    print(f"{result['events']} events, {result['muons'].sum():.0f} muons, {result['double fakes']:.1f} double fakes")
    for low, high, rate, error in zip(PT_BINS[:-1], PT_BINS[1:], result["rate"], result["rate error"], strict=True):
        print(f"pt {low:3.0f} .. {high:3.0f} GeV: fake rate {rate:.4f} ± {error:.4f}")


if __name__ == "__main__":
    main()
