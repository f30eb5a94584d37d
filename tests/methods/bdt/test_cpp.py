"""The C++ classes, compiled into one program: TMVA's responses to the last bit."""

import shutil
import subprocess
from dataclasses import replace

import numpy as np
import pytest

from pytmva_bnn.cpp.literals import string
from pytmva_bnn.model import Model
from pytmva_bnn.standalone import class_source

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wdouble-promotion", "-Werror"]
CALLS = {"Regression": "GetRegressionValues", "Multiclass": "GetMulticlassValues"}

DRIVER = """
#include <fstream>

template <class Function>
void ForEachEvent(const std::string& name, std::size_t size, Function function)
{
   std::ifstream in(name + ".in", std::ios::binary);
   std::ofstream out(name + ".out", std::ios::binary);
   std::vector<double> event(size);
   while (in.read(reinterpret_cast<char*>(event.data()), static_cast<std::streamsize>(size * sizeof(double)))) {
      for (double value : function(event))
         out.write(reinterpret_cast<const char*>(&value), sizeof value);
   }
}

int main()
{
"""


def block(subject):
    """Return the statements that write GetMvaValue and, where there are some, the other values of all events."""
    model = subject.model
    names = ", ".join(string(variable.expression) for variable in model.variables)
    more = CALLS.get(model.analysis_type)
    append = f"const auto more = bdt.{more}(event); values.insert(values.end(), more.begin(), more.end());"
    return f"""\
   {{
      const Read_{subject.name} bdt({{{names}}});
      ForEachEvent("{subject.name}", {len(model.variables)}, [&](const std::vector<double>& event) {{
         std::vector<double> values{{bdt.GetMvaValue(event)}};
         {append if more else ""}
         return values;
      }});
   }}
"""


@pytest.fixture(scope="module")
def results(subjects, tmp_path_factory):
    """Return what the classes give, ``(n_events, n)`` by the name of the subject."""
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("no g++ found: the generated C++ classes cannot be compiled and compared")
    folder = tmp_path_factory.mktemp("cpp")
    for name, subject in subjects.items():
        (folder / f"{name}.hpp").write_text(class_source(subject.model, class_name=f"Read_{name}"), encoding="utf-8")
        subject.events.tofile(folder / f"{name}.in")
    includes = "".join(f'#include "{name}.hpp"\n' for name in subjects)
    (folder / "all.cpp").write_text(f"{includes}{DRIVER}{''.join(map(block, subjects.values()))}}}\n", encoding="utf-8")
    command = [compiler, "-std=c++17", *WARNINGS, "all.cpp", "-o", "all"]
    compiled = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603
    assert compiled.returncode == 0, compiled.stderr[:4000]
    subprocess.run([str(folder / "all")], cwd=folder, check=True)  # noqa: S603
    return {
        name: np.fromfile(folder / f"{name}.out").reshape(len(subject.events), -1) for name, subject in subjects.items()
    }


def test_responses_are_those_of_predict_to_the_last_bit(subject, results):
    found = results[subject.name]
    with np.errstate(over="ignore"):
        expected = subject.model.predict(subject.events)
    values = found[:, 1:] if subject.model.analysis_type in CALLS else found[:, 0]
    np.testing.assert_array_equal(values, expected)
    assert np.isnan(values[-3:]).all()
    assert np.isfinite(values[:-3]).any()


def test_get_mva_value_is_what_evaluate_mva_gives(subject, results):
    model = subject.model
    with np.errstate(over="ignore"):
        events = subject.events.astype(np.float32)
    finite = np.isfinite(events).all(axis=1)
    inputs = model.transformations.forward(events[finite], None)
    np.testing.assert_array_equal(results[subject.name][finite, 0], model.fitted.mva_values(inputs))
    assert np.isnan(results[subject.name][~finite, 0]).all()


def test_the_class_is_a_table_with_all_digits(subjects):
    source = class_source(subjects["single_leaves"].model)
    assert '// ReadBDT: the response of the forest "BDT" in plain C++17' in source
    rows = "{1.0f, 0, 0},\n      // tree 1\n      {0.25f, -2, 1}, {-1.0f, 0, 0}, {1.0f, 0, 0},"
    assert f"static constexpr Node kNodes[8] = {{\n      // tree 0\n      {rows}" in source
    assert "kPreselection" not in source
    assert "{1, false, -1.8871079850196839e+00, -1.0}" in class_source(subjects["bdt_presel"].model)


def test_numbers_that_are_not_finite_are_written_too(subjects):
    model = subjects["bdt_presel"].model
    cuts = model.fitted.forest.cut.copy()
    cuts[0] = np.inf
    forest = replace(model.fitted.forest, cut=cuts)
    assert "{std::numeric_limits<float>::infinity(), -4, 1}" in class_source(
        Model(model.file, replace(model.fitted, forest=forest))
    )
