"""What a notebook shows of models, readers and results."""

import subprocess
import sys

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.displays import Displayed
from pytmva_bnn.evaluation import BinarySample, evaluate_binary


def test_models_show_their_variables(case_named):
    html = TMVA.load(case_named("expressions").weights)._repr_html_()
    assert "var1-var2" in html
    assert html.lstrip().startswith("<")


def test_readers_show_what_is_booked(case_named):
    reader = TMVA.Reader()
    reader.BookMVA("the tag", case_named("bfgs_n").weights)
    assert "the tag" in reader._repr_html_()


def test_results_show_their_numbers():
    sample = BinarySample([0.1, 0.3, 0.6, 0.9] * 10, None, [False, False, True, True] * 10)
    result = evaluate_binary(sample, sample)
    assert "ROC" in result._repr_html_()


@pytest.fixture(scope="module")
def loader():
    rng = np.random.default_rng(2)
    made = TMVA.DataLoader("my events")
    made.AddVariable("pt", "p_{T} of the <muon>", "GeV", "F")
    made.AddVariable("eta", "#eta", "", "F")
    for k, name in enumerate(("Signal", "Background")):
        made.AddTree({"pt": rng.normal(k, 1.0, 100), "eta": rng.normal(size=100)}, name)
    made.AddCut("pt > -9", "Signal")
    return made


@pytest.fixture(scope="module")
def factory(loader):
    made = TMVA.Factory("my job", "!V:Silent:!DrawProgressBar:!ModelPersistence:AnalysisType=Classification")
    options = "TrainingMethod=BFGS:NCycles=20:ResetStep=2:HiddenLayers=2:VarTransform=N:UseRegulator"
    made.BookMethod(loader, "MLP", "BNN", options)
    made.TrainAllMethods()
    made.EvaluateAllMethods()
    made.BookMethod(loader, "MLP", "later", "NCycles=7")
    return made


def _shown(thing):
    """Return what a notebook shows, which has to be well formed."""
    html = thing._repr_html_()
    etree = pytest.importorskip("lxml.etree")
    etree.fromstring(html)
    return html


def test_a_loader_shows_what_it_was_told_and_reads_nothing_for_it():
    made = TMVA.DataLoader("dataset")
    made.AddVariable("s := x + y", "p_{T}", "GeV", "F")
    made.AddSignalTree({"x": [1.0, 2.0], "y": [1.0, 2.0]})
    made.AddCut("x > 0", "Signal")
    html = _shown(made)
    assert made._built is None
    for words in ("s := x+y", "p<sub>T</sub>", "GeV", "Signal", "x &gt; 0"):
        assert words in html


def test_loaders_and_data_sets_show_events_and_titles(loader, factory):
    assert factory.methods[0].is_trained  # which has read the events
    for thing in (loader, loader.dataset):
        html = _shown(thing)
        assert "p<sub>T</sub> of the &lt;muon&gt;" in html
        assert "η" in html
        assert "100 training and 100 test events" in html


def test_a_factory_shows_its_methods_and_their_numbers(factory):
    html = _shown(factory)
    assert all(words in html for words in ("my job", "BNN", "ROC integral", "later", "NCycles=7"))
    assert "no methods" in _shown(TMVA.Factory("empty", "!V:Silent"))


def test_methods_show_their_training(factory):
    trained, booked = factory.methods
    assert "2-2-1" in _shown(trained)
    assert "not trained" in _shown(booked)


