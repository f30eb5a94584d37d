"""The errors and warnings that users meet most often, as one document: messages.txt.

``PYTMVA_BNN_GOLDEN=write tools/test tests/messages`` writes it anew.  Read the difference before you commit it.
"""

import difflib
import os
import shlex
from functools import partial
from pathlib import Path

import numpy as np

import pytmva_bnn as TMVA
from pytmva_bnn.cli import main
from pytmva_bnn.formula import evaluate
from tools.reference_cases import FIXTURES

GOLDEN = Path(__file__).with_name("messages.txt")
NETWORK = "xml_fixtures/cases/bfgs_n/weights.xml"
BAYESIAN = "xml_fixtures/cases/fakerate_bnn/weights.xml"
X = np.linspace(-1.0, 1.0, 40)
SIGNAL = {"x": X, "y": X**2, "c": 1.0 + 0.0 * X, "w": -1.0 + 0.0 * X, "bad": np.where(X > 0, np.nan, X)}
BACKGROUND = {name: values - (0.5 if name in "xy" else 0.0) for name, values in SIGNAL.items()}


def loader_of(*variables, classes=("Signal", "Background"), target=None):
    loader = TMVA.DataLoader("dataset")
    for variable in variables or ("x", "y"):
        loader.AddVariable(variable)
    if target:
        loader.AddTarget(target)
    for name in classes:
        loader.AddTree(SIGNAL if name == "Signal" else BACKGROUND, name)
    return loader


def factory_of(analysis="Classification", more=""):
    return TMVA.Factory("job", f"!V:Silent:!ModelPersistence:!DrawProgressBar:AnalysisType={analysis}{more}")


def book(kind, options="", *, analysis="Classification", loader=None, train=False):
    factory = factory_of(analysis)
    method = factory.BookMethod(loader or loader_of(), kind, kind, options)
    if train:
        factory.TrainAllMethods()
    return method


OPTIONS = """
MLP NCycle=10
MLP NCycles=ten
MLP NCycles=5.5
MLP NCycles
MLP !NCycles=5
MLP NCycles =5
MLP NCycles=5:NCycles=6
MLP HiddenLayers=N+
MLP HiddenLayers=0
MLP TrainingMethod=BFSG
MLP NeuronType=ReLu
MLP UseRegulator=yes
MLP UseRegulater
MLP qqqq
MLP LearningRate=-1
MLP Hessian=Full
MLP Multiclass=Softmax
MLP Normalise
MLP NSmoothMVAPdf=5
MLP VarTransform=X
MLP VarTransform=n
MLP VarTransform=N(_V7_)
MLP VarTransform=D_Sgnal
MLP VarTransform=N(x
BDT NTree=100
BDT NTrees=-3
BDT BoostType=Gradient
BDT BoostType=AdaBoostR2
BDT BoostType=Grad:UseFisherCuts
BDT SeparationType=Gini
BDT MinNodeSize=60
BDT MinNodeSize=big
BDT NNodesMax=5
BDT PruneMethod=ExpectedError:PruneStrength=-1
BDT PruneMethod=CostComplexity:PruneStrength=-1:PruningValFraction=0.9
Boost
Fisher Method=Fischer
Fisher Boost_Num=0
Fisher Boost_Num=5:Boost_AdaBoostBeta=0
KNN nkNN=0
KNN ScaleFrac=-1
KNN UseLDA
KNN Kernel=Gauss:UseKernel
Likelihood PDFInterpol=Spline9
Likelihood MinNSmooth=5:MaxNSmooth=2
PDERS IgnoreNegWeightsInTraining
PDEFoam VolFrac=0
PDEFoam TailCut=2
PDEFoam DTLogic=GiniIndex:SigBgSeparate
Cuts FitMethod=XX
Cuts FitMethod=MINUIT
Cuts FitMethod=MC:SampleSize=0
Cuts CreateMVAPdfs
FDA
FDA Formula=(0)+(1)*x0:ParRanges=(-1,1)
FDA Formula=(0)+(1)*x0:ParRanges=(-1,1);(5,2)
FDA Formula=(0)*x7:ParRanges=(-1,1)
FDA Formula=(0)*exp(:ParRanges=(-1,1)
SVM Kernel=Gauss
SVM C=0
RuleFit RuleFitModule=RFFriedman
RuleFit VarTransform=N
RuleFit GDNSteps=0
TMlpANN LearningMethod=BFG
TMlpANN ValidationFraction=1
MPL
PyKeras
DL
"""


