# (with uproot and the Reader on columns)
import numpy as np
import ROOT
import uproot

with uproot.open("tmva_class_example.root") as file:
    columns = file["TreeS"].arrays(entry_stop=100, library="np")
cells = [np.zeros(1, np.float32) for _ in range(4)]
reader = ROOT.TMVA.Reader("!Color:Silent")
for name, cell in zip(("var1", "var2", "sum := var3+var4"), cells):
    reader.AddVariable(name, cell)
reader.AddSpectator("var4", cells[3])
reader.BookMVA("LD method", "weights/old_style_LD.weights.xml")
responses = []
for i in range(100):
    cells[0][0], cells[1][0], cells[3][0] = (columns[name][i] for name in ("var1", "var2", "var4"))
    cells[2][0] = columns["var3"][i] + columns["var4"][i]
    responses.append(reader.EvaluateMVA("LD method"))
columns["LD"] = np.array(responses, np.float32)
columns["passed"] = (columns["LD"].astype(float) > 0.1).astype(np.int32)
with uproot.recreate("updated.root") as file:
    file.mktree("TreeS", {name: values.dtype for name, values in columns.items()}).extend(columns)
print(columns["passed"].sum(), "of 100 pass")
