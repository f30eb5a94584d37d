"""TMVAMulticlass on the native API: one network with an output for each of four classes.

python make_toys.py && python multiclass.py [cycles]
"""

import sys

import numpy as np
import uproot

import pytmva_bnn as TMVA

CYCLES = int(sys.argv[1]) if len(sys.argv) > 1 else 200
DATA = "tmva_multiclass_example.root"
TREES = {"Signal": "TreeS", "bg0": "TreeB0", "bg1": "TreeB1", "bg2": "TreeB2"}

loader = TMVA.DataLoader("dataset")
for name in ("var1", "var2", "var3", "var4"):
    loader.AddVariable(name, "F")
for class_name, tree in TREES.items():
    loader.AddTree(f"{DATA}:{tree}", class_name)
loader.PrepareTrainingAndTestTree("", "SplitMode=Random:NormMode=NumEvents:!V")

factory = TMVA.Factory("TMVAMulticlass", "!V:Silent:!DrawProgressBar:AnalysisType=multiclass")
method = factory.BookMethod(
    loader,
    TMVA.Types.kMLP,
    "MLP",
    f"!H:!V:NeuronType=tanh:NCycles={CYCLES}:HiddenLayers=N+2,4:TestRate=5:EstimatorType=MSE",
)
factory.TrainAllMethods()
factory.TestAllMethods()
factory.EvaluateAllMethods()

with uproot.open(DATA) as file:
    for number, (class_name, tree) in enumerate(TREES.items()):
        probabilities = method.model.predict(file[tree].arrays(library="np"))
        right = np.mean(np.argmax(probabilities, axis=1) == number)
        print(f"{class_name}: {right:.0%} of its events have the largest output for {class_name}")