def test_the_renderers_are_loaded_at_the_first_display_and_nothing_is_drawn():
    script = (
        "import sys, pytmva_bnn as TMVA; model = TMVA.load('xml_fixtures/cases/bfgs_n/weights.xml'); "
        "before = 'pytmva_bnn.show.report' in sys.modules; html = model._repr_html_(); "
        "print(before, html[:5], 'pytmva_bnn.show.report' in sys.modules, 'matplotlib' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)  # noqa: S603
    assert result.stdout.split() == ["False", "<div>", "True", "False"]


def test_a_class_without_a_renderer_is_shown_by_its_repr():
    class Odd(Displayed):
        def __repr__(self):
            return "<Odd & strange>"

    assert Odd()._repr_html_() == "<pre>&lt;Odd &amp; strange&gt;</pre>"


def test_evidence_has_the_names_of_the_variables(factory):
    evidence = factory.methods[0].evidence
    assert "\npt " in str(evidence)
    assert "input 1" not in str(evidence)
    assert "<td>eta</td>" in _shown(evidence)
    assert repr(evidence).startswith("<Evidence: log evidence ")


def test_an_architecture_choice_marks_the_best(loader):
    choice = TMVA.select_architecture(loader, [1, 2], "NCycles=20:ResetStep=2:VarTransform=N", quiet=True)
    assert "<td>best</td>" in _shown(choice)
    for one in choice:
        result = one.method.result
        numbers = [f'<td class="number">{x:.4g}</td>' for x in (result.training_estimator, result.test_estimator)]
        assert "".join(numbers) in _shown(choice)
        assert numbers[0] != numbers[1]
    assert repr(choice) == f"<ArchitectureChoice: best {choice.best.hidden_layers} of 1, 2>"


def test_results_of_a_factory_are_short(factory):
    assert len(repr(factory.results)) < 300
    assert "<BinaryResult 'BNN': ROC integral 0." in repr(factory.results)


def test_results_of_other_analyses_are_short():
    from pytmva_bnn.evaluation import MulticlassSample, RegressionSample, evaluate_multiclass, evaluate_regression

    numbers = RegressionSample([1.0, 2.0, 3.5], [1.0, 2.5, 3.0], None)
    assert "RMS 0.4082 (training 0.4082)" in repr(evaluate_regression(numbers, numbers))
    classes = MulticlassSample([[0.9, 0.1], [0.3, 0.7]], None, [0, 1])
    found = repr(evaluate_multiclass(classes, classes, ["a", "b"]))
    assert found == "<MulticlassResult 'MLP': ROC integrals a 1.000, b 1.000>"


def test_the_words_of_a_reader(case_named):
    reader = TMVA.Reader(["pt", "ht"])
    assert repr(reader) == "<Reader of pt, ht: no methods>"
    reader.BookMVA("tag", case_named("fakerate_bnn").weights)
    assert repr(reader) == "<Reader of pt, ht: tag>"


@pytest.mark.parametrize("name", ["TMVAGui", "TMVARegGui", "TMVAMultiClassGui"])
def test_the_guis_of_tmva_are_there(name):
    assert callable(getattr(TMVA, name))


def test_a_prediction_shows_its_first_events(case_named):
    model = TMVA.load(case_named("fakerate_bnn").weights)
    p = model.predict({"pt": np.linspace(12, 40, 20), "ht": np.full(20, 100.0)}, errors=True, moderated=True)
    html = _shown(p)
    assert "20 events" in html
    assert "and 12 more events" in html
    cells = [float(p.value[3]), float(p.lower[3]), float(p.upper[3]), float(p.moderated[3])]
    assert "".join(f'<td class="number">{x:.4g}</td>' for x in (3, *cells)) in html
    assert repr(p) == f"<Prediction of 20 events, first {p.value[0]:.4g} -{p.lower[0]:.2g} +{p.upper[0]:.2g}>"


def test_a_prediction_of_several_targets_has_columns_for_each(case_named):
    from pytmva_bnn.prediction import Prediction

    html = _shown(Prediction(np.array([[1.0, 2.0]]), np.array([[3.0, 4.0]]), np.array([[5.0, 6.0]])))
    order = [">Response 0<", ">− error 0<", ">+ error 0<", ">Response 1<", ">− error 1<", ">+ error 1<"]
    assert [html.index(head) for head in order] == sorted(html.index(head) for head in order)
    assert "".join(f'<td class="number">{x}</td>' for x in (0, 1, 3, 5, 2, 4, 6)) in html


def test_a_roc_curve_shows_its_numbers_and_a_sketch(factory):
    curve = factory.methods[0].evaluation.roc
    html = _shown(curve)
    for name, x in (("Area", curve.auc), ("Signal eff. at B=0.10", curve.signal_efficiency_at(0.1))):
        assert f'<th>{name}</th><td class="number">{x:.4g}</td>' in html
    points = [tuple(map(float, pair.split(","))) for pair in html.split('points="')[1].split('"')[0].split()]
    assert points[0] == (100.0, 100.0)  # all signal, no background rejected: y counts downwards
    assert points[-1] == (0.0, 0.0)
    assert repr(curve) == f"<RocCurve: area {curve.auc:.4f}, {len(curve.specificity)} points>"
