# (the selection with numpy)
import numpy as np
import ROOT
import uproot
from ROOT import TMVA

with uproot.open("runs/run_2.root") as file:
    events = file["events"].arrays(library="np")
keep = (events["pt"] > 15) & (abs(events["eta"].astype(float)) < 2.4)
events = {name: values[keep] for name, values in events.items()}
events["mt"] = np.sqrt(2 * events["pt"] * events["met"])
print(f"{len(events['mt'])} selected, mean {events['mt'].mean():g}, {len(events['mt'])} in the histogram")
for name, number, title in (("signal", 1, "sig"), ("background", 0, "bkg")):
    part = {key: events[key][events["isSignal"] == number] for key in ("pt", "mt", "njets")}
    print(name, len(part["pt"]))
    with uproot.recreate(f"snapshot_{number}.root") as file:
        file.mktree(title, {key: values.dtype for key, values in part.items()}).extend(part)
fs, fb = ROOT.TFile.Open("snapshot_1.root"), ROOT.TFile.Open("snapshot_0.root")
loader = TMVA.DataLoader("frame")
for name in ("pt", "mt", "njets"):
    loader.AddVariable(name)
loader.AddSignalTree(fs.Get("sig"))
loader.AddBackgroundTree(fb.Get("bkg"))
loader.PrepareTrainingAndTestTree("", "SplitMode=Random:!V")
factory = TMVA.Factory("frame", "!V:Silent:!Color:!DrawProgressBar:AnalysisType=Classification")
factory.BookMethod(loader, TMVA.Types.kLD, "LD", "!H:!V")
factory.TrainAllMethods()
