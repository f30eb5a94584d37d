"""The text of the class: what it refuses, what it tells, and that nothing in a weight file can break out of it."""

import re
from dataclasses import replace

import numpy as np
import pytest

import pytmva_bnn as TMVA
from pytmva_bnn.cpp.literals import comment, double, single, singles, string
from pytmva_bnn.errors import InputError
from pytmva_bnn.model import Model
from pytmva_bnn.options import OptionRecord
from pytmva_bnn.standalone import class_identifier, class_source, write_class

HOSTILE = [
    'a*/ int x = "',
    'b");system("true");//',
    "c\n#error out of the comment\n",
    "d\r\n}; #error",
    "ends with a backslash\\",
    "ends with a backslash and blanks\\  ",
    "trigraph ??/",
    "right to left \u202e evil",
    "line \u2028 separator \x0b\x0c\x00",
    "/* // Δφ %s $name ${guard} {0} \x1b[31m",
    'R"(raw)" \\u0041 \\x41',
]


def model_named(record="bfgs_n"):
    return TMVA.load(f"xml_fixtures/cases/{record}/weights.xml")


def hostile_model():
    """A network whose texts are all hostile."""
    n = len(HOSTILE)
    model = model_named()
    file = model.file
    variables = tuple(
        replace(file.variables[0], expression=text, label=text, title=text, unit=text) for text in HOSTILE
    )
    return Model(
        replace(
            file,
            title=HOSTILE[0] + HOSTILE[2] + HOSTILE[4],
            info=(*file.info, *((text, text) for text in HOSTILE)),
            options=(*file.options, *(OptionRecord(f"Odd{i}\n", text, True) for i, text in enumerate(HOSTILE))),
            variables=variables,
            spectators=variables,
            classes=tuple(HOSTILE),
            transformations=(),
        ),
        replace(model.fitted, matrices=(np.linspace(-1.0, 1.0, 3 * (n + 1)).reshape(n + 1, 3), np.ones((4, 1)))),
    )


@pytest.mark.parametrize("options", [[], ["-trigraphs"]])
def test_hostile_texts_compile_and_stay_texts(cxx, options):
    model = hostile_model()
    write_class(model, cxx.folder / "network.hpp", class_name="Hostile")
    # the program gets the names as bytes, not through our own way to write strings; C++ strings end at a zero byte
    names = [text.encode().split(b"\0")[0] for text in HOSTILE]
    (cxx.folder / "names").write_bytes(b"\0".join(names) + b"\0")
    printed = cxx.run(
        """
#include "network.hpp"
#include <fstream>
int main()
{
   std::ifstream file("names", std::ios::binary);
   std::vector<std::string> names;
   for (std::string name; std::getline(file, name, '\\0');)
      names.push_back(name);
   const Hostile network(names);
   std::cout.precision(17);
   std::cout << network.GetMvaValue(std::vector<double>(names.size(), 0.5)) << std::endl;
}
""",
        *options,
    )
    assert float(printed) == pytest.approx(model.predict(np.full((1, len(HOSTILE)), 0.5))[0], rel=1e-12)


def test_every_line_of_the_description_is_a_comment():
    head = class_source(hostile_model(), class_name="Hostile").split("#ifndef PYTMVA")[0]
    lines = head.strip("\n").split("\n")
    assert all(line.startswith("//") for line in lines)
    assert not any(re.search(r"(\\|\?\?/)\s*$", line) for line in lines)
    assert all(line.isprintable() for line in lines)


@pytest.mark.parametrize("text", HOSTILE)
def test_comments_and_strings_are_one_line_of_harmless_characters(text):
    assert comment(text).isprintable()
    assert re.fullmatch(r'"([ !#-\[\]-~]|\\["\\?]|\\[0-3][0-7]{2})*"', string(text))


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("MLP", "ReadMLP"),
        ("MLP_2", "ReadMLP_2"),
        ("2 layers, tanh", "Read2_layers_tanh"),
        ("π-net::α", "Read_net_"),
        ("", "Read"),
        ("a b/c\n*/", "Reada_b_c_"),
    ],
)
def test_a_title_becomes_a_name_of_a_class(title, name, changed):
    assert class_identifier(title) == name
    assert f"class {name} : public" in class_source(changed(model_named(), file={"title": title}))


@pytest.mark.parametrize(
    "name", ["", "a b", "2a", "class", "co_await", "a::b", "é", "x;", "a\n", "Event", "kWeights1", "std"]
)
def test_names_that_no_class_can_have_are_refused(name):
    with pytest.raises(InputError, match="class_name="):
        class_source(model_named(), class_name=name)


