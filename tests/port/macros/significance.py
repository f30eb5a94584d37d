import array
import math

import numpy as np
import ROOT

reader = ROOT.TMVA.Reader("!Color:Silent")
cells = [array.array("f", [0.0]) for _ in range(4)]
total, weight = array.array("f", [0.0]), array.array("f", [1.0])
reader.AddVariable("var1", cells[0])
reader.AddVariable("var2", cells[1])
reader.AddVariable("sum := var3+var4", total)
reader.AddSpectator("var4", cells[3])
reader.BookMVA("LD", "weights/old_style_LD.weights.xml")
file = ROOT.TFile("tmva_class_example.root")
cuts = [-1 + i * 2.0 / 20 for i in range(20)]
yields = {"TreeS": [0.0] * 20, "TreeB": [0.0] * 20}
for name, values in yields.items():
    tree = file.Get(name)
    for i, cell in enumerate(cells, 1):
        tree.SetBranchAddress(f"var{i}", cell)
    tree.SetBranchAddress("weight", weight)
    for i in range(90):
        tree.GetEntry(i)
        total[0] = np.float32(cells[2][0]) + np.float32(cells[3][0])
        response = reader.EvaluateMVA("LD")
        for j, cut in enumerate(cuts):
            if response > cut:
                values[j] += weight[0]
print(f"{'formula':>10}{'cut':>8}{'Z':>12}")
for number, formula in (
    (0, lambda s, b: s / math.sqrt(b)),
    (5, lambda s, b: math.sqrt(2 * ((s + b) * math.log(1 + s / b) - s))),
):
    z = [formula(s, b) if b >= 1e-9 else 0.0 for s, b in zip(*yields.values())]
    best = z.index(max(z))
    print(f"{number:>10}{cuts[best]:8.2f}{z[best]:12.4f}")
