"""Four output files against what TMVA wrote: names, classes, titles, binnings, contents, trees."""

from __future__ import annotations

import numpy as np
import pytest

CASES = ["bfgs_n", "fakerate_bnn", "reg_n", "multi_n"]


@pytest.fixture(params=CASES)
def golden(request, golden_file):
    return golden_file(request.param)


def listing(directory, prefix=""):
    """Rows of the form that the records have."""
    rows = []
    for key in directory.keys(recursive=False):
        name = key.removesuffix(";1")
        item, found = directory.key(key), directory[key]
        row = [prefix + name, item.fClassName, item.fTitle]
        if item.fClassName == "TTree":
            row.append([branch.title for branch in found.branches])
        elif item.fClassName == "TObjString":
            row.append(str(found))
        elif item.fClassName.startswith(("TH", "TProfile")):
            x, y = (
                [a.member("fNbins"), a.member("fXmin"), a.member("fXmax"), a.member("fTitle")]
                for a in (found.member("fXaxis"), found.member("fYaxis"))
            )
            row += [x, y if item.fClassName == "TH2F" else y[-1]]
            labels = found.member("fXaxis").member("fLabels")
            if labels is not None:
                row.append([str(label) for label in labels])
        rows.append(row)
        if item.fClassName == "TDirectory":
            rows += listing(found, f"{prefix}{name}/")
    return rows


def as_we_write_it(row):
    """Return a row of TMVA's file with the differences that uproot makes."""
    path, class_name, title, *more = row
    if path.endswith("/Method_MLP"):
        title = "Method_MLP"
    if class_name == "TTree":
        more = [[branch for title in more[0] for branch in branches_of(title)]]
    return [path, class_name, title, *more]


def branches_of(title):
    name, separator, leaves = title.rpartition("=")
    if not separator:
        return [title]
    fields = [leaf.removesuffix("/F") for leaf in leaves.split(":")]
    return [f"{name}/F"] if len(fields) == 1 else [f"{name}.{field}/F" for field in fields]


def test_all_objects_are_there_in_tmvas_order_with_its_classes_titles_and_axes(golden):
    expected = [as_we_write_it(row) for row in golden.expected["listing"] if not row[0].endswith(";2")]
    assert listing(golden.file) == expected


def places(golden, class_name):
    return {row[0].rpartition("/")[2]: row[0] for row in golden.expected["listing"] if row[1] == class_name}


@pytest.mark.parametrize("class_name", ["TH1F", "TH1D"])
def test_contents_of_histograms_are_tmvas(golden, class_name):
    checked = 0
    for name, place in places(golden, class_name).items():
        key = name.removesuffix(";2")
        if f"axis:{key}" not in golden.arrays:
            continue
        checked += 1
        histogram = golden.file[place.removesuffix(";2")]
        names = ("fEntries", "fTsumw", "fTsumw2", "fTsumwx", "fTsumwx2")
        numbers = [histogram.member(member) for member in names]
        np.testing.assert_allclose(numbers, golden.arrays[f"axis:{key}"][2:], rtol=1e-14, atol=1e-300, err_msg=key)
        values = histogram.values(flow=True)
        if f"h:{key}" in golden.arrays:
            np.testing.assert_allclose(values.astype("f4"), golden.arrays[f"h:{key}"], rtol=1e-7, err_msg=key)
        else:
            np.testing.assert_allclose(values[::97].astype("f4"), golden.arrays[f"sub:{key}"], rtol=1e-7, err_msg=key)
    if not (golden.analysis != "Classification" and class_name == "TH1D"):
        assert checked > 3


def test_estimators_are_tmvas(golden):
    for which in ("Train", "Test"):
        histogram = golden.file[f"dataset/Method_MLP/MLP/estimatorHist{which}"]
        np.testing.assert_array_equal(histogram.values(), np.float32(golden.expected["estimators"][which]))
        assert histogram.member("fEntries") == len(histogram.values())
        np.testing.assert_allclose(histogram.variances(), histogram.values().astype(float) ** 2, rtol=1e-6)


