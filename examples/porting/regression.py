"""TMVARegression on the native API: a network learns a function of two variables.

python make_toys.py && python regression.py [cycles]
"""

import sys

import numpy as np
import uproot

import pytmva_bnn as TMVA

CYCLES = int(sys.argv[1]) if len(sys.argv) > 1 else 300
DATA = "tmva_reg_example.root"

loader = TMVA.DataLoader("datasetreg")
loader.AddVariable("var1", "Variable 1", "units", "F")
loader.AddVariable("var2", "Variable 2", "units", "F")
loader.AddTarget("fvalue")
loader.AddRegressionTree(f"{DATA}:TreeR", 1.0)
loader.SetWeightExpression("var1", "Regression")
loader.PrepareTrainingAndTestTree("var2 < 4.9", "nTrain_Regression=300:nTest_Regression=0:SplitMode=Random:!V")

# in today's TMVA, and here, regression must be asked for
factory = TMVA.Factory("TMVARegression", "!V:Silent:!DrawProgressBar:AnalysisType=Regression")
method = factory.BookMethod(
    loader,
    TMVA.Types.kMLP,
    "MLP",
    f"!H:!V:VarTransform=Norm:NeuronType=tanh:NCycles={CYCLES}:HiddenLayers=N+3:TestRate=6:TrainingMethod=BFGS:"
    "ConvergenceImprove=1e-6:ConvergenceTests=15:!UseRegulator",
)
factory.TrainAllMethods()
factory.TestAllMethods()
factory.EvaluateAllMethods()
print("\n".join(factory.tables))

with uproot.open(DATA) as file:
    events = file["TreeR"].arrays(library="np")
deviation = np.ravel(method.model.predict(events)) - events["fvalue"]
print(f"mean deviation {deviation.mean():.3f}, its width {deviation.std():.3f}")
