# An analysis: chains of files, weights by expressions, spectators, cuts, integer variables, own folder for the weights
import ROOT
from ROOT import TMVA, TChain, TCut

(TMVA.gConfig().GetVariablePlotting()).fTimesRMS = 8.0
(TMVA.gConfig().GetIONames()).fWeightFileDir = "myweights"

chain = TChain("events")
chain.Add("runs/run_[12].root")
chain.Add("runs/run_3.root/events")
print("files:", chain.GetNtrees(), "entries:", chain.GetEntries())

presel = TCut("pt > 10 && abs(eta) < 2.5")
signal = presel + TCut("isSignal == 1")
background = presel & TCut("isSignal == 0")
print("signal:", chain.GetEntries(signal), "background:", chain.GetEntries(background.GetTitle()))

loader = TMVA.DataLoader("analysis")
loader.AddVariable("logpt := log(pt)", "log(p_{T})", "", "F")
loader.AddVariable("abs(eta)", "|#eta|", "", "F")
loader.AddVariable("met", "missing E_{T}", "GeV", "F")
loader.AddVariable("njets", "number of jets", "", "I")
loader.AddSpectator("eventNumber", "I")
loader.AddSpectator("mt := sqrt(2*pt*met)")
loader.AddSignalTree(chain, 2.0)
loader.AddBackgroundTree(chain, 1.0)
loader.SetSignalWeightExpression("genWeight*(njets > 0)")
loader.SetBackgroundWeightExpression("genWeight")
loader.PrepareTrainingAndTestTree(
    signal, background, "nTrain_Signal=200:nTrain_Background=200:SplitMode=Alternate:NormMode=EqualNumEvents:!V"
)

factory = TMVA.Factory("job", "!V:Silent:!DrawProgressBar:AnalysisType=Classification")
factory.BookMethod(
    loader, "MLP", ROOT.TString("NN_") + "bfgs",
    "!H:!V:NeuronType=tanh:VarTransform=N,D:NCycles=10:HiddenLayers=5:TrainingMethod=BFGS:CreateMVAPdfs:UseRegulator",
)
factory.TrainAllMethods()
factory.TestAllMethods()
factory.EvaluateAllMethods()
