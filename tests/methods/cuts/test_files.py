"""Weight files of Cuts: old text, damage, and other formats."""

import copy
import pickle
import re
import shutil
import subprocess

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.cli import main
from pytmva_bnn.convert import convert, load_any
from pytmva_bnn.convert.onnx_format import to_onnx
from pytmva_bnn.errors import InputError, WeightFileError
from pytmva_bnn.standalone import class_source

TEXT = """\
#GEN -*-*-*-*-*-*-*-*-*-*-*- general info -*-*-*-*-*-*-*-*-*-*-*-

Method         : Cuts::Cuts
TMVA Release   : 3.9.5         [198917]
ROOT Release   : 5.18/00       [332288]

#OPT -*-*-*-*-*-*-*-*-*-*-*-*- options -*-*-*-*-*-*-*-*-*-*-*-*-

# Set by User:
FitMethod: "MC" [Minimization Method]
# Default:
##

#VAR -*-*-*-*-*-*-*-*-*-*-*-* variables *-*-*-*-*-*-*-*-*-*-*-*-

NVar 2
a a 'F' [-1,1]
b b 'F' [-2,2]

#MAT -*-*-*-*-*-*-*-*-* transformation data -*-*-*-*-*-*-*-*-*-

#WGT -*-*-*-*-*-*-*-*-*-*-*-*- weights -*-*-*-*-*-*-*-*-*-*-*-*-

{weights}
"""
CUTS = """\
OptimisationMethod nbins: {n}
Below are the optimised cuts for 2 variables:
Format: ibin(hist) effS effB cutMin[ivar=0] cutMax[ivar=0]
1  0    0.01   0.5  1.5  -0.5  0.5
2  0.5  0.125  0.25 2.5  -1e30 0.75
"""


def test_text_files_of_tmva_3():
    text = TEXT.format(weights=CUTS.replace("OptimisationMethod nbins: {n}", "OptimisationMethod 0\nnbins: 2"))
    model = TMVA.load_string(text)
    np.testing.assert_array_equal(model.fitted.background, np.float32([0.01, 0.125]))
    assert model.fitted.lower.tolist() == [[0.5, -0.5], [0.25, -1e30]]
    assert model.fitted.upper.tolist() == [[1.5, 0.5], [2.5, 0.75]]
    events = np.float32([[0.4, 0.0], [0.4, 0.8], [0.6, 0.2]])
    assert model.at_efficiency(0.3).predict(events).tolist() == [1.0, 0.0, 1.0]
    assert model.corrected().at_efficiency(0.3).predict(events).tolist() == [0.0, 0.0, 1.0]
    again = TMVA.load_string(model.modernised().to_xml())
    assert again.GetCuts(0.5)[2].tolist() == [2.5, 0.75]


@pytest.mark.parametrize(
    ("weights", "problem"),
    [
        ("OptimisationMethod 0", "ends where the number of bins is expected"),
        ("OptimisationMethod 0\nnbins: 0", "0 bins are declared"),
        ("OptimisationMethod 0\nnbins: 3\n" + CUTS.split("\n", 1)[1], "a cut is expected|bin 1 of 3"),
        ("nbins: 2\n" + CUTS.split("\n", 1)[1].replace("\n2  0.5", "\n7  0.5"), "bin 2 of 2 is expected.*not bin 7"),
        ("nbins: 2\n" + CUTS.split("\n", 1)[1].replace("2.5", "x"), "a cut is expected, not 'x'"),
    ],
)
def test_damaged_text_files_are_refused(weights, problem):
    with pytest.raises(WeightFileError, match=problem):
        TMVA.load_string(TEXT.format(weights=weights))


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('<Bin ibin="7"', '<Bin ibin="101"', r"Mismatch in bins: ibin=101 .*1 to 100"),
        ('<Bin ibin="7"', '<Bin ibin="0"', "Mismatch in bins: ibin=0"),
        ('<Bin ibin="7"', '<Bin ibin="8"', "ibin=8 appears twice"),
        ('nbins="100"', 'nbins="0"', "nbins=0"),
        ('nbins="100"', 'nbins="99999999"', "nbins=99999999"),
        ('nbins="100"', "", "'nbins' is missing"),
        ("cutMax_3=", "cutMax_4=", "'cutMax_3' is missing"),
        (' cutMin_3="', ' cutMin_4="1" cutMin_3="', "more than the 4 variables"),
        ('effB="', 'effB="x', "not a number"),
        ('cutMin_0="', 'cutMin_0="nan" x="', "not a number"),
    ],
)
def test_damaged_files_are_refused(method_case, old, new, problem):
    text = method_case("cuts_mc").weights_text
    assert old in text
    with pytest.raises(WeightFileError, match=problem):
        TMVA.load_string(text.replace(old, new, 1))


