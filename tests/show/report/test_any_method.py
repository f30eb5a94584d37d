"""The page of a method that is no network: nothing in the report knows its name.

Its numbers are exact, so the tables are compared with a golden file; ``PYTMVA_BNN_GOLDEN=write`` writes it anew.
"""

import os
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.evaluation import BinarySample, evaluate_binary
from pytmva_bnn.show.plots.from_training import contents_of
from pytmva_bnn.show.report import write, write_report
from pytmva_bnn.tmva_types import AnalysisType

GOLDEN = Path(__file__).parent / "golden" / "any_method.html"


class Line:
    """What the toy method fits: nothing, its response is the first variable."""

    def describe(self):
        return [("Slope", 1.0), ("Trees", "none <1>")]


class ToyMethod:
    """Just what the report asks of a trained method."""

    title = "Toy"
    option_string = "!H:Slope=1"
    analysis_type = AnalysisType.CLASSIFICATION
    weight_file = "weights/<i>Toy</i>.xml"
    is_trained = True
    ranking = None
    result = None
    booked = SimpleNamespace(records=lambda: [SimpleNamespace(name="Slope", value="1")])
    model = SimpleNamespace(fitted=Line(), has_errors=False, response_pdfs=None, transformations=None)

    def __init__(self, dataset):
        self.dataset = self.evaluated_dataset = dataset

    def GetMethodTypeName(self):
        return "Line"

    def GetTrainTime(self):
        return 1.5

    def respond(self):
        training, test = (events.variables[:, :1] for events in (self.dataset.training, self.dataset.test))
        return SimpleNamespace(training=training, test=test)

    def evaluate(self):
        samples = [
            BinarySample(events.variables[:, 0], events.weights, events.of_class(0))
            for events in (self.dataset.training, self.dataset.test)
        ]
        return evaluate_binary(*samples, title=self.title)


@pytest.fixture(scope="module")
def method():
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x", "p_{T} <1>", "GeV", "F")
    loader.AddVariable("s := x*y", "#eta", "", "F")
    k = np.arange(60.0) * 37 % 60
    loader.AddSignalTree({"x": 0.3 + k * 0.011, "y": np.cos(k)}, 2.0)
    loader.AddBackgroundTree({"x": 0.1 + (k % 50) * 0.013, "y": np.sin(k)})
    split = "nTrain_Signal=20:nTrain_Background=25:nTest_Signal=30:nTest_Background=35:SplitMode=Block:NormMode=None"
    loader.PrepareTrainingAndTestTree("", split)
    return ToyMethod(loader.dataset)


def test_tables_and_captions_are_those_of_the_golden_file(method, monkeypatch):
    monkeypatch.setattr(write, "_drawn", lambda plot: f"<figure>{plot.caption}</figure>")
    (content,) = contents_of(method)
    made = "".join(f"<h2>{title}</h2>{inside}" for title, inside in write.page_parts(content))
    lines = re.sub(r"(</tr>|</table>|</h2>|<tbody>|</caption>|</summary>|</figure>|</div>|</pre>)", r"\1\n", made)
    if os.environ.get("PYTMVA_BNN_GOLDEN") == "write":
        GOLDEN.write_text(lines, encoding="utf-8")
    assert lines == GOLDEN.read_text(encoding="utf-8")


def test_its_page_is_complete_without_a_network_and_a_history(method, tmp_path, drawn_only):
    page = write_report(method, tmp_path / "report.html").read_text(encoding="utf-8")
    found = re.findall(r"<h2>(.*?)</h2>", page)
    assert found == ["Results", "Methods", "Data set", "Input variables", "Correlations", "Pairs of variables"]
    assert 'class="note"' not in page
