"""Documentation that cannot go stale: pages made from the program, code that runs, links that lead somewhere.

What becomes of a block of code on a page, by its language:

========================  ==========================================================================================
``python``                is run; all blocks of a page share their names, in an empty folder with ``xml_fixtures``
``pycon``                 is run likewise, and what it shows must be what the page shows.  White space does not matter,
                          ``...`` stands for anything, and a number with a decimal point may be off by one in its last
                          digit, since trainings differ a little between processors
``sh``                    commands ``pytmva-bnn ...``, which are run
all of ``SHOWN_ONLY``     is not run
========================  ==========================================================================================
"""

import doctest
import importlib
import importlib.util
import logging
import re
import shlex
import sys
from pathlib import Path

import pytest

import pytmva_bnn
from pytmva_bnn.cli import main
from pytmva_bnn.methods import instead_of, kinds
from pytmva_bnn.tmva_types import EMVA

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = ["README.md", *sorted(f"docs/{path.name}" for path in DOCS.glob("*.md"))]

RUN = {"python", "pycon", "sh"}
SHOWN_ONLY = {"text", "py", "cpp", "yaml", "xml", "{toctree}", "{include}", "{eval-rst}"}
# Pages whose blocks need more than an empty folder
RUN_ELSEWHERE = {
    "docs/command-line.md": "tests/cli/test_page.py",
    "docs/plots.md": "tests/show/plots/test_docs_page.py",
    "docs/porting.md": "tests/compat/test_porting_page.py",
}

# Packages of extras that the blocks of a page need
NEEDED = {"docs/bridges.md": ("sklearn", "xgboost", "lightgbm"), "docs/scikit-learn.md": ("sklearn",)}

_FENCE = re.compile(r"^```(\S*)[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?!\w)")


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def blocks_of(page: str, *languages: str) -> list[tuple[str, str]]:
    """The blocks of code on a page with their languages."""
    return [(name, code) for name, code in _FENCE.findall(text_of(page)) if not languages or name in languages]


class TolerantChecker(doctest.OutputChecker):
    """Lets a number with a decimal point be off by one in the last digit that the page shows."""

    def check_output(self, want, got, optionflags):
        numbers = iter(_NUMBER.findall(want))

        def shown(found):
            expected = next(numbers, "")
            _, point, digits = expected.partition(".")
            if not point or "e" in expected or "e" in found[0]:
                return found[0]
            unit = 10.0 ** -len(digits)
            return expected if abs(float(found[0]) - float(expected)) < 1.001 * unit else found[0]

        return super().check_output(want, got, optionflags) or super().check_output(
            want, _NUMBER.sub(shown, got), optionflags
        )


def run_session(code: str, names: dict[str, object], page: str) -> str:
    """Run an interactive session and return what is wrong with it."""
    test = doctest.DocTestParser().get_doctest(code, names, page, page, 0)
    runner = doctest.DocTestRunner(
        checker=TolerantChecker(), verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    )
    problems: list[str] = []
    runner.run(test, out=problems.append, clear_globs=False)
    names.update(test.globs)
    return "".join(problems)


def run_commands(code: str) -> None:
    for line in code.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        expected = re.search(r"# exit code (\d+)", line)
        assert words[0] == "pytmva-bnn", line
        assert main(words[1:]) == (int(expected[1]) if expected else 0), line


@pytest.fixture
def _logging_as_before():
    """A page shows how to set up logging; that must not reach other tests."""
    loggers = [logging.getLogger(), logging.getLogger("pytmva_bnn")]
    before = [(logger, logger.level, list(logger.handlers)) for logger in loggers]
    yield
    for logger, level, handlers in before:
        logger.setLevel(level)
        logger.handlers[:] = handlers


@pytest.mark.usefixtures("_logging_as_before")
@pytest.mark.parametrize("page", [page for page in PAGES if blocks_of(page, *RUN) and page not in RUN_ELSEWHERE])
def test_snippets_run_one_after_the_other(page, tmp_path, monkeypatch):
    for package in NEEDED.get(page, ()):
        pytest.importorskip(package, reason=f"the page {page} shows it")
    (tmp_path / "xml_fixtures").symlink_to(ROOT / "xml_fixtures")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__page__"}
    for language, code in blocks_of(page, *RUN):
        match language:
            case "python":
                exec(compile(code, page, "exec"), names)  # noqa: S102
            case "pycon":
                assert run_session(code, names, page) == ""
            case "sh":
                run_commands(code)
    for picture in re.findall(r"savefig\(\"([^\"]+)\"", text_of(page)):
        assert (tmp_path / picture).exists(), picture
        assert re.search(rf"\(images/\S*{re.escape(picture)}\)", text_of(page)), f"{picture} is made but not shown"


def test_pages_that_are_run_elsewhere_are_run_there():
    for page, test in RUN_ELSEWHERE.items():
        assert blocks_of(page, *RUN)
        assert Path(page).name in text_of(test)


@pytest.mark.parametrize("page", PAGES)
def test_every_block_of_code_says_whether_it_runs(page):
    assert {language for language, _ in blocks_of(page)} <= RUN | SHOWN_ONLY
    assert text_of(page).count("```") == 2 * len(blocks_of(page)), "a block is not closed, or indented"


@pytest.mark.parametrize(
    ("want", "got", "agree"),
    [
        ("0.59 -0.03\n", "0.60 -0.03\n", True),
        ("0.59 -0.03\n", "0.61 -0.03\n", False),
        ("41 weights\n", "42 weights\n", False),
        ("-618...  6.6\n", "-618.55  6.7\n", True),
        ("v1.5 and 2.5\n", "v1.5 and 2.6\n", True),
    ],
)
def test_numbers_may_be_off_by_one_in_the_last_digit_shown(want, got, agree):
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    assert TolerantChecker().check_output(want, got, flags) is agree


