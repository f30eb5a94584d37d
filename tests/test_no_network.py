"""Nothing at run time opens a network connection: importing, training, loading, predicting, reporting."""

import socket
import subprocess
import sys

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.show.report.write import write_report

IMPORT = """
import socket

def refuse(*_arguments, **_keywords):
    raise AssertionError("the network was used")

socket.socket.connect = socket.socket.connect_ex = socket.socket.sendto = socket.getaddrinfo = refuse
import pytmva_bnn, pytmva_bnn.cli.main, pytmva_bnn.compat.ROOT, pytmva_bnn.port, pytmva_bnn.show.report
"""


@pytest.fixture
def _no_network(monkeypatch):
    def refuse(*_arguments, **_keywords):
        raise AssertionError("the network was used")

    for name in ("connect", "connect_ex", "sendto", "bind"):
        monkeypatch.setattr(socket.socket, name, refuse)
    for name in ("getaddrinfo", "create_connection", "gethostbyname"):
        monkeypatch.setattr(socket, name, refuse)


def test_importing():
    subprocess.run([sys.executable, "-c", IMPORT], check=True)  # noqa: S603


@pytest.mark.usefixtures("_no_network")
def test_from_training_to_report(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(1)
    loader = TMVA.DataLoader("dataset")
    for name in "xy":
        loader.AddVariable(name)
    loader.AddSignalTree({name: random.normal(1, 1, 100) for name in "xy"})
    loader.AddBackgroundTree({name: random.normal(0, 1, 100) for name in "xy"})
    factory = TMVA.Factory("job", "TMVA.root", "Silent:!DrawProgressBar:AnalysisType=Classification")
    method = factory.BookMethod(loader, "MLP", "MLP", "NCycles=5:HiddenLayers=3:TrainingMethod=BFGS")
    factory.BookMethod(loader, "BDT", "BDT", "NTrees=3")
    factory.TrainAllMethods()
    factory.TestAllMethods()
    factory.EvaluateAllMethods()
    model = TMVA.load(method.weight_file)
    assert model.predict({"x": [0.0, 1.0], "y": [0.0, 1.0]}).shape == (2,)
    assert model.predict("TMVA.root:dataset/TestTree").shape == (100,)
    write_report(factory, "report.html")
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "https://" not in page.replace("https://www.w3.org", "")
    assert "http://" not in page.replace("http://www.w3.org", "")