def test_truncated_files_are_refused(method_case):
    text = method_case("cuts_mc").weights_text
    with pytest.raises(WeightFileError):
        TMVA.load_string(text[: len(text) // 2])


def test_missing_bins_have_no_cuts_and_unknown_options_do_not_matter(method_case):
    # TMVA: the cuts of missing bins are whatever was in the memory
    text = method_case("cuts_mc").weights_text
    text = re.sub(r'    <Bin ibin="71"(.|\n)*?</Bin>\n', "", text)
    text = text.replace("  </Options>", '    <Option name="Foo" modified="Yes">1</Option>\n  </Options>')
    model = TMVA.load_string(text, strict=True)
    assert np.flatnonzero(~model.fitted.is_reached).tolist() == [70]
    assert not model.at_efficiency(0.7).predict(method_case("cuts_mc").expected["inputs"]).any()


@pytest.mark.parametrize("name", ["cuts.json", "cuts.npz"])
def test_json_and_npz_hold_everything(record, tmp_path, name):
    convert(record.weights, tmp_path / name)
    again = load_any(tmp_path / name)
    assert again.to_xml() == record.weights_text
    np.testing.assert_array_equal(
        again.at_efficiency(0.5).predict(record.expected["inputs"]), record.expected["mva"][5]
    )


def test_copies_have_the_same_cuts(method_case):
    record = method_case("cuts_sa")
    reader = TMVA.Reader(["var1", "var2", "var3", "var4"], "Silent")
    method = reader.BookMVA("Cuts", record.weights)
    for again in (pickle.loads(pickle.dumps(method)), copy.deepcopy(method)):  # noqa: S301
        assert again.GetCuts(0.3)[1].tolist() == method.GetCuts(0.3)[1].tolist()
        assert again.model.to_xml() == record.weights_text


PROGRAM = """
#include <fstream>
#include "cuts.hpp"
int main()
{
   ReadCuts reader({"var1", "var2", "var3", "var4"});
   std::ifstream in("in", std::ios::binary);
   std::ofstream out("out", std::ios::binary);
   std::vector<double> event(4);
   while (in.read(reinterpret_cast<char*>(event.data()), 32)) {
      reader.SetTestSignalEfficiency(0.0);
      for (double efficiency : {0.05, 0.2, 0.29, 0.3, 0.35, 0.5, 0.58, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0, 0.0, -0.2}) {
         double value = reader.GetMvaValue(event, efficiency);
         reader.SetTestSignalEfficiency(efficiency);
         if (value != reader.GetMvaValue(event)) value = 7.0;
         out.write(reinterpret_cast<const char*>(&value), 8);
      }
   }
}
"""


@pytest.mark.parametrize("name", ["cuts_mc", "cuts_mc_deco"])
def test_the_cpp_class_gives_tmvas_responses(method_case, tmp_path, name):
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("no C++ compiler")
    record = method_case(name)
    (tmp_path / "cuts.hpp").write_text(class_source(TMVA.load(record.weights)))
    (tmp_path / "main.cpp").write_text(PROGRAM)
    record.expected["inputs"].astype(np.float64).tofile(tmp_path / "in")
    warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wdouble-promotion", "-Werror"]
    subprocess.run([compiler, "-std=c++17", "-O0", *warnings, "main.cpp", "-o", "main"], cwd=tmp_path, check=True)  # noqa: S603
    subprocess.run([tmp_path / "main"], cwd=tmp_path, check=True)  # noqa: S603
    found = np.fromfile(tmp_path / "out").reshape(-1, 15)
    np.testing.assert_array_equal(found.T, record.expected["mva"])


def test_onnx_is_for_one_signal_efficiency(method_case, tmp_path):
    pytest.importorskip("onnxruntime")
    from pytmva_bnn.convert.onnx_check import run_onnx

    record = method_case("cuts_mc_deco")
    model, x = TMVA.load(record.weights), record.expected["inputs"]
    with pytest.raises(InputError, match=r"at_efficiency\(0\.7\)"):
        to_onnx(model, tmp_path / "cuts.onnx")
    to_onnx(model.at_efficiency(0.5), tmp_path / "cuts.onnx")
    np.testing.assert_array_equal(run_onnx(tmp_path / "cuts.onnx", x)["response"].ravel(), record.expected["mva"][5])


def test_inspect_shows_the_cuts(method_case, capsys):
    record = method_case("cuts_mc")
    fitted = TMVA.load(record.weights).fitted
    assert main(["inspect", str(record.weights)]) == 0
    text = capsys.readouterr().out
    assert "100 of 100 bins have cuts" in text
    assert re.search(r"optimised by +MC\b", text)
    assert f"signal efficiency 0.70, background efficiency {fitted.background[70]:.4g}" in text
    assert re.search(rf"{re.escape(f'{fitted.lower[70, 2]:.6g}')} < var3\s*\n", text)  # FSmart: no upper cut
    assert main(["compare", str(record.weights), str(record.weights)]) == 0
