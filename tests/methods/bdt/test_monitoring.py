"""What a training leaves in the output file and in the log, against what the real TMVA wrote."""

import json
import re

import numpy as np
import pytest
import uproot

import pytmva_bnn as TMVA
from pytmva_bnn.evaluation.tables import ranking_table
from pytmva_bnn.output import DataSetOutput, MethodOutput, write_datasets

SNAPSHOT = re.compile(r"(Sig|Bkg)Var\d+AtTree(\d+)|BoostWeightsInTree[SB](\d+)")
NUMBERS = ("fEntries", "fTsumw", "fTsumw2", "fTsumwx", "fTsumwx2")


class Golden:
    """The objects of TMVA's file: ``rows`` (name, class, title, axes, numbers) and their contents."""

    def __init__(self, case):
        self.rows = {row[0]: row for row in json.loads((case.folder / "monitoring.json").read_text())}
        with np.load(case.folder / "monitoring.npz") as file:
            self.arrays = dict(file)
        names = [name for name in self.rows if SNAPSHOT.fullmatch(name)]
        self.snapshots = dict(zip(names, self.arrays.pop("snapshots", ()), strict=True))


def written(method, path):
    """Return the folder of a trained method as it is written."""
    entries = tuple(method.trained.fitted.monitoring(method.booked.options, 0, method.dataset.name))
    output = MethodOutput(method.title, None, "", "Id", method.kind, entries)
    write_datasets(path, [DataSetOutput(method.dataset, [output], method.analysis_type)])
    return uproot.open(path)[f"{method.dataset.name}/Method_BDT/{method.title}"]


@pytest.fixture(scope="module", params=["bdt_out", "bdt_reg_out"])
def pair(request, method_case, trained_case, tmp_path_factory):
    """TMVA's objects, and ours of the same training."""
    case = method_case(request.param)
    golden = Golden(case)
    (method,) = trained_case(case)[0].methods
    return golden, written(method, tmp_path_factory.mktemp("output") / "TMVA.root")


def row_of(folder, name):
    item, found = folder.key(name), folder[name]
    row = [name, item.fClassName, item.fTitle]
    if item.fClassName == "TTree":
        return [*row, [branch.title for branch in found.branches]]
    if item.fClassName == "TGraph":
        assert found.member("fName") == name
        return row
    x, y = (
        [axis.member("fNbins"), axis.member("fXmin"), axis.member("fXmax"), axis.member("fTitle")]
        for axis in (found.member("fXaxis"), found.member("fYaxis"))
    )
    if item.fClassName == "TH2F":
        return [*row, x, y]
    numbers = [found.member(one) for one in NUMBERS]
    return [*row, x, y[-1], numbers, len(found.member("fSumw2")) > 0]


def test_all_objects_are_there_in_tmvas_order_with_its_classes_titles_axes_and_numbers(pair):
    golden, folder = pair
    names = folder.keys(cycle=False)
    assert names == list(golden.rows)
    for name in names:
        ours, theirs = row_of(folder, name), golden.rows[name]
        assert [one for one in ours if not isinstance(one, list)] == [
            one for one in theirs if not isinstance(one, list)
        ]
        for one, other in zip(ours, theirs, strict=True):
            if isinstance(one, list) and isinstance(one[0], float):
                np.testing.assert_allclose(one, other, rtol=1e-14, err_msg=name)
            else:
                assert one == other


def test_contents_are_tmvas(pair):
    golden, folder = pair
    for name, expected in (golden.arrays | golden.snapshots).items():
        if name == "graph":
            np.testing.assert_array_equal(folder["BoostMonitorGraph"].values(), expected)
        elif name in ("iTree", "boostWeight", "errorFraction"):
            found = folder["MonitorNtuple"][name].array(library="np")
            assert found.dtype == expected.dtype
            np.testing.assert_array_equal(found, expected)
        else:
            found = folder[name].values(flow=True)
            assert found.dtype == expected.dtype
            np.testing.assert_array_equal(found, expected, err_msg=name)


def test_names_begin_with_that_of_the_data_set(method_case, trained_case):
    (method,) = trained_case(method_case("bdt_out"))[0].methods
    names = [one.name for one in method.trained.fitted.monitoring(method.booked.options, 0, "other")]
    assert names[:2] == ["MonitorNtuple", "other_BoostWeight"]
    assert not any(name.startswith("dataset") for name in names)


@pytest.mark.parametrize("name", ["bdt_grad", "bdt_bagging", "bdt_grad_reg"])
def test_boosting_that_weights_no_trees_leaves_their_histograms_empty(name, method_case, trained_case, tmp_path):
    (method,) = trained_case(method_case(name))[0].methods
    folder = written(method, tmp_path / "TMVA.root")
    for what in ("dataset_BoostWeight", "BoostWeightVsTree", "ErrFractHist"):
        assert folder[what].member("fEntries") == 0
        assert not folder[what].values(flow=True).any()
    nodes = np.diff(method.model.forest.starts)
    np.testing.assert_array_equal(folder["dataset_NodesAfterPruning"].values(), nodes)
    monitored = folder["MonitorNtuple"].arrays(library="np")
    np.testing.assert_array_equal(monitored["iTree"], np.arange(len(nodes)))
    assert not monitored["boostWeight"].any()
    assert not monitored["errorFraction"].any()


def test_multiclass_has_an_empty_tree_and_no_histograms(method_case, trained_case, tmp_path):
    (method,) = trained_case(method_case("bdt_multi"))[0].methods
    folder = written(method, tmp_path / "TMVA.root")
    assert folder.keys(cycle=False) == ["MonitorNtuple"]
    assert folder["MonitorNtuple"].num_entries == 0


def test_trees_that_were_not_grown_have_empty_bins(method_case, trained_case, tmp_path):
    (method,) = trained_case(method_case("bdt_stop"))[0].methods
    n_trees, wanted = method.model.forest.n_trees, method.booked.options.integer("NTrees")
    assert n_trees < wanted
    nodes = written(method, tmp_path / "TMVA.root")["dataset_NodesBeforePruning"]
    assert len(nodes.values()) == wanted
    assert np.count_nonzero(nodes.values()) == nodes.member("fEntries") == n_trees


def test_pruned_trees_have_fewer_nodes(method_case, trained_case, tmp_path):
    (method,) = trained_case(method_case("bdt_prune_cc"))[0].methods
    folder = written(method, tmp_path / "TMVA.root")
    before, after = (folder[f"dataset_Nodes{when}Pruning"].values() for when in ("Before", "After"))
    np.testing.assert_array_equal(after, np.diff(method.model.forest.starts))
    assert (before >= after).all()
    assert (before > after).any()


def test_a_forest_from_a_weight_file_has_nothing_to_monitor_and_no_ranking(method_case):
    model = TMVA.load(method_case("bdt_out").weights)
    assert list(model.fitted.monitoring(model.options, 0, "dataset")) == []
    assert model.fitted.ranking(None, None, ["a", "b", "c", "d"]) is None


def test_the_ranking_is_the_one_of_tmvas_log(method_case, trained_case):
    (method,) = trained_case(method_case("bdt_out"))[0].methods
    assert ranking_table(method.ranking) == [
        "Ranking result (top variable is best ranked)",
        "--------------------------------------",
        "Rank : Variable  : Variable Importance",
        "--------------------------------------",
        "   1 : var4      : 3.105e-01",
        "   2 : var1      : 2.861e-01",
        "   3 : var2      : 2.058e-01",
        "   4 : var3      : 1.976e-01",
        "--------------------------------------",
    ]
