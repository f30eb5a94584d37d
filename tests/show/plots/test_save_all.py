"""All plots of a training as files, with TMVA's names."""

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.errors import InputError
from pytmva_bnn.show import plots
from pytmva_bnn.show.plots import gallery
from pytmva_bnn.show.plots.from_training import contents_of
from pytmva_bnn.show.plots.gallery import sections

PNG = b"\x89PNG\r\n\x1a\n"


def names(trained):
    return [plot.name for content in contents_of(trained) for section in sections(content) for plot in section.plots]


def test_classification_has_the_files_of_tmvas_gui_and_ours(fake_rate, tmp_path, monkeypatch, draw_without_layout):
    draw_without_layout(monkeypatch)
    written = plots.save_all(fake_rate, tmp_path / "plots", dpi=40)
    assert sorted(path.name for path in (tmp_path / "plots").iterdir()) == sorted(path.name for path in written)
    assert [path.stem for path in written] == names(fake_rate)
    assert {path.stem for path in written} == {
        "variables_id_c1",
        "CorrelationMatrixS",
        "CorrelationMatrixB",
        "correlationscatter_pt_Id_c1",
        "mva_MLP",
        "overtrain_MLP",
        "proba_MLP",
        "rarity_MLP",
        "mva_pdf_MLP_c1",
        "mvaeffs_MLP",
        "rejBvsS",
        "invBeffvsSeff",
        "calibration_MLP",
        "map_MLP",
        "along_pt_MLP",
        "along_ht_MLP",
        "paracoor_c0_S",
        "paracoor_c0_B",
        "ranking_MLP",
        "network",
        "relevance_MLP",
        "annconvergencetest",
    }
    for path in written:
        content = path.read_bytes()
        assert content.startswith(PNG)
        assert len(content) > 2000


def test_regression_has_the_files_of_tmvas_gui(regression):
    expected = {f"deviation_MLP_{what}_{sample}_c1" for what in ("target", "vars") for sample in ("test", "training")}
    expected |= {"variables_id_c1", "CorrelationMatrix", "correlationscatter_var1_Id_c1", "network"}
    assert set(names(regression)) == expected | {"regression_average_devs_target0", "annconvergencetest"}


def test_multiclass_has_the_files_of_tmvas_gui(multiclass):
    classes = ("Signal", "bg0", "bg1")
    expected = {f"{kind}_{c}_MLP" for kind in ("mva", "overtrain") for c in classes}
    expected |= {f"roc_{c}_vs_rest" for c in classes} | {f"CorrelationMatrix{c}" for c in classes}
    expected |= {f"1v1roc_{a}_vs_{b}" for a in classes for b in classes if a != b}
    expected |= {"variables_id_c1", "correlationscatter_var1_Id_c1", "ranking_MLP", "network", "annconvergencetest"}
    assert set(names(multiclass)) == expected


def test_several_methods_and_chains_have_names_of_their_own():
    rng = np.random.default_rng(3)
    loader = TMVA.DataLoader("dataset")
    loader.AddVariable("x")
    loader.AddSignalTree({"x": rng.normal(1.0, 1.0, 200)})
    loader.AddBackgroundTree({"x": rng.normal(-1.0, 1.0, 200)})
    options = "!V:Silent:!DrawProgressBar:!ModelPersistence:Transformations=I;G"
    factory = TMVA.Factory("job", options)
    for title in ("one", "two"):
        factory.BookMethod(loader, "MLP", title, "TrainingMethod=BFGS:NCycles=5:HiddenLayers=2:VarTransform=N")
    factory.TrainAllMethods()
    found = names(factory)
    assert {"network_one", "network_two", "mva_one", "mva_two", "variables_id_c1", "variables_gauss_c1"} <= set(found)
    assert len(found) == len(set(found))


def test_formats_can_be_several_and_the_same_bytes_come_out_twice(fake_rate, tmp_path, monkeypatch):
    monkeypatch.setattr(gallery, "sections", lambda content: list(sections(content))[1:2])
    written = plots.save_all(fake_rate, tmp_path, formats=("svg", "pdf", "png"), dpi=40)
    assert {path.suffix for path in written} == {".svg", ".pdf", ".png"}
    first = {path: path.read_bytes() for path in written if path.suffix != ".svg"}
    plots.save_all(fake_rate, tmp_path, formats=("pdf", "png"), dpi=40)
    assert {path: path.read_bytes() for path in first} == first


def test_a_plot_that_fails_leaves_no_half_written_file(fake_rate, tmp_path, monkeypatch):
    from matplotlib.figure import Figure

    def fail(*args, **kwargs):
        raise OSError("disk full")

    monkeypatch.setattr(Figure, "savefig", fail)
    with pytest.raises(OSError, match="disk full"):
        plots.save_all(fake_rate, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_unknown_formats_and_untrained_methods_are_refused(fake_rate, tmp_path):
    with pytest.raises(InputError, match="cannot be saved as gif"):
        plots.save_all(fake_rate, tmp_path, formats=("gif",))
    with pytest.raises(InputError, match="TrainAllMethods first"):
        plots.save_all(TMVA.Factory("job", "!V:Silent"), tmp_path)
