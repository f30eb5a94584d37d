"""TMVA's GUIs: the arguments in both orders, and where the page is written."""

import logging

import pytest

from pytmva_bnn.errors import InputError
from pytmva_bnn.show.report import TMVAGui, TMVAMultiClassGui, TMVARegGui, write


@pytest.fixture
def quick(monkeypatch):
    """Write an empty page: what is on it has its own tests."""

    def write_page(path, contents, subtitle):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{contents[0].dataset} {subtitle}")
        return path

    monkeypatch.setattr(write, "_write", write_page)


@pytest.fixture
def file(tmp_path):
    import uproot

    with uproot.recreate(tmp_path / "TMVA.root") as made:
        made.mkdir("dataset").mkdir("Method_MLP").mkdir("MLP")
    return tmp_path / "TMVA.root"


@pytest.mark.parametrize("draw", [TMVAGui, TMVARegGui, TMVAMultiClassGui])
def test_the_page_lies_in_the_plots_of_the_data_set_beside_the_file(draw, file, quick, caplog):
    caplog.set_level(logging.INFO, "pytmva_bnn.show.report")
    expected = file.parent / "dataset" / "plots" / "report.html"
    for arguments in ((str(file),), (str(file), "dataset"), ("dataset", str(file)), (file,)):
        assert draw(*arguments) == expected
    assert str(expected) in caplog.text


def test_the_default_file_is_tmvas(file, quick, monkeypatch):
    monkeypatch.chdir(file.parent)
    assert TMVAGui().resolve() == (file.parent / "dataset" / "plots" / "report.html").resolve()
    with pytest.raises(InputError, match=r"TMVAReg\.root: the file does not exist"):
        TMVARegGui()


def test_the_page_is_a_real_one(file):
    assert TMVAGui(str(file)).read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
