#!/usr/bin/env python
# @(#) ROOT 5 style: no DataLoader, getopt, macros of C++ for the GUI
import sys
import getopt

DEFAULT_OUTFNAME = "TMVA.root"
DEFAULT_INFNAME = "tmva_class_example.root"
DEFAULT_TREESIG = "TreeS"
DEFAULT_TREEBKG = "TreeB"
DEFAULT_METHODS = "MLPBFGS"


def main():
    try:
        shortopts = "m:i:t:o:vgh?"
        longopts = ["methods=", "inputfile=", "inputtrees=", "outputfile=", "verbose", "gui", "help", "usage"]
        opts, args = getopt.getopt(sys.argv[1:], shortopts, longopts)
    except getopt.GetoptError:
        print("ERROR: unknown options in argument %s" % sys.argv[1:])
        sys.exit(1)

    infname = DEFAULT_INFNAME
    outfname = DEFAULT_OUTFNAME
    mlist = DEFAULT_METHODS.replace(" ", ",").split(",")

    from ROOT import gSystem, gROOT, gApplication, TFile, TTree, TCut

    if gROOT.GetVersionCode() >= 332288 and gROOT.GetVersionCode() < 332544:
        print("*** You are running ROOT version 5.18, which has problems in PyROOT")
        sys.exit(1)

    gROOT.SetMacroPath("./")
    gROOT.Macro("./TMVAlogon.C")
    gROOT.LoadMacro("./TMVAGui.C")
    gSystem.Load("libTMVA")

    from ROOT import TMVA

    outputFile = TFile(outfname, "RECREATE")
    factory = TMVA.Factory(
        "TMVAClassification", outputFile, "!V:!Silent:Color:!DrawProgressBar:Transformations=I"
    )
    factory.SetVerbose(False) if hasattr(factory, "SetVerbose") else None

    factory.AddVariable("myvar1 := var1+var2", "F")
    factory.AddVariable("myvar2 := var1-var2", "Expression 2", "", "F")
    factory.AddVariable("var3", "Variable 3", "units", "F")
    factory.AddVariable("var4", "Variable 4", "units", "F")
    factory.AddSpectator("spec1:=var1*2", "Spectator 1", "units", "F")

    if gSystem.AccessPathName(infname) != 0:
        gSystem.Exec("wget http://root.cern.ch/files/" + infname)
    input = TFile.Open(infname)
    signal = input.Get(DEFAULT_TREESIG)
    background = input.Get(DEFAULT_TREEBKG)
    factory.AddSignalTree(signal, 1.0)
    factory.AddBackgroundTree(background, 1.0)
    factory.SetBackgroundWeightExpression("weight")

    mycutSig = TCut("")
    mycutBkg = TCut("")
    factory.PrepareTrainingAndTestTree(
        mycutSig, mycutBkg, "nTrain_Signal=0:nTrain_Background=0:SplitMode=Random:NormMode=NumEvents:!V"
    )
    if "MLPBFGS" in mlist:
        factory.BookMethod(
            TMVA.Types.kMLP, "MLPBFGS",
            "H:!V:NeuronType=tanh:VarTransform=N:NCycles=8:HiddenLayers=N+1:TestRate=5:TrainingMethod=BFGS:!UseRegulator",
        )

    factory.TrainAllMethods()
    factory.TestAllMethods()
    factory.EvaluateAllMethods()
    outputFile.Close()

    print("=== wrote root file %s\n" % outfname)
    gROOT.ProcessLine('TMVAGui("%s")' % outfname)
    gApplication.Run()


if __name__ == "__main__":
    main()
