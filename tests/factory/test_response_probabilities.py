"""``prob_<title>`` of the output file: which densities of the response it is made of."""

from __future__ import annotations

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.evaluation import stored_probabilities
from pytmva_bnn.factory.output_run import method_output


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
def test_all_events_have_the_densities_of_the_file(options, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    method = trained(options)
    output = method_output(method, 0)
    # kernels of the training are as wide as the events say, those of a file as its histogram says
    pdfs = method.trained.response_pdfs if options else TMVA.load(method.weight_file).response_pdfs
    as_trained = method.trained.fitted.respond(method.trained.training.inputs)[:, 0]
    np.testing.assert_array_equal(output.training_probabilities, stored_probabilities(*pdfs, as_trained))
    test = method.model.predict(method.dataset.test.variables)
    np.testing.assert_array_equal(output.test_probabilities, stored_probabilities(*pdfs, test))
    in_memory = stored_probabilities(*method.trained.response_pdfs, as_trained)
    assert np.array_equal(output.training_probabilities, in_memory) == bool(options)


def test_probabilities_are_those_in_the_trees_of_tmva(method_case, train_case):
    """They are made of responses in float64: those of the stored ones differ in the last bit."""
    case = method_case("bdt_out")
    method = train_case(case).GetMethod("dataset", "BDT")
    output = method_output(method, 0)
    with np.load(case.folder / "probabilities.npz") as tmva:
        np.testing.assert_array_equal(output.training_probabilities, tmva["training"])
        np.testing.assert_array_equal(output.test_probabilities, tmva["test"])
        rounded = stored_probabilities(*method.model.response_pdfs, output.test_responses[:, 0])
        assert np.count_nonzero(rounded != tmva["test"]) == 108


def test_without_densities_there_are_no_probabilities(case_named, train_case):
    output = method_output(train_case(case_named("bfgs_n")).GetMethod("dataset", "MLP"), 0)
    assert output.training_probabilities is None
    assert output.test_probabilities is None
