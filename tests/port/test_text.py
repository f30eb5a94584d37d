"""The Python text: comments and blank lines stay where they are, names are Python's, the right function is called."""

from __future__ import annotations

import pytest

from pytmva_bnn.port import run_text, translate

pytest.importorskip("tree_sitter_cpp")


def body(source: str, **options) -> str:
    """The translation without its title."""
    return translate(source, **options).text.partition("\n\n")[2]


def test_comments_and_blank_lines_stay_where_they_are():
    source = """// what it does
// in two lines

int n = 1; // a number

// above
// the function
void g()
{
   // first

   int a = 1; /* behind */
   if (a) {
      // only this
   }
   else { a = 2; } // at the end

   // last
}
// the end
"""
    assert (
        body(source)
        == """# what it does
# in two lines

n = 1  # a number


# above
# the function
def g():
    # first

    a = 1  # behind
    if a:
        # only this
        pass
    else:
        a = 2  # at the end

    # last


# the end
"""
    )


def test_branches_of_the_preprocessor_that_are_not_taken_stay_as_comments():
    assert body("int a = 1;\n#ifdef OLD\nint b = a;\n#endif\n") == "a = 1\n\n#   int b = a;\n"


@pytest.mark.parametrize(
    "name",
    ["lambda", "def", "None", "True", "in", "is", "len", "print", "sum", "ROOT", "array", "copied", "self", "sys"],
)
def test_names_that_python_uses_get_an_underscore(name, capsys):
    source = f"""
    int twice(int {name}) {{ return 2 * {name}; }}
    void f() {{ int {name} = 3; {name}++; std::cout << twice({name}); }}"""
    assert f"    {name}_ = 3\n    {name}_ += 1\n" in body(source, filename="f.C")
    run_text(source, filename="f.C")
    assert capsys.readouterr().out == "8"


def test_members_and_functions_may_have_such_names_too(capsys):
    source = """
    struct Range { int from = 1, pass = 2; int len() { return pass - from; } };
    int print(int is) { return is + 1; }
    void f() { Range range; range.pass = 7; std::cout << range.len() << print(range.from); }"""
    run_text(source, filename="f.C")
    assert capsys.readouterr().out == "62"


CALLS = {
    ("void g() {}\nvoid fit(int n = 1) {}", "some/fit.C"): "    fit()\n",
    ("void fit(int n, TString s, double x = 2) {}", "fit.C"): "    fit(int(sys.argv[1]), sys.argv[2])\n",
    ("int main() { return 2; }", "fit.C"): "    sys.exit(main())\n",
    ("int main(int argc, char **argv) { return argc; }", "fit.C"): "    sys.exit(main(len(sys.argv), sys.argv))\n",
    ("{ int a = 1; }", "fit.C"): "    fit()\n",
    ("{ int a = 1; }", "1-fit.C"): "    _1_fit()\n",
}


@pytest.mark.parametrize("case", CALLS)
def test_the_function_that_root_runs_is_called(case):
    source, filename = case
    assert translate(source, filename=filename).text.endswith(f'\n\n\nif __name__ == "__main__":\n{CALLS[case]}')


def test_nothing_is_called_in_a_file_without_such_a_function():
    assert "__main__" not in translate("void fit() {}", filename="other.C").text


def test_long_lines_are_broken():
    options = ":".join(f"Option{i}=Value{i}" for i in range(30))
    text = translate(f'void f() {{ TMVA::Factory f("job", "{options}"); f.TrainAllMethods(); }}').text
    assert max(map(len, text.splitlines())) <= 120
    assert "Option29=Value29" in text


def test_only_what_is_used_is_imported():
    assert "import" not in translate("int a = 1;").text
    text = translate("void f(int n) { Float_t x; std::cin >> x; n = 7 / n; }").text
    assert (
        "from array import array\n\nfrom pytmva_bnn.compat import ROOT\nfrom pytmva_bnn.compat.cpp import quotient\n"
        in text
    )
