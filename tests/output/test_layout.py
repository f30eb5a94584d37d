"""What stands where in the file: chains, methods, data sets, options that change it."""

from __future__ import annotations

import numpy as np
import pytest
import uproot

import pytmva_bnn
from pytmva_bnn.dataset import DataLoader
from pytmva_bnn.errors import InputError
from pytmva_bnn.evaluation import RegressionSample, evaluate_regression
from pytmva_bnn.histograms import make_response_pdfs
from pytmva_bnn.methods.mlp.monitoring import estimator_histograms
from pytmva_bnn.methods.mlp.training.state import History
from pytmva_bnn.output import DataSetOutput, MethodOutput, write_datasets
from pytmva_bnn.output.method_folder import density_histograms


@pytest.fixture
def keys(tmp_path):
    """Write a file and return the names in a folder of it."""

    def of(dataset, methods=(), folder="dataset", analysis="Classification", top_level=False, **options):
        path = tmp_path / "TMVA.root"
        write_datasets(path, [DataSetOutput(dataset, methods, analysis, **options)], top_level=top_level)
        with uproot.open(path) as file:
            return (file[folder] if folder else file).keys(recursive=False, cycle=False)

    return of


@pytest.mark.parametrize(
    ("transformations", "folders"),
    [
        ("I", ["InputVariables_Id"]),
        ("I;D;G,D", ["InputVariables_Id", "InputVariables_Deco", "InputVariables_Gauss_Deco"]),
        ("P;U;N;S", [f"InputVariables_{name}" for name in ("PCA", "Uniform", "Norm", "Scale")]),
        ("N;N_Signal;N(x)", ["InputVariables_Norm", "InputVariables_Norm_0", "InputVariables_Norm_1"]),
        ("None", []),
        ("", []),
    ],
)
def test_each_chain_has_a_folder(small_loader, keys, transformations, folders):
    found = keys(small_loader().built(), transformations=transformations)
    assert found == ["CorrelationMatrixS", "CorrelationMatrixB", *folders]


def test_names_and_axes_tell_the_chain(small_loader, tmp_path):
    loader = small_loader(variables=[("x", "the x", "GeV"), "y"])
    write_datasets(tmp_path / "a.root", [DataSetOutput(loader.built(), [], "Classification", "I;N")])
    with uproot.open(tmp_path / "a.root") as file:
        plain, normalised = (file[f"dataset/InputVariables_{c}/x__Signal_{c}"] for c in ("Id", "Norm"))
        assert plain.title == normalised.title == "the x"
        assert plain.member("fXaxis").member("fTitle") == "the x  [GeV]"
        assert normalised.member("fXaxis").member("fTitle") == "the x (Norm)  [GeV]"
        assert normalised.member("fYaxis").member("fTitle") == f"dN_{{ }}/^{{ }}{normalised.axis().width:.3g} GeV"
        scatter = file["dataset/InputVariables_Norm/CorrelationPlots/scat_y_vs_x_Signal_Norm"]
        assert scatter.title == "y versus the x (Signal)_Norm"


def test_weights_give_squared_errors(small_loader, tmp_path):
    for name, weight, n_errors in (("plain", "", 0), ("weighted", "w", 42)):
        write_datasets(tmp_path / name, [DataSetOutput(small_loader(weight=weight).built(), [], "Classification")])
        with uproot.open(tmp_path / name) as file:
            folder = file["dataset/InputVariables_Id"]
            assert len(folder["x__Signal_Id"].member("fSumw2")) == n_errors
            assert len(folder["CorrelationPlots/prof_y_vs_x_Signal_Id"].member("fBinSumw2")) == n_errors


def test_integer_variables_have_bins_of_one(small_loader, tmp_path):
    dataset = small_loader(variables=["x", ("n", "I")]).built()
    write_datasets(tmp_path / "a.root", [DataSetOutput(dataset, [], "Classification")])
    with uproot.open(tmp_path / "a.root") as file:
        axis = file["dataset/InputVariables_Id/n__Signal_Id"].axis()
        assert (axis.member("fNbins"), axis.low, axis.high) == (4, 0, 4)


def test_there_are_no_plots_of_pairs_of_more_than_twenty_variables(small_loader, keys):
    many = small_loader(variables=[f"v{i} := x+{i}*y" for i in range(21)]).built()
    assert "CorrelationPlots" not in keys(many, folder="dataset/InputVariables_Id")
    some = small_loader(variables=[f"v{i} := x+{i}*y" for i in range(3)]).built()
    assert "CorrelationPlots" in keys(some, folder="dataset/InputVariables_Id")


def test_without_correlations_there_are_no_matrices(small_loader, keys):
    loader = small_loader()
    loader.PrepareTrainingAndTestTree("", "SplitMode=Block:!CalcCorrelations")
    assert keys(loader.built(), folder="dataset") == ["InputVariables_Id"]


