from ROOT import TMVA, TCut, TFile

outfile = TFile("TMVAReg.root", "RECREATE")
factory = TMVA.Factory("TMVARegression", outfile, "!V:Silent:!DrawProgressBar:AnalysisType=Regression")
loader = TMVA.DataLoader("datasetreg")
loader.AddVariable("var1", "Variable 1", "units", 'F')
loader.AddVariable("var2", "Variable 2", "units", 'F')
loader.AddSpectator("spec1:=var1*2", "Spectator 1", "units", 'F')
loader.AddTarget("fvalue")

infile = TFile.Open("tmva_reg_example.root")
loader.AddRegressionTree(infile.Get("TreeR"), 1.0)
loader.SetWeightExpression("var1", "Regression")
loader.PrepareTrainingAndTestTree(
    TCut("var2 < 4.9"), "nTrain_Regression=300:nTest_Regression=0:SplitMode=Random:NormMode=NumEvents:!V"
)
factory.BookMethod(
    loader, TMVA.Types.kMLP, "MLP",
    "!H:!V:VarTransform=Norm:NeuronType=tanh:NCycles=20:HiddenLayers=N+3:TestRate=6:TrainingMethod=BFGS:"
    "Sampling=0.3:SamplingEpoch=0.8:ConvergenceImprove=1e-6:ConvergenceTests=15:!UseRegulator",
)
factory.TrainAllMethods()
factory.TestAllMethods()
factory.EvaluateAllMethods()
outfile.Close()
