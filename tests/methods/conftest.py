"""What the tests of several methods share."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from pytmva_bnn.cpp.literals import string
from pytmva_bnn.standalone import class_source

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wdouble-promotion", "-Werror"]
CALLS = {"Classification": "GetMvaValue", "Regression": "GetRegressionValues", "Multiclass": "GetMulticlassValues"}
PROGRAM = """\
#include <fstream>
{includes}
using Values = std::vector<double>;
inline void Add(Values& all, double value) {{ all.push_back(value); }}
inline void Add(Values& all, const std::pair<double, double>& x) {{ all.insert(all.end(), {{x.first, x.second}}); }}
inline void Add(Values& all, const Values& more) {{ all.insert(all.end(), more.begin(), more.end()); }}
template <class Reader, class Call>
void Run(const std::string& name, const std::vector<std::string>& variables, Call call)
{{
   const Reader reader(variables);
   std::ifstream in(name + ".in", std::ios::binary);
   std::ofstream out(name + ".out", std::ios::binary);
   Values event(variables.size());
   while (in.read(reinterpret_cast<char*>(event.data()), static_cast<std::streamsize>(8 * event.size()))) {{
      Values values;
      call(reader, event, values);
      out.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(8 * values.size()));
   }}
}}
int main()
{{
{runs}
}}
"""


@pytest.fixture(scope="session")
def cpp_responses(tmp_path_factory, run_process):
    """Return ``run({name: (model, events)}, calls)``: what the C++ classes give, from one program.

    ``calls(model)`` are the names of the member functions; usually it is the one that gives the responses.  The result
    is ``(n_events,)`` for one value an event, and ``(n_events, n_values)`` for several.
    """
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("no g++ found: the generated C++ classes cannot be compiled and compared")

    def run(cases, calls=lambda model: [CALLS[model.analysis_type]]):
        folder = tmp_path_factory.mktemp("classes")
        runs = []
        for name, (model, events) in cases.items():
            (folder / f"{name}.hpp").write_text(class_source(model, class_name=f"Read_{name}"), encoding="utf-8")
            events.astype(np.float64).tofile(folder / f"{name}.in")
            variables = ", ".join(string(variable.expression) for variable in model.variables)
            adds = " ".join(f"Add(y, r.{call}(x));" for call in calls(model))
            call = f"[](const Read_{name}& r, const Values& x, Values& y) {{ {adds} }}"
            runs.append(f'   Run<Read_{name}>("{name}", {{{variables}}}, {call});')
        includes = "\n".join(f'#include "{name}.hpp"' for name in cases)
        program = PROGRAM.format(includes=includes, runs="\n".join(runs))
        (folder / "main.cpp").write_text(program, encoding="utf-8")
        made = run_process([compiler, "-std=c++17", "-O0", *WARNINGS, "main.cpp", "-o", "main"], cwd=folder)
        assert made.returncode == 0, made.stderr[:4000]
        assert run_process([folder / "main"], cwd=folder).returncode == 0
        values = {name: np.fromfile(folder / f"{name}.out") for name in cases}
        sizes = {name: len(events) for name, (_, events) in cases.items()}
        return {name: y if len(y) == sizes[name] else y.reshape(sizes[name], -1) for name, y in values.items()}

    return run