@pytest.mark.parametrize("value", [0.1, -0.0, 5e-324, 1.7976931348623157e308, 1 / 3, -2.5e-17])
def test_numbers_are_written_with_all_their_digits(value):
    assert float(double(value)) == value
    with np.errstate(over="ignore", under="ignore"):
        nearest = np.float32(value)
    if np.isfinite(nearest):
        assert np.float32(single(nearest).removesuffix("f")) == nearest


def test_numbers_that_have_no_digits_compile(cxx):
    values = [np.nan, np.inf, -np.inf, 5e-324]
    printed = cxx.run(
        f"""
#include <iostream>
#include <limits>
static constexpr double d[] = {{{", ".join(map(double, values))}}};
static constexpr float f[] = {{{", ".join(map(single, [*values[:3], np.float32(1e-45)]))}}};
int main()
{{
   std::cout << (d[0] != d[0]) << (d[1] > 1e308) << (d[2] < -1e308) << (d[3] > 0.0) << (f[0] != f[0]) << (f[1] > 1e38f)
             << (f[3] > 0.0f);
}}
"""
    )
    assert printed == "1111111"


def test_the_description_tells_what_the_network_is():
    text = class_source(model_named("expressions"))
    for part in (
        "GetMvaErrors(inputs)",
        "6-6-1",
        "TMath::Sqrt(pt*pt+var3*var3)",
        "* NCycles",
        "4.2.1 [262657]",
        "Background",
    ):
        assert part in text.split("#ifndef")[0]
    assert "7 digits" in text


def test_methods_exist_only_where_they_have_a_meaning():
    plain = class_source(model_named("bfgs_n"))
    for method in ("GetMvaErrors", "GetRegressionValues", "GetMulticlassValues", "GetProba"):
        assert method not in plain
    assert "GetRegressionErrors" in class_source(model_named("reg_bnn"))
    assert "GetRegressionErrors" not in class_source(model_named("reg_two_targets"))


def test_the_same_model_gives_the_same_text(tmp_path):
    model = model_named("trans_chain")
    write_class(model, tmp_path / "a.hpp")
    write_class(model_named("trans_chain"), str(tmp_path / "b.hpp"))
    assert (tmp_path / "a.hpp").read_bytes() == (tmp_path / "b.hpp").read_bytes()
    assert (tmp_path / "a.hpp").read_text(encoding="utf-8") == class_source(model)


def test_gaussian_distributions_do_not_make_the_file_large():
    assert len(class_source(model_named("trans_g"))) < 100_000


def test_transformations_of_spectators_are_refused():
    model = TMVA.load("xml_fixtures/odd/scaled_rearranged.weights.xml")
    with pytest.raises(InputError, match="use spectators"):
        class_source(model)


def test_a_distribution_of_unequal_bins_without_interpolation_is_refused(changed):
    model = model_named("trans_u")
    (step,) = model.file.transformations
    sets = tuple(tuple(replace(record, interpolation=0) for record in each) for each in step.cumulatives)
    with pytest.raises(InputError, match="InterpolMethod=0"):
        class_source(changed(model, file={"transformations": (replace(step, cumulatives=sets),)}))


def test_a_file_that_does_not_fit_its_network_is_refused(changed):
    model = model_named()
    with pytest.raises(InputError, match="5 variables for a network with 4 inputs"):
        class_source(changed(model, file={"variables": (*model.variables, model.variables[0])}))
    regression = model_named("reg_none")
    with pytest.raises(InputError, match="2 outputs for 1 targets"):
        class_source(changed(regression, fitted={"matrices": (np.zeros((3, 2)),), "inverse_hessians": ()}))
    with pytest.raises(InputError, match="4-0-1"):
        class_source(changed(model, fitted={"matrices": (np.zeros((5, 0)), np.zeros((1, 1)))}))


def test_many_numbers_are_written_as_few_are():
    values = np.float32(np.random.default_rng(2).normal(size=1003) * 10.0 ** np.arange(-40, 39).repeat(13)[:1003])
    head, *lines, end = singles("kTable", values).splitlines()
    assert (head, end) == ("   static constexpr float kTable[1003] = {", "   };")
    assert max(map(len, lines)) <= 116
    assert ", ".join(line.strip(" ,") for line in lines) == ", ".join(map(single, values))
    assert all(line.endswith(",") for line in lines[:-1])
    values[7] = np.inf
    assert "std::numeric_limits<float>::infinity()" in singles("kTable", values)
