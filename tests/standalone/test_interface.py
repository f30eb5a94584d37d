"""How a C++ program meets the class: names, messages, status, ways to call it."""

from dataclasses import replace

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.model import Model
from pytmva_bnn.standalone import write_class

MAIN = """
#include "network.hpp"
#include <memory>
#include <thread>

int main()
{
   const std::vector<double> event = {0.1, 0.2, 0.3, 0.4};
@
   return 0;
}
"""


@pytest.fixture
def output_of(cxx):
    """Return what a program prints that has the class ReadMLP of a record and these statements."""

    def run(statements, record="bnn_020", options=()):
        write_class(TMVA.load(f"xml_fixtures/cases/{record}/weights.xml"), cxx.folder / "network.hpp")
        return cxx.run(MAIN.replace("@", statements), *options)

    return run


def test_wrong_names_are_told_and_make_the_status_dirty(output_of):
    printed = output_of("""
   ReadMLP network({"var1", "wrong", "var3", "var4"});
   const double value = network.GetMvaValue(event);
   const double error = network.GetMvaErrors(event).second;
   std::cout << network.IsStatusClean() << " " << value << " " << error << std::endl;""")
    dirty = 'Problem in class "ReadMLP": cannot return classifier response because status is dirty'
    assert printed.splitlines() == [
        'Problem in class "ReadMLP": mismatch in input variable names',
        " for variable [1]: wrong != var2",
        dirty,
        dirty,
        "0 0 0",
    ]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ("", "empty input vector"),
        ('"var1", "var2"', "mismatch in number of input values: 2 != 4"),
        ('"var1", "var2", "var3", "var4", "var5"', "mismatch in number of input values: 5 != 4"),
    ],
)
def test_a_wrong_number_of_names_is_told(output_of, names, message):
    printed = output_of(f"""
   const std::vector<std::string> names = {{{names}}};
   const ReadMLP network(names);
   const double value = network.GetMvaValue(event);
   std::cout << network.IsStatusClean() << " " << value << std::endl;""")
    assert printed.splitlines()[0] == f'Problem in class "ReadMLP": {message}'
    assert printed.splitlines()[-1] == "0 0"


def test_a_wrong_number_of_inputs_gives_zero(output_of):
    printed = output_of("""
   ReadMLP network({"var1", "var2", "var3", "var4"});
   const double value = network.GetMvaValue({1.0});
   std::cout << network.IsStatusClean() << " " << value << std::endl;""")
    assert printed.splitlines() == ['Problem in class "ReadMLP": Input vector needs to be of size 4', "1 0"]


def test_results_of_several_numbers_keep_their_length_when_the_status_is_dirty(output_of):
    statements = """
   ReadMLP network({"var1"});
   std::cout << network.@({0.1, 0.2}).size() << std::endl;"""
    regression = output_of(statements.replace("@", "GetRegressionValues"), record="reg_two_targets")
    multiclass = output_of(statements.replace("@", "GetMulticlassValues"), record="multi_n")
    assert (regression.splitlines()[-1], multiclass.splitlines()[-1]) == ("2", "4")


def test_it_is_used_like_the_class_of_tmva(output_of):
    printed = output_of(
        """
   std::vector<std::string> names;
   for (const char* name : {"var1", "var2", "var3", "var4"})
      names.push_back(name);
   std::unique_ptr<IClassifierReader> reader(new ReadMLP(names));
   std::vector<double> inputs(4);
   inputs[0] = 0.5;
   double lower = 1.0, upper = 1.0;
   const ReadMLP network(names);
   const double both = network.GetMvaValue(inputs, lower, upper);
   std::cout << reader->IsStatusClean() << (reader->GetMvaValue(inputs) == both)
             << (std::make_pair(lower, upper) == network.GetMvaErrors(inputs)) << std::endl;""",
        options=["-O2"],
    )
    assert printed == "111\n"


def test_many_threads_may_share_one_object(output_of):
    printed = output_of(
        """
   const ReadMLP network({"var1", "var2", "var3", "var4"});
   const double expected = network.GetMvaValue(event);
   std::vector<std::thread> threads;
   std::array<int, 4> good{};
   for (std::size_t t = 0; t < good.size(); ++t)
      threads.emplace_back([&, t] {
         for (int i = 0; i < 1000; ++i)
            good[t] += network.GetMvaValue(event) == expected ? 1 : 0;
      });
   for (auto& thread : threads)
      thread.join();
   std::cout << good[0] + good[1] + good[2] + good[3] << std::endl;""",
        options=["-pthread"],
    )
    assert printed == "4000\n"


def test_two_files_with_one_class_name_do_not_hide_each_other(cxx):
    for record in ("bfgs_n", "bp_sigmoid"):
        write_class(TMVA.load(f"xml_fixtures/cases/{record}/weights.xml"), cxx.folder / f"{record}.hpp")
    with pytest.raises(AssertionError, match=r"redefinition of .class ReadMLP"):
        cxx.run('#include "bfgs_n.hpp"\n#include "bp_sigmoid.hpp"\nint main() {}\n')


def test_errors_of_several_outputs_are_those_of_classes_only(cxx):
    """Probabilities of classes have them; of several targets TMVA's class knows none."""
    random = np.random.default_rng(1)

    def with_matrices(record, n, **more):
        model = TMVA.load(f"xml_fixtures/cases/{record}/weights.xml")
        root = 0.1 * random.normal(size=(2, model.network.n_weights, model.network.n_weights))
        matrices = tuple(one @ one.T for one in root[:n])
        return Model(model.file, replace(model.fitted, inverse_hessians=matrices, **more))

    classes, targets = with_matrices("multi_n", 1, is_softmax=True), with_matrices("reg_two_targets", 2)
    write_class(classes, cxx.folder / "network.hpp")
    write_class(targets, cxx.folder / "targets.hpp", class_name="ReadTargets")
    statements = """
   const ReadMLP network({"var1", "var2", "var3", "var4"});
   for (const auto& [lower, upper] : network.GetMulticlassErrors(event))
      std::printf("%.17g %.17g\\n", lower, upper);"""
    printed = cxx.run('#include "targets.hpp"\n#include <cstdio>\n' + MAIN.replace("@", statements))
    _, lower, upper = classes.predict([[0.1, 0.2, 0.3, 0.4]], errors=True)
    np.testing.assert_allclose(np.float64(printed.split()).reshape(-1, 2).T, [lower[0], upper[0]], rtol=1e-9)
    assert "GetMvaErrors" not in (cxx.folder / "targets.hpp").read_text(encoding="utf-8")