def test_two_methods_share_the_folder_and_only_the_first_monitors_under_the_plain_name(small_loader, keys, method_of):
    dataset = small_loader().built()
    methods = [method_of(dataset, "A"), method_of(dataset, "B", number=1)]
    assert keys(dataset, methods, folder="dataset/Method_MLP") == ["A", "B"]
    assert "EpochMonitoring" in keys(dataset, methods, folder="dataset/Method_MLP/A")
    assert "EpochMonitoring_   1" in keys(dataset, methods, folder="dataset/Method_MLP/B")


def test_a_method_that_is_trained_but_not_evaluated_has_no_histograms_of_responses_and_no_trees(
    small_loader, keys, method_of
):
    dataset = small_loader().built()
    method = method_of(dataset, result=None)
    assert "TestTree" not in keys(dataset, [method])
    found = keys(dataset, [method], folder="dataset/Method_MLP/MLP")
    training = ["estimatorHistTrain", "estimatorHistTest", "weights_hist01", "weights_hist12", "EpochMonitoring"]
    assert found == ["TrainingPath", "WeightFileName", *training]


def test_without_a_weight_file_and_a_history_nothing_is_said_of_them(small_loader, keys, method_of):
    dataset = small_loader().built()
    method = method_of(dataset, weight_file=None, history=None, result=None)
    assert keys(dataset, [method], folder="dataset/Method_MLP/MLP")[0] == "weights_hist01"


def test_densities_of_the_response_are_written(small_loader, tmp_path, method_of):
    dataset = small_loader().built()
    events = dataset.training
    made = make_response_pdfs(events.variables[:, 0], events.of_class(0), events.weights)
    shares = np.linspace(0, 1, len(events), dtype=np.float32)
    method = method_of(
        dataset,
        pdfs=(made.signal, made.background),
        training_probabilities=shares,
        test_probabilities=shares[: len(dataset.test)],
    )
    write_datasets(tmp_path / "a.root", [DataSetOutput(dataset, [method], "Classification")])
    with uproot.open(tmp_path / "a.root") as file:
        folder = file["dataset/Method_MLP/MLP"]
        assert folder.keys(recursive=False, cycle=False)[2:4] == ["MLP_tr_S", "MLP_tr_B"]
        assert folder["MLP_tr_S"].classname == "TH1D"
        original = folder["MLP_tr_S_original"]
        assert original.classname == "TH1F"
        np.testing.assert_allclose(original.values(), folder["MLP_tr_S"].values(), rtol=1e-6)
        fine = folder["MLP_tr_B_smoothed_hist_from_spline2"]
        assert (fine.title, len(fine.values())) == ("MLP_tr_B_smoothed_hist from_spline2", 10000)
        assert file["dataset/TrainTree"].keys()[-2:] == ["MLP", "prob_MLP"]
        np.testing.assert_array_equal(file["dataset/TrainTree/prob_MLP"].array(library="np"), shares)


def test_fine_histograms_of_densities_have_the_errors_and_statistics_of_tmva(method_case):
    pdfs = pytmva_bnn.load(method_case("bdt_out").weights).response_pdfs
    made = {one.name: one.histogram for one in density_histograms(pdfs, "BDT")}
    fine = made["BDT_tr_S_smoothed_hist_from_spline2"]
    assert (fine.entries, fine.cells.dtype) == (10000.0, np.float32)
    expected = [5239.672938255848, 5237.539522205043, 1334.2029978699002, 1002.5078688848976]
    np.testing.assert_allclose(fine.statistics, expected, rtol=1e-15)
    assert (fine.values[0], fine.sumw2[1]) == pytest.approx((9.997964e-13, 9.9959283e-13), rel=1e-7)
    assert fine.sumw2[1:-1].sum() == pytest.approx(5239.67294122061, rel=1e-13)
    assert made["BDT_tr_S_original"].sumw2 is None


@pytest.mark.parametrize(("n_cycles", "axis"), [(4, (1, 5.0, 5.0)), (10, (1, 5.0, 15.0)), (34, (3, 5.0, 35.0))])
def test_estimators_without_a_test_epoch_have_an_axis_of_no_width(n_cycles, axis):
    epochs = np.arange(10, n_cycles + 1, 10)
    history = History(epochs, *(1.0 / epochs,) * 2)
    for made in estimator_histograms(history, n_cycles, test_rate=10):
        assert (made.histogram.n_bins, made.histogram.x_min, made.histogram.x_max) == axis
        np.testing.assert_array_equal(made.histogram.values[: len(epochs)], np.float32(1.0 / epochs))


def regression(n_targets):
    rng = np.random.default_rng(2)
    loader = DataLoader("dataset")
    loader.AddVariable("x")
    for target in "ab"[:n_targets]:
        loader.AddTarget(target)
    loader.AddRegressionTree({name: rng.normal(size=80) for name in "xab"})
    dataset = loader.built()
    samples = [
        RegressionSample(e.targets + np.float32(0.1), e.targets, e.weights, e.variables)
        for e in (dataset.training, dataset.test)
    ]
    method = MethodOutput(
        "MLP",
        None,
        "",
        "Id",
        "MLP",
        result=evaluate_regression(*samples),
        test_variables=dataset.test.variables,
        test_targets=dataset.test.targets,
        training_responses=samples[0].response,
        test_responses=samples[1].response,
    )
    return dataset, method