def tool(name: str):
    """A script of the folder tools as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_options_page_is_the_one_the_tables_give():
    module = tool("options_page")
    assert module.PAGE.read_text(encoding="utf-8") == module.page(), "run tools/options_page.py"


def test_the_table_of_every_method_is_that_of_the_registry_and_the_measurements():
    module = tool("methods_page")
    page = module.PAGE.read_text(encoding="utf-8")
    assert page.split(module.BEGIN)[1].split(module.END)[0] == module.table(), "run tools/methods_page.py --write"
    rows = {row[0].split("]")[0].strip("["): row[1:6] for row in module._rows(module.table())}
    assert set(rows) == set(kinds())
    assert rows["KNN"] == ["yes", "yes", "-", "yes", "yes"]
    assert rows["DL"] == ["yes", "yes", "yes", "yes", "-"]
    named = re.findall(r"^\| ([\w, ]+) \|", page.split("## Which one to take")[1].split("## ")[0], re.MULTILINE)
    assert {name for names in named[1:] for name in names.split(", ")} == set(kinds())
    refused = re.findall(r"`k(\w+)`", page.split("## What is refused")[1])
    assert set(refused) == {kind.removeprefix("k") for kind in EMVA.__members__ if instead_of(kind.removeprefix("k"))}


def test_every_record_is_on_the_page_of_the_agreement(monkeypatch):
    page = text_of("docs/accuracy.md")
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    command = importlib.import_module("agreement")
    assert page.startswith(command.HEAD)
    assert page.endswith(command.FOOT)
    records = [folder for group in ("cases", "methods") for folder in (ROOT / "xml_fixtures" / group).iterdir()]
    for folder in records:
        if list(folder.glob("weights.xml*")):
            assert f" | {folder.name} | " in page, "run tools/agreement --write"


def anchors_of(path: Path) -> set[str]:
    """The names that headings get as targets of links, on code-hosting sites and by Sphinx."""
    text = _FENCE.sub("", path.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES)
def test_links_and_pictures_lead_somewhere(page):
    path = ROOT / page
    for link in re.findall(r"\]\(([^)\s]+)\)", _FENCE.sub("", text_of(page))):
        target, _, anchor = link.partition("#")
        assert "://" not in link, "pages are read without a network"
        place = path.parent / target if target else path
        assert place.exists(), link
        if anchor:
            assert anchor in anchors_of(place), link


def test_every_page_is_in_the_table_of_contents():
    toctrees = "\n".join(code for _, code in blocks_of("docs/index.md", "{toctree}"))
    listed = [line for line in toctrees.splitlines() if line and not line.startswith(":")]
    notebooks = [f"notebooks/{path.stem}" for path in (DOCS / "notebooks").glob("*.ipynb")]
    assert sorted(listed) == sorted([*(path.stem for path in DOCS.glob("*.md") if path.stem != "index"), *notebooks])


def documented_names() -> set[str]:
    """The full names that the API reference takes from docstrings."""
    code = "\n".join(code for _, code in blocks_of("docs/api.md", "{eval-rst}"))
    return set(re.findall(r"^\.\. auto\w+:: (\S+)", code, re.MULTILINE))


@pytest.mark.parametrize("module", ["", "show.plots", "posterior", "show.report", "weights", "errors"])
def test_every_public_name_is_in_the_api_reference(module):
    name = f"pytmva_bnn.{module}".rstrip(".")
    home = importlib.import_module(name)
    public = getattr(home, "__all__", None) or [
        name for name, value in vars(home).items() if isinstance(value, type) and value.__module__ == home.__name__
    ]
    # what the package itself offers is documented there
    expected = {
        f"pytmva_bnn.{one}" if one in pytmva_bnn.__all__ else f"{name}.{one}" for one in public if one != "__version__"
    }
    assert expected - documented_names() == set()


def test_what_the_api_reference_names_exists():
    for full_name in documented_names():
        module, _, name = full_name.rpartition(".")
        assert full_name == "pytmva_bnn" or hasattr(importlib.import_module(module), name), full_name


@pytest.mark.parametrize(
    ("formula", "problem"),
    [
        (r"\alpha_{g}^2", None),
        (r"\begin{split} a &= b \\ c &= \frac{1}{2} \end{split}", None),
        (r"\foo{x}", "foo is not known"),
        (r"\frac{1}", "a part of <mfrac> is missing"),
        (r"\left( x", "Extra"),
    ],
)
def test_a_wrong_formula_stops_the_build_of_the_pages(formula, problem, monkeypatch):
    pytest.importorskip("latex2mathml", reason="the extra docs is not installed")
    pytest.importorskip("sphinx", reason="the extra docs is not installed")
    monkeypatch.syspath_prepend(DOCS / "_extensions")
    mathml = importlib.import_module("mathml")
    sys.modules.pop("mathml")
    if problem is None:
        assert mathml.to_mathml(formula).startswith("<math")
    else:
        with pytest.raises(mathml.FormulaError, match=problem):
            mathml.to_mathml(formula)


def test_the_weight_file_on_its_page_is_a_real_one():
    ((_, example),) = blocks_of("docs/weight-files.md", "xml")
    lines = iter((ROOT / "xml_fixtures/cases/fakerate_bnn/weights.xml").read_text(encoding="utf-8").splitlines())
    for shown in example.splitlines():
        if shown != "...":
            assert any(line.startswith(shown.removesuffix("...")) for line in lines), shown
