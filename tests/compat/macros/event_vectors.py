# Events given one by one in vectors, toys of TRandom3, and a Reader that takes vectors
import ROOT

random = ROOT.TRandom3(7)
loader = ROOT.TMVA.DataLoader("vectors")
loader.AddVariable("x")
loader.AddVariable("y")
ntuple = ROOT.TNtuple("toys", "toys", "x:y:signal")
for i in range(400):
    vars = ROOT.std.vector("double")(2)
    signal = i % 2 == 0
    vars[0] = random.Gaus(0.6 if signal else -0.6, 1.0)
    vars[1] = random.Uniform(-1, 1) + (0.3 if signal else 0)
    ntuple.Fill(vars[0], vars[1], signal)
    weight = 1.0
    if signal:
        (loader.AddSignalTrainingEvent if i < 200 else loader.AddSignalTestEvent)(vars, weight)
    else:
        (loader.AddBackgroundTrainingEvent if i < 200 else loader.AddBackgroundTestEvent)(vars, weight)
loader.PrepareTrainingAndTestTree(ROOT.TCut(""), "SplitMode=Random:NormMode=NumEvents:!V")
factory = ROOT.TMVA.Factory("job", ROOT.nullptr, "!V:Silent:!DrawProgressBar:AnalysisType=Classification")
factory.BookMethod(loader, ROOT.TMVA.Types.kMLP, "MLP", "!H:!V:NCycles=10:HiddenLayers=3:TestRate=5:TrainingMethod=BFGS")
factory.TrainAllMethods()

reader = ROOT.TMVA.Reader(["x", "y"], "Silent")
reader.BookMVA("MLP", "vectors/weights/job_MLP.weights.xml")
event = ROOT.std.vector("float")()
event.push_back(0.5)
event.push_back(0.1)
print("response %.5f, mean of x %.3f" % (reader.EvaluateMVA(event, "MLP"), ROOT.TMath.Mean(ntuple.GetEntries(), ntuple.AsNumpy("x")["x"])))