@pytest.mark.parametrize(("n_targets", "name"), [(1, "a__Regression_target_Id"), (2, "a__Regression_Id")])
def test_only_a_single_target_is_called_so(keys, n_targets, name):
    dataset, _ = regression(n_targets)
    assert name in keys(dataset, folder="dataset/InputVariables_Id", analysis="Regression")


def test_a_regression_with_two_targets_has_all_deviations_and_a_branch_for_each(tmp_path):
    dataset, method = regression(2)
    write_datasets(tmp_path / "a.root", [DataSetOutput(dataset, [method], "Regression")])
    with uproot.open(tmp_path / "a.root") as file:
        assert file["dataset/TestTree"].keys()[-3:] == ["weight", "MLP.a", "MLP.b"]
        deviation = file["dataset/Method_MLP/MLP/MVA_MLPtrain_reg_tgt0_rtgt1"]
        titles = [deviation.member(axis).member("fTitle") for axis in ("fXaxis", "fYaxis")]
        assert titles == ["a", "b_{regression} - b_{true}"]
        for folder, end in (("InputVariables_Id", "_Id"), ("Method_MLP/MLP", "")):
            pairs = file[f"dataset/{folder}/CorrelationPlots"]
            assert pairs.keys(cycle=False) == [f"scat_b_vs_a_Regression{end}", f"prof_b_vs_a_Regression{end}"]
        training = dataset.training.targets
        folder = file["dataset/InputVariables_Id/CorrelationPlots"]
        scatter, profile = (folder[f"{kind}_b_vs_a_Regression_Id"] for kind in ("scat", "prof"))
        assert (scatter.title, profile.title) == tuple(
            f"{words}b versus a (Regression)_Id" for words in ("", "profile ")
        )
        for axis, column in zip(scatter.axes, training.T, strict=True):
            assert (axis.member("fXmin"), axis.member("fXmax")) == (column.min(), column.max())
        assert profile.member("fTsumwx") == pytest.approx(training[training[:, 0] < training[:, 0].max(), 0].sum())


def test_data_sets_have_folders_of_their_names(small_loader, tmp_path, method_of):
    datasets = [small_loader(name).built() for name in ("one", "two")]
    outputs = [
        DataSetOutput(dataset, [method_of(dataset, number=number)], "Classification")
        for number, dataset in enumerate(datasets)
    ]
    write_datasets(tmp_path / "a.root", outputs)
    with uproot.open(tmp_path / "a.root") as file:
        assert file.keys(recursive=False) == ["one;1", "two;1"]
        assert "EpochMonitoring_   1" in file["two/Method_MLP/MLP"].keys(cycle=False)


def test_the_contents_can_stand_in_the_file_itself(small_loader, keys, method_of):
    dataset = small_loader().built()
    found = keys(dataset, [method_of(dataset)], folder="", top_level=True)
    matrices = ["CorrelationMatrixS", "CorrelationMatrixB"]
    assert found == [*matrices, "InputVariables_Id", "Method_MLP", "TestTree", "TrainTree"]


@pytest.mark.parametrize("top_level", [True, False])
def test_two_data_sets_need_two_folders(small_loader, tmp_path, top_level):
    outputs = [DataSetOutput(small_loader().built(), [], "Classification")] * 2
    with pytest.raises(InputError, match="place for one" if top_level else "different names"):
        write_datasets(tmp_path / "a.root", outputs, top_level=top_level)


def test_responses_of_other_events_are_refused(small_loader, method_of):
    dataset = small_loader().built()
    wrong = method_of(dataset, test_responses=np.zeros((7, 1), np.float32))
    with pytest.raises(
        InputError, match=r"'test_responses' of the method MLP has the shape \(7, 1\), .* must be \(60,"
    ):
        DataSetOutput(dataset, [wrong], "Classification")
    with pytest.raises(InputError, match="'test_variables' of the evaluated method MLP is missing"):
        DataSetOutput(dataset, [method_of(dataset, test_variables=None)], "Classification")


def test_a_method_without_test_events_has_no_plots_of_them(small_loader, keys, method_of):
    loader = small_loader()
    loader.PrepareTrainingAndTestTree("", "SplitMode=Block:nTrain_Signal=60:nTrain_Background=60")
    dataset = loader.built()
    assert len(dataset.test) == 0
    none = np.empty((0, 2), np.float32)
    method = method_of(
        small_loader().built(),
        test_variables=none,
        training_responses=dataset.training.variables[:, :1],
        test_responses=none[:, :1],
    )
    found = keys(dataset, [method], folder="dataset/Method_MLP/MLP")
    assert found[-1] == "MVA_MLP_trainingRejBvsS"