def options():
    for line in OPTIONS.strip().split("\n"):
        kind, _, text = line.partition(" ")
        yield f'{kind}, "{text}"', partial(book, kind, text)


def jobs():
    yield "one class", lambda: book("MLP", loader=loader_of(classes=("Signal",)), train=True)
    yield "three classes", lambda: book("MLP", loader=loader_of(classes=("Signal", "Background", "other")), train=True)
    yield "regression without a target", lambda: book("MLP", analysis="Regression", train=True)
    yield "regression by default", lambda: book("MLP", analysis="Auto", loader=loader_of(classes=("A",), target="y"))
    yield "Fisher in regression", lambda: book("Fisher", analysis="Regression", loader=loader_of(target="y"))
    yield "SVM in regression", lambda: book("SVM", analysis="Regression", loader=loader_of(target="y"))
    yield "AnalysisType=Clasification", lambda: factory_of("Clasification")
    yield "an unknown option of the Factory", lambda: factory_of(more=":Colour")

    def twice():
        factory, loader = factory_of(), loader_of()
        for _ in range(2):
            factory.BookMethod(loader, "MLP", "MLP", "")

    yield "a title is booked twice", twice
    yield "evidence before the training", lambda: book("MLP").evidence
    yield (
        "a constant variable and VarTransform=N",
        lambda: book("MLP", "VarTransform=N", loader=loader_of("x", "c"), train=True),
    )
    yield "a constant variable of Likelihood", lambda: book("Likelihood", loader=loader_of("c"), train=True)
    yield "a Category without methods", lambda: book("Category", train=True)
    yield "AddMethod to an MLP", lambda: book("MLP").AddMethod("x>0", "x:y", "Fisher", "F", "")
    yield "more neighbours than events", lambda: book("KNN", "nkNN=500", train=True)

    def cross(text):
        TMVA.CrossValidation("cv", loader_of(), f"!V:Silent:!ModelPersistence:{text}").Evaluate()

    yield "CrossValidation with one fold", lambda: cross("NumFolds=1")
    yield "SplitExpr with SplitType=Random", lambda: cross("NumFolds=2:SplitType=Random:SplitExpr=1")


def data_sets():
    def prepare(*arguments, variables=(), tree=SIGNAL, weight=""):
        loader = TMVA.DataLoader("dataset")
        for variable in variables or ("x", "y"):
            loader.AddVariable(variable)
        loader.AddSignalTree(tree)
        loader.AddBackgroundTree(BACKGROUND)
        if weight:
            loader.SetWeightExpression(weight)
        loader.PrepareTrainingAndTestTree(*arguments)
        return loader.training

    yield "no variables", lambda: book("MLP", loader=TMVA.DataLoader("dataset"), train=True)
    yield "a variable that is not in the tree", lambda: prepare("", "", variables=("z",))
    yield "a misspelt function", lambda: prepare("", "", variables=("sqr(x)",))
    yield "a cut with and", lambda: prepare("x>0 and y>0", "")
    yield "a cut that removes everything", lambda: book("MLP", loader=_cut("x>99"), train=True)
    yield "a weight that does not exist", lambda: prepare("", "", weight="wt")
    yield "NaN among the training events", lambda: prepare("", "", variables=("bad",))
    yield "too many training events", lambda: prepare("", "nTrain_Signal=1000")
    yield "TrainTestSplit_Signal=1.5", lambda: prepare("", "TrainTestSplit_Signal=1.5")
    yield "SplitMode=Blok", lambda: prepare("", "SplitMode=Blok")
    yield "nTrain_Sgnal=5", lambda: prepare("", "nTrain_Sgnal=5")
    yield "three numbers for PrepareTrainingAndTestTree", lambda: prepare("", 1, 2, 3)
    yield "columns of different lengths", lambda: prepare("", "", tree={"x": X, "y": X[:3]})
    yield "AddVariable(1, 2, 3, 4, 5, 6, 7)", lambda: TMVA.DataLoader("d").AddVariable("x", 2, 3, "F", 4, 5, 6)
    yield 'AddVariable("x", "D")', lambda: TMVA.DataLoader("d").AddVariable("x", "D")
    yield 'AddVariablesArray("x", 0)', lambda: TMVA.DataLoader("d").AddVariablesArray("x", 0)
    yield 'AddTree(tree, "A", 1.0, "", "Train")', lambda: TMVA.DataLoader("d").AddTree(SIGNAL, "A", 1.0, "", "Trian")


