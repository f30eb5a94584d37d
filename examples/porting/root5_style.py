"""A macro of ROOT 5 on the native API: the Factory has the calls of the DataLoader itself.

    python make_toys.py && python root5_style.py [cycles]

The weight file goes to ``weights/``, as it did then.
"""

import sys
from pathlib import Path

import pytmva_bnn as TMVA

CYCLES = int(sys.argv[1]) if len(sys.argv) > 1 else 200

factory = TMVA.Factory("TMVAClassification", Path("TMVA.root"), "!V:Silent:!DrawProgressBar:Transformations=I")
factory.AddVariable("myvar1 := var1+var2", "F")
factory.AddVariable("myvar2 := var1-var2", "Expression 2", "", "F")
factory.AddVariable("var3", "Variable 3", "units", "F")
factory.AddVariable("var4", "Variable 4", "units", "F")
factory.AddSignalTree("tmva_class_example.root:TreeS", 1.0)
factory.AddBackgroundTree("tmva_class_example.root:TreeB", 1.0)
factory.SetBackgroundWeightExpression("weight")
factory.PrepareTrainingAndTestTree("", "", "SplitMode=Random:NormMode=NumEvents:!V")
factory.BookMethod(
    TMVA.Types.kMLP,
    "MLPBFGS",
    f"!H:!V:NeuronType=tanh:VarTransform=N:NCycles={CYCLES}:HiddenLayers=N+1:TestRate=5:TrainingMethod=BFGS",
)
factory.TrainAllMethods()
factory.TestAllMethods()
factory.EvaluateAllMethods()
print(Path("weights/TMVAClassification_MLPBFGS.weights.xml"))
