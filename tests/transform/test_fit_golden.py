"""Fits to the training events of the real TMVA (ROOT 6.40) give the text of its weight files, digit for digit.

``xml_fixtures/training/transform_<case>.npz`` holds the events of ``TrainTree`` in TMVA's order, all of weight 1.
"""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.evaluation import variable_statistics
from pytmva_bnn.histograms import make_response_pdfs
from pytmva_bnn.options import parse_var_transform
from pytmva_bnn.transform import TrainingEvents, fit_chain
from pytmva_bnn.weights import read, to_xml
from pytmva_bnn.weights.records import as_quantities

CASES = [
    *((name, "bfgs_n") for name in ("bfgs_n", "bp_sigmoid", "mvapdfs", "trans_d", "trans_p", "trans_g", "trans_u")),
    *((name, "bfgs_n") for name in ("trans_chain", "trans_select", "trans_class")),
    *((name, "reg_n") for name in ("reg_n", "reg_bnn")),
    *((name, "multi_n") for name in ("multi_n", "multi_d_bp")),
]

# what TMVA printed when the training of the case started
TABLES = {
    "bfgs_n": """\
Variable        Mean        RMS   [        Min        Max ]
-----------------------------------------------------------
    var1:   0.050027    0.32899   [    -1.0000     1.0000 ]
    var2:  -0.060121    0.28252   [    -1.0000     1.0000 ]
    var3:  -0.030985    0.31795   [    -1.0000     1.0000 ]
    var4:    0.13590    0.19878   [    -1.0000     1.0000 ]
-----------------------------------------------------------""",
    "reg_n": """\
Variable        Mean        RMS   [        Min        Max ]
-----------------------------------------------------------
    var1:   0.010609    0.57538   [    -1.0000     1.0000 ]
    var2:  0.0022774    0.56610   [    -1.0000     1.0000 ]
  fvalue:   -0.26399    0.41511   [    -1.0000     1.0000 ]
-----------------------------------------------------------""",
}


def training_events(case, name):
    with np.load(case(name).folder.parents[1] / "training" / f"transform_{name}.npz") as file:
        classes = file["classes"]
        return TrainingEvents(file["variables"], classes, np.ones(len(classes)), file["targets"])


def fitted(case, events):
    file = read(case.weights)
    option = re.search(r"VarTransform=([^:]*)", case.booked["options"])
    chain = fit_chain(
        parse_var_transform(option[1] if option else "None"),
        events,
        class_names=file.classes or ("Regression",),
        variables=as_quantities("Variable", file.variables),
        targets=as_quantities("Target", file.targets),
    )
    return file, chain


@pytest.mark.parametrize(("name", "source"), CASES, ids=[name for name, _ in CASES])
def test_the_fitted_transformations_are_written_as_tmva_wrote_them(name, source, case_named):
    case = case_named(name)
    file, chain = fitted(case, training_events(case_named, source))
    fresh = dataclasses.replace(file, transformations=chain.steps, n_transformations=chain.n_transformations)
    fitted_network = TMVA.load(case.weights).fitted
    assert to_xml(fresh, fitted_network.write(fresh.dialect)) == case.weights.read_text()


@pytest.mark.parametrize("name", TABLES)
def test_the_transformed_events_have_the_statistics_that_tmva_printed(name, case_named):
    events = training_events(case_named, name)
    _, chain = fitted(case_named(name), events)
    values = np.hstack(chain.forward_training(events.variables, events.targets))
    s = variable_statistics(values, events.weights)
    rows = zip(s.mean, s.rms, s.smallest, s.largest, strict=True)
    printed = [[word for word in line.split()[1:] if word not in "[]"] for line in TABLES[name].splitlines()[2:-1]]
    assert [["%#.5g" % number for number in row] for row in rows] == printed  # noqa: UP031 - '#' of C


def test_the_response_pdfs_are_written_as_tmva_wrote_them(case_named):
    events = training_events(case_named, "bfgs_n")
    path = case_named("mvapdfs").weights
    model = TMVA.load(path)
    responses = model.predict(events.variables)
    pdfs = make_response_pdfs(responses, events.classes == 0, events.weights)
    file = dataclasses.replace(model.file, mva_pdfs=pdfs.records)
    assert to_xml(file, model.fitted.write(file.dialect)) == path.read_text()