def _cut(text):
    loader = loader_of()
    loader.PrepareTrainingAndTestTree(text, "")
    return loader


def events():
    def add(events):
        TMVA.DataLoader("dataset").AddSignalTree(events)

    yield "None", lambda: add(None)
    yield "a number", lambda: add(5)
    yield "an array without names", lambda: add(np.zeros((5, 2)))
    yield "an empty list", lambda: add([])
    yield "no.root", lambda: add("no.root:tree")
    yield "no*.root", lambda: add("no*.root:tree")
    yield "a file with several trees", lambda: add("xml_fixtures/data/fakerate.root")
    yield "a tree that is not in the file", lambda: add("xml_fixtures/data/fakerate.root:pas")
    model = TMVA.load(NETWORK)
    yield "predict: a column is missing", lambda: model.predict({"var1": X, "var2": X, "var3": X})
    yield "predict: too few columns", lambda: model.predict(np.zeros((5, 3)))
    yield "predict: one event", lambda: model.predict([0.0, 0.0, 0.0, 0.0])
    yield "predict: text", lambda: model.predict([["a", "b", "c", "d"]])
    yield (
        "predict: a column with several values per event",
        lambda: model.predict({"var1": np.zeros((2, 2)), "var2": [0, 1], "var3": [0, 1], "var4": [0, 1]}),
    )
    yield "predict: errors of a network without inverse Hessian", lambda: model.predict(np.zeros((1, 4)), errors=True)
    yield "predict: quantiles of 2", lambda: TMVA.load(BAYESIAN).predict([[15.0, 80.0]], quantiles=[2.0])
    yield "predict_sum: NaN", lambda: TMVA.load(BAYESIAN).predict_sum([[np.nan, 80.0]])
    yield "an unknown sample", lambda: TMVA.sample("fake_rate")


FORMULAS = """
z
X
sqr(x)
ln(x)
x = 5
x>0 and x<1
atan2(x)
(x+(2)
x)
x*
x[0
#1
(float)x
"""


def formulas():
    for expression in FORMULAS.strip().split("\n"):
        yield expression, partial(evaluate, expression, {"x": X})


DAMAGE = (
    ('Method="MLP::MLP"', 'Method="MLP"'),
    ('Method="MLP::', 'Method="PyKeras::'),
    ('"AnalysisType" value="Classification"', '"AnalysisType" value="Magic"'),
    ('NVar="4"', 'NVar="5"'),
    ('NVar="4"', 'NVar="four"'),
    ('VarIndex="2"', 'VarIndex="3"'),
    (' Expression="var2"', ""),
    ('NClass="2"', 'NClass="3"'),
    ('<Transform Name="Normalize"', '<Transform Name="Magic"'),
    ('Input Type="Variable"', 'Input Type="Thing"'),
    ('NLayers="3"', 'NLayers="4"'),
    ('NNeurons="5"', 'NNeurons="6"'),
)


def weight_files():
    text = (FIXTURES / "cases/bfgs_n/weights.xml").read_text("utf-8")
    for old, new in DAMAGE:
        assert old in text
        yield f"{old}  ->  {new or 'nothing'}", partial(TMVA.load_string, text.replace(old, new, 1))
    yield "no/such/file.xml", lambda: TMVA.load("no/such/file.xml")
    yield "a folder", lambda: TMVA.load("xml_fixtures")
    yield "an empty file", lambda: TMVA.load_string("")
    yield "something else", lambda: TMVA.load_string("hello")


def readers():
    def reader(*names, options="!Color:Silent", number=np.float32):
        result = TMVA.Reader(options)
        for name in names:
            result.AddVariable(name, np.zeros(1, dtype=number))
        return result

    def booked():
        result = reader("pt", "ht")
        result.BookMVA("MLP", BAYESIAN)
        return result

    yield "an unknown option", lambda: reader(options="Colour")
    yield "a variable without memory", lambda: TMVA.Reader("Silent").AddVariable("pt", 15.0)
    yield "memory of integers", lambda: reader("pt", number=np.int32)
    yield "too few variables", lambda: reader("pt").BookMVA("MLP", BAYESIAN)
    yield "variables in another order", lambda: reader("ht", "pt").BookMVA("MLP", BAYESIAN)
    yield "a file that does not exist", lambda: reader("pt", "ht").BookMVA("MLP", "weights.xml")
    yield "a tag is booked twice", lambda: booked().BookMVA("MLP", BAYESIAN)
    yield "an unknown tag", lambda: booked().EvaluateMVA("MPL")
    yield "a variable is added after BookMVA", lambda: booked().AddVariable("njet", np.zeros(1, "f"))
    yield "EvaluateRegression of a classification", lambda: booked().EvaluateRegression("MLP")
    yield "an event with too few values", lambda: booked().EvaluateMVA([15.0], "MLP")
    yield "the event after the tag", lambda: booked().EvaluateMVA("MLP", [15.0, 80.0])
    yield "GetProba without PDFs", lambda: booked().GetProba("MLP")


