"""TMVAClassification on the native API: two networks tell signal from background.

    python make_toys.py && python classification.py [cycles]

What changed from the macro: no TFile and TTree, since a tree is ``"file.root:tree"``, and the output file is a path.
"""

import sys
from pathlib import Path

import pytmva_bnn as TMVA

CYCLES = int(sys.argv[1]) if len(sys.argv) > 1 else 200
DATA = "tmva_class_example.root"


def train() -> TMVA.Factory:
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("myvar1 := var1+var2", "F")
    loader.AddVariable("myvar2 := var1-var2", "Expression 2", "", "F")
    loader.AddVariable("var3", "Variable 3", "units", "F")
    loader.AddVariable("var4", "Variable 4", "units", "F")
    loader.AddSpectator("spec1 := var1*2", "Spectator 1", "units")
    loader.AddSpectator("spec2 := var1*3", "Spectator 2", "units")
    loader.AddSignalTree(f"{DATA}:TreeS", 1.0)
    loader.AddBackgroundTree(f"{DATA}:TreeB", 1.0)
    loader.SetBackgroundWeightExpression("weight")
    loader.PrepareTrainingAndTestTree(
        "", "", "nTrain_Signal=300:nTrain_Background=300:SplitMode=Random:NormMode=NumEvents:!V"
    )

    factory = TMVA.Factory(
        "TMVAClassification",
        Path("TMVA.root"),
        "!V:Silent:!DrawProgressBar:Transformations=I;D:AnalysisType=Classification",
    )
    shared = f"!H:!V:NeuronType=tanh:VarTransform=N:NCycles={CYCLES}:TestRate=5"
    factory.BookMethod(loader, TMVA.Types.kMLP, "MLP", f"{shared}:HiddenLayers=N+1:!UseRegulator")
    factory.BookMethod(
        loader, TMVA.Types.kMLP, "MLPBNN", f"{shared}:HiddenLayers=4:TrainingMethod=BFGS:UseRegulator:CalculateErrors"
    )
    factory.TrainAllMethods()
    factory.TestAllMethods()
    factory.EvaluateAllMethods()
    return factory


if __name__ == "__main__":
    trained = train()
    print("\n".join(trained.tables))
    for title in ("MLP", "MLPBNN"):
        print(f"{title}: area under the ROC curve {trained.GetROCIntegral('dataset', title):.4f}")
