"""A notebook on the native API: keyword arguments, arrays in place of trees, results as attributes.

python make_toys.py && python notebook_style.py [cycles]
"""

# %%
import sys

import uproot

import pytmva_bnn as TMVA

CYCLES = int(sys.argv[1]) if len(sys.argv) > 1 else 200

with uproot.open("tmva_class_example.root") as file:
    signal, background = (file[name].arrays(library="np") for name in ("TreeS", "TreeB"))

# %%
loader = TMVA.DataLoader("dataset")
for name in ("var1", "var2", "var3", "var4"):
    loader.AddVariable(name)
loader.AddSignalTree(signal)  # a dictionary of arrays; a pandas data frame would do as well
loader.AddBackgroundTree(background)
loader.SetBackgroundWeightExpression("weight")
loader.PrepareTrainingAndTestTree("var1 > -5", nTrain_Signal=200, nTrain_Background=250, SplitMode="Random")

# %%
factory = TMVA.Factory("job", Silent=True, DrawProgressBar=False, AnalysisType="Classification")
method = factory.BookMethod(
    loader,
    TMVA.Types.kMLP,
    "MLP",
    NeuronType="tanh",
    VarTransform="N",
    NCycles=CYCLES,
    HiddenLayers="N+1",
    TrainingMethod="BFGS",
    UseRegulator=True,
    CalculateErrors=True,
)
factory.TrainAllMethods()

# %%
factory.TestAllMethods()
factory.EvaluateAllMethods()
print(f"area under the ROC curve: {factory.GetROCIntegral(loader, 'MLP'):.4f}")
values, lower, upper = method.model.predict(signal, errors=True)
print(f"first event: {values[0]:.3f} +{upper[0]:.3f} -{lower[0]:.3f}")
