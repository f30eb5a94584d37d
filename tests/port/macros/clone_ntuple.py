# (with uproot)
import numpy as np
import uproot

with uproot.open("tmva_class_example.root") as file:
    events = file["TreeB"].arrays(["var1", "var2", "weight"], library="np")
number = np.arange(len(events["weight"]))
keep = events["weight"] >= 0.5
number, events = number[keep], {name: values[keep] for name, values in events.items()}
events["radius"] = np.sqrt((events["var1"] * events["var1"] + events["var2"] * events["var2"]).astype(float))
events["quadrant"] = ((events["var1"] > 0) + 2 * (events["var2"] > 0)).astype(np.int32)
events["heavy"] = events["weight"] > 1
some = number % 10 == 0
ntuple = {
    "r": events["radius"][some].astype(np.float32),
    "phi": np.arctan2(events["var2"].astype(float), events["var1"].astype(float))[some].astype(np.float32),
    "w": events["weight"][some],
}
print(f"{len(number)} kept, {some.sum()} in the ntuple")
with uproot.recreate("clone.root") as file:
    for name, columns in (("TreeB", events), ("nt", ntuple)):
        file.mktree(name, {key: values.dtype for key, values in columns.items()}).extend(columns)
