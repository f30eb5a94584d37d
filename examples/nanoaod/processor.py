"""A weight file in a columnar analysis: the fake rate of every muon of NanoAOD-like events, with its error.

    python processor.py WEIGHTS                          # one chunk after the other
    python processor.py WEIGHTS --executor processes:4   # four processes
    python processor.py WEIGHTS --executor tcp://host:8786   # a dask cluster

The processor has the form that coffea wants, ``process(events)`` and ``postprocess(accumulator)``: with coffea
installed derive it from ``coffea.processor.ProcessorABC`` and let coffea's Runner read the chunks.  Here they are made
on the spot.
"""

import argparse
from functools import partial

import awkward as ak
import numpy as np

import pytmva_bnn as TMVA
from pytmva_bnn.executor import open_executor

PT_BINS = np.linspace(10.0, 90.0, 9)


class FakeRateProcessor:
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


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weights", help="weight file of a network of pt and ht, with error bars")
    parser.add_argument("--chunks", type=int, default=10)
    parser.add_argument("--events", type=int, default=10_000, help="events of a chunk")
    parser.add_argument("--executor", default="serial", help="serial, processes:N, local:N, tcp://..., scheduler.json")
    arguments = parser.parse_args()
    processor = FakeRateProcessor(arguments.weights)
    job = partial(process_chunk, processor, arguments.events)
    total = None
    with open_executor(arguments.executor) as executor:
        for _, found in executor.run(job, range(arguments.chunks), progress="chunks", name="chunk {}".format):
            total = found if total is None else {name: total[name] + found[name] for name in found}
    result = processor.postprocess(total)
    print(f"{result['events']} events, {result['muons'].sum():.0f} muons, {result['double fakes']:.1f} double fakes")
    for low, high, rate, error in zip(PT_BINS[:-1], PT_BINS[1:], result["rate"], result["rate error"], strict=True):
        print(f"pt {low:3.0f} .. {high:3.0f} GeV: fake rate {rate:.4f} ± {error:.4f}")


if __name__ == "__main__":
    main()
