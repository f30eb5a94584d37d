# %% exported from a notebook: keyword arguments (ROOT >= 6.28), histograms of the inputs, Draw
import ROOT

TMVA = ROOT.TMVA
file = ROOT.TFile.Open("tmva_class_example.root")
tree, background = file["TreeS"], file.TreeB

# %%
print(tree.GetEntries(), "signal,", background.GetEntries("weight > 0.5"), "background with a large weight")
h = ROOT.TH1D("h_var1", "var1;var1;events", 40, -4, 4)
tree.Draw("var1>>h_var1", "var2 > 0", "goff")
background.Project("h_var1", "var1", ROOT.TCut("var2 > 0") * "weight")
print("entries", h.GetEntries(), "mean %.4f" % h.GetMean())

# %%
output = ROOT.TFile.Open("Higgs_output.root", "RECREATE")
factory = TMVA.Factory(
    "job", output, V=False, ROC=True, Silent=False, Color=False, DrawProgressBar=False,
    AnalysisType="Classification", Transformations="I",
)
loader = TMVA.DataLoader("dataset")
for name in [branch.GetName() for branch in tree.GetListOfBranches()]:
    if name.startswith("var"):
        loader.AddVariable(name)
loader.AddSignalTree(tree, 1.0)
loader.AddBackgroundTree(background, 1.0)
loader.SetBackgroundWeightExpression("weight")

# %%
mycut = ROOT.TCut("var1 > -5")
loader.PrepareTrainingAndTestTree(
    mycut, mycut, nTrain_Signal=200, nTrain_Background=250, SplitMode="Random", NormMode="NumEvents", V=False
)
factory.BookMethod(
    loader, TMVA.Types.kMLP, "MLP", H=False, V=False, NeuronType="tanh", VarTransform="N", NCycles=10,
    HiddenLayers="N+1", TestRate=5, UseRegulator=False,
)

# %%
factory.TrainAllMethods()
factory.TestAllMethods()
factory.EvaluateAllMethods()
c1 = factory.GetROCCurve(loader)
c1.Draw()
h.Write()
output.Close()
