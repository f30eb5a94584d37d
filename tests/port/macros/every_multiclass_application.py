# The application of every_multiclass
import array

import ROOT

classes = ["Signal", "bg0", "bg1", "bg2"]
methods = ["BDTG", "FDA_GA", "MLP", "PDEFoam"]
reader = ROOT.TMVA.Reader("!Color:Silent")
cells = [array.array("f", [0.0]) for _ in range(4)]
for i, cell in enumerate(cells, 1):
    reader.AddVariable(f"var{i}", cell)
histograms = {}
for method in methods:
    reader.BookMVA(f"{method} method", f"dataset/weights/every_multiclass_{method}.weights.xml")
    for name in classes:
        histograms[method, name] = ROOT.TH1F(f"MVA_{method}_{name}", "response", 50, -0.5, 1.5)
source = ROOT.TFile.Open("tmva_multiclass_example.root")
correct = dict.fromkeys(methods, 0)
confusion = [[0] * 4 for _ in classes]
for number, name in enumerate(classes):
    tree = source.Get("TreeS" if number == 0 else f"TreeB{number - 1}")
    for i, cell in enumerate(cells, 1):
        tree.SetBranchAddress(f"var{i}", cell)
    for event in range(60):
        tree.GetEntry(event)
        for method in methods:
            response = list(reader.EvaluateMulticlass(f"{method} method"))
            histograms[method, name].Fill(response[number])
            found = response.index(max(response))
            correct[method] += found == number
            if method == "MLP":
                confusion[number][found] += 1
for method in methods:
    if correct[method]:
        print(f"{method:<8} {100 * correct[method] / 240:5.1f}% correct")
for name, row in zip(classes, confusion):
    print(f"{name:>8}" + "".join(f"{n:5d}" for n in row))
target = ROOT.TFile("TMVAMultiClassApp.root", "RECREATE")
for histogram in histograms.values():
    histogram.Write()
target.Close()
