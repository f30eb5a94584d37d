"""``prob_<title>`` of the output file: which densities of the response it is made of."""

from __future__ import annotations

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.evaluation import stored_probabilities
from pytmva_bnn.factory.output_run import method_output
from pytmva_bnn.histograms import make_response_pdfs


def trained(options):
    rng = np.random.default_rng(3)
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    for place, name in enumerate(("Signal", "Background")):
        loader.AddTree({"x": rng.normal(place, 1.0, 400)}, name)
    factory = TMVA.Factory("job", f"!V:Silent:!DrawProgressBar:AnalysisType=Classification{options}")
    booked = "TrainingMethod=BFGS:NCycles=5:HiddenLayers=2:CreateMVAPdfs:PDFInterpolMVAPdf=KDE"
    method = factory.BookMethod(loader, TMVA.Types.kMLP, "MLP", booked)
    factory.TrainAllMethods()
    return method


@pytest.mark.parametrize("options", ["", ":!ModelPersistence"], ids=["with a file", "in memory"])
def test_training_events_have_the_densities_of_the_training_and_test_events_those_of_the_file(
    options, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    method = trained(options)
    events = method.dataset.training
    settings = method.booked.pdfs.signal
    made = make_response_pdfs(
        method.respond().training[:, 0], events.of_class(0), events.weights, signal=settings, background=settings
    )
    in_memory = made.signal, made.background
    output = method_output(method, 0)
    training, test = (responses[:, 0] for responses in (output.training_responses, output.test_responses))
    np.testing.assert_array_equal(output.training_probabilities, stored_probabilities(*in_memory, training))
    # kernels of the training are as wide as the events say, those of a file as its histogram says
    from_file = in_memory if options else TMVA.load(method.weight_file).response_pdfs
    assert np.array_equal(stored_probabilities(*from_file, training), output.training_probabilities) == bool(options)
    np.testing.assert_array_equal(output.test_probabilities, stored_probabilities(*from_file, test))


def test_without_densities_there_are_no_probabilities(case_named, train_case):
    output = method_output(train_case(case_named("bfgs_n")).GetMethod("dataset", "MLP"), 0)
    assert output.training_probabilities is None
    assert output.test_probabilities is None
