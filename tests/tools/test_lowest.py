"""The lowest versions of the dependencies, which ``tools/test --lowest`` installs."""

import importlib.util
import re
from configparser import ConfigParser
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("lowest", ROOT / "tools" / "lowest.py")
lowest = importlib.util.module_from_spec(spec)
spec.loader.exec_module(lowest)

SETUP = """
[options]
install_requires =
    numpy>=2.0
    tqdm
[options.extras_require]
dask =
    dask[distributed] >= 2024.8
# a comment
trees =
    # another
    xgboost-cpu>=3.0 ; platform_system != "Darwin"
lint =
    ruff==0.17.4
all =
    pytmva-bnn[dask,trees]
"""


def test_lower_bounds_become_constraints():
    assert list(lowest.lowest(SETUP)) == [
        "numpy==2.0",
        "dask==2024.8",
        'xgboost-cpu==3.0 ; platform_system != "Darwin"',
    ]


def test_every_dependency_of_the_project_has_a_lower_bound_or_one_version():
    text = lowest.SETUP.read_text(encoding="utf-8")
    config = ConfigParser(comment_prefixes="#")
    config.read_string(text)
    lists = [config["options"]["install_requires"], *config["options.extras_require"].values()]
    named = {
        re.match(r"[\w.-]*", line)[0] for line in "\n".join(lists).splitlines() if "==" not in line.partition(";")[0]
    }
    constrained = {constraint.split("==")[0] for constraint in lowest.lowest(text)}
    assert {"numpy", "dask", "xgboost-cpu", "tree-sitter-cpp"} <= constrained
    assert named - {"", "pytmva-bnn"} == constrained