def test_correlation_matrices_are_tmvas(golden):
    for name, place in places(golden, "TH2F").items():
        if f"corr:{name}" not in golden.arrays:
            continue
        matrix = golden.file[place]
        np.testing.assert_array_equal(matrix.values(flow=True), golden.arrays[f"corr:{name}"])
        np.testing.assert_allclose(matrix.member("fSumw2"), golden.arrays[f"corr2:{name}"], rtol=1e-14)
        assert [label._bases[0].member("@fUniqueID") for label in matrix.member("fXaxis").member("fLabels")] == list(
            range(1, len(golden.dataset.variables) + 1)
        )
        assert (matrix.member("fMinimum"), matrix.member("fMaximum")) == (-100, 100)


def test_two_dimensional_histograms_are_tmvas(golden):
    for name, place in places(golden, "TH2F").items():
        if f"axis:{name}" not in golden.arrays:
            continue
        histogram, contents = golden.file[place], golden.file[place].values(flow=True)
        names = ("fEntries", "fTsumw", "fTsumw2", "fTsumwx", "fTsumwx2", "fTsumwy", "fTsumwy2", "fTsumwxy")
        numbers = [histogram.member(member) for member in names]
        np.testing.assert_allclose(numbers, golden.arrays[f"axis:{name}"][4:], rtol=1e-14)
        if f"h2:{name}" in golden.arrays:
            np.testing.assert_array_equal(contents, golden.arrays[f"h2:{name}"])
        else:
            sums = [contents.sum(), (contents * np.arange(contents.size).reshape(contents.shape)).sum()]
            np.testing.assert_array_equal(sums, golden.arrays[f"sum2:{name}"])


def test_profiles_are_tmvas(golden):
    for name, place in places(golden, "TProfile").items():
        if f"prof:{name}" not in golden.arrays:
            continue
        profile = golden.file[place]
        found = [profile.bases[0].bases[-1], profile.member("fSumw2"), profile.member("fBinEntries")]
        np.testing.assert_allclose([np.asarray(part) for part in found], golden.arrays[f"prof:{name}"], rtol=1e-6)


def test_weights_are_in_the_histograms_of_the_layers(golden):
    matrices = golden.model.network.matrices
    for layer, matrix in enumerate(matrices):
        values = golden.file[f"dataset/Method_MLP/MLP/weights_hist{layer}{layer + 1}"].values()
        np.testing.assert_array_equal(values[:, : matrix.shape[1]], matrix.astype(np.float32))
        assert np.all(values[:, matrix.shape[1] :] == 0)  # nothing goes to a bias neuron
        assert values.shape[1] - matrix.shape[1] == (0 if layer == len(matrices) - 1 else 1)


def test_curves_of_a_multiclass_method_are_tmvas(golden_file):
    golden = golden_file("multi_n")
    graphs = places(golden, "TGraph")
    for name in {name.removesuffix(";2") for name in graphs}:
        x, y = golden.file[graphs[name]].values()
        i = np.arange(len(x))
        sums = [len(x), x.sum(), y.sum(), (x * i).sum(), (y * i).sum()]
        np.testing.assert_allclose(sums, golden.arrays[f"graph:{name}"], rtol=1e-13, err_msg=name)


@pytest.mark.parametrize("sample", ["test", "train"])
def test_trees_are_tmvas(golden, sample):
    tree = golden.file[f"dataset/{sample.capitalize()}Tree"]
    arrays = golden.arrays
    assert tree.classname == "TTree"
    assert tree.title == tree.name
    found = tree.arrays(library="np")
    np.testing.assert_array_equal(found["classID"], arrays[f"{sample}_class"])
    names = np.array(golden.dataset.class_names)
    np.testing.assert_array_equal(found["className"].astype(str), names[arrays[f"{sample}_class"].astype(int)])
    for i, variable in enumerate(golden.booked["variables"]):
        np.testing.assert_array_equal(found[variable], arrays[f"{sample}_variables"][:, i])
    if golden.analysis == "Regression":
        np.testing.assert_array_equal(found["fvalue"], arrays[f"{sample}_target"])
    np.testing.assert_array_equal(found["weight"], arrays[f"{sample}_weight"].astype(np.float32))
    responses = arrays[f"{sample}_response"]
    if golden.analysis == "Multiclass":
        for i, name in enumerate(names):
            np.testing.assert_array_equal(found[f"MLP.{name}"], responses[:, i])
    else:
        np.testing.assert_array_equal(found["MLP"], responses)
    types = {name: str(values.dtype) for name, values in found.items() if name != "className"}
    assert types.pop("classID") == "int32"
    assert set(types.values()) == {"float32"}
