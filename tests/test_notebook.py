"""What a notebook shows of models, readers and results."""

import pytest

import pytmva_bnn as TMVA
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


@pytest.mark.parametrize("name", ["TMVAGui", "TMVARegGui", "TMVAMultiClassGui"])
def test_the_guis_of_tmva_are_there(name):
    assert callable(getattr(TMVA, name))
