import math

import numpy as np
import ROOT
from ROOT import TMVA

file = ROOT.TFile.Open("runs/run_1.root")
columns = file.Get("events").AsNumpy("eventNumber", "pt", "eta", "met", "isSignal")
events = [dict(zip(columns, values)) for values in zip(*(column[:400] for column in columns.values()))]
kept = [event for event in events if abs(float(event["eta"])) < 2.4]
print("after eta:", len(kept))
kept = [event for event in kept if event["pt"] > 12]
print("after pt:", len(kept))
print(f"{len(events)} read, {len(kept)} kept")


def mt(event):
    return math.sqrt(float(np.float32(2) * event["pt"]) * float(event["met"]))


for event in sorted(kept, key=lambda event: -event["pt"])[:3]:
    print(f"{event['eventNumber']} {event['pt']:.3f} {mt(event):.3f}")
print(len({event["eventNumber"] % 10 for event in kept}), "last digits, first event", kept[0]["eventNumber"])
loader = TMVA.DataLoader("structs")
loader.AddVariable("pt", "F")
loader.AddVariable("mt", "F")
count = [0] * 4
for i, event in enumerate(kept):
    values = ROOT.std.vector("double")(2)
    values[0], values[1] = float(event["pt"]), mt(event)
    add = {
        (1, 0): loader.AddSignalTrainingEvent, (1, 1): loader.AddSignalTestEvent,
        (0, 0): loader.AddBackgroundTrainingEvent, (0, 1): loader.AddBackgroundTestEvent,
    }[event["isSignal"], i % 2]
    count[2 * event["isSignal"] + (i % 2 == 0)] += 1
    add(values, 1.0)
print(*count)
loader.PrepareTrainingAndTestTree("", "SplitMode=Block:NormMode=None:!V")
factory = TMVA.Factory("structs", "!V:Silent:!Color:!DrawProgressBar:AnalysisType=Classification")
factory.BookMethod(loader, TMVA.Types.kLD, "LD", "!H:!V")
factory.BookMethod(loader, TMVA.Types.kKNN, "KNN", "!H:!V:nkNN=10")
factory.TrainAllMethods()
