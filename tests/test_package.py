"""What a user meets first: names, import time, docstrings with examples that work."""

import configparser
import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import pytmva_bnn

MODULES = sorted(
    module.name for module in pkgutil.walk_packages(pytmva_bnn.__path__, "pytmva_bnn.") if "__main__" not in module.name
)
LAZY = (
    "uproot",
    "awkward",
    "matplotlib",
    "mplhep",
    "hist",
    "numba",
    "pandas",
    "scipy",
    "lxml",
    "tqdm",
    "dask",
    "sklearn",
    "xgboost",
    "lightgbm",
)


def test_the_names_of_tmva_are_there():
    expected = {
        "Model",
        "Prediction",
        "Reader",
        "Tools",
        "Types",
        "VIType",
        "TMVAError",
        "WeightFileError",
        "load",
        "load_string",
    }
    assert expected <= set(pytmva_bnn.__all__)
    for name in pytmva_bnn.__all__:
        assert getattr(pytmva_bnn, name) is not None


def test_heavy_packages_are_imported_only_when_needed():
    script = f"import sys, pytmva_bnn; print([m for m in {LAZY} if m in sys.modules])"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)  # noqa: S603
    assert result.stdout.strip() == "[]"


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError):
        pytmva_bnn.DoesNotExist  # noqa: B018


def test_the_extras_that_messages_name_exist():
    package = Path(pytmva_bnn.__file__).parent
    declared = configparser.ConfigParser()
    declared.read(package.parent / "setup.cfg")
    calls = re.compile(r'(?:MissingDependencyError\.of|\boptional)\("[^"]+", "([a-z]+)"')
    named = {extra for path in package.rglob("*.py") for extra in calls.findall(path.read_text(encoding="utf-8"))}
    assert {"plot", "onnx"} <= named <= set(declared["options.extras_require"])


@pytest.mark.parametrize("name", ["pytmva_bnn", *MODULES])
def test_examples_in_docstrings_work(name):
    outcome = doctest.testmod(
        importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    )
    assert outcome.failed == 0


def test_the_citation_names_this_version():
    text = (Path(pytmva_bnn.__file__).parent.parent / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.*)$", text, re.MULTILINE) == [pytmva_bnn.__version__]
