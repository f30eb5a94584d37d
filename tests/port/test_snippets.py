"""Small pieces of C++ and the Python they become."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytmva_bnn.port import translate

pytest.importorskip("tree_sitter_cpp")

GOLDEN = Path(__file__).resolve().parent / "snippets.txt"


def snippets() -> dict[str, tuple[str, str]]:
    """Name → C++ and Python text."""
    found = {}
    for section in GOLDEN.read_text(encoding="utf-8").split("\n=== ")[1:]:
        name, _, rest = section.partition("\n")
        cpp, _, python = rest.partition("\n--- python\n")
        found[name] = (cpp, python.strip("\n"))
    return found


SNIPPETS = snippets()


def body(text: str) -> str:
    """The text without title and imports."""
    lines = text.split("\n")[2:]
    return "\n".join(line for line in lines if not line.startswith(("import ", "from "))).strip("\n")


@pytest.mark.parametrize("name", SNIPPETS)
def test_snippet(name):
    cpp, python = SNIPPETS[name]
    translation = translate(cpp)
    assert body(translation.text) == python
    assert translation.n_left == 0


def test_the_function_of_the_file_is_run():
    source = "void g() {}\nvoid fit(int n = 1) {}\n"
    assert translate(source, filename="some/fit.C").text.endswith('if __name__ == "__main__":\n    fit()\n')
    assert "__main__" not in translate(source, filename="other.C").text
    assert "__main__" not in translate("void fit(int n) {}", filename="fit.C").text


def test_long_lines_are_broken():
    options = ":".join(f"Option{i}=Value{i}" for i in range(30))
    text = translate(f'void f() {{ TMVA::Factory f("job", "{options}"); f.TrainAllMethods(); }}').text
    assert max(map(len, text.splitlines())) <= 120
    assert "Option29=Value29" in text
