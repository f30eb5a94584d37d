"""Array and vector branches: Python's numbers, the calls of std::vector, and Draw of their elements."""

import awkward as ak
import numpy as np
import pytest
import uproot

from pytmva_bnn.compat.branch_values import values_by_entry


@pytest.fixture
def vectors(root):
    """A tree with vectors, read from a file: numbers that numpy's own types cannot add up."""
    lists = {"hits": [[200, 100], [], [255]], "pt": [[1.1, 2.2], [], [3.3]], "ok": [[True], [], [False]]}
    columns = {name: ak.Array(values) for name, values in lists.items()}
    columns["hits"] = ak.values_astype(columns["hits"], np.uint8)
    columns["pt"] = ak.values_astype(columns["pt"], np.float32)
    with uproot.recreate("vectors.root") as file:
        file.mktree(
            "t", {"fixed": ("u1", (2,)), "x": "f4", **{name: one.type.content for name, one in columns.items()}}
        )
        fixed = np.array([[250, 10], [1, 2], [3, 4]], np.uint8)
        file["t"].extend({"fixed": fixed, "x": np.array([10, 20, 30], "f4"), **columns})
    return root.TFile("vectors.root").Get("t")


def test_elements_of_arrays_and_vectors_are_pythons_numbers(vectors):
    assert sum(hit for event in vectors for hit in event.hits) == 555
    assert sum(event.fixed[0] + event.fixed[1] for event in vectors) == 270
    assert sum(pt for event in vectors for pt in event.pt) == sum(np.array([1.1, 2.2, 3.3], "f4").tolist())
    vectors.GetEntry(0)
    assert [type(one[0]) for one in (vectors.hits, vectors.pt, vectors.ok, vectors.fixed)] == [int, float, bool, int]
    assert [type(one) for one in vectors.ok] == [bool]


def test_vectors_are_arrays_and_have_the_calls_of_vectors(vectors):
    vectors.GetEntry(0)
    pt = vectors.pt
    assert (pt.size(), pt.size, len(pt), pt.empty()) == (2, 2, 2, False)
    assert (pt.front(), pt.at(1), pt.back()) == (pt[0], pt[1], pt[-1])
    with pytest.raises(IndexError, match=r"vector\.at\(2\)"):
        pt.at(2)
    assert isinstance(pt[:1], np.ndarray)
    assert type(np.asarray(pt)) is type(2 * pt) is np.ndarray
    assert pt.max() == np.float32(2.2)
    assert str(pt) == "[1.1 2.2]"
    vectors.GetEntry(1)
    assert vectors.pt.empty()


def test_text_and_vectors_of_vectors_have_pythons_elements():
    nested = values_by_entry(ak.Array([[[1.0, 2.0], [3.0]], []]))
    assert [[type(one) for one in row] for row in nested(0)] == [[float, float], [float]]
    assert (nested(0).size(), nested(0).at(1)[0], nested(1).size()) == (2, 3.0, 0)
    words = values_by_entry(ak.Array([["a", "bc"], []]))
    assert [type(one) for one in words(0)] == [str, str]
    assert values_by_entry(ak.Array(["x", "yy"]))(1) == "yy"


def test_draw_leaves_out_elements_that_do_not_exist(root, vectors):
    assert vectors.Draw("pt[0]>>h(10,0,10)") == 2
    assert root.gDirectory.Get("h").GetEntries() == 2
    assert vectors.GetV1().tolist() == [np.float32(1.1), np.float32(3.3)]
    assert vectors.Draw("pt[1]", "x > 5") == 1
    assert vectors.Draw("x", "pt[0] < 3 || x > 0") == 2
    assert vectors.Draw("pt:pt[1]") == 2
    assert vectors.Draw("Alt$(pt[0],-1)") == 3
