# The application of every_classification
import array

import ROOT

methods = ["CutsGA", "Likelihood", "LikelihoodPCA", "PDERS", "PDEFoam", "KNN", "LD", "Fisher", "HMatrix", "FDA_GA", "MLP",
           "MLPBNN", "CFMlpANN", "TMlpANN", "SVM", "BDT", "BDTG", "RuleFit"]
print("\n==> Start every_application")
reader = ROOT.TMVA.Reader("!Color:Silent")
cells = [array.array("f", [0.0]) for _ in range(5)]
for name, cell in zip(["myvar1 := var1+var2", "myvar2 := var1-var2", "var3", "var4"], cells):
    reader.AddVariable(name, cell)
reader.AddSpectator("spec1 := var1*2", cells[4])
for name in sorted(methods):  # the order of std::map
    reader.BookMVA(f"{name} method", f"dataset/weights/every_classification_{name}.weights.xml")

ranges = {"Likelihood": (-1, 1), "LikelihoodPCA": (-1, 1), "MLP": (-1.25, 1.5), "MLPBNN": (-1.25, 1.5), "BDT": (-0.8, 0.8),
          "Fisher": (-4, 4)}
histograms = {}
for name in methods[1:]:
    title = f"MVA_{name}" if name in ranges else name
    histograms[name] = ROOT.TH1F(f"MVA_{name}", title, 100, *ranges.get(name, (-2, 2)))
proba = ROOT.TH1F("MVA_Fisher_Proba", "MVA_Fisher_Proba", 100, 0, 1)
rarity = ROOT.TH1F("MVA_Fisher_Rarity", "MVA_Fisher_Rarity", 100, 0, 1)

print("--- Select signal sample")
source = ROOT.TFile.Open("./tmva_class_example.root")
tree = source.Get("TreeS")
user = [array.array("f", [0.0]) for _ in range(2)]
tree.SetBranchAddress("var1", user[0])
tree.SetBranchAddress("var2", user[1])
tree.SetBranchAddress("var3", cells[2])
tree.SetBranchAddress("var4", cells[3])
selected, total = 0, 0.0
n = 80
print(f"--- Processing: {n} events")
watch = ROOT.TStopwatch()
watch.Start()
for event in range(n):
    if event % 40 == 0:
        print(f"--- ... Processing event: {event}")
    tree.GetEntry(event)
    cells[0][0] = user[0][0] + user[1][0]
    cells[1][0] = user[0][0] - user[1][0]
    selected += bool(reader.EvaluateMVA("CutsGA method", 0.7))
    for name, histogram in histograms.items():
        histogram.Fill(reader.EvaluateMVA(f"{name} method"))
    proba.Fill(reader.GetProba("Fisher method"))
    rarity.Fill(reader.GetRarity("Fisher method"))
    values = ROOT.std.vector("float")()
    for cell in cells[:4]:
        values.push_back(cell[0])
    total += reader.EvaluateMVA(values, "LD method")
watch.Stop()
print("--- End of event loop: ", end="")
watch.Print()
print(f"--- Efficiency for CutsGA method: {selected / n:g} (for a required signal efficiency of 0.7)")
cuts = reader.FindCutsMVA("CutsGA method")
low, high = ROOT.std.vector("double")(), ROOT.std.vector("double")()
cuts.GetCuts(0.7, low, high)
line = "--- -------------------------------------------------------------"
print(line)
print("--- Retrieve cut values for signal efficiency of 0.7 from Reader")
for i in range(4):
    print(f'... Cut: {low[i]:g} < "{cuts.GetInputVar(i)}" <= {high[i]:g}')
print(line)
target = ROOT.TFile("TMVApp.root", "RECREATE")
for histogram in [*histograms.values(), proba, rarity]:
    histogram.Write()
target.Close()
print('--- Created root file: "TMVApp.root" containing the MVA output histograms')
print(f"mean of LD {total / n:g}")
print("==> every_application is done!\n")
