#!/usr/bin/env python
# Training of neural networks, in the manner of the tutorials: DataLoader and Factory of ROOT 6
import sys
from array import array

import ROOT

ROOT.PyConfig.IgnoreCommandLineOptions = True
ROOT.gROOT.SetBatch(ROOT.kTRUE)


def main():
    TMVA = ROOT.TMVA
    TMVA.Tools.Instance()

    fname = "./tmva_class_example.root"
    if ROOT.gSystem.AccessPathName(fname):
        print("file", fname, "not found")
        sys.exit(1)

    input = ROOT.TFile.Open(fname)
    if not input or input.IsZombie():
        print("ERROR: could not open data file")
        sys.exit(1)

    signalTree = input.Get("TreeS")
    backgroundTree = input.Get("TreeB")

    outputFile = ROOT.TFile.Open("TMVA.root", "RECREATE")
    factory = TMVA.Factory(
        "TMVAClassification",
        outputFile,
        "!V:!Silent:Color:!DrawProgressBar:Transformations=I;D:AnalysisType=Classification",
    )

    dataloader = TMVA.DataLoader("dataset")
    dataloader.AddVariable("myvar1 := var1+var2", "F")
    dataloader.AddVariable("myvar2 := var1-var2", "Expression 2", "", "F")
    dataloader.AddVariable("var3", "Variable 3", "units", "F")
    dataloader.AddVariable("var4", "Variable 4", "units", "F")
    dataloader.AddSpectator("spec1 := var1*2", "Spectator 1", "units", "F")
    dataloader.AddSpectator("spec2 := var1*3", "Spectator 2", "units", "F")

    signalWeight = 1.0
    backgroundWeight = 1.0
    dataloader.AddSignalTree(signalTree, signalWeight)
    dataloader.AddBackgroundTree(backgroundTree, backgroundWeight)
    dataloader.SetBackgroundWeightExpression("weight")

    mycuts = ROOT.TCut("")
    mycutb = ROOT.TCut("")
    dataloader.PrepareTrainingAndTestTree(
        mycuts, mycutb, "nTrain_Signal=300:nTrain_Background=300:SplitMode=Random:NormMode=NumEvents:!V"
    )

    factory.BookMethod(
        dataloader, TMVA.Types.kMLP, "MLP",
        "H:!V:NeuronType=tanh:VarTransform=N:NCycles=10:HiddenLayers=N+1:TestRate=5:!UseRegulator",
    )
    factory.BookMethod(
        dataloader, TMVA.Types.kMLP, "MLPBNN",
        "!H:!V:NeuronType=tanh:VarTransform=N:NCycles=12:HiddenLayers=4:TestRate=5:TrainingMethod=BFGS:UseRegulator",
    )

    factory.TrainAllMethods()
    factory.TestAllMethods()
    factory.EvaluateAllMethods()

    print("ROC integral", factory.GetROCIntegral(dataloader, "MLPBNN"))
    c1 = factory.GetROCCurve(dataloader)
    c1.Draw()

    outputFile.Close()

    print("=== wrote root file %s\n" % outputFile.GetName())
    print("=== TMVAClassification is done!\n")
    if not ROOT.gROOT.IsBatch():
        TMVA.TMVAGui("TMVA.root")


if __name__ == "__main__":
    main()
