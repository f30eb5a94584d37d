"""Trainings of TMVA's records: every number of every foam."""

import logging

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.factory.training_run import train_method


@pytest.fixture
def train_again(train_case):
    """Return a training on the events of a case, as the environment wants it."""

    def train(case):
        method = train_case(case).GetMethod("dataset", "PDEFoam")
        return train_method(method.dataset, method.title, method.booked, method.analysis_type)

    return train


def test_foams_are_tmvas_to_the_last_bit(mode, foam_case, train_again, assert_same_foams):
    assert_same_foams(train_again(foam_case).fitted.foams, TMVA.load(foam_case.weights).fitted.foams)


def test_weight_files_are_tmvas(foam_case, trained_case):
    """All but the lines that tell where, when and by whom a file was made."""
    _, folder = trained_case(foam_case)
    text = (folder / "dataset/weights/job_PDEFoam.weights.xml").read_text()
    assert text[text.index("<Options>") :] == foam_case.weights_text[foam_case.weights_text.index("<Options>") :]
    names = sorted(path.name for path in (folder / "dataset/weights").iterdir())
    assert names == ["job_PDEFoam.class.C", "job_PDEFoam.weights.xml", "job_PDEFoam.weights_foams.root"]


def test_responses_of_training_and_test_events(foam_case, train_case):
    if "train_response" not in foam_case.expected:
        pytest.skip("no responses in the record")
    method = train_case(foam_case).GetMethod("dataset", "PDEFoam")
    np.testing.assert_array_equal(method.respond().training[:, 0], foam_case.expected["train_response"])
    np.testing.assert_array_equal(method.respond().test[:, 0], foam_case.expected["test_response"])


def test_log(method_case, train_again, caplog, tmp_path):
    """The lines of TMVA's log that are the method's, in their order."""
    caplog.set_level(logging.INFO)
    case = method_case("foam")
    path = tmp_path / "dataset/weights/job_PDEFoam.weights.xml"
    train_again(case).write(path)
    TMVA.load(path)
    lines = [line.split(" : ", 1)[-1].strip() for line in (case.folder / "log.txt").read_text().splitlines()]
    starts = ("NormMode=", "Build up", "writing foam", "Foams written", "Read foams")
    wanted = [line.replace("dataset/", f"{tmp_path}/dataset/") for line in lines if line.startswith(starts)]
    found = [record.getMessage() for record in caplog.records]
    assert len(wanted) == 5
    assert [line for line in found if line.startswith(starts)] == wanted