TREES = "--signal xml_fixtures/data/class.root:TreeS --background xml_fixtures/data/class.root:TreeB"
COMMANDS = f"""
aply
inspect
inspect no.xml
inspect --jsn {NETWORK}
apply {NETWORK} no.root -o out.root
apply {NETWORK} xml_fixtures/data/class.root -o out.csv
apply {NETWORK} xml_fixtures/data/class.root --jobs two -o out.root
apply {NETWORK} xml_fixtures/data/fakerate.root -o out.root
apply {NETWORK} xml_fixtures/data/fakerate.root --tree pass -o out.root
convert {NETWORK} out.yaml
convert {NETWORK} out.xml --title MLP
plots no.root
report {NETWORK}x
train --signal a.root --background b.root -o out
train --signal a.root -v x -o out
train --regression a.root -v x -o out
train --signal a.root --background b.root --target y -v x -o out
train --signal a.root --background b.root -v x --cut x --cut y -o out
train --signal a.root --background b.root -v x --cut Sgnal=x -o out
train --config no.json -o out
train {TREES} -v var9 -o out
train {TREES} -v var1 --options NTree=5 -o out
run no.C
"""


def commands():
    for line in COMMANDS.strip().split("\n"):
        yield line, partial(main, shlex.split(line))


def further():
    loader = loader_of()
    yield "search without values", lambda: TMVA.search(loader, {}, "BDT")
    yield "search with a number", lambda: TMVA.search(loader, {"NTrees": 5}, "BDT")
    yield "search with how='gird'", lambda: TMVA.search(loader, {"NTrees": [5]}, "BDT", how="gird")
    yield "select_architecture without layers", lambda: TMVA.select_architecture(loader, hidden_layers=[])
    yield "train_restarts(restarts=0)", lambda: TMVA.train_restarts(loader, restarts=0)
    yield "sample_posterior of a weight file", lambda: TMVA.sample_posterior(TMVA.load(BAYESIAN))
    yield "from_forest of a dictionary", lambda: TMVA.from_forest({})


SECTIONS = {
    "Options in BookMethod": options,
    "Jobs": jobs,
    "Data sets": data_sets,
    "Events": events,
    "Formulas": formulas,
    "Damaged weight files": weight_files,
    "The Reader": readers,
    "Searches, posteriors, models of other libraries": further,
    "The command": commands,
}


def document(caplog, capsys):
    """Yield the lines of the document: what is done, and what the program reports."""
    for section, cases in SECTIONS.items():
        yield from (f"# {section}", "")
        for title, call in cases():
            caplog.clear()
            capsys.readouterr()
            reports = []
            try:
                call()
            except Exception as error:
                reports.append(f"{type(error).__name__}: {error}")
            # a command shows how it is used before the error, in words that differ between versions of Python
            reports += capsys.readouterr().err.partition("pytmva-bnn: ")[1:]
            warnings = dict.fromkeys(f"Warning: {r.getMessage()}\n" for r in caplog.records if r.levelname == "WARNING")
            text = "".join([*warnings, *reports]).rstrip().replace(f"{FIXTURES.parent}/", "")
            assert text, f"{title}: nothing is reported"
            yield from (title, *(f"    {line}".rstrip() for line in text.split("\n")), "")


def test_messages_are_those_of_the_document(caplog, capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTMVA_BNN_FAST", "0")
    monkeypatch.chdir(tmp_path)
    Path("xml_fixtures").symlink_to(FIXTURES)
    lines = list(document(caplog, capsys))
    if os.environ.get("PYTMVA_BNN_GOLDEN") == "write":
        GOLDEN.write_text("\n".join(lines), "utf-8")
    expected = GOLDEN.read_text("utf-8").split("\n")
    assert lines == expected, "\n".join(difflib.unified_diff(expected, lines, "messages.txt", "now", lineterm=""))
